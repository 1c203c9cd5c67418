"""Each of the twelve nobles: what the ability does, and where it stops."""

import pytest
from msgspec.structs import replace

from domain.adellos.commands import Attack, EndTurn, Hire, Pass, PlayCard
from domain.adellos.performing import unused_nobles
from domain.adellos.standing import ability_price, immune, summon_counters, summons_allowed
from domain.game import IllegalCommand
from tests.domain.adellos.table import (
    BOX,
    at,
    chosen,
    do,
    gained,
    kind,
    legal,
    pass_turn,
    pick,
    settle,
    supply,
    table,
    targets,
    unit,
    use,
    values,
)

JESTER = "jester-caspar"


def test_pope_anicetus_iv_units_take_no_time_counters() -> None:
    state = table("e4 1 crusader", "prince-konrad pope-anicetus-iv", hands=("curse-of-sloth",))
    assert immune(BOX, state, 1)
    state = do(state, PlayCard("curse-of-sloth"))  # nothing to aim at: the part is skipped
    assert unit(state, "e4").counters == 0
    assert state.choice is None


def test_pope_anicetus_iv_against_every_source_of_counters() -> None:
    inquisitor = table("e4 0 inquisitor, e5 1 crusader", "arch-paladin-mathias pope-anicetus-iv")
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(inquisitor, use("e4", "penance"))
    drowsy = table("e4 0 crusader, e5 1 knight", "pope-anicetus-iv prince-konrad", hands=("", "drowsiness"))
    drowsy = do(drowsy, Attack(at("e4"), at("e5")))
    drowsy = do(drowsy, Pass(), PlayCard("drowsiness"))
    assert unit(drowsy, "e4").counters == 0
    assert drowsy.combat is not None


def test_pope_anicetus_iv_frees_a_unit_he_gains() -> None:
    state = table("e4 0 missionary, e5 1 zombie+3", "pope-anicetus-iv zombie-lord", gold=(4,))
    state = do(state, use("e4", "missionizing"), *pick("e5"))
    assert (unit(state, "e5").seat, unit(state, "e5").counters) == (0, 0)


def test_arch_paladin_mathias_hires_a_paladin_for_3_gold_and_1_ap() -> None:
    state = table(nobles="arch-paladin-mathias prince-konrad", gold=(4,))
    state = do(state, use("b2", "arch-paladin-mathias"), *pick("a1"))
    assert kind(state, "a1") == "paladin"
    assert (state.players[0].gold, state.ap, state.tokens[0]) == (1, 2, 4)
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(state, use("b2", "arch-paladin-mathias"))


def test_arch_paladin_mathias_without_tokens_or_outside_the_castle_is_refused() -> None:
    state = table(nobles="arch-paladin-mathias prince-konrad", gold=(9,))
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(replace(state, tokens=(0, 3, 2)), use("b2", "arch-paladin-mathias"))
    outside = table("e4 0 arch-paladin-mathias", "arch-paladin-mathias prince-konrad", gold=(9,))
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(outside, use("e4", "arch-paladin-mathias"))


def test_conquistadora_lucia_makes_missionizing_3_gold_cheaper() -> None:
    state = table("e4 0 missionary, e5 1 knight", "conquistadora-lucia prince-konrad", gold=(1,))
    state = do(state, use("e4", "missionizing"), *pick("e5"))
    assert (unit(state, "e5").seat, state.players[0].gold, state.ap) == (0, 0, 2)


def test_conquistadora_lucia_bearing_counters_helps_nobody() -> None:
    state = table(
        "b2 0 conquistadora-lucia+1, e4 0 missionary, e5 1 knight", "conquistadora-lucia prince-konrad"
    )
    state = replace(state, players=(replace(state.players[0], gold=3), state.players[1]))
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(state, use("e4", "missionizing"))


def test_jester_caspar_copies_a_noble_nobody_chose_until_the_turn_ends() -> None:
    state = table("c3 0 soldier", f"{JESTER} merchant-pinkerton")
    state = do(state, use("b2", JESTER))
    assert set(targets(state)) == set(unused_nobles(BOX, state))
    assert "merchant-pinkerton" not in targets(state)
    state = do(state, *pick("general-iron-fist"))
    assert (gained(state, "c3")[0], state.ap) == (1, 2)
    state = do(state, use("b2", JESTER), *pick("prince-konrad"))  # a new copy replaces the old
    assert gained(state, "c3")[0] == 0
    state = do(replace(state, ap=0), EndTurn())
    assert state.players[0].copied == ""


