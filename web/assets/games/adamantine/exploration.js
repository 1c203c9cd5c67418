import { el } from "../../dom.js";
import { playerName, spaced } from "../../names.js";
import { assigned, die, face, plural, roomName } from "./cards.js";

const BEGINS = new Set(["room_explored", "encounter_laid"]);

/** A champion in a room: what lies there, how it stands, and what the dice have shown. */
export function exploration({ view }, parts, at, { doing, reading }) {
  const now = view.state.exploration;
  if (!now) return null;
  const room = at.rooms.get(now.room);
  const explorer = view.state.players[now.explorer];
  const monsters = new Map(now.monsters.map((one) => [one.handle, one]));
  const faces = room.cards.map((laid) => {
    const card = parts.cards.get(laid.card);
    const monster = monsters.get(laid.handle);
    const points = assigned(view.state, laid.handle);
    return face(card, {
      key: laid.handle, reading, now: monster, doing: doing(laid.handle), chosen: now.queue[0] === laid.handle,
      note: monster ? monsterNote(monster, points, now.step) : card.kind === "trap" ? trapNote(card, explorer) : null,
    });
  });
  const changes = now.changes.map(({ amount, statistic }) => `${amount > 0 ? "+" : "−"}${Math.abs(amount)} ${statistic ? spaced(statistic) : "to each statistic"}`);
  const facts = [
    `Danger ${room.danger}, danger level ${explorer.danger_level}`, now.gold > 0 && `${now.gold} reward gold`, ...changes,
    now.shield > 0 && `monsters deal ${now.shield} less`, now.rage > 0 && `monsters deal ${now.rage} more`,
    now.toughness > 0 && `monsters have ${now.toughness} more health`,
  ].filter(Boolean);
  return el("section", { class: "exploring", "aria-label": "Exploration" },
    el("h2", {}, `${playerName(view, now.explorer)}'s champion in ${roomName(room)}`, el("small", {}, STEPS[now.step] ?? "")),
    el("p", { class: "note" }, `${facts.join(" · ")}.`),
    faces.length ? el("ul", { class: "face-cards" }, faces) : el("p", { class: "empty" }, "Everything is beaten."));
}

const STEPS = {
  trimming: "the danger limit", combat: "combat", dividing: "combat", striking: "the monsters strike", reward: "reward",
  checks: "traps",
};

function monsterNote({ damage, to_champion: dealt }, points, step) {
  const given = points ? `${plural(points, "point")} given. ` : "";
  return step === "dividing" || dealt === damage ? given || null : `${given}Deals ${dealt} to the champion.`;
}

function trapNote({ statistic, value }, explorer) {
  return explorer.statistics ? `Die + ${explorer.statistics.check[statistic]} against ${value}` : null;
}

/** What the last command led to, if a die was cast; of an exploration, all since it began. */
export function happened({ view, events }, tell) {
  const last = events.at(-1)?.at;
  const past = view.state.exploration ? events.slice(events.findLastIndex((one) => BEGINS.has(one.type))) : events.filter((one) => one.at === last);
  if (view.status !== "running" || !past.some((one) => one.data.die)) return null;
  const lines = past.map((event) => [event, tell(event, view)]).filter(([, text]) => text);
  return el("section", { class: "happened", "aria-label": "What has just happened" },
    el("h2", {}, view.state.exploration ? "So far" : "Just now"),
    el("ol", {}, lines.map(([event, text]) => el("li", {}, event.data.die ? die(event.data.die) : null, text))));
}
