"""The rules one by one, and the situations in which they meet. Rulings are named where they decide."""

import pytest
from msgspec.structs import replace

from domain.adamantine import ADAMANTINE
from domain.adamantine import commands as c
from domain.adamantine.events import CardsLost
from domain.adamantine.options import AdamantineOptions
from domain.game import AUDITOR, SPECTATOR, IllegalCommand, at_seat
from tests.domain.adamantine.table import (
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
    lay,
    legal,
    play,
    put,
    room,
    table,
)


def refused(state, command, rule, dice=()):
    with pytest.raises(IllegalCommand) as caught:
        RULES.decide(state, command, RULES.to_act(state)[0], Dice(*dice))
    assert caught.value.rule == rule
    return caught.value.reason


# --- paying ------------------------------------------------------------------------------------------------


def test_buckler_is_played_by_sacrificing_the_shortsword() -> None:
    state = play(table(Side("shortsword", hand="buckler")), "buckler", "shortsword")
    assert in_play(state) == ["buckler"]
    assert state.players[0].hero_discard == ("shortsword",)
    assert state.players[0].hero_hand == ()


def test_a_payment_is_chosen_card_by_card_and_may_be_cancelled() -> None:
    before = table(Side("buckler shortsword militia", hand="war-axe"))
    state = do(before, c.PlayCard(held(before, "war-axe")))
    assert legal(state) == [
        c.Sacrifice(put(state, "buckler")),
        c.Sacrifice(put(state, "shortsword")),
        c.Sacrifice(put(state, "militia")),
        c.Cancel(),
    ]
    state = do(state, c.Sacrifice(put(state, "buckler")))
    assert in_play(state) == in_play(before)
    assert do(state, c.Cancel()) == before


def test_no_change_is_given() -> None:
    state = play(table(Side("chain-hauberk", hand="buckler")), "buckler", "chain-hauberk")
    assert in_play(state) == ["buckler"]


def test_no_sacrificed_card_may_be_superfluous() -> None:
    state = table(Side("buckler shortsword war-axe tower-shield", hand="ember-wand"))  # 2, 2, 4, 5 for 5
    state = do(state, c.PlayCard(held(state, "ember-wand")), c.Sacrifice(put(state, "buckler")))
    offered = [command.card for command in legal(state) if isinstance(command, c.Sacrifice)]
    assert offered == [put(state, "war-axe")]  # with 5 the 2 is not needed, and with 2 and 4 one 2 is not
    for card in ("tower-shield", "shortsword"):
        refused(state, c.Sacrifice(put(state, card)), "not-for-this-payment")
    assert in_play(do(state, c.Sacrifice(put(state, "war-axe")))) == [
        "ember-wand",
        "shortsword",
        "tower-shield",
    ]


def test_a_dead_end_of_a_payment_is_not_offered() -> None:
    state = table(Side("buckler tower-shield", hand="throwing-knives"))  # 2 and 5 for 3
    state = do(state, c.PlayCard(held(state, "throwing-knives")))
    assert legal(state) == [c.Sacrifice(put(state, "tower-shield")), c.Cancel()]


def test_the_champion_is_never_sacrificed_for_gold() -> None:
    state = table(Side("", hand="buckler"))
    refused(state, c.PlayCard(held(state, "buckler")), "payment-too-small")
    state = table(Side("buckler", hand="shortsword"))
    state = do(state, c.PlayCard(held(state, "shortsword")))
    refused(state, c.Sacrifice(put(state, "garrod-the-unbowed")), "not-for-this-payment")


def test_a_champion_is_not_played_for_gold() -> None:
    state = table(Side("buckler", hand="needle-tam"))
    refused(state, c.PlayCard(held(state, "needle-tam")), "champion-not-played")
    assert c.PlayCard(held(state, "needle-tam")) not in legal(state)


# --- the first day -----------------------------------------------------------------------------------------


def test_AM_3_on_the_first_day_any_number_of_cards_up_to_5_gold_are_put_into_play_free() -> None:
    state = table(Side("", hand="buckler war-axe tower-shield chain-hauberk", days=1, free=True))
    for card in ("buckler", "war-axe", "tower-shield"):
        state = do(state, c.PlayCard(held(state, card)))
    assert in_play(state) == ["buckler", "tower-shield", "war-axe"]
    state = do(state, c.PlayCard(held(state, "chain-hauberk")))  # 6 gold
    assert state.choice is not None


