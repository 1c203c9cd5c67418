"""What is printed on the cards, in full, and what lies where."""

from collections.abc import Callable, Iterable, Mapping

from domain.adamantine.drawing import wrapped
from domain.adamantine.state import AdamantineState, Player
from domain.adamantine.wording import FACE_DOWN, Wording, counted, seen_state, slug
from domain.game import Scene

TOPICS: Mapping[str, str] = {
    "card NAME": "what is printed on a card",
    "look WHAT": "a room by its number, a card by its #, or a player: every text",
    "discards WHO": "a player's two discards",
    "deck NAME": "the cards of a ready deck; `deck` lists the decks",
}


def explain(words: Wording, topic: str, about: str, scene: Scene) -> list[str] | None:
    return EXPLAINED[topic](words, slug(about), scene, seen_state(scene))


def _found(names: Iterable[tuple[str, str]], about: str) -> str | None:
    """The id of what is called so, or the only one whose name begins so."""
    named = [(one, slug(name)) for one, name in names]
    exact = [one for one, name in named if about in (one, name)]
    begun = [one for one, name in named if about and (name.startswith(about) or one.startswith(about))]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def _card(words: Wording, about: str, _: Scene, __: AdamantineState) -> list[str] | None:
    cards = {**words.box.hero_cards, **words.box.dungeon}
    found = _found(((card, cards[card].name) for card in cards), about)
    return None if found is None else of_card(words, found)


def of_card(words: Wording, card: str, head: str = "") -> list[str]:
    """A card's whole print after `head`."""
    unique = ", unique" if card in words.box.champions or _unique(words, card) else ""
    text = f"{words.name(card)}, {words.numbers(card)}{unique}. {words.text(card)}"
    return wrapped(text, "  " + " " * len(head), head)


def _unique(words: Wording, card: str) -> bool:
    found = words.box.heroes.get(card) or words.box.dungeon.get(card)
    return found is not None and found.unique


def _look(words: Wording, about: str, scene: Scene, state: AdamantineState) -> list[str] | None:
    number = about.removeprefix("room-").removeprefix("#")
    if number.isdigit():
        room = words.room(state, int(number))
        owner = words.owner(state, int(number))
        if room is not None and owner is not None:
            lines = [f"Room {room.handle} of {scene.name(owner.seat)}, {counted(len(room.cards), 'card')}:"]
            for laid in room.cards:
                lines += _placed(words, laid.handle, laid.card)
            return lines
        card = words.card_of(state, int(number))
        return of_card(words, card) if card != FACE_DOWN else None
    seat = _seat(scene, about)
    return None if seat is None else _side(words, scene, state.players[seat])


def _side(words: Wording, scene: Scene, player: Player) -> list[str]:
    lines = [f"In play of {scene.name(player.seat)}:"]
    for piece in (player.champion, *player.in_play):
        if piece is not None:
            lines += _placed(words, piece.handle, piece.card)
    hand = (*player.hero_hand, *player.dungeon_hand)
    if hand:
        lines.append(f"In hand of {scene.name(player.seat)}:")
    for held in hand:
        lines += _placed(words, held.handle, held.card)
    return lines


def _placed(words: Wording, handle: int, card: str) -> list[str]:
    head = f"  #{handle} "
    return [f"{head}face down"] if card == FACE_DOWN else of_card(words, card, head)


def _seat(scene: Scene, about: str) -> int | None:
    names = [slug(scene.name(seat)) for seat in (0, 1)]
    return names.index(about) if about in names else int(about) if about in ("0", "1") else None


def _discards(words: Wording, about: str, scene: Scene, state: AdamantineState) -> list[str] | None:
    seats = [_seat(scene, about)] if about else [0, 1]
    lines: list[str] = []
    for seat in seats:
        if seat is None:
            return None
        player = state.players[seat]
        for half, cards in (("hero", player.hero_discard), ("dungeon", player.dungeon_discard)):
            lines += wrapped(
                f"{scene.name(seat)}'s {half} discard, {counted(len(cards), 'card')}: {words.cards(cards)}"
            )
    return lines


def _deck(words: Wording, about: str, _: Scene, __: AdamantineState) -> list[str] | None:
    decks = words.box.decks
    if not about:
        return [line for deck in decks.values() for line in wrapped(f"{deck.name} ({deck.id}): {deck.text}")]
    found = _found(((deck.id, deck.name) for deck in decks.values()), about)
    if found is None:
        return None
    deck = decks[found]
    lines = wrapped(f"{deck.name}: {deck.text}")
    for half, counts in (("Hero", deck.hero), ("Dungeon", deck.dungeon)):
        cards = ", ".join(words.several(card, number) for card, number in counts.items())
        lines += wrapped(f"{half} deck, {counted(sum(counts.values()), 'card')}: {cards}")
    return lines


EXPLAINED: dict[str, Callable[[Wording, str, Scene, AdamantineState], list[str] | None]] = {
    "card": _card,
    "look": _look,
    "discards": _discards,
    "deck": _deck,
}
