"""The rules once more, slowly and from the printed cards: what must follow what, and what it comes to.

It reads the pack's plain values and the events, keeps a table of its own, and says where the real rules differ.
Nothing of `domain.adamantine` but the pack's values and the names of events is used.
"""

from itertools import combinations
from typing import Any

import msgspec

from domain.adamantine.content.house_pack import HOUSE

PACK = msgspec.to_builtins(HOUSE)
HERO = {card["id"]: {"kind": "champion"} | card for card in (*PACK["champions"], *PACK["heroes"])}
MONSTERS = {card["id"]: card for card in PACK["monsters"]}
TRAPS = {card["id"]: card for card in PACK["traps"]}
EVENTS = {card["id"]: card for card in PACK["events"]}
DUNGEON = MONSTERS | TRAPS | EVENTS
STATS = ("might", "agility", "wits", "will")
MANY = 11  # cards in play of which not every payment is tried out


def minimal_payments(values: dict[int, int], cost: int) -> list[frozenset[int]]:
    """Every set of cards that pays a cost and of which no card can be left out."""
    found = []
    for size in range(1, len(values) + 1):
        for cards in combinations(values, size):
            paid = sum(values[card] for card in cards)
            if paid >= cost and all(paid - values[card] < cost for card in cards):
                found.append(frozenset(cards))
    return found


class Side:
    def __init__(self) -> None:
        self.hand: dict[int, str] = {}
        self.night: dict[int, str] = {}
        self.play: dict[int, str] = {}
        self.champion, self.wounds, self.days = "", 0, 0
        self.rooms: dict[int, dict[int, str]] = {}
        self.up: set[int] = set()
        self.free: set[int] = set()
        self.hero_discard: list[str] = []
        self.dungeon_discard: list[str] = []
        self.hero_deck = self.dungeon_deck = 0
        self.searches = self.encounters = 0
        self.explored: set[int] = set()
        self.used: dict[int, int] = {}

    def standing(self, effect: str, key: str = "amount") -> int:
        cards = [*self.play.values(), *([self.champion] if self.champion else [])]
        return sum(e[key] for card in cards for e in HERO[card].get("standing", ()) if e["effect"] == effect)

    def bonus(self, stat: str, when: str) -> int:
        value = HERO[self.champion][stat]
        for card in (*self.play.values(), self.champion):
            for e in HERO[card].get("standing", ()):
                if (
                    e["effect"] == "bonus"
                    and e["statistic"] == stat
                    and e.get("when", "always") in ("always", when)
                ):
                    value += e["amount"]
        return value

    def health(self) -> int:
        return HERO[self.champion]["health"] + self.standing("vigour")

    def danger(self) -> int:
        cards = [*self.play.values(), self.champion]
        return max(0, sum(HERO[card]["danger"] for card in cards) - self.standing("stealth"))

    def price(self, card: str) -> int:
        less = 0
        for other in (*self.play.values(), self.champion):
            for e in HERO[other].get("standing", ()):
                less += e["gold"] if e["effect"] == "cheaper" and e["kind"] == HERO[card]["kind"] else 0
        return max(0, HERO[card]["gold"] - less)


class Visit:
    """A champion in a room: what has happened there so far."""

    def __init__(self, explorer: int, room: int) -> None:
        self.explorer, self.room = explorer, room
        self.trimming = False
        self.fought: str | None = None
        self.damage = 0
        self.strikers: list[int] = []
        self.tried: set[int] = set()
        self.gold = self.rage = self.tough = self.shield = 0
        self.curses: list[tuple[str | None, int]] = []
        self.boosts: list[tuple[str | None, int, str]] = []
        self.left = False


