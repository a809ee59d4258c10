"""The tables of the thesis that are scores of matches: 1, 2, 3, 5, 11, 12 and 15; and our own.

Numbers of the thesis and ours stand in columns of their own, and in a cell for people as
``ours ± error (thesis)``. Totals are chips in just as many hands as were played; what can be
compared is mbb per hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pokerlab.arena.results import MatchResult
from pokerlab.arena.tournaments import Score, Tournament
from pokerlab.studies.mapping.entrants import FAIR_PAIR, STRONG_PAIR, THREE_PLAYER_BOT, with_options
from pokerlab.studies.mapping.plan import (
    MAPPINGS,
    PAIRS,
    WIDE_TOURNAMENT,
    MappingResults,
    hybrid,
    nearest,
)
from pokerlab.studies.mapping.thesis import (
    BIAS,
    CROSS_TABLE,
    GREEDY,
    HANDS,
    HYBRIDS,
    NEAREST_COUNTS,
    NEAREST_PLAIN,
    NEAREST_WEIGHTED,
    PLAIN_DPP,
    RUN_OFF,
    TOURNAMENT_BOTS,
    thesis_mbb,
)
from pokerlab.studies.reporting.report_table import Cell, ReportTable, number_text

SCORE_HEADS = (
    "row",
    "column",
    "thesis_hands",
    "thesis_chips",
    "thesis_mbb",
    "hands",
    "chips",
    "mbb",
    "stderr",
)
"""Columns of every table of scores; chips are those of the thesis, 10 are a big blind."""


@dataclass(frozen=True)
class ScoreCell:
    """What a bot won, ours and the thesis's.

    Attributes
    ----------
    row, column
        Where it stands.
    score
        Ours.
    hands
        In how many hands.
    thesis_chips, thesis_hands
        What the thesis has there; None where it has nothing.
    """

    row: str
    column: str
    score: Score
    hands: int
    thesis_chips: float | None = None
    thesis_hands: int = 0

    @classmethod
    def of(
        cls,
        row: str,
        column: str,
        result: MatchResult,
        thesis_chips: float | None = None,
        thesis_hands: int = 0,
    ) -> ScoreCell:
        """What the first bot of a match won."""
        score = Score(result.chips[0], result.mbb_per_hand[0], result.stderr[0])
        return cls(row, column, score, result.hands, thesis_chips, thesis_hands)

    def cells(self) -> tuple[Cell, ...]:
        """The row of this cell, by `SCORE_HEADS`."""
        score = self.score
        thesis: tuple[Cell, ...] = ("", "", "")
        if self.thesis_chips is not None:
            mbb = thesis_mbb(self.thesis_chips, self.thesis_hands)
            thesis = (self.thesis_hands, self.thesis_chips, mbb)
        ours = (self.hands, score.chips, score.mbb_per_hand, score.stderr)
        return (self.row, self.column, *thesis, *ours)

    def text(self) -> str:
        """For people: ours in mbb per hand, and the thesis's behind it."""
        ours = number_text(self.score.mbb_per_hand, self.score.stderr)
        if self.thesis_chips is None:
            return ours
        mbb = thesis_mbb(self.thesis_chips, self.thesis_hands)
        return f"{ours} ({number_text(mbb)})"


def score_table(
    name: str,
    title: str,
    cells: Sequence[ScoreCell],
    corner: str = "",
    columns: Sequence[str] | None = None,
) -> ReportTable:
    """A table of scores; the order of rows and columns is that of the cells, if none is given."""
    rows = list(dict.fromkeys(cell.row for cell in cells))
    if columns is None:
        columns = list(dict.fromkeys(cell.column for cell in cells))
    texts = {(cell.row, cell.column): cell.text() for cell in cells}
    return ReportTable(
        name,
        title,
        SCORE_HEADS,
        tuple(cell.cells() for cell in cells),
        (corner, *columns),
        tuple((row, *(texts.get((row, column), "") for column in columns)) for row in rows),
    )


