"""How much a local best response wins from a bot: many hands, shared by processes, resumable.

Hands come in pairs: the same cards, with the bot in one seat and then in the other. A hand depends
on the seed and its number alone, so the result is the same whoever plays which of them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arena.flop_deals import deal_on_flops
from pokerlab.arena.responses.local_best_response import LocalBestResponse, LocalHand
from pokerlab.games import BettingGame
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.failures import close_bot, failure_text, reset_bot
from pokerlab.players.strategies import load_table_game
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs

BLOCK = 20
"""Hands of a job; an even number."""
_WIDE = 1.96
"""Standard errors on each side of an interval of 95%."""


@dataclass(frozen=True, slots=True)
class LocalResponsePlan:
    """Everything that decides how a local best response plays a bot.

    Attributes
    ----------
    game, bot
        Name or file of the game, and the bot as `make_bot` takes it.
    menu, streets
        What the responder may do, and on which streets (0 for the first); none: on all.
    seed
        The same seed, the same hands.
    samples, among
        For bots that do not tell their strategy (see `LocalBestResponse`).
    flops
        The flops that are dealt, as `deal_on_flops` takes them; all if it is empty.
    """

    game: str
    bot: str
    menu: str = "fcpa"
    streets: tuple[int, ...] = ()
    seed: int = 0
    samples: int = 3
    among: int = 100
    flops: str = ""

    def check(self) -> BettingGame:
        """The game; `ValueError` for a plan that cannot be played."""
        if self.seed < 0:
            raise ValueError(f"seed: {self.seed} is not a seed (0 or more)")
        for name, number in (("samples", self.samples), ("among", self.among)):
            if number < 1:
                raise ValueError(f"{name}: {number} must be 1 or more")
        rules = load_table_game(self.game)
        deal_on_flops(rules, self.flops, np.random.default_rng(0))
        if any(not 0 <= street < len(rules.streets) for street in self.streets):
            raise ValueError(
                f"streets: {self.game} has streets 1 to {len(rules.streets)}, not"
                f" {max(self.streets) + 1}"
            )
        bot = make_bot(self.bot)
        try:
            LocalBestResponse(rules, bot, self.menu)
            reset_bot(bot, self.bot, rules, np.random.default_rng(0))
        finally:
            close_bot(bot)
        return rules


class EndRow(NamedTuple):
    """The hands that ended on a street, by a fold or at a showdown."""

    street: int
    showdown: bool
    hands: int
    mbb: float
    """What they add to the mean of all hands."""


@dataclass(frozen=True)
class LocalResponseResult:
    """What a local best response won.

    Attributes
    ----------
    plan
        What was played.
    planned
        How many hands were to be played.
    hands
        Those that were, in pairs.
    mbb_of_chip
        A payoff of 1 in thousandths of a big blind.
    seconds
        How long it took.
    """

    plan: LocalResponsePlan
    planned: int
    hands: tuple[LocalHand, ...]
    mbb_of_chip: float
    seconds: float = 0.0

    @classmethod
    def of(
        cls,
        plan: LocalResponsePlan,
        game: BettingGame,
        planned: int,
        blocks: Mapping[int, list[LocalHand]],
        seconds: float = 0.0,
    ) -> LocalResponseResult:
        """The result of hands that `play_local_responses` gave, by the first of each block.

        Only those count before which all were played: which blocks end first depends on how long
        their hands took, and such hands are not like others.
        """
        hands: list[LocalHand] = []
        while len(hands) in blocks:
            hands += blocks[len(hands)]
        if not hands:
            raise ValueError("the first hands were not finished: there is no result yet")
        return cls(plan, planned, tuple(hands), game.mbb, seconds)

    @property
    def mbb(self) -> float:
        """The mean of a hand."""
        return float(np.mean([hand.won for hand in self.hands])) * self.mbb_of_chip

    @property
    def stderr(self) -> float:
        """The standard error of `mbb`; a sample is a pair of hands. NaN for one pair."""
        pairs = np.array([hand.won for hand in self.hands]).reshape(-1, 2).mean(axis=1)
        if len(pairs) < 2:
            return math.nan
        return float(pairs.std(ddof=1)) / math.sqrt(len(pairs)) * self.mbb_of_chip

    @property
    def plain(self) -> tuple[float, float]:
        """The mean and its error in mbb with the hands that the responder was dealt."""
        pairs = np.array([hand.plain for hand in self.hands]).reshape(-1, 2).mean(axis=1)
        error = float(pairs.std(ddof=1)) / math.sqrt(len(pairs)) if len(pairs) > 1 else math.nan
        return float(pairs.mean()) * self.mbb_of_chip, error * self.mbb_of_chip

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `mbb`."""
        return self.mbb - _WIDE * self.stderr, self.mbb + _WIDE * self.stderr

    @property
    def estimated(self) -> int:
        """In how many hands the bot's strategy was estimated."""
        return sum(hand.estimated for hand in self.hands)

    @property
    def seats(self) -> tuple[float, float]:
        """What the responder won a hand in seat 0 and in seat 1, in mbb."""
        won = np.array([hand.won for hand in self.hands]).reshape(-1, 2).mean(axis=0)
        first, second = (won * self.mbb_of_chip).tolist()
        return first, second

    def ends(self) -> list[EndRow]:
        """Where the money was won: a row for each street and way to end."""
        found: dict[tuple[int, bool], list[float]] = {}
        for hand in self.hands:
            found.setdefault((hand.street, hand.showdown), []).append(hand.won)
        scale = self.mbb_of_chip / len(self.hands)
        return [EndRow(*end, len(won), sum(won) * scale) for end, won in sorted(found.items())]

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        error = self.stderr
        return {
            "bot": self.plan.bot,
            "game": self.plan.game,
            "menu": self.plan.menu,
            "streets": [street + 1 for street in self.plan.streets],
            "flops": self.plan.flops or "all",
            "seed": self.plan.seed,
            "mbb": self.mbb,
            "stderr": None if math.isnan(error) else error,
            "interval": None if math.isnan(error) else list(self.interval),
            "plain_mbb": self.plain[0],
            "plain_stderr": None if math.isnan(error) else self.plain[1],
            "hands": len(self.hands),
            "planned_hands": self.planned,
            "seats": list(self.seats),
            "ends": [row._asdict() | {"street": row.street + 1} for row in self.ends()],
            "estimated_hands": self.estimated,
            "samples": self.plan.samples if self.estimated else None,
            "among": self.plan.among if self.estimated else None,
            "seconds": self.seconds,
        }


