"""The process that reads a large history: ``python -m …reading_process FILE COLUMNS NAME``.

Beside the columns it writes how many hands it has read, or why it could not go on.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pokerlab.arena.logs.hand_index import index_file
from pokerlab.runtime.errors import one_line
from pokerlab.runtime.files.atomic import write_text


def read_history(path: Path, to: Path, name: str) -> None:
    """Read the hands of a file into columns."""
    count, fault = to.with_suffix(".count"), to.with_suffix(".fault")
    try:
        found = index_file(path, name=name, report=lambda hands: write_text(count, str(hands)))
        found.save(to)
    except (ValueError, OSError, MemoryError) as error:
        reason = str(error).replace(str(path), name) or "there is not enough memory for it"
        write_text(fault, one_line(reason, 300))
        raise SystemExit(1) from None
    finally:
        count.unlink(missing_ok=True)


if __name__ == "__main__":
    read_history(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
