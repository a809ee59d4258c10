"""One street after the flop: from its root to a solve, and along the betting in that solve.

A street is solved once from its root, with the ranges of both players, the real pot and stacks, and
what each hand of the opponent was worth in the solve before (the gadget). A bet that is not in the
tree, farther than 1% of the pot from every size there, means a new solve from the same root: with
that bet in the tree, and with what the player did itself on this street locked for all hands to
what it was played by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import N_COMBOS, parse_cards
from pokerlab.cards.isomorphism.suits import permute_cards, permute_combos, symmetries
from pokerlab.engine.device import free_card_bytes
from pokerlab.engine.locks import LocksLike
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.lines import ActionKind
from pokerlab.games.betting_trees.translation import pseudo_harmonic
from pokerlab.holdem.spots.answer.below import find_below, with_kept_values
from pokerlab.holdem.spots.answer.solution import PostflopSolution, make_solution
from pokerlab.holdem.spots.cost import estimate_cost
from pokerlab.holdem.spots.question.gadget import Gadget, allowed_combos
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import SPACING, PostflopSolver
from pokerlab.players.bots.nolimit.menus import LADDERS, SolveMenu, pose_spot
from pokerlab.runtime.arrays import Floats, Indices
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.machine import free_memory
from pokerlab.solvers.loop import run

FLOOR, FLOOR_SHARE = 1e-3, 0.01
"""The least weight of an opponent's hand beside the likeliest one, and the most that hands may
weigh by it together, as a part of the range: no hand is ruled out by a surprise."""
OWN_FLOOR = 1e-6
"""The player knows its own range; hands that are not in it have a strategy, and do not count."""
SHARES = (1.0, 0.3, 0.0125)
"""The seconds of a flop, a turn and a river, as parts of those of a flop."""
GPU_TURN_SHARE = 0.1
"""That of a turn where a GPU solves the flops."""
FULL_SECONDS = 8.0
"""With fewer seconds a turn gets less than its share: 0.7 seconds of 3."""
RIVER_SECONDS = 0.1
"""What a river gets at least."""
MOST_ADDED = 3
"""Sizes that are put into the tree of a street; later ones stand for their neighbours."""

_NEAR = 0.01
"""Parts of the pot by which a bet may differ from one of the tree."""
_TARGETS = (0.003, 0.003, 0.0005)
"""Parts of the pot by street at which a solve stops. What a best response from the river on gains
falls with it to the end, and a river has the time."""
_WANTED, _LEAST = (80, 80, 250), 25
"""The iterations by street for which a menu is chosen, and those below which a smaller one is
taken."""
_MORE = (1, 1, 10)
"""With a number of iterations: how many times as many each street gets. A river is small, and with
few iterations it is what a best response gains most from."""
_ITERATING = (0.75, 0.8, 0.6)
"""The part of the seconds after which no iteration begins; the rest is for the answer."""
_FLOP_ANSWER, _FLOP_LEAST = 0.6, 0.4
"""Seconds less for a flop, however many there are, and the part that it has at least."""
_ENTRIES = (28e6, 12e6, 0.25e6)
"""With a number of iterations: the largest tables by street, whatever the clock says."""
_GPU_ENTRIES = 1.2e9
"""The largest tables of flops on a GPU."""
_PACES = (2.2, 1.1, 1.0)
"""How much longer an entry takes on a flop with few run-outs and on a turn than on a river."""
_GPU_PACE = 9e-12
"""Seconds an entry and iteration on a GPU, before anything is measured."""
_HOPE = 0.99
"""What remains of a pace with which a menu did not fit."""
_CALIBRATING = 20
"""Iterations of a river that tell how quick the machine is."""
_ENTRY_BYTES = 12
"""What a solve takes in memory for an entry."""
_BOARD_BYTES = 20_000_000
"""About what the boards of a solve take, and the values that were asked for."""


class UnsolvedError(Exception):
    """No menu of a street could be solved, or the tree has no such line."""


@dataclass(frozen=True, eq=False)
class StreetRoot:
    """Where a street begins, all that its solve depends on.

    Attributes
    ----------
    board
        The cards, suits renamed.
    pot, stack, big_blind
        In chips; the stack is what both have behind.
    own
        The place of the player: 0 acts first.
    ranges
        (1326,) twice: the weights of both players, as `usable` makes them.
    worth
        (1326,): the chips that each hand of the opponent was worth in the solve before; None where
        that is not known.
    """

    board: tuple[int, ...]
    pot: int
    stack: int
    big_blind: int
    own: int
    ranges: tuple[Floats, Floats]
    worth: Floats | None = None

    @property
    def street(self) -> int:
        """0 for the flop."""
        return len(self.board) - 3

    @property
    def identity(self) -> str:
        """A text that differs for roots that differ."""
        arrays = [*self.ranges] if self.worth is None else [*self.ranges, self.worth]
        chips = f"{self.board} {self.pot} {self.stack} {self.big_blind} {self.own}"
        return digest(chips, *map(np.ascontiguousarray, arrays), length=32)


def usable(
    weights: Floats, board: tuple[int, ...], before: Floats | None = None, *, own: bool = False
) -> Floats:
    """Weights of a range with the largest 1 and none below a floor; 0 for hands of the board.

    The floor of the `own` range of the player is `OWN_FLOOR`, that of the opponent's `FLOOR` or
    less. Where nothing is left of a range, it is what it was before.

    Examples
    --------
    >>> found = usable(np.linspace(0, 0.5, 1326), (51, 50, 49))
    >>> float(found[0]), float(found.max()), float(found[1325])
    (0.001, 1.0, 0.0)
    >>> few = np.zeros(1326)
    >>> few[:10] = 1.0
    >>> round(float(usable(few, (51, 50, 49)).sum()), 4)
    10.0991
    """
    allowed = allowed_combos(board)
    largest = float(weights[allowed].max())
    if not largest > 1e-12:
        return usable(np.ones(len(weights)) if before is None else before, board, own=own)
    shares = np.where(allowed, weights / largest, 0.0)
    floor = OWN_FLOOR
    if not own:
        floor = min(FLOOR, FLOOR_SHARE * float(shares.sum()) / int(allowed.sum()))
    return np.where(allowed, np.maximum(shares, floor), 0.0)


@dataclass(frozen=True, eq=False)
class StreetSolve:
    """A solve of a street.

    Attributes
    ----------
    solution
        The answer; of a flop its strategies and what hands are worth on turns.
    menu, gadget
        What it was solved with; the gadget is empty without one.
    source
        ``solved`` or ``library``.
    """

    solution: PostflopSolution
    menu: str
    gadget: str
    source: str = "solved"

    @property
    def nbytes(self) -> int:
        """The memory that its arrays take."""
        solution = self.solution
        arrays = [each for pair in solution.strategies for each in pair]
        kept = solution.kept_values
        tensors = [] if kept is None else [*kept.tensors.values()]
        sizes = (np.prod(each.shape) * each.dtype.itemsize for each in (*arrays, *tensors))
        below = sum(each.nbytes for each in solution.values_below)
        return int(sum(sizes)) + below + _BOARD_BYTES


@dataclass
class StreetSolver:
    """Solves streets within a time, or by a number of iterations.

    Parameters
    ----------
    seconds
        For a flop; `SHARES` says what part of it turns and rivers get.
    iterations
        If above 0, the solve ends after this many, and nothing depends on the clock.
    gadget
        The kind of gadget; ``none`` for none.
    device, threads
        As of `PostflopSolver`.
    """

    seconds: float
    iterations: int = 0
    gadget: str = "combined"
    device: str = "auto"
    threads: int | None = None
    _pace: dict[tuple[int, str | None], float] = field(default_factory=dict)
    _river: float | None = None

    def solve(
        self,
        root: StreetRoot,
        added: Sequence[str] = (),
        locks: LocksLike = (),
        menu_name: str = "",
        *,
        savable: bool = False,
    ) -> StreetSolve:
        """Solve a street with the first menu of its ladder that fits; `UnsolvedError` if none does.

        With `menu_name` that menu is the first, and with locks the only one: they need the sizes on
        their way. A flop that is `savable` has all that a file needs.
        """
        ladder = LADDERS[root.street]
        if menu_name:
            begin = [menu.name for menu in ladder].index(menu_name)
            ladder = ladder[begin : begin + 1] if locks else ladder[begin:]
        failed: Exception | None = None
        for menu in ladder:
            last = menu is ladder[-1]
            try:
                spot = self.pose(root, menu, added, locks)
                if not last and menu.name != menu_name and not self._fits(spot):
                    continue
                found = self._solve(root, spot, menu, last=last, savable=savable)
            except (ValueError, MemoryError, ArithmeticError, RuntimeError) as error:
                failed = error
                continue
            if found is not None:
                return found
        raise UnsolvedError(str(failed))

    def warm_up(self) -> None:
        """Solve each street once, shortly: the first real solves then need no compiler."""
        once = replace(self, iterations=1)
        board = tuple(parse_cards("Ks7h2d5c9s"))
        for cards in (board[:3], board[:4], board):
            everyone = usable(np.ones(N_COMBOS), cards)
            worth = np.zeros(N_COMBOS) if len(cards) > 3 else None
            once.solve(StreetRoot(cards, 100, 1000, 1, 0, (everyone, everyone), worth))
        if not self.iterations and self._river is None:
            self._river = self._river_pace()

    def choose(self, root: StreetRoot) -> SolveMenu:
        """The menu that a solve of a street begins with: the first one that fits."""
        *ladder, last = LADDERS[root.street]
        return next((menu for menu in ladder if self._fits(self.pose(root, menu))), last)

    def pose(
        self, root: StreetRoot, menu: SolveMenu, added: Sequence[str] = (), locks: LocksLike = ()
    ) -> Spot:
        """The spot of a street with a menu."""
        chips = root.pot, root.stack
        own, blind = root.own, root.big_blind
        return pose_spot(
            menu, root.board, chips, root.ranges, own=own, big_blind=blind, added=added, locks=locks
        )

    def _fits(self, spot: Spot) -> bool:
        entries = estimate_cost(spot, threads=self.threads).entries
        gpu = self._on_gpu(spot)
        if self.iterations:
            return entries <= (_GPU_ENTRIES if gpu else _ENTRIES[spot.street])
        if gpu and entries > _GPU_ENTRIES:
            return False
        room = free_card_bytes() if gpu else free_memory() // 2
        time = self._time(spot)
        needed = entries * _WANTED[spot.street] * self._seconds_an_entry(spot)
        fits = entries * _ENTRY_BYTES <= room and needed <= time
        if not fits and needed < 2 * time:  # a machine that was busy may be idle by now
            self._pace[_pace_key(spot)] *= _HOPE
        return fits

    def _on_gpu(self, spot: Spot) -> bool:
        """Whether a GPU solves it: flops with all run-outs, where one was asked for."""
        return self.device == "gpu" and spot.street == 0 and spot.runouts is None

    def street_seconds(self, street: int) -> float:
        """What a street gets: 0 is the flop.

        Examples
        --------
        >>> [round(StreetSolver(8.0).street_seconds(street), 2) for street in range(3)]
        [8.0, 2.4, 0.1]
        """
        seconds = self.seconds * SHARES[street]
        if street == 1 and self.device == "gpu":
            return self.seconds * GPU_TURN_SHARE
        if street == 1:
            return float(seconds * min(self.seconds / FULL_SECONDS, 1.0) ** 0.25)
        return max(seconds, min(RIVER_SECONDS, self.seconds)) if street == 2 else seconds

    def _time(self, spot: Spot) -> float:
        """After how many seconds of a solve no iteration begins."""
        seconds = self.street_seconds(spot.street)
        time = seconds * _ITERATING[spot.street]
        return time if spot.street else max(time - _FLOP_ANSWER, seconds * _FLOP_LEAST)

    def _seconds_an_entry(self, spot: Spot) -> float:
        """How long an iteration takes for an entry: as measured on this machine."""
        key = _pace_key(spot)
        if key not in self._pace:
            if self._on_gpu(spot):
                self._pace[key] = _GPU_PACE
            else:
                if self._river is None:
                    self._river = self._river_pace()
                self._pace[key] = self._river * _PACES[spot.street]
        return self._pace[key]

    def _river_pace(self) -> float:
        """Measure some iterations of a river."""
        everyone = np.ones(N_COMBOS), np.ones(N_COMBOS)
        board = tuple(parse_cards("Ks7h2d5c9s"))
        spot = pose_spot(LADDERS[2][0], board, (100, 1000), everyone, own=0, big_blind=1)
        solver = PostflopSolver(spot, threads=self.threads, device="cpu")
        solver.iterate(2)
        began = perf_counter()
        solver.iterate(_CALIBRATING)
        entries = estimate_cost(spot, threads=self.threads).entries
        return (perf_counter() - began) / (_CALIBRATING * entries)

    def _solve(
        self, root: StreetRoot, spot: Spot, menu: SolveMenu, *, last: bool, savable: bool
    ) -> StreetSolve | None:
        """Solve a spot; None where the time is too short for it."""
        began, gadget = perf_counter(), None
        if root.worth is not None and self.gadget != "none":
            values = np.clip(np.nan_to_num(root.worth), -1e9, 1e9)
            gadget = Gadget(1 - root.own, values, kind=self.gadget)
        gpu = self._on_gpu(spot)
        device = "gpu" if gpu else "cpu"
        solver = PostflopSolver(spot, threads=self.threads, device=device, gadget=gadget)
        clock = None if self.iterations else _Clock(solver, self._time(spot), began, last=last)
        result = run(
            solver,
            iterations=self.iterations * _MORE[root.street] or None,
            target=_TARGETS[root.street] * root.pot,
            stop=clock,
            spacing=SPACING,
            certified=True,
        )
        if result.interrupted:
            raise KeyboardInterrupt
        if clock is not None:
            self._learn_pace(spot, clock)
            if result.iterations < _LEAST and not last and result.stopped == "cancelled":
                return None
        seconds = result.seconds + result.measuring
        # A GPU knows what lies below; the strategies there need not leave it.
        kept = 1 if gpu else None
        solution = make_solution(
            solver, seconds, result.stopped, result.history, streets=kept, exact=not gpu
        )
        if root.street == 0 and savable:
            solution = keep_flop(with_kept_values(solution, solver=solver).first_streets(1))
        elif root.street == 0:
            asked = [1 - root.own], ["response"]
            solution = keep_flop(with_kept_values(solution, *asked, solver))
        kind = "" if gadget is None else self.gadget
        return StreetSolve(solution, menu.name, kind)

    def _learn_pace(self, spot: Spot, clock: _Clock) -> None:
        """Remember how long an iteration took, for the choice of the next menu."""
        if clock.pace is not None:
            measured = clock.pace / estimate_cost(spot, threads=self.threads).entries
            before = self._seconds_an_entry(spot)
            self._pace[_pace_key(spot)] = float(np.sqrt(before * measured))


def _pace_key(spot: Spot) -> tuple[int, str | None]:
    """What the time of an entry depends on most."""
    return spot.street, spot.runouts


def keep_flop(solution: PostflopSolution) -> PostflopSolution:
    """The first street of a solution, and what hands are worth where the next one begins."""
    known = solution.boards.without_margins(), solution.layout
    return replace(solution, strategies=solution.strategies[:1], known=known)


class _Clock:
    """Stops a solve when its time is over, or early where it would be too short."""

    def __init__(self, solver: PostflopSolver, seconds: float, began: float, *, last: bool) -> None:
        self.solver, self.seconds, self.began, self.last = solver, seconds, began, last
        self.first: tuple[int, float] | None = None
        self.pace: float | None = None

    def is_set(self) -> bool:
        """Whether to stop."""
        done, now = self.solver.iteration, perf_counter()
        if done == 0:
            return False
        if self.first is None:  # the first iteration may compile
            self.first = done, now
            return False
        if done > self.first[0]:
            self.pace = (now - self.first[1]) / (done - self.first[0])
            if done < _LEAST:
                too_slow = self.pace * _LEAST > 2 * self.seconds
                return too_slow and not self.last and done > self.first[0] + 1
        return done >= _LEAST and now - self.began > self.seconds


class Told(NamedTuple):
    """The strategy at a decision of the player on a street."""

    labels: tuple[str, ...]
    shares: Floats
    """(actions, 1326); 0 for hands that hold a card of the board."""


@dataclass(frozen=True, eq=False)
class Followed:
    """Where the betting of a street has come to in its last solve.

    Attributes
    ----------
    solve
        The solve in hand.
    line
        The actions of its tree that stand for what was done.
    played
        (1326,): how often each hand of the player did what it did on this street.
    added
        The lines that were put into the tree.
    """

    solve: StreetSolve
    line: tuple[str, ...]
    played: Floats
    added: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The line as text."""
        return "/".join(self.line)


