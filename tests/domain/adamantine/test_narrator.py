"""How Adamantine reads in a terminal: sentences, lists and the table, over random matches with random decks."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from domain.adamantine import ADAMANTINE
from domain.adamantine import commands as c
from domain.adamantine.commands import COMMANDS
from domain.adamantine.events import EVENTS
from domain.adamantine.state import AdamantineState
from domain.game import SPECTATOR, Narrator, Scene, Viewer, at_seat
from tests.domain.adamantine.random_play import BOX, Moment, moments
from tests.domain.adamantine.table import Side, do, held, laid, put, room, table

NAMES = ("ann", "bob")
SEEDS = range(16)
VIEWERS = {"ann": at_seat(0), "bob": at_seat(1), "spectator": SPECTATOR}
NARRATOR = ADAMANTINE.narrator
assert NARRATOR is not None
GENERIC = re.compile(r"\bseat \d|card #|_|None|\[|\{|\bnothing more happens\b|\ba champion\b")
RARE = {"seat_resigned"}


def narrator() -> Narrator:
    assert NARRATOR is not None
    return NARRATOR


def scene(state: AdamantineState, viewer: Viewer) -> Scene:
    return Scene(ADAMANTINE.view.observe(state, viewer), NAMES)


@cache
def played(seed: int) -> tuple[Moment, ...]:
    return tuple(moments(seed))


def told(viewer: Viewer, seeds: range = SEEDS) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every event of random matches as the viewer is told it."""
    for seed in seeds:
        for moment in played(seed):
            state = moment.state
            for event in moment.events:
                data, kind = ADAMANTINE.view.redact(event, viewer), event.type_name()
                yield kind, data, narrator().tell(kind, data, scene(state, viewer))
                state = ADAMANTINE.rules.evolve(state, event)


@pytest.mark.parametrize("viewer", VIEWERS.values(), ids=VIEWERS)
def test_every_event_is_told_in_a_sentence_of_its_own(viewer: Viewer) -> None:
    ids = {card for card in (*BOX.hero_cards, *BOX.dungeon, *BOX.decks) if "-" in card}
    ids -= {card for card in ids if BOX.name(card).lower() == card}  # Cave-in
    sentences: dict[str, str] = {}
    kinds = set()
    for kind, data, text in told(viewer):
        kinds.add(kind)
        assert re.fullmatch(r"\S.*[.]", text), text
        assert not GENERIC.search(text), (kind, data, text)
        assert "  " not in text
        assert ".." not in text
        assert not any(card in text for card in ids), text
        assert sentences.setdefault(text, kind) == kind, f"{kind} reads as {sentences[text]}: {text}"
    assert {event.type_name() for event in EVENTS} - kinds <= RARE


@pytest.mark.parametrize("viewer", VIEWERS.values(), ids=VIEWERS)
def test_what_differs_reads_differently(viewer: Viewer) -> None:
    """But for handles, which are the table's; the sentence says what the card is."""
    unlike = (
        "effect_performed",
        "cards_lost",
        "room_trimmed",
        "event_resolved",
        "exploration_ended",
        "card_played",
    )
    for seed in SEEDS:
        data_of: dict[str, str] = {}
        for kind, data, text in told(viewer, range(seed, seed + 1)):
            if kind in unlike or "handle" in text:
                continue
            public = {
                name: item for name, item in data.items() if name not in ("held", "card", "target", "beaten")
            }
            same = repr(sorted(public.items()))
            assert data_of.setdefault(text, same) == same, (kind, text)


def test_every_kind_of_event_has_its_words() -> None:
    for event in EVENTS:
        blank: dict[str, Any] = dict.fromkeys(event.__struct_fields__, 0)
        blank |= {name: [] for name in ("cards", "handles", "sacrificed", "beaten", "discarded")}
        blank |= dict.fromkeys(("champion", "hero_class", "deck", "what", "statistic", "part"), "x")
        if event.type_name() in ("effect_performed", "card_played"):
            blank["card"] = "x"
        if event.type_name() in ("deck_shuffled", "deck_brought"):
            blank["cards"] = 0
        text = narrator().tell(event.type_name(), blank, Scene())
        assert event.type_name().replace("_", " ").capitalize() not in text
        assert re.fullmatch(r"\S.*[.]", text), text


