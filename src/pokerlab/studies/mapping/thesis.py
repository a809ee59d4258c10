"""The numbers of the thesis by table; they are in ``thesis.toml`` and ``thesis_classes.csv``."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.reporting.data import read_data

_PRINTED = read_data("mapping", "thesis.toml")

HANDS: dict[int, int] = _PRINTED["hands"]
"""Hands of a match, by the number of the table."""
TOURNAMENT_BOTS: tuple[str, ...] = _PRINTED["tournament_bots"]
"""Columns of table 1, which calls HBB1 just HBB."""
CROSS_TABLE: dict[tuple[str, ...], dict[str, float]] = {
    tuple(pair.split(",")): {
        bot: float(cell) for bot, cell in zip(TOURNAMENT_BOTS, row, strict=True) if cell != "-"
    }
    for pair, row in _PRINTED["table_1"].items()
}
"""Table 1: by the two opponents, what each bot won against them."""
RUN_OFF: tuple[dict[str, int], ...] = _PRINTED["table_2"]
"""Table 2: what those who are left have won, round by round; the first row is the bankroll."""
NEAREST_COUNTS: tuple[int, ...] = _PRINTED["nearest_counts"]
"""Rows of tables 3 and 5: how many histories are asked."""
NEAREST_PLAIN: dict[str, tuple[int, ...]] = _PRINTED["table_3"]
"""Table 3: against akuma and ownbot, plain means."""
NEAREST_WEIGHTED: dict[str, tuple[int, ...]] = _PRINTED["table_5"]
"""Table 5: against two dpp, weights 1 / (1 + distance)."""
DISTANCE_COUNTS: tuple[int, ...] = _PRINTED["table_6"]
"""Table 6: how many histories of HBB3 lay at distance 0, 1, …, where the mean probability to
raise was within 0.1 of 0.7."""
WITHOUT_HISTORY: dict[str, tuple[int, int]] = _PRINTED["without_history"]
"""Section 5.2, 15 nearest: mappings for which the strategy knew no candidate, and all."""
ACTION_FREQUENCIES: dict[str, dict[int, tuple[tuple[float, ...], ...]]] = _PRINTED["tables_7_10"]
"""Tables 7 to 10: (fold, call, raise) by players still in and street."""
BIAS: dict[str, tuple[int, int]] = _PRINTED["table_11"]
"""Table 11: against two dpp, without and with bias."""
GREEDY: dict[str, tuple[int, int]] = _PRINTED["table_12"]
"""Table 12: against two dpp, drawing an action and playing the most probable one."""
HYBRIDS: dict[str, tuple[int, int, int]] = _PRINTED["table_15"]
"""Table 15: the mapping always, after a fold before the flop, after any fold; against two dpp."""
PLAIN_DPP: float = _PRINTED["plain_dpp"]
"""Table 15: what a dpp without a mapping won against two others."""


class ThesisState(NamedTuple):
    """A state of chapter 6, and what the thesis says about it.

    Attributes
    ----------
    hole, flop
        The cards; the thesis names no turn card.
    betting
        What the three players did.
    hbb2
        What HBB2 does.
    histories
        Two-player histories that may stand for it, with what the strategy does there.
    """

    hole: str
    flop: str
    betting: str
    hbb2: str
    histories: dict[str, str]


STATES = {name: ThesisState(**state) for name, state in _PRINTED["states"].items()}
"""Tables 13 and 14."""


def thesis_mbb(chips: float, hands: int) -> float:
    """Chips of the thesis in thousandths of a big blind per hand.

    Examples
    --------
    >>> thesis_mbb(-1698, 3000)
    -56.6
    """
    return 100.0 * chips / hands


@cache
def thesis_classes() -> dict[str, Floats]:
    """How often bots of the thesis folded, called and raised (appendix B): shape (3, 13, 13) each.

    Before the flop, with three players in and something to pay. The thesis played few hands:
    frequencies are of a handful of decisions each. NaN where a bot was never dealt the hand (the
    thesis prints three zeros). Those of hyperborean are in `pokerlab.players.bots.mapping.bias`.

    Examples
    --------
    >>> thesis_classes()["HBB2"][:, 12, 7].tolist()  # 72o
    [0.848, 0.151, 0.0]
    """
    source = files("pokerlab.studies.mapping") / "thesis_classes.csv"
    rows: dict[str, dict[str, list[float]]] = {}
    for bot, hand, *triple in list(csv.reader(source.read_text("utf-8").splitlines()))[1:]:
        rows.setdefault(bot, {})[hand] = [float(cell) for cell in triple]
    tables = {}
    for bot, by_hand in rows.items():
        table = np.array([by_hand[name] for name in CLASS_NAMES]).T.reshape(3, GRID, GRID)
        table[:, table.sum(axis=0) == 0.0] = np.nan
        tables[bot] = table
    return tables