class _Task(NamedTuple):
    plan: LocalResponsePlan
    first: int
    last: int


def play_local_responses(
    plan: LocalResponsePlan,
    hands: int,
    *,
    jobs: int = 1,
    ray: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    report: Callable[[JobProgress], None] | None = None,
) -> Iterator[tuple[int, list[LocalHand]]]:
    """Play the hands of a plan, and give some of them at a time, as soon as they are played.

    They come with the number of the first of them, in any order if there are several jobs.

    Parameters
    ----------
    plan
        What is played; it has been checked.
    hands
        How many; an even number. More of them later begin with the same ones.
    jobs, ray
        How many processes at a time (0: all processors), or the address of a Ray cluster.
    folder
        Keeps the finished hands, and gives those that it has.
    report
        Is called with the progress, counted in hands.
    """
    if hands < 2 or hands % 2:
        raise ValueError(
            f"hands: {hands} must be an even number from 2 on (each deal is played in both seats)"
        )
    tasks = {
        f"{first}-{min(first + BLOCK, hands)}": _Task(plan, first, min(first + BLOCK, hands))
        for first in range(0, hands, BLOCK)
    }
    store = None
    if folder is not None:
        store = FolderStore(folder, _block_to_json, _block_from_json, asdict(plan))

    def tell(progress: JobProgress) -> None:
        if report is not None:
            done, known = (min(blocks * BLOCK, hands) for blocks in (progress.done, progress.known))
            report(JobProgress(done, hands, known, progress.seconds))

    try:
        for key, block in run_jobs(tasks, _play_task, store, workers=jobs, ray=ray, report=tell):
            yield tasks[key].first, block
    finally:
        close_responders()


