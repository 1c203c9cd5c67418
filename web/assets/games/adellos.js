import { actions, commandButton } from "../actions.js";
import { el } from "../dom.js";
import { playerName, printedNames } from "../names.js";
import { drawBoard } from "./adellos/board.js";
import { components, fieldName } from "./adellos/components.js";
import { decision, hand, hiring } from "./adellos/decision.js";
import { unitFace } from "./adellos/faces.js";
import { inFront, playersInFull, standing } from "./adellos/players.js";
import { sentence } from "./adellos/sentences.js";

const SHOWN = new Set([
  "agree_trading", "choose_noble", "place_noble", "end_set_up", "hire", "move", "swap", "attack", "use_ability",
  "play_card", "keep_counter", "give_card", "pass", "end_turn", "choose_field", "choose_kind", "choose_seat",
  "finish_choice", "cancel_choice",
]);

/** Adellos on the page. No rule is known here: what can be done are the commands the service lists. */
export function open(rules, { act, redraw }) {
  const parts = components(rules.catalogue);
  const names = printedNames(rules.catalogue);
  const looking = { selected: null, aim: null, cursor: 0, brought: 0 };

  function draw(moment) {
    const { view, commands } = moment;
    const { state } = view;
    const board = parts.boards.get(state.board);
    const unitAt = new Map(state.units.map((unit) => [unit.field, unit]));
    const on = (type, field) => commands.filter((one) => one.type === type && one.field === field);
    if (!state.units.some((unit) => unit.field === looking.selected)) looking.selected = looking.aim = null;
    const { selected } = looking;
    const marks = marked(commands, selected, unitAt, parts);

    function pick(field) {
      looking.cursor = field;
      const [choice] = [...on("choose_field", field), ...on("place_noble", field)];
      const move = on("move", selected).find((one) => one.to === field);
      const attack = on("attack", selected).find((one) => one.target === field);
      if (choice) return act(choice);
      if (move) {
        looking.selected = field;
        return act(move);
      }
      if (attack && looking.aim === field) {
        looking.aim = null;
        return act(attack);
      }
      if (attack) looking.aim = field;
      else {
        looking.aim = null;
        looking.selected = selected === field || !unitAt.has(field) ? null : field;
      }
      return redraw();
    }

    function leave() {
      looking.selected = looking.aim = null;
      redraw();
    }

    const drawing = drawBoard({
      board, state, kinds: parts.kinds, players: (seat) => playerName(view, seat), marks, selected,
      cursor: looking.cursor, last: lastFields(moment.events), pick, leave,
    });
    const inspected = [looking.aim, selected].filter((field) => unitAt.has(field)).map((field) => {
      const unit = unitAt.get(field);
      return unitFace(unit, parts.kinds.get(unit.kind), parts, {
        where: fieldName(board, field), owner: playerName(view, unit.seat), doing: doings(field),
      });
    });

    /** What can be done with the unit on a field, or to it, beside what is chosen on the board. */
    function doings(field) {
      const button = (command, text, kind) => commandButton(command, text, act, kind);
      const place = (other) => `${parts.kinds.get(unitAt.get(other).kind).name} (${fieldName(board, other)})`;
      const swaps = commands.filter((one) => one.type === "swap" && [one.field, one.other].includes(field));
      const attacks = commands.filter((one) => one.type === "attack" && one.target === field);
      return [
        ...attacks.map((one) => button(one, `Attack it with ${place(one.field)}: ${unitAt.get(one.field).attack} against ${unitAt.get(field).defence}`, field === looking.aim && one.field === selected ? "main" : null)),
        ...on("use_ability", field).map((one) => button(one, `Use ${parts.abilities.get(one.ability).name}`)),
        ...swaps.map((one) => button(one, `Swap with ${place(one.field === field ? one.other : one.field)}`)),
        ...on("keep_counter", field).map((one) => button(one, unitAt.get(field).keep ? "Let a Time Counter be taken off" : "Leave its Time Counters alone")),
      ];
    }

    // The list of units may be far below: what is to be chosen on the board comes into view once.
    if (commands.some((one) => one.type === "choose_field") && looking.brought !== view.version) {
      looking.brought = view.version;
      requestAnimationFrame(() => drawing.scrollIntoView({ block: "nearest" }));
    }
    const rest = commands.filter((command) => !SHOWN.has(command.type));
    return {
      bar: standing(moment),
      main: [drawing],
      side: [
        ...decision(moment, parts, board, act),
        ...inspected,
        inspected.length || view.status !== "running" || state.pending?.decision === "choose" ? null : el("p", { class: "note" }, "Choose a unit on the board to read it and to see what it can do."),
        ...actions(rest, (command) => (command.to == null ? "" : `To ${playerName(view, command.to)}`) || names.get(command.type) || "", act),
        hand(moment, parts, act),
        inFront(moment, parts),
        hiring(moment, parts, act),
        playersInFull(moment, parts),
      ],
    };
  }

  return { draw, tell: (event, view) => sentence(event, view, parts) };
}

/** What choosing a field does now, read off the legal commands. */
function marked(commands, selected, unitAt, parts) {
  const marks = new Map();
  for (const command of commands) {
    const { type, field } = command;
    if (type === "choose_field" || type === "place_noble") marks.set(field, { kind: "choose", text: "Choose it" });
    else if (type === "move" && field === selected) marks.set(command.to, { kind: "move", text: "Move here" });
    else if (type === "attack" && field === selected) marks.set(command.target, { kind: "attack", text: `Attack it with ${parts.kinds.get(unitAt.get(field).kind).name}` });
    else if (["move", "attack", "swap", "use_ability"].includes(type) && field !== selected && !marks.has(field)) {
      marks.set(field, { kind: "able", text: "Can act" });
    }
  }
  return marks;
}

/** The fields that the last command touched. */
function lastFields(events) {
  const at = events.at(-1)?.at;
  const found = new Set();
  for (let place = events.length - 1; place >= 0 && events[place].at === at; place -= 1) {
    const { type, data } = events[place];
    if (!/^(unit_|units_|noble_placed|combat_begun)/.test(type)) continue;
    for (const name of ["field", "to", "other", "attacker", "defender"]) if (data[name] != null) found.add(data[name]);
  }
  return found;
}
