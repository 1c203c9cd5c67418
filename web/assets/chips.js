import { el } from "./dom.js";
import { playerName } from "./names.js";

/** A mark for each player in the line that stays in view; `facts(player)` are a few words each, null if out. */
export function playerChips({ view, seat }, players, facts) {
  const chips = players.map((player) => {
    const has = facts(player);
    const deciding = view.to_act.includes(player.seat);
    return el("li", { class: `chip seat-${player.seat}${deciding ? " deciding" : ""}${has ? "" : " out"}` },
      el("span", { class: "mark", "aria-label": `Seat ${player.seat}` }, String(player.seat)),
      el("span", { class: "who" }, player.seat === seat ? "You" : playerName(view, player.seat)),
      el("span", { class: "has" }, (has ?? ["out"]).join(" · ")));
  });
  return el("ul", { class: "chips", "aria-label": "Players" }, chips);
}
