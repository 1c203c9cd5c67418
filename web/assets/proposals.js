import { post } from "./api.js";
import { el, refill } from "./dom.js";
import { playerName } from "./names.js";

/** Going back by consent: `ask` proposes the version looked at, `node` shows what is proposed and answers it. */
export function proposals(id, token, done) {
  const node = el("div", { class: "proposal", role: "status", tabindex: -1, hidden: true });
  const ask = el("p", { class: "buttons", hidden: true });

  const send = (path, body) => async () => {
    try {
      await post(`/matches/${id}/rewinds${path}`, body, { token: token() });
      done();
    } catch (error) {
      node.hidden = false;
      refill(node, [el("p", { class: "error" }, error.message)]);
    }
  };

  function update({ view, seat, live }) {
    const proposal = live ? view.proposal : null;
    node.hidden = !proposal;
    if (proposal) refill(node, shown(proposal, view, seat));
    ask.hidden = live || seat == null || view.status !== "running" || view.seats.length < 2;
    ask.replaceChildren(el("button", { onclick: send("", { to_version: view.version }) }, "Ask the others to go back to here"));
  }

  function shown(proposal, view, seat) {
    const agreed = proposal.agreed.map((one) => playerName(view, one)).join(", ");
    const text = `${playerName(view, proposal.seat)} asks to go back to version ${proposal.to_version}.`;
    const answer = (agree, word) => el("button", {
      "data-key": word, onclick: send(`/${proposal.version}/consent`, { agree }),
    }, word);
    const mine = seat === proposal.seat;
    const asked = seat != null && seat !== proposal.seat && !proposal.agreed.includes(seat);
    return [
      el("p", {}, text, agreed ? ` Agreed: ${agreed}.` : ""),
      asked && el("p", { class: "buttons" }, answer(true, "Agree"), answer(false, "Decline")),
      mine && el("p", { class: "buttons" }, answer(false, "Take it back")),
    ];
  }

  return { node, ask, update };
}