def test_AM_3_only_the_cards_drawn_first_are_free_and_only_that_day() -> None:
    state = table(Side("deep-study buckler", hand="shortsword", heroes="militia", days=1, free=True))
    state = do(state, c.Use(put(state, "deep-study")))
    assert do(state, c.PlayCard(held(state, "militia"))).choice is not None
    state = do(state, c.EndDay())
    assert state.players[0].free == ()


def test_prestige_prerequisites_are_checked_on_day_one_too() -> None:
    state = table(Side("fighter", hand="knight", days=1))
    assert c.PlayCard(held(state, "knight")) not in legal(state)  # 6 gold, and 3 to sacrifice
    state = table(Side("rogue tower-shield war-axe", hand="knight"))
    assert "Fighter" in refused(state, c.PlayCard(held(state, "knight")), "prestige-needs-class")
    state = table(Side("fighter war-axe buckler", hand="knight"))
    assert "knight" in in_play(play(state, "knight", "war-axe", "buckler"))


def test_a_class_sacrificed_under_its_prestige_class() -> None:
    state = table(Side("fighter knight", hand="iron-mind"))
    state = play(state, "iron-mind", "fighter")
    assert in_play(state) == ["iron-mind", "knight"]
    both = play(table(Side("fighter oak-staff", hand="knight")), "knight", "oak-staff", "fighter")
    assert in_play(both) == ["knight"]  # AM-17: asked for when the card is named, not when it is paid


# --- days and nights ---------------------------------------------------------------------------------------


def test_by_day_the_hero_hand_is_filled_up_to_six() -> None:
    state = table(
        other=Side(hand="buckler shortsword", heroes="militia militia fighter rogue mage priest"),
        phase="night",
    )
    state = do(state, c.EndNight())
    assert (state.turn, state.phase) == (1, "day")
    assert [card.card for card in state.players[1].hero_hand] == [
        "buckler", "shortsword", "militia", "militia", "fighter", "rogue",
    ]  # fmt: skip


def test_a_hero_hand_of_more_than_six_is_kept_and_nothing_drawn() -> None:
    other = Side(hand=" ".join(["buckler"] * 8), heroes="militia militia militia")
    state = do(table(other=other, phase="night"), c.EndNight())
    assert [card.card for card in state.players[1].hero_hand] == ["buckler"] * 8


def test_AM_9_the_dungeon_hand_is_thrown_away_and_redrawn_by_night() -> None:
    state = table(
        Side(hand="buckler", night="goblin ogre", dungeon="pit boulder chute ambush ghoul wraith imp")
    )
    state = do(state, c.EndDay())
    player = state.players[0]
    assert [card.card for card in player.dungeon_hand] == [
        "pit",
        "boulder",
        "chute",
        "ambush",
        "ghoul",
        "wraith",
    ]
    assert player.dungeon_discard == ("goblin", "ogre")
    assert [card.card for card in player.hero_hand] == ["buckler"]
    assert state.phase == "night"


def test_AM_10_fewer_than_six_dungeon_cards_are_drawn_as_they_are() -> None:
    state = do(table(Side(dungeon="pit boulder")), c.EndDay())
    assert [card.card for card in state.players[0].dungeon_hand] == ["pit", "boulder"]


def test_AM_10_an_empty_hero_deck_is_no_loss() -> None:
    state = do(table(other=Side(heroes=""), phase="night"), c.EndNight())
    assert (state.phase, state.turn) == ("day", 1)


def test_a_night_without_cards_is_lost() -> None:
    state = do(table(Side(night="goblin", dungeon="")), c.EndDay())
    outcome = RULES.outcome(state)
    assert (outcome.winner, outcome.reason, outcome.scores) == (1, "no_cards_at_night", (0, 1))


def test_abilities_can_be_used_again_in_the_next_turn() -> None:
    state = table(Side("second-wind", wounds=6))
    state = do(state, c.Use(put(state, "second-wind")))
    refused(state, c.Use(put(state, "second-wind")), "ability-used-up")
    state = do(state, c.EndDay(), c.EndNight())
    assert state.players[0].in_play[0].used == 0


