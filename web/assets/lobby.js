import { allGames, get } from "./api.js";
import { newMatch } from "./create.js";
import { el, when } from "./dom.js";
import { seatsHere } from "./seats.js";

const REFRESH = 3000; // ms

/** The list of matches, kept up to date. Returns how to leave it. */
export function showLobby(page) {
  document.title = "Ledgertop";
  const aborter = new AbortController();
  const list = el("ul", { class: "matches" });
  const note = el("p", { class: "notice", role: "status" }, "Loading …");
  const more = el("button", { hidden: true, onclick: () => load(true) }, "Older matches");
  const status = el(
    "select",
    { onchange: () => load() },
    ...[["", "all"], ["running", "running"], ["open", "open"], ["ended", "ended"]].map(([value, text]) =>
      el("option", { value }, text),
    ),
  );
  page.append(newMatch(), el("h1", {}, "Matches"), el("div", { class: "bar" }, el("label", {}, "Show", status)), list, note, more);

  const titles = new Map();
  let cursor = null;
  let shown = [];

  async function load(older = false) {
    const query = new URLSearchParams({ limit: "30" });
    if (status.value) query.set("status", status.value);
    if (older && cursor) query.set("cursor", cursor);
    try {
      const answer = await get(`/matches?${query}`, { signal: aborter.signal });
      if (older || shown.length <= 30) cursor = answer.next;
      const fresh = answer.matches;
      const ids = new Set(fresh.map((match) => match.id));
      const rest = shown.filter((match) => !ids.has(match.id));
      if (older) shown = [...rest, ...fresh];
      else if (shown.length > 30 && shown[0].wanted === status.value) shown = [...fresh, ...rest];
      else shown = fresh;
      for (const match of shown) match.wanted = status.value;
      draw();
    } catch (error) {
      if (error.name !== "AbortError") note.replaceChildren(el("span", { class: "error" }, error.message));
    }
  }

  function draw() {
    list.replaceChildren(...shown.map((match) => item(match, titles)));
    note.textContent = shown.length ? "" : "No match yet.";
    more.hidden = !cursor;
  }

  allGames().then((answer) => {
    for (const game of answer.games) titles.set(game.name, game.title);
    draw();
  });
  load();
  const timer = setInterval(() => document.visibilityState === "visible" && load(), REFRESH);
  return () => {
    clearInterval(timer);
    aborter.abort();
  };
}

function item(match, titles) {
  const result = match.outcome?.result ?? match.status;
  const score = match.outcome?.score;
  const open = Array(match.seats - match.players.length).fill("open seat");
  const who = [...match.players.map((player) => player.name ?? "a player"), ...open].join(", ");
  const deal = match.deal ? `deal ${match.deal}` : "sealed";
  return el(
    "li",
    {},
    el(
      "a",
      { href: `#/matches/${match.id}` },
      el("span", {}, `${titles.get(match.game) ?? match.game} · ${who}`),
      el("span", { class: `status ${result}` }, result.replace("_", " ") + (score == null ? "" : ` · ${score}`)),
      el("span", { class: "detail" }, `${deal} · version ${match.version}${match.ranked ? "" : " · unranked"}${seatsHere(match.id).length ? " · your seat" : ""}`),
      el("span", { class: "when" }, when(match.updated_at)),
    ),
  );
}
