"""Set-up: decks, champions and classes, shuffling, who starts."""

import pytest

from domain.adamantine import ADAMANTINE
from domain.adamantine import commands as c
from domain.adamantine.content.house_pack import HOUSE
from domain.adamantine.decks import deck_faults
from domain.adamantine.events import DeckBrought, DeckShuffled
from domain.adamantine.options import AdamantineOptions, DeckList
from domain.chance import SealedChance
from domain.game import SPECTATOR, IllegalCommand, at_seat
from tests.domain.adamantine.table import BOX, RULES, fold, legal

IRON = DeckList(HOUSE.decks[0].hero, HOUSE.decks[0].dungeon)


def begun(**options):
    chosen = AdamantineOptions(first_seat=0, **options)
    return fold(RULES.initial(chosen, 2), RULES.start(chosen, 2, SealedChance(bytes(32))))


def give(state, *commands):
    for command in commands:
        state = fold(state, RULES.decide(state, command, RULES.to_act(state)[0], SealedChance(bytes(32))))
    return state


def test_who_starts_is_drawn() -> None:
    starts = set()
    for number in range(20):
        chance = SealedChance(number.to_bytes(32, "big"))
        (event,) = RULES.start(AdamantineOptions(), 2, chance)
        starts.add(event.seat)
    assert starts == {0, 1}


def test_each_player_takes_a_champion_and_a_basic_class_out_of_the_deck_then_both_are_shuffled() -> None:
    state = begun(decks=("iron-vow", "ember-circle"))
    assert legal(state) == [
        c.ChooseChampion(x) for x in ("garrod-the-unbowed", "huntmaster-rook", "sister-ilvane")
    ]
    state = give(state, c.ChooseChampion("garrod-the-unbowed"))
    assert legal(state) == [c.ChooseClass("fighter"), c.ChooseClass("priest")]
    state = give(state, c.ChooseClass("fighter"), c.ChooseChampion("the-pale-reader"))
    events = RULES.decide(state, c.ChooseClass("mage"), 1, SealedChance(bytes(32)))
    assert [(e.seat, e.deck, e.cards) for e in events if isinstance(e, DeckShuffled)] == [
        (0, "hero", 58), (0, "dungeon", 60), (1, "hero", 58), (1, "dungeon", 60),
    ]  # fmt: skip
    state = fold(state, events)
    assert (state.phase, state.turn, len(state.players[0].hero_hand)) == ("day", 0, 6)
    assert [p.champion.card for p in state.players] == ["garrod-the-unbowed", "the-pale-reader"]
    assert [[piece.card for piece in p.in_play] for p in state.players] == [["fighter"], ["mage"]]
    assert "garrod-the-unbowed" not in state.players[0].hero_deck


def test_who_starts_takes_champion_class_and_turn_first() -> None:
    options = AdamantineOptions(first_seat=1, decks=("iron-vow", "ember-circle"))
    state = fold(RULES.initial(options, 2), RULES.start(options, 2, SealedChance(bytes(32))))
    seats = []
    while state.phase != "day":
        seats.append(RULES.to_act(state)[0])
        state = give(state, RULES.default(state, seats[-1]))
    assert (seats, state.turn, state.turns) == ([1, 1, 0, 0], 1, 1)


def test_a_card_that_is_not_in_the_deck_cannot_be_taken() -> None:
    state = begun(decks=("iron-vow", "ember-circle"))
    with pytest.raises(IllegalCommand, match="no-such-champion"):
        give(state, c.ChooseChampion("needle-tam"))
    with pytest.raises(IllegalCommand, match="no-such-class"):
        give(state, c.ChooseChampion("sister-ilvane"), c.ChooseClass("mage"))