def test_AM_23_what_was_used_in_the_others_night_can_be_used_by_day() -> None:
    state = table(Side(night="goblin"), Side("power-strike"), phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[1]), "goblin")
    state = do(state, c.Use(put(state, "power-strike", 1)), fight(), dice=[6])
    assert state.players[1].in_play[0].used == 1
    assert do(state, c.EndNight()).players[1].in_play[0].used == 0


def test_the_turn_limit_draws_the_match() -> None:
    state = table(phase="night", options=AdamantineOptions(first_seat=0, turn_limit=3))
    outcome = RULES.outcome(do(state, c.EndNight()))
    assert (outcome.result, outcome.winner, outcome.reason) == ("drawn", None, "turn_limit")


# --- searching ---------------------------------------------------------------------------------------------


def test_a_search_moves_as_many_cards_as_the_die_shows() -> None:
    state = do(table(other=Side(dungeon="pit boulder chute ogre")), c.Search(), dice=[3])
    assert state.players[1].dungeon_deck == ("ogre",)
    assert state.players[1].dungeon_discard == ("pit", "boulder", "chute")


def test_a_search_that_empties_the_deck_loses_at_the_next_night() -> None:
    state = do(table(other=Side(dungeon="pit boulder")), c.Search(), dice=[6])
    assert state.players[1].dungeon_deck == ()
    assert RULES.outcome(state) is None
    state = do(state, c.EndDay(), c.EndNight(), c.EndDay())
    assert (RULES.outcome(state).winner, RULES.outcome(state).reason) == (0, "no_cards_at_night")


def test_AM_4_one_search_a_day_and_only_without_rooms() -> None:
    state = table(other=Side(rooms="pit"))
    refused(state, c.Search(), "rooms-left")
    state = do(table(), c.Search(), dice=[1])
    refused(state, c.Search(), "AM-4")
    again = do(table(Side(searches=2)), c.Search(), c.Search(), dice=[1, 2])
    assert len(again.players[1].dungeon_discard) == 3


# --- exploring ---------------------------------------------------------------------------------------------


def test_AM_4_each_room_once_a_day_and_again_the_next() -> None:
    state = table(Side("knight"), Side(rooms="iron-sentinel | pit", champion="needle-tam"))
    state = do(state, c.Explore(room(state)), fight(), dice=[1])
    refused(state, c.Explore(room(state)), "AM-4")
    assert c.Explore(room(state, 1)) in legal(state)
    state = do(state, c.EndDay(), c.EndNight(), c.EndDay(), c.EndNight())
    assert c.Explore(room(state)) in legal(state)


def test_AM_4_the_option_limits_explorations() -> None:
    options = AdamantineOptions(first_seat=0, explorations_per_day=1)
    state = table(other=Side(rooms="pit | pit"), options=options)
    state = do(state, c.Explore(room(state)), dice=[6])
    assert not [command for command in legal(state) if isinstance(command, c.Explore)]
    state = do(state, c.EndDay(), c.EndNight(), c.EndDay(), c.EndNight())
    assert c.Explore(room(state)) in legal(state)


def test_the_named_rooms_of_the_rulebook() -> None:
    state = table(
        Side("knight war-axe giantbane"),
        Side(rooms="bugbear goblin | spear-trap displacer-beast | spear-trap"),
    )
    assert in_room(state) == [["bugbear", "goblin"], ["spear-trap", "displacer-beast"], ["spear-trap"]]
    state = do(state, c.Explore(room(state)), fight(), dice=[6])
    assert in_room(state) == [["bugbear", "goblin"], ["spear-trap", "displacer-beast"], ["spear-trap"]][1:]


def test_damage_exactly_equal_to_health_kills() -> None:
    state = table(Side(), Side(rooms="skeleton"))  # might 4, health 6
    assert in_room(do(state, c.Explore(room(state)), fight(), dice=[2])) == []
    left = do(state, c.Explore(room(state)), fight(), dice=[1])
    assert in_room(left) == [["skeleton"]]
    assert left.players[0].wounds == 2


