import { follow, game, get } from "./api.js";
import { el, when } from "./dom.js";
import * as adaman from "./games/adaman.js";
import * as plain from "./games/plain.js";

const drawings = { adaman };

/** One match, live, with a slider over all its versions. Returns how to leave it. */
export function showMatch(page, id) {
  const aborter = new AbortController();
  const events = [];
  let stop = () => {};
  let rules = null;
  let chosen = null; // a version, or null to stay live
  let asked = 0;

  const head = el("div", { class: "head" });
  const table = el("div");
  const slider = el("input", {
    type: "range", min: 1, max: 1, value: 1, "aria-label": "Version", oninput: () => choose(Number(slider.value)),
  });
  const output = el("output", {});
  const live = el("button", { "aria-pressed": "true", onclick: () => choose(null) }, "Live");
  const log = el("ol");
  const logBox = el("div", { class: "log", tabindex: 0, role: "log", "aria-label": "Events" }, log);
  page.append(
    el("div", { class: "match" }, head, el("div", { class: "replay" }, live, slider, output), table,
      el("section", {}, el("h2", {}, "Log"), logBox)),
  );

  const head_version = () => events.at(-1)?.version ?? 1;

  function choose(version) {
    chosen = version != null && version < head_version() ? version : null;
    draw();
  }

  async function draw() {
    const version = chosen ?? head_version();
    slider.max = head_version();
    slider.value = version;
    output.textContent = `version ${version} of ${head_version()}`;
    live.setAttribute("aria-pressed", String(chosen == null));
    for (const row of log.children) row.classList.toggle("current", Number(row.dataset.version) === version);
    const mine = ++asked;
    const view = await get(`/matches/${id}${chosen == null ? "" : `?at=${chosen}`}`, { signal: aborter.signal });
    if (mine !== asked) return;
    const drawing = drawings[view.game] ?? plain;
    head.replaceChildren(...heading(view, rules));
    table.replaceChildren(...drawing.table(view.state, rules, events.filter((event) => event.version <= version)));
  }

  function add(event) {
    if (event.version <= head_version() && events.length) return;
    events.push(event);
    const drawing = drawings[rules.name] ?? plain;
    const atEnd = logBox.scrollTop + logBox.clientHeight >= logBox.scrollHeight - 8;
    log.append(
      el("li", { "data-version": event.version },
        el("span", { class: "version" }, String(event.version)),
        el("button", { onclick: () => choose(event.version) }, tell(event, drawing, rules))),
    );
    if (atEnd) logBox.scrollTop = logBox.scrollHeight;
  }

  let waiting = false;
  function soon() {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; draw().catch(fail); }, 30);
  }

  function fail(error) {
    if (error.name !== "AbortError") head.replaceChildren(el("p", { class: "error", role: "alert" }, error.message));
  }

  (async () => {
    const view = await get(`/matches/${id}`, { signal: aborter.signal });
    rules = await game(view.game);
    document.title = `${rules.title} · Ledgertop`;
    for (let after = 0; after != null; ) {
      const answer = await get(`/matches/${id}/events?after=${after}&limit=1000`, { signal: aborter.signal });
      answer.events.forEach(add);
      after = answer.next;
    }
    await draw();
    if (view.status !== "ended") stop = follow(id, head_version(), (event) => { add(event); soon(); });
  })().catch(fail);

  return () => {
    stop();
    aborter.abort();
  };
}

function heading(view, rules) {
  const result = view.outcome?.result ?? view.status;
  const who = view.seats.map((seat) => seat.name ?? (seat.kind === "open" ? "open seat" : "a player")).join(", ");
  const fact = (name, value) => el("span", {}, `${name} `, el("b", {}, value));
  const facts = [
    fact("Player", who),
    view.deal ? fact("Deal", String(view.deal)) : fact("Sealed as", `${view.commitment.slice(0, 12)}…`),
    view.outcome?.score == null ? null : fact("Score", String(view.outcome.score)),
    view.rewound ? fact("Marked", "rewound") : null,
    view.origin ? el("span", {}, "Forked from ", el("a", { href: `#/matches/${view.origin.match}` }, `version ${view.origin.version}`)) : null,
    fact("Last event", when(view.updated_at)),
  ];
  return [
    el("h1", {}, `${rules.title}: `, el("span", { class: `status ${result}` }, result.replace("_", " "))),
    el("p", { class: "facts" }, ...facts),
  ];
}

function tell(event, drawing, rules) {
  const { type, data } = event;
  switch (type) {
    case "created": return data.origin ? `Forked from version ${data.origin.version} of another match` : "Match created";
    case "seat_taken": return `Seat ${data.seat} taken`;
    case "started": return "Play begins";
    case "rewound": return data.undo ? `Undone, back to version ${data.to_version}` : `Rewound to version ${data.to_version}`;
    case "forked": return `Forked at version ${data.at_version}`;
    case "ended": return `The end: ${data.outcome.result.replace("_", " ")}${data.outcome.score == null ? "" : `, score ${data.outcome.score}`}`;
    case "seed_revealed": return `Seed revealed: ${data.seed.slice(0, 12)}…`;
    default: return drawing.tell(event, rules) ?? type.replaceAll("_", " ");
  }
}