class Naive:
    def __init__(self) -> None:
        self.sides = [Side(), Side()]
        self.counter = 0
        self.turn = -1
        self.visit: Visit | None = None
        self.effects: list[dict[str, Any]] = []
        self.source = ("", "", 0)
        self.dying: list[int] = []
        self.slain: list[int] = []
        self.assigned: list[int] = []
        self.paying = 0
        self.paid: set[int] = set()
        self.last: list[int] = []
        self.die = 0
        self.winner: int | None = None

    # --- helpers

    def handles(self, count: int) -> list[int]:
        first = self.counter + 1
        self.counter += count
        return list(range(first, first + count))

    def room(self) -> dict[int, str]:
        assert self.visit is not None
        return self.sides[1 - self.visit.explorer].rooms[self.visit.room]

    def among(self, cards: dict[str, Any]) -> list[int]:
        return [handle for handle, card in self.room().items() if card in cards]

    def statistic(self, stat: str, when: str) -> int:
        visit = self.visit
        assert visit is not None
        changes = [*visit.curses, *[(named, amount) for named, amount, time in visit.boosts if time == when]]
        change = sum(amount for named, amount in changes if named in (None, stat))
        return max(0, self.sides[visit.explorer].bonus(stat, when) + change)

    def monster(self, handle: int) -> tuple[int, int]:
        """Health, and the damage it deals to an ally."""
        visit = self.visit
        assert visit is not None
        card = MONSTERS[self.room()[handle]]
        horde = sum(e["amount"] for e in card.get("nature", ()) if e["effect"] == "horde")
        others = len(self.among(MONSTERS)) - 1
        return card["health"] + visit.tough, card["damage"] + visit.rage + horde * others

    def trash(self, handles: Any) -> None:
        """Cards of the explored room are discarded."""
        assert self.visit is not None
        owner = self.sides[1 - self.visit.explorer]
        for handle, card in list(self.room().items()):
            if handle in handles:
                owner.dungeon_discard.append(card)
                del self.room()[handle]

    def beat(self, handles: Any) -> None:
        assert self.visit is not None
        more = self.sides[self.visit.explorer].standing("plunder", "gold")
        self.visit.gold += sum(DUNGEON[self.room()[handle]]["reward"] + more for handle in handles)
        self.trash(handles)

    def drop(self, seat: int, handles: Any) -> None:
        side = self.sides[seat]
        for handle, card in list(side.play.items()):
            if handle in handles:
                side.hero_discard.append(card)
                del side.play[handle]
        self.check_death(seat)

    def hurt(self, seat: int, amount: int) -> None:
        self.sides[seat].wounds += max(0, amount)
        self.check_death(seat)

    def check_death(self, seat: int) -> None:
        side = self.sides[seat]
        if side.wounds >= side.health() and seat not in self.dying:
            self.dying = sorted({*self.dying, seat}, key=lambda one: one != self.turn)
            self.effects = []

    def cost(self, seat: int, handle: int) -> int:
        side = self.sides[seat]
        price = side.price(side.hand[handle])
        if self.visit is not None:
            return max(0, price - self.visit.gold)
        return 0 if handle in side.free and price <= 5 else price

    def playable(self, seat: int) -> set[int]:
        side = self.sides[seat]
        wealth = sum(HERO[card]["gold"] for card in side.play.values())
        return {
            handle
            for handle, card in side.hand.items()
            if HERO[card]["kind"] != "champion"
            and set(HERO[card].get("needs", ())) <= set(side.play.values())
            and self.cost(seat, handle) <= wealth
        }

    def sacrifices(self, seat: int) -> set[int] | None:
        """What can be sacrificed next; None where there are too many ways to try."""
        side = self.sides[seat]
        values = {handle: HERO[card]["gold"] for handle, card in side.play.items()}
        if len(values) > MANY:
            return None
        ways = minimal_payments(values, self.cost(seat, self.paying))
        return {handle for way in ways if self.paid <= way for handle in way - self.paid}

    # --- what happened

    def asked(self, command: Any) -> None:
        assigns = command is not None and command.type_name() == "assign_damage"
        self.last = [command.card] * command.points if assigns else []

    def happened(self, event: Any) -> None:
        assert self.winner is None
        name = event.type_name()
        if self.dying:
            assert name in ("champion_slain", "champion_possessed", "seat_resigned")
        elif self.effects:
            assert name in (
                "effect_performed", "hero_cards_drawn", "dungeon_cards_discarded", "room_seen", "cards_lost",
                "card_picked", "choice_cancelled", "seat_resigned",
            )  # fmt: skip
        elif self.visit is not None and self.visit.left:
            assert name in ("exploration_ended", "seat_resigned")
        getattr(self, f"on_{name}")(event)

    def on_first_seat_drawn(self, event: Any) -> None: ...

    def on_deck_brought(self, event: Any) -> None: ...

    def on_champion_chosen(self, event: Any) -> None:
        self.sides[event.seat].champion = event.champion
        self.handles(1)

    def on_class_chosen(self, event: Any) -> None:
        assert HERO[event.hero_class]["kind"] == "class"
        self.sides[event.seat].play[self.handles(1)[0]] = event.hero_class

    def on_deck_shuffled(self, event: Any) -> None:
        assert event.cards == (58 if event.deck == "hero" else 60)
        setattr(self.sides[event.seat], f"{event.deck}_deck", event.cards)

    def on_day_begun(self, event: Any) -> None:
        side = self.sides[event.seat]
        assert event.seat == 1 - self.turn or self.turn < 0
        self.turn = event.seat
        full = 6 + side.standing("insight", "cards")
        assert event.drawn == len(event.cards) == min(side.hero_deck, max(0, full - len(side.hand)))
        new = dict(zip(self.handles(event.drawn), event.cards, strict=True))
        side.hero_deck -= event.drawn
        side.hand |= new
        side.free = set(new) if not side.days else set()
        side.days += 1
        side.searches, side.encounters, side.explored = 0, 0, set()
        for one in self.sides:
            one.used = {}

    def on_day_ended(self, event: Any) -> None:
        assert self.visit is None
        assert event.seat == self.turn
        self.sides[event.seat].free = set()

    def on_night_begun(self, event: Any) -> None:
        side = self.sides[event.seat]
        assert side.dungeon_deck
        assert list(event.discarded) == list(side.night.values())
        assert event.drawn == len(event.cards) == min(6, side.dungeon_deck)
        side.dungeon_discard += side.night.values()
        side.dungeon_deck -= event.drawn
        side.night = dict(zip(self.handles(event.drawn), event.cards, strict=True))

    def on_night_failed(self, event: Any) -> None:
        assert self.sides[event.seat].dungeon_deck == 0
        self.winner = 1 - event.seat

    def on_night_ended(self, event: Any) -> None:
        assert event.seat == self.turn
        assert self.visit is None

    def on_searched(self, event: Any) -> None:
        other = self.sides[1 - event.seat]
        assert not other.rooms
        side = self.sides[event.seat]
        assert len(event.cards) == min(other.dungeon_deck, event.die + side.standing("searching", "cards"))
        other.dungeon_deck -= len(event.cards)
        other.dungeon_discard += event.cards
        side.searches += 1

    # --- hero cards

    def on_choice_begun(self, event: Any) -> None:
        if event.what == "payment":
            assert event.card in self.playable(event.seat)
            assert self.cost(event.seat, event.card) > 0
            self.paying, self.paid = event.card, set()
        self.assigned = []

    def on_choice_cancelled(self, event: Any) -> None:
        self.paying, self.paid, self.assigned = 0, set(), []

    def on_card_picked(self, event: Any) -> None:
        self.assigned += [event.card] * event.times
        if self.paying:
            self.paid.add(event.card)

    def on_card_played(self, event: Any) -> None:
        side = self.sides[event.seat]
        assert side.hand[event.held] == event.card
        assert event.held in self.playable(event.seat)
        cost = self.cost(event.seat, event.held)
        values = {handle: HERO[card]["gold"] for handle, card in side.play.items()}
        paid = [values[handle] for handle in event.sacrificed]
        assert sum(paid) >= cost
        assert all(sum(paid) - value < cost for value in paid)
        assert len(set(event.sacrificed)) == len(paid)
        gold = 0
        if self.visit is not None:
            gold = min(self.visit.gold, side.price(event.card))
            assert self.visit.gold, "played without a reward"
            self.visit.gold -= gold
        assert event.gold == gold
        del side.hand[event.held]
        side.play[self.handles(1)[0]] = event.card
        self.paying, self.paid = 0, set()
        self.drop(event.seat, event.sacrificed)

    def on_champion_possessed(self, event: Any) -> None:
        side = self.sides[event.seat]
        assert side.hand.pop(event.held) == event.champion
        assert HERO[event.champion]["kind"] == "champion"
        side.hero_discard.append(side.champion)
        for handle, card in list(side.play.items()):
            if HERO[card]["kind"] in ("class", "prestige", "feat"):
                side.hero_discard.append(side.play.pop(handle))
        side.champion, side.wounds = event.champion, 0
        self.handles(1)
        if self.dying:
            assert self.dying.pop(0) == event.seat
            self.settle()
        else:
            assert self.visit is None
            assert event.seat == self.turn

    def on_champion_slain(self, event: Any) -> None:
        assert self.dying.pop(0) == event.seat
        self.slain.append(event.seat)
        self.settle()

    def settle(self) -> None:
        if self.dying:
            return
        if self.slain:
            self.winner = self.turn if len(self.slain) == 2 else 1 - self.slain[0]
            if self.visit is not None:
                self.leave()
        elif self.visit is not None:
            self.visit.left = True

    def on_ability_used(self, event: Any) -> None:
        side = self.sides[event.seat]
        card = side.play[event.card]
        ability = HERO[card]["ability"]
        side.used[event.card] = side.used.get(event.card, 0) + 1
        assert side.used[event.card] <= ability.get("uses", 1)
        self.effects = list(ability["effects"])
        self.source = (card, "use", event.target)
        if ability.get("discard"):
            self.drop(event.seat, [event.card])

    # --- effects

    def next_effect(self, *kinds: str) -> dict[str, Any]:
        effect = self.effects.pop(0)
        assert not kinds or effect["effect"] in kinds
        return effect

    def on_hero_cards_drawn(self, event: Any) -> None:
        side = self.sides[event.seat]
        effect = self.next_effect("draw")
        assert event.drawn == len(event.cards) == min(effect["cards"], side.hero_deck)
        side.hero_deck -= event.drawn
        side.hand |= dict(zip(self.handles(event.drawn), event.cards, strict=True))

    def on_dungeon_cards_discarded(self, event: Any) -> None:
        side = self.sides[event.seat]
        effect = self.next_effect("mill")
        whose = self.visit.explorer if self.visit is not None else self.turn
        assert event.seat == (whose if effect.get("whose") == "own" else 1 - whose)
        assert len(event.cards) == min(effect["cards"], side.dungeon_deck)
        side.dungeon_deck -= len(event.cards)
        side.dungeon_discard += event.cards

    def on_room_seen(self, event: Any) -> None:
        self.next_effect("scout")
        assert event.room == self.source[2]
        assert list(event.cards) == list(self.sides[1 - event.seat].rooms[event.room].values())

    def on_cards_lost(self, event: Any) -> None:
        effect = self.next_effect("lose", "forget")
        side = self.sides[event.seat]
        assert self.visit is not None
        assert event.seat == self.visit.explorer
        if effect["effect"] == "forget":
            assert len(event.cards) == min(effect["cards"], len(side.hand))
            side.hero_discard += [side.hand.pop(handle) for handle in event.handles]
        else:
            kind = effect.get("kind", "any")
            fitting = [one for one, card in side.play.items() if kind in ("any", HERO[card]["kind"])]
            assert set(event.handles) <= set(fitting)
            assert len(event.handles) == min(effect["cards"], len(fitting))
            self.drop(event.seat, event.handles)
        self.assigned = []

    def on_effect_performed(self, event: Any) -> None:
        effect = self.next_effect()
        assert (event.card, event.part) == self.source[:2]
        side, visit = self.sides[event.seat], self.visit
        amount = effect.get("amount", 0)
        match effect["effect"]:
            case "heal":
                side.wounds = max(0, side.wounds - amount)
            case "harm":
                for seat in (event.seat, 1 - event.seat) if effect.get("whom") == "both" else (event.seat,):
                    ward = 0 if event.part == "strike" else self.sides[seat].standing("ward")
                    self.hurt(seat, amount - ward)
            case "search_again":
                side.searches -= 1
            case "lose" | "forget":
                pass  # there was nothing to lose
            case "draw" | "mill" | "scout":
                raise AssertionError
            case other:
                assert visit is not None
                match other:
                    case "boost":
                        time = HERO[event.card]["ability"]["time"]
                        visit.boosts.append((effect.get("statistic"), amount, time))
                    case "curse":
                        visit.curses.append((effect.get("statistic"), -amount))
                    case "shield":
                        visit.shield += amount
                    case "rage":
                        visit.rage += amount
                    case "toughen":
                        visit.tough += amount
                    case "gold":
                        visit.gold += amount
                    case "smite":
                        assert self.monster(self.source[2])[0] <= effect["health"]
                        self.beat([self.source[2]])
                    case "disarm":
                        trap = self.trap()
                        assert TRAPS[self.room()[trap]]["value"] <= effect["value"]
                        self.pass_trap(trap)
                    case "leave":
                        visit.left, visit.gold = True, 0
                    case _:
                        raise AssertionError(other)

    # --- rooms

    def on_room_built(self, event: Any) -> None:
        assert event.size == len(event.cards) > 0
        self.lay(event)

    def on_encounter_rolled(self, event: Any) -> None:
        side = self.sides[event.seat]
        assert side.encounters == 0
        side.encounters, self.die, self.assigned = 1, event.die, []

    def on_encounter_laid(self, event: Any) -> None:
        assert len(event.cards) <= self.die
        assert not set(event.cards) & set(TRAPS)
        if event.cards:
            room = self.lay(event)
            self.sides[event.seat].up |= set(self.sides[event.seat].rooms[room])
            self.enter(1 - event.seat, room, turned=True)

    def lay(self, event: Any) -> int:
        side = self.sides[event.seat]
        assert [side.night[handle] for handle in self.assigned] == list(event.cards)
        for handle in self.assigned:
            del side.night[handle]
        self.assigned = []
        (room,) = self.handles(1)
        side.rooms[room] = dict(zip(self.handles(len(event.cards)), event.cards, strict=True))
        return room

    def on_room_explored(self, event: Any) -> None:
        owner, side = self.sides[1 - event.seat], self.sides[event.seat]
        assert event.room not in side.explored
        side.explored.add(event.room)
        cards = owner.rooms[event.room]
        assert list(event.cards) == list(cards.values())
        turned = not set(cards) <= owner.up
        owner.up |= set(cards)
        self.enter(event.seat, event.room, turned=turned)

    def enter(self, explorer: int, room: int, *, turned: bool) -> None:
        assert self.visit is None
        self.visit = Visit(explorer, room)
        self.visit.trimming = turned and self.too_dangerous(self.room())
        self.assigned = []

    def too_dangerous(self, cards: dict[int, str]) -> bool:
        assert self.visit is not None
        return (
            sum(DUNGEON[card]["danger"] for card in cards.values()) > self.sides[self.visit.explorer].danger()
        )

    def on_room_trimmed(self, event: Any) -> None:
        assert self.visit is not None
        assert self.visit.trimming
        gone = list(event.cards)
        left = {handle: card for handle, card in self.room().items() if handle not in gone}
        assert not self.too_dangerous(left)
        assert self.too_dangerous(left | {gone[-1]: self.room()[gone[-1]]}), "more discarded than needed"
        self.trash(gone)
        self.visit.trimming, self.assigned = False, []

    def on_event_resolved(self, event: Any) -> None:
        assert self.visit is not None
        assert not self.visit.trimming
        assert event.card == self.among(EVENTS)[0]
        card = self.room()[event.card]
        self.trash([event.card])
        self.effects, self.source = list(EVENTS[card]["effects"]), (card, "event", 0)

    def on_statistic_chosen(self, event: Any) -> None:
        assert self.visit is not None
        assert not self.visit.trimming
        assert not self.among(EVENTS)
        assert self.among(MONSTERS)
        assert self.visit.fought is None
        self.visit.fought = event.statistic

    def on_damage_rolled(self, event: Any) -> None:
        visit = self.visit
        assert visit is not None
        assert visit.fought is not None
        side, stat = self.sides[visit.explorer], visit.fought
        monsters = [MONSTERS[self.room()[one]] for one in self.among(MONSTERS)]
        value = event.die + self.statistic(stat, "combat")
        for monster in monsters:
            for e in monster.get("nature", ()):
                if e.get("statistic") == stat:
                    value += e["amount"] if e["effect"] == "weakness" else -e["amount"]
        for card in (*side.play.values(), side.champion):
            for e in HERO[card].get("standing", ()):
                if e["effect"] == "slayer" and any(e["trait"] in one.get("traits", ()) for one in monsters):
                    value += e["amount"]
        assert event.damage == max(0, value)
        visit.damage, self.assigned = event.damage, []

    def on_damage_divided(self, event: Any) -> None:
        visit = self.visit
        assert visit is not None
        self.assigned += self.last  # the last points are in the command alone
        lives = {handle: self.monster(handle)[0] for handle in self.among(MONSTERS)}
        if self.assigned:
            assert len(self.assigned) == visit.damage
            assert all(self.assigned.count(handle) <= life for handle, life in lives.items())
            dead = {handle for handle, life in lives.items() if self.assigned.count(handle) == life}
        elif sum(lives.values()) <= visit.damage:
            dead = set(lives)
        else:
            assert all(life > visit.damage for life in lives.values())
            dead = set()
        assert set(event.beaten) == dead
        self.beat(dead)
        visit.strikers, self.assigned = self.among(MONSTERS), []

    def on_monster_struck(self, event: Any) -> None:
        visit = self.visit
        assert visit is not None
        assert event.card == visit.strikers.pop(0)
        side = self.sides[visit.explorer]
        damage = self.monster(event.card)[1]
        card = self.room()[event.card]
        self.effects, self.source = list(MONSTERS[card].get("strike", ())), (card, "strike", 0)
        if event.target in side.play:
            guards = [e for e in HERO[side.play[event.target]]["standing"] if e["effect"] == "guard"]
            assert guards
            assert event.damage == damage
            if damage >= guards[0]["toughness"]:
                self.drop(visit.explorer, [event.target])
        else:
            assert event.damage == max(0, damage - side.standing("armour") - visit.shield)
            self.hurt(visit.explorer, event.damage)

    def trap(self) -> int:
        assert self.visit is not None
        return next(one for one in self.among(TRAPS) if one not in self.visit.tried)

    def next_reward(self) -> None:
        """What was earned before is spent or lost; nobody was asked only where there is no hand."""
        assert self.visit is not None
        assert not self.visit.gold or not self.sides[self.visit.explorer].hand
        self.visit.gold = 0

    def pass_trap(self, trap: int) -> None:
        assert self.visit is not None
        card = self.room()[trap]
        self.next_reward()
        self.visit.boosts = []
        self.beat([trap])
        self.effects, self.source = list(TRAPS[card].get("success", ())), (card, "success", 0)

    def on_check_begun(self, event: Any) -> None: ...

    def on_check_rolled(self, event: Any) -> None:
        visit = self.visit
        assert visit is not None
        assert not visit.strikers
        assert visit.fought is not None or not self.among(MONSTERS)
        assert not self.among(EVENTS)
        trap = self.trap()
        assert event.card == trap
        card = TRAPS[self.room()[trap]]
        assert event.total == event.die + self.statistic(card["statistic"], "check")
        visit.boosts = []
        if event.total > card["value"]:
            self.pass_trap(trap)
            return
        self.next_reward()
        visit.tried.add(trap)
        if event.total < card["value"]:
            self.effects, self.source = list(card["failure"]), (card["id"], "failure", 0)

    def on_reward_ended(self, event: Any) -> None:
        assert self.visit is not None
        assert event.lost == self.visit.gold > 0
        self.visit.gold = 0

    def on_exploration_ended(self, event: Any) -> None:
        visit = self.visit
        assert visit is not None
        assert event.room == visit.room
        if not visit.left:
            assert not self.among(EVENTS)
            assert visit.fought is not None or not self.among(MONSTERS)
            assert not visit.strikers
            assert set(self.among(TRAPS)) <= visit.tried
            assert not visit.gold or not self.sides[visit.explorer].hand
        self.leave()

    def leave(self) -> None:
        assert self.visit is not None
        owner = self.sides[1 - self.visit.explorer]
        cards = self.room()
        if self.visit.explorer != self.turn:  # an encounter, met in its owner's night
            owner.dungeon_discard += cards.values()
            del owner.rooms[self.visit.room]
        elif not cards:
            del owner.rooms[self.visit.room]
        self.visit = None

    def on_seat_resigned(self, event: Any) -> None:
        self.winner = 1 - event.seat
