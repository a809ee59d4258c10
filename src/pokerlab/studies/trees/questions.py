"""The open questions of "Poker Articles", answered by computation.

- 4.3: an equilibrium cannot be found pocket by pocket. Kuhn poker has a family of them for player
  0, one for each α from 0 to 1/3: bet J with probability α and K with 3α, call a bet with Q with
  α + 1/3. Every pocket of a family member is fine by itself, and together they are not.
- 4.4: what does the elimination of obvious moves save, and could anything else save more?
- 4.6: can the linear program be applied to more than two players? A hero who is as safe as can be
  plays against all others as one. Three such strategies are no equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from pokerlab.games import Game, load_game, merge_suits
from pokerlab.solvers import (
    Strategy,
    TeamGame,
    best_response,
    nash_conv,
    obvious_moves,
    played_moves,
    solve_lp,
    values,
)
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import Verdict
from pokerlab.studies.rhode_island.boards import rhode_island
from pokerlab.studies.trees.figures import deviation_table
from pokerlab.studies.trees.plots import family
from pokerlab.trees import GameTree

ALPHAS = (0.0, 1 / 6, 1 / 3)
"""Members of the family that pockets are taken from."""
_KUHN_MOVES = (
    {("Js:cr", "c"), ("Ks:cr", "f"), ("Js:r", "c"), ("Ks:r", "f")},
    {("Qs", "r"), ("Qs:c", "r")},
)
"""What 4.4 removes: 0.1, 0.2, 1.1 and 1.2, then 0.3 and 1.3."""
_ELIMINATED = ("kuhn", "kuhn2", "onecard", "onecard2", "leduc", "leduc.reversed")


class Pockets(NamedTuple):
    """A strategy of player 0 in Kuhn poker, each pocket from an equilibrium: α by pocket.

    `lost` is by how much less than the value of the game it wins against a best response.
    """

    jack: float
    queen: float
    king: float
    lost: float


def pocket_table(alphas: Sequence[float] = ALPHAS) -> list[Pockets]:
    """What is lost by taking each pocket from another equilibrium.

    Examples
    --------
    >>> [round(row.lost, 4) for row in pocket_table((0.0, 1 / 3))]
    [0.0, 0.1667, 0.0556, 0.0556, 0.1111, 0.1111, 0.1667, 0.0]
    """
    tree = GameTree.build(load_game("kuhn"))
    equilibrium = solve_lp(tree)
    rows = []
    for jack, queen, king in product(alphas, repeat=3):
        strategy = equilibrium.strategy.changed(family(jack, queen, king))
        lost = best_response(tree, strategy, 1).value - equilibrium.values[1]
        rows.append(Pockets(jack, queen, king, lost))
    return rows


class SavedMoves(NamedTuple):
    """What obvious moves save in a game.

    Attributes
    ----------
    game
        Its name.
    moves
        How many there are: the variables h of both players.
    obvious
        How many are removed, in all rounds.
    first
        How many of them in the first: those are dominated.
    rounds
        How many rounds there were.
    unplayed
        How many moves no equilibrium plays; -1 where that is not known.
    """

    game: str
    moves: int
    obvious: int
    first: int
    rounds: int
    unplayed: int


def elimination_table(*, quick: bool = False) -> list[SavedMoves]:
    """Eliminate in each game of the catalogue that can be written out, and in small Rhode Islands.

    Examples
    --------
    >>> elimination_table(quick=True)[0]
    SavedMoves(game='kuhn', moves=24, obvious=7, first=5, rounds=2, unplayed=7)
    """
    games: list[Game] = [load_game(name) for name in _ELIMINATED[: 2 if quick else None]]
    games = [merge_suits(game) if game.name.startswith("leduc") else game for game in games]
    if not quick:
        games += [merge_suits(rhode_island(*size)) for size in ((2, 4, 1), (3, 2, 1))]
    rows = []
    for game in [*games, load_game("kuhn.3p")]:
        tree = GameTree.build(game)
        steps = obvious_moves(tree).eliminations
        unplayed = int((~played_moves(tree)).sum()) if tree.players == 2 else -1
        name = game.name
        if name.startswith("rhodeisland"):
            name += f", {len(tree):,} nodes"
        first = sum(step.round == 1 for step in steps)
        rounds = max((step.round for step in steps), default=0)
        rows.append(SavedMoves(name, tree.infosets.slots, len(steps), first, rounds, unplayed))
    return rows


class SafePlay(NamedTuple):
    """The linear program applied to each player of a game for more than two.

    Attributes
    ----------
    safe
        What each player can be sure of against all others.
    won
        What each wins when all play so.
    nash_conv
        What all could gain in sum by best responses: 0 in an equilibrium.
    """

    safe: tuple[float, ...]
    won: tuple[float, ...]
    nash_conv: float


def safe_play(name: str = "kuhn.3p") -> SafePlay:
    """Solve the program of each player against all others, and let them play one another."""
    game = load_game(name)
    tree = GameTree.build(game)
    chosen: dict[str, dict[str, float]] = {}
    safe = []
    for hero in range(game.players):
        others = tuple(seat for seat in range(game.players) if seat != hero)
        found = solve_lp(GameTree.build(TeamGame(game, others)))
        safe.append(found.values[1])
        own = {
            infoset
            for infoset, player in zip(tree.infosets.names, tree.infosets.player, strict=True)
            if player == hero
        }
        chosen |= {infoset: dict(found.strategy[infoset]) for infoset in own}
    strategy = Strategy.uniform(tree.infosets).changed(chosen)
    won = tuple(float(each) for each in values(tree, strategy))
    return SafePlay(tuple(safe), won, nash_conv(tree, strategy))


def make_trees_report(*, quick: bool = False) -> StudyReport:
    """Tables and verdicts on the claims and questions of the document."""
    pockets, eliminated, safe = pocket_table(), elimination_table(quick=quick), safe_play()
    tables = (_pocket_report(pockets), _elimination_report(eliminated), _safe_report(safe))
    return StudyReport(
        "Trees, best response and equilibrium",
        () if quick else tuple(_verdicts(pockets, eliminated, safe)),
        "everything is exact",
        tables,
        ("Chips are antes.", *([trial_note("obvious moves of two games")] if quick else [])),
    )


def _pocket_report(rows: Iterable[Pockets]) -> ReportTable:
    records: list[Record] = [row._asdict() for row in rows]
    return ReportTable.of(
        "pockets",
        "Kuhn poker: each pocket of player 0 from an equilibrium, α by pocket",
        records,
        {"J": "{jack:.3f}", "Q": "{queen:.3f}", "K": "{king:.3f}", "lost": "{lost:.4f}"},
    )


def _elimination_report(rows: Iterable[SavedMoves]) -> ReportTable:
    records: list[Record] = [row._asdict() for row in rows]
    return ReportTable.of(
        "elimination",
        "What the elimination of obvious moves saves",
        records,
        {
            "game": "{game}",
            "moves": "{moves:,}",
            "obvious": lambda row: _of(row, "obvious"),
            "in the first round": "{first:,}",
            "rounds": "{rounds}",
            "no equilibrium plays": lambda row: _of(row, "unplayed"),
        },
    )


def _of(row: Record, key: str) -> str:
    count = int(row[key])
    return "" if count < 0 else f"{count:,} ({count / int(row['moves']):.0%})"


def _safe_report(found: SafePlay) -> ReportTable:
    records: list[Record] = [
        {"player": player, "safe": safe, "won": won}
        for player, (safe, won) in enumerate(zip(found.safe, found.won, strict=True))
    ]
    return ReportTable.of(
        "three-players",
        "Kuhn poker for three: the linear program of each player against both others",
        records,
        {"player": "{player}", "sure of": "{safe:+.4f}", "wins if all play so": "{won:+.4f}"},
    )


def _verdicts(
    pockets: Sequence[Pockets], eliminated: Sequence[SavedMoves], safe: SafePlay
) -> list[Verdict]:
    more, less = deviation_table()
    same = [row.lost for row in pockets if row.jack == row.queen == row.king]
    mixed = [row.lost for row in pockets if not row.jack == row.queen == row.king]
    kuhn = eliminated[0]
    saved = {
        row.game: 10.0 - 100.0 * row.obvious / row.moves for row in eliminated if row.unplayed >= 0
    }
    left = sum(float(row.unplayed - row.obvious) for row in eliminated if row.unplayed >= 0)
    return [
        Verdict.above_zero(
            "More folds cost player 1 three times as much as fewer (0.0500 and 0.0167)",
            "4.2, table 1",
            {
                "0.0001 less the distance from 0.0500": 1e-4 - abs(more.game + 0.05),
                "0.0001 less the distance from 0.0167": 1e-4 - abs(less.game + 0.0167),
            },
            "antes",
        ),
        Verdict(
            "An equilibrium cannot be found pocket by pocket",
            "4.3",
            "holds" if max(same) < 1e-9 and max(mixed) > 1e-9 else "does not hold",
            {
                "lost by pockets of one α, at most": Measure(max(same), 0.0),
                "lost by pockets of different α, at most": Measure(max(mixed), 0.0),
                "and at least": Measure(min(mixed), 0.0),
            },
            "antes",
        ),
        Verdict(
            "Moves 0.1, 0.2, 1.1 and 1.2 of Kuhn poker are obvious, and then 0.3 and 1.3",
            "4.4",
            "holds" if _kuhn_moves() else "does not hold",
            {
                "obvious": Measure(kuhn.obvious, 0.0),
                "in the first round": Measure(kuhn.first, 0.0),
            },
            "moves",
        ),
        Verdict.above_zero(
            "Elimination does not reduce a game significantly (less than 10% of the moves)",
            "4.4",
            saved,
            "% less than 10",
        ),
        Verdict.above_zero(
            "There are other moves that need not be played, beyond the obvious ones",
            "4.4, open question",
            {"in all games": left},
            "moves",
        ),
        Verdict.above_zero(
            "The linear program ends at two players: what three are sure of does not add up to 0,"
            " and playing so is no equilibrium",
            "4.6, open question",
            {"what they are sure of, in sum": -sum(safe.safe), "NashConv": safe.nash_conv},
            "antes",
        ),
    ]


def _kuhn_moves() -> bool:
    """Whether the moves that the document removes go in the rounds that it says."""
    steps = obvious_moves(GameTree.build(load_game("kuhn"))).eliminations
    found = {(step.infoset, step.action): step.round for step in steps}
    return all(
        found.get(move) == number for number, moves in enumerate(_KUHN_MOVES, 1) for move in moves
    )
