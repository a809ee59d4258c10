"""Make the charts of the package: ``python -m pokerlab.studies.charts FOLDER``.

Writes a file for each depth to FOLDER; depths that have one are left out.
Those that come with the package are in ``holdem/charts/data``.

``--seconds 200:125,100:85,20:20,50:50,30:37``
    The depths in order, and how long each is solved; these by default. Preparation comes on top.
``--flops 49``, ``--groups view``, ``--device gpu``
    As `pokerlab preflop` takes them.
``--target 0.01``
    Stop a depth at this exploitability in big blinds.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from pokerlab.studies.charts.making import make_charts

_SECONDS = "200:125,100:85,20:20,50:50,30:37"


def main() -> None:
    """Read the arguments and make the charts."""
    parser = argparse.ArgumentParser(prog="python -m pokerlab.studies.charts", usage=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", default=_SECONDS)
    parser.add_argument("--flops", default="49")
    parser.add_argument("--groups", default="view")
    parser.add_argument("--device", default="gpu", choices=("cpu", "gpu"))
    parser.add_argument("--target", type=float)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    seconds = {
        int(depth): float(limit)
        for depth, _, limit in (part.partition(":") for part in given.seconds.split(","))
    }
    make_charts(
        given.folder,
        seconds,
        flops=given.flops,
        groups=None if given.groups == "none" else given.groups,
        device=given.device,
        target=given.target,
        tell=partial(print, flush=True),
    )


if __name__ == "__main__":
    main()
