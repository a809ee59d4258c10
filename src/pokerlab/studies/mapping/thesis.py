"""The numbers of the thesis, as it prints them, table by table.

"Abbildung eines 2-Spieler Computerspielers auf 3-Spieler-Limit-Poker" (TU Darmstadt 2013). Scores
are chips of which 10 are a big blind, by the number of hands; the thesis gives no standard errors.
"""

from __future__ import annotations

from typing import NamedTuple

HANDS = {1: 6000, 3: 6000, 5: 3000, 11: 3000, 12: 6000, 15: 3000}
"""Hands of a match, by the number of the table."""

TOURNAMENT_BOTS = ("HBB1", "HBB2", "HBB3", "RaiseBot", "CallBot", "akuma", "ownbot")
"""Columns of table 1, which calls HBB1 just HBB."""

_TABLE_1 = """
HBB1,HBB2          -      -      -17046 23266  -5785  4216  8532
HBB1,HBB3          -      10674  -      51224  1344   5272  18755
HBB1,RaiseBot      -      -11943 -51968 -      -6416  9210  7632
HBB1,CallBot       -      1737   -7618  -2729  -      6810  16244
HBB1,akuma         -      -2153  -7408  -4755  -10651 -     -1272
HBB1,ownbot        -      -3869  -20936 11471  -16176 2673  -
HBB2,HBB3          6372   -      -      61140  -419   1700  17378
HBB2,RaiseBot      -11323 -      -55657 -      2903   11892 9465
HBB2,CallBot       4048   -      -10618 2645   -      8248  14526
HBB2,akuma         -2063  -      -5502  -9583  -10702 -     255
HBB2,ownbot        -4663  -      -20110 5851   -13641 1518  -
HBB3,RaiseBot      744    -5483  -      -      23944  11600 8994
HBB3,CallBot       6274   11037  -      25899  -      12187 23233
HBB3,akuma         2136   3802   -      3357   -9057  -     1138
HBB3,ownbot        2208   2732   -      21985  -9920  2229  -
RaiseBot,CallBot   9145   -5548  -49843 -      -      17369 47640
RaiseBot,akuma     -4455  -2309  -14957 -      -9874  -     671
RaiseBot,ownbot    -19103 -15316 -30979 -      -23592 6559  -
CallBot,akuma      3841   2454   -3130  -7495  -      -     5829
CallBot,ownbot     -68    -885   -13313 -24048 -      8911  -
akuma,ownbot       -1401  -1773  -3367  -7230  -14740 -     -
"""


def _cross_table() -> dict[tuple[str, str], dict[str, float]]:
    table: dict[tuple[str, str], dict[str, float]] = {}
    for line in _TABLE_1.split("\n")[1:-1]:
        pair, *cells = line.split()
        first, second = pair.split(",")
        table[first, second] = {
            bot: float(cell)
            for bot, cell in zip(TOURNAMENT_BOTS, cells, strict=True)
            if cell != "-"
        }
    return table


CROSS_TABLE = _cross_table()
"""Table 1: by the two opponents, what each bot won against them."""

RUN_OFF = (
    {
        "ownbot": 179020,
        "RaiseBot": 150998,
        "akuma": 110394,
        "HBB1": -8308,
        "HBB2": -16843,
        "CallBot": -102782,
        "HBB3": -312479,
    },
    {
        "ownbot": 109522,
        "RaiseBot": -12607,
        "akuma": 77406,
        "HBB1": -26042,
        "HBB2": -39605,
        "CallBot": -108674,
    },
    {"ownbot": 25283, "RaiseBot": 19020, "akuma": 36068, "HBB1": -43008, "HBB2": -37363},
    {"ownbot": 10391, "RaiseBot": -10962, "akuma": 19969, "HBB2": -19398},
    {"ownbot": 671, "RaiseBot": -7230, "akuma": 6559},
)
"""Table 2: what those who are left have won, round by round; the first row is the bankroll."""

NEAREST_COUNTS = (1, 2, 5, 10, 15)
"""Rows of tables 3 and 5: how many histories are asked."""

NEAREST_PLAIN = {
    "HBB2": (940, -2821, -4421, -5312, -6188),
    "HBB3": (-2247, -4462, -6014, -4945, -7319),
    "HBB4": (-2180, -3624, -3911, -5956, -6166),
}
"""Table 3: against akuma and ownbot, plain means."""

