import { el } from "../../dom.js";
import { priceText, WHEN } from "./components.js";
import { printed, VALUES, valueMark } from "./tile.js";

/** An event card in full, or several alike, with what can be done with it. */
export function cardFace(card, count, ...doing) {
  return el("li", { class: "event-card" },
    el("h3", {}, card.name, count > 1 ? ` × ${count}` : "", el("small", {}, `${card.ap} AP`)),
    el("p", { class: "timing" }, WHEN[card.when] + (card.side === "either" ? "" : `, as ${card.side}`)),
    el("p", {}, card.text), doing.some(Boolean) ? el("p", { class: "buttons" }, doing) : null);
}

/** What is printed on a tile, with the ability's whole text. `costs` is the price as it is now. */
export function kindFace(kind, parts, { costs, tiles, doing = [] } = {}) {
  const ability = kind.ability && parts.abilities.get(kind.ability);
  return el("li", { class: kind.noble ? "kind noble" : "kind" },
    el("h3", {}, kind.noble ? "♛ " : "", kind.name,
      costs && el("small", {}, priceText(costs)), tiles != null && el("small", {}, `${tiles} left`)),
    el("p", { class: "values" }, VALUES.map((value) => valueMark(value, printed(kind, value)))),
    ability && el("p", {}, el("b", {}, ability.name), ` ${ability.text}`),
    doing.length ? el("p", { class: "buttons" }, doing) : null);
}

/** A unit as it stands: its values now and as printed, counters, abilities in full. */
export function unitFace(unit, kind, parts, { where, owner, doing }) {
  return el("section", { class: "inspected", "aria-label": `${kind.name} on ${where}` },
    el("h2", {}, kind.noble ? "♛ " : "", kind.name, el("small", {}, `${kind.noble ? "noble · " : kind.token ? "token · " : ""}${owner} · ${where}`)),
    el("p", { class: "values" }, VALUES.map((value) => valueNow(value, unit[value], printed(kind, value)))),
    unit.counters ? el("p", { class: "note" }, `⧗ ${unit.counters} Time ${unit.counters === 1 ? "Counter" : "Counters"}: `,
      "it can do nothing until they are gone.", unit.keep ? " They stay on it at the end of this turn." : "") : null,
    kind.gold || kind.counters ? el("p", { class: "note" }, `Price ${priceText({ gold: kind.gold, counters: kind.counters })}`) : null,
    unit.abilities.map((held) => abilityText(parts.abilities.get(held.id), held)),
    doing.length ? el("p", { class: "buttons" }, doing) : null);
}

function valueNow(value, now, print) {
  const change = now > print ? "raised" : now < print ? "lowered" : "";
  return el("span", { class: `${value} ${change}` }, valueMark(value, now), ` ${value} `, el("b", {}, String(now)), change ? ` (printed ${print})` : "");
}

export function abilityText(ability, { gold } = {}) {
  const now = gold != null && gold !== ability.gold ? ` Now ${gold} G.` : "";
  return el("p", { class: "ability" }, el("b", {}, ability.name), ` ${ability.text}${now}`);
}