def test_damage_is_divided_one_point_or_one_monster_at_a_time() -> None:
    state = table(Side(), Side(rooms="goblin dire-wolf"))  # health 4 and 6
    state = do(state, c.Explore(room(state)), fight(), dice=[4])  # 8
    assert legal(state) == [
        assign(state, "goblin"), assign(state, "goblin", 4), assign(state, "dire-wolf"),
        assign(state, "dire-wolf", 6),
    ]  # fmt: skip
    refused(state, assign(state, "goblin", 2), "no-such-division")
    begun = do(state, assign(state, "goblin"))
    assert do(begun, c.Cancel()) == state
    state = do(state, assign(state, "dire-wolf", 6))
    state = do(state, assign(state, "goblin"), assign(state, "goblin"))
    assert in_room(state) == [["goblin"]]
    assert state.players[0].wounds == 2  # the goblin alone deals 2


def test_AM_15_where_every_division_is_the_same_none_is_asked() -> None:
    state = table(Side(), Side(rooms="goblin cave-rat"))  # 4 and 2
    enough = do(state, c.Explore(room(state)), fight(), dice=[2])
    assert in_room(enough) == []
    nobody = table(Side(), Side(rooms="cave-bear hill-giant!"))
    nobody = do(nobody, c.Explore(room(nobody)), fight("wits"), dice=[1])
    assert nobody.players[0].wounds == 4 + 6
    assert in_room(nobody) == [["cave-bear", "hill-giant"]]


def test_monsters_do_not_stay_wounded_and_champions_do() -> None:
    state = table(Side(), Side(rooms="ogre!"))  # health 12, damage 5
    state = do(state, c.Explore(room(state)), fight(), dice=[6])
    assert state.players[0].wounds == 5
    state = do(state, c.EndDay(), c.EndNight(), c.EndDay(), c.EndNight())
    state = do(state, c.Explore(room(state)), fight(), dice=[6])  # 10 again are not enough
    assert in_room(state) == [["ogre"]]
    assert state.players[0].wounds == 10


@pytest.mark.parametrize(
    ("die", "stays", "wounds"),
    [(5, False, 0), (4, True, 0), (3, True, 3)],  # agility 2 against 6
)
def test_AM_8_a_tie_in_a_skill_check_is_neither(die: int, stays: bool, wounds: int) -> None:
    state = table(Side(), Side(rooms="spear-trap"))
    state = do(state, c.Explore(room(state)), dice=[die])
    assert in_room(state) == ([["spear-trap"]] if stays else [])
    assert state.players[0].wounds == wounds


def test_all_monsters_dead_but_a_trap_left() -> None:
    state = table(Side(), Side(rooms="goblin spear-trap"))
    state = do(state, c.Explore(room(state)), fight(), dice=[6, 4])  # the trap ties
    assert in_room(state) == [["spear-trap"]]
    assert all(card.up for card in state.players[1].rooms[0].cards)
    assert state.players[1].dungeon_discard == ("goblin",)


def test_traps_are_tried_even_where_monsters_survive() -> None:
    state = table(Side(), Side(rooms="ogre spear-trap!"))
    state = do(state, c.Explore(room(state)), fight(), dice=[1, 6])
    assert in_room(state) == [["ogre"]]


def test_events_resolve_in_the_order_they_were_laid_and_are_discarded() -> None:
    state = table(Side(), Side(rooms="foul-air goblin rockfall!"))
    state = do(state, c.Explore(room(state)))
    assert state.players[1].dungeon_discard == ("foul-air", "rockfall")
    assert state.players[0].wounds == 2
    assert state.exploration.step == "combat"


def test_beaten_cards_pay_for_cards_from_the_hand_AM_14() -> None:
    state = table(Side(hand="buckler shortsword"), Side(rooms="goblin-chief spear-trap!"))  # 3 and 1 gold
    state = do(state, c.Explore(room(state)), fight(), dice=[6])
    assert state.exploration.step == "reward"
    assert state.exploration.gold == 3
    assert RULES.default(state, 0) == c.Finish()
    state = do(state, c.PlayCard(held(state, "buckler")))
    assert (in_play(state), state.exploration.gold) == (["buckler"], 1)
    state = do(state, c.Finish(), dice=[6])  # the gold left is lost, the trap has its own
    assert state.exploration.gold == 1
    assert do(state, c.Finish()).exploration is None


def test_AM_14_a_reward_may_be_topped_up_by_sacrifices() -> None:
    state = table(Side("buckler militia", hand="war-axe"), Side(rooms="dire-wolf"))
    state = do(state, c.Explore(room(state)), fight(), dice=[6])  # 2 gold
    state = play(state, "war-axe", "militia")
    assert in_play(state) == ["buckler", "war-axe"]


