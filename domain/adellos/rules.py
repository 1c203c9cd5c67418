"""The rules of Adellos, played with one pack's components. `AE-n` names a ruling of docs/rulings.md.

A command leads to one event; `advance` adds what the rules owe. A seat of None is the system.
"""

from collections.abc import Sequence
from typing import Any

from domain.adellos import choices, combat, judging, movement, setup, turn
from domain.adellos import commands as c
from domain.adellos import events as e
from domain.adellos.box import Box, Ground
from domain.adellos.evolving import evolve
from domain.adellos.legal import declined, legal, must_spend
from domain.adellos.options import AdellosOptions
from domain.adellos.state import NOBODY, AdellosState
from domain.chance import Chance
from domain.game import Command, Event, IllegalCommand, Outcome

SET_UP_PHASES = ("agreeing", "nobles", "placing")
STEP_OF: dict[type[Command], str] = {
    c.AgreeTrading: "agreeing",
    c.ChooseNoble: "nobles",
    c.PlaceNoble: "placing",
    c.EndSetUp: "placing",
}
AIMING = (c.ChooseField, c.ChooseKind, c.ChooseSeat, c.FinishChoice)
QUIET = (
    e.UnitMoved,
    e.UnitsSwapped,
    e.CombatBegun,
    e.ChoiceBegun,
    e.TargetChosen,
    e.ChoiceCancelled,
    e.TurnEnded,
)


