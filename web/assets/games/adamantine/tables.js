import { commandButton } from "../../actions.js";
import { playerChips } from "../../chips.js";
import { el } from "../../dom.js";
import { playerName, spaced } from "../../names.js";
import { face, faceDown, plural, roomName, STATISTICS } from "./cards.js";

const ORDER = ["class", "prestige", "item", "feat", "ally"];

const lives = (player) => Math.max(0, player.health - player.wounds);

/** What the marks on cards mean. */
export const legend = () => el("p", { class: "note" }, "G gold value · ▲ danger value · ♥ health · ⚔ damage · +G reward gold · ★ unique. Choose a card to read it in full.");

/** The line that stays in view: day or night, and for each player health, danger level and cards. */
export function standing(moment) {
  const { state } = moment.view;
  const time = { day: "☀ Day", night: "☾ Night" }[state.phase];
  const chips = playerChips(moment, state.players, (player) => (player.champion
    ? [`♥ ${lives(player)}/${player.health}`, `▲ ${player.danger_level}`]
    : ["no champion yet"]));
  return [time ? el("p", { class: `phase ${state.phase}` }, `${time}, turn ${state.turns}`) : null, chips];
}

/** One player's side of the table: champion, cards in play, rooms, and how many cards are where. */
export function playerTable(moment, parts, player, { doing, reading, act }) {
  const { view, commands, seat } = moment;
  const own = player.seat === seat;
  const deck = parts.decks.get(player.deck)?.name;
  return el("section", { class: `side-of-table seat-${player.seat}`, "aria-label": `Table of ${playerName(view, player.seat)}` },
    el("h2", {}, el("span", { class: "mark" }, String(player.seat)), own ? "Your table" : playerName(view, player.seat), deck ? el("small", {}, deck) : null),
    player.champion ? champion(player) : el("p", { class: "empty" }, "No champion yet."),
    inPlay(),
    rooms(),
    counts());

  function champion() {
    const card = parts.cards.get(player.champion.card);
    const left = lives(player);
    const { combat, check } = player.statistics;
    return el("div", { class: "champion-row" },
      el("ul", { class: "face-cards" }, face(card, { key: player.champion.handle, reading, doing: doing(player.champion.handle) })),
      el("div", {},
        el("p", { class: "lives" }, `Health ${left} of ${player.health}`, player.wounds ? el("small", {}, ` (${plural(player.wounds, "wound")})`) : null,
          el("meter", { min: 0, max: player.health, value: left, low: player.health / 3, "aria-label": "Health left" })),
        el("dl", { class: "statistics" }, STATISTICS.map((stat) => el("div", {}, el("dt", {}, spaced(stat)),
          el("dd", {}, String(combat[stat]), combat[stat] === check[stat] ? null : el("small", {}, ` ${check[stat]} at traps`)))),
          el("div", {}, el("dt", {}, "Danger level"), el("dd", {}, String(player.danger_level))))));
  }

  function inPlay() {
    const place = (one) => ORDER.indexOf(parts.cards.get(one.card).kind);
    if (!player.champion) return null;
    const pieces = player.in_play.toSorted((one, other) => place(one) - place(other));
    const paying = view.state.pending?.choice?.what === "payment" ? view.state.pending.choice.picks ?? [] : [];
    if (!pieces.length) return el("p", { class: "empty" }, "No other card in play.");
    return el("ul", { class: "face-cards", "aria-label": "Cards in play" }, pieces.map((one) => face(parts.cards.get(one.card), {
      key: one.handle, reading, doing: doing(one.handle), chosen: paying.includes(one.handle),
      note: one.used ? `Used ${one.used === 1 ? "once" : `${one.used} times`} this turn.` : null,
    })));
  }

  function rooms() {
    const shown = player.rooms.filter((room) => room.handle !== view.state.exploration?.room);
    if (!shown.length) return player.champion ? el("p", { class: "empty" }, player.rooms.length ? "The room explored is the only one." : "No rooms.") : null;
    return el("section", { class: "group" }, el("h3", {}, "Rooms"), el("ul", { class: "rooms" }, shown.map((room) => {
      const facts = [plural(room.cards.length, "card"), own && !room.cards[0].up && "face down", room.danger != null && `danger ${room.danger}`, room.explored && "explored today",
        room.seen && (own ? "the other has looked at it" : "looked at")].filter(Boolean);
      const explore = commands.filter((one) => one.type === "explore" && one.room === room.handle).map((one) => commandButton(one, "Explore", act, "main"));
      return el("li", {}, el("h4", {}, spaced(roomName(room)), el("small", {}, facts.join(" · "))),
        el("ul", { class: "face-cards" }, room.cards.map((laid) => (laid.card
          ? face(parts.cards.get(laid.card), { key: laid.handle, reading })
          : faceDown()))),
        explore.length ? el("p", { class: "buttons" }, explore) : null);
    })));
  }

  function counts() {
    if (!player.hero_deck_count && !player.dungeon_deck_count) return null;
    return el("div", { class: "piles" },
      pile("Hero cards", "hero", player.hero_deck_count, player.hero_hand_count, player.hero_discard),
      pile("Dungeon cards", "dungeon", player.dungeon_deck_count, player.dungeon_hand_count, player.dungeon_discard));
  }

  function pile(title, name, deck, hand, cards) {
    const key = `${name}-discard-${player.seat}`;
    return el("div", { class: "pile" },
      el("p", { class: "facts" }, `${title}: `, el("span", {}, el("b", {}, String(deck)), " in the deck"), el("span", {}, el("b", {}, String(hand)), " in hand"),
        cards.length ? null : el("span", {}, el("b", {}, "0"), " discarded")),
      cards.length ? el("details", { "data-key": key }, el("summary", { "data-key": `${key}-summary` }, `${cards.length} discarded`),
        el("p", { class: "buttons" }, cards.map((id, place) => el("button", {
          class: "small", "data-key": `${key}-${place}`, "aria-pressed": String(reading.is(id, `${key}-${place}`)), onclick: () => reading.read(id, `${key}-${place}`),
        }, parts.cards.get(id).name)))) : null);
  }
}

/** The viewer's two hands; the one that is played from now is open. */
export function hands({ view, seat }, parts, { doing, reading }) {
  const player = view.state.players[seat];
  if (!player?.hero_hand || !player.champion || view.status === "open") return [];
  const night = view.state.phase === "night" && view.state.turn === seat;
  const laid = view.state.pending?.choice?.picks ?? [];
  const shown = (title, cards, name, open, empty) => {
    const list = cards.length
      ? el("ul", { class: "face-cards full" }, cards.map((one) => face(parts.cards.get(one.card), {
        key: one.handle, reading, full: true, doing: doing(one.handle), chosen: laid.includes(one.handle), note: laid.includes(one.handle) ? "Laid" : null,
      })))
      : el("p", { class: "empty" }, empty);
    const key = `${name}-hand-${open ? "open" : "closed"}`;
    return el("details", { class: `hand ${name}-hand`, "data-key": key, open }, el("summary", { "data-key": `${key}-summary` }, `${title}: ${plural(cards.length, "card")}`), list);
  };
  const dungeon = shown("Your dungeon hand", player.dungeon_hand, "dungeon", night, "drawn by night");
  const useful = player.hero_hand.some((one) => doing(one.handle).length);
  const hero = shown("Your hero hand", player.hero_hand, "hero", useful || (!night && !view.state.exploration), "no cards");
  return night ? [dungeon, hero] : [hero, dungeon];
}
