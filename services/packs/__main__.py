"""Write a pack as the Python module the domain reads it from: FOLDER MODULE [GAME]."""

import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from services.packs import adamantine, adellos
from services.packs.shared import python_text

READERS: dict[str, Callable[[Path], Struct]] = {
    "adellos": adellos.read_pack,
    "adamantine": adamantine.read_pack,
}

if __name__ == "__main__":
    folder, module, *game = sys.argv[1:]
    pack = READERS[game[0] if game else "adellos"](Path(folder))
    Path(module).write_text(python_text(pack), encoding="utf-8")