def test_P11_nothing_hidden_is_shown_or_explained() -> None:
    """What a seat reads stays the same whatever lies in the other's hands and face-down rooms."""
    for seed in SEEDS:
        for moment in played(seed):
            for seat in (0, 1):
                one = scene(moment.state, at_seat(seat))
                two = scene(other_world(moment.state, seat), at_seat(seat))
                assert narrator().show(one) == narrator().show(two)
                assert narrator().names(one) == narrator().names(two)
                for topic, about in (("look", NAMES[1 - seat]), ("discards", "")):
                    assert narrator().explain(topic, about, one) == narrator().explain(topic, about, two)


def test_P11_no_sentence_names_a_card_its_listener_has_not_seen() -> None:
    """A card of the other's hand that is played, laid or looked at is told when it is turned up, not before."""
    silent = {"card_picked", "choice_begun", "room_built", "day_begun", "hero_cards_drawn", "room_seen"}
    for seed in SEEDS:
        for moment in played(seed):
            state = moment.state
            for event in moment.events:
                kind, seat = event.type_name(), getattr(event, "seat", None)
                if kind in silent and seat is not None:
                    for viewer in (at_seat(1 - seat), SPECTATOR):
                        data = ADAMANTINE.view.redact(event, viewer)
                        text = narrator().tell(kind, data, scene(state, viewer))
                        cursor = BOX.name(state.cursor.card) if state.cursor else ""
                        told = text.replace(cursor, "") if cursor else text
                        assert not any(card.name in told for card in BOX.hero_cards.values()), text
                        assert not any(card.name in told for card in BOX.dungeon.values()), text
                state = ADAMANTINE.rules.evolve(state, event)


def other_world(state: AdamantineState, seat: int) -> AdamantineState:
    """The same table for `seat`, with every hidden card of the other replaced by one face.

    Who is asked for another champion has one: that is known (AM-5).
    """
    other = state.players[1 - seat]
    known = ADAMANTINE.rules.box.champions if state.dying else {}
    replaced = msgspec.structs.replace(
        other,
        hero_hand=tuple(
            one if one.card in known else msgspec.structs.replace(one, card="buckler")
            for one in other.hero_hand
        ),
        dungeon_hand=tuple(msgspec.structs.replace(one, card="goblin") for one in other.dungeon_hand),
        rooms=tuple(
            one
            if one.seen
            else msgspec.structs.replace(
                one,
                cards=tuple(
                    card if card.up else msgspec.structs.replace(card, card="goblin") for card in one.cards
                ),
            )
            for one in other.rooms
        ),
    )
    players = (replaced, state.players[1]) if seat else (state.players[0], replaced)
    return msgspec.structs.replace(state, players=players)


def test_every_legal_command_is_listed_in_words_of_its_own() -> None:
    kinds: set[str] = set()
    for seed in SEEDS:
        for moment in played(seed):
            for seat in ADAMANTINE.rules.to_act(moment.state):
                shown = scene(moment.state, at_seat(seat))
                legal = ADAMANTINE.rules.legal(moment.state, seat)
                commands = [msgspec.to_builtins(one) for one in legal]
                kinds |= {command["type"] for command in commands}
                texts = [narrator().ask(command, shown) for command in commands]
                assert len(set(texts)) == len(texts), texts
                for heading, text in texts:
                    assert heading
                    assert not re.search(r"card #|_|None|face-down card\b(?!s? )", heading + text), (
                        heading,
                        text,
                    )
    assert {command.type_name() for command in COMMANDS} - kinds <= {"decline"}


