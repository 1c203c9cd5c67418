"""What each effect does, one test an effect, on a card of the house pack that has it."""

import re
from pathlib import Path
from typing import get_args

import pytest

from domain.adamantine import ADAMANTINE, effects
from domain.adamantine import commands as c
from domain.adamantine.standing import danger_level, health, price
from domain.game import SPECTATOR, IllegalCommand, at_seat
from tests.domain.adamantine.table import (
    BOX,
    RULES,
    Dice,
    Side,
    assign,
    do,
    fight,
    held,
    in_play,
    in_room,
    laid,
    legal,
    play,
    put,
    room,
    table,
)


def enter(mine: Side, cards: str, *dice: int):
    """A champion in a room whose cards lie face up already."""
    state = table(mine, Side(rooms=cards + "!"))
    return do(state, c.Explore(room(state)), dice=dice)


# --- standing, on hero cards -------------------------------------------------------------------------------


def test_bonus_always_in_combat_or_against_traps() -> None:
    shown = ADAMANTINE.view.observe(table(Side("fighter shortsword lockpicks")), at_seat(0))["players"][0]
    assert shown["statistics"]["combat"] == {"might": 6, "agility": 3, "wits": 2, "will": 2}
    assert shown["statistics"]["check"] == {"might": 5, "agility": 4, "wits": 2, "will": 2}
    state = do(enter(Side("fighter shortsword"), "skeleton"), fight(), dice=[1])  # 1 + 6 against 6
    assert in_room(state) == []


def test_vigour_gives_health() -> None:
    state = table(Side("field-surgeon fighter"))
    assert health(BOX, state.players[0]) == 15 + 4 + 1


def test_armour_lowers_each_monsters_damage() -> None:
    state = do(enter(Side("tower-shield"), "bugbear dire-wolf"), fight("wits"), dice=[1])
    assert state.players[0].wounds == (3 - 2) + (3 - 2)
    state = do(enter(Side("tower-shield buckler"), "skeleton"), fight("wits"), dice=[1])
    assert state.players[0].wounds == 0


def test_ward_lowers_the_harm_of_traps_and_events() -> None:
    state = enter(Side("warding-charm"), "boulder rockfall", 1)
    assert state.players[0].wounds == (4 - 2) + (2 - 2)


def test_ward_does_not_help_against_monsters_that_strike() -> None:
    ghoul = do(enter(Side("warding-charm priest"), "ghoul"), fight("wits"), dice=[1])
    assert ghoul.players[0].wounds == (3 - 1) + 1  # the charm's armour against the damage, nothing else


def test_slayer_adds_damage_against_its_kind() -> None:
    rook = Side(champion="huntmaster-rook")  # might 3, +2 against beasts
    assert in_room(do(enter(rook, "dire-wolf"), fight(), dice=[1])) == []
    assert in_room(do(enter(rook, "skeleton"), fight(), dice=[1])) == [["skeleton"]]


def test_guard_takes_the_damage_in_the_champions_place_AM_7() -> None:
    state = do(enter(Side("wolfhound tame-bear buckler"), "bugbear"), fight("wits"), dice=[1])  # 3 damage
    assert legal(state) == [
        c.TakeDamage(put(state, card)) for card in ("garrod-the-unbowed", "wolfhound", "tame-bear")
    ]
    assert do(state, c.TakeDamage(put(state, "garrod-the-unbowed"))).players[0].wounds == 2  # the Buckler
    dead = do(state, c.TakeDamage(put(state, "wolfhound")))
    assert (in_play(dead), dead.players[0].wounds) == (["buckler", "tame-bear"], 0)
    alive = do(state, c.TakeDamage(put(state, "tame-bear")))
    assert (in_play(alive), alive.players[0].wounds) == (["buckler", "tame-bear", "wolfhound"], 0)
    with pytest.raises(IllegalCommand, match="AM-7"):
        do(state, c.TakeDamage(put(state, "buckler")))
    assert RULES.default(state, 0) == c.TakeDamage(put(state, "garrod-the-unbowed"))


def test_cheaper_lowers_the_price_of_a_kind() -> None:
    state = table(Side("squire militia", hand="throwing-knives second-wind"))
    assert price(BOX, state.players[0], "throwing-knives") == 2
    assert price(BOX, state.players[0], "second-wind") == 3
    assert in_play(play(state, "throwing-knives", "militia")) == ["squire", "throwing-knives"]


