import { el, when } from "./dom.js";
import { clockText, result } from "./log.js";
import { playerName } from "./names.js";

/** What the match is and how it stands. */
export function heading(view, rules) {
  const state = view.outcome?.result ?? view.status;
  const facts = view.seats.length > 1 ? [] : factsOf(view);
  return [
    el("h1", {}, `${rules.title}: `, el("span", { class: `status ${state}` }, state.replaceAll("_", " "))),
    facts.length ? el("p", { class: "facts" }, ...facts) : null,
  ];
}

/** What is known of the match, for games that need the room above for the board. */
export function about(view, looking, rules) {
  const options = Object.entries(view.options ?? {}).filter(([name, value]) =>
    JSON.stringify(value) !== JSON.stringify(rules.options.find((one) => one.name === name)?.default));
  return el("div", {},
    view.seats.length > 1
      ? el("details", { class: "about", "data-key": "about" }, el("summary", { "data-key": "about-summary" }, "About this match"), el("p", { class: "facts" }, ...factsOf(view),
          ...options.map(([name, value]) => fact(name.replaceAll("_", " "), value === true ? "on" : String(value)))))
      : null,
    looking);
}

const fact = (name, value) => el("span", {}, `${name} `, el("b", {}, value));

function factsOf(view) {
  const who = view.seats.map((seat) => seat.name ?? (seat.kind === "open" ? "open seat" : "a player")).join(", ");
  return [
    fact(view.seats.length > 1 ? "Players" : "Player", who),
    view.deal ? fact("Deal", String(view.deal)) : fact("Sealed as", `${view.commitment.slice(0, 12)}…`),
    view.outcome?.score == null ? null : fact("Score", String(view.outcome.score)),
    view.clock ? fact("Clock", clockText(view.clock)) : null,
    view.rewound ? fact("Marked", "rewound") : null,
    view.origin ? el("span", {}, "Forked from ", el("a", { href: `#/matches/${view.origin.match}` }, `version ${view.origin.version}`)) : null,
    fact("Last event", when(view.updated_at)),
  ].filter(Boolean);
}

/** Whose decision it is and until when: in view all the time. */
export function whose({ view, seat, live }) {
  const mine = live && seat != null && view.to_act.includes(seat);
  const others = view.to_act.map((one) => playerName(view, one)).join(", ");
  const open = view.seats.filter((one) => one.kind === "open").length;
  let text = view.status === "running" ? "The service goes on …" : "";
  if (!live && view.status === "running") text = others ? `${others} decided next` : "Then";
  else if (mine) text = "Your decision";
  else if (others) text = `${others} decides`;
  else if (view.status === "open") text = `Waiting for ${open} more ${open === 1 ? "player" : "players"}`;
  else if (view.outcome) text = `The end: ${result(view.outcome, view)}`;
  if (view.seats.length === 1 && !view.outcome) return { mine: false, nodes: [] };
  return { mine, nodes: [el("p", { class: mine ? "decides mine" : "decides", role: "status" }, text), live && view.status === "running" && countdown(view)] };
}

/** The time left to whoever decides, counting down by itself while it is in the page, and what the others have. */
function countdown(view) {
  const { clock } = view;
  if (clock?.deadline == null) return null;
  const text = el("b", {});
  const node = el("span", { class: "clock", role: "timer", "aria-label": "Time left" }, text);
  if (clock.kind === "fischer") {
    const others = clock.remaining.flatMap((left, seat) => (clock.awaited.includes(seat) ? [] : `${playerName(view, seat)} ${duration(left / 1e6)}`));
    node.append(el("small", {}, ` (${others.join(", ")})`));
  }
  const tick = () => {
    const left = Math.max(0, (clock.deadline / 1000 - Date.now()) / 1000);
    text.textContent = duration(left);
    node.classList.toggle("short", left <= 10);
  };
  tick();
  const timer = setInterval(() => (node.isConnected ? tick() : clearInterval(timer)), 1000);
  return node;
}

function duration(seconds) {
  const whole = Math.round(seconds);
  if (whole >= 86400) return `${Math.floor(whole / 86400)} d ${Math.floor((whole % 86400) / 3600)} h`;
  if (whole >= 3600) return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