def test_the_table_fits_80_columns_and_shows_what_there_is() -> None:
    for seed in SEEDS:
        for moment in played(seed):
            for seat, viewer in ((0, at_seat(0)), (1, at_seat(1)), (None, SPECTATOR)):
                lines = narrator().show(scene(moment.state, viewer))
                assert max(map(len, lines)) <= 80
                text = " ".join(line.strip() for line in lines)
                assert "None" not in text
                for player in moment.state.players:
                    assert (
                        f"hero hand {len(player.hero_hand)}, deck" in text.lower() or player.champion is None
                    )
                    for piece in player.in_play:
                        assert f"#{piece.handle} {BOX.name(piece.card)}" in text
                    for card in (*player.hero_hand, *player.dungeon_hand):
                        assert (f"#{card.handle} " in text) == (player.seat == seat)
                    for one in player.rooms:
                        assert one.encounter or re.search(rf"\b{one.handle}\b", text)


def test_two_cards_of_a_name_are_told_apart() -> None:
    start = table(Side(), Side(rooms="goblin goblin spear-trap"))
    state = do(start, c.Explore(room(start)))
    shown = scene(state, at_seat(0))
    goblins = [one.handle for one in state.players[1].rooms[0].cards if one.card == "goblin"]
    assert narrator().names(shown)["goblin"] == (*goblins, "goblin")
    assert narrator().names(shown)["spear-trap"] == (laid(state, "spear-trap"), "spear-trap")
    text = narrator().tell("damage_divided", {"seat": 0, "beaten": goblins[:1]}, shown)
    assert text.startswith(f"ann beats Goblin #{goblins[0]}: ")


def test_an_exploration_is_shown_with_its_values_here() -> None:
    start = table(Side("buckler fighter"), Side(rooms="goblin ogre war-drums spear-trap"))
    state = do(start, c.Explore(room(start)))
    text = "\n".join(narrator().show(scene(state, SPECTATOR)))
    assert "EXPLORATION: ann's Garrod the Unbowed explores room" in text
    if state.exploration is not None and state.exploration.step == "trimming":
        assert "what to discard, as danger" in text


def test_names_stand_for_what_is_in_sight() -> None:
    state = table(Side("shortsword", hand="buckler shortsword"), Side(rooms="goblin"))
    names = narrator().names(scene(state, at_seat(0)))
    assert names["buckler"] == (held(state, "buckler"), "buckler")
    assert names["shortsword"][:2] == (held(state, "shortsword"), put(state, "shortsword"))
    assert names[f"room-{room(state)}"] == room(state)
    assert names["goblin"] == "goblin"  # lies face down
    assert names[f"#{held(state, 'buckler')}"] == held(state, "buckler")
    assert names["devil's-bargain"] == names["devils-bargain"] == "devils-bargain"


def test_questions_are_answered() -> None:
    state = table(Side("shortsword", hand="buckler"), Side("militia", rooms="goblin pit!|goblin"))
    shown = scene(state, at_seat(0))
    buckler = " ".join(line.strip() for line in narrator().explain("card", "buck", shown) or ())
    assert buckler == "Buckler, item, 2 gold, danger 1. Each monster deals 1 less damage to your champion."
    assert (
        "goblinoid" in " ".join(narrator().explain("card", "goblin", shown) or ())
        or BOX.monsters["goblin"].traits
    )
    looked = narrator().explain("look", f"room {room(state)}", shown)
    assert looked is not None
    assert looked[0] == f"Room {room(state)} of bob, 2 cards:"
    hidden = narrator().explain("look", f"room {room(state, 1)}", shown)
    assert hidden == [f"Room {room(state, 1)} of bob, 1 card:", f"  #{room(state, 1) + 1} face down"]
    assert any("Militia" in line for line in narrator().explain("look", "bob", shown) or ())
    assert narrator().explain("discards", "0", shown) == narrator().explain("discards", "ann", shown)
    assert len(narrator().explain("discards", "", shown) or ()) == 4
    decks = "\n".join(narrator().explain("deck", "", shown) or ())
    assert all(deck.name in decks for deck in BOX.decks.values())
    deck = "\n".join(narrator().explain("deck", "iron", shown) or ())
    assert "Hero deck, 60 cards:" in deck
    assert "Dungeon deck, 60 cards:" in deck
    for topic in ("card", "look", "deck", "discards"):
        assert narrator().explain(topic, "no such thing", shown) is None
