"""What each game hides, said independently of the product's field policies. `tests.api.worlds` says how to add one."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from domain.adaman.events import CardsDealt
from domain.adaman.events import DeckShuffled as AdamanShuffled
from domain.adellos import ADELLOS
from domain.adellos import events as e
from domain.match import MatchRewound
from services.ledger import History
from tests.api.worlds import Exchange

Copy = tuple[int, int]  # one card of a hidden draw: the draw's index and the card's place in it


def exchanged(orders: dict[int, tuple[str, ...]], seen: set[Copy], rng: Random) -> Exchange:
    """The orders with everything that was not seen in other places."""
    draws, hidden = {}, 0
    for draw, order in orders.items():
        places = [place for place in range(len(order)) if (draw, place) not in seen]
        cards = [order[place] for place in places]
        rng.shuffle(cards)
        other = list(order)
        for place, card in zip(places, cards, strict=True):
            other[place] = card
        draws[draw] = tuple(other)
        hidden += sum(one != another for one, another in zip(order, other, strict=True))
    return Exchange(draws, hidden=hidden)


class AdamanSecrets:
    """The deck beyond what was dealt, from everybody."""

    game = "adaman"
    labels = ("deck",)
    private = ()

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        return {"excuse": rng.random() < 0.7, "pawns": rng.random() < 0.3, "courts": rng.random() < 0.3}

    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]:
        return items

    def exchange(self, history: History, viewer: int | None, rng: Random) -> Exchange:
        orders: dict[int, tuple[str, ...]] = {}
        seen: set[Copy] = set()
        deck: list[Copy] = []
        decks = []
        for entry in history.entries:
            match entry.event:
                case AdamanShuffled(draw=draw, order=order):
                    orders[draw] = order
                    deck = [(draw, place) for place in range(len(order))]
                case CardsDealt(dealt=dealt):
                    seen |= set(deck[: len(dealt)])
                    deck = deck[len(dealt) :]
                case MatchRewound(to_version=version):
                    deck = decks[version - 1]
            decks.append(deck)
        return exchanged(orders, seen, rng)

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        return rng.choice(legal)

    def refused(self, state: Any, seat: int, rng: Random) -> list[list[dict[str, Any]]]:
        """Nothing tells a card of the deck from one that was discarded."""
        target = rng.choice([*state.capital, *state.palace, *state.resources])
        return [
            *([{"type": "control", "target": card, "payment": [target]}] for card in state.deck[-1:]),
            *([{"type": "resolve_excuse", "card": card}] for card in state.deck[:1]),
            [{"type": "control", "target": target, "payment": list(state.deck[:1]) or ["x"]}],
        ]


class BonesSecrets:
    """The fourth game of tests/fourth_game: a die that is hidden to the end."""

    game = "bones"
    labels = ("bones omen",)
    private = ()

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        return {"limit": 1_000}

    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]:
        return items

    def exchange(self, history: History, viewer: int | None, rng: Random) -> Exchange:
        found = [entry.event for entry in history.entries if entry.event.type_name() == "omen_drawn"]
        return Exchange({one.draw: one.omen % 3 + 1 for one in found}, hidden=len(found))

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        return rng.choice(legal[:2])

    def refused(self, state: Any, seat: int, rng: Random) -> list[list[dict[str, Any]]]:
        return [[{"type": "throw", "hand": "third"}]]


FACTIONS = [faction for faction in ADELLOS.rules.box.factions if faction != "scum"]


class AdellosSecrets:
    """The event deck, other seats' hands, and what another seat is about to hire or to use, and on what."""

    game = "adellos"
    labels = ("event cards",)
    private = (e.ChoiceBegun, e.TargetChosen)
    LIKED = ("spyglass", "old-scrolls", "ambush", "parry", "feint", "sabotage", "hourglass", "curse-of-sloth")
    WEIGHTS = {  # noqa: RUF012
        "play_card": 6.0,
        "give_card": 3.0,
        "attack": 12.0,
        "end_set_up": 0.3,
        "give_gold": 0.1,
        "keep_counter": 0.1,
        "swap": 0.1,
        "cancel_choice": 0.2,
        "pass": 2.0,
        "end_turn": 3.0,
    }

    ABILITIES = {"ancient-wisdom": 8.0, "smuggling": 16.0}  # noqa: RUF012

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        return {
            "trading": rng.random() < 0.5,
            "gold_rush": True,
            "factions": ["scum", *rng.sample(FACTIONS, seats - 1)] if rng.random() < 0.6 else [],
            "may_forfeit_ap": rng.random() < 0.5,
            "hand_limit": rng.choice((None, None, 3)),
            "obstructing_walls": rng.random() < 0.3,
            "protecting_walls": rng.random() < 0.3,
        }

    def arrange(self, items: Sequence[Any], rng: Random) -> Sequence[Any]:
        """Cards to look at, to draw by, to fight with and to aim come soon."""
        rest = list(items)
        rest.remove("spyglass")
        liked = [card for card in rest if card in self.LIKED]
        first = rng.sample(liked, min(7, len(liked)))
        for card in first:
            rest.remove(card)
        first += rest[:5]
        rng.shuffle(first)
        first.insert(rng.randrange(1, 4), "spyglass")
        return [*first, *rest[5:]]

    def exchange(self, history: History, viewer: int | None, rng: Random) -> Exchange:
        knowledge = _Knowledge(history, viewer)
        found = exchanged(knowledge.orders, knowledge.seen, rng)

        def instead(version: int, command: dict[str, Any]) -> dict[str, Any]:
            if command["type"] != "give_card":
                return command
            draw, place = knowledge.given[version]
            return command | {"card": found.draws[draw][place]}

        found.instead = instead
        found.happened = {
            what
            for what, (draw, place) in knowledge.noted
            if found.draws[draw][place] != knowledge.orders[draw][place]
        }
        return found

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        moves = [command for command in legal if command.type_name() == "move"]
        others = [command for command in legal if command.type_name() != "move"]
        if moves and rng.random() < 0.5:
            return min(rng.sample(moves, min(9, len(moves))), key=lambda one: self._way(state, seat, one))
        agree = [command for command in others if getattr(command, "agree", None)]
        pool = agree or others or moves
        holders = [player.seat for player in state.players if player.hand and player.seat != seat]
        weights = [self._weight(command, holders) for command in pool]
        return rng.choices(pool, weights)[0]

    def _weight(self, command: Any, holders: list[int]) -> float:
        """Units that draw or aim twice are hired rather than others; hands are looked at where cards are held."""
        if getattr(command, "card", "") == "spyglass":
            return 40.0 if holders else 0.01
        if command.type_name() == "choose_seat":
            return 1.0 if command.seat in holders else 0.01
        if command.type_name() == "hire":
            abilities = {ability.id for ability in ADELLOS.rules.box.kinds[command.unit].abilities}
            return max([1.0, *(self.ABILITIES.get(ability, 0.0) for ability in abilities)])
        if command.type_name() == "use_ability":
            return self.ABILITIES.get(command.ability, 4.0)
        return self.WEIGHTS.get(command.type_name(), 1.0)

    def _way(self, state: Any, seat: int, move: Any) -> int:
        ground = ADELLOS.rules.box.ground(state.options)
        enemies = [field for field, unit in enumerate(state.board) if unit is not None and unit.seat != seat]
        return min((ground.distance[move.to][field] for field in enemies), default=0)

    def refused(self, state: Any, seat: int, rng: Random) -> list[list[dict[str, Any]]]:
        """A card that is another's, one in the deck, one that is played and one that never was: all the same."""
        own = state.players[seat].hand
        held = [card for player in state.players if player.seat != seat for card in player.hand]
        cards = [*dict.fromkeys((*held, *rng.sample(state.deck, min(3, len(state.deck))), "no-such-card"))]
        missing = [card for card in cards if card not in own]
        to = (seat + 1) % len(state.players)
        return [
            [{"type": "play_card", "card": card} for card in missing],
            [{"type": "give_card", "to": to, "card": card} for card in missing],
            [{"type": "choose_field", "field": field} for field in (-1, 1_000)],
            [{"type": "choose_kind", "kind": kind} for kind in ("nothing", "")],
            [{"type": "choose_seat", "seat": seat}],
            [{"type": "cancel_choice"}],
            [{"type": "finish_choice"}],
            [{"type": "use_ability", "field": -1, "ability": "healing"}],
            [{"type": "pass"}],
        ]


