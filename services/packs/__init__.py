"""Content packs: read from a folder of JSON files, checked, handed on as frozen values.

python -m services.packs FOLDER MODULE [GAME]    write a pack as the Python module the domain reads it from

`read_pack` reads those of Adellos; each game's module has its own.
"""

from services.packs.adellos import read_pack
from services.packs.shared import PackFault, python_text

__all__ = ["PackFault", "python_text", "read_pack"]