def test_AM_14_a_reward_ends_with_its_gold_and_is_no_second_day() -> None:
    earned = table(Side("buckler", hand="militia shortsword"), Side(rooms="dire-wolf spear-trap!"))
    earned = do(earned, c.Explore(room(earned)), fight(), dice=[6])  # 2 gold
    state = do(earned, c.PlayCard(held(earned, "militia")), dice=[6])  # no gold is left, so the trap is next
    assert state.exploration.gold == 1  # the trap's own
    state = do(state, c.PlayCard(held(state, "shortsword")), c.Sacrifice(put(state, "buckler")))
    assert (in_play(state), state.exploration) == (["militia", "shortsword"], None)
    night = table(Side(night="dire-wolf"), Side("knight tower-shield", hand="militia war-axe"), phase="night")
    night = lay(do(night, c.RandomEncounter(), dice=[1]), "dire-wolf")
    night = do(night, fight(), dice=[6])
    night = do(night, c.PlayCard(held(night, "militia", 1)))
    assert RULES.to_act(night) == (0,)  # nothing is paid by sacrifices alone in another's night


def test_AM_14_a_reward_ends_with_the_hand() -> None:
    state = table(Side(hand="buckler"), Side(rooms="goblin-chief"))
    state = do(state, c.Explore(room(state)), fight(), dice=[6])  # 3 gold for 2
    assert do(state, c.PlayCard(held(state, "buckler"))).exploration is None


def test_a_reward_nobody_could_spend_is_not_kept_for_later() -> None:
    state = table(Side(heroes="buckler"), Side(rooms="goblin riddle-door!"))
    state = do(state, c.Explore(room(state)), fight(), dice=[6, 6])  # behind the door is a card
    assert (state.exploration.step, state.exploration.gold) == ("reward", 1)


def test_without_a_hand_no_reward_is_asked() -> None:
    state = table(Side(), Side(rooms="goblin"))
    assert do(state, c.Explore(room(state)), fight(), dice=[6]).exploration is None


def test_a_room_left_without_cards_ceases_to_exist() -> None:
    state = table(other=Side(rooms="rockfall"))
    state = do(state, c.Explore(room(state)))
    assert state.players[1].rooms == ()
    assert c.Search() in legal(state)


# --- the danger limit --------------------------------------------------------------------------------------


def test_AM_6_the_owner_discards_until_the_room_is_not_too_dangerous() -> None:
    state = table(Side("buckler"), Side(rooms="goblin bugbear pit"))  # danger 5 against level 4
    state = do(state, c.Explore(room(state)))
    assert RULES.to_act(state) == (1,)
    assert in_room(do(state, c.Discard(laid(state, "goblin")))) == [["bugbear", "pit"]]


def test_AM_6_discards_can_be_cancelled_and_the_default_is_the_most_dangerous_first() -> None:
    state = table(Side(""), Side(rooms="goblin bugbear pit"))  # danger 5 against level 3
    state = do(state, c.Explore(room(state)))
    begun = do(state, c.Discard(laid(state, "goblin")))
    assert do(begun, c.Cancel()) == state
    assert RULES.default(begun, 1) == c.Cancel()
    assert RULES.default(state, 1) == c.Discard(laid(state, "bugbear"))
    assert in_room(do(state, RULES.default(state, 1))) == [["goblin", "pit"]]


def test_AM_6_an_over_dangerous_room_emptied_to_nothing() -> None:
    state = table(Side(""), Side(rooms="ogre"))  # danger 5 against level 3
    state = do(state, c.Explore(room(state)))
    state = do(state, c.Discard(laid(state, "ogre")))
    assert state.players[1].rooms == ()
    assert state.players[1].dungeon_discard == ("ogre",)
    assert state.exploration is None
    assert c.Search() in legal(state)


def test_AM_6_a_room_that_lies_face_up_is_not_trimmed_again() -> None:
    state = table(Side(""), Side(rooms="ogre!"))
    state = do(state, c.Explore(room(state)))
    assert state.exploration.step == "combat"


# --- possession and death ----------------------------------------------------------------------------------


