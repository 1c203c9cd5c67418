import { follow, game, get, post } from "./api.js";
import { el, refill } from "./dom.js";
import * as adaman from "./games/adaman.js";
import * as adamantine from "./games/adamantine.js";
import * as adellos from "./games/adellos.js";
import * as plain from "./games/plain.js";
import { about, heading, whose } from "./heading.js";
import { matchLog } from "./log.js";
import { resignButton } from "./actions.js";
import { playerName } from "./names.js";
import { proposals } from "./proposals.js";
import { seatsHere } from "./seats.js";
import { standingOrders } from "./standing-orders.js";
import { sitting } from "./sitting.js";

const drawings = { adaman, adamantine, adellos };

/**
 * One match, live, with a slider over all its versions, to be played from the seats taken in this browser.
 *
 * A game's module has `open(rules, tools)`, which gives `draw(moment)` (what goes in the middle, beside it and
 * in the line that stays in view) and `tell(event, view)` (an event in words). A moment is
 * `{ view, events, commands, seat, live }`; commands are the legal ones the service lists, and no others.
 * It may have `hear(event)`, which gets every event before it is told, and `sideFirst`: what is to be decided is
 * beside the middle, so a narrow page has it above.
 */
export function showMatch(page, id) {
  const aborter = new AbortController();
  const { signal } = aborter;
  let stop = () => {};
  let events = [];
  let drawing = null;
  let moment = null;
  let rules = null;
  let chosen = null; // a version, or null to stay live
  let asked = 0;
  let seat = seatsHere(id).at(-1) ?? null; // who looks; null is a spectator
  const token = () => seat?.token;

  const head = el("div", { class: "head" });
  const bar = el("div", { class: "whose" });
  const problem = el("p", { class: "error", role: "alert" });
  const main = el("div", { class: "middle", tabindex: -1 });
  const side = el("div", { class: "side", tabindex: -1 });
  const foot = el("div", { class: "foot" });
  const sit = sitting(id, (taken) => lookAs(taken));
  const slider = el("input", {
    type: "range", min: 1, max: 1, value: 1, "aria-label": "Version", oninput: () => choose(Number(slider.value)),
  });
  const output = el("output", {});
  const live = el("button", { "aria-pressed": "true", onclick: () => choose(null) }, "Live");
  const log = matchLog((version) => choose(version));
  const asking = proposals(id, token, () => choose(null));
  const orders = standingOrders(id, fail);
  page.append(
    el("div", { class: "match" }, head, bar, problem, sit.node, asking.node,
      el("div", { class: "table" }, main, side,
        el("section", { class: "past" }, el("h2", {}, "Log"),
          el("div", { class: "replay" }, live, slider, output), asking.ask, log.node)),
      foot),
  );

  const newest = () => events.at(-1)?.version ?? 1;

  function choose(version) {
    chosen = version != null && version < newest() ? version : null;
    refresh();
  }

  const refresh = () => draw().catch(fail);

  async function draw() {
    const version = chosen ?? newest();
    slider.max = newest();
    slider.value = version;
    output.textContent = `version ${version} of ${newest()}`;
    live.setAttribute("aria-pressed", String(chosen == null));
    log.mark(version);
    const mine = ++asked;
    const at = chosen == null ? "" : `?at=${chosen}`;
    const [view, legal] = await Promise.all([
      get(`/matches/${id}${at}`, { signal, token: token() }),
      seat && chosen == null ? get(`/matches/${id}/legal-commands`, { signal, token: token() }) : { commands: [] },
    ]);
    if (mine !== asked) return;
    const commands = legal.version === view.version ? legal.commands : [];
    const past = events.filter((event) => event.version <= version);
    moment = { view, commands, events: past, seat: seat?.number ?? null, live: chosen == null };
    if (legal.version && legal.version !== view.version) soon();
    problem.textContent = refusal?.version === view.version ? refusal.message : "";
    show();
  }

  function show() {
    const { view } = moment;
    const drawn = drawing.draw(moment);
    document.title = `${whose(moment).mine ? "● " : ""}${rules.title} · Ledgertop`;
    refill(head, heading(view, rules));
    refill(bar, [...whose(moment).nodes, ...(drawn.bar ?? [])]);
    refill(main, drawn.main);
    refill(side, drawn.side ?? []);
    side.hidden = !side.childNodes.length;
    sit.update(view, seat);
    asking.update(moment);
    orders.update(view, seat);
    refill(foot, [
      about(view, lookingAs(), rules),
      orders.node,
      seat && view.status === "running" && moment.live && el("div", { class: "buttons" }, undoing(), resignButton(act)),
    ]);
  }

  /** Whose eyes the page looks with: a seat taken here, or nobody's. */
  function lookingAs() {
    const seats = seatsHere(id);
    if (!seats.length) return null;
    const select = el("select", {
      "data-key": "looking", onchange: () => lookAs(seats.find((one) => String(one.number) === select.value) ?? null),
    },
    ...seats.map((one) => el("option", { value: one.number, selected: one.number === seat?.number }, `${playerName(moment.view, one.number)} (seat ${one.number})`)),
    el("option", { value: "", selected: !seat }, "Spectator"));
    return el("label", { class: "looking" }, "Looking as ", select);
  }

  function lookAs(other) {
    seat = other;
    load().catch(fail);
  }

  /** Taking the own last action back; whether that is possible, the service says. */
  function undoing() {
    const last = events.filter((event) => event.by?.startsWith("seat:")).at(-1);
    return last?.by === `seat:${seat.number}` && el("button", { "data-key": "undo", onclick: () => send("undo", {}) }, "Undo");
  }

  const act = (command) => send("commands", command);

  let acting = false;
  let refusal = null; // the last, to be read until the match goes on
  async function send(where, body) {
    if (acting || !moment.live) return;
    acting = true;
    try {
      await post(`/matches/${id}/${where}`, { ...body, expected_version: moment.view.version }, { token: token() });
      refusal = null;
    } catch (error) {
      refusal = { version: moment.view.version, message: error.message };
      fail(error);
    } finally {
      acting = false;
    }
    await catchUp();
    refresh();
  }

  function add(event) {
    if (events.length && event.version <= newest()) return;
    events.push(event);
    drawing.hear?.(event);
    log.add(event, (view) => drawing.tell(event, view), moment?.view ?? first);
  }

  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; refresh(); }, 30);
  }

  function fail(error) {
    if (error.name === "AbortError") return;
    problem.textContent = error.message;
    if (error.status === 403 && !moment) sit.offer();
  }

  async function catchUp() {
    for (let after = events.at(-1)?.version ?? 0; after != null; ) {
      const answer = await get(`/matches/${id}/events?after=${after}&limit=1000`, { signal, token: token() });
      answer.events.forEach(add);
      after = answer.next;
    }
  }

  let first = null; // the view the page came with
  async function load() {
    stop();
    first = await get(`/matches/${id}`, { signal, token: token() });
    rules = await game(first.game);
    drawing ??= (drawings[first.game] ?? plain).open(rules, { act, redraw: () => show() });
    if (drawing.sideFirst) main.before(side);
    events = [];
    moment = null;
    log.clear();
    await catchUp();
    await draw();
    if (first.status !== "ended") {
      stop = follow(id, newest(), token(), (event) => { add(event); soon(); });
    }
  }
  load().catch(fail);

  return () => {
    stop();
    aborter.abort();
  };
}
