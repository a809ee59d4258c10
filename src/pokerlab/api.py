"""The functions that take anything: games and spots by name, file or object, and saved files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

if TYPE_CHECKING:
    from pokerlab.engine.groups import HandGrouping
    from pokerlab.engine.locks import LocksLike
    from pokerlab.games import BettingGame
    from pokerlab.games.protocol import Game
    from pokerlab.holdem.batches.folder import Batch
    from pokerlab.holdem.preflop import PushFoldChart
    from pokerlab.holdem.spots import FoundSizes, Gadget, PostflopSolution, Simplified, Spot
    from pokerlab.players.opponents import (
        AnyModel,
        FinishedHand,
        LimitModel,
        PlayerHands,
        PlayerModel,
    )
    from pokerlab.players.strategies import LimitStrategy
    from pokerlab.runtime.files.jobs import JobProgress
    from pokerlab.solvers import BestResponse, Response, Solution, StrategyLike
    from pokerlab.solvers.loop import Progress, StopSignal
    from pokerlab.solvers.rules import Rule
    from pokerlab.trees import GameTree


class SolveOptions(TypedDict, total=False):
    """What `solve` takes for games and spots."""

    iterations: int | None
    seconds: float | None
    report: Callable[[Progress], None] | None
    checkpoint: str | Path | None
    stop: StopSignal | None
    stall: bool
    device: str


class SpotOptions(SolveOptions, total=False):
    """What `solve` takes for spots."""

    target: float | str | None
    threads: int | None
    precision: int | None
    isomorphism: bool | None
    locks: LocksLike | None
    groups: str | HandGrouping | None
    gadget: Gadget | None
    keep_values: bool


class GameOptions(SolveOptions, total=False):
    """What `solve` takes for games."""

    target: float | None
    seed: int | None
    alternating: bool | None
    sampling: str | None


@overload
def solve(
    game: Spot, rule: str | Rule | None = None, **options: Unpack[SpotOptions]
) -> PostflopSolution: ...
@overload
def solve(
    game: str | Game | GameTree, rule: str | Rule | None = None, **options: Unpack[GameOptions]
) -> Solution: ...
def solve(
    game: str | Game | GameTree | Spot, rule: str | Rule | None = None, **options: Any
) -> Solution | PostflopSolution:
    """Solve a game or a post-flop spot to equilibrium.

    Parameters
    ----------
    game
        A game (its name, its file, an object, a tree), or a `Spot`.
    rule
        An update rule (see `pokerlab.solvers.parse_rule`), which means the same numbers for games
        and spots. By default ``"dcfr"`` for games and ``"dcfr(1.3,0.5,3,0.1)"`` for spots (those
        that go on from a checkpoint keep the rule they were begun with); ``"lp"`` solves games
        exactly.
    **options
        Where to stop and how to solve:

        - `target`: an exploitability in chips, or for spots a text such as ``"0.3%"`` of the pot;
          `iterations` and `seconds`: the most that a solve may take. Without any limit, 1,000
          iterations of a game are run, and a spot is solved to 0.3% of the pot.
        - `report`, `checkpoint`, `stop`, `stall`: see `pokerlab.solvers.run`; `stop` is an event
          that cancels the solve from elsewhere. With ``stall=False`` a solve that stands still
          above its target goes on.
        - `device`: ``"auto"``, ``"cpu"``, or for spots ``"gpu"``: see
          `pokerlab.holdem.spots.PostflopSolver`.
        - For spots `threads`, `precision`, `isomorphism`, `locks`, `groups`, `gadget`,
          `keep_values`: see `pokerlab.holdem.spots.solve_spot`.
        - For games `seed`, `alternating`, `sampling`: see `pokerlab.solvers.solve`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> round(pl.solve("kuhn", "lp").values[0], 6)
    -0.055556
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)
    >>> pl.solve(river, target="0.5%").exploitability.percent < 0.5
    True
    >>> pl.solve("kuhn", threads=2)
    Traceback (most recent call last):
    ValueError: threads applies only to spots
    """
    from pokerlab.holdem.spots.question.spot import Spot

    given = {name: value for name, value in options.items() if value is not None}
    if isinstance(game, Spot):
        from pokerlab.holdem.spots.solving import solve_spot

        _check(given, SpotOptions.__optional_keys__, GameOptions.__optional_keys__, "games")
        return solve_spot(game, rule, **given)
    from pokerlab.solvers.solution import solve as solve_game

    _check(given, GameOptions.__optional_keys__, SpotOptions.__optional_keys__, "spots")
    device, target = given.pop("device", "auto"), given.get("target")
    if device not in ("auto", "cpu"):
        raise ValueError(f"device: {device!r} is not one for games (auto or cpu)")
    if isinstance(target, str):
        raise ValueError(
            f"target: {target!r} is not a number; percent works for spots only, give a number, for"
            " example 0.001"
        )
    return solve_game(game, rule, **given)


def _check(given: Iterable[str], own: frozenset[str], other: frozenset[str], others: str) -> None:
    """Refuse options that are not among a solve's own."""
    for name in given:
        if name in other - own:
            raise ValueError(f"{name} applies only to {others}")
        if name not in own:
            raise TypeError(f"solve() got an unexpected keyword argument {name!r}")


