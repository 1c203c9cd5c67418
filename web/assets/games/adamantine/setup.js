import { commandButton } from "../../actions.js";
import { el } from "../../dom.js";
import { face } from "./cards.js";

/** Ready decks, or lists of one's own; what is pasted stays in the box while the page is drawn anew. */
export function deckChoice(parts, act) {
  const lists = el("textarea", { rows: 8, spellcheck: "false", "data-key": "own-deck", "aria-describedby": "own-deck-form" });
  const fault = el("p", { class: "error", role: "alert" });
  const form = el("form", { onsubmit: bring },
    el("label", {}, "Hero cards and dungeon cards by their ids, as JSON", lists),
    el("p", { class: "note", id: "own-deck-form" }, "As in ", el("code", {}, '{"hero": {"fighter": 4, …}, "dungeon": {"goblin": 4, …}}'), ". The other player never sees it."),
    fault, el("p", { class: "buttons" }, el("button", { "data-key": "bring-own", class: "main" }, "Bring this deck"),
      [...parts.decks.values()].map((deck) => el("button", { type: "button", "data-key": `copy-${deck.id}`, onclick: () => copy(deck) }, `Start from ${deck.name}`))));

  function copy({ hero, dungeon }) {
    lists.value = JSON.stringify({ hero, dungeon }, null, 1);
    fault.textContent = "";
  }

  function bring(happened) {
    happened.preventDefault();
    fault.textContent = "";
    try {
      act({ type: "bring_deck", cards: JSON.parse(lists.value) });
    } catch {
      fault.textContent = "That is no JSON.";
    }
  }

  return (commands) => [
    el("ul", { class: "faces decks" }, commands.map((command) => deckFace(parts.decks.get(command.deck), parts, commandButton(command, "Bring it", act, "main")))),
    el("details", { "data-key": "own-deck-box" }, el("summary", { "data-key": "own-deck-summary" }, "Bring a deck of your own"), form),
  ];
}

function deckFace(deck, parts, button) {
  const list = (counts) => Object.entries(counts).map(([id, count]) => `${count} ${parts.cards.get(id)?.name ?? id}`).join(", ");
  return el("li", {}, el("h3", {}, deck.name), el("p", {}, deck.text),
    el("details", { "data-key": `deck-${deck.id}` }, el("summary", { "data-key": `deck-summary-${deck.id}` }, "Cards"),
      el("p", {}, el("b", {}, "Heroes: "), list(deck.hero)), el("p", {}, el("b", {}, "Dungeon: "), list(deck.dungeon))),
    el("p", { class: "buttons" }, button));
}

/** Champions or classes to choose from, each in full. */
export function cardChoice(commands, field, parts, reading, act) {
  return el("ul", { class: "face-cards full" }, commands.map((command) => {
    const card = parts.cards.get(command[field]);
    const note = card.kind === "champion" ? `Might ${card.might} · Agility ${card.agility} · Wits ${card.wits} · Will ${card.will}` : null;
    return face(card, { key: card.id, reading, full: true, note, doing: [commandButton(command, "Choose", act, "main")] });
  }));
}
