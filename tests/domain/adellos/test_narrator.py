"""How Adellos reads in a terminal: sentences, lists and the board, over random matches and every board."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from domain.adellos import ADELLOS
from domain.adellos.commands import COMMANDS, CancelChoice
from domain.adellos.events import EVENTS
from domain.adellos.options import AdellosOptions
from domain.adellos.state import AdellosState
from domain.chance import SealedChance
from domain.game import SPECTATOR, Game, Narrator, Scene, Viewer, at_seat
from tests.domain.adellos.random_play import moments
from tests.domain.adellos.second_pack import SECOND

NAMES = ("ann", "bob", "cleo", "dan")
GAMES = {"house": ADELLOS, "second": SECOND}


def narrator_of(game: Game) -> Narrator:
    assert game.narrator is not None
    return game.narrator


def scene(game: Game, state: AdellosState, viewer: Viewer) -> Scene:
    return Scene(game.view.observe(state, viewer), NAMES)


def told(game: Game, seeds: range, players: int, viewer: Viewer) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every event of random matches as the viewer is told it."""
    for seed in seeds:
        for moment in moments(game, seed, players):
            state = moment.state
            for event in moment.events:
                data, kind = game.view.redact(event, viewer), event.type_name()
                yield kind, data, narrator_of(game).tell(kind, data, scene(game, state, viewer))
                state = game.rules.evolve(state, event)


@pytest.mark.parametrize("viewer", [at_seat(0), SPECTATOR], ids=["owner", "spectator"])
@pytest.mark.parametrize("pack", GAMES)
def test_every_event_is_told_in_a_sentence_of_its_own(pack: str, viewer: Viewer) -> None:
    """Two events with different data never read alike where they differ in what the viewer may see."""
    game = GAMES[pack]
    parts: list[Any] = [entry["id"] for entry in game.catalogue if "id" in entry]
    ids = {part for part in parts if "-" in part}
    for players in (2, 3, 4):
        sentences: dict[str, str] = {}
        for kind, _, text in told(game, range(2), players, viewer):
            assert re.fullmatch(r"\S.*[.]", text)
            assert not re.search(r"\bfield \d|seat \d|_|None|\[|\{", text), text
            assert not any(part in text for part in ids), text
            assert sentences.setdefault(text, kind) == kind, f"{kind} reads as {sentences[text]}: {text}"


@pytest.mark.parametrize("viewer", [at_seat(0), SPECTATOR], ids=["owner", "spectator"])
def test_what_differs_reads_differently(viewer: Viewer) -> None:
    for players in (2, 4):
        data_of: dict[str, str] = {}
        for kind, data, text in told(ADELLOS, range(3), players, viewer):
            if kind not in (
                "deck_shuffled",
                "counters_ticked",
                "unit_defeated",
            ):  # some say more than their data
                same = repr(sorted(data.items()))
                assert data_of.setdefault(text, same) == same, (kind, text)


def test_every_kind_of_event_has_its_words() -> None:
    seen = {kind for pack in GAMES.values() for kind, _, _ in told(pack, range(8), 3, at_seat(0))}
    rare = {"trading_answered", "gold_given", "card_given", "hand_seen", "draw_skipped"}
    assert {event.type_name() for event in EVENTS} - seen <= rare
    for event in EVENTS:
        blank: dict[str, Any] = dict.fromkeys(event.__struct_fields__, 0)
        blank |= {"factions": ["scum", "undead"], "fields": [], "hand": [], "picks": []}
        for name in ("card", "unit", "ability", "noble", "hire"):
            blank[name] = "x"
        text = narrator_of(ADELLOS).tell(event.type_name(), blank, Scene())
        assert event.type_name().replace("_", " ").capitalize() not in text


@pytest.mark.parametrize("pack", GAMES)
def test_every_legal_command_is_listed_in_words_of_its_own(pack: str) -> None:
    game = GAMES[pack]
    kinds: set[str] = set()
    for players in (2, 3, 4):
        for seed in range(2):
            for moment in moments(game, seed, players):
                for seat in game.rules.to_act(moment.state):
                    shown = scene(game, moment.state, at_seat(seat))
                    commands = [msgspec.to_builtins(one) for one in game.rules.legal(moment.state, seat)]
                    kinds |= {command["type"] for command in commands}
                    listed = [narrator_of(game).ask(command, shown) for command in commands]
                    assert len(set(listed)) == len(listed)
                    for heading, text in listed:
                        assert heading
                        assert not re.search(r"\bfield \d|_|None", heading + text)
    assert kinds <= {command.type_name() for command in COMMANDS}
    assert CancelChoice.type_name() in kinds