def tell(solve: StreetSolve, line: Sequence[str], threshold: float = 0.0) -> Told:
    """The strategy of a solve at a line; shares below a threshold go to the other actions.

    Hands that the suits of the board make equal play the same: a solve tells them apart by
    rounding, and which of them is which is known only when later cards come.
    """
    decision = solve.solution.decision("/".join(line))
    images = _equal_suits(solve.solution.spot.board)
    shares = np.mean([np.nan_to_num(decision.strategy)[:, each] for each in images], axis=0)
    if threshold > 0:
        kept = np.where(shares >= np.minimum(threshold, shares.max(axis=0)), shares, 0.0)
        total = kept.sum(axis=0)
        shares = np.divide(kept, total, out=np.zeros_like(kept), where=total > 0)
    return Told(decision.actions, shares)


@lru_cache(maxsize=64)
def _equal_suits(board: tuple[int, ...]) -> list[Indices]:
    """The combos under each suit permutation that keeps the flop, and the cards that came after."""
    return [
        permute_combos(suits)
        for suits in symmetries(board[:3])
        if permute_cards(board[3:], suits) == board[3:]
    ]


def match_size(spot: Spot, line: Sequence[str], action: str) -> str | None:
    """The action of the tree after a line that an action at the table is; None if there is none.

    A bet is one of the tree if it is within 1% of the pot; all-in is all-in alone.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=1000, stack=8000, bet="50%, a")
    >>> [match_size(spot, ["x"], action) for action in ("b510", "b520", "a", "x")]
    ['b500', None, 'a', 'x']
    """
    place = spot.find("/".join(line))
    if place.kind != EdgeKind.NODE:
        raise UnsolvedError(f"the hand is over after {'/'.join(line)}")
    street = spot.tree.streets[0]
    labels = street.labels(place.node)
    if action in labels:
        return action
    if action[0] not in "br":
        if action == "a":
            return None
        raise UnsolvedError(f"{action} is not possible after {'/'.join(line)}")
    amount = int(action[1:])
    near = _NEAR * float(street.pot[place.node])
    found = [
        (abs(int(street.amount[edge]) - amount), street.label(edge))
        for edge in street.edges_of(place.node)
        if street.action[edge] >= ActionKind.BET
    ]
    distance, label = min(found, default=(np.inf, ""))
    return label if distance <= near else None