def test_a_deck_that_is_brought_is_seen_by_its_seat_alone() -> None:
    state = begun(bring_decks=True)
    assert legal(state) == [c.BringDeck(deck) for deck in BOX.decks]
    (event, *_) = RULES.decide(state, c.BringDeck(cards=IRON), 0, SealedChance(bytes(32)))
    assert isinstance(event, DeckBrought)
    assert set(ADAMANTINE.view.redact(event, SPECTATOR)) == {"seat"}
    assert set(ADAMANTINE.view.redact(event, at_seat(1))) == {"seat"}
    assert ADAMANTINE.view.redact(event, at_seat(0))["cards"]["hero"] == IRON.hero
    state = fold(state, [event])
    assert RULES.to_act(state) == (1,)
    assert RULES.default(state, 1) == c.BringDeck("iron-vow")
    state = give(state, c.BringDeck("wild-host"))
    assert state.phase == "champions"
    assert [player.deck for player in state.players] == ["", ""]
    assert all(player.secret for player in state.players)


def test_decks_named_by_the_options_are_public() -> None:
    state = begun(decks=("wild-host", "iron-vow"))
    players = ADAMANTINE.view.observe(state, SPECTATOR)["players"]
    assert [player["deck"] for player in players] == ["wild-host", "iron-vow"]
    assert "hero_deck" not in players[0]


def test_AM_2_a_wrong_deck_is_refused_with_every_fault_listed() -> None:
    wrong = DeckList(
        {"buckler": 5, "needle-tam": 2, "giantbane": 2, "unheard-of": 1, "goblin": 1, "shortsword": 0},
        {"pit": 59, "tomb-king": 2},
    )
    faults = deck_faults(BOX, wrong)
    assert faults == [
        "The hero deck has 11 cards, not 60.",
        "The hero deck has 5 of Buckler, at most 4 may be.",
        "The hero deck has 2 of Giantbane, at most 1 may be.",
        "The hero deck has an unknown card 'goblin'.",
        "The hero deck has 2 of Needle Tam, at most 1 may be.",
        "The hero deck has 0 of Shortsword; leave it out instead.",
        "The hero deck has an unknown card 'unheard-of'.",
        "The hero deck has no basic class.",
        "The dungeon deck has 61 cards, not 60.",
        "The dungeon deck has 59 of Pit, at most 4 may be.",
        "The dungeon deck has 2 of Tomb King, at most 1 may be.",
    ]
    with pytest.raises(IllegalCommand) as caught:
        give(begun(bring_decks=True), c.BringDeck(cards=wrong))
    assert caught.value.rule == "AM-2"
    assert all(fault in caught.value.reason for fault in faults)


@pytest.mark.parametrize("command", [c.BringDeck(), c.BringDeck("iron-vow", IRON)])
def test_one_deck_is_brought(command) -> None:
    with pytest.raises(IllegalCommand, match="one-deck"):
        give(begun(bring_decks=True), command)


def test_AM_2_no_champion_and_no_class_at_all_even_if_named() -> None:
    faults = deck_faults(BOX, DeckList({"needle-tam": 0, "fighter": -1}, IRON.dungeon))
    assert "The hero deck has no champion." in faults
    assert "The hero deck has no basic class." in faults


def test_AM_2_a_deck_without_a_champion() -> None:
    hero = {card: count for card, count in IRON.hero.items() if card not in BOX.champions}
    assert "The hero deck has no champion." in deck_faults(BOX, DeckList(hero, IRON.dungeon))


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"decks": ("iron-vow",)}, "decks-not-for-seats"),
        ({"decks": ("iron-vow", "nothing")}, "unknown-deck"),
        ({"decks": ("iron-vow", "iron-vow"), "bring_decks": True}, "decks-brought"),
        ({"first_seat": 2}, "unknown-seat"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, rule: str) -> None:
    with pytest.raises(IllegalCommand, match=rule):
        RULES.initial(AdamantineOptions(**options), 2)


def test_adamantine_is_for_two() -> None:
    with pytest.raises(IllegalCommand, match="two-players"):
        RULES.initial(AdamantineOptions(), 3)
