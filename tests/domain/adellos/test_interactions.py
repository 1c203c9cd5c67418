"""What players ask about: rules that meet each other."""

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.adellos import ADELLOS
from domain.adellos.board import change_player
from domain.adellos.commands import (
    AgreeTrading,
    Attack,
    CancelChoice,
    ChooseNoble,
    EndSetUp,
    EndTurn,
    FinishChoice,
    GiveCard,
    GiveGold,
    Hire,
    KeepCounter,
    Move,
    Pass,
    PlaceNoble,
    PlayCard,
    Swap,
)
from domain.adellos.effects import Aura, Convert, Counters, Gold, HireFree, PlaceToken
from domain.adellos.events import (
    CardAimed,
    CardDrawn,
    CardPlayed,
    ChoiceBegun,
    CombatEnded,
    DeckShuffled,
    DrawSkipped,
    SeatResigned,
    TurnStarted,
)
from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState, InFront
from domain.chance import SealedChance
from domain.game import SPECTATOR, IllegalCommand, at_seat
from tests.domain.adellos.table import (
    BOX,
    INCOME,
    RULES,
    NoChance,
    at,
    begin,
    chosen,
    do,
    fold,
    kind,
    legal,
    pass_turn,
    pick,
    resign,
    settle,
    supply,
    table,
    targets,
    tick,
    unit,
    use,
    values,
    with_hand,
)

THREE = "prince-konrad merchant-pinkerton zombie-lord"
FOUR = THREE + " pope-anicetus-iv"


# --- a card is played before it is aimed -------------------------------------------------------------------


def test_a_card_is_shown_and_paid_before_it_is_aimed_and_cannot_be_taken_back() -> None:
    state = table("e5 1 ogre", hands=("curse-of-sloth",))
    (played,) = RULES.decide(state, PlayCard("curse-of-sloth"), 0, NoChance())
    assert played == CardPlayed(seat=0, card="curse-of-sloth", ap=1)
    state = fold(state, (played,))
    assert (state.ap, state.players[0].hand) == (2, ())
    assert ADELLOS.view.observe(state, SPECTATOR)["pending"]["choice"] == {
        "seat": 0,
        "card": "curse-of-sloth",
    }
    assert CancelChoice() not in legal(state)
    with pytest.raises(IllegalCommand, match="card-is-played"):
        do(state, CancelChoice())
    assert RULES.decide(state, *pick("e5"), 0, NoChance()) == (
        CardAimed(seat=0, card="curse-of-sloth", picks=(at("e5"),)),
    )


def test_the_default_for_a_played_card_is_no_target_or_else_the_first() -> None:
    one = do(table("e5 1 ogre", hands=("curse-of-sloth",)), PlayCard("curse-of-sloth"))
    assert RULES.default(one, 0) == pick("e5")[0]
    some = do(table("e4 0 recruit", hands=("call-to-arms",)), PlayCard("call-to-arms"))
    assert RULES.default(some, 0) == FinishChoice()


def test_up_to_so_many_targets_may_be_none_for_a_card() -> None:
    state = do(table("e4 0 recruit", hands=("call-to-arms",)), PlayCard("call-to-arms"), FinishChoice())
    assert (kind(state, "e4"), state.choice, state.players[0].hand) == ("recruit", None, ())


@pytest.mark.parametrize("seat", [0, 1])
def test_a_combat_prompt_looks_the_same_whatever_its_receiver_holds(seat: int) -> None:
    """Nothing that anybody else sees or that happens by itself depends on the hand of the one asked."""
    hands = ("parry", "feint", "side-step", "drowsiness", "retreat", "ambush", "tithe")
    told = set()
    for card in hands:
        held = ("ambush", card) if seat == 1 else (card, "ambush")
        state = do(table("e4 0 knight, e5 1 bandit", THREE, hands=held), Attack(at("e4"), at("e5")))
        state = do(state, *[Pass()] * seat)
        assert RULES.to_act(state) == (seat,)
        assert RULES.default(state, seat) == Pass()
        assert RULES.due(state) is None
        assert Pass() in legal(state)
        seen = [ADELLOS.view.observe(state, viewer) for viewer in (SPECTATOR, at_seat(1 - seat), at_seat(2))]
        after = RULES.decide(state, Pass(), seat, NoChance())
        told.add(msgspec.json.encode([seen, [ADELLOS.view.redact(event, SPECTATOR) for event in after]]))
    assert len(told) == 1


