"""``python -m benchmarks [NAME …] [--json]``: run the benchmarks and print a table."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parent
NAMES = sorted(
    path.stem
    for path in HERE.glob("*.py")
    if path.stem not in ("common",) and not path.stem.startswith("_")
)


def main(arguments: list[str]) -> int:
    as_json = "--json" in arguments
    chosen = [argument for argument in arguments if argument != "--json"] or NAMES
    unknown = [name for name in chosen if name not in NAMES]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    rows = []
    for name in chosen:
        print(f"{name} ...", file=sys.stderr)
        rows += import_module(f"benchmarks.{name}").run()
    if as_json:
        print(json.dumps([asdict(row) for row in rows]))
        return 0
    table = Table(box=None, pad_edge=False)
    for heading in ("what", "measured", "", "beside", "ratio", "note"):
        table.add_column(heading, justify="right" if heading in ("measured", "ratio") else "left")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:,.3g}x"
        table.add_row(row.claim, f"{row.value:,.4g}", row.unit, row.peer, ratio, row.note)
    Console(width=max(Console().width, 120)).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
