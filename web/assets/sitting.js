import { post } from "./api.js";
import { el } from "./dom.js";
import { keepSeat } from "./seats.js";

/** The form with which a seat of an open match is taken; `onSeat` gets the seat. */
export function sitting(id, onSeat) {
  const name = el("input", { required: true, maxlength: 64, autocomplete: "nickname" });
  const which = el("select", {});
  const note = el("p", { role: "status" });
  const form = el("form", { class: "fields sit", onsubmit: submit },
    el("label", {}, "Your name", name), el("label", {}, "Seat", which), el("button", { class: "main" }, "Sit down"), note);
  const node = el("div", { hidden: true }, form, el("p", {}, "Others join at this page's address."));

  async function submit(happened) {
    happened.preventDefault();
    try {
      const { seat } = await post(`/matches/${id}/seats`, { name: name.value, ...(which.value ? { seat: Number(which.value) } : {}) });
      keepSeat(id, seat);
      node.hidden = true;
      onSeat(seat);
    } catch (error) {
      note.replaceChildren(el("span", { class: "error" }, error.message));
    }
  }

  return {
    node,
    /** Offer a seat of a match that only those who sit there may see. */
    offer() {
      node.hidden = false;
    },
    update(view, seat) {
      node.hidden = view.status !== "open";
      form.hidden = seat != null;
      const open = view.seats.filter((one) => one.kind === "open").map((one) => String(one.number));
      if (open.join() === [...which.options].map((option) => option.value).join()) return;
      which.replaceChildren(...open.map((number) => el("option", { value: number }, `Seat ${number}`)));
    },
  };
}