def test_no_event_but_the_play_itself_tells_of_a_card_in_hand() -> None:
    assert "card" not in ChoiceBegun.__struct_fields__
    for card in BOX.cards.values():
        units = "e4 0 soldier+1, e5 1 recruit, d4 0 recruit"
        state = table(units, hands=(card.id, card.id))
        if card.when == "combat":
            state = do(
                table("e4 0 soldier, e5 1 bandit", hands=(card.id, card.id)), Attack(at("e4"), at("e5"))
            )
            state = do(state, *[Pass()] * (card.side == "defender"))
        (seat,) = RULES.to_act(state)
        events = RULES.decide(state, PlayCard(card.id), seat, NoChance())
        assert isinstance(events[0], CardPlayed), card.id


# --- Pope against every source of counters -----------------------------------------------------------------


def test_pope_against_every_source_of_counters_there_is() -> None:
    """A new source in the pack has to be tried here too."""
    printed = [(one.id, one.performed) for one in BOX.pack.abilities]
    printed += [(one.id, one.effects) for one in BOX.pack.cards]
    laying = {name for name, effects in printed for e in effects if isinstance(e, Counters) and e.amount > 0}
    assert laying == {"penance", "curse-of-sloth", "drowsiness"}
    gaining = {name for name, effects in printed for e in effects if isinstance(e, Convert)}
    assert gaining == {"missionizing", "desertion"}
    popes = "arch-paladin-mathias pope-anicetus-iv"
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(table("e4 0 inquisitor, e5 1 crusader", popes), use("e4", "penance"))
    cursed = do(table("e5 1 crusader", popes, hands=("curse-of-sloth",)), PlayCard("curse-of-sloth"))
    assert cursed.choice is None
    drowsy = do(
        table("e4 1 crusader, e5 0 templar", popes, hands=("drowsiness",), turn=1), Attack(at("e4"), at("e5"))
    )
    drowsy = do(drowsy, Pass(), PlayCard("drowsiness"))
    assert drowsy.combat is not None
    deserted = table(
        "e4 1 crusader, e5 0 recruit+2", "prince-konrad pope-anicetus-iv", hands=("", "desertion"), turn=1
    )
    deserted = do(deserted, PlayCard("desertion"), *pick("e5"))
    assert (unit(deserted, "e5").seat, unit(deserted, "e5").counters) == (1, 0)


def test_pope_does_not_protect_a_unit_another_player_took_over() -> None:
    state = table("e4 0 crusader, e5 1 inquisitor", "prince-konrad pope-anicetus-iv", turn=1)
    assert unit(do(state, use("e5", "penance"), *pick("e4")), "e4").counters == 1


# --- auras of units that bear counters ---------------------------------------------------------------------


@pytest.mark.parametrize("name", [one.id for one in BOX.kinds.values() if any(one.adjacent)])
def test_auras_of_units_that_bear_counters_do_nothing(name: str) -> None:
    owner = BOX.kinds[name].faction
    aura = next(effect for effect in BOX.kinds[name].standing if isinstance(effect, Aura))
    nobles = {"royal-army": "prince-konrad", "scum": "merchant-pinkerton", "undead": "zombie-lord"}
    other = "pope-anicetus-iv"
    seat = 0 if aura.whose == "own" else 1
    near = "bandit" if aura.of else "ogre" if seat == 0 else "crusader"
    able, unable, away = (
        values(table(f"e4 0 {name}{bears}, {field} {seat} {near}", f"{nobles[owner]} {other}"), field)
        for bears, field in (("", "e5"), ("+1", "e5"), ("", "e6"))
    )
    assert unable == away
    assert [abs(a - u) for a, u in zip(able, unable, strict=True)].count(0) == 2


def test_values_are_summed_before_they_are_kept_from_falling_below_0() -> None:
    """Attack 0 less 1 for Dread, plus 2 for Ambush is 1: not more than a defence of 1."""
    state = table(
        "e4 0 court-scholar, e5 1 banshee, d4 1 skeleton", "prince-konrad zombie-lord", hands=("ambush",)
    )
    state = settle(do(state, Attack(at("e4"), at("d4")), PlayCard("ambush")))
    assert kind(state, "d4") == "skeleton"


# --- a converted unit --------------------------------------------------------------------------------------


def test_a_converted_units_supply_is_the_one_it_came_from_when_exchanged() -> None:
    state = table("e4 0 missionary, e5 1 urchin", "conquistadora-lucia merchant-pinkerton", gold=(1,))
    state = do(state, use("e4", "missionizing"), *pick("e5"))
    mine, theirs = supply(state, 0, "pilgrim"), supply(state, 1, "urchin")
    state = do(with_hand(state, 0, "call-to-arms"), PlayCard("call-to-arms"), *pick("e5", "pilgrim"))
    assert (kind(state, "e5"), unit(state, "e5").origin) == ("pilgrim", 0)
    assert (supply(state, 0, "pilgrim"), supply(state, 1, "urchin")) == (mine - 1, theirs + 1)


