import { svg } from "../../dom.js";
import { fieldName } from "./components.js";
import { shapeOf } from "./shape.js";
import { tile } from "./tile.js";

const TOWER = "M-26 30V-28H-14V-18H-6V-28H6V-18H14V-28H26V-8H18V30H8V14A8 8 0 0 0-8 14V30Z";
const CASTLE = "M-22 20V-14H-12V-6H-5V-14H5V-6H12V-14H22V20Z";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The board as a drawing that can be worked by pointer and keys: Tab leads to it, arrows from field to field,
 * Enter chooses. `marks` says for fields what choosing them does: `{ kind: "move|attack|choose|able", text }`.
 */
export function drawBoard({ board, state, kinds, players, marks, selected, cursor, last, pick, leave }) {
  const shape = shapeOf(board);
  const units = new Map(state.units.map((unit) => [unit.field, unit]));
  const owner = new Map(state.players.map((player) => [player.castle, player.seat]));
  const fields = board.fields.map((field) => {
    const unit = units.get(field.id);
    const mark = marks.get(field.id);
    const classes = ["field"];
    if (field.castle != null) classes.push("castle", owner.has(field.castle) ? `of-${owner.get(field.castle)}` : "unused");
    if (field.tower) classes.push("tower");
    if (mark) classes.push(mark.kind);
    if (selected === field.id) classes.push("selected");
    if (last.has(field.id)) classes.push("last");
    if (state.combat && [state.combat.attacker, state.combat.defender].includes(field.id)) classes.push("fighting");
    const [x, y] = shape.at[field.id];
    return svg("g", {
      class: classes.join(" "), transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, role: "button",
      tabindex: field.id === cursor ? 0 : -1, "data-key": `field-${field.id}`, "data-field": field.id,
      "aria-pressed": selected === field.id ? "true" : null,
      "aria-label": told(field, unit, mark),
      onclick: () => pick(field.id),
    },
    svg("polygon", { class: "ground", points: shape.outline }),
    field.tower ? svg("path", { class: "emblem", d: TOWER }) : null,
    field.castle != null && !unit ? svg("path", { class: "emblem", d: CASTLE }) : null,
    unit ? svg("g", shape.tile === 1 ? {} : { transform: `scale(${shape.tile})` }, tile(unit, kinds.get(unit.kind))) : null,
    svg("polygon", { class: "ring", points: shape.outline }),
    mark?.kind === "move" || (mark?.kind === "choose" && !unit) ? svg("circle", { class: "spot", r: 17 }) : null);
  });

  function told(field, unit, mark) {
    const ground = field.tower ? ", the tower" : field.castle == null ? "" : owner.has(field.castle) ? `, castle of ${players(owner.get(field.castle))}` : "";
    const name = `${fieldName(board, field.id)}${ground}`;
    if (!unit) return `${name}: empty${mark ? `. ${mark.text}` : ""}`;
    const kind = kinds.get(unit.kind);
    const counters = unit.counters ? `, ${unit.counters} Time Counters` : "";
    return `${name}: ${kind.noble ? "noble " : ""}${kind.name} of ${players(unit.seat)}, attack ${unit.attack}, ` +
      `defence ${unit.defence}, movement ${unit.movement}${counters}${mark ? `. ${mark.text}` : ""}`;
  }

  const edge = shape.square ? 26 : 0;
  return svg("svg", {
    class: "board", viewBox: `${-edge} ${-edge} ${(shape.width + edge).toFixed(0)} ${(shape.height + edge).toFixed(0)}`,
    role: "group", "aria-label": `Board: ${board.name}`, onkeydown: keys,
  }, edge ? coordinates(board, shape) : null, fields);

  function keys(pressed) {
    const field = pressed.target.closest("[data-field]");
    if (!field) return;
    const from = Number(field.dataset.field);
    if (ARROWS[pressed.key]) walk(pressed.currentTarget, field, nearest(shape, from, ARROWS[pressed.key]));
    else if (pressed.key === "Enter" || pressed.key === " ") pick(from);
    else if (pressed.key === "Escape") leave();
    else return;
    pressed.preventDefault();
  }
}

function walk(drawing, from, to) {
  if (to == null) return;
  const next = drawing.querySelector(`[data-field="${to}"]`);
  from.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
}

/** The field that lies nearest in a direction. */
function nearest(shape, from, [dx, dy]) {
  const [x, y] = shape.at[from];
  let best = null;
  let least = Infinity;
  shape.at.forEach(([otherX, otherY], field) => {
    const along = (otherX - x) * dx + (otherY - y) * dy;
    const aside = Math.abs((otherX - x) * dy) + Math.abs((otherY - y) * dx);
    if (along > 1 && aside <= along && along + 2 * aside < least) {
      best = field;
      least = along + 2 * aside;
    }
  });
  return best;
}

function coordinates(board, shape) {
  const along = (axis) => new Map(board.fields.map((field) => [field[axis], shape.at[field.id][axis === "x" ? 0 : 1]]));
  const text = (x, y, letters) => svg("text", { class: "coordinate", x, y }, letters);
  return svg("g", { "aria-hidden": "true" },
    [...along("x")].map(([x, at]) => text(at, -7, String.fromCharCode(97 + (x % 26)))),
    [...along("y")].map(([y, at]) => text(-13, at + 7, String(y + 1))));
}
