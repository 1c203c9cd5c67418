import { commandButton, decisionBox } from "../../actions.js";
import { el } from "../../dom.js";
import { playerName } from "../../names.js";
import { fieldName } from "./components.js";
import { cardFace, kindFace } from "./faces.js";

/** What is to be decided, for whoever decides and for the others. A reaction's prompt never depends on the hand. */
export function decision(moment, parts, board, act) {
  const { view, commands, seat, live } = moment;
  const { state } = view;
  const { pending } = state;
  const mine = live && seat != null && view.to_act.includes(seat);
  const who = pending?.seat == null ? "" : playerName(view, pending.seat);
  const of = (type) => commands.filter((command) => command.type === type);
  const button = (command, text, kind) => commandButton(command, text, act, kind);
  const only = (type, text, kind) => of(type).map((command) => button(command, text, kind));
  const box = (title, ...content) => decisionBox(title, mine, ...content);

  if (state.combat) return [combatBox(), pending?.decision === "choose" && mine ? choosing() : null];
  if (view.status !== "running" || !pending) return [];
  if (pending.seat == null) return [box("Time Counters are taken off …")];
  if (!mine) return [box(`${who} ${DOES[pending.decision] ?? "decides"}`)];
  switch (pending.decision) {
    case "agreeing":
      return [box("Gifts of gold and cards?", el("p", {}, "They are allowed if everybody agrees."), el("p", { class: "buttons" },
        of("agree_trading").map((command) => button(command, command.agree ? "Agree" : "Play without gifts"))))];
    case "nobles":
      return [box("Choose your noble", el("ul", { class: "faces" }, of("choose_noble").map((command) =>
        kindFace(parts.kinds.get(command.noble), parts, { doing: [button(command, "Choose", "main")] }))))];
    case "placing":
      return of("place_noble").length
        ? [box("Place your noble", el("p", {}, "Choose a marked field of your castle."))]
        : [box("Set-up", el("p", {}, "Buy units if you want to, then end your set-up."), el("p", { class: "buttons" }, only("end_set_up", "End set-up", "main")))];
    case "choose": return [choosing()];
    default: return [turn()];
  }

  function turn() {
    const may = of("end_turn").length > 0;
    const end = may ? only("end_turn", "End turn", "main") : el("button", { disabled: true, "aria-describedby": "why-not" }, "End turn");
    return box("Your turn", el("p", { class: "buttons" }, end),
      may ? null : el("p", { class: "note", id: "why-not" }, `${state.ap} AP left: while a move, swap or attack is possible they have to be used (AE-1).`));
  }

  function choosing() {
    const { choice, ask } = pending;
    const named = parts.kinds.get(choice.hire) ?? parts.cards.get(choice.card) ?? parts.abilities.get(choice.ability);
    return box(named?.name ?? "Choose",
      choice.card || choice.ability ? el("p", {}, named.text) : null,
      choice.picks?.length ? el("p", { class: "note" }, `Chosen so far: ${choice.picks.map(picked).join(", ")}`) : null,
      el("p", {}, ASKS[ask?.what] ?? ""),
      of("choose_kind").length ? el("ul", { class: "faces" }, of("choose_kind").map((command) =>
        kindFace(parts.kinds.get(command.kind), parts, { doing: [button(command, "Choose", "main")] }))) : null,
      el("p", { class: "buttons" },
        of("choose_seat").map((command) => button(command, playerName(view, command.seat), "main")),
        only("finish_choice", "No more"), only("cancel_choice", "Cancel")));
  }

  function picked(pick) {
    if (typeof pick === "number") return fieldName(board, pick);
    return parts.kinds.get(pick)?.name ?? "no more";
  }

  function combatBox() {
    const { combat } = state;
    const side = (field) => state.units.find((unit) => unit.field === field);
    const fighter = (field, value, points) => {
      const unit = side(field);
      return el("p", { class: `fighter seat-${unit?.seat}` },
        el("span", {}, unit ? `${playerName(view, unit.seat)}'s ${parts.kinds.get(unit.kind).name}` : "gone", ` (${fieldName(board, field)})`),
        el("b", {}, points == null ? "" : `${value} ${points}`));
    };
    const played = combat.played.map((one) => el("li", {}, el("b", {}, `${playerName(view, one.seat)}: ${parts.cards.get(one.card).name}`),
      ` ${parts.cards.get(one.card).text}${one.cancelled ? " Cancelled." : ""}`));
    const prompted = mine && pending?.decision === "combat";
    return el("section", { class: prompted ? "decision combat mine" : "decision combat", "aria-label": "Combat" },
      el("h2", {}, "Combat"),
      fighter(combat.attacker, "attack", combat.attack), fighter(combat.defender, "defence", combat.defence),
      played.length ? el("ul", { class: "played" }, played) : null,
      prompted
        ? [el("p", {}, "Play a combat card from your hand, or pass."), el("p", { class: "buttons" }, only("pass", "Pass", "main"))]
        : el("p", {}, `${playerName(view, combat.asked)} plays a card or passes.`),
      el("p", { class: "note" }, "The defender falls if the attack is higher once both have passed in succession."));
  }
}

const DOES = {
  agreeing: "answers whether gifts are allowed", nobles: "chooses a noble", placing: "sets up", turn: "has the turn",
  choose: "chooses targets", combat: "plays a card or passes",
};
const ASKS = {
  field: "Choose a marked field of the board.", kind: "Choose one of these:", seat: "Choose a player:",
};

/** The viewer's cards, each in full, to be played where that is legal; those come first. */
export function hand(moment, parts, act) {
  const { view, commands, seat, live } = moment;
  const cards = view.state.players[seat]?.hand;
  if (!cards) return null;
  const plays = new Map(commands.filter((one) => one.type === "play_card").map((one) => [one.card, one]));
  const gifts = commands.filter((one) => one.type === "give_card");
  const counts = new Map();
  for (const id of cards) counts.set(id, (counts.get(id) ?? 0) + 1);
  const faces = [...counts.keys()].sort((one, other) => plays.has(other) - plays.has(one)).map((id) => {
    const play = live && plays.get(id);
    const give = gifts.filter((one) => one.card === id).map((one) =>
      commandButton(one, `Give to ${playerName(view, one.to)}`, act));
    return cardFace(parts.cards.get(id), counts.get(id),
      play && commandButton(play, "Play", act, "main"), ...give);
  });
  return el("section", { class: "hand" }, el("h2", {}, "Your hand", el("small", {}, `${cards.length} ${cards.length === 1 ? "card" : "cards"}`)),
    faces.length ? el("ul", { class: "faces" }, faces) : el("p", { class: "empty" }, "no cards"));
}

/** The viewer's supply with the prices as they are; what can be hired now has a button. */
export function hiring(moment, parts, act) {
  const { view, commands, seat } = moment;
  const player = view.state.players[seat];
  if (!player?.alive || view.status !== "running") return null;
  const hires = new Map(commands.filter((one) => one.type === "hire").map((one) => [one.unit, one]));
  const faces = Object.entries(player.supply).map(([id, tiles]) => {
    const hire = hires.get(id);
    const doing = hire ? [commandButton(hire, player.prices[id].gold ? "Hire" : "Summon", act)] : [];
    return kindFace(parts.kinds.get(id), parts, { costs: player.prices[id], tiles, doing });
  });
  return el("details", { class: "hiring", "data-key": "hiring", open: innerWidth > 832 },
    el("summary", { "data-key": "hiring-summary" }, `Hire: ${player.gold} G, ${hires.size} of ${faces.length} units possible`),
    el("ul", { class: "faces" }, faces));
}
