/** Build an element: `el("p", { class: "x" }, "text", child)`. Text is never parsed as markup. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for a part of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return node;
}

/** A drawing from path data in a 16 × 16 box. */
export function icon(path) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: path, fill: "currentColor", "fill-rule": "evenodd" }));
}

/**
 * Replace what `parent` holds. Who had the focus has it again if there still is something with the same
 * `data-key`, and else `parent` itself; `details` with a `data-key` stay open or closed.
 */
export function refill(parent, nodes) {
  const active = document.activeElement;
  const within = parent.contains(active) && active !== parent;
  const key = active?.dataset?.key;
  const unfolded = new Map([...parent.querySelectorAll("details[data-key]")].map((one) => [one.dataset.key, one.open]));
  parent.replaceChildren(...nodes.filter((node) => node != null && node !== false));
  for (const one of parent.querySelectorAll("details[data-key]")) one.open = unfolded.get(one.dataset.key) ?? one.open;
  if (!within) return;
  const again = key && parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (again || parent).focus({ preventScroll: true });
}

export function when(microseconds) {
  return new Date(microseconds / 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
