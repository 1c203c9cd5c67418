"""Adds the digests of stored matches that have none yet; one that stands is never changed.

python -m tests.stored.write_digests
"""

import json

from services.record import match_digest
from tests.stored.test_stored_matches import FILES, FOLDER, history_of, record_of


def main() -> None:
    path = FOLDER / "digests.json"
    digests = json.loads(path.read_text())
    for file in FILES:
        name = f"{file.parent.name}/{file.name}"
        if name not in digests:
            digests[name] = match_digest(history_of(record_of(file)).match)
    path.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