def test_a_converted_units_supply_gets_nothing_when_it_is_defeated() -> None:
    state = table(
        "e4 0 missionary, e5 1 thug, e6 1 ogre", "conquistadora-lucia merchant-pinkerton", gold=(1,)
    )
    converted = pass_turn(do(state, use("e4", "missionizing"), *pick("e5")))
    after = settle(do(converted, Attack(at("e6"), at("e5"))))
    assert kind(after, "e5") is None
    assert [player.supply for player in after.players] == [player.supply for player in converted.players]


def test_a_converted_unit_keeps_what_lasts_until_the_turn_ends() -> None:
    state = table("e4 0 poisoner, e5 1 recruit", "merchant-pinkerton prince-konrad", hands=("desertion",))
    state = do(state, use("e4", "poison"), *pick("e5"), PlayCard("desertion"), *pick("e5"))
    assert (unit(state, "e5").seat, values(state, "e5")[1]) == (0, 0)
    assert values(pass_turn(state), "e5")[1] == 1


# --- a noble outside the castle and hiring -----------------------------------------------------------------


def test_a_noble_outside_the_castle_places_nothing_in_any_way() -> None:
    printed = [(one.id, one.performed) for one in BOX.pack.abilities] + [
        (one.id, one.effects) for one in BOX.pack.cards
    ]
    placing = {name for name, effects in printed for e in effects if isinstance(e, PlaceToken | HireFree)}
    assert placing == {"arch-paladin-mathias", "conjuring", "muster", "volunteers"}
    for name in ("muster", "volunteers"):
        state = do(table("e4 0 prince-konrad", hands=(name,)), PlayCard(name))
        assert (state.choice, sum(one is not None for one in state.board)) == (None, 2)
    for noble, units, ability in (
        ("arch-paladin-mathias", "e4 0 arch-paladin-mathias", "arch-paladin-mathias"),
        ("zombie-lord", "d4 0 zombie-lord, e4 0 necromancer", "conjuring"),
    ):
        with pytest.raises(IllegalCommand, match="ability-without-effect"):
            do(table(units, f"{noble} prince-konrad", gold=(9,)), use("e4", ability))
    summoner = table("e4 0 zombie-lord", "zombie-lord prince-konrad")
    with pytest.raises(IllegalCommand, match="noble-not-in-castle"):
        do(summoner, Hire("skeleton"))


# --- the bonus field ---------------------------------------------------------------------------------------


def test_the_last_counter_on_the_bonus_field_comes_off_at_the_end_of_the_own_turn() -> None:
    two, one = (pass_turn(pass_turn(table(f"e5 0 soldier+{n}"))) for n in (2, 1))
    assert [(state.players[0].held, state.ap) for state in (two, one)] == [(0, 3), (1, 4)]


def test_the_last_counter_on_the_bonus_field_that_is_kept_holds_nothing() -> None:
    state = do(table("e5 0 soldier+1", ap=0), KeepCounter(at("e5")))
    state = pass_turn(pass_turn(state))
    assert (state.players[0].held, state.ap) == (0, 3)


def test_a_counter_laid_on_the_bonus_field_is_a_break_even_if_it_comes_off() -> None:
    state = table("e5 0 soldier, e4 1 inquisitor", "prince-konrad pope-anicetus-iv", ap=0)
    state = pass_turn(state)
    assert state.players[0].holding
    state = do(state, use("e4", "penance"), *pick("e5"))
    assert not state.players[0].holding
    assert pass_turn(state).players[0].held == 0


@pytest.mark.parametrize("what", ["noble", "token"])
def test_a_noble_or_token_holds_the_bonus_field(what: str) -> None:
    state = table("e5 0 prince-konrad" if what == "noble" else "e5 0 militia")
    assert pass_turn(pass_turn(state)).players[0].held == 1


def test_the_bonus_field_is_counted_over_the_elimination_of_another_player() -> None:
    """Four began, so three turns are needed, however few are left."""
    state = table("e5 0 soldier, a5 1 ogre, a6 2 zombie-lord", FOUR)
    state = pass_turn(state)
    state = settle(do(state, Attack(at("a5"), at("a6"))))
    assert not state.players[2].alive
    state = pass_turn(state)
    assert state.turn == 3
    state = pass_turn(state)
    assert (state.players[0].held, state.ap) == (1, 4)
    state = resign(pass_turn(state), 1)
    state = pass_turn(state)
    assert (state.turn, state.players[0].held) == (0, 2)
    state = pass_turn(pass_turn(state))
    outcome = RULES.outcome(state)
    assert (outcome.winner, outcome.reason) == (0, "bonus_field")


