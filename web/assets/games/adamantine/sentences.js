import { playerName, spaced } from "../../names.js";
import { plural } from "./cards.js";

/** The events of Adamantine in sentences, from what the viewer may see of each. */
export function sentence({ type, by, data }, view, parts, known) {
  const card = (id) => parts.cards.get(id)?.name ?? "a card";
  const lying = (handle) => card(known.face(handle));
  const names = (ids) => counted(ids.map(card));
  const all = (handles) => counted(handles.map(lying));
  const who = data.seat != null ? playerName(view, data.seat) : /^seat:\d+$/.test(by) ? playerName(view, Number(by.slice(5))) : "The service";
  switch (type) {
    case "first_seat_drawn": return `${who} starts`;
    case "deck_brought": return `${who} brings a deck`;
    case "champion_chosen": return `${who} takes ${card(data.champion)} as champion`;
    case "class_chosen": return `${card(data.hero_class)} is ${who}'s first class`;
    case "deck_shuffled": return `${who}'s ${data.deck} deck of ${plural(data.cards, "card")} is shuffled`;
    case "day_begun": return `${who}'s day: ${drawn(data, "hero", names)}`;
    case "day_ended": return `${who} ends the day`;
    case "night_begun": return `${who}'s night: ${drawn(data, "dungeon", names)}${data.discarded.length ? `; thrown away: ${names(data.discarded)}` : ""}`;
    case "night_failed": return `${who} has no dungeon card left to draw`;
    case "night_ended": return `${who} ends the night`;
    case "choice_begun": case "card_picked": case "choice_cancelled": return ""; // what comes of it is told
    case "card_played": {
      const paid = [data.gold && `${data.gold} reward gold`, data.sacrificed.length && all(data.sacrificed)].filter(Boolean);
      return `${who} plays ${card(data.card)}${paid.length ? ` for ${paid.join(" and ")}` : ""}`;
    }
    case "ability_used": return `${who} uses ${lying(data.card)}${data.target ? ` on ${known.face(data.target) ? lying(data.target) : `room ${data.target}`}` : ""}`;
    case "effect_performed": return data.number || !PARTS[data.part] ? "" : `${card(data.card)} ${PARTS[data.part]}`;
    case "hero_cards_drawn": return `${who} draws ${data.cards ? names(data.cards) || "nothing" : plural(data.drawn, "hero card")}`;
    case "dungeon_cards_discarded": return `${who} loses ${names(data.cards) || "no card"} from the dungeon deck`;
    case "room_seen": return `${who} looks at room ${data.room}${data.cards ? `: ${names(data.cards)}` : ""}`;
    case "searched": return `${who} searches and rolls ${data.die}: ${names(data.cards) || "nothing"} discarded from the other's dungeon deck`;
    case "champion_possessed": return `${card(data.champion)} takes the place of ${who}'s champion`;
    case "champion_slain": return `${who}'s champion is dead`;
    case "room_built": return `${who} builds a room of ${plural(data.size, "card")}${data.cards ? `: ${names(data.cards)}` : ""}`;
    case "encounter_rolled": return `${who} rolls ${data.die} for a random encounter`;
    case "encounter_laid": return `${who} lays ${names(data.cards) || "nothing"}`;
    case "room_explored": return `${who}'s champion explores room ${data.room}: ${names(data.cards)}`;
    case "room_trimmed": return `${who} takes out ${all(data.cards)}: the room was too dangerous`;
    case "event_resolved": return `${lying(data.card)} happens: ${parts.cards.get(known.face(data.card))?.text ?? ""}`;
    case "statistic_chosen": return `${who} fights with ${spaced(data.statistic)}`;
    case "damage_rolled": return `The die shows ${data.die}: ${data.damage} damage`;
    case "damage_divided": return data.beaten.length ? `Beaten: ${all(data.beaten)}` : "No monster is beaten";
    case "monster_struck": return `${lying(data.card)} deals ${data.damage} to ${lying(data.target)}`;
    case "check_begun": return "";
    case "check_rolled": {
      const trap = parts.cards.get(known.face(data.card));
      return `${lying(data.card)}: the die shows ${data.die}, ${data.total} in all${trap ? ` against ${trap.value}` : ""}`;
    }
    case "reward_ended": return `${who} plays nothing more for the reward${data.lost ? `, ${data.lost} gold lost` : ""}`;
    case "cards_lost": return `${who} discards ${names(data.cards)}`;
    case "exploration_ended": return "The exploration ends";
    case "seat_resigned": return `${who} resigns`;
    default: return null;
  }
}

// How it is told that a card takes effect; of events and abilities that has been said.
const PARTS = { success: "is passed", failure: "is sprung", strike: "takes effect as it strikes" };

function drawn({ drawn: count, cards }, kind, names) {
  if (cards?.length) return `draws ${names(cards)}`;
  return `draws ${count ? plural(count, `${kind} card`) : "nothing"}`;
}

/** `Goblin × 2, Imp` */
function counted(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)).join(", ");
}