class LookingSecrets(AdellosSecrets):
    """Adellos where hands are looked at, and other cards are kept, so that the viewer never comes to know them."""

    def _weight(self, command: Any, holders: list[int]) -> float:
        if command.type_name() == "play_card" and command.card != "spyglass":
            return 0.01
        return super()._weight(command, holders)


class AimingSecrets(AdellosSecrets):
    """Adellos with Smugglers beside other units: what they do is aimed twice, at a unit and at a field."""

    ORDER = ("use_ability", "choose_field", "hire", "place_noble", "end_set_up", "end_turn")

    def options(self, rng: Random, seats: int) -> dict[str, Any]:
        factions = [*rng.sample(FACTIONS, seats - 1), "scum"]
        return {"factions": factions, "gold_rush": True, "may_forfeit_ap": True}

    def choose(self, state: Any, seat: int, legal: Sequence[Any], rng: Random) -> Any:
        kinds = [command.type_name() for command in legal]
        kind = next((kind for kind in self.ORDER if kind in kinds), "")
        found = [command for command in legal if command.type_name() == kind]
        if kind == "hire":
            wanted = [command for command in found if command.unit in ("smuggler", "urchin")]
            return rng.choice(wanted or found)
        if kind == "choose_field":
            return max(found, key=lambda command: self._beside(state, seat, command.field))
        return rng.choice(found or legal)

    def _beside(self, state: Any, seat: int, field: int) -> int:
        """How many own units stand beside a field."""
        ground = ADELLOS.rules.box.ground(state.options)
        near = [state.board[other] for other in ground.neighbours[field]]
        return sum(unit is not None and unit.seat == seat for unit in near)