def test_the_bonus_field_is_left_by_elimination() -> None:
    state = table("e5 2 zombie, a5 0 ogre, a6 2 zombie-lord", THREE)
    state = replace(
        state, players=tuple(replace(one, holding=one.seat == 2, held=1) for one in state.players)
    )
    state = settle(do(state, Attack(at("a5"), at("a6"))))
    assert kind(state, "e5") is None
    assert (state.players[2].holding, state.players[2].held) == (False, 0)


def test_the_bonus_field_is_counted_alike_after_a_rewind_to_any_event() -> None:
    """What the count needs is in the state, so every state of the past counts on as the first did."""
    state = table("e5 0 soldier", THREE, ap=0)
    past: list[AdellosState] = []
    while state.players[0].held < 2:
        past.append(state)
        command: Any = RULES.due(state)
        seat = None
        if command is None:
            state, command, seat = replace(state, ap=0), EndTurn(), state.turn
        for event in RULES.decide(state, command, seat, NoChance()):
            state = fold(state, (event,))
            past.append(state)
    for before in past:
        again = fold(before, RULES.advance(before, NoChance()))
        while (again.turns, again.phase) != (state.turns, state.phase):
            again = tick(again) if again.phase == "ticking" else do(replace(again, ap=0), EndTurn())
        assert (again.players[0].held, again.ap, again.turns) == (2, 4, state.turns)


# --- elimination and resignation ---------------------------------------------------------------------------


def test_elimination_in_the_middle_of_a_combat_by_the_third_players_resignation() -> None:
    """The combat goes on; what the third player's units gave is gone."""
    state = table("e4 0 spearman, e5 1 ogre, d5 2 zombie", THREE)
    state = do(state, Attack(at("e4"), at("e5")), Pass())
    state = resign(state, 2)
    assert RULES.to_act(state) == (1,)
    assert state.combat.passes == 1
    after = do(state, Pass())
    assert (after.combat, kind(after, "e5")) == (None, "ogre")


def test_elimination_in_the_middle_of_a_combat_leaves_a_played_card_to_be_aimed() -> None:
    state = table("e4 0 knight, e5 1 bandit", THREE, hands=("", "side-step"))
    state = do(state, Attack(at("e4"), at("e5")), Pass(), PlayCard("side-step"))
    third = resign(state, 2)
    assert RULES.to_act(third) == (1,)
    assert kind(do(third, *pick("f5")), "f5") == "bandit"
    for seat in (0, 1):
        gone = resign(state, seat)
        assert (gone.choice, gone.combat) == (None, None)
        assert gone.turn == 1 - seat
        assert gone.players[1].hand == ()


def test_elimination_of_the_other_fighter_ends_the_combat_a_card_is_aimed_in() -> None:
    state = table("e4 0 knight, e5 1 bandit", THREE, hands=("side-step",))
    state = resign(do(state, Attack(at("e4"), at("e5")), PlayCard("side-step")), 1)
    assert (state.choice, state.combat, state.players[0].hand) == (None, None, ())
    assert (RULES.to_act(state), state.ap) == ((0,), 2)


def test_elimination_while_a_card_is_aimed_takes_the_targets_of_the_one_who_left() -> None:
    curse = do(table("e5 1 ogre", THREE, hands=("curse-of-sloth",)), PlayCard("curse-of-sloth"))
    events = RULES.resign(curse, 1, NoChance())
    assert events[1:] == (CardAimed(seat=0, card="curse-of-sloth", picks=()),)
    assert fold(curse, events).choice is None
    omen = do(table("", THREE, hands=("ill-omen",)), PlayCard("ill-omen"))
    assert targets(resign(omen, 1)) == {2}
    scythe = table("e4 0 recruit, e6 0 recruit", THREE, hands=("call-to-arms",))
    scythe = do(scythe, PlayCard("call-to-arms"), *pick("e4", "spearman"))
    assert targets(resign(scythe, 1)) == {at("e4"), at("e6")}  # aimed anew


@dataclass
class Stage:
    """A point of a match at which somebody resigns."""

    name: str
    state: AdellosState