def test_plunder_adds_to_each_reward() -> None:
    state = do(enter(Side("rogue treasure-hunter", hand="buckler"), "goblin cave-rat"), fight(), dice=[6])
    assert state.exploration.gold == 1 + 1 + 2 * 2


def test_insight_fills_the_hand_to_more() -> None:
    state = table(other=Side("mage sage", heroes=" ".join(["militia"] * 10)), phase="night")
    assert len(do(state, c.EndNight()).players[1].hero_hand) == 8


def test_searching_moves_more_cards() -> None:
    state = do(table(Side("dowsing-rod treasure-hunter")), c.Search(), dice=[2])
    assert len(state.players[1].dungeon_discard) == 4


def test_stealth_lowers_the_danger_level() -> None:
    state = table(Side("grey-cloak buckler"))
    assert danger_level(BOX, state.players[0]) == 3 - 2 + 1


def test_ward_cheaper_and_stealth_stop_at_nothing() -> None:
    assert enter(Side("warding-charm priest"), "rockfall").players[0].wounds == 0  # 2 - 3
    state = table(Side("squire squire squire", hand="buckler"))
    assert price(BOX, state.players[0], "buckler") == 0
    assert "buckler" in in_play(play(state, "buckler"))
    assert danger_level(BOX, table(Side("grey-cloak grey-cloak")).players[0]) == 0


# --- standing, on monsters ---------------------------------------------------------------------------------


def test_hardened_lowers_the_damage_of_a_statistic() -> None:
    tam = Side(champion="needle-tam", wounds=0)  # agility 4, wits 3
    state = do(enter(tam, "displacer-beast"), fight("agility"), dice=[6])  # 10 - 3 against 8
    assert in_room(state) == [["displacer-beast"]]
    assert in_room(do(enter(tam, "displacer-beast"), fight("wits"), dice=[6])) == []


def test_hardened_stops_at_no_damage() -> None:
    state = enter(Side(), "displacer-beast displacer-beast")  # agility 2, 3 lower for each
    (_, rolled, *_) = RULES.decide(state, fight("agility"), 0, Dice(1))
    assert rolled.damage == 0


def test_weakness_raises_the_damage_of_a_statistic() -> None:
    assert in_room(do(enter(Side(), "giant-spider"), fight(), dice=[1])) == []  # 1 + 4 + 2 against 6
    assert in_room(do(enter(Side(), "giant-spider"), fight("wits"), dice=[3])) == [["giant-spider"]]


def test_horde_deals_more_for_each_other_monster_left() -> None:
    state = enter(Side(), "goblin goblin goblin")
    assert do(state, fight("wits"), dice=[1]).players[0].wounds == 3 * (2 + 2)
    state = do(state, fight("wits"), dice=[2])  # 4 damage: one may die
    state = do(state, assign(state, "goblin", 4))
    assert state.players[0].wounds == 2 * (2 + 1)


# --- performed by abilities --------------------------------------------------------------------------------


def test_heal_takes_wounds_away() -> None:
    state = table(Side("healing-draught second-wind", wounds=5))
    state = do(state, c.Use(put(state, "second-wind")))
    assert state.players[0].wounds == 3
    state = do(state, c.Use(put(state, "healing-draught")))
    assert (state.players[0].wounds, state.players[0].hero_discard) == (0, ("healing-draught",))
    assert in_play(state) == ["second-wind"]
    well = table(Side("second-wind"))
    assert c.Use(put(well, "second-wind")) not in legal(well)


def test_draw_draws_hero_cards() -> None:
    state = table(Side("deep-study", heroes="buckler militia"))
    state = do(state, c.Use(put(state, "deep-study")))
    assert [card.card for card in state.players[0].hero_hand] == ["buckler"]
    empty = table(Side("deep-study"))
    assert c.Use(put(empty, "deep-study")) not in legal(empty)


def test_mill_discards_from_the_top_of_a_dungeon_deck() -> None:
    state = table(Side("undermine"), Side(dungeon="ogre pit"))
    state = do(state, c.Use(put(state, "undermine")))
    assert (state.players[1].dungeon_deck, state.players[1].dungeon_discard) == (("pit",), ("ogre",))
    state = enter(Side(dungeon="ogre pit imp"), "secret-passage")
    assert state.players[0].dungeon_deck == ("pit", "imp")
    short = enter(Side(dungeon="ogre"), "chute", 1)  # two are asked for
    assert short.players[0].dungeon_deck == ()
    empty = table(Side("undermine"), Side(dungeon=""))
    assert c.Use(put(empty, "undermine")) not in legal(empty)


