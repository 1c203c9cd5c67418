"""What Adamantine hides, said independently of the product's field policies.

From everybody: the order of the decks. From all but its owner: hands, faces of face-down rooms, what is picked before
it is decided, and what a deck brought in secret holds. Known to everybody: what was played, lost, discarded, searched
away or turned up; and that a champion is in hand, where another is asked for (AM-5). Where in the hand a hero card
was that is played is hidden too: handles say nothing about faces.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from domain.adamantine import events as e
from domain.adamantine.commands import BringDeck, ChooseChampion, ChooseStatistic, TakeDamage
from domain.adamantine.effects import Scout
from domain.adamantine.standing import rolled
from domain.match import MatchRewound
from services.ledger import History
from tests.api.secrets_of import Copy
from tests.api.worlds import Exchange
from tests.domain.adamantine.random_play import BOX, COPIES, random_deck

Deck = tuple[int, str]  # a seat and which of its decks
DECKS: list[Deck] = [(seat, deck) for seat in (0, 1) for deck in ("hero", "dungeon")]
SCOUTS = {
    card
    for card, gear in BOX.gear.items()
    if gear.ability is not None and any(isinstance(effect, Scout) for effect in gear.ability.effects)
}
TRIES = 2_000


class AdamantineSecrets:
    """Rooms are built and mostly left alone, so that there is something to hide."""

    game = "adamantine"
    labels = tuple(f"{deck} deck of seat {seat}" for seat, deck in DECKS)
    private = (e.ChoiceBegun, e.CardPicked)
    WEIGHTS = {  # noqa: RUF012
        "play_card": 1.5,
        "use": 30.0,
        "explore": 0.2,
        "search": 0.3,
        "possess": 0.1,
        "decline": 0.3,
        "end_day": 5.0,
        "build_room": 6.0,
        "random_encounter": 0.6,
        "end_night": 1.5,
        "cancel": 0.1,
    }

    def __init__(self, *, bring: bool = False) -> None:
        self.bring = bring

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        if self.bring:
            return {"bring_decks": True}
        looking = rng.choice(
            [name for name, deck in BOX.decks.items() if SCOUTS & set(deck.hero)] or [*BOX.decks]
        )
        decks = [looking, rng.choice([name for name in BOX.decks if name != looking])]
        rng.shuffle(decks)
        return {"decks": decks}

    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]:
        """A champion and what looks into rooms come soon."""
        first = [card for card in items if card in SCOUTS][:2] + [
            card for card in items if card in BOX.champions
        ][:1]
        rest = list((Counter(items) - Counter(first)).elements())
        rng.shuffle(rest)
        top = first + rest[:5]
        rng.shuffle(top)
        return [*top, *rest[5:]]

    def exchange(self, history: History, viewer: int | None, rng: Random) -> Exchange:
        return _Exchanging(_Knowledge(history, viewer), viewer, rng).found()

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        if state.phase == "bringing" and rng.random() < 0.7:
            decks = [random_deck(rng) for _ in range(20)]
            return BringDeck(cards=max(decks, key=lambda deck: len(SCOUTS & set(deck.hero))))
        return rng.choices(legal, [self.weight(state, seat, command) for command in legal])[0]

    def weight(self, state: Any, seat: int, command: Any) -> float:
        kind = command.type_name()
        if kind == "play_card":
            card = next(
                (held.card for held in state.players[seat].hero_hand if held.handle == command.card), ""
            )
            return 30.0 if card in SCOUTS else self.WEIGHTS[kind]
        return self.WEIGHTS.get(kind, 1.0)

    def refused(self, state: Any, seat: int, rng: Random) -> list[list[dict[str, Any]]]:
        """A handle of the other's hand or rooms, one used up and one never given are all the same."""
        other = state.players[1 - seat]
        cards = [held.handle for held in (*other.hero_hand, *other.dungeon_hand)]
        cards += [laid.handle for room in other.rooms for laid in room.cards]
        cards = [*rng.sample(cards, min(4, len(cards))), 0, state.handles + 1]
        own = [room.handle for room in state.players[seat].rooms]
        kinds = ("play_card", "possess", "lay_card", "sacrifice", "use")
        return [
            *([{"type": kind, "card": card} for card in cards] for kind in kinds),
            [{"type": "explore", "room": handle} for handle in (*cards, *own)],
            [{"type": "bring_deck", "deck": "no-such-deck"}],
        ]


