import { playerChips } from "../../chips.js";
import { el } from "../../dom.js";
import { playerName } from "../../names.js";
import { abilityText, cardFace, kindFace } from "./faces.js";

/** The line that stays in view: action points, and for each seat gold, cards and the hold of the tower. */
export function standing(moment) {
  const { view } = moment;
  const { state } = view;
  const chips = playerChips(moment, state.players, (player) => (player.alive
    ? [`${player.gold} G`, `${player.hand_count} ${player.hand_count === 1 ? "card" : "cards"}`,
      ...(player.held || player.holding ? [`tower ${player.held}/${state.turns_to_hold}`] : [])]
    : null));
  const ap = state.phase === "turn" && view.status === "running"
    ? el("p", { class: "ap", "aria-label": `${state.ap} action points left` }, el("b", {}, String(state.ap)), " AP") : null;
  return [ap, chips];
}

/** Everything public about each player: noble with ability, cards in front, what is left in the supply. */
export function playersInFull({ view }, parts) {
  const { state } = view;
  return el("details", { class: "players", "data-key": "players" },
    el("summary", { "data-key": "players-summary" }, "Players, nobles and supplies"),
    state.players.map((player) => {
      const noble = parts.kinds.get(player.noble);
      const faction = parts.factions.get(player.faction);
      const tiles = Object.entries(player.supply).map(([id, count]) =>
        kindFace(parts.kinds.get(id), parts, { costs: player.prices[id], tiles: count }));
      return el("section", {},
        el("h3", {}, `${playerName(view, player.seat)}: ${faction?.name ?? "no faction yet"}`),
        noble ? el("p", {}, `♛ ${noble.name}. `) : null,
        noble ? abilityText(parts.abilities.get(noble.ability)) : null,
        player.copied ? abilityText(parts.abilities.get(parts.kinds.get(player.copied).ability)) : null,
        tiles.length ? el("details", { "data-key": `supply-${player.seat}` }, el("summary", { "data-key": `supply-summary-${player.seat}` }, "Supply"), el("ul", { class: "faces" }, tiles)) : null);
    }),
    el("p", { class: "note" }, `${state.deck_count} event cards in the deck. Tokens left: `,
      Object.entries(state.tokens).map(([id, count]) => `${parts.kinds.get(id).name} ${count}`).join(", ")));
}

/** Cards that lie in front of players, in full: they will change those players' next turns. */
export function inFront({ view }, parts) {
  const lying = view.state.players.flatMap((player) => player.front.map((one) =>
    cardFace({ ...parts.cards.get(one.card), name: `${parts.cards.get(one.card).name} → ${playerName(view, player.seat)}` }, 1)));
  return lying.length ? el("section", {}, el("h2", {}, "Lying in front"), el("ul", { class: "faces" }, lying)) : null;
}