def test_boost_raises_statistics_for_this_combat_or_check_only() -> None:
    state = enter(
        Side("power-strike flurry quick-feet"), "iron-sentinel spear-trap"
    )  # health 13, -2 for might
    state = do(
        state, c.Use(put(state, "power-strike")), c.Use(put(state, "flurry")), c.Use(put(state, "flurry"))
    )
    assert c.Use(put(state, "quick-feet")) not in legal(state)
    state = do(state, fight(), dice=[6])  # 6 + 4 + 3 + 1 + 1 - 2
    assert in_room(state) == [["spear-trap"]]
    state = do(state, c.Use(put(state, "quick-feet")), dice=[2])  # 2 + 2 + 3 against 6, no Flurry
    assert in_room(state) == []


def test_boost_of_a_combat_does_not_help_against_the_traps_behind_it() -> None:
    state = enter(Side("flurry"), "cave-rat spear-trap")
    once = do(state, c.Use(put(state, "flurry")))
    assert c.Use(put(state, "flurry")) in legal(once)  # twice a turn
    assert c.Use(put(state, "flurry")) not in legal(do(once, c.Use(put(state, "flurry"))))
    state = do(state, c.Use(put(state, "flurry")), c.Use(put(state, "flurry")), fight(), dice=[6, 4])
    assert in_room(state) == [["spear-trap"]]  # 4 + 2 against 6
    state = enter(Side("quick-feet"), "spear-trap scything-blade")
    state = do(state, c.Use(put(state, "quick-feet")), dice=[6, 5])
    assert in_room(state) == [["scything-blade"]]  # 5 + 2 against 7, the three were for the first


def test_a_check_can_be_rolled_without_using_anything() -> None:
    state = enter(Side("quick-feet"), "spear-trap")
    assert legal(state) == [c.RollCheck(), c.Use(put(state, "quick-feet"))]
    assert RULES.default(state, 0) == c.RollCheck()
    assert do(state, c.RollCheck(), dice=[3]).players[0].wounds == 3


def test_shield_lowers_monsters_damage_in_this_room() -> None:
    state = enter(Side("shield-wall smoke-flask"), "ogre")
    state = do(state, c.Use(put(state, "shield-wall")), c.Use(put(state, "smoke-flask")))
    assert do(state, fight("wits"), dice=[1]).players[0].wounds == 0  # 5 - 2 - 3


def test_smite_beats_a_chosen_monster() -> None:
    state = enter(Side("ember-wand", hand="militia"), "goblin imp ogre")
    wand = put(state, "ember-wand")
    assert [one for one in legal(state) if isinstance(one, c.Use)] == [
        c.Use(wand, laid(state, "goblin")), c.Use(wand, laid(state, "imp")),
    ]  # fmt: skip
    state = do(state, c.Use(wand, laid(state, "imp")))
    assert in_room(state) == [["goblin", "ogre"]]
    assert (state.exploration.step, state.exploration.gold) == ("combat", 1)
    last = enter(Side("ember-wand"), "imp")
    assert do(last, c.Use(put(last, "ember-wand"), laid(last, "imp"))).exploration is None
    big = enter(Side("ember-wand"), "ogre")
    with pytest.raises(IllegalCommand, match="no-such-target"):
        do(big, c.Use(put(big, "ember-wand"), laid(big, "ogre")))


def test_disarm_passes_a_trap_without_a_roll() -> None:
    state = enter(Side("lockpicks", hand="buckler"), "rune-of-fire spear-trap", 5)  # the rune ties
    assert legal(state) == [c.RollCheck(), c.Use(put(state, "lockpicks"))]
    state = do(state, c.Use(put(state, "lockpicks")))
    assert in_room(state) == [["rune-of-fire"]]
    assert state.exploration.gold == 1
    assert (
        enter(Side("lockpicks"), "scything-blade", 6).exploration is None
    )  # 7 is too high, so it was rolled


