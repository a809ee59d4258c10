"""Make the charts of the package: ``python -m pokerlab.studies.charts FOLDER``.

Writes a file for each depth to FOLDER; depths that have one are left out.
Those that come with the package are in ``holdem/charts/data``.

``--seconds 200:195,100:130,20:43,50:125,30:65``
    The depths in order, and how long each is solved; these by default. Preparation comes on top.
``--flops 49``, ``--groups view``, ``--device gpu``
    As `pokerlab preflop` takes them.
``--target 0.01``
    Stop a depth at this exploitability in big blinds.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from functools import partial
from pathlib import Path

from pokerlab.games.betting_trees.chips import read_number
from pokerlab.holdem.charts.shipped import DEPTHS
from pokerlab.studies.charts.making import make_charts

_SECONDS = "200:195,100:130,20:43,50:125,30:65"


def main() -> None:
    """Read the arguments and make the charts."""
    parser = ArgumentParser(prog="python -m pokerlab.studies.charts", usage=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", default=_SECONDS, type=_read_seconds)
    parser.add_argument("--flops", default="49")
    parser.add_argument("--groups", default="view")
    parser.add_argument("--device", default="gpu", choices=("cpu", "gpu"))
    parser.add_argument("--target", type=float)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        make_charts(
            given.folder,
            given.seconds,
            flops=given.flops,
            groups=None if given.groups == "none" else given.groups,
            device=given.device,
            target=given.target,
            tell=partial(print, flush=True),
        )
    except ValueError as error:
        parser.exit(2, f"{error}\n")


def _read_seconds(text: str) -> dict[int, float]:
    """The seconds of each depth.

    Examples
    --------
    >>> _read_seconds("200:125, 20:43.5")
    {200: 125.0, 20: 43.5}
    """
    found = {}
    for part in text.split(","):
        depth, limit = (read_number(each.strip()) for each in part.partition(":")[::2])
        if depth not in DEPTHS or not limit:
            raise ArgumentTypeError(
                f"{part.strip()!r} is not a depth ({', '.join(map(str, DEPTHS))}) and its seconds, "
                "for example 200:125"
            )
        found[int(depth)] = limit
    return found


if __name__ == "__main__":
    main()
