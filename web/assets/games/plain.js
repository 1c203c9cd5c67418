import { el } from "../dom.js";

/** A game the page has no drawing for: its state as it comes. */
export function table(state) {
  return [el("pre", {}, JSON.stringify(state, null, 2))];
}

export function tell() {
  return null;
}