def test_scout_shows_a_room_to_the_seat_alone_and_leaves_it_face_down() -> None:
    state = table(Side("rune-lantern rune-lantern"), Side(rooms="goblin ogre | pit!"))
    lantern = put(state, "rune-lantern")
    before = state
    assert [one for one in legal(state) if isinstance(one, c.Use)] == [
        c.Use(piece.handle) for piece in state.players[0].in_play
    ]
    state = do(state, c.Use(lantern))
    assert legal(state) == [c.Use(lantern, room(state)), c.Cancel()]
    assert do(state, c.Cancel()) == before == do(state, RULES.default(state, 0))
    for wrong in (
        c.Use(lantern),
        c.Use(lantern, room(state, 1)),
        c.Use(lantern + 1, room(state)),
        c.Finish(),
    ):
        with pytest.raises(IllegalCommand):
            do(state, wrong)
    state = do(state, c.Use(lantern, room(state)))
    assert not [
        one for one in legal(state) if isinstance(one, c.Use)
    ]  # nothing is left for the other lantern
    view = ADAMANTINE.view
    mine, theirs = (view.observe(state, at_seat(seat))["players"][1]["rooms"][0] for seat in (0, 1))
    spectators = view.observe(state, SPECTATOR)["players"][1]["rooms"][0]
    assert [card["card"] for card in mine["cards"]] == ["goblin", "ogre"]
    assert not any(card["up"] for card in theirs["cards"])
    assert all("card" not in card for card in spectators["cards"])
    explored = do(state, c.Explore(room(state)))
    assert explored.exploration.step == "trimming"  # it was face down, so the limit holds (AM-6)


def test_search_again_gives_one_more_search_today() -> None:
    state = table(Side("tireless-search"))
    state = do(state, c.Search(), c.Use(put(state, "tireless-search")), c.Search(), dice=[1, 2])
    assert len(state.players[1].dungeon_discard) == 3
    assert c.Search() not in legal(state)


def test_what_a_room_changes_ends_with_it() -> None:
    state = table(
        Side("shield-wall"), Side(rooms="war-drums blood-frenzy foul-air dire-wolf! | dire-wolf! | pit!")
    )
    state = do(state, c.Explore(room(state)), c.Use(put(state, "shield-wall")), fight(), dice=[4])
    assert state.players[0].wounds == 3 + 2 - 2  # 7 damage against 8 health
    state = do(state, c.Explore(room(state, 1)), fight("wits"), dice=[1])
    assert state.players[0].wounds == 3 + 3
    assert in_room(do(state, c.Explore(room(state, 2)), dice=[4])) == [["dire-wolf"], ["dire-wolf"]]


def test_changes_of_one_kind_add_up() -> None:
    state = do(enter(Side(), "ambush blood-frenzy bugbear"), fight("wits"), dice=[1])
    assert state.players[0].wounds == 1 + 3 + 1 + 2
    state = do(enter(Side(), "war-drums war-drums skeleton"), fight(), dice=[5])  # 9 against 6 + 4
    assert in_room(state) == [["skeleton"]]
    state = enter(Side("tower-shield saint", hand="buckler"), "devils-bargain devils-bargain goblin")
    assert state.exploration.gold == 6
    state = enter(Side("shield-wall shield-wall"), "ogre")
    for piece in state.players[0].in_play:
        state = do(state, c.Use(piece.handle))
    assert do(state, fight("wits"), dice=[1]).players[0].wounds == 5 - 4


# --- suffered in rooms -------------------------------------------------------------------------------------


def test_harm_wounds_the_explorer_or_both() -> None:
    assert enter(Side(), "rockfall").players[0].wounds == 2
    state = enter(Side(), "cave-in")
    assert [player.wounds for player in state.players] == [2, 2]
    ghoul = do(enter(Side(), "ghoul"), fight("wits"), dice=[1])
    assert ghoul.players[0].wounds == 3 + 1


def test_gold_is_added_to_the_reward() -> None:
    state = enter(Side(hand="buckler"), "devils-bargain")
    assert (state.players[0].wounds, state.exploration.gold) == (4, 3)
    assert state.exploration.step == "reward"


def test_curse_lowers_statistics_until_the_room_is_left() -> None:
    state = do(
        enter(Side(), "foul-air skeleton spear-trap"), fight(), dice=[3, 4]
    )  # 3 + 3 = 6; 4 + 1 against 6
    assert in_room(state) == [["spear-trap"]]
    assert state.players[0].wounds == 3
    terror = enter(Side(), "terror skeleton")
    shown = ADAMANTINE.view.observe(terror, at_seat(0))["players"][0]["statistics"]["combat"]
    assert shown == {"might": 2, "agility": 2, "wits": 2, "will": 0}
    owner = ADAMANTINE.view.observe(terror, at_seat(0))["players"][1]["statistics"]["combat"]
    assert owner == {"might": 4, "agility": 2, "wits": 2, "will": 2}


