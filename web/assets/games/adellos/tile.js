import { svg } from "../../dom.js";
import { shortName } from "./components.js";

// Around 0, 0: a noble is a crown, a unit a square tile, a token has its corners cut off.
const OUTLINES = {
  noble: "M-43 44V-49L-21-30 0-50 21-30 43-49V44Z",
  unit: "M-36-42H36A6 6 0 0 1 42-36V36A6 6 0 0 1 36 42H-36A6 6 0 0 1-42 36V-36A6 6 0 0 1-36-42Z",
  token: "M-24-42H24L42-24V24L24 42H-24L-42 24V-24Z",
};
const BANDS = {
  noble: "M-43-2V-49L-21-30 0-50 21-30 43-49V-2Z",
  unit: "M-42-4V-36A6 6 0 0 1-36-42H36A6 6 0 0 1 42-36V-4Z",
  token: "M-42-4V-24L-24-42H24L42-24V-4Z",
};
const PLATES = {
  attack: "M-13-3 0-18 13-3V16H-13Z", // a point
  defence: "M-13-15H13V3C13 10 6 15 0 18-6 15-13 10-13 3Z", // a shield
  movement: "M0-14A14.5 15 0 1 1-.1-14Z",
};
const HOURGLASS = "M-7-8H7L1.5 0 7 8H-7L-1.5 0Z";

/** The values a tile shows, in their order. */
export const VALUES = ["attack", "defence", "movement"];

/** A unit as a tile: name and seat in the band, its values as they are now below; what is changed is marked. */
export function tile(unit, kind) {
  const form = kind.noble ? "noble" : kind.token ? "token" : "unit";
  const able = unit.counters === 0;
  return svg("g", { class: `tile ${form} seat-${unit.seat}${able ? "" : " waiting"}` },
    svg("path", { class: "face", d: OUTLINES[form] }),
    svg("path", { class: "band", d: BANDS[form] }),
    svg("text", { class: "seat", x: kind.noble ? 0 : -34, y: -28 }, String(unit.seat)),
    svg("text", { class: "name", y: -8 }, shortName(kind.name)),
    VALUES.map((value, place) => plate(value, unit[value], printed(kind, value), (place - 1) * 27 - 0.5)),
    able ? null : counters(unit.counters, unit.keep));
}

export function printed(kind, value) {
  return value === "movement" ? kind.move : kind[value];
}

function plate(value, now, print, x, y = 20) {
  const change = Math.sign(now - print);
  const mark = { "-1": "M-7 19H7L0 26Z", 1: "M-7-15H7L0-22Z" }[change];
  return svg("g", { class: `plate ${value}${change > 0 ? " raised" : change < 0 ? " lowered" : ""}`, transform: `translate(${x} ${y})` },
    svg("path", { d: PLATES[value] }),
    svg("text", { y: 9 }, String(now)),
    mark ? svg("path", { class: "change", d: mark }) : null);
}

/** One value as on a tile, in a line of text. */
export function valueMark(value, points) {
  return svg("svg", { class: "value-mark", viewBox: "-15 -19 30 38", role: "img", "aria-label": `${value} ${points}` },
    plate(value, points, points, 0, 0));
}

function counters(count, kept) {
  return svg("g", { class: kept ? "counters kept" : "counters", transform: "translate(22 -41)" },
    svg("rect", { x: -22, y: -12, width: 44, height: 25, rx: 12 }),
    svg("path", { d: HOURGLASS, transform: "translate(-10 0)" }),
    svg("text", { x: 8, y: 8 }, String(count)));
}