NEAREST_WEIGHTED = {
    "HBB2": (-1884, -4300, -4975, -6276, -5714),
    "HBB3": (-789, -2558, -4121, -4122, -3864),
    "HBB4": (-504, -2731, -3065, -3733, -3153),
}
"""Table 5: against two dpp, weights 1 / (1 + distance)."""

DISTANCE_COUNTS = (520, 1593, 2228, 2964, 3506, 2859, 2166, 1263, 397, 83, 12, 2)
"""Table 6: how many histories of HBB3 lay at distance 0, 1, …, where the mean probability to
raise was within 0.1 of 0.7."""

WITHOUT_HISTORY = {"HBB2": (0, 57759), "HBB3": (51, 55790), "HBB4": (75, 58180)}
"""Section 5.2, 15 nearest: mappings for which the strategy knew no candidate, and all."""

Row = tuple[float, float, float]

ACTION_FREQUENCIES: dict[str, dict[int, tuple[Row, Row, Row, Row]]] = {
    "hyperborean": {
        2: (
            (0.139, 0.511, 0.349),
            (0.085, 0.511, 0.403),
            (0.084, 0.565, 0.349),
            (0.083, 0.556, 0.359),
        ),
        3: (
            (0.545, 0.107, 0.347),
            (0.15, 0.543, 0.305),
            (0.156, 0.516, 0.327),
            (0.19, 0.529, 0.28),
        ),
    },
    "HBB2": {
        2: (
            (0.076, 0.229, 0.694),
            (0.065, 0.487, 0.447),
            (0.086, 0.508, 0.404),
            (0.086, 0.514, 0.398),
        ),
        3: (
            (0.122, 0.124, 0.753),
            (0.017, 0.347, 0.634),
            (0.043, 0.47, 0.486),
            (0.054, 0.463, 0.482),
        ),
    },
    "HBB3": {
        2: (
            (0.076, 0.229, 0.694),
            (0.072, 0.379, 0.548),
            (0.075, 0.509, 0.415),
            (0.081, 0.519, 0.399),
        ),
        3: (
            (0.1, 0.23, 0.669),
            (0.121, 0.421, 0.456),
            (0.123, 0.505, 0.371),
            (0.13, 0.455, 0.413),
        ),
    },
    "HBB4": {
        2: (
            (0.076, 0.227, 0.696),
            (0.075, 0.375, 0.549),
            (0.075, 0.516, 0.408),
            (0.094, 0.515, 0.39),
        ),
        3: (
            (0.1, 0.286, 0.612),
            (0.029, 0.534, 0.436),
            (0.05, 0.505, 0.444),
            (0.111, 0.455, 0.433),
        ),
    },
}
"""Tables 7 to 10: (fold, call, raise) by players still in and street."""

BIAS = {"HBB2": (-1698, -1245), "HBB3": (-1378, -716), "HBB4": (-1318, -737)}
"""Table 11: against two dpp, without and with bias."""

GREEDY = {"HBB5": (-1966, -2073)}
"""Table 12: against two dpp, drawing an action and playing the most probable one."""

HYBRIDS = {
    "HBB1": (-2103, -543, -650),
    "HBB2": (-863, 469, 601),
    "HBB3": (-1796, -97, -717),
    "HBB4": (-1095, 232, 344),
    "HBB5": (-1196, 423, 525),
}
"""Table 15: the mapping always, after a fold before the flop, after any fold; against two dpp.
Plain dpp lost 41."""


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


STATES = {
    "S1": ThesisState(
        "AhKd",
        "7s8s9s",
        "rcc/rr",
        "99% call",
        {"rc/r": "99% call", "rc/rrr": "99% call", "crc/cr": "99% call"},
    ),
    "S2": ThesisState(
        "Ks9c",
        "Jc3d6d",
        "ccc/ccc/rr",
        "73% call, 26% fold",
        {"cc/cc/r": "73% call, 26% fold", "cc/rc/r": "13% call, 86% fold"},
    ),
}
"""Tables 13 and 14."""


def thesis_mbb(chips: float, hands: int) -> float:
    """Chips of the thesis in thousandths of a big blind per hand.

    Examples
    --------
    >>> thesis_mbb(-1698, 3000)
    -56.6
    """
    return 100.0 * chips / hands