def test_curse_of_a_trap_holds_for_the_traps_behind_it() -> None:
    state = enter(Side(), "iron-net pit spear-trap", 1, 4, 5)  # 4 + 2 - 1 ties, and so does 5 + 2 - 1
    assert in_room(state) == [["iron-net", "pit", "spear-trap"]]
    assert state.players[0].wounds == 1


def test_rage_raises_the_damage_of_monsters() -> None:
    state = do(enter(Side(), "blood-frenzy bugbear"), fight("wits"), dice=[1])
    assert state.players[0].wounds == 3 + 2


def test_toughen_raises_the_health_of_monsters() -> None:
    state = do(enter(Side(), "war-drums skeleton"), fight(), dice=[3])  # 7 against 6 + 2
    assert in_room(state) == [["skeleton"]]


def test_lose_has_the_explorer_discard_a_card_of_the_kind() -> None:
    state = enter(Side("buckler shortsword militia"), "thieves-in-the-night")
    assert legal(state) == [c.Discard(put(state, "buckler")), c.Discard(put(state, "shortsword"))]
    assert RULES.to_act(state) == (0,)
    state = do(state, c.Discard(put(state, "shortsword")))
    assert in_play(state) == ["buckler", "militia"]
    assert state.players[0].hero_discard == ("shortsword",)
    assert enter(Side("militia"), "thieves-in-the-night").exploration is None


def test_lose_takes_what_there_is_and_never_the_champion() -> None:
    state = enter(Side(""), "cursed-hoard", 1)  # one card in play, then two wounds
    assert (state.exploration, state.players[0].wounds) == (None, 2)
    state = enter(Side("militia"), "cursed-hoard", 1)
    assert legal(state) == [c.Discard(put(state, "militia"))]


def test_forget_has_the_explorer_discard_from_the_hand_and_can_be_cancelled() -> None:
    before = enter(Side(hand="buckler militia fighter"), "confusion")
    state = do(before, c.Discard(held(before, "militia")))
    assert c.Cancel() in legal(state)
    assert do(state, c.Cancel()) == before
    state = do(state, c.Discard(held(state, "buckler")))
    assert [card.card for card in state.players[0].hero_hand] == ["fighter"]
    assert state.players[0].hero_discard == ("militia", "buckler")
    assert enter(Side(hand="buckler"), "confusion").exploration is not None
    assert enter(Side(), "confusion").exploration is None


def test_leave_ends_the_exploration_and_what_is_left_stays() -> None:
    state = enter(Side(), "collapsing-tunnel ogre")
    assert (state.exploration, in_room(state), state.players[0].wounds) == (None, [["ogre"]], 1)
    rich = enter(Side(hand="buckler"), "devils-bargain collapsing-tunnel ogre")
    assert rich.exploration is None  # AM-26: the gold not spent is lost
    state = enter(Side(), "portcullis boulder", 1)
    assert in_room(state) == [["portcullis", "boulder"]]


def test_success_of_a_trap_may_do_something_too() -> None:
    sister = Side("saint iron-mind", champion="sister-ilvane", wounds=3)  # will 3 + 3 + 2
    state = enter(sister, "soul-mirror", 1)
    assert (state.players[0].wounds, in_room(state)) == (1, [])


def test_every_effect_has_a_test_named_after_it() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    kinds = {
        kind for union in (effects.Standing, effects.Nature, effects.Performed) for kind in get_args(union)
    }
    for kind in kinds:
        assert re.search(rf"def test_{kind.__struct_config__.tag}_", here), kind


def test_every_effect_is_on_a_card_of_the_house_pack() -> None:
    printed = set()
    for card in (*BOX.champions.values(), *BOX.heroes.values()):
        printed |= {type(effect) for effect in card.standing}
        ability = getattr(card, "ability", None)
        printed |= {type(effect) for effect in ability.effects} if ability else set()
    for monster in BOX.monsters.values():
        printed |= {type(effect) for effect in (*monster.nature, *monster.strike)}
    for trap in BOX.traps.values():
        printed |= {type(effect) for effect in (*trap.success, *trap.failure)}
    for event in BOX.events.values():
        printed |= {type(effect) for effect in event.effects}
    kinds = {
        kind for union in (effects.Standing, effects.Nature, effects.Performed) for kind in get_args(union)
    }
    assert printed == kinds
