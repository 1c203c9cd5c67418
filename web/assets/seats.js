/** The seats taken in this browser. A seat's token is given once, so it is kept until it is of no more use. */
const KEY = "ledgertop.seats";
let unsaved = {}; // where the browser keeps nothing, at least until the page is closed

function all() {
  try {
    return { ...JSON.parse(localStorage.getItem(KEY)), ...unsaved };
  } catch {
    return unsaved;
  }
}

/** `[{ number, token }]` of a match, the one taken last at the end. */
export function seatsHere(match) {
  return all()[match] ?? [];
}

export function keepSeat(match, { number, token }) {
  const others = seatsHere(match).filter((seat) => seat.number !== number);
  const seats = [...others, { number, token }];
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [match]: seats }));
  } catch {
    unsaved = { ...unsaved, [match]: seats };
  }
}