def score_tables(results: MappingResults) -> list[ReportTable]:
    """All tables of scores."""
    return [
        cross_table(results, "table-01", "Table 1: the tournament", TOURNAMENT_BOTS),
        run_off_table(results, "table-02", "Table 2: instant run-off", TOURNAMENT_BOTS),
        _nearest_table(results, 3),
        _nearest_table(results, 5),
        _unweighted_table(results),
        _bias_table(results),
        _greedy_table(results),
        _hybrid_table(results),
        _everybody_table(results),
        cross_table(
            results, "wide-cross", "The tournament with our own bots as well", WIDE_TOURNAMENT
        ),
        run_off_table(
            results, "wide-run-off", "The run-off with our own bots as well", WIDE_TOURNAMENT
        ),
    ]


def cross_table(results: MappingResults, name: str, title: str, bots: Sequence[str]) -> ReportTable:
    """What each bot of a tournament won against each pair of others."""
    hands = results.plan.hands
    table = results.tournament(bots).cross_table()
    pairs = dict.fromkeys(pair for row in table.values() for pair in row)
    order = sorted(pairs, key=lambda pair: [bots.index(bot) for bot in pair])
    cells = []
    for pair in order:
        for bot in bots:
            if pair in table[bot]:
                chips = CROSS_TABLE.get((pair[0], pair[1]), {}).get(bot)
                score = table[bot][pair]
                cells.append(ScoreCell(", ".join(pair), bot, score, hands, chips, HANDS[1]))
    return score_table(name, title, cells, "against", bots)


def run_off_rounds(tournament: Tournament) -> list[tuple[str, ...]]:
    """Who is left in each round of the run-off, up to the last three.

    The same rule as `Tournament.run_off`, which gives the ranks.
    """
    left = list(tournament.bots)
    rounds = []
    while True:
        rounds.append(tuple(left))
        chips = {bot: score.chips for bot, score in tournament.scores(left).items()}
        lowest = min(chips.values())
        stay = [bot for bot in left if chips[bot] > lowest + 1e-9]
        if len(stay) < 3:
            return rounds
        left = stay


def run_off_table(
    results: MappingResults, name: str, title: str, bots: Sequence[str]
) -> ReportTable:
    """Round by round; the thesis's rounds stand beside ours, whoever was dropped.

    The first round is the ranking by total bankroll.
    """
    tournament = results.tournament(bots)
    ranks, places = tournament.run_off(), tournament.bankroll()
    rounds = run_off_rounds(tournament)
    order = list(places)
    rows: list[tuple[str | int | float, ...]] = []
    shown = []
    for bot in order:
        texts = []
        for number, among in enumerate(rounds, 1):
            thesis: float | str = ""
            if tuple(bots) == TOURNAMENT_BOTS and number <= len(RUN_OFF):
                thesis = RUN_OFF[number - 1].get(bot, "")
            if bot not in among:
                texts.append("")
                if thesis != "":
                    rows.append((bot, number, "", "", "", "", "", thesis))
                continue
            score = tournament.scores(among)[bot]
            matches = (len(among) - 1) * (len(among) - 2) // 2
            hands = matches * results.plan.hands
            numbers = (score.chips, score.mbb_per_hand, score.stderr)
            rows.append((bot, number, ranks[bot], hands, *numbers, thesis))
            texts.append(number_text(score.mbb_per_hand, score.stderr))
        thesis_rank = _thesis_rank(bot) if tuple(bots) == TOURNAMENT_BOTS else ""
        shown.append((bot, f"{places[bot]}.", f"{ranks[bot]}.", thesis_rank, *texts))
    heads = ("bot", "round", "rank", "hands", "chips", "mbb", "stderr", "thesis_chips")
    shown_heads = ("bot", "bankroll", "run-off", "thesis: bankroll, run-off")
    return ReportTable(
        name,
        title,
        heads,
        tuple(rows),
        (*shown_heads, *(f"round {number}" for number in range(1, len(rounds) + 1))),
        tuple(shown),
    )


def _thesis_rank(bot: str) -> str:
    """Ranks by bankroll and by run-off: those who stay longer rank higher."""
    bankroll = sorted(RUN_OFF[0], key=lambda name: -RUN_OFF[0][name]).index(bot) + 1
    rounds = {name: sum(name in each for each in RUN_OFF) for name in RUN_OFF[0]}
    last = RUN_OFF[-1]
    order = sorted(rounds, key=lambda name: (-rounds[name], -last.get(name, 0)))
    return f"{bankroll}., {order.index(bot) + 1}."