def test_possession_at_will_discards_classes_prestige_classes_and_feats() -> None:
    state = table(Side("fighter knight second-wind buckler militia", hand="needle-tam", wounds=5))
    state = do(state, c.Possess(held(state, "needle-tam")))
    player = state.players[0]
    assert (player.champion.card, player.wounds) == ("needle-tam", 0)
    assert in_play(state) == ["buckler", "militia"]
    assert player.hero_discard == ("garrod-the-unbowed", "fighter", "knight", "second-wind")


def test_AM_5_death_without_a_champion_in_hand_ends_the_match() -> None:
    state = table(Side(hand="buckler", wounds=11), Side(rooms="ogre!"))  # 15 health
    state = do(state, c.Explore(room(state)), fight(), dice=[1])
    outcome = RULES.outcome(state)
    assert (outcome.winner, outcome.reason) == (1, "champion_slain")
    assert (state.exploration, in_room(state)) == (None, [["ogre"]])
    fatal = table(Side(wounds=14), Side(rooms="rockfall"))
    assert do(fatal, c.Explore(room(fatal))).players[1].rooms == ()


def test_AM_5_death_with_a_champion_in_hand_is_asked_first() -> None:
    state = table(Side("fighter", hand="needle-tam", wounds=11), Side(rooms="ogre!"))
    state = do(state, c.Explore(room(state)), fight(), dice=[1])
    assert RULES.to_act(state) == (0,)
    assert legal(state) == [c.Possess(held(state, "needle-tam")), c.Decline()]
    assert RULES.default(state, 0) == c.Decline()
    followed = do(state, c.Possess(held(state, "needle-tam")))
    assert followed.players[0].wounds == 0
    assert (followed.phase, followed.exploration) == ("day", None)
    assert RULES.outcome(do(state, c.Decline())).winner == 1


def test_AM_5_a_death_in_the_middle_of_a_room_ends_the_exploration() -> None:
    state = table(
        Side("tower-shield", hand="needle-tam", wounds=14), Side(rooms="bugbear! bugbear spear-trap")
    )
    state = do(state, c.Explore(room(state)), fight("wits"), dice=[1])
    assert state.dying == (0,)
    assert len(state.exploration.queue) == 1  # the second bugbear strikes nobody
    state = do(state, c.Possess(held(state, "needle-tam")))
    assert state.players[0].wounds == 0
    assert in_room(state) == [["bugbear", "bugbear", "spear-trap"]]
    assert c.Explore(room(state)) not in legal(state)


def test_AM_5_nothing_more_of_a_card_happens_to_the_champion_that_follows() -> None:
    state = table(Side(hand="needle-tam buckler", wounds=14), Side(rooms="devils-bargain pit!"))
    state = do(state, c.Explore(room(state)))  # four wounds, then three gold
    assert (state.dying, state.cursor) == ((0,), None)
    events = RULES.decide(state, c.Possess(held(state, "needle-tam")), 0, Dice())
    assert [event.type_name() for event in events] == ["champion_possessed", "exploration_ended"]
    assert in_room(do(state, c.Possess(held(state, "needle-tam")))) == [["pit"]]


def test_a_payment_that_takes_the_last_health_kills_AM_16() -> None:
    state = table(Side("field-surgeon", hand="war-axe", wounds=16))
    state = play(state, "war-axe", "field-surgeon")
    assert RULES.outcome(state).reason == "champion_slain"


@pytest.mark.parametrize("turn", [0, 1])
def test_AM_12_both_losing_at_once_and_the_player_whose_turn_it_is_wins(turn: int) -> None:
    sides = [Side(wounds=14), Side(wounds=14)]
    sides[1 - turn].rooms = "cave-in"
    state = table(*sides, turn=turn)
    state = do(state, c.Explore(room(state, seat=1 - turn)))
    assert state.lost == (turn, 1 - turn)
    assert (RULES.outcome(state).winner, RULES.outcome(state).reason) == (turn, "champion_slain")


@pytest.mark.parametrize("turn", [0, 1])
def test_AM_12_by_night_the_owner_of_the_encounter_wins(turn: int) -> None:
    sides = [Side(wounds=14, night="cave-in"), Side(wounds=14, night="cave-in")]
    state = table(*sides, turn=turn, phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[1]), "cave-in", seat=turn)
    assert state.lost == (turn, 1 - turn)
    assert RULES.outcome(state).winner == turn
    assert in_room(state, turn) == []