def stages() -> list[Stage]:
    asked = begin(("scum", "clergy", "undead"), trading=True)
    choosing = begin(("scum", "clergy", "undead"))
    placing = chosen(("scum", "clergy", "undead"), ("merchant-pinkerton", "pope-anicetus-iv", "zombie-lord"))
    placed = do(placing, PlaceNoble(at("b2")))
    units = "e4 0 knight, e5 1 bandit, d4 2 zombie, a5 2 skeleton+1, a1 1 thug+1"
    hands = ("ambush curse-of-sloth", "side-step", "tithe")
    turn = table(units, THREE, hands=hands, gold=(9, 9, 9))
    combat = do(turn, Attack(at("e4"), at("e5")))
    return [
        Stage("agreeing", asked),
        Stage("agreeing, one answered", do(asked, AgreeTrading(agree=True))),
        Stage("nobles", choosing),
        Stage("nobles, one chosen", do(choosing, ChooseNoble("merchant-pinkerton"))),
        Stage("placing", placing),
        Stage("placed", placed),
        Stage("hiring before play", do(placed, Hire("thug"))),
        Stage("turn", turn),
        Stage(
            "cards in front",
            replace(
                turn, players=tuple(replace(one, front=(InFront("sabotage", 0),)) for one in turn.players)
            ),
        ),
        Stage("hiring", do(turn, Hire("soldier"))),
        Stage("aiming a card", do(turn, PlayCard("curse-of-sloth"))),
        Stage("combat, attacker asked", combat),
        Stage("combat, defender asked", do(combat, Pass())),
        Stage("combat, defender aims", do(combat, Pass(), PlayCard("side-step"))),
        Stage("ticking", do(replace(turn, ap=0), EndTurn())),
    ]


@pytest.mark.parametrize("stage", stages(), ids=lambda stage: stage.name)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_resignation_in_every_phase(stage: Stage, seat: int) -> None:
    """The seat is gone with all it had, and the others play on by defaults until the limit."""
    state = replace(stage.state, options=replace(stage.state.options, turn_limit=stage.state.turns + 7))
    state = resign(state, seat)
    assert all(one is None or one.seat != seat for one in state.board)
    gone = state.players[seat]
    assert (gone.alive, gone.hand, gone.gold, gone.front) == (False, (), 0, ())
    taken = set()
    while RULES.outcome(state) is None:
        if RULES.due(state):
            state = tick(state)
            continue
        (acting,) = RULES.to_act(state)
        assert acting != seat
        taken.add(acting)
        command = RULES.default(state, acting)
        assert command in legal(state) or command == EndTurn()
        state = fold(state, RULES.decide(state, command, None, NoChance()))
    assert taken == {0, 1, 2} - {seat}
    assert RULES.outcome(state).reason == "turn_limit"


def test_resignation_of_the_last_but_one_in_every_phase_ends_the_match() -> None:
    for stage in stages():
        state = resign(stage.state, 2)
        outcome = RULES.outcome(resign(state, RULES.to_act(state)[0] if RULES.to_act(state) else 0))
        assert (outcome.result, outcome.reason) == ("won", "resigned"), stage.name


def test_resignation_ends_what_lasts_until_the_turn_ends() -> None:
    state = table(
        "e4 0 poisoner, e5 1 knight, e6 2 zombie",
        "merchant-pinkerton prince-konrad zombie-lord",
        hands=("battle-fury",),
    )
    state = do(state, use("e4", "poison"), *pick("e5"), PlayCard("battle-fury"))
    before = values(state, "e5")[1]
    state = resign(state, 0)
    assert (state.turn, values(state, "e5")[1], state.modifiers) == (1, before + 1, ())


def test_resignation_does_not_outwit_the_turn_limit() -> None:
    for phase in ("turn", "ticking"):
        state = replace(table("", THREE, ap=0, options=AdellosOptions(turn_limit=1)))
        state = do(state, EndTurn()) if phase == "ticking" else state
        outcome = RULES.outcome(resign(state, 0))
        assert (outcome.result, outcome.reason) == ("drawn", "turn_limit")


# --- nothing left ------------------------------------------------------------------------------------------


def test_two_nobles_left_and_both_players_out_of_legal_actions() -> None:
    state = table("a1 0 prince-konrad+9, i9 1 merchant-pinkerton+9")
    for _ in range(4):
        assert legal(state)[0] == EndTurn()
        assert not any(isinstance(one, Move | Attack | Hire) for one in legal(state))
        (ended,) = RULES.decide(state, EndTurn(), state.turn, NoChance())
        assert ended.lapsed == 3
        state = tick(fold(state, (ended,)))
    assert RULES.outcome(state) is None


