import { allGames, game, post } from "./api.js";
import { el } from "./dom.js";
import { spaced } from "./names.js";
import { keepSeat } from "./seats.js";

/** A form that creates a match of any game: its fields are made from what the game says of its options. */
export function newMatch() {
  const which = el("select", { onchange: () => ask() });
  const name = el("input", { required: true, maxlength: 64, autocomplete: "nickname" });
  const watched = el("input", { type: "checkbox", checked: true });
  const fields = el("div", { class: "fields" });
  const note = el("p", { role: "status" });
  const form = el("form", { class: "create", onsubmit: submit },
    el("div", { class: "fields" }, el("label", {}, "Game", which), el("label", {}, "Your name", name)),
    fields,
    el("p", { class: "buttons" }, el("button", { class: "main" }, "Create and sit down")), note);
  let made = null;

  async function ask() {
    const asked = which.value;
    const rules = await game(asked);
    if (which.value !== asked) return; // another game was chosen meanwhile
    made = optionFields(rules);
    const watch = el("label", { class: "check" }, watched, "Anybody may watch");
    const first = made.nodes.filter((node) => node.matches(".seats, .deal"));
    fields.replaceChildren(...first,
      el("details", {}, el("summary", {}, "Options"),
        el("div", { class: "fields" }, watch, ...made.nodes.filter((node) => !first.includes(node)))));
  }

  async function submit(happened) {
    happened.preventDefault();
    note.textContent = "";
    try {
      const wish = { game: which.value, sit: { name: name.value }, spectators: watched.checked, ...made.wish() };
      const { id, seat } = await post("/matches", wish);
      keepSeat(id, seat);
      location.hash = `#/matches/${id}`;
    } catch (error) {
      note.replaceChildren(el("span", { class: "error" }, error.message));
    }
  }

  allGames().then(({ games }) => {
    const several = games.find((one) => one.max_seats > 1);
    which.replaceChildren(...games.map((one) => el("option", { value: one.name, selected: one === several }, one.title)));
    return ask();
  }).catch((error) => { note.textContent = error.message; });
  return el("details", { class: "new" }, el("summary", {}, "New match"), form);
}

const CLOCKS = [
  ["no clock", null],
  ["1 minute a decision", { kind: "move", seconds: 60 }],
  ["5 minutes a decision", { kind: "move", seconds: 300 }],
  ["30 minutes and 10 seconds a decision", { kind: "fischer", seconds: 1800, increment: 10 }],
  ["1 day a decision", { kind: "days", days: 1 }],
  ["3 days a decision", { kind: "days", days: 3 }],
];

/** The fields of a game's creation and how to read them. */
function optionFields(rules) {
  const seats = seatsField(rules);
  const deal = rules.numbered_deals && el("input", { type: "number", min: 1, placeholder: "sealed" });
  const clock = seats.node && el("select", {}, ...CLOCKS.map(([text], place) => el("option", { value: place }, text)));
  const options = rules.options.map((option) => ({ option, ...optionField(option, rules, seats.count) }));
  seats.node?.addEventListener("change", () => options.forEach((one) => one.seats?.(seats.count())));
  return {
    nodes: [
      seats.node && el("label", { class: "seats" }, "Players", seats.node),
      clock && el("label", { class: "seats" }, "Clock", clock),
      deal && el("label", { class: "deal" }, "Deal number", deal),
      ...options.map((one) => one.node),
    ].filter(Boolean),
    wish: () => ({
      ...(seats.node ? { seats: seats.count(), clock: CLOCKS[clock.value][1] } : {}),
      ...(deal && deal.value ? { deal: Number(deal.value) } : {}),
      options: Object.fromEntries(options.map((one) => [one.option.name, one.value()])),
    }),
  };
}

function seatsField({ min_seats: min, max_seats: max }) {
  if (max === 1) return { count: () => 1 };
  const numbers = Array.from({ length: max - min + 1 }, (_, more) => min + more);
  const node = el("select", {}, ...numbers.map((number) => el("option", {}, String(number))));
  return { node, count: () => Number(node.value) };
}

/** One option: a tick, a number, a choice among printed things (`board` among the `boards`), or text. */
function optionField(option, rules, seats) {
  const title = spaced(option.name);
  const help = el("small", {}, option.description);
  const { schema } = option;
  const printed = rules.catalogue.filter((entry) => [option.name, `${option.name}s`].includes(entry.part));
  if (schema.type === "boolean") {
    const box = el("input", { type: "checkbox", checked: option.default });
    return { node: el("label", { class: "check" }, box, title, help), value: () => box.checked };
  }
  if (schema.type === "array" && schema.items.enum) return severalOf(title, help, schema.items.enum);
  if (schema.type === "array" && printed.length) return oneASeat(title, help, printed, seats);
  if (schema.type === "string" && printed.length) {
    const select = el("select", {}, ...printed.map((entry) => el("option", { value: entry.id }, entry.name)));
    return { node: el("label", {}, title, select, help), value: () => select.value };
  }
  const number = [schema, ...(schema.anyOf ?? [])].find((one) => one.type === "integer");
  const input = el("input", number ? { type: "number", min: number.minimum ?? 0, max: number.maximum } : {});
  const read = () => (number ? Number(input.value) : input.value);
  return { node: el("label", {}, title, input, help), value: () => (input.value ? read() : option.default) };
}

function severalOf(title, help, values) {
  const boxes = values.map((value) => el("input", { type: "checkbox", value }));
  const labels = boxes.map((box) => el("label", { class: "check" }, box, spaced(box.value)));
  return {
    node: el("fieldset", {}, el("legend", {}, title), help, ...labels),
    value: () => boxes.filter((box) => box.checked).map((box) => box.value),
  };
}

function oneASeat(title, help, printed, seats) {
  const place = el("div", { class: "fields" });
  const show = (count) => place.replaceChildren(
    ...Array.from({ length: count }, (_, seat) => el("label", {}, `Seat ${seat}`,
      el("select", {}, el("option", { value: "" }, "not chosen"),
        ...printed.map((entry) => el("option", { value: entry.id }, entry.name))))));
  show(seats());
  const value = () => {
    const chosen = [...place.querySelectorAll("select")].map((select) => select.value);
    if (chosen.some(Boolean) && !chosen.every(Boolean)) throw new Error(`${title}: choose for every seat or for none.`);
    return chosen[0] ? chosen : [];
  };
  return { node: el("fieldset", {}, el("legend", {}, title), help, place), value, seats: show };
}
