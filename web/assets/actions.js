import { el } from "./dom.js";
import { spaced } from "./names.js";

const MANY = 12;

/** Every command of a list as a button, those of a kind together. The service said they are legal. */
export function actions(commands, words, act) {
  const kinds = grouped(commands);
  return [...kinds].map(([type, some]) => {
    const buttons = some.map((command) => commandButton(command, words(command) || spaced(type), act));
    if (some.length === 1 && !words(some[0])) return el("p", { class: "buttons" }, buttons);
    const list = el("p", { class: "buttons" }, buttons);
    if (some.length <= MANY) return el("section", {}, el("h3", {}, spaced(type)), list);
    return el("details", { "data-key": `all-${type}` }, el("summary", { "data-key": `summary-${type}` }, `${spaced(type)} (${some.length})`), list);
  });
}

/** A button that gives one command; the focus finds it again by what it commands. */
export function commandButton(command, text, act, kind = null) {
  return el("button", { class: kind, "data-key": JSON.stringify(command), onclick: () => act(command) }, text);
}

/** What is to be decided; marked if the viewer decides. */
export function decisionBox(title, mine, ...content) {
  return el("section", { class: mine ? "decision mine" : "decision" }, el("h2", {}, title), content);
}

function grouped(commands) {
  const kinds = new Map();
  for (const one of commands) kinds.set(one.type, [...(kinds.get(one.type) ?? []), one]);
  return kinds;
}

/** Giving up, asked twice. */
export function resignButton(act) {
  const place = el("p", { class: "buttons resign" });
  const first = () => place.replaceChildren(el("button", { onclick: second }, "Resign …"));
  const second = () => {
    const stay = el("button", { onclick: () => { first(); place.firstChild.focus(); } }, "Play on");
    place.replaceChildren(el("button", { class: "danger", onclick: () => act({ type: "resign" }) }, "Resign now"), stay);
    stay.focus();
  };
  first();
  return place;
}
