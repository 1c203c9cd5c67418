"""A second content pack, with a board of hexes and other values, read without a line of Python of its own."""

from pathlib import Path

from domain.adellos import adellos
from services.packs import read_pack

FOLDER = Path(__file__).parent / "pack_two"
SECOND = adellos(read_pack(FOLDER))