@pytest.mark.parametrize("noble", [noble.id for noble in BOX.pack.nobles if noble.id != JESTER])
def test_jester_caspar_copies_each_noble(noble: str) -> None:
    other = "prince-konrad" if noble == "merchant-pinkerton" else "merchant-pinkerton"
    units = "c3 0 soldier+2, c2 0 bandit, c1 0 rogue, a3 0 zombie-squad, e4 0 missionary, e5 1 knight"
    state = table(units, f"{JESTER} {other}", gold=(3,), deck="tithe parry")
    before = state
    state = do(state, use("b2", JESTER), *pick(noble))
    match noble:
        case "pope-anicetus-iv":
            assert unit(state, "c3").counters == 0
        case "arch-paladin-mathias":
            assert kind(do(state, use("b2", noble), *pick("a1")), "a1") == "paladin"
        case "conquistadora-lucia":
            assert unit(do(state, use("e4", "missionizing"), *pick("e5")), "e5").seat == 0
        case "general-iron-fist":
            assert values(state, "c3")[0] == values(before, "c3")[0] + 1
        case "prince-konrad":
            assert state.players[0].gold == 3  # the start is over
        case "merchant-pinkerton":
            assert do(state, use("b2", noble)).players[0].hand == ("tithe",)
        case "battle-maiden-evelyn":
            assert values(state, "c2")[0] == values(before, "c2")[0] + 1
        case "rebels-favorite-dana":
            assert values(state, "c1")[1] == values(before, "c1")[1] + 1
        case "zombie-lord":
            assert values(state, "a3")[1] == values(before, "a3")[1] + 1
        case "vampirelord-darkuhla":  # the Royal Army has nothing to summon; the rules would count so
            assert summon_counters(BOX, state, 0, "vampire") == summon_counters(BOX, before, 0, "vampire") - 3
        case "lich-baron-kynoth":
            assert summons_allowed(BOX, state, 0) == summons_allowed(BOX, before, 0) + 1
    ended = do(replace(state, ap=0), EndTurn())
    assert ended.players[0].copied == ""
    for field in ("c2", "c1", "a3"):
        assert values(ended, field) == values(before, field)
    with pytest.raises(IllegalCommand):
        do(before, use("b2", noble))  # not before it is copied


def test_general_iron_fist_gives_soldiers_1_attack() -> None:
    state = table("c3 0 soldier, c2 0 knight", "general-iron-fist merchant-pinkerton")
    assert gained(state, "c3")[0] == 1
    assert gained(state, "c2")[0] == 0
    unable = table("b2 0 general-iron-fist+1, c3 0 soldier", "general-iron-fist merchant-pinkerton")
    assert gained(unable, "c3")[0] == 0


def test_prince_konrad_starts_with_3_more_gold() -> None:
    assert chosen(("royal-army", "scum"), ("prince-konrad", "merchant-pinkerton")).players[0].gold == 8
    assert chosen(("royal-army", "scum"), ("jester-caspar", "merchant-pinkerton")).players[0].gold == 5


def test_merchant_pinkerton_draws_for_2_gold_any_number_of_times_AE_8() -> None:
    state = table(nobles="merchant-pinkerton prince-konrad", gold=(5,), deck="tithe parry mud")
    state = do(state, use("b2", "merchant-pinkerton"), use("b2", "merchant-pinkerton"))
    assert state.players[0].hand == ("parry", "tithe")
    assert (state.players[0].gold, state.ap) == (1, 3)
    with pytest.raises(IllegalCommand, match="too-little-gold"):
        do(state, use("b2", "merchant-pinkerton"))


def test_merchant_pinkerton_is_refused_when_the_deck_is_empty() -> None:
    state = table(nobles="merchant-pinkerton prince-konrad", gold=(5,))
    with pytest.raises(IllegalCommand, match="ability-without-effect"):
        do(state, use("b2", "merchant-pinkerton"))


def test_battle_maiden_evelyn_gives_bandits_1_attack() -> None:
    state = table("c3 0 bandit, a3 0 thug", "battle-maiden-evelyn prince-konrad")
    assert gained(state, "c3")[0] == 1
    assert gained(state, "a3")[0] == 0


def test_rebels_favorite_dana_gives_rogues_1_defence() -> None:
    state = table("c3 0 rogue, a3 0 thug", "rebels-favorite-dana prince-konrad")
    assert gained(state, "c3")[1] == 1
    assert gained(state, "a3")[1] == 0


def test_zombie_lord_gives_zombies_and_squads_1_defence() -> None:
    state = table("c3 0 zombie, c2 0 zombie-squad, a3 0 ghoul, e4 1 zombie", "zombie-lord prince-konrad")
    assert gained(state, "c3")[1] == 1
    assert gained(state, "c2")[1] == 1
    assert gained(state, "a3")[1] == 0
    assert gained(state, "e4")[1] == 0  # another player's


def test_vampirelord_darkuhla_summons_vampires_for_3_counters_less() -> None:
    printed = BOX.kinds["vampire"].counters
    for noble, counters in (("vampirelord-darkuhla", printed - 3), ("zombie-lord", printed)):
        state = do(table(nobles=f"{noble} prince-konrad"), Hire("vampire"), *pick("a1"))
        assert unit(state, "a1").counters == counters