def test_AM_12_of_two_that_die_at_once_one_may_follow() -> None:
    state = table(Side(wounds=14), Side(wounds=14, hand="needle-tam", rooms="cave-in"))
    state = do(state, c.Explore(room(state)))
    assert RULES.to_act(state) == (1,)
    state = do(state, c.Possess(held(state, "needle-tam", 1)))
    assert RULES.outcome(state).winner == 1


# --- rooms and encounters ----------------------------------------------------------------------------------


def test_rooms_of_any_size_and_number() -> None:
    state = table(Side(night="goblin ogre pit ambush"), phase="night")
    state = lay(do(state, c.BuildRoom()), "goblin", "pit", "ambush")
    state = lay(do(state, c.BuildRoom()), "ogre")
    assert in_room(state, 0) == [["goblin", "pit", "ambush"], ["ogre"]]
    refused(state, c.BuildRoom(), "no-dungeon-cards")


def test_a_room_has_at_least_one_card_and_can_be_cancelled() -> None:
    before = table(Side(night="goblin ogre"), phase="night")
    state = do(before, c.BuildRoom())
    refused(state, c.Finish(), "room-without-cards")
    assert do(state, c.LayCard(held(state, "goblin")), c.Cancel()) == before


def test_an_encounter_laid_with_fewer_cards_than_rolled() -> None:
    state = table(Side(night="goblin pit bugbear"), Side("knight"), phase="night")
    state = do(state, c.RandomEncounter(), dice=[5])
    assert legal(state) == [c.LayCard(held(state, "goblin")), c.LayCard(held(state, "bugbear")), c.Finish()]
    refused(state, c.Cancel(), "choice-pending")
    refused(state, c.LayCard(held(state, "pit")), "AM-13")
    state = lay(state, "goblin")
    assert RULES.to_act(state) == (1,)  # the opponent chooses for the champion
    (met,) = ADAMANTINE.view.observe(state, at_seat(1))["players"][0]["rooms"]
    assert [(card["card"], card["up"]) for card in met["cards"]] == [("goblin", True)]
    state = do(state, fight(), dice=[6])
    assert (state.phase, state.turn, state.exploration) == ("night", 0, None)
    assert [card.card for card in state.players[0].dungeon_hand] == ["pit", "bugbear"]


def test_an_encounter_laid_with_no_card_does_nothing() -> None:
    state = table(Side(night="pit"), phase="night")
    state = do(state, c.RandomEncounter(), c.Finish(), dice=[2])
    assert (state.phase, state.exploration, state.choice) == ("night", None, None)
    assert state.players[1].wounds == 0
    refused(state, c.RandomEncounter(), "AM-13", dice=[1])
    assert c.RandomEncounter() not in legal(state)
    state = do(state, c.EndNight(), c.EndDay(), c.EndNight(), c.EndDay())
    assert (state.turn, c.RandomEncounter() in legal(state)) == (0, True)


def test_AM_13_no_more_cards_than_the_die_and_cancelling_keeps_the_die() -> None:
    state = table(Side(night="goblin goblin"), phase="night")
    state = do(state, c.RandomEncounter(), dice=[1])
    chosen = do(state, c.LayCard(held(state, "goblin")))
    assert legal(chosen) == [c.Finish(), c.Cancel()]
    assert do(chosen, c.Cancel()) == state


def test_AM_11_what_is_left_of_an_encounter_is_discarded() -> None:
    state = table(Side(night="ogre rockfall", rooms="pit"), Side("knight fighter"), phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[2]), "ogre", "rockfall")
    state = do(state, fight(), dice=[1])
    assert in_room(state, 0) == [["pit"]]
    assert state.players[0].dungeon_discard == ("rockfall", "ogre")
    assert state.players[1].wounds == 2 + 5 - 1  # the knight's armour


def test_AM_6_the_danger_limit_holds_for_encounters() -> None:
    state = table(Side(night="ogre goblin"), Side(""), phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[2]), "ogre", "goblin")
    assert RULES.to_act(state) == (0,)
    state = do(state, c.Discard(laid(state, "ogre", 0)))
    assert RULES.to_act(state) == (1,)


