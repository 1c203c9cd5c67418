/** The seats taken in this browser. A seat's token is given once, so it is kept until it is of no more use. */
const KEY = "ledgertop.seats";

function all() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** `[{ number, token }]` of a match, the one taken last at the end. */
export function seatsHere(match) {
  return all()[match] ?? [];
}

export function keepSeat(match, { number, token }) {
  const others = seatsHere(match).filter((seat) => seat.number !== number);
  localStorage.setItem(KEY, JSON.stringify({ ...all(), [match]: [...others, { number, token }] }));
}
