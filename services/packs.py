"""Content packs of Adellos: read from a folder of JSON files, checked, handed on as frozen values."""

import json
from pathlib import Path
from typing import Any

from domain.adellos.pack import Pack, pack_from
FILES = ("pack", "boards", "abilities", "factions", "nobles", "tokens", "cards")


def read_pack(folder: Path) -> Pack:
    merged: dict[str, Any] = {}
    for name in FILES:
        merged |= json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return pack_from(merged)


def python_text(pack: Pack) -> str:
    """The pack as a Python module, so that the domain has it without reading a file."""
    import msgspec
    parts = msgspec.to_builtins(pack)
    lines = []
    for key, value in parts.items():
        if isinstance(value, list):
            rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f"{json.dumps(key)}: [\n{rows}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    body = ",\n".join(lines)
    return (
        '"""The house pack as a value. Written by `python -m services.packs`; don\'t edit, edit the JSON files."""\n\n'
        "import msgspec\n\nfrom domain.adellos.pack import Pack\n\n"
        f'HOUSE = msgspec.json.decode(\n    r"""{{\n{body}\n}}""",\n    type=Pack,\n)\n'
    )

if __name__ == "__main__":
    here = Path("domain/adellos/content")
    (here / "house_pack.py").write_text(python_text(read_pack(here / "house")), encoding="utf-8")
