"""What bots do: action frequencies by street and players (tables 7 to 10), and by hand class."""

from __future__ import annotations

import math

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, GRID
from pokerlab.players.bots.mapping.bias import reference_actions
from pokerlab.runtime.arrays import Floats
from pokerlab.studies.mapping.entrants import FAIR_PAIR, THREE_PLAYER_BOT, THREE_PLAYER_PAIR
from pokerlab.studies.mapping.plan import MAPPINGS, MappingResults
from pokerlab.studies.mapping.records import STREETS, ActionCounts
from pokerlab.studies.mapping.thesis import ACTION_FREQUENCIES, thesis_classes
from pokerlab.studies.reporting.measure import Measure, share
from pokerlab.studies.reporting.report_table import Cell, ReportTable

ACTIONS = ("fold", "call", "raise")
PLAYERS = (2, 3)


def counts_of(results: MappingResults, bot: str, pair: tuple[str, str] = FAIR_PAIR) -> ActionCounts:
    """What a bot did against two others."""
    counts = results.match(bot, pair).counts
    assert counts is not None, f"nobody counted what {bot} did against {pair}"
    return counts


def frequency(counts: ActionCounts, players: int, street: int, action: str) -> Measure:
    """How often a bot took an action on a street with `players` players in.

    Examples
    --------
    >>> counts = ActionCounts.none()
    >>> counts.streets[1, 0] = [1, 0, 3]
    >>> frequency(counts, 3, 0, "fold").value, frequency(counts, 2, 0, "fold").value
    (0.25, nan)
    """
    row = counts.streets[PLAYERS.index(players), street]
    return share(int(row[ACTIONS.index(action)]), int(row.sum()))


def frequency_table(results: MappingResults) -> ReportTable:
    """Tables 7 to 10, and the same for the other bots.

    Ours are counted against two dpp, those of the three-player bot also among its own kind.
    """
    played = [(bot, FAIR_PAIR) for bot in (*MAPPINGS, THREE_PLAYER_BOT)]
    played.append((THREE_PLAYER_BOT, THREE_PLAYER_PAIR))
    rows: list[tuple[Cell, ...]] = []
    shown = [_thesis_row("hyperborean, thesis", "hyperborean", players) for players in PLAYERS]
    for bot, pair in played:
        counts = counts_of(results, bot, pair)
        name = f"{bot} against {', '.join(pair)}"
        for players in PLAYERS:
            if bot in ACTION_FREQUENCIES:
                shown.append(_thesis_row(f"{bot}, thesis", bot, players))
            texts = []
            for street, street_name in enumerate(STREETS):
                found = [frequency(counts, players, street, action) for action in ACTIONS]
                decisions = int(counts.streets[PLAYERS.index(players), street].sum())
                for place, (action, measure) in enumerate(zip(ACTIONS, found, strict=True)):
                    thesis = _thesis(bot, players, street, place)
                    reference = _thesis("hyperborean", players, street, place)
                    where: tuple[Cell, ...] = (bot, ", ".join(pair), players, street_name, action)
                    rows.append((*where, *measure, decisions, thesis, reference))
                texts.append(_text(found))
            shown.append((name, str(players), *texts))
    return ReportTable(
        "tables-07-10",
        "Tables 7 to 10: fold / call / raise in percent, by players still in",
        (
            "bot",
            "against",
            "players",
            "street",
            "action",
            "frequency",
            "stderr",
            "decisions",
            "thesis",
            "hyperborean",
        ),
        tuple(rows),
        ("bot", "players", *STREETS),
        tuple(shown),
    )


def _thesis(bot: str, players: int, street: int, action: int) -> float:
    if bot not in ACTION_FREQUENCIES:
        return math.nan
    return ACTION_FREQUENCIES[bot][players][street][action]


def _thesis_row(name: str, bot: str, players: int) -> tuple[str, ...]:
    cells = [
        " / ".join(f"{100 * value:.1f}" for value in street)
        for street in ACTION_FREQUENCIES[bot][players]
    ]
    return name, str(players), *cells


def _text(found: list[Measure]) -> str:
    if any(math.isnan(each.value) for each in found):
        return ""
    values = " / ".join(f"{100 * each.value:.1f}" for each in found)
    return f"{values} (± {100 * max(each.error for each in found):.1f})"


def class_frequencies(counts: ActionCounts) -> Floats:
    """How often a bot folded, called and raised with each class of hands: (3, 13, 13).

    Before the flop, three players in, something to pay. NaN where it never decided.
    """
    total = counts.classes.sum(axis=1)
    table = np.full((GRID * GRID, 3), np.nan)
    known = total > 0
    table[known] = counts.classes[known] / total[known, None]
    return table.T.reshape(3, GRID, GRID)


def class_table(results: MappingResults) -> ReportTable:
    """Appendix B: before the flop by class of hands, beside hyperborean's and the thesis's.

    People get the means over all hands, weighted as they were dealt.
    """
    reference = reference_actions()
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for bot in (*MAPPINGS, THREE_PLAYER_BOT):
        counts = counts_of(results, bot).classes
        thesis = thesis_classes().get(bot, np.full((3, GRID, GRID), np.nan)).reshape(3, -1)
        for number, hand in enumerate(CLASS_NAMES):
            decisions = int(counts[number].sum())
            found = [share(int(count), decisions) for count in counts[number]]
            ours = [cell for measure in found for cell in measure]
            rows.append(
                (bot, hand, decisions, *ours, *thesis[:, number].tolist(), *reference[number])
            )
        total = counts.sum(axis=0)
        weights = counts.sum(axis=1)
        hyperborean = weights @ reference / max(int(weights.sum()), 1)
        means = [share(int(count), int(total.sum())) for count in total]
        away = " / ".join(f"{100 * value:.1f}" for value in hyperborean)
        shown.append((bot, f"{int(total.sum()):,}", _text(means), away))
    ours_heads = [name for action in ACTIONS for name in (action, f"{action}_stderr")]
    return ReportTable(
        "classes",
        "Appendix B: before the flop, three players in, something to pay; in percent",
        (
            "bot",
            "hand",
            "decisions",
            *ours_heads,
            *(f"thesis_{action}" for action in ACTIONS),
            *(f"hyperborean_{action}" for action in ACTIONS),
        ),
        tuple(rows),
        ("bot", "decisions", "fold / call / raise", "hyperborean with the same hands"),
        tuple(shown),
    )