_KINDS = {
    "pokerlab tree solution": "pokerlab.solvers.solution:load_solution",
    "pokerlab postflop solution": "pokerlab.holdem.spots.answer.solution:load_postflop",
    "pokerlab gadget": "pokerlab.holdem.spots.question.gadget:load_gadget",
    "pokerlab limit strategy": "pokerlab.api:_load_limit",
    "pokerlab player model": "pokerlab.players.opponents.player_model:load_model",
    "pokerlab preflop chart": "pokerlab.holdem.preflop.saved_solution:load_preflop",
}
"""By kind (`file_kind`): what opens a safetensors file."""


def load(path: str | Path) -> Any:
    """Open anything that pokerlab has saved.

    Solutions of games, of spots and of play before the flop, gadgets, strategies of limit hold'em,
    models of players, and the folder of a batch. Where the kind is known, the functions below have
    one type of result each.

    See Also
    --------
    pokerlab.solvers.load_solution, pokerlab.holdem.spots.load_postflop,
    pokerlab.players.strategies.LimitStrategy.load, pokerlab.players.opponents.load_model,
    pokerlab.players.opponents.load_limit_model, pokerlab.players.opponents.load_line_model,
    pokerlab.holdem.batches.load_batch, pokerlab.holdem.preflop.load_preflop

    Examples
    --------
    >>> load("nothing.safetensors")
    Traceback (most recent call last):
    ValueError: there is no file 'nothing.safetensors'
    """
    from pokerlab.holdem.spots.question.spot_file import is_spot_file
    from pokerlab.runtime.files.tensor_map import file_kind, is_tensor_file
    from pokerlab.runtime.shown import function_named

    if Path(path).is_dir():
        from pokerlab.holdem.batches.folder import load_batch

        return load_batch(path)
    is_text = Path(path).suffix.lower() == ".toml" and not is_tensor_file(path)
    if is_text and not is_spot_file(path):  # which is to be solved, as `file_kind` says
        from pokerlab.players.opponents.line_model import load_line_model

        return load_line_model(path)
    # A file of another kind is refused by the first of them, in its own words.
    return function_named(_KINDS.get(file_kind(path), _KINDS["pokerlab tree solution"]))(path)


def _load_limit(path: str | Path) -> LimitModel | LimitStrategy:
    """A model if it holds observations, else a strategy; the file is read once."""
    from pokerlab.players.opponents.limit_model import load_limit_model
    from pokerlab.players.strategies.limit_file import LimitStrategy
    from pokerlab.runtime.files.tensor_map import read_header

    model = load_limit_model(path) if "counts" in read_header(path).places else None
    return model or LimitStrategy.load(path)


def best_response(
    game: str | Game | GameTree, strategy: StrategyLike | Solution | PlayerModel, player: int
) -> BestResponse:
    """What a player wins at most against a strategy, and how, by an exact best response.

    Parameters
    ----------
    game
        A game that can be written out: its name, its file, an object, a tree.
    strategy
        What the others play: a `Strategy`, its array, a mapping by information set, a
        `Solution` of the game, or a `PlayerModel`.
    player
        Who responds.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.solve("kuhn", "lp")
    >>> round(pl.best_response("kuhn", kuhn, 1).value, 6)
    0.055556
    """
    from pokerlab.solvers import best_response as on_tree

    return on_tree(*_tree_and_strategy(game, strategy), player)