def local_best_response(
    game: str,
    bot: str,
    hands: int = 1000,
    seed: int = 0,
    *,
    menu: str = "fcpa",
    streets: Sequence[int] = (),
    samples: int = 3,
    among: int = 100,
    jobs: int = 1,
    folder: str | os.PathLike[str] | None = None,
) -> LocalResponseResult:
    """Measure what a local best response wins from a bot (see `LocalBestResponse`).

    Parameters
    ----------
    game, bot
        Names, as `play_match` takes them.
    hands, jobs, folder
        How many hands, and how they are played (see `play_local_responses`).
    seed, menu, streets, samples, among
        What the responder does (see `LocalResponsePlan`).

    Examples
    --------
    >>> found = local_best_response("holdem.nolimit.2p", "folder", 40)
    >>> found.mbb, found.stderr
    (750.0, 0.0)
    """
    plan = LocalResponsePlan(game, bot, menu, tuple(streets), seed, samples, among)
    rules = plan.check()
    played = play_local_responses(plan, hands, jobs=jobs, folder=folder)
    return LocalResponseResult.of(plan, rules, hands, dict(played))


def expected_winnings(plan: LocalResponsePlan) -> float:
    """The exact mean of a small game or a river spot, as the game counts payoffs.

    Examples
    --------
    >>> expected_winnings(LocalResponsePlan("kuhn", "raiser"))
    0.3333333333333333
    """
    try:
        responder = _responder(plan)
        responder.bot.reset(responder.game, np.random.default_rng(plan.seed))
        return responder.expected()
    finally:
        close_responders()


def play_block(plan: LocalResponsePlan, first: int, last: int) -> list[LocalHand]:
    """Play the hands with some numbers."""
    responder = _responder(plan)
    return [_play_hand(responder, plan, number) for number in range(first, last)]


def _play_task(task: _Task) -> list[LocalHand]:
    return play_block(*task)


def _play_hand(responder: LocalBestResponse, plan: LocalResponsePlan, number: int) -> LocalHand:
    pair, seat = divmod(number, 2)
    deal = deal_on_flops(responder.game, plan.flops, np.random.default_rng([plan.seed, pair]))
    own, luck = np.random.default_rng([plan.seed, pair, 1 + seat]).spawn(2)
    try:
        responder.bot.reset(responder.game, own)
        return responder.play(deal, seat, luck)
    except BaseException as error:
        raise ValueError(
            f"bot {shorten(plan.bot)!r}, hand {number}: {failure_text(error)}"
        ) from error


_AT_WORK: dict[LocalResponsePlan, LocalBestResponse] = {}
"""The responder of this process: bots are made once, however many jobs it does."""


def _responder(plan: LocalResponsePlan) -> LocalBestResponse:
    if plan not in _AT_WORK:
        close_responders()
        _AT_WORK[plan] = LocalBestResponse(
            load_table_game(plan.game),
            make_bot(plan.bot),
            plan.menu,
            plan.streets or None,
            twin=partial(make_bot, plan.bot),
            samples=plan.samples,
            among=plan.among,
        )
    return _AT_WORK[plan]


def close_responders() -> None:
    """Close the bots that are kept in this process."""
    while _AT_WORK:
        _AT_WORK.popitem()[1].close()


def _block_to_json(block: list[LocalHand]) -> Any:
    return [list(hand) for hand in block]


def _block_from_json(data: Any) -> list[LocalHand]:
    if not isinstance(data, list) or not data or len(data) % 2:
        raise ValueError("these are no hands of a local best response")
    return [_hand_from_json(each) for each in data]


def _hand_from_json(data: Any) -> LocalHand:
    kinds = (float, int, bool, bool, float)
    if not isinstance(data, list) or [type(each) for each in data] != list(kinds):
        raise ValueError("this is no hand of a local best response")
    return LocalHand(*data)
