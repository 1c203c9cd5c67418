/** Build an element: `el("p", { class: "x" }, "text", child)`. Text is never parsed as markup. */
export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** A drawing from path data in a 16 × 16 box. */
export function icon(path) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(space, "path");
  shape.setAttribute("d", path);
  shape.setAttribute("fill", "currentColor");
  shape.setAttribute("fill-rule", "evenodd");
  svg.append(shape);
  return svg;
}

export function when(microseconds) {
  return new Date(microseconds / 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