class Rules:
    """`domain.game.Rules` for the components in `box`."""

    def __init__(self, box: Box) -> None:
        self.box = box

    # --- set-up and what follows by itself -----------------------------------------------------------------

    def initial(self, options: AdellosOptions, seats: int) -> AdellosState:
        return setup.initial(self.box, options, seats)

    def start(self, options: AdellosOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
        return self.advance(self.initial(options, seats), chance)

    def advance(self, state: AdellosState, chance: Chance) -> tuple[Event, ...]:
        events: list[Event] = []
        while (event := self._owed(state, chance)) is not None:
            events.append(event)
            state = self.evolve(state, event)
        return tuple(events)

    def _owed(self, state: AdellosState, chance: Chance) -> Event | None:
        if state.phase == "over":
            return None
        if state.phase == "drawing":
            return setup.draw(self.box, state, chance)
        if state.owed:
            return turn.settle(state)
        if state.choice is not None:
            return choices.owed(self.box, self._ground(state), state)
        if state.combat is not None:
            return combat.settle(self.box, self._ground(state), state)
        if state.phase == "ticked":
            return turn.begin(self.box, state)
        return None

    # --- decisions -----------------------------------------------------------------------------------------

    def decide(
        self, state: AdellosState, command: Command, seat: int | None, chance: Chance
    ) -> tuple[Event, ...]:
        if state.phase == "over":
            raise IllegalCommand("match-over", "The match is over.")
        event = self._event(state, command, seat)
        if isinstance(event, QUIET):
            return (event,)
        return (event, *self.advance(self.evolve(state, event), chance))

    def _event(self, state: AdellosState, command: Command, seat: int | None) -> Event:
        if isinstance(command, c.TickTimeCounters):
            if seat is not None:
                raise IllegalCommand("system-command", "The system takes the Time Counters off.")
            if state.phase != "ticking":
                raise IllegalCommand("no-tick-due", "No turn has just ended.")
            return turn.tick(state)
        acting = self.to_act(state)
        by_system = seat is None
        if seat is None:
            if not acting:
                raise IllegalCommand("nobody-to-act", "No decision is awaited.")
            seat = acting[0]
        elif seat not in acting:
            raise IllegalCommand("not-your-decision", "It is not this seat's decision.")
        if state.choice is not None:
            if isinstance(command, c.CancelChoice):
                if state.choice.card:
                    raise IllegalCommand("card-is-played", "The card is played; it has to be aimed.")
                return e.ChoiceCancelled(seat=seat)
            if isinstance(command, AIMING):
                return choices.aim(self.box, self._ground(state), state, command)
            raise IllegalCommand("choice-pending", "Something is being aimed: choose, or cancel it.")
        if isinstance(command, (c.CancelChoice, *AIMING)):
            raise IllegalCommand("no-choice-pending", "Nothing is being aimed.")
        if state.combat is not None:
            return self._in_combat(state, command, seat)
        if state.phase in SET_UP_PHASES:
            return self._in_set_up(state, command, seat)
        return self._in_turn(state, command, seat, by_system)

    def _in_combat(self, state: AdellosState, command: Command, seat: int) -> Event:
        match command:
            case c.Pass():
                return e.Passed(seat=seat)
            case c.PlayCard():
                return choices.play_card(self.box, state, command, seat)
        raise IllegalCommand("combat-goes-on", "In a combat one plays combat cards or passes.")

    def _in_set_up(self, state: AdellosState, command: Command, seat: int) -> Event:
        ground = self._ground(state)
        if isinstance(command, c.Hire) and state.phase == "placing":
            choice = movement.hire(self.box, ground, state, command, seat)
            return choices.take_up(self.box, ground, state, choice)
        if STEP_OF.get(type(command)) != state.phase:
            raise IllegalCommand("not-at-this-step", "That is not for this step of the set-up.")
        match command:
            case c.AgreeTrading():
                return setup.agree(command, seat)
            case c.ChooseNoble():
                return setup.choose_noble(self.box, state, command, seat)
            case c.PlaceNoble():
                return setup.place_noble(ground, state, command, seat)
        return setup.end(state, seat)

    def _in_turn(self, state: AdellosState, command: Command, seat: int, by_system: bool) -> Event:
        box, ground = self.box, self._ground(state)
        match command:
            case c.Move():
                return movement.move(box, ground, state, command, seat)
            case c.Attack():
                return combat.attack(ground, state, command, seat)
            case c.Swap():
                return movement.swap(ground, state, command, seat)
            case c.Hire():
                return choices.take_up(box, ground, state, movement.hire(box, ground, state, command, seat))
            case c.UseAbility():
                return choices.take_up(box, ground, state, choices.use_ability(box, state, command, seat))
            case c.PlayCard():
                return choices.play_card(box, state, command, seat)
            case c.KeepCounter():
                return turn.keep_counter(state, command, seat)
            case c.GiveGold() | c.GiveCard():
                return trade(state, command, seat)
            case c.EndTurn():
                if not by_system and must_spend(box, ground, state, seat):
                    raise IllegalCommand(
                        "AE-1", "Action points are left and something can be done with them."
                    )
                return e.TurnEnded(seat=seat, lapsed=state.ap)
        raise IllegalCommand("not-in-a-turn", "That is not for a turn.")

    def legal(self, state: AdellosState, seat: int) -> Sequence[Command]:
        if seat not in self.to_act(state):
            return ()
        return legal(self.box, self._ground(state), state, seat)

    # --- who decides ---------------------------------------------------------------------------------------

    def to_act(self, state: AdellosState) -> tuple[int, ...]:
        if state.phase in ("over", "drawing", "ticking", "ticked") or state.owed:
            return ()
        if state.choice is not None:
            return (state.choice.seat,)
        if state.combat is not None:
            if state.combat.broken or state.combat.passes >= 2:
                return ()
            return (state.combat.asked,)
        return (state.turn,)

    def due(self, state: AdellosState) -> Command | None:
        """What the system has to do before the match goes on."""
        return c.TickTimeCounters() if state.phase == "ticking" and not state.owed else None

    def default(self, state: AdellosState, seat: int) -> Command | None:
        """What happens at the deadline of the seat's decision: decline, else the first legal choice."""
        if seat not in self.to_act(state):
            return None
        if state.choice is not None:
            return declined(self.box, self._ground(state), state, state.choice)
        if state.combat is not None:
            return c.Pass()
        if state.phase == "agreeing":
            return c.AgreeTrading(agree=False)
        if state.phase == "turn":
            return c.EndTurn()
        if state.phase == "placing" and state.players[seat].noble_at >= 0:
            return c.EndSetUp()
        return self.legal(state, seat)[0]

    def decline(self, state: AdellosState, seat: int) -> Command | None:
        asked = state.combat is not None and state.choice is None and seat in self.to_act(state)
        return c.Pass() if asked else None

    def resign(self, state: AdellosState, seat: int, chance: Chance) -> tuple[Event, ...]:
        if state.phase == "over" or not state.players[seat].alive:
            raise IllegalCommand("not-in-the-match", "The seat has left the match.")
        event = e.SeatResigned(seat=seat)
        return (event, *self.advance(self.evolve(state, event), chance))

    # --- the end -------------------------------------------------------------------------------------------

    def outcome(self, state: AdellosState) -> Outcome | None:
        if state.phase != "over":
            return None
        scores = tuple(int(player.seat == state.winner) for player in state.players)
        if state.winner == NOBODY:
            return Outcome("drawn", reason=state.reason, scores=scores)
        return Outcome("won", winner=state.winner, reason=state.reason, scores=scores)

    def forfeit(self, state: AdellosState, seat: int | None, result: str) -> Outcome:  # noqa: ARG002
        return Outcome(result, reason=result, scores=(0,) * len(state.players))

    # --- what events do ------------------------------------------------------------------------------------

    def _ground(self, state: AdellosState) -> Ground:
        return self.box.ground(state.options)

    def evolve(self, state: AdellosState, event: Any) -> AdellosState:
        return evolve(self.box, self._ground(state), state, event)

    # --- for bots ------------------------------------------------------------------------------------------

    def imagine(self, state: AdellosState, seat: int, chance: Chance) -> AdellosState:
        return judging.imagine(self.box, state, seat, chance)

    def evaluate(self, state: AdellosState, seat: int) -> float:
        return judging.evaluate(self.box, self._ground(state), state, seat)


def trade(state: AdellosState, command: c.GiveGold | c.GiveCard, seat: int) -> Event:
    """A gift in the own turn, where all seats agreed to it."""
    if not state.trading:
        raise IllegalCommand("no-trading", "Not every seat agreed to gifts.")
    if (
        not (0 <= command.to < len(state.players))
        or command.to == seat
        or not state.players[command.to].alive
    ):
        raise IllegalCommand("no-such-receiver", "There is no such other player in the match.")
    if isinstance(command, c.GiveGold):
        if state.players[seat].gold < 1:
            raise IllegalCommand("too-little-gold", "There is no gold to give.")
        return e.GoldGiven(seat=seat, to=command.to)
    if command.card not in state.players[seat].hand:
        raise IllegalCommand("card-not-in-hand", "The card is not in the own hand.")
    return e.CardGiven(seat=seat, to=command.to, card=command.card)