def test_an_empty_event_deck_gives_nothing_in_any_way() -> None:
    assert do(table(hands=("old-scrolls",)), PlayCard("old-scrolls")).players[0].hand == ()
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(table(nobles="merchant-pinkerton prince-konrad", gold=(5,)), use("b2", "merchant-pinkerton"))
    wise = table("e4 1 fortune-teller", ap=0)
    events = RULES.decide(do(wise, EndTurn()), RULES.due(do(wise, EndTurn())), None, NoChance())
    assert events[-1] == DrawSkipped(seat=1, cards=1)
    state = table("e4 0 steel-colossus, e5 1 merchant-pinkerton", THREE)
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert (state.players[0].hand, state.players[0].gold, RULES.to_act(state)) == ((), 2, (0,))


def test_an_empty_token_supply_places_nothing_in_any_way() -> None:
    mustered = do(replace(table(hands=("muster",)), tokens=(0, 0, 0)), PlayCard("muster"))
    assert mustered.choice is None
    for noble, units, field, ability in (
        ("arch-paladin-mathias", "", "b2", "arch-paladin-mathias"),
        ("zombie-lord", "e4 0 necromancer", "e4", "conjuring"),
    ):
        state = replace(table(units, f"{noble} prince-konrad", gold=(9,)), tokens=(0, 0, 0))
        with pytest.raises(IllegalCommand, match="ability-without-effect"):
            do(state, use(field, ability))


def test_a_defeated_token_leaves_the_game_for_good() -> None:
    state = replace(table("e4 0 knight, e5 1 imp"), tokens=(5, 3, 1))
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert (kind(state, "e5"), state.tokens) == (None, (5, 3, 1))


# --- the start of a turn -----------------------------------------------------------------------------------


