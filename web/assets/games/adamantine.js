import { actions } from "../actions.js";
import { components, doings, panel, table } from "./adamantine/cards.js";
import { decision } from "./adamantine/decision.js";
import { exploration, happened } from "./adamantine/exploration.js";
import { handles } from "./adamantine/handles.js";
import { sentence } from "./adamantine/sentences.js";
import { deckChoice } from "./adamantine/setup.js";
import { hands, legend, playerTable, standing } from "./adamantine/tables.js";

const SHOWN = new Set([
  "bring_deck", "choose_champion", "choose_class", "play_card", "sacrifice", "use", "explore", "search", "possess",
  "decline", "end_day", "build_room", "random_encounter", "lay_card", "end_night", "choose_statistic", "assign_damage",
  "take_damage", "roll_check", "discard", "finish", "cancel",
]);

/** Adamantine on the page. No rule is known here: what can be done are the commands the service lists. */
export function open(rules, { act, redraw }) {
  const parts = components(rules.catalogue);
  const known = handles();
  const bringing = deckChoice(parts, act);
  const tell = (event, view) => sentence(event, view, parts, known);
  let read = null; // the card in the panel: { id, key }, its key a handle where it has one
  let eyes = null; // the seat that looks
  const close = () => {
    read = null;
    redraw();
  };
  const reading = {
    close,
    is: (id, key) => read?.id === id && read.key === key,
    read: (id, key) => {
      read = reading.is(id, key) ? null : { id, key };
      redraw();
    },
  };

  function draw(moment) {
    const { view, commands, seat } = moment;
    const { state } = view;
    if (eyes !== seat) read = null; // what one seat reads is not for another
    eyes = seat;
    const at = table(state, parts);
    const doing = doings(moment, at, act);
    const tools = { act, reading, doing, bringing };
    const order = seat == null ? [0, 1] : [1 - seat, seat];
    const rest = commands.filter((command) => !SHOWN.has(command.type));
    return {
      bar: standing(moment),
      side: [
        decision(moment, parts, at, tools),
        ...actions(rest, () => "", act),
        exploration(moment, parts, at, tools),
        happened(moment, tell),
        ...hands(moment, parts, tools),
        read && panel(parts.cards.get(read.id), parts, { reading, doing: doing(read.key) }),
      ],
      main: [...order.map((one) => playerTable(moment, parts, state.players[one], tools)), legend()],
    };
  }

  return { draw, tell, hear: known.hear, sideFirst: true };
}