def test_lich_baron_kynoth_summons_three_a_turn() -> None:
    state = table(nobles="lich-baron-kynoth prince-konrad")
    for field in ("a1", "a2", "a3"):
        state = do(state, Hire("skeleton" if field != "a3" else "zombie"), *pick(field))
    with pytest.raises(IllegalCommand, match="summons-used-up"):
        do(state, Hire("zombie"))
    state = do(table(nobles="zombie-lord prince-konrad"), Hire("skeleton"), *pick("a1"))
    state = do(state, Hire("skeleton"), *pick("a2"))
    with pytest.raises(IllegalCommand, match="summons-used-up"):
        do(state, Hire("skeleton"))


def test_a_converted_unit_goes_back_to_the_supply_it_came_from() -> None:
    state = table("e4 0 missionary, e5 1 thug", "conquistadora-lucia merchant-pinkerton", gold=(1,))
    state = do(state, use("e4", "missionizing"), *pick("e5"))
    before = supply(state, 1, "thug")
    state = replace(pass_turn(state), ap=3)
    hand = replace(state.players[1], hand=("banishment",))
    state = do(replace(state, players=(state.players[0], hand)), PlayCard("banishment"), *pick("e5"))
    assert kind(state, "e5") is None
    assert supply(state, 1, "thug") == before + 1


def test_a_defeated_unit_returns_to_no_supply() -> None:
    state = table("e4 0 knight, e5 1 thug")
    before = supply(state, 1, "thug")
    state = settle(do(state, Attack(at("e4"), at("e5"))))
    assert kind(state, "e5") is None
    assert supply(state, 1, "thug") == before


def test_pope_anicetus_iv_copied_lays_no_counters_on_what_is_summoned() -> None:
    state = do(table(nobles=f"{JESTER} merchant-pinkerton"), use("b2", JESTER), *pick("pope-anicetus-iv"))
    assert summon_counters(BOX, state, 0, "vampire") == 0


def test_arch_paladin_mathias_needs_the_action_point() -> None:
    state = table(nobles="arch-paladin-mathias prince-konrad", gold=(4,), ap=0)
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(state, use("b2", "arch-paladin-mathias"))


def test_conquistadora_lucia_lowers_no_price_below_0_and_only_missionizings() -> None:
    state = table(nobles="conquistadora-lucia prince-konrad")
    missionizing = BOX.abilities["missionizing"]
    assert ability_price(BOX, state, 0, replace(missionizing, gold=2)) == 0
    assert ability_price(BOX, state, 1, missionizing) == missionizing.gold
    assert ability_price(BOX, state, 0, BOX.abilities["conjuring"]) == 1


def test_jester_caspar_needs_an_action_point_and_no_counters() -> None:
    with pytest.raises(IllegalCommand, match="too-few-ap"):
        do(table(nobles=f"{JESTER} merchant-pinkerton", ap=0), use("b2", JESTER))
    with pytest.raises(IllegalCommand, match="unit-not-able"):
        do(table(f"b2 0 {JESTER}+1", f"{JESTER} merchant-pinkerton"), use("b2", JESTER))


@pytest.mark.parametrize(
    ("noble", "units", "field", "value"),
    [
        ("battle-maiden-evelyn", "c3 0 bandit", "c3", 0),
        ("rebels-favorite-dana", "c3 0 rogue", "c3", 1),
        ("zombie-lord", "c3 0 zombie", "c3", 1),
        ("general-iron-fist", "c3 0 soldier", "c3", 0),
    ],
)
def test_a_noble_that_bears_counters_or_is_another_players_helps_nobody(
    noble: str, units: str, field: str, value: int
) -> None:
    able = values(table(units, f"{noble} pope-anicetus-iv"), field)[value]
    unable = values(table(f"b2 0 {noble}+1, {units}", f"{noble} pope-anicetus-iv"), field)[value]
    others = values(table(units.replace(" 0 ", " 1 "), f"{noble} pope-anicetus-iv"), field)[value]
    assert (unable, others) == (able - 1, able - 1)


def test_vampirelord_darkuhla_takes_no_counters_below_0_and_it_is_a_summons(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(BOX.kinds, "vampire", replace(BOX.kinds["vampire"], counters=2))
    state = do(table(nobles="vampirelord-darkuhla prince-konrad"), Hire("vampire"), *pick("a1"))
    assert (unit(state, "a1").counters, state.players[0].summons) == (0, 1)
    assert summon_counters(BOX, state, 0, "zombie") == BOX.kinds["zombie"].counters


def test_lich_baron_kynoth_or_not_hiring_for_gold_is_no_summons() -> None:
    state = table(nobles="zombie-lord prince-konrad", gold=(9,))
    state = do(state, Hire("skeleton"), *pick("a1"), Hire("skeleton"), *pick("a2"))
    state = do(state, Hire("grave-robber"), *pick("a3"))
    assert not {Hire("skeleton"), Hire("zombie")} & set(legal(state))
    assert kind(state, "a3") == "grave-robber"
