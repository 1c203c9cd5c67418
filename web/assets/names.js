/** What a player is called; a seat by its number while nobody sits there. */
export function playerName(view, seat) {
  return view.seats[seat]?.name ?? `Seat ${seat}`;
}

/** The printed names by id, wherever in the catalogue they are; of things with one id the last counts. */
export function printedNames(catalogue) {
  const found = new Map();
  const look = (value) => {
    if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === "object") {
      if (value.id != null && value.name) found.set(value.id, value.name);
      Object.values(value).forEach(look);
    }
  };
  look(catalogue);
  return found;
}

/** `an_event_name` as it begins a sentence. */
export function spaced(name) {
  const text = String(name).replaceAll("_", " ");
  return text[0].toUpperCase() + text.slice(1);
}