def neighbour(spot: Spot, line: Sequence[str], action: str) -> str:
    """The size of the tree that a bet stands for most, by the pseudo-harmonic mapping."""
    place: Place = spot.find("/".join(line))
    street = spot.tree.streets[0]
    there = spot.tree.situation(0, place.node)
    sized = [
        edge
        for edge in street.edges_of(place.node)
        if street.action[edge] in (ActionKind.BET, ActionKind.RAISE)
        or (street.action[edge] == ActionKind.ALLIN and action == "a")
    ]
    if not sized:
        raise UnsolvedError(f"no bet stands for {action} after {'/'.join(line)}")
    if action == "a":
        return street.label(sized[-1])
    shares = [(int(street.amount[edge]) - there.facing) / there.pot for edge in sized]
    asked = max((int(action[1:]) - there.facing) / there.pot, 0.0)
    chances = pseudo_harmonic(asked, shares)
    return street.label(sized[max(chances, key=chances.__getitem__)])


def worth_below(followed: Followed, card: int, opponent: int, pot: int) -> Floats | None:
    """(1326,): what each hand of the opponent is worth where a card comes; None: not known.

    Where the tree had another pot, because a size stood for its neighbour, the worth keeps its
    part of the pot.
    """
    solution = followed.solve.solution
    try:
        below = find_below(solution, followed.text, (card,))
        return below.worth(opponent) * (pot / below.spot.pot)
    except ValueError:  # a card that was left out, or a line that nobody takes
        return None


def lock_of(told: Told) -> dict[str, Floats]:
    """A strategy as a lock of its decision, for all hands."""
    return {label: np.clip(row, 0.0, 1.0) for label, row in zip(*told, strict=True)}