def test_cards_in_front_are_applied_before_resources_are_received(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gold lost to a card is lost from what there was; the turn's income comes after (AE-19)."""
    monkeypatch.setitem(BOX.cards, "embargo", replace(BOX.cards["embargo"], effects=(Gold(-2),)))
    for gold, left in ((0, INCOME), (1, INCOME), (5, 3 + INCOME)):
        state = change_player(table("e4 1 fence", gold=(0, gold)), 1, front=(InFront("embargo", 0),))
        assert pass_turn(state).players[1].gold == left


def test_action_points_of_a_turn_are_never_below_0() -> None:
    state = change_player(table(), 1, front=(InFront("sabotage", 0),) * 4)
    state = pass_turn(state)
    assert (state.ap, state.players[1].front) == (0, ())
    assert EndTurn() in legal(state)


def test_a_kept_counter_is_forgotten_with_the_counter() -> None:
    state = do(table("e4 0 soldier+1", hands=("hourglass",)), KeepCounter(at("e4")))
    assert not unit(do(state, PlayCard("hourglass"), *pick("e4")), "e4").keep


# --- trading -----------------------------------------------------------------------------------------------


def test_trading_agreement_is_for_the_own_turn_and_outside_combats() -> None:
    state = replace(table("e4 0 knight, e5 1 bandit", hands=("tithe", "mud"), gold=(3, 3)), trading=True)
    with pytest.raises(IllegalCommand, match="not-your-decision"):
        RULES.decide(state, GiveGold(0), 1, NoChance())
    fighting = do(state, Attack(at("e4"), at("e5")))
    for command in (GiveGold(1), GiveCard(1, "tithe")):
        assert command in legal(state)
        with pytest.raises(IllegalCommand, match="combat-goes-on"):
            do(fighting, command)


def test_trading_agreement_is_of_those_still_in_the_match() -> None:
    asked = begin(("scum", "clergy", "undead"), trading=True)
    two = do(resign(asked, 2), AgreeTrading(agree=True), AgreeTrading(agree=True))
    assert (two.phase, two.trading) == ("nobles", True)
    assert not do(resign(asked, 0), AgreeTrading(agree=True), AgreeTrading(agree=False)).trading


def test_trading_tells_others_that_a_card_was_given_and_not_which() -> None:
    state = replace(table(nobles=THREE, hands=("tithe",)), trading=True)
    (given,) = RULES.decide(state, GiveCard(1, "tithe"), 0, NoChance())
    for viewer in (SPECTATOR, at_seat(2)):
        assert ADELLOS.view.redact(given, viewer) == {"seat": 0, "to": 1}


def test_trading_agreement_gives_nothing_to_those_who_left() -> None:
    state = resign(replace(table(nobles=THREE, gold=(3,)), trading=True), 1)
    with pytest.raises(IllegalCommand, match="no-such-receiver"):
        do(state, GiveGold(1))


# --- options -----------------------------------------------------------------------------------------------


def test_option_sudden_death_is_for_kills_not_for_resignations() -> None:
    sudden = AdellosOptions(sudden_death=True)
    assert RULES.outcome(resign(table(nobles=THREE, options=sudden), 1)) is None


def test_option_protecting_walls_protects_nobody_in_another_castle_or_outside() -> None:
    walls = AdellosOptions(protecting_walls=True)
    for fields in (("f5", "e5"), ("d2", "c2"), ("g4", "g3")):
        state = table(f"{fields[0]} 0 soldier, {fields[1]} 1 bandit-captain", options=walls)
        state = settle(do(state, Attack(at(fields[0]), at(fields[1]))))
        assert kind(state, fields[1]) is None


def test_option_obstructing_walls_counts_going_out_and_in_again_as_entering() -> None:
    """The way within the castle is shut, the way around leaves and enters it."""
    walls = AdellosOptions(obstructing_walls=True)
    state = table("g7 0 knight, h7 1 ogre, g8 1 ogre", options=walls, hands=("seven-league-boots",))
    state = do(state, PlayCard("seven-league-boots"), *pick("g7"))
    left = {command.to: do(state, command).ap for command in legal(state) if isinstance(command, Move)}
    assert (left[at("f9")], left[at("g9")]) == (2, 1)


def test_option_paved_with_gold_pays_for_standing_on_the_bonus_field() -> None:
    """A unit that got there in another's turn stands there, though it holds nothing yet."""
    paved = AdellosOptions(paved_with_gold=True)
    state = table("e4 1 thug, d4 0 recruit", hands=("", "side-step"), options=paved)
    state = do(state, Attack(at("d4"), at("e4")), Pass(), PlayCard("side-step"), *pick("e5"))
    state = pass_turn(state)
    assert (state.turn, state.ap, state.players[1].gold) == (1, 3, 2)
    bearing = pass_turn(table("e5 1 thug+1", options=paved))
    assert bearing.players[1].gold == 0


def test_option_hand_limit_stops_every_draw() -> None:
    limit = AdellosOptions(hand_limit=1)
    bought = table(
        nobles="merchant-pinkerton prince-konrad", gold=(5,), hands=("mud",), deck="tithe", options=limit
    )
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(bought, use("b2", "merchant-pinkerton"))
    read = do(table(hands=("old-scrolls",), deck="mud tithe", options=limit), PlayCard("old-scrolls"))
    assert (read.players[0].hand, read.deck) == (("mud",), ("tithe",))


def test_option_hand_limit_takes_no_card_from_whoever_holds_more() -> None:
    limit = AdellosOptions(hand_limit=1)
    state = table("e4 0 ogre, e5 1 merchant-pinkerton", THREE, hands=("mud tithe", "parry"), options=limit)
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert state.players[0].hand == ("mud", "tithe")


def test_option_may_forfeit_ap_lists_the_end_of_the_turn_beside_all_else() -> None:
    state = table(options=AdellosOptions(may_forfeit_ap=True))
    assert EndTurn() in legal(state)
    assert any(isinstance(command, Move) for command in legal(state))


def test_option_turn_limit_draws_after_the_last_turn_and_not_before() -> None:
    state = table("", options=AdellosOptions(turn_limit=2))
    state = pass_turn(state)
    assert RULES.outcome(state) is None
    outcome = RULES.outcome(pass_turn(state))
    assert (outcome.result, outcome.winner, outcome.reason) == ("drawn", None, "turn_limit")


def test_a_broken_off_combat_tells_no_values() -> None:
    state = do(table("e4 0 knight, e5 1 bandit", hands=("", "retreat")), Attack(at("e4"), at("e5")), Pass())
    events = RULES.decide(state, PlayCard("retreat"), 1, NoChance())
    assert events == (CardPlayed(seat=1, card="retreat", ap=0), CombatEnded())


def test_the_tick_is_followed_by_the_next_turn_of_whoever_is_left() -> None:
    state = resign(do(table(nobles=THREE, ap=0), EndTurn()), 1)
    events = RULES.decide(state, RULES.due(state), None, NoChance())
    assert [event.seat for event in events if isinstance(event, TurnStarted)] == [2]


def test_nobody_decides_while_cards_are_drawn() -> None:
    state = table(hands=("old-scrolls",), deck="mud tithe")
    played = RULES.decide(state, PlayCard("old-scrolls"), 0, NoChance())[0]
    assert RULES.to_act(fold(state, (played,))) == ()


def test_only_own_able_units_attack() -> None:
    with pytest.raises(IllegalCommand, match="unit-not-able"):
        do(table("e4 0 knight+1, e5 1 bandit"), Attack(at("e4"), at("e5")))
    with pytest.raises(IllegalCommand, match="not-own-unit"):
        do(table("e4 1 knight, e5 0 bandit", "merchant-pinkerton prince-konrad"), Attack(at("e4"), at("e5")))


def test_a_noble_is_placed_once() -> None:
    placing = chosen(("scum", "clergy"), ("merchant-pinkerton", "pope-anicetus-iv"))
    with pytest.raises(IllegalCommand, match="noble-placed"):
        do(placing, PlaceNoble(at("b2")), PlaceNoble(at("a1")))


# --- what is refused, and what only its owner sees ---------------------------------------------------------


def test_while_something_is_aimed_nothing_else_is_done() -> None:
    state = do(table(gold=(3,)), Hire("soldier"))
    for command in (EndTurn(), Move(at("b2"), at("b3")), Hire("soldier"), Pass()):
        with pytest.raises(IllegalCommand, match="choice-pending"):
            do(state, command)


def test_only_what_one_has_is_given_kept_or_swapped() -> None:
    state = replace(table("e4 0 knight, e5 0 knight, e6 1 thug+1", hands=("tithe",), ap=1), trading=True)
    for command, rule in (
        (GiveCard(1, "mud"), "card-not-in-hand"),
        (KeepCounter(at("e6")), "not-own-unit"),
        (Swap(at("e4"), at("e5")), "too-few-ap"),
    ):
        with pytest.raises(IllegalCommand, match=rule):
            do(state, command)


def test_an_enemy_on_the_bonus_field_holds_it_from_its_own_turns_end_only() -> None:
    state = pass_turn(table("e5 1 thug"))
    assert [player.holding for player in state.players] == [False, False]
    assert state.players[1].held == 0


def test_walls_protect_only_with_the_option() -> None:
    state = settle(do(table("f8 0 soldier, g8 1 bandit-captain"), Attack(at("f8"), at("g8"))))
    assert kind(state, "g8") is None


def test_units_a_fallen_noble_had_taken_over_leave_the_game_and_return_to_no_supply() -> None:
    units = "e4 0 ogre, e5 1 conquistadora-lucia, a9 1 missionary, b9 0 thug"
    state = table(units, "merchant-pinkerton conquistadora-lucia zombie-lord", gold=(0, 1), turn=1)
    state = do(state, use("a9", "missionizing"), *pick("b9"))
    before = supply(state, 0, "thug")
    state = pass_turn(pass_turn(state))
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert (kind(state, "b9"), supply(state, 0, "thug")) == (None, before)


def test_what_is_hired_is_seen_by_its_seat_alone_until_it_is_placed() -> None:
    state = do(table(gold=(3,)), Hire("soldier"))
    mine, others = (ADELLOS.view.observe(state, viewer)["pending"] for viewer in (at_seat(0), at_seat(1)))
    assert (mine["choice"]["hire"], "ask" in mine) == ("soldier", True)
    assert (others["choice"], "ask" in others) == ({"seat": 0, "card": ""}, False)
    imagined = RULES.imagine(state, 1, SealedChance(bytes(32)))
    assert imagined.choice is None


def test_P11_cards_that_left_with_a_player_are_not_missed_by_what_others_imagine() -> None:
    first, second = table().players
    imagined = []
    for gone, top in (("parry", "mud"), ("mud", "parry")):
        leaver = replace(first, seat=2, hand=(gone,), noble_at=-1, noble="")
        state = replace(table(), players=(first, second, leaver), deck=(top, "tithe"))
        state = RULES.evolve(state, SeatResigned(seat=2))
        imagined.append(RULES.imagine(state, 1, SealedChance(bytes(32))))
    assert imagined[0] == imagined[1]
    assert len(imagined[0].deck) == 2


def test_a_drawn_card_and_the_deck_are_told_to_nobody_else() -> None:
    drawn, shuffled = CardDrawn(seat=0, card="mud"), DeckShuffled(draw=1, cards=1, order=("mud",))
    for viewer in (SPECTATOR, at_seat(1)):
        assert ADELLOS.view.redact(drawn, viewer) == {"seat": 0}
        assert ADELLOS.view.redact(shuffled, viewer) == {"draw": 1, "cards": 1}
    assert ADELLOS.view.redact(drawn, at_seat(0))["card"] == "mud"


def test_the_starting_seat_has_the_first_turn() -> None:
    state = chosen(("scum", "clergy"), ("pope-anicetus-iv", "merchant-pinkerton"), first_seat=1)
    state = do(state, PlaceNoble(at("h8")), EndSetUp(), PlaceNoble(at("b2")), EndSetUp())
    assert (state.phase, state.turn) == ("turn", 1)
