import { commandButton, decisionBox } from "../../actions.js";
import { el } from "../../dom.js";
import { playerName, spaced } from "../../names.js";
import { plural, roomName } from "./cards.js";
import { cardChoice } from "./setup.js";

/** What is to be decided, for whoever decides and for the others. Nothing here depends on what another holds. */
export function decision(moment, parts, at, { act, reading, bringing }) {
  const { view, commands, seat, live } = moment;
  const { state } = view;
  const { pending } = state;
  if (view.status !== "running" || !pending) return null;
  const mine = live && seat != null && view.to_act.includes(seat);
  if (!mine) return decisionBox(`${playerName(view, pending.seat)} ${DOES[pending.decision] ?? "decides"}`, false);
  const of = (type) => commands.filter((command) => command.type === type);
  const buttons = (type, text, kind) => of(type).map((command) => commandButton(command, typeof text === "function" ? text(command) : text, act, kind));
  const row = (...some) => el("p", { class: "buttons" }, some);
  const box = (title, ...content) => decisionBox(title, true, ...content);
  const chosen = (handles) => handles.map(at.name).join(", ");
  const taking = () => buttons("cancel", "Take it back");
  const now = state.exploration;

  switch (pending.decision) {
    case "bringing": return box("Bring a deck", bringing(of("bring_deck")));
    case "champions": return box("Choose your champion", cardChoice(of("choose_champion"), "champion", parts, reading, act));
    case "classes": return box("Choose your first class", cardChoice(of("choose_class"), "hero_class", parts, reading, act));
    case "day":
      return box("Your day",
        el("p", {}, "Play cards from your hand and use those in play; explore rooms, or search where there are none."),
        row(buttons("explore", ({ room }) => `Explore ${roomName(at.rooms.get(room))} (${plural(at.rooms.get(room).cards.length, "card")})`, "main"),
          buttons("search", "Search the dungeon", "main"),
          buttons("use", ({ card, target }) => `Use ${at.name(card)}${target ? ` on ${at.name(target)}` : ""}`),
          buttons("end_day", "End the day")));
    case "night":
      return box("Your night", el("p", {}, "Build rooms from your dungeon hand; what is left is thrown away next night."),
        row(buttons("build_room", "Build a room", "main"), buttons("random_encounter", "Roll for a random encounter"), buttons("end_night", "End the night")));
    case "payment": {
      const { picks, card } = pending.choice;
      return box(`Pay for ${at.name(card)}`,
        el("p", {}, `Sacrifice cards in play worth ${pending.cost} G or more; no change is given.`),
        el("p", {}, `So far ${pending.paid} of ${pending.cost} G${picks.length ? `: ${chosen(picks)}` : ""}.`),
        row(buttons("sacrifice", (command) => `${at.name(command.card)} (${at.card(command.card).gold} G)`, "main"), taking()));
    }
    case "aim":
      return box(`Aim ${at.name(pending.choice.card)}`,
        row(buttons("use", ({ target }) => roomName(at.rooms.get(target)), "main"), taking()));
    case "room": case "encounter": {
      const { picks, limit } = pending.choice;
      const encounter = pending.decision === "encounter";
      return box(encounter ? "Lay the random encounter" : "Build a room",
        el("p", {}, encounter ? `Up to ${plural(limit, "monster or event")} from your dungeon hand; it is met at once.` : "Lay cards of your dungeon hand face down, in the order they shall be met."),
        el("p", {}, picks.length ? `Laid so far: ${chosen(picks)}.` : "Nothing laid yet."),
        row(buttons("finish", encounter ? (picks.length ? "Send the encounter" : "Lay nothing") : "The room is complete", "main"), taking()));
    }
    case "possess":
      return box("Your champion is dead", el("p", {}, "A champion of your hand may follow; classes and feats in play are lost."),
        row(buttons("possess", ({ card }) => `${at.name(card)} follows`, "main"), buttons("decline", "Let no other follow", "danger")));
    case "discard": {
      const cause = parts.cards.get(pending.effects.card);
      return box(`Discard ${plural(pending.cards_owed, "card")}`, el("p", {}, el("b", {}, cause.name), ` ${cause.text}`),
        now.picks?.length ? el("p", {}, `So far: ${chosen(now.picks)}.`) : null,
        row(buttons("discard", ({ card }) => `Discard ${at.name(card)}`, "danger"), taking()));
    }
    case "trimming": {
      const level = state.players[now.explorer].danger_level;
      return box("Your room is too dangerous",
        el("p", {}, `It may have a danger of ${level} in all, as much as the explorer's danger level. It has ${at.rooms.get(now.room).danger}.`),
        now.picks?.length ? el("p", {}, `To be discarded: ${chosen(now.picks)}.`) : null,
        row(taking()));
    }
    case "combat":
      return box("Fight with which statistic?", row(
        buttons("choose_statistic", ({ statistic }) => `${spaced(statistic)}: die + ${now.rolls[statistic]}`, "main"),
        buttons("use", ({ card, target }) => `Use ${at.name(card)}${target ? ` on ${at.name(target)}` : ""}`)));
    case "dividing":
      return box(`Divide ${plural(now.damage - now.picks.length, "point")} of damage`,
        el("p", {}, "A monster given as much as its health is beaten; the others are not wounded."), row(taking()));
    case "striking": {
      const striker = now.monsters.find((one) => one.handle === now.queue[0]);
      const champion = state.players[seat].champion.handle;
      return box(`Who takes the damage of ${at.name(striker.handle)}?`, row(
        buttons("take_damage", ({ card }) => `${at.name(card)}: ${card === champion ? striker.to_champion : striker.damage}`, "main")));
    }
    case "reward":
      return box(`Reward: ${now.gold} gold`, el("p", {}, "Play cards from your hand for it, topped up by sacrifices if need be. What is not spent is lost."),
        row(buttons("play_card", ({ card }) => `Play ${at.name(card)}${at.lying.get(card).cost ? ` and sacrifice ${at.lying.get(card).cost} G` : ""}`, "main"), buttons("finish", "Play no more")));
    case "checks": {
      const trap = at.card(now.queue[0]);
      return box(`${trap.name}: ${spaced(trap.statistic)} against ${trap.value}`, el("p", {}, trap.text), row(
        buttons("roll_check", `Roll the die + ${state.players[seat].statistics.check[trap.statistic]}`, "main"),
        buttons("use", ({ card }) => `Use ${at.name(card)}`)));
    }
    default: return box("Your decision");
  }
}

const DOES = {
  bringing: "brings a deck", champions: "chooses a champion", classes: "chooses a first class", day: "has the day",
  night: "has the night", payment: "pays for a card", room: "builds a room", encounter: "lays a random encounter",
  possess: "may let another champion follow", discard: "discards cards", trimming: "takes cards out of the room",
  combat: "chooses a statistic to fight with", dividing: "divides the damage", striking: "says who takes the damage",
  reward: "plays cards for the reward", checks: "faces a trap",
};