class DyingSecrets(AdamantineSecrets):
    """Rooms of monsters that deal much are explored by weak champions, so that they die and others are asked for."""

    WEIGHTS = AdamantineSecrets.WEIGHTS | {
        "play_card": 0.05,
        "use": 0.05,
        "explore": 50.0,
        "search": 0.05,
        "possess": 0.001,
        "end_day": 1.0,
        "lay_card": 2.0,
        "build_room": 20.0,
        "random_encounter": 8.0,
        "cancel": 0.01,
    }

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        return {"decks": rng.sample(sorted(BOX.decks), seats)}

    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]:
        if items[0] in BOX.dungeon:
            return sorted(items, key=self._deadly, reverse=True)
        return super().arrange(items, rng)

    def _deadly(self, card: str) -> float:
        monster = BOX.monsters.get(card)
        return (monster.damage + monster.health / 9) / (monster.danger + 1) if monster is not None else 0.0

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        champions = [one for one in legal if isinstance(one, ChooseChampion)]
        if champions:
            return min(champions, key=lambda one: BOX.champions[one.champion].health)
        statistics = [one for one in legal if isinstance(one, ChooseStatistic)]
        if statistics:
            return min(statistics, key=lambda one: rolled(BOX, state, one.statistic))
        takers = [one for one in legal if isinstance(one, TakeDamage)]
        return takers[0] if takers else super().choose(state, seat, legal, rng)


# --- what B has instead ------------------------------------------------------------------------------------


@dataclass
class _Exchanging:
    """B from what a viewer knows of A: other orders, other lists, other places in hand of what is played."""

    known: "_Knowledge"
    viewer: int | None
    rng: Random
    places: dict[Copy, Copy] = field(default_factory=dict)  # where in B what is played comes from
    lists: dict[int, dict[str, Any]] = field(default_factory=dict)  # decks brought in B by version

    def found(self) -> Exchange:
        known = self.known
        roles = {draw: self._permuted(draw) for draw in known.orders}
        for version, seat in known.brought.items():
            if seat != self.viewer:
                self._another_list(version, seat, roles)
        self._swap_places()
        draws = {}
        for draw, cards in roles.items():
            order = list(cards)
            for place, card in enumerate(cards):
                order[self.places.get((draw, place), (draw, place))[1]] = card
            draws[draw] = tuple(order)
        pairs = [(draw, place) for draw, order in draws.items() for place in range(len(order))]
        differs = {copy for copy in pairs if draws[copy[0]][copy[1]] != known.name(copy)}
        happened = {what for what, copy in known.noted if copy in differs}
        happened |= {"another list"} if self.lists else set()
        happened |= {"played from elsewhere"} if differs & set(self.places) else set()
        happened |= known.told
        return Exchange(draws, self._instead, len(differs) + len(self.lists), happened)

    def _permuted(self, draw: int) -> list[str]:
        """What is not known in other places, so that what the rules told holds."""
        order = self.known.orders[draw]
        places = [place for place in range(len(order)) if (draw, place) not in self.known.seen]
        bound = [one for one in self.known.champions if any(copy[0] == draw for copy in one[0])]
        for _ in range(TRIES):
            cards = [order[place] for place in places]
            self.rng.shuffle(cards)
            other = list(order)
            for place, card in zip(places, cards, strict=True):
                other[place] = card
            if all(any(other[place] in BOX.champions for _, place in held) is some for held, some in bound):
                return other
        return list(order)

    def _another_list(self, version: int, seat: int, roles: dict[int, list[str]]) -> None:
        """Another deck for what was brought, if it was shuffled once: hidden cards are any others (AM-2)."""
        known = self.known
        draws = known.shuffled.get(version, [])
        if sorted(deck for deck, _ in draws) != ["dungeon", "hero"]:
            return
        bound = known.seen | {copy for held, _ in known.champions for copy in held}
        counts = {}
        for deck, draw in draws:
            named = known.named.get(version, []) if deck == "hero" else []
            count = counts[deck] = Counter([*roles[draw], *named])
            catalogue = sorted(BOX.heroes if deck == "hero" else BOX.dungeon)
            for place in range(len(roles[draw])):
                if (draw, place) in bound or self.rng.random() < 0.3:
                    continue
                card = self.rng.choice(catalogue)
                unique = getattr(BOX.hero_cards.get(card) or BOX.dungeon[card], "unique", False)
                if count[card] < (1 if unique else COPIES):
                    count[roles[draw][place]] -= 1
                    count[card] += 1
                    roles[draw][place] = card
        cards = {deck: {card: many for card, many in count.items() if many} for deck, count in counts.items()}
        self.lists[version] = {"type": "bring_deck", "cards": cards}

    def _swap_places(self) -> None:
        """A hero card that another seat played is drawn in the place of one drawn with it and kept."""
        known, bound = self.known, {copy for held, _ in self.known.champions for copy in held}
        for copy in sorted(known.played - bound):
            with_it = sorted(
                other
                for other in known.drawn[copy][0]
                if known.drawn[other] == known.drawn[copy]
                and other not in known.seen | bound | set(self.places)
            )
            if with_it and copy not in self.places:
                other = self.rng.choice(with_it)
                self.places |= {copy: other, other: copy}

    def _instead(self, version: int, command: dict[str, Any]) -> dict[str, Any]:
        if version in self.lists:
            return self.lists[version]
        held = self.known.held.get(version, {})
        place = self.places.get(held.get(command.get("card", 0), (-1, -1)))
        if place is None:
            return command
        return command | {"card": next(handle for handle, copy in held.items() if copy == place)}