def exploitability(
    game: str | Game | GameTree, strategy: StrategyLike | Solution | PlayerModel
) -> float:
    """What best responses win against a strategy, as the mean over all players, in chips.

    A spot's solution has its own `exploitability`; for strategies of limit hold'em there is
    ``pokerlab exploitability``.

    Examples
    --------
    >>> import pokerlab as pl
    >>> pl.exploitability("kuhn", pl.solve("kuhn", "lp")) < 1e-9
    True
    """
    from pokerlab.solvers import exploitability as on_tree

    return on_tree(*_tree_and_strategy(game, strategy))


def respond(
    game: str | Game | GameTree, model: StrategyLike | Solution | PlayerModel, p: float = 1.0
) -> Response:
    """The response to a player who follows a model with probability p, else does their worst.

    With ``p=1`` a best response, with ``p=0`` an equilibrium, between them what wins most for
    what it risks: see `pokerlab.solvers.respond`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> careful = pl.respond("kuhn", pl.solve("kuhn", "cfr", iterations=2), p=0.5)
    >>> careful.exploitability < 0.2
    True
    """
    from pokerlab.solvers import respond as on_tree

    return on_tree(*_tree_and_strategy(game, model), p)


def model(
    hands: str | Path | Iterable[str | Path | FinishedHand],
    player: str | None = None,
    *,
    game: str | BettingGame | None = None,
    shown_only: bool = False,
    buckets: str | None = None,
    prior: str | None = None,
    prior_weight: float | None = None,
) -> AnyModel:
    """Estimate from hands how a player plays; the model can be saved, and answered by `respond`.

    Cards that nobody showed are inferred from the actions. The game decides on the kind of model:
    of every information set, by buckets of cards for limit hold'em of two, and by lines after
    the flop for no-limit hold'em (see `pokerlab.players.opponents`).

    Parameters
    ----------
    hands
        A log (of the ACPC dealer, ``.phh`` or ``.phhs``), several, or hands as a match gives them.
    player
        Whose play; may be left out where all hands name one player only.
    game
        The game of a log that does not name it.
    shown_only
        Whether to use the player's cards only where they were shown at the end.
    buckets, prior, prior_weight
        What to tell apart and what to smooth towards: see
        `pokerlab.players.opponents.PlayerHands.model`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> from pokerlab.arena import Match
    >>> loose = pl.model(Match("kuhn", ["random", "fair"], 400), "random")
    >>> loose.player, loose.hands
    ('random', 400)
    >>> pl.respond("kuhn", loose).gain > 0
    True
    """
    from pokerlab.players.opponents.player_hands import PlayerHands
    from pokerlab.players.strategies import load_table_game

    rules = load_table_game(game) if isinstance(game, str) else game
    found = PlayerHands(player, shown_only=shown_only)
    for each in [hands] if isinstance(hands, str | Path) else hands:
        if isinstance(each, str | Path):
            _add_log(found, each, rules)
        else:
            found.add(each)
    return found.model(buckets=buckets, prior=prior, prior_weight=prior_weight)


def _add_log(found: PlayerHands, log: str | Path, rules: BettingGame | None) -> None:
    from pokerlab.arena.logs.replay import read_log
    from pokerlab.runtime.errors import source_named

    empty = True
    for hand in read_log(log, rules):
        empty = False
        with source_named(log):
            found.add(hand)
    if empty:
        raise ValueError(f"{log}: there are no hands in it")


def _tree_and_strategy(
    game: str | Game | GameTree, holder: StrategyLike | Solution | PlayerModel
) -> tuple[GameTree, StrategyLike]:
    """A strategy, and the tree that it belongs to: a model's own may merge suits."""
    from pokerlab.games import SuitIsomorphic, load_game
    from pokerlab.players.opponents.player_model import PlayerModel
    from pokerlab.solvers.solution import Solution, as_tree

    if isinstance(holder, PlayerModel):
        own = holder.tree.game
        rules = load_game(game) if isinstance(game, str) else game
        if rules == (own.game if isinstance(own, SuitIsomorphic) else own):
            return holder.tree, holder.strategy
        return as_tree(rules), holder.strategy
    return as_tree(game), holder.strategy if isinstance(holder, Solution) else holder


