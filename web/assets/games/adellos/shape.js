/** Where a board's fields lie in a drawing, and the outline each has: worked out from the board's own data. */
const SIZE = 100; // the width of a field

/** `{ width, height, at: field -> [x, y], outline: points around 0, 0 }` of squares or hexagons. */
export function shapeOf({ fields }) {
  const steps = new Set();
  for (const field of fields) {
    for (const other of field.neighbours) steps.add(`${fields[other].x - field.x},${fields[other].y - field.y}`);
  }
  const has = (x, y) => steps.has(`${x},${y}`);
  const slanted = [...steps].some((step) => !step.split(",").includes("0"));
  return slanted ? hexagons(fields, has) : squares(fields);
}

function squares(fields) {
  const half = SIZE / 2 - 2;
  return placed(fields.map(({ x, y }) => [x * SIZE, y * SIZE]), [[-half, -half], [half, -half], [half, half], [-half, half]], true);
}

/** Hexagons with a corner at the top, whichever way their columns are counted. */
function hexagons(fields, has) {
  const row = (SIZE * Math.sqrt(3)) / 2;
  const column = ({ x, y }) => {
    if (has(2, 0) || has(-2, 0)) return x / 2; // every other column
    if (has(1, 1) !== has(1, -1)) return has(1, -1) ? x + y / 2 : x - y / 2; // along two axes
    return x + (y % 2 ? 0.5 : 0); // odd rows are set in
  };
  const radius = SIZE / Math.sqrt(3) - 2;
  const corners = Array.from({ length: 6 }, (_, corner) => {
    const angle = (Math.PI / 3) * corner + Math.PI / 6;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return placed(fields.map((field) => [column(field) * SIZE, field.y * row]), corners, false);
}

function placed(centres, corners, square) {
  const [left, top] = [0, 1].map((axis) => Math.min(...centres.map((centre) => centre[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...centres.map((centre) => centre[axis])));
  const edge = SIZE * (square ? 0.5 : 0.6);
  return {
    square,
    tile: square ? 1 : 0.8, // of its size, so that it fits
    width: right - left + 2 * edge,
    height: bottom - top + 2 * edge,
    at: centres.map(([x, y]) => [x - left + edge, y - top + edge]),
    outline: corners.map((corner) => corner.map((part) => part.toFixed(1)).join(",")).join(" "),
  };
}