# --- what a viewer knows -----------------------------------------------------------------------------------


@dataclass
class _Table:
    """Where the copies are."""

    decks: dict[Deck, list[Copy]] = field(default_factory=lambda: {deck: [] for deck in DECKS})
    hands: dict[Deck, dict[int, Copy]] = field(default_factory=lambda: {deck: {} for deck in DECKS})
    laid: dict[int, Copy] = field(default_factory=dict)
    lists: dict[int, int] = field(default_factory=dict)  # version at which a seat brought its deck

    def copy(self) -> "_Table":
        hands = {deck: dict(hand) for deck, hand in self.hands.items()}
        return _Table(dict(self.decks), hands, dict(self.laid), dict(self.lists))


class _Knowledge:
    """Which cards of the decks a viewer has come to know, from the bare events of the match."""

    def __init__(self, history: History, viewer: int | None) -> None:
        self.orders: dict[int, tuple[str, ...]] = {}
        self.seen: set[Copy] = set()
        self.noted: list[tuple[str, Copy]] = []  # what happened to a card out of the viewer's sight
        self.told: set[str] = set()
        self.champions: list[tuple[tuple[Copy, ...], bool]] = []  # hands of which it is told if there is one
        self.brought: dict[int, int] = {}  # versions and seats
        self.shuffled: dict[
            int, list[tuple[str, int]]
        ] = {}  # decks and draws of what was brought at a version
        self.named: dict[int, list[str]] = {}  # champions and classes taken out of it
        self.drawn: dict[Copy, list[tuple[Copy, ...]]] = {}  # what was drawn together, each time
        self.played: set[Copy] = set()  # by others, from the hero hand
        self.held: dict[int, dict[int, Copy]] = {}  # the hero hands before each version
        self._viewer = viewer
        self._table = _Table()
        kept = []
        before = history.at(1)
        for entry in history.entries:
            after = history.at(entry.version)
            hands = self._table.hands
            self.held[entry.version] = hands[0, "hero"] | hands[1, "hero"]
            if isinstance(entry.event, MatchRewound):
                self._table = kept[entry.event.to_version - 1].copy()
            else:
                self._follow(entry.version, entry.event, before.state, after.state)
            self._check(after.state)
            self._at_death(after.state)
            kept.append(self._table.copy())
            before = after

    def name(self, copy: Copy) -> str:
        return self.orders[copy[0]][copy[1]]

    def _check(self, state: Any) -> None:
        """The bookkeeping here and the product agree on where each card is."""
        for seat, deck in DECKS:
            hand = self._table.hands[seat, deck]
            there = getattr(state.players[seat], f"{deck}_hand")
            assert {held.handle: held.card for held in there} == {
                one: self.name(at) for one, at in hand.items()
            }
            if state.shuffles == len(DECKS):
                order = tuple(map(self.name, self._table.decks[seat, deck]))
                assert order == getattr(state.players[seat], f"{deck}_deck")

    def _at_death(self, state: Any) -> None:
        """Asked or not, everybody knows whether there is another champion in hand (AM-5)."""
        if state.dying and state.dying[0] != self._viewer:
            hand = tuple(self._table.hands[state.dying[0], "hero"].values())
            some = any(self.name(copy) in BOX.champions for copy in hand)
            self.champions += [
                (tuple(one for one in hand if one[0] == draw), some) for draw in {copy[0] for copy in hand}
            ]
            self.told.add("asked for a champion" if some else "no champion in hand")

    def _top(self, seat: int, deck: str, cards: int) -> list[Copy]:
        found = self._table.decks[seat, deck][:cards]
        self._table.decks[seat, deck] = self._table.decks[seat, deck][cards:]
        return found

    def _draw(self, seat: int, deck: str, cards: int, before: Any, after: Any) -> None:
        copies = self._top(seat, deck, cards)
        hand = self._table.hands[seat, deck]
        handles = range(before.handles + 1, after.handles + 1)
        hand |= dict(zip(handles, copies, strict=True))
        for copy in copies:
            self.drawn.setdefault(copy, []).append(tuple(copies))
        if seat == self._viewer:
            self.seen |= set(copies)
        else:
            self.noted += [(f"another's {deck} hand", copy) for copy in copies]

    def _play(self, seat: int, handle: int) -> None:
        copy = self._table.hands[seat, "hero"].pop(handle)
        self.seen.add(copy)
        if seat != self._viewer:
            self.played.add(copy)

    def _lay(self, seat: int, before: Any, after: Any) -> list[Copy]:
        hand = self._table.hands[seat, "dungeon"]
        copies = [hand.pop(handle) for handle in before.choice.picks]
        if copies:
            handles = [laid.handle for laid in after.players[seat].rooms[-1].cards]
            self._table.laid |= dict(zip(handles, copies, strict=True))
        return copies

    def _in_room(self, owner: int, room: int, state: Any) -> list[Copy]:
        cards = next(one.cards for one in state.players[owner].rooms if one.handle == room)
        return [self._table.laid[laid.handle] for laid in cards]

    def _follow(self, version: int, event: Any, before: Any, after: Any) -> None:
        table, viewer, seat = self._table, self._viewer, getattr(event, "seat", -1)
        match event:
            case e.DeckBrought():
                self.brought[version], table.lists[seat] = seat, version
            case e.ChampionChosen(champion=card) | e.ClassChosen(hero_class=card):
                self.named.setdefault(table.lists.get(seat, 0), []).append(card)
            case e.DeckShuffled():
                self.orders[event.draw] = event.order
                table.decks[seat, event.deck] = [(event.draw, place) for place in range(len(event.order))]
                self.shuffled.setdefault(table.lists.get(seat, 0), []).append((event.deck, event.draw))
                if seat == viewer:
                    self.noted += [("the own decks", copy) for copy in table.decks[seat, event.deck][-10:]]
            case e.DayBegun() | e.HeroCardsDrawn():
                self._draw(seat, "hero", event.drawn, before, after)
            case e.NightBegun():
                self.seen |= set(table.hands[seat, "dungeon"].values())
                table.hands[seat, "dungeon"] = {}
                self._draw(seat, "dungeon", event.drawn, before, after)
            case e.ChoiceBegun(card=card) if card in table.hands[seat, "hero"]:
                self.seen.add(table.hands[seat, "hero"][card])  # not told, but in B it has to cost the same
            case e.CardPicked(card=card) if before.choice is not None and before.choice.what == "encounter":
                self.seen.add(table.hands[seat, "dungeon"][card])  # not told, but in B it has to be no trap
            case e.CardPlayed(held=held) | e.ChampionPossessed(held=held):
                self._play(seat, held)
            case e.CardsLost(handles=handles):
                for handle in set(handles) & set(table.hands[seat, "hero"]):
                    self._play(seat, handle)
            case e.DungeonCardsDiscarded(cards=cards):
                self.seen |= set(self._top(seat, "dungeon", len(cards)))
            case e.Searched(cards=cards):
                self.seen |= set(self._top(1 - seat, "dungeon", len(cards)))
            case e.RoomSeen(room=room):
                copies = self._in_room(1 - seat, room, before)
                if seat == viewer:
                    self.seen |= set(copies)
                    self.told.add("looked into a room")
                else:
                    self.noted += [("others looked", copy) for copy in copies]
            case e.RoomBuilt():
                copies = self._lay(seat, before, after)
                if seat != viewer:
                    self.noted += [("face-down room", copy) for copy in copies]
            case e.EncounterLaid():
                self.seen |= set(self._lay(seat, before, after))
            case e.RoomExplored(room=room):
                self.seen |= set(self._in_room(1 - seat, room, before))
