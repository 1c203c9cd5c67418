import { actions } from "../actions.js";
import { el } from "../dom.js";
import { playerName, printedNames, spaced } from "../names.js";

/** A game the page has no drawing for: its state as an outline, and all that can be done as a list. */
export function open(rules, { act }) {
  const names = printedNames(rules.catalogue);
  return {
    draw: ({ view, commands }) => ({
      main: [
        ...actions(commands, (command) => words(command, names), act),
        el("div", { class: "outline" }, outline(view.state, names)),
      ],
    }),
    tell: ({ type, data }, view) => tell(type, data, names, view),
  };
}

const named = (value, names) => names.get(value) ?? (value === true ? "yes" : value === false ? "no" : String(value));

/** A command's fields in words; nothing for one without fields. */
function words(command, names) {
  const fields = Object.entries(command).filter(([name]) => name !== "type");
  if (fields.length === 1) return say(fields[0][1], names);
  return fields.map(([name, value]) => `${names.get(name) ?? spaced(name).toLowerCase()} ${say(value, names)}`).join(", ");
}

function say(value, names) {
  if (Array.isArray(value)) return value.length ? value.map((one) => say(one, names)).join(", ") : "none";
  if (value && typeof value === "object") return words(value, names);
  return named(value, names);
}

function lineOf(value, names) {
  return Object.entries(value).map(([name, item]) => `${names.get(name) ?? spaced(name)} ${item == null ? "–" : say(item, names)}`).join(", ");
}

function tell(type, data, names, view) {
  const { seat, ...rest } = data;
  const who = seat == null ? "" : `${playerName(view, seat)}: `;
  const what = words(rest, names);
  return who + (who ? spaced(type).toLowerCase() : spaced(type)) + (what ? ` (${what})` : "");
}

const flat = (value) => !value || typeof value !== "object" || (Array.isArray(value) && value.every((one) => flat(one)));

const line = (value) => Object.values(value).every((one) => flat(one)); // short enough for a line

function outline(value, names) {
  if (flat(value)) return value == null ? "–" : say(value, names) || "–";
  if (!Array.isArray(value) && value.seat == null && line(value)) return lineOf(value, names);
  if (Array.isArray(value)) return el("ol", {}, ...value.map((one) => el("li", {}, outline(one, names))));
  return el("dl", {}, ...Object.entries(value).flatMap(([name, item]) => [
    el("dt", {}, names.get(name) ?? spaced(name)), el("dd", {}, outline(item, names)),
  ]));
}
