import { actions } from "../actions.js";
import { el, icon } from "../dom.js";

const SUITS = {
  moons: ["M", "M10.5 1.5A6.8 6.8 0 1 0 14.6 11 5.6 5.6 0 0 1 10.5 1.5Z"],
  suns: ["S", "M8 4.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM7.3 0h1.4v3H7.3ZM7.3 13h1.4v3H7.3ZM0 7.3h3v1.4H0ZM13 7.3h3v1.4h-3ZM2 3l1-1 2.2 2.2-1 1ZM10.8 11.8l1-1L14 13l-1 1ZM13 2l1 1-2.2 2.2-1-1ZM4.2 10.8l1 1L3 14l-1-1Z"],
  waves: ["W", "M0 5.5C2 2.5 4 2.5 6 4.5S10 7 12 4.5 15 3 16 3.5V6c-1-.5-2-.5-3 .7-2.2 2.5-5 2.3-7 .2S3 6 1.5 8L0 8ZM0 11.5c2-3 4-3 6-1s4 2.5 6 0 3-1.5 4-1v2.5c-1-.5-2-.5-3 .7-2.2 2.5-5 2.3-7 .2s-3-.9-4.5 1.1L0 14Z"],
  leaves: ["L", "M14.5 1.5C6 1.5 1.5 5.5 2.5 11.7L1 14.5l1.2.8 1.6-2.5C10.5 14 14.5 9.5 14.5 1.5ZM4.5 11.5 11 5l-5.2 7Z"],
  wyrms: ["Y", "M2 2c6-1.5 10 1 10 4 0 2.5-2.5 3-4.5 3S5 9.7 5 10.7 6.5 12.5 9 12.5s3.5-1 4.5-2.5c.5 3-1.5 5.5-5 5.5S2 14 2 11s2.5-4.3 5-4.3S9.3 6 9.3 5.5C9.3 4.5 7 4 5 4.5L2.5 6.5Z"],
  knots: ["K", "M8 0l3 3-3 3-3-3ZM8 10l3 3-3 3-3-3ZM0 8l3-3 3 3-3 3ZM10 8l3-3 3 3-3 3Z"],
};

function names(rules) {
  return new Map(rules.catalogue.map((card) => [card.id, card]));
}

function face(card, { fresh = false, small = false } = {}) {
  const personality = card.types.includes("personality");
  const kinds = ["card", personality ? "personality" : "", fresh ? "new" : "", small ? "small" : ""];
  const suits = el("span", { class: "suits" });
  for (const suit of card.suits) {
    const [letter, path] = SUITS[suit.toLowerCase()];
    suits.append(el("span", { class: "suit", title: suit }, icon(path), letter));
  }
  return el(
    "li",
    { class: kinds.filter(Boolean).join(" "), title: personality ? "personality" : null },
    el("span", { class: "rank" }, card.rank == null ? "" : shortRank(String(card.rank))),
    suits,
    el("span", { class: "name" }, personality ? `★ ${card.name}` : card.name),
  );
}

function shortRank(rank) {
  return { Ace: "A", Crown: "Cr", Pawn: "Pn", Court: "Ct" }[rank] ?? rank;
}

function row(title, note, ids, cards, fresh, small = false) {
  const list = el("ul", { class: small ? "cards low" : "cards" });
  for (const id of ids) list.append(face(cards.get(id), { fresh: fresh.has(id), small }));
  if (!ids.length) list.append(el("li", { class: "empty" }, "empty"));
  return el("section", { class: "row" }, el("h2", {}, title, el("small", {}, note)), list);
}

/** Adaman on the page: the rows, and what can be done as a list. */
export function open(rules, { act }) {
  const cards = names(rules);
  const name = (id) => cards.get(id)?.name ?? id;
  const words = ({ target, payment, card }) =>
    target ? `${name(target)} with ${payment.map(name).join(", ")}` : card ? name(card) : "";
  return {
    draw: ({ view, events, commands }) => ({
      main: table(view.state, rules, events),
      side: actions(commands, words, act),
    }),
    tell: (event) => tell(event, rules),
  };
}

/** The rows of a match, with the cards turned up last marked. */
function table(state, rules, events) {
  const cards = names(rules);
  const last = events.at(-1)?.type === "cards_dealt" ? events.at(-1).data.dealt.map((dealt) => dealt.card) : [];
  const fresh = new Set(last);
  const parts = [
    row("Palace", `${state.palace.length} of 5, a sixth ends the game`, state.palace, cards, fresh),
    row("Capital", "", state.capital, cards, fresh),
    row("Resources", "", state.resources, cards, fresh),
    row("Discard", `${state.discard.length} cards · ${state.deck_count} left in the deck`, state.discard, cards, fresh, true),
  ];
  if (state.pending) parts.unshift(el("p", { role: "status" }, "The Excuse was turned up: a card has to be chosen."));
  return parts;
}

/** An event of the game in words. */
function tell({ type, data }, rules) {
  const cards = names(rules);
  const name = (id) => cards.get(id)?.name ?? id;
  switch (type) {
    case "deck_shuffled": return `Deck of ${data.cards} shuffled (draw ${data.draw})`;
    case "cards_dealt": return dealt(data.dealt, name);
    case "card_controlled": return `${name(data.target)} controlled with ${data.payment.map(name).join(", ")}`;
    case "excuse_turned_up": return `The Excuse turned up in the ${data.row}`;
    case "excuse_resolved": return `${name(data.card)} moves to the ${data.to}`;
    case "excuse_discarded": return "The Excuse is discarded";
    default: return null;
  }
}

/** What was turned up, row by row in the order the rows were dealt to. */
function dealt(cards, name) {
  const rows = new Map();
  for (const { card, row } of cards) rows.set(row, [...(rows.get(row) ?? []), name(card)]);
  return [...rows].map(([row, names]) => `Dealt to the ${row}: ${names.join(", ")}`).join(". ");
}
