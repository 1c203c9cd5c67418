"""The rules of Adamantine, played with one pack's cards. `AM-n` names a ruling of docs/rulings.md.

A command leads to one event; `advance` adds what the rules owe. A seat of None is the system.
"""

from collections.abc import Sequence
from typing import Any

from domain.adamantine import (
    checks,
    combat,
    death,
    exploring,
    imagining,
    judging,
    performing,
    playing,
    setup,
    turn,
)
from domain.adamantine import commands as c
from domain.adamantine import events as e
from domain.adamantine.box import Box
from domain.adamantine.evolving import evolve
from domain.adamantine.legal import legal
from domain.adamantine.options import AdamantineOptions
from domain.adamantine.state import NOBODY, AdamantineState, Choice, Exploration
from domain.chance import Chance
from domain.game import Command, Event, IllegalCommand, Outcome

LAYING = ("room", "encounter")
QUIET = (e.ChoiceBegun, e.CardPicked, e.ChoiceCancelled, e.RoomBuilt, e.EncounterRolled)


class Rules:
    """`domain.game.Rules` for the cards in `box`."""

    def __init__(self, box: Box) -> None:
        self.box = box

    # --- set-up and what follows by itself -----------------------------------------------------------------

    def initial(self, options: AdamantineOptions, seats: int) -> AdamantineState:
        return setup.initial(self.box, options, seats)

    def start(self, options: AdamantineOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
        return self.advance(self.initial(options, seats), chance)

    def advance(self, state: AdamantineState, chance: Chance) -> tuple[Event, ...]:
        events: list[Event] = []
        while (event := self._owed(state, chance)) is not None:
            events.append(event)
            state = self.evolve(state, event)
        return tuple(events)

    def _owed(self, state: AdamantineState, chance: Chance) -> Event | None:
        if state.phase == "over":
            return None
        if state.dying:
            return death.settle(self.box, state)
        if state.cursor is not None:
            return performing.perform(self.box, state, state.cursor)
        if state.exploration is not None:
            return self._owed_in_room(state, state.exploration, chance)
        match state.phase:
            case "drawing":
                return setup.draw_first_seat(chance)
            case "shuffling":
                return setup.shuffle(state, chance)
            case "dawn":
                return turn.begin_day(self.box, state)
            case "dusk":
                return turn.begin_night(state)
        return None

    def _owed_in_room(self, state: AdamantineState, now: Exploration, chance: Chance) -> Event | None:
        if state.choice is not None:
            return None
        box = self.box
        match now.step:
            case "events":
                return exploring.next_event(box, state)
            case "rolling":
                return combat.roll_damage(box, state, chance)
            case "dividing":
                return combat.only_division(box, state)
            case "striking":
                if combat.guards(box, state):
                    return None
                champion = state.players[now.explorer].champion
                assert champion is not None
                return combat.strike(box, state, champion.handle)
            case "checks":
                if performing.usable(box, state, now.explorer, "check"):
                    return None
                return checks.roll_check(box, state, chance)
            case "checking":
                return checks.roll_check(box, state, chance)
            case "ending":
                return e.ExplorationEnded(room=now.room)
        return None

    # --- decisions -----------------------------------------------------------------------------------------

    def decide(
        self, state: AdamantineState, command: Command, seat: int | None, chance: Chance
    ) -> tuple[Event, ...]:
        if state.phase == "over":
            raise IllegalCommand("match-over", "The match is over.")
        acting = self.to_act(state)
        if seat is None:
            if not acting:
                raise IllegalCommand("nobody-to-act", "No decision is awaited.")
            seat = acting[0]
        elif seat not in acting:
            raise IllegalCommand("not-your-decision", "It is not this seat's decision.")
        event = self._event(state, command, seat, chance)
        if isinstance(event, QUIET):
            return (event,)
        return (event, *self.advance(self.evolve(state, event), chance))

    def _event(self, state: AdamantineState, command: Command, seat: int, chance: Chance) -> Event:
        if state.dying:
            return self._at_death(state, command, seat)
        if state.choice is not None:
            return self._in_choice(state, command, state.choice)
        if state.cursor is not None or state.exploration is not None:
            assert state.exploration is not None
            return self._in_room(state, command, state.exploration)
        match state.phase:
            case "day":
                return self._by_day(state, command, seat, chance)
            case "night":
                return self._by_night(state, command, seat, chance)
        return self._in_set_up(state, command, seat)

    def _at_death(self, state: AdamantineState, command: Command, seat: int) -> Event:
        match command:
            case c.Possess():
                return playing.possess(self.box, state, command, seat)
            case c.Decline():
                return e.ChampionSlain(seat=seat)
        raise IllegalCommand("champion-dead", "Another champion follows, or none does.")

    def _in_choice(self, state: AdamantineState, command: Command, choice: Choice) -> Event:
        match command:
            case c.Sacrifice() if choice.what == "payment":
                return playing.sacrifice(self.box, state, command, choice)
            case c.Use() if choice.what == "aim":
                return performing.aim(state, command, choice)
            case c.LayCard() if choice.what in LAYING:
                return turn.lay_card(self.box, state, command, choice)
            case c.Finish() if choice.what in LAYING:
                return turn.finish_laying(state, choice)
            case c.Cancel() if choice.picks or choice.what != "encounter":
                return e.ChoiceCancelled(seat=choice.seat)
        raise IllegalCommand("choice-pending", f"A {choice.what} is put together: choose, finish or cancel.")

    def _in_room(self, state: AdamantineState, command: Command, now: Exploration) -> Event:
        box, seat = self.box, now.explorer
        if isinstance(command, c.Cancel):
            if not now.picks:
                raise IllegalCommand("nothing-to-cancel", "Nothing has been chosen.")
            return e.ChoiceCancelled(seat=self.to_act(state)[0])
        if state.cursor is not None:
            if isinstance(command, c.Discard):
                return performing.discard(box, state, command, state.cursor)
            raise IllegalCommand("cards-owed", "Cards have to be discarded first.")
        match now.step, command:
            case "trimming", c.Discard():
                return exploring.trim(box, state, command)
            case "combat", c.ChooseStatistic():
                return combat.choose_statistic(command, seat)
            case "combat", c.Use():
                return performing.use(box, state, command, seat, "combat")
            case "dividing", c.AssignDamage():
                return combat.assign_damage(box, state, command)
            case "striking", c.TakeDamage():
                return combat.take_damage(box, state, command, seat)
            case "reward", c.PlayCard():
                return playing.play_card(box, state, command, seat)
            case "reward", c.Finish():
                return exploring.end_reward(state)
            case "checks", c.Use():
                return performing.use(box, state, command, seat, "check")
            case "checks", c.RollCheck():
                return e.CheckBegun(seat=seat)
        raise IllegalCommand("not-at-this-step", "That is not for this step of the exploration.")

    def _by_day(self, state: AdamantineState, command: Command, seat: int, chance: Chance) -> Event:
        box = self.box
        match command:
            case c.PlayCard():
                return playing.play_card(box, state, command, seat)
            case c.Use():
                return performing.use(box, state, command, seat, "day")
            case c.Explore():
                return exploring.explore(state, command, seat)
            case c.Search():
                return turn.search(box, state, seat, chance)
            case c.Possess():
                return playing.possess(box, state, command, seat)
            case c.EndDay():
                return e.DayEnded(seat=seat)
        raise IllegalCommand("not-by-day", "That is not for the day.")

    def _by_night(self, state: AdamantineState, command: Command, seat: int, chance: Chance) -> Event:
        match command:
            case c.BuildRoom():
                return turn.build_room(state, seat)
            case c.RandomEncounter():
                return turn.roll_encounter(state, seat, chance)
            case c.EndNight():
                return e.NightEnded(seat=seat)
        raise IllegalCommand("not-by-night", "That is not for the night.")

    def _in_set_up(self, state: AdamantineState, command: Command, seat: int) -> Event:
        match state.phase, command:
            case "bringing", c.BringDeck():
                return setup.bring_deck(self.box, command, seat)
            case "champions", c.ChooseChampion():
                return setup.choose_champion(self.box, state, command, seat)
            case "classes", c.ChooseClass():
                return setup.choose_class(self.box, state, command, seat)
        raise IllegalCommand("not-at-this-step", "That is not for this step of the set-up.")

    def legal(self, state: AdamantineState, seat: int) -> Sequence[Command]:
        if seat not in self.to_act(state):
            return ()
        return legal(self.box, state, seat)

    # --- who decides ---------------------------------------------------------------------------------------

    def to_act(self, state: AdamantineState) -> tuple[int, ...]:
        box, now = self.box, state.exploration
        if state.phase == "over":
            return ()
        if state.dying:
            return (state.dying[0],) if death.may_follow(box, state) else ()
        if state.choice is not None:
            return (state.choice.seat,)
        if state.cursor is not None:
            return (state.cursor.seat,) if performing.owed_cards(box, state) else ()
        if now is not None:
            return self._to_act_in_room(state, now)
        return () if state.phase in ("drawing", "shuffling", "dawn", "dusk") else (state.turn,)

    def _to_act_in_room(self, state: AdamantineState, now: Exploration) -> tuple[int, ...]:
        box = self.box
        match now.step:
            case "trimming":
                return (now.owner,)
            case "combat" | "reward":
                return (now.explorer,)
            case "dividing" if combat.only_division(box, state) is None:
                return (now.explorer,)
            case "striking" if combat.guards(box, state):
                return (now.explorer,)
            case "checks" if performing.usable(box, state, now.explorer, "check"):
                return (now.explorer,)
        return ()

    def due(self, state: AdamantineState) -> Command | None:  # noqa: ARG002
        """Nothing in Adamantine waits for the system but its deadlines."""
        return None

    def default(self, state: AdamantineState, seat: int) -> Command | None:
        """What happens at the deadline of the seat's decision: decline, else the first legal choice."""
        if seat not in self.to_act(state):
            return None
        now = state.exploration
        if state.dying:
            return c.Decline()
        if state.choice is not None:
            finished = state.choice.what == "encounter" and not state.choice.picks
            return c.Finish() if finished else c.Cancel()
        if state.cursor is None and now is not None:
            if now.step == "reward":
                return c.Finish()
            if now.step == "trimming":
                return exploring.default_trim(self.box, state)
        if state.phase == "day" and now is None:
            return c.EndDay()
        if state.phase == "night" and now is None:
            return c.EndNight()
        return self.legal(state, seat)[0]

    def decline(self, state: AdamantineState, seat: int) -> Command | None:  # noqa: ARG002
        """Nobody is merely asked for an answer: every decision is a choice of one's own."""
        return None

    def resign(self, state: AdamantineState, seat: int, chance: Chance) -> tuple[Event, ...]:  # noqa: ARG002
        if state.phase == "over" or not 0 <= seat < len(state.players):
            raise IllegalCommand("not-in-the-match", "The seat has left the match.")
        return (e.SeatResigned(seat=seat),)

    # --- the end -------------------------------------------------------------------------------------------

    def outcome(self, state: AdamantineState) -> Outcome | None:
        if state.phase != "over":
            return None
        scores = tuple([int(player.seat == state.winner) for player in state.players])
        if state.winner == NOBODY:
            return Outcome("drawn", reason=state.reason, scores=scores)
        return Outcome("won", winner=state.winner, reason=state.reason, scores=scores)

    def forfeit(self, state: AdamantineState, seat: int | None, result: str) -> Outcome:  # noqa: ARG002
        return Outcome(result, reason=result, scores=(0,) * len(state.players))

    # --- what events do ------------------------------------------------------------------------------------

    def evolve(self, state: AdamantineState, event: Any) -> AdamantineState:
        return evolve(self.box, state, event)

    # --- for bots ------------------------------------------------------------------------------------------

    def imagine(self, state: AdamantineState, seat: int, chance: Chance) -> AdamantineState:
        return imagining.imagine(self.box, state, seat, chance)

    def evaluate(self, state: AdamantineState, seat: int) -> float:
        return judging.evaluate(self.box, state, seat)
