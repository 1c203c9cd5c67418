import { get, put } from "./api.js";
import { el } from "./dom.js";

/** A seat's answer given beforehand: a tick that the service keeps and nobody else sees. */
export function standingOrders(id, onError) {
  const box = el("input", { type: "checkbox", onchange: () => change().catch(onError) });
  const node = el("label", { class: "check", hidden: true }, box, "Always pass when I am asked for an answer, as in a combat");
  let token = null;

  const path = `/matches/${id}/standing-orders`;
  const change = () => put(path, { always_pass: box.checked }, { token });

  return {
    node,
    /** For whoever holds `seat` of a match that runs among several. */
    update(view, seat) {
      node.hidden = !seat || view.seats.length < 2 || view.status !== "running";
      if (node.hidden || token === seat.token) return;
      ({ token } = seat);
      get(path, { token }).then((orders) => { box.checked = orders.always_pass; }).catch(onError);
    },
  };
}