def _nearest_table(results: MappingResults, number: int) -> ReportTable:
    weighted = number == 5
    pair = FAIR_PAIR if weighted else STRONG_PAIR
    how = "weights 1/(1 + distance), against two dpp" if weighted else "against akuma and ownbot"
    thesis = NEAREST_WEIGHTED if weighted else NEAREST_PLAIN
    cells = [
        _match_cell(results, str(histories), bot, label, pair, thesis[bot][place], HANDS[number])
        for place, histories, bot, label in _asked(weighted=weighted)
    ]
    title = f"Table {number}: several nearest histories, {how}"
    return score_table(f"table-{number:02}", title, cells, "nearest")


def _unweighted_table(results: MappingResults) -> ReportTable:
    cells = [
        _match_cell(results, str(histories), bot, label, FAIR_PAIR)
        for _, histories, bot, label in _asked(weighted=False)
    ]
    title = "Not in the thesis: several nearest histories, plain means, against two dpp"
    return score_table("nearest-plain-dpp", title, cells, "nearest")


def _asked(*, weighted: bool) -> Iterator[tuple[int, int, str, str]]:
    """The rows and columns of tables 3 and 5: place, histories, bot and its label."""
    for place, histories in enumerate(NEAREST_COUNTS):
        for bot in NEAREST_PLAIN:
            yield place, histories, bot, nearest(bot, histories, weighted=weighted)


def _bias_table(results: MappingResults) -> ReportTable:
    cells = [
        _match_cell(results, bot, column, label, FAIR_PAIR, chips, HANDS[11])
        for bot in MAPPINGS
        for column, label, chips in zip(
            ("without bias", "with bias"),
            (bot, with_options(bot, "bias")),
            BIAS.get(bot, (None, None)),
            strict=True,
        )
    ]
    return score_table("table-11", "Table 11: bias, against two dpp", cells, "bot")


def _greedy_table(results: MappingResults) -> ReportTable:
    ((bot, (drawn, greedy)),) = GREEDY.items()
    label = with_options(bot, "greedy")
    cells = [
        _match_cell(results, bot, "drawn", bot, FAIR_PAIR, drawn, HANDS[12]),
        _match_cell(results, bot, "most probable", label, FAIR_PAIR, greedy, HANDS[12]),
    ]
    title = "Table 12: the most probable action, against two dpp"
    return score_table("table-12", title, cells, "bot")


def _hybrid_table(results: MappingResults) -> ReportTable:
    never = ("never (plain dpp)", MAPPINGS[0], "dpp")
    cells = [_match_cell(results, *never, FAIR_PAIR, PLAIN_DPP, HANDS[15])]
    labels: dict[str, Callable[[str], str]] = {
        "always": lambda bot: bot,
        "after a fold before the flop": lambda bot: hybrid(bot, preflop=True),
        "after any fold": lambda bot: hybrid(bot),
    }
    for place, (row, label) in enumerate(labels.items()):
        for bot in MAPPINGS:
            chips = HYBRIDS[bot][place] if bot in HYBRIDS else None
            cells.append(_match_cell(results, row, bot, label(bot), FAIR_PAIR, chips, HANDS[15]))
    title = "Table 15: the mapping as part of a fair bot, against two dpp"
    return score_table("table-15", title, cells, "used")


def _everybody_table(results: MappingResults) -> ReportTable:
    cells = [
        _match_cell(results, bot, ", ".join(pair), bot, pair)
        for bot in (*MAPPINGS, THREE_PLAYER_BOT)
        for pair in PAIRS
    ]
    title = "All mappings and the three-player bot, same cards"
    return score_table("everybody", title, cells, "bot")


def _match_cell(
    results: MappingResults,
    row: str,
    column: str,
    label: str,
    pair: tuple[str, str],
    thesis_chips: float | None = None,
    thesis_hands: int = 0,
) -> ScoreCell:
    """What a bot won against two others."""
    result = results.match(label, pair).result
    return ScoreCell.of(row, column, result, thesis_chips, thesis_hands)
