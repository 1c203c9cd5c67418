import { playerName } from "../../names.js";
import { fieldName } from "./components.js";

/** The events of Adellos in sentences, from what the viewer may see of each. */
export function sentence({ type, by, data }, view, parts) {
  const board = parts.boards.get(view.state?.board) ?? [...parts.boards.values()][0];
  const at = (field) => fieldName(board, field);
  const name = (seat) => playerName(view, seat);
  const who = data.seat != null ? name(data.seat) : /^seat:\d+$/.test(by) ? name(Number(by.slice(5))) : "The service";
  const kind = (id) => parts.kinds.get(id)?.name ?? id;
  const card = (id) => parts.cards.get(id)?.name ?? "a card";
  const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const picks = () => {
    const told = (data.picks ?? []).filter((pick) => pick !== "")
      .map((pick) => (typeof pick === "number" ? (parts.cards.get(data.card)?.when === "next_turn" ? name(pick) : at(pick)) : kind(pick)));
    return told.length ? `: ${told.join(", ")}` : "";
  };
  switch (type) {
    case "factions_drawn": return `Factions drawn: ${data.factions.map((id, seat) => `${name(seat)} ${parts.factions.get(id).name}`).join(", ")}`;
    case "first_seat_drawn": return `${who} starts`;
    case "deck_shuffled": return `${plural(data.cards, "event card")} shuffled`;
    case "trading_answered": return `${who} ${data.agree ? "agrees to gifts" : "wants no gifts"}`;
    case "noble_chosen": return `${who} chooses ${kind(data.noble)}`;
    case "noble_placed": return `${who}'s noble enters on ${at(data.field)}`;
    case "set_up_ended": return `${who} is ready`;
    case "turn_started": return `${who}'s turn: ${data.ap} AP` +
      (data.gold > 0 ? `, ${data.gold} G received` : data.gold < 0 ? `, ${-data.gold} G lost` : "") +
      (data.cards ? `, ${plural(data.cards, "card")} to draw` : "") + (data.held ? `, tower held ${data.held} times` : "");
    case "card_drawn": return data.card ? `${who} draws ${card(data.card)}` : `${who} draws a card`;
    case "draw_skipped": return `${who} draws nothing`;
    case "unit_hired": return data.counters
      ? `${who} summons ${kind(data.unit)} on ${at(data.field)} with ${plural(data.counters, "Time Counter")}`
      : `${who} hires ${kind(data.unit)} on ${at(data.field)} for ${data.gold} G`;
    case "unit_moved": return `${who} moves ${at(data.field)} → ${at(data.to)} (${data.ap} AP)`;
    case "units_swapped": return `${who} swaps ${at(data.field)} and ${at(data.other)}`;
    case "combat_begun": return `${who} attacks ${at(data.defender)} from ${at(data.attacker)}`;
    case "passed": return `${who} passes`;
    case "unit_defeated": return `${kind(data.unit)} on ${at(data.field)} falls, attack ${data.attack} against defence ${data.defence}`;
    case "combat_ended": return data.attack == null ? "The combat is broken off" : `The attack fails, ${data.attack} against ${data.defence}`;
    case "card_played": return `${who} plays ${card(data.card)}`;
    case "card_aimed": return `${who} aims ${card(data.card)}${picks() || ": at nothing"}`;
    case "ability_used": return `${who} uses ${parts.abilities.get(data.ability)?.name ?? data.ability} from ${at(data.field)}${picks()}`;
    case "hand_seen": return `${who} looks at the hand of ${name(data.of)}${data.hand ? `: ${data.hand.map(card).join(", ") || "no cards"}` : ""}`;
    case "choice_begun": case "target_chosen": case "choice_cancelled": return ""; // what comes of it is told
    case "counter_kept": return `${who} ${data.keep ? "leaves the Time Counters" : "no longer leaves the Time Counters"} on ${at(data.field)}`;
    case "gold_given": return `${who} gives 1 G to ${name(data.to)}`;
    case "card_given": return `${who} gives ${data.card ? card(data.card) : "a card"} to ${name(data.to)}`;
    case "turn_ended": return `${who} ends the turn${data.lapsed ? `, ${data.lapsed} AP lapse` : ""}`;
    case "counters_ticked": return data.fields.length ? `A Time Counter is taken off ${data.fields.map(at).join(", ")}` : "No Time Counter to take off";
    case "seat_resigned": return `${who} resigns`;
    default: return null;
  }
}
