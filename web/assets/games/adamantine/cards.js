import { commandButton } from "../../actions.js";
import { el } from "../../dom.js";
import { spaced } from "../../names.js";

export const STATISTICS = ["might", "agility", "wits", "will"];

const KINDS = { champions: "champion", monsters: "monster", traps: "trap", events: "event" };
const TITLES = { prestige: "prestige class" };
const FACES = "⚀⚁⚂⚃⚄⚅";

/** The printed cards by id, each with its kind, and the ready decks. */
export function components(catalogue) {
  const cards = catalogue.filter((entry) => entry.part !== "decks").map((entry) => ({ ...entry, kind: entry.kind ?? KINDS[entry.part] }));
  return {
    cards: new Map(cards.map((card) => [card.id, card])),
    decks: new Map(catalogue.filter((entry) => entry.part === "decks").map((deck) => [deck.id, deck])),
  };
}

export const kindOf = (card) => TITLES[card.kind] ?? card.kind;

/** `3 cards`, `1 card`. */
export const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

export function die(value) {
  return el("span", { class: "die", role: "img", "aria-label": `die ${value}` }, FACES[value - 1] ?? String(value));
}

const mark = (kind, label, text) => el("span", { class: `value ${kind}`, role: "img", "aria-label": label, title: label }, text);

/** The printed numbers of a card as small marks; `now` has those of a monster as it stands in a room. */
export function marks(card, now = {}) {
  const health = now.health ?? card.health;
  const damage = now.damage ?? card.damage;
  return el("span", { class: "marks" },
    card.gold != null && mark("gold", `gold value ${card.gold}`, `${card.gold} G`),
    health != null && mark("health", `health ${health}`, `♥ ${health}`),
    damage != null && mark("damage", `damage ${damage}`, `⚔ ${damage}`),
    card.value != null && mark("check", `${card.statistic} against ${card.value}`, `${spaced(card.statistic)} ${card.value}`),
    mark("danger", `danger value ${card.danger}`, `▲ ${card.danger}`),
    card.reward > 0 && mark("reward", `reward ${card.reward} gold`, `+${card.reward} G`));
}

/**
 * A card that lies somewhere: pressing it shows it in full in the panel, buttons below it give commands.
 * `full` prints its text too; `note` says how it stands.
 */
export function face(card, { key, reading, doing = [], full = false, note = null, now, chosen = false }) {
  return el("li", { class: `face-card ${card.kind}${chosen ? " chosen" : ""}` },
    el("button", {
      class: "face", "data-key": `face-${key}`, "aria-pressed": String(reading.is(card.id, key)),
      onclick: () => reading.read(card.id, key), onkeydown: leaving(reading),
    },
    el("span", { class: "name" }, card.unique || card.kind === "champion" ? "★ " : "", card.name),
    el("span", { class: "kind" }, kindOf(card)), marks(card, now)),
    full ? el("p", { class: "text" }, card.text) : null,
    note ? el("p", { class: "note" }, note) : null,
    doing.length ? el("p", { class: "buttons" }, doing) : null);
}

const leaving = (reading) => (happened) => happened.key === "Escape" && reading.close();

export function faceDown() {
  return el("li", { class: "face-card down" }, el("span", { class: "kind" }, "face down"));
}

/** The panel with a card's whole text. */
export function panel(card, parts, { reading, doing }) {
  const rows = [
    ["Kind", kindOf(card) + (card.unique || card.kind === "champion" ? ", unique" : "") + (card.traits?.length ? ` (${card.traits.join(", ")})` : "")],
    card.kind === "champion" && ["Statistics", STATISTICS.map((stat) => `${spaced(stat)} ${card[stat]}`).join(", ")],
    card.health != null && ["Health", card.health],
    card.damage != null && ["Damage", card.damage],
    card.value != null && ["Check", `${spaced(card.statistic)} against ${card.value}`],
    card.gold != null && ["Gold value", card.gold],
    ["Danger value", card.danger],
    card.reward != null && ["Reward gold", card.reward],
    card.needs?.length > 0 && ["Needs in play", card.needs.map((id) => parts.cards.get(id)?.name ?? id).join(", ")],
  ].filter(Boolean);
  return el("section", { class: `inspected panel ${card.kind}`, "aria-label": card.name, "aria-live": "polite", onkeydown: leaving(reading) },
    el("h2", {}, card.name, el("button", { class: "close", "data-key": "close-panel", "aria-label": `Close ${card.name}`, onclick: reading.close }, "×")),
    el("p", { class: "text" }, card.text),
    el("dl", { class: "printed" }, rows.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value))))),
    doing.length ? el("p", { class: "buttons" }, doing) : null);
}

/** What lies where in a view: cards and rooms by their handles. */
export function table(state, parts) {
  const lying = new Map();
  const rooms = new Map();
  for (const player of state.players) {
    for (const one of [...(player.hero_hand ?? []), ...(player.dungeon_hand ?? []), ...player.in_play]) lying.set(one.handle, one);
    if (player.champion) lying.set(player.champion.handle, player.champion);
    for (const room of player.rooms) {
      rooms.set(room.handle, room);
      for (const one of room.cards) lying.set(one.handle, one);
    }
  }
  const card = (handle) => parts.cards.get(lying.get(handle)?.card);
  return {
    lying, rooms, card,
    name: (handle) => (rooms.has(handle) ? roomName(rooms.get(handle)) : card(handle)?.name ?? "a card"),
  };
}

export const roomName = (room) => (room.encounter ? "the random encounter" : `room ${room.handle}`);

/** Buttons for all that can be done with the card of a handle now. */
export function doings({ commands, view }, at, act) {
  const monsters = new Map((view.state.exploration?.monsters ?? []).map((one) => [one.handle, one]));
  const words = {
    play_card: ({ card }) => (at.lying.get(card).cost ? `Play for ${at.lying.get(card).cost} G` : "Play free"),
    sacrifice: ({ card }) => `Sacrifice (${at.card(card).gold} G)`,
    use: ({ target }) => (target ? `Use on ${at.name(target)}` : "Use"),
    possess: () => "Possess",
    lay_card: () => "Lay",
    discard: () => "Discard",
    take_damage: () => "Takes the damage",
    assign_damage: ({ card, points }) => `${points} damage${points === monsters.get(card).health - assigned(view.state, card) ? ": beaten" : ""}`,
  };
  return (handle) => commands.filter((one) => one.card === handle && words[one.type])
    .map((one) => commandButton(one, words[one.type](one), act, one.type === "discard" ? "danger" : null));
}

/** Points of damage given to a monster so far. */
export const assigned = (state, handle) => (state.exploration?.picks ?? []).filter((one) => one === handle).length;
