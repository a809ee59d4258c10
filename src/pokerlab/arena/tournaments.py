"""Tournaments: every pair, or every triple, of some bots plays a match.

Each match has a seed of its own, made of the tournament's seed and the bots that play. So matches
are independent of each other, their errors add up, and a bot that joins later leaves the matches
of the others as they were. Matches on the deals of a file are not independent: they all have the
same cards, and the errors of totals are only those of each match by itself.

Matches are jobs (`pokerlab.runtime.files.jobs`): they run in this process, in others, or on a Ray
cluster. Finished ones go to a `ResultsFile` at once and are never played again; several tournaments
may share one file, and then share the work.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from pokerlab.arena.chosen_deals import Pockets, parse_pockets
from pokerlab.arena.matches import Match, play_match, seat_players
from pokerlab.arena.results import MatchPlan, MatchResult, ResultsFile
from pokerlab.arena.run_off import Cycle, bankroll_ranking, find_cycles, run_off_ranking
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.failures import close_bot, reset_bot
from pokerlab.players.strategies import load_table_game
from pokerlab.runtime.files.columns import make_frame
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.jobs import run_jobs
from pokerlab.runtime.shown import Shown


def play_tournament(
    game: str,
    bots: Sequence[str],
    hands: int | None = None,
    seed: int = 0,
    *,
    size: int | None = None,
    duplicate: bool = True,
    twins: bool = False,
    time_limit: float | None = None,
    deals: str | os.PathLike[str] | None = None,
    pockets: Pockets | None = None,
    jobs: int | None = None,
    ray: str | None = None,
    results: ResultsFile | None = None,
    on_match: Callable[[MatchResult], None] | None = None,
) -> Tournament:
    """Play a tournament to its end.

    Parameters
    ----------
    game, bots, hands, seed, size, duplicate, twins, time_limit, deals, pockets
        What is played (see `plan_tournament`).
    jobs, ray, results
        Where it is played and kept (see `play_matches`).
    on_match
        Called with the result of every match as soon as it is over.

    Examples
    --------
    >>> tournament = play_tournament("leduc", ["caller", "raiser", "folder"], 1000)
    >>> tournament.bankroll()
    {'raiser': 1, 'caller': 2, 'folder': 3}
    """
    plans = plan_tournament(
        game,
        bots,
        hands,
        seed,
        size=size,
        duplicate=duplicate,
        twins=twins,
        time_limit=time_limit,
        deals=deals,
        pockets=pockets,
    )
    check_bots(game, bots, size)
    played = []
    for result in play_matches(plans, jobs=jobs, ray=ray, results=results):
        played.append(result)
        if on_match is not None:
            on_match(result)
    return Tournament(tuple(bots), tuple(played))


def plan_tournament(
    game: str,
    bots: Sequence[str],
    hands: int | None = None,
    seed: int = 0,
    *,
    size: int | None = None,
    duplicate: bool = True,
    twins: bool = False,
    time_limit: float | None = None,
    deals: str | os.PathLike[str] | None = None,
    pockets: Pockets | None = None,
) -> list[MatchPlan]:
    """The matches of a tournament; `ValueError` for anything that could not be played.

    Parameters
    ----------
    game
        Name or file of the game.
    bots
        Who takes part, by names that `make_bot` takes.
    hands
        Hands of a match; may be left out where `deals` are given, which are then all played.
    seed
        The same seed, the same tournament.
    size
        How many sit at a table: 2 or 3, by default what the game says.
    duplicate
        Whether matches are duplicate ones.
    twins
        At tables of three: whether there are also matches with two instances of a bot.
    time_limit
        Seconds for an action.
    deals
        File of the deals of every match, made by ``pokerlab deals``.
    pockets
        By seat: private cards, or a range of them.

    Examples
    --------
    >>> plans = plan_tournament("kuhn.3p", ["caller", "raiser", "folder", "random"], 600)
    >>> len(plans), plans[0].bots
    (4, ('caller', 'raiser', 'folder'))
    >>> len(plan_tournament("kuhn.3p", ["caller", "raiser"], 600, twins=True))
    2
    """
    rules = load_table_game(game)
    size = rules.players if size is None else size
    if size not in (2, 3):
        raise ValueError(f"size: {size} at a table (tournaments are of pairs, 2, or triples, 3)")
    seat_players(rules, size)
    if twins and size != 3:
        raise ValueError("twins: two instances of a bot need a table of 3")
    if twins and hands is None:
        raise ValueError("hands: say how many (with twins, matches differ in their seatings)")
    twice = [bot for bot, count in Counter(bots).items() if count > 1]
    if twice:
        raise ValueError(f"bot {twice[0]!r} is given twice")
    fewest = 2 if twins else size
    if len(bots) < fewest:
        given = "1 bot is" if len(bots) == 1 else f"{len(bots)} bots are"
        raise ValueError(f"{given} too few for a tournament ({fewest} or more)")
    groups: list[tuple[str, ...]] = list(combinations(bots, size))
    if twins:
        groups = [
            group for group in combinations_with_replacement(bots, size) if len(set(group)) > 1
        ]
    plans = {}
    for kind in {len(set(group)): group for group in groups}.values():  # with and without twins
        with Match(
            game,
            kind,
            hands,
            seed,
            duplicate=duplicate,
            time_limit=time_limit,
            deals=deals,
            pockets=pockets,
        ) as match:
            plans[len(set(kind))] = match.plan
    return [
        replace(plans[len(set(group))], bots=group, seed=match_seed(seed, group))
        for group in groups
    ]


def match_seed(seed: int, bots: Sequence[str]) -> int:
    """The seed of the match of some bots: other bots, other cards.

    Examples
    --------
    >>> match_seed(0, ["caller", "fair"]) == match_seed(0, ["caller", "fair"])
    True
    >>> match_seed(0, ["caller", "fair"]) == match_seed(0, ["raiser", "fair"])
    False
    """
    return int(digest("\n".join([str(seed), *bots]), length=12), 16)


def check_bots(game: str, bots: Sequence[str], size: int | None = None) -> None:
    """Say now, and not after hours, that a bot cannot be made or does not play this game."""
    rules = load_table_game(game)
    rules = seat_players(rules, size or rules.players)
    for bot in bots:
        made = make_bot(bot)
        try:
            reset_bot(made, bot, rules, np.random.default_rng(0))
        finally:
            close_bot(made)  # what fails there is counted in the matches


def play_matches(
    plans: Sequence[MatchPlan],
    *,
    jobs: int | None = None,
    ray: str | None = None,
    results: ResultsFile | None = None,
) -> Iterator[MatchResult]:
    """Play matches, several at a time, and give each result as soon as it is there.

    Parameters
    ----------
    plans
        The matches.
    jobs
        How many at a time; 0 for as many as there are processors. By default one here, and
        all processors of a Ray cluster.
    ray
        Address of a Ray cluster to play them on (``auto``, ``host:port``, ``local``).
    results
        What it holds already is not played again, and every finished match is added.
    """
    if jobs is None:
        jobs = 1 if ray is None else 0
    if jobs < 0:
        raise ValueError(f"jobs: {jobs} is not a number of matches at a time (0: all processors)")
    keyed = {plan.key: plan for plan in plans}
    for _, result in run_jobs(keyed, _play, results, workers=jobs, ray=ray):
        yield result


@dataclass(frozen=True, slots=True)
class Score:
    """The winnings of a bot in some matches.

    Attributes
    ----------
    chips
        The sum; of a bot that sits twice at a table, the mean of both counts.
    mbb_per_hand, stderr
        The mean over the matches, and its standard error.
    """

    chips: float
    mbb_per_hand: float
    stderr: float


@dataclass(frozen=True, slots=True)
class Tournament(Shown):
    """The matches of a tournament that have been played, and who won.

    Attributes
    ----------
    bots
        Who takes part.
    results
        The matches, in the order of the bots, whichever ended first; not all, if it was aborted.
    """

    _picture = "pokerlab.views.pictures.arena_picture:tournament_html"

    bots: tuple[str, ...]
    results: tuple[MatchResult, ...]

    def __post_init__(self) -> None:
        place = {bot: number for number, bot in enumerate(self.bots)}
        ordered = sorted(self.results, key=lambda result: [place[bot] for bot in result.plan.bots])
        object.__setattr__(self, "results", tuple(ordered))

    def scores(self, among: Sequence[str] | None = None) -> dict[str, Score]:
        """The score of each bot, in all matches or in those among some bots only."""
        among = self.bots if among is None else among
        counted = [result for result in self.results if set(result.plan.bots) <= set(among)]
        return {
            bot: _total([_score(result, bot) for result in counted if bot in result.plan.bots])
            for bot in among
        }

    def cross_table(self) -> dict[str, dict[tuple[str, ...], Score]]:
        """For each bot: its score against each pair of opponents, or each one opponent."""
        table: dict[str, dict[tuple[str, ...], Score]] = {bot: {} for bot in self.bots}
        for result in self.results:
            for bot in dict.fromkeys(result.plan.bots):
                others = list(result.plan.bots)
                others.remove(bot)
                table[bot][tuple(others)] = _score(result, bot)
        return table

    def to_frame(self) -> Any:
        """A row for each bot, as a ``pandas.DataFrame``: ranks and winnings of all matches."""
        scores = self.scores()
        return make_frame(
            {
                "bot": list(self.bots),
                "bankroll": [self.bankroll()[bot] for bot in self.bots],
                "run_off": [self.run_off()[bot] for bot in self.bots],
                **{
                    name: [getattr(scores[bot], name) for bot in self.bots]
                    for name in ("chips", "mbb_per_hand", "stderr")
                },
            }
        )

    def bankroll(self) -> dict[str, int]:
        """Ranks by total bankroll."""
        return bankroll_ranking({bot: score.chips for bot, score in self.scores().items()})

    def run_off(self) -> dict[str, int]:
        """Ranks by bankroll instant run-off (see `run_off_ranking`)."""
        size = len(self.results[0].plan.bots) if self.results else 2

        def chips(among: Sequence[str]) -> dict[str, float]:
            return {bot: score.chips for bot, score in self.scores(among).items()}

        return run_off_ranking(self.bots, chips, last=size)

    def cycles(self) -> list[Cycle]:
        """Triples of bots that beat each other in a circle (see `find_cycles`).

        The clearest first; of tables for three there are none, as nobody beats one other there.
        """
        return self._cycles()[0]

    def triples(self) -> int:
        """How many triples of bots were looked at for cycles."""
        return self._cycles()[1]

    def _cycles(self) -> tuple[list[Cycle], int]:
        pairs = {
            (first, second): (result.mbb_per_hand[0], result.stderr[0])
            for result in self.results
            if len(result.plan.bots) == 2
            for first, second in [result.plan.bots]
        }
        return find_cycles(self.bots, pairs)


def _score(result: MatchResult, bot: str) -> Score:
    own = [place for place, other in enumerate(result.plan.bots) if other == bot]
    others = [place for place in range(len(result.plan.bots)) if place not in own]
    stderr = result.stderr[own[0]]
    if len(own) > 1:
        # What two instances win together is what the one other player loses, if there is one.
        stderr = result.stderr[others[0]] / len(own) if others else 0.0
    return Score(
        sum(result.chips[place] for place in own) / len(own),
        sum(result.mbb_per_hand[place] for place in own) / len(own),
        stderr,
    )


def _total(scores: Sequence[Score]) -> Score:
    count = max(len(scores), 1)
    return Score(
        sum(score.chips for score in scores),
        sum(score.mbb_per_hand for score in scores) / count,
        math.sqrt(sum(score.stderr**2 for score in scores)) / count,
    )


def _play(plan: MatchPlan) -> MatchResult:
    result = play_match(
        plan.game,
        plan.bots,
        plan.hands,
        plan.seed,
        duplicate=plan.duplicate,
        time_limit=plan.time_limit,
        deals=plan.deals or None,
        pockets=parse_pockets(plan.pockets),
        fixed_button=plan.fixed_button,
    )
    if result.plan != plan:
        raise ValueError(f"{plan.deals}: the deals have changed since the tournament was planned")
    return result
