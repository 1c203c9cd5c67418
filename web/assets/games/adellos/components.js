/** The printed components by id, and how fields are named. */
export function components(catalogue) {
  const part = (name) => catalogue.filter((entry) => entry.part === name);
  const byId = (entries) => new Map(entries.map((entry) => [entry.id, entry]));
  const kinds = [
    ...part("factions").flatMap((faction) => faction.units.map((unit) => ({ ...unit, faction: faction.id }))),
    ...part("nobles").map((noble) => ({ ...noble, noble: true })),
    ...part("tokens").map((token) => ({ ...token, token: true })),
  ];
  return {
    kinds: byId(kinds),
    factions: byId(part("factions")),
    abilities: byId(part("abilities")),
    cards: byId(part("cards")),
    boards: byId(part("boards")),
  };
}

/** A field as letter and number, `e5`, counted on the board played on. */
export function fieldName(board, id) {
  const field = board.fields[id];
  return field ? `${String.fromCharCode(97 + (field.x % 26))}${field.y + 1}` : String(id);
}

/** A name short enough for a tile: four letters, of two words two each. */
export function shortName(name) {
  const words = name.split(/[\s-]+/);
  return words.length > 1 ? words[0].slice(0, 2) + words[1].slice(0, 2) : name.slice(0, 4);
}

/** What a unit costs to hire: gold, or Time Counters. */
export function priceText({ gold, counters }) {
  if (gold) return `${gold} G`;
  return counters ? `${counters} Time ${counters === 1 ? "Counter" : "Counters"}` : "free";
}

export const WHEN = { own_turn: "in your turn", combat: "in combat", next_turn: "on an opponent's next turn" };