def test_AM_13_a_champion_that_dies_in_an_encounter_is_replaced_by_its_player() -> None:
    state = table(Side(night="goblin"), Side(hand="needle-tam", wounds=14), phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[1]), "goblin")
    state = do(state, fight("wits"), dice=[1])
    assert RULES.to_act(state) == (1,)
    state = do(state, c.Possess(held(state, "needle-tam", 1)))
    assert (state.phase, state.turn) == ("night", 0)
    assert in_room(state, 0) == []
    assert state.players[0].dungeon_discard == ("goblin",)


def test_an_encounter_pays_its_reward_too() -> None:
    state = table(Side(night="dire-wolf"), Side("knight", hand="buckler"), phase="night")
    state = lay(do(state, c.RandomEncounter(), dice=[1]), "dire-wolf")
    state = do(state, fight(), dice=[6])
    state = do(state, c.PlayCard(held(state, "buckler", 1)))
    assert "buckler" in in_play(state, 1)


# --- what is hidden ----------------------------------------------------------------------------------------


def test_of_a_face_down_room_others_see_the_number_of_cards_only() -> None:
    state = table(Side(rooms="goblin pit | ogre!"))
    for viewer in (SPECTATOR, at_seat(1)):
        rooms = ADAMANTINE.view.observe(state, viewer)["players"][0]["rooms"]
        assert [[sorted(card) for card in one["cards"]] for one in rooms] == [
            [["handle", "up"], ["handle", "up"]],
            [["card", "handle", "up"]],
        ]
    for viewer in (AUDITOR, at_seat(0)):
        rooms = ADAMANTINE.view.observe(state, viewer)["players"][0]["rooms"]
        assert [card["card"] for card in rooms[0]["cards"]] == ["goblin", "pit"]


def test_what_is_put_together_is_seen_by_its_seat_alone() -> None:
    state = do(table(Side(night="goblin ogre"), phase="night"), c.BuildRoom())
    (picked,) = RULES.decide(state, c.LayCard(held(state, "goblin")), 0, Dice())
    state = do(state, c.LayCard(held(state, "goblin")))
    (built,) = RULES.decide(state, c.Finish(), 0, Dice())
    view = ADAMANTINE.view
    for viewer in (SPECTATOR, at_seat(1)):
        assert view.redact(picked, viewer) == {"seat": 0}
        assert view.redact(built, viewer) == {"seat": 0, "size": 1}
        assert view.observe(state, viewer)["pending"]["choice"] == {"seat": 0, "what": "room", "limit": 0}
    assert view.redact(picked, at_seat(0))["card"] == held(state, "goblin")
    assert view.redact(built, at_seat(0))["cards"] == ["goblin"]
    assert view.observe(state, at_seat(0))["pending"]["choice"]["picks"] == [held(state, "goblin")]


def test_no_list_grows_with_rooms_times_lanterns() -> None:
    nights = " | ".join(["pit"] * 60)
    state = table(Side(" ".join(["rune-lantern"] * 4), hand="buckler " * 7), Side(rooms=nights))
    assert len(legal(state)) <= 100
    state = do(state, c.Use(put(state, "rune-lantern")))
    assert len(legal(state)) == 61


def test_a_card_lost_from_the_hand_is_turned_up_so_a_plain_undo_may_not_cross_it() -> None:
    assert CardsLost.REVEALS


def test_handles_are_given_anew_so_that_they_say_nothing() -> None:
    state = table(Side("shortsword", hand="buckler", night="goblin"))
    handle, issued = held(state, "buckler"), state.handles
    state = play(state, "buckler", "shortsword")
    assert put(state, "buckler") == issued + 1 != handle
    state = replace(state, phase="night")
    before, issued = held(state, "goblin"), state.handles
    state = lay(do(state, c.BuildRoom()), "goblin")
    assert laid(state, "goblin", 0) == issued + 2 != before


def test_an_effect_is_told_in_words() -> None:
    state = table(Side("second-wind", wounds=5))
    _, performed = RULES.decide(state, c.Use(put(state, "second-wind")), 0, Dice())
    told = ADAMANTINE.view.tell(performed.type_name(), ADAMANTINE.view.redact(performed, SPECTATOR))
    assert told == "Effect performed: seat 0, Second Wind, heal, amount 2."
