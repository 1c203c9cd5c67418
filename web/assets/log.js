import { el } from "./dom.js";
import { playerName, spaced } from "./names.js";

/** The list of a match's events in words; choosing one leads to its version. */
export function matchLog(choose) {
  const list = el("ol");
  const node = el("div", { class: "log", tabindex: 0, role: "log", "aria-label": "Events" }, list);
  return {
    node,
    clear: () => list.replaceChildren(),
    add(event, tell, view) {
      const text = kernelTells(event, view) ?? tell(view) ?? spaced(event.type);
      if (!text) return;
      const atEnd = node.scrollTop + node.clientHeight >= node.scrollHeight - 8;
      list.append(
        el("li", { "data-version": event.version },
          el("span", { class: "version" }, String(event.version)),
          el("button", { onclick: () => choose(event.version) }, text)),
      );
      if (atEnd) node.scrollTop = node.scrollHeight;
    },
    mark(version) {
      for (const row of list.children) row.classList.toggle("current", Number(row.dataset.version) === version);
    },
  };
}

/** What happens in any game, in words. */
function kernelTells({ type, data }, view) {
  switch (type) {
    case "created": return data.origin ? `Forked from version ${data.origin.version} of another match` : "Match created";
    case "seat_taken": {
      const { name } = view.seats[data.seat];
      return name && view.seats.length > 1 ? `${name} takes seat ${data.seat}` : `Seat ${data.seat} taken`;
    }
    case "started": return "Play begins";
    case "rewound": return data.undo ? `Undone, back to version ${data.to_version}` : `Rewound to version ${data.to_version}`;
    case "rewind_proposed": return `${playerName(view, data.seat)} asks to go back to version ${data.to_version}`;
    case "rewind_agreed": return `${playerName(view, data.seat)} agrees`;
    case "rewind_refused": return `${playerName(view, data.seat)} declines`;
    case "forked": return `Forked at version ${data.at_version}`;
    case "ended": return `The end: ${result(data.outcome, view)}`;
    case "clock_chosen": return `Clock: ${clockText(data)}`;
    case "clock_set": return ""; // it goes with every decision and is seen above
    case "seed_revealed": return `Seed revealed: ${data.seed.slice(0, 12)}…`;
    default: return null;
  }
}

/** How time is given, in words. */
export function clockText({ kind, seconds, increment }) {
  const time = seconds % 86400 === 0 ? `${seconds / 86400} d` : seconds % 60 ? `${seconds} s` : `${seconds / 60} min`;
  return kind === "fischer" ? `${time} for the match and ${increment} s a decision` : `${time} a decision`;
}

/** An outcome in words: the result, who won and why, or the score. */
export function result(outcome, view) {
  const text = outcome.result.replaceAll("_", " ");
  if (outcome.winner != null) return `${text} by ${playerName(view, outcome.winner)}${outcome.reason ? ` (${outcome.reason.replaceAll("_", " ")})` : ""}`;
  return outcome.score == null ? text : `${text}, score ${outcome.score}`;
}