@pytest.mark.parametrize("pack", GAMES)
@pytest.mark.parametrize("board", [0, -1])
def test_fields_are_named_by_the_board_that_is_played_on(pack: str, board: int) -> None:
    game = GAMES[pack]
    pack_boards = [entry for entry in game.catalogue if entry["part"] == "boards"]
    printed = pack_boards[board]
    state = game.rules.initial(AdellosOptions(board=printed["id"]), 2)
    for event in game.rules.start(state.options, 2, SealedChance(bytes(32))):
        state = game.rules.evolve(state, event)
    shown = scene(game, state, SPECTATOR)
    names = narrator_of(game).names(shown)
    for field in printed["fields"]:
        name = f"{chr(ord('a') + field['x'])}{field['y'] + 1}"
        assert names[name] == field["id"]
        text = narrator_of(game).tell("noble_placed", {"seat": 0, "field": field["id"]}, shown)
        assert text.endswith(f" on {name}.")


@pytest.mark.parametrize("pack", GAMES)
def test_the_table_fits_80_columns_and_frames_nobles_alone(pack: str) -> None:
    game = GAMES[pack]
    for seed in range(3):
        for moment in moments(game, seed, 4):
            shown = scene(game, moment.state, at_seat(1))
            lines = narrator_of(game).show(shown)
            assert max(map(len, lines)) <= 80
            table = "\n".join(lines).partition("[0Name]")[0]
            nobles = [unit for unit in moment.state.board if unit and _noble(game, unit.kind)]
            assert len(re.findall(r"\[\d", table)) == 2 * len(nobles)


def _noble(game: Game, kind: str) -> bool:
    return any(entry["part"] == "nobles" and entry["id"] == kind for entry in game.catalogue)


def test_an_ability_is_explained_with_what_it_costs_its_player_now() -> None:
    """Conquistadora Lucía makes Missionizing cheaper, Vampirelord Darkuhla the summons of Vampires."""
    rules = ADELLOS.rules
    state = rules.initial(AdellosOptions(factions=("clergy", "undead"), first_seat=0), 2)
    chance = SealedChance(bytes(32))
    for event in rules.start(state.options, 2, chance):
        state = rules.evolve(state, event)
    for command in (
        {"type": "choose_noble", "noble": "conquistadora-lucia"},
        {"type": "choose_noble", "noble": "vampirelord-darkuhla"},
        {"type": "place_noble", "field": 0},
        {"type": "end_set_up"},
        {"type": "place_noble", "field": 80},
    ):
        kinds = {kind.type_name(): kind for kind in COMMANDS}
        wanted = msgspec.convert(command, kinds[str(command["type"])])
        for event in rules.decide(state, wanted, rules.to_act(state)[0], chance):
            state = rules.evolve(state, event)
    narrator, shown = narrator_of(ADELLOS), scene(ADELLOS, state, at_seat(0))
    missionizing = "\n".join(narrator.explain("ability", "missionizing", shown) or ())
    assert "4 G & 1 AP: Take over an adjacent enemy unit" in missionizing
    assert "For ann it costs 1 gold now." in missionizing
    assert "Printed on: Missionary." in missionizing
    assert "Conquista: Missionizing costs 3 G less." in "\n".join(narrator.explain("look", "a1", shown) or ())
    vampire = " ".join(line.strip() for line in narrator.explain("unit", "Vampire", shown) or ())
    printed = ADELLOS.rules.box.kinds["vampire"].counters
    assert f"Price: {printed - 3} Time Counters (printed: {printed})." in vampire
    assert "has +2" in " ".join(narrator.explain("card", "parry", shown) or ()).replace("  ", "")
    assert narrator.explain("look", "z9", shown) is None
    assert narrator.explain("card", "nothing", shown) is None