class _Knowledge:
    """Which cards of the decks a viewer of Adellos has come to know, from the bare events of the match."""

    def __init__(self, history: History, viewer: int | None) -> None:
        self.orders: dict[int, tuple[str, ...]] = {}
        self.seen: set[Copy] = set()
        self.given: dict[int, Copy] = {}  # which card was given, by the version of its event
        self.noted: list[tuple[str, Copy]] = []  # what happened to a card out of the viewer's sight
        self._viewer = viewer
        self._deck: list[Copy] = []
        self._hands: dict[int, list[Copy]] = {seat: [] for seat in range(history.match.created.seats)}
        kept = []
        before = history.states[0]
        for entry, after in zip(history.entries, history.states, strict=True):
            if isinstance(entry.event, MatchRewound):
                self._deck, hands = kept[entry.event.to_version - 1]
                self._hands = {seat: list(hand) for seat, hand in hands.items()}
            else:
                self._follow(entry.version, entry.event, before.state, after.state)
            for seat, hand in self._hands.items():
                assert sorted(map(self._name, hand)) == list(after.state.players[seat].hand), entry
            if after.state.shuffled:
                assert [*map(self._name, self._deck)] == list(after.state.deck), entry
            kept.append((list(self._deck), {seat: list(hand) for seat, hand in self._hands.items()}))
            before = after

    def _name(self, copy: Copy) -> str:
        return self.orders[copy[0]][copy[1]]

    def _take(self, seat: int, card: str) -> Copy:
        copy = next(one for one in self._hands[seat] if self._name(one) == card)
        self._hands[seat].remove(copy)
        return copy

    def _follow(self, version: int, event: Any, before: Any, after: Any) -> None:
        viewer, hands = self._viewer, self._hands
        match event:
            case e.DeckShuffled():
                self.orders[event.draw] = event.order
                self._deck = [(event.draw, place) for place in range(len(event.order))]
            case e.CardDrawn():
                copy, self._deck = self._deck[0], self._deck[1:]
                hands[event.seat].append(copy)
                if event.seat == viewer:
                    self.seen.add(copy)
                else:
                    self.noted.append(("others drew", copy))
            case e.CardPlayed():
                self.seen.add(self._take(event.seat, event.card))
            case e.CardGiven():
                copy = self.given[version] = self._take(event.seat, event.card)
                hands[event.to].append(copy)
                if viewer in (event.seat, event.to):
                    self.seen.add(copy)
                else:
                    self.noted.append(("others gave", copy))
            case e.HandSeen():
                if event.seat == viewer:
                    self.seen |= set(hands[event.of])
                else:
                    self.noted += [("others looked", copy) for copy in hands[event.of]]
            case e.UnitDefeated():
                victor, loser = before.combat.seats
                if not after.players[loser].alive and hands[loser]:
                    self._inherit(victor, loser, after)
            case e.SeatResigned():
                self.noted += [("cards left", copy) for copy in hands[event.seat]]
                hands[event.seat] = []  # they leave the match unseen

    def _inherit(self, victor: int, loser: int, after: Any) -> None:
        """The victor gets the cards. Where some are left over, which ones depends on their names: none is exchanged."""
        both = self._hands[victor] + self._hands[loser]
        kept = Counter(after.players[victor].hand)
        self._hands[loser] = []
        self._hands[victor] = []
        for copy in both:
            if kept[self._name(copy)]:
                kept[self._name(copy)] -= 1
                self._hands[victor].append(copy)
        if victor == self._viewer or len(self._hands[victor]) < len(both):
            self.seen |= set(both)