def batch(
    spot: Spot | str | Path,
    folder: str | Path,
    *,
    flops: str | int | None = None,
    boards: str | None = None,
    report: Callable[[JobProgress], None] | None = None,
    **settings: Any,
) -> Batch:
    """Solve a spot on many boards, and open the folder that they are kept in.

    What is solved already is kept: after an interruption the same call goes on.

    Parameters
    ----------
    spot
        The spot, or its file; its own board does not count.
    folder
        Where to keep the boards.
    flops
        A number of flops that stand for all, or flops up to suits, as ``pokerlab batch --flops``.
    boards
        Boards by name, each for itself: ``"QhJh2c, Td9d6hQc:2"``.
    report
        Is called with the progress after every board.
    **settings
        How each board is solved, and what is kept of it: see
        `pokerlab.holdem.batches.BatchQuestion`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pokerlab as pl
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> with TemporaryDirectory() as folder:
    ...     solved = pl.batch(river, folder, boards="QhJh2c4d7h, Ts9s2c4d7h", target="1%")
    ...     [row.board for row in solved.rows()]
    ['QhJh2c4d7h', 'Ts9s2c4d7h']
    """
    from pokerlab.holdem.batches.question import (
        BatchQuestion,
        flop_boards,
        parse_boards,
        read_question,
    )
    from pokerlab.holdem.batches.solving import run_batch
    from pokerlab.holdem.spots.question.spot import Spot

    if (flops is None) == (boards is None):
        raise ValueError("flops, boards: give one of them, the boards to solve")
    settings = {"up_to_suits": boards is None, **settings}
    weights = flop_boards(str(flops)) if boards is None else parse_boards(boards)
    if isinstance(spot, Spot):
        question = BatchQuestion.of(spot, weights, **settings)
    else:
        question = read_question(spot, weights, **settings)
    done = run_batch(question, folder, report=report)
    if done.failed:
        board, why = next(iter(done.failed.items()))
        raise ValueError(f"{board}: {why}")
    return done.batch


def simplify(
    solution: PostflopSolution | str | Path, step: float | str = "25%", **settings: Any
) -> Simplified:
    """Make a solution of a spot simple enough to play, and measure exactly what that loses.

    Parameters
    ----------
    solution
        The solution, or its file.
    step
        Probabilities become multiples of it.
    **settings
        `max_actions`, `by`, `player`, `street`, `lines`, `loss`, …: see
        `pokerlab.holdem.spots.simplify`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> simple = pl.simplify(pl.solve(river, target="0.01%"), "50%", max_actions=2)
    >>> simple.solution.exploitability.percent < 5
    True
    """
    from pokerlab.holdem.spots.answer.solution import load_postflop
    from pokerlab.holdem.spots.simple.simplify import simplify as simplify_spot

    if isinstance(solution, str | Path):
        solution = load_postflop(solution)
    return simplify_spot(solution, step, **settings)


def sizes(
    spot: Spot | str | Path,
    candidates: str = "20%, 33%, 50%, 75%, 100%, 150%, 200%, a",
    **settings: Any,
) -> FoundSizes:
    """Find a few bet sizes that are nearly as good as all candidates, and what they lose.

    Parameters
    ----------
    spot
        The spot, or its file; without rake.
    candidates
        The sizes to choose from.
    **settings
        `most`, `loss`, `streets`, `player`, `target`, …: see `pokerlab.holdem.spots.find_sizes`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> river = pl.Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> found = pl.sizes(river, "33%, 75%, a", most=1)
    >>> len(found.rounds), found.loss.most < 20
    (1, True)
    """
    from pokerlab.holdem.spots.question.spot import Spot
    from pokerlab.holdem.spots.sizes.choosing import find_sizes

    given = spot if isinstance(spot, Spot) else Spot.from_file(spot)
    return find_sizes(given, candidates, **settings)


def push_fold(
    stacks: Sequence[float], *, small_blind: float = 0.5, ante: float = 0.0
) -> PushFoldChart:
    """Solve push or fold before the flop, heads-up, at some depths in big blinds.

    Parameters
    ----------
    stacks
        The depths.
    small_blind, ante
        In big blinds.

    Examples
    --------
    >>> import pokerlab as pl
    >>> pl.push_fold([3.0]).push.shape
    (1, 169)
    """
    from pokerlab.holdem.preflop import push_fold_chart

    return push_fold_chart(stacks, small_blind=small_blind, ante=ante)
