"""The linear program of Rhode Island hold'em, by an interior-point method along the boards.

With A the payoffs, x and y the plans of the players, E x = e and F y = f what makes them plans, p
and q the values of their sets, the program and its dual are::

    z = Eᵀp − A y ≥ 0,    u = Aᵀx − Fᵀq ≥ 0,    x z = 0,    y u = 0

A step of the method (Mehrotra 1992) makes all products x z and y u smaller and about equal, by a
linear system with the matrix ::

    ⎡ Z/X   −A   Eᵀ    ⎤
    ⎢ −Aᵀ  −U/Y     Fᵀ ⎥
    ⎢  E               ⎥
    ⎣       F          ⎦

A solver for any program has to find an order in which to eliminate the unknowns. Here it is known:
a board and line of the last street meet others only through the slots that lead there. So they are
eliminated first, each by itself, then the flops, and the first street is left.

Within a street, changes of a plan are written as L ξ + R w: w is the change of the slots before,
and L (for each hand as many columns as choices are free) is such that Lᵀ(Z/X)L = 1 and
Lᵀ(Z/X)R = 0. `_basis` finds both without a subtraction, so numbers of very different sizes do no
harm, which is where these methods fail near their end. The matrix becomes 1 on its diagonal and
B = LᵀA L beside it, and on the last street 1 + BᵀB is all that is inverted (156 unknowns for 26
hands, of 728). Everything is in float64; best responses judge the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.studies.rhode_island.boards import STREETS, Plan, RhodeIslandBoards

_LAST = STREETS - 1
_STEP = 0.995
"""The share of the way to the boundary that a step goes at most."""
_LEAST = 0.1
"""The least share of the mean product that a step aims at: the middle is not left too fast."""
_CORRECTIONS = 3
"""How often a step is corrected towards equal products, at most."""
_NEAR = 0.1
"""Products from this share of the aim to its inverse are near enough."""
_MISSED = 1e-8
"""The share of the gap by which a slack may miss its equation before rounding is said to show."""
_REFINEMENTS = 2
"""How often what rounding misses is solved again."""
Both: TypeAlias = tuple[Plan, Plan]
"""Of player 0 and of player 1."""


@dataclass(frozen=True, eq=False)
class InteriorPoint:
    """The plans of both players, the values of their sets, and the slacks of their slots."""

    plans: Both
    values: Both
    slacks: Both

    @property
    def gap(self) -> float:
        """The sum of all products: by how much the values of the program and its dual differ."""
        return sum(_dot(*both) for both in zip(self.plans, self.slacks, strict=True))

    @property
    def mean(self) -> float:
        """The mean of all products."""
        return self.gap / sum(each.size for plan in self.plans for each in plan)


class _Direction(NamedTuple):
    """Changes of plans, of values (if they are known already) and of slacks; the right sides."""

    plans: Both
    values: Both | None
    slacks: Both
    right: list[Plan]


@dataclass(eq=False)
class InteriorSolver:
    """The method on a game, step by step.

    Attributes
    ----------
    boards
        The game.
    point
        Where it is.
    steps
        How many there were.
    careful
        Whether rounding has begun to show: then every system is factored orthogonally, and what
        its solution misses is solved again.

    Examples
    --------
    >>> boards = RhodeIslandBoards.of(2, 2, 1)
    >>> solver = InteriorSolver(boards)
    >>> solver.solve(1e-10)
    >>> low, high = solver.bounds()
    >>> high - low < 1e-9
    True
    """

    boards: RhodeIslandBoards
    point: InteriorPoint = field(init=False)
    steps: int = 0
    careful: bool = False

    def __post_init__(self) -> None:
        self.point = self._start()

    def solve(
        self,
        gap: float,
        most: int = 200,
    ) -> None:
        """Step until the gap is this small, or it stands still."""
        while self.steps < most and self.point.gap > gap:
            before = self.point
            self.step()
            if self.careful and not self.point.gap < 0.99 * before.gap:
                self.point = before
                break

    def step(self) -> None:
        """One step: a prediction, then its correction."""
        point = self.point
        residual = self._residual()
        missed = max(float(np.abs(each).max()) for rows in residual for each in rows)
        self.careful = self.careful or missed > _MISSED * point.gap
        street = _Elimination(self, point)
        targets: list[list[Floats | float]] = [[0.0] * STREETS, [0.0] * STREETS]
        change = self._direction(street, residual, targets)
        after = self._gap_after(change, self._lengths(change))
        aim = point.mean * max((after / point.gap) ** 3, _LEAST)
        targets = [
            list(_mapped(self.boards, lambda a, b: aim - a * b, *both))
            for both in zip(change.plans, change.slacks, strict=True)
        ]
        change = self._direction(street, residual, targets)
        lengths = self._lengths(change)
        for _ in range(_CORRECTIONS):
            ahead = [min(1.0, 0.1 + 1.3 * each) for each in lengths]
            targets = self._towards(change, ahead, targets, aim)
            other = self._direction(street, residual, targets)
            found = self._lengths(other)
            if sum(found) < sum(lengths) + 0.02:
                break
            change, lengths = other, found
        values = change.values or self._all_values(street, change.right, change.plans)
        one, other_one = (min(1.0, _STEP * each) for each in lengths)
        moved = self._moved
        # A player's values and slacks take the step length of the other's plan.
        self.point = InteriorPoint(
            (
                moved(point.plans[0], change.plans[0], one),
                moved(point.plans[1], change.plans[1], other_one),
            ),
            (moved(point.values[0], values[0], other_one), moved(point.values[1], values[1], one)),
            (
                moved(point.slacks[0], change.slacks[0], other_one),
                moved(point.slacks[1], change.slacks[1], one),
            ),
        )
        self.steps += 1

    def plans(self) -> tuple[Plan, Plan]:
        """The plans of both players, free of rounding."""
        boards = self.boards
        found = [
            boards.plan_of(player, boards.choices_of(player, self.point.plans[player]))
            for player in (0, 1)
        ]
        return found[0], found[1]

    def bounds(self) -> tuple[float, float]:
        """What player 0 wins at least by their plan, and at most against the other's: exact."""
        return self.boards.bounds(*self.plans())

    def _lengths(self, change: _Direction) -> list[float]:
        """How far x and u, and y and z, can go until one of them is 0; at most all the way."""
        return [
            min(
                self._length(self.point.plans[player], change.plans[player]),
                self._length(self.point.slacks[1 - player], change.slacks[1 - player]),
            )
            for player in (0, 1)
        ]

    def _length(self, start: Plan, step: Plan) -> float:
        def shrink(board: int, street: int) -> float:
            return float((-step[street][board] / start[street][board]).max())

        most = max(
            max(self.boards.each(len(start[street]), partial(shrink, street=street)))
            for street in range(STREETS)
        )
        return min(1.0, 1.0 / most) if most > 0 else 1.0

    def _ahead(self, change: _Direction, lengths: list[float], player: int) -> tuple[Plan, Plan]:
        """The plan and the slacks of a player after a step."""
        return (
            self._moved(self.point.plans[player], change.plans[player], lengths[player]),
            self._moved(self.point.slacks[player], change.slacks[player], lengths[1 - player]),
        )

    def _gap_after(self, change: _Direction, lengths: list[float]) -> float:
        return sum(_dot(*self._ahead(change, lengths, player)) for player in (0, 1))

    def _towards(
        self,
        change: _Direction,
        lengths: list[float],
        targets: list[list[Floats | float]],
        aim: float,
    ) -> list[list[Floats | float]]:
        """Targets that bring products which would be far from the aim closer (Gondzio 1996)."""

        def nearer(target: Floats, plan: Floats, slack: Floats) -> Floats:
            product = plan * slack
            wanted = np.clip(product, _NEAR * aim, aim / _NEAR) - product
            return target + np.maximum(wanted, -aim / _NEAR)

        return [
            list(
                _mapped(self.boards, nearer, targets[player], *self._ahead(change, lengths, player))
            )
            for player in (0, 1)
        ]

    def _start(self) -> InteriorPoint:
        """The middle of all plans, and values of the sets with which all products are about equal.

        The plans whose slots have the largest product choose in proportion to the number of slots
        that follow. The values are what the sets are worth, and as much more as makes every product
        half of their mean at least.
        """
        boards = self.boards
        counts = [self._following(player) for player in (0, 1)]
        plans = [
            boards.plan_of(player, boards.choices_of(player, counts[player])) for player in (0, 1)
        ]
        worth = [self._worth(player, (plans[0], plans[1])) for player in (0, 1)]
        size = 2.0 * max(
            float(np.abs(plan * lead).max())
            for mine, (_, leads) in zip(plans, worth, strict=True)
            for plan, lead in zip(mine, leads, strict=True)
        )
        slacks = [
            [size / plan - lead for plan, lead in zip(mine, leads, strict=True)]
            for mine, (_, leads) in zip(plans, worth, strict=True)
        ]
        values = [
            [
                value + size * self._set_sums(player, count) / self._set_sums(player, plan)
                for value, count, plan in zip(
                    worth[player][0], counts[player], plans[player], strict=True
                )
            ]
            for player in (0, 1)
        ]
        return InteriorPoint((plans[0], plans[1]), (values[0], values[1]), (slacks[0], slacks[1]))

    def _following(self, player: int) -> Plan:
        """By slot: how many slots follow it, itself included."""
        boards, betting = self.boards, self.boards.betting
        counts: Plan = []
        above: Floats | None = None
        for street in reversed(range(STREETS)):
            here = np.ones((*boards.shape(street), betting.slots[player], boards.hands(street)))
            if above is not None:
                for place, call in enumerate(betting.calls):
                    here[:, :, betting.ends[call].slots[player]] += above[:, :, place]
            root = np.zeros((*here.shape[:2], here.shape[3]))
            for before, slots in reversed(betting.sets[player]):
                total = here[:, :, list(slots)].sum(axis=2)
                if before < 0:
                    root += total
                else:
                    here[:, :, before] += total
            counts.insert(0, here)
            above = boards.up(street, root) if street else None
        return counts

    def _set_sums(self, player: int, plan: Floats) -> Floats:
        """By set: the sum of its slots."""
        sets = self.boards.betting.sets[player]
        return np.stack([plan[:, :, list(slots)].sum(axis=2) for _, slots in sets], axis=2)

    def _worth(self, player: int, plans: Both) -> tuple[Plan, Plan]:
        """What sets are worth by the plans, and by how much more each of their slots is."""
        boards = self.boards
        choices = boards.choices_of(player, plans[player])
        values = [
            np.empty((*boards.shape(street), len(boards.betting.sets[player]), hands))
            for street, hands in enumerate(map(boards.hands, range(STREETS)))
        ]
        leads = [np.empty_like(plan) for plan in plans[player]]

        def choose(street: int, number: int, worth: Floats, slots: Sequence[int]) -> Floats:
            mine = list(slots)
            value: Floats = (choices[street][:, :, mine] * worth).sum(axis=2)
            values[street][:, :, number] = value
            leads[street][:, :, mine] = worth - value[:, :, None]
            return value

        boards.walk(player, plans[1 - player], choose)
        return values, leads

    def _residual(self) -> list[Plan]:
        """By how much the slacks miss their equations: nothing but rounding."""
        point = self.point
        return [
            [
                point.slacks[player][street]
                + self.boards.against(street, player, point.plans[1 - player][street])
                - self._slot_values(player, point.values[player], street)
                for street in range(STREETS)
            ]
            for player in (0, 1)
        ]

    def _slot_values(self, player: int, values: Plan, street: int) -> Floats:
        """Eᵀp: the value of a slot's set, less those of the sets that follow the slot."""
        boards, betting = self.boards, self.boards.betting
        worth = values[street]
        found = np.empty((*worth.shape[:2], betting.slots[player], worth.shape[3]))
        for number, (_, slots) in enumerate(betting.sets[player]):
            found[:, :, list(slots)] = worth[:, :, [number]]
        for number, (before, _) in enumerate(betting.sets[player]):
            if before >= 0:
                found[:, :, before] -= worth[:, :, number]
        if street < _LAST:
            root = np.einsum("s,blsh->blh", betting.roots(player), values[street + 1])
            above = boards.up(street + 1, root)
            for place, call in enumerate(betting.calls):
                found[:, :, betting.ends[call].slots[player]] -= above[:, :, place]
        return found

    def _direction(
        self,
        street: _Elimination,
        residual: list[Plan],
        targets: list[list[Floats | float]],
    ) -> _Direction:
        """The changes after which all products would be their targets, to first order."""
        point, boards = self.point, self.boards
        wanted = [
            _mapped(boards, lambda t, x, z: t / x - z, *each)
            for each in zip(targets, point.plans, point.slacks, strict=True)
        ]
        right = [_mapped(boards, np.add, *both) for both in zip(residual, wanted, strict=True)]
        plans, values = self._solve(street, right)
        slacks = [
            _mapped(boards, lambda w, t, d: w - t * d, *each)
            for each in zip(wanted, street.thetas, plans, strict=True)
        ]
        return _Direction(plans, values, (slacks[0], slacks[1]), right)

    def _solve(self, street: _Elimination, right: list[Plan]) -> tuple[Both, Both | None]:
        """Changes of plans for right sides; what rounding misses is solved again, if careful.

        Then those of values come with them.
        """
        plans = street.solve(right)
        if not self.careful:
            return plans, None
        values = self._all_values(street, right, plans)
        for _ in range(_REFINEMENTS):
            missing = [
                [
                    right[player][number]
                    + self.boards.against(number, player, plans[1 - player][number])
                    - self._slot_values(player, values[player], number)
                    - street.thetas[player][number] * plans[player][number]
                    for number in range(STREETS)
                ]
                for player in (0, 1)
            ]
            more = street.solve(missing)
            worth = self._all_values(street, missing, more)
            plans = self._moved(plans[0], more[0], 1.0), self._moved(plans[1], more[1], 1.0)
            values = self._moved(values[0], worth[0], 1.0), self._moved(values[1], worth[1], 1.0)
        return plans, values

    def _all_values(self, street: _Elimination, right: list[Plan], plans: Both) -> Both:
        """The changes of the values of both players' sets, by those of the plans."""
        return (
            self._set_values(0, right[0], street.thetas[0], plans),
            self._set_values(1, right[1], street.thetas[1], plans),
        )

    def _moved(self, start: Plan, step: Plan, share: float) -> Plan:
        return _mapped(self.boards, lambda a, b: a + share * b, start, step)

    def _set_values(self, player: int, right: Plan, theta: Plan, plans: Both) -> Plan:
        """The changes of the values of sets, the last sets first, by the changes of plans.

        Each slot of a set says what it should be; those that are played are the most exact.
        """
        values: Plan = []

        def choose(street: int, number: int, worth: Floats, slots: Sequence[int]) -> Floats:
            if number == len(self.boards.betting.sets[player]) - 1:
                shape = worth.shape[0], worth.shape[1], number + 1, worth.shape[3]
                values.insert(0, np.empty(shape))
            mine = list(slots)
            weight = 1.0 / theta[street][:, :, mine]
            told = weight * (worth + right[street][:, :, mine]) - plans[player][street][:, :, mine]
            values[0][:, :, number] = told.sum(axis=2) / weight.sum(axis=2)
            return values[0][:, :, number]

        self.boards.walk(player, plans[1 - player], choose)
        return values


class _Elimination:
    """The matrix of a step, eliminated from the last street on."""

    def __init__(self, solver: InteriorSolver, point: InteriorPoint) -> None:
        self.boards, careful = solver.boards, solver.careful
        boards = self.boards
        self.thetas: Both = (
            _mapped(boards, np.divide, point.slacks[0], point.plans[0]),
            _mapped(boards, np.divide, point.slacks[1], point.plans[1]),
        )
        count, lines = boards.shape(_LAST)
        hands = boards.hands(_LAST)
        coupled = np.empty((count, lines, 2, hands, 2, hands))

        def last(board: int) -> _Block:
            part = slice(board, board + 1)
            thetas = [theta[_LAST][part] for theta in self.thetas]
            block = _Block(boards, _LAST, part, thetas, careful=careful)
            coupled[part] = block.coupling
            return block

        self._last = boards.each(count, last)
        self._first: list[_Block] = []
        for street in reversed(range(_LAST)):
            whole = slice(0, boards.shape(street)[0])
            thetas = [theta[street] for theta in self.thetas]
            block = _Block(boards, street, whole, thetas, self._up(street + 1, coupled))
            self._first.insert(0, block)
            coupled = block.coupling

    def _up(self, street: int, coupled: Floats) -> Floats:
        """Sum couplings by boards, lines, calls and hands of the street before."""
        boards = self.boards
        count, lines = boards.shape(street - 1)
        calls, hands = len(boards.betting.calls), boards.hands(street)
        summed = coupled.reshape(count, -1, lines, calls, 2, hands, 2, hands).sum(axis=1)
        if street == 1:
            before = hands // 2
            summed = summed.reshape(count, lines, calls, 2, before, 2, 2, before, 2)
            summed = summed.sum(axis=(5, 8))
        return np.asarray(summed, np.float64)

    def solve(self, right: list[Plan]) -> Both:
        """The changes of both plans, for right sides by slot."""
        boards, betting = self.boards, self.boards.betting
        # Player 1's equations have the other sign: what they win is minus what player 0 wins.
        rows = [list(right[0]), list(_mapped(boards, np.negative, right[1]))]

        def sides(street: int, part: slice) -> list[Floats]:
            return [each[street][part] for each in rows]

        def own(board: int) -> Floats:
            return self._last[board].condense(sides(_LAST, slice(board, board + 1)))

        above = np.concatenate(boards.each(len(self._last), own))
        for street in reversed(range(_LAST)):
            for player in (0, 1):
                summed = boards.up(street + 1, above[:, :, player])
                rows[player][street] = rows[player][street].copy()
                for place, call in enumerate(betting.calls):
                    slot = betting.ends[call].slots[player]
                    rows[player][street][:, :, slot] += summed[:, :, place]
            above = self._first[street].condense(sides(street, slice(None)))
        found: list[list[Floats]] = [[], []]
        for street in range(STREETS):
            if street == 0:
                before = [np.zeros((*boards.shape(0), boards.hands(0)))] * 2
            else:
                before = [boards.down(street, player, found[player][-1]) for player in (0, 1)]
            if street < _LAST:
                changes = self._first[street].expand(sides(street, slice(None)), before)
            else:
                changes = self._expand_last(rows, before)
            for player in (0, 1):
                found[player].append(changes[player])
        return found[0], found[1]

    def _expand_last(self, rows: list[Plan], before: list[Floats]) -> list[Floats]:
        """The changes of the last street, board by board."""

        def rest(board: int) -> list[Floats]:
            part = slice(board, board + 1)
            sides = [each[_LAST][part] for each in rows]
            return self._last[board].expand(sides, [each[part] for each in before])

        parts = self.boards.each(len(self._last), rest)
        return [np.concatenate([part[player] for part in parts]) for player in (0, 1)]


class _Block:
    """Some boards of a street with all their lines: the free changes of both plans, eliminated.

    `coupling`, boards × lines × 2 × hands × 2 × hands, is what the slots before feel of it.
    """

    def __init__(
        self,
        boards: RhodeIslandBoards,
        street: int,
        part: slice,
        thetas: list[Floats],
        coupled: Floats | None = None,
        *,
        careful: bool = False,
    ) -> None:
        self._boards, self._street, self._part = boards, street, part
        bases = [_basis(boards, player, 1.0 / thetas[player]) for player in (0, 1)]
        self._base = [base for base, _ in bases]
        count, lines, columns, hands = self._base[0].shape[:4]
        size, free = columns * hands, (columns - 1) * hands
        self._free = free
        self._shape = count, lines, columns, hands
        cross = -self._payoffs()
        if coupled is None:
            inner, right, below, corner = (
                cross[..., :free, :free],
                cross[..., :free, free:],
                cross[..., free:, :free],
                cross[..., free:, free:],
            )
            # Only B is there: x is eliminated by hand, 1 + BᵀB is left for y. Near the end its
            # squares lose half the digits, and its root comes from an orthogonal factor instead.
            one = np.broadcast_to(np.eye(free), inner.shape)
            if careful:
                root = np.linalg.qr(np.concatenate([inner, one], axis=-2), mode="r")
                self._root: Floats | None = np.linalg.inv(root)
            else:
                self._root = None
                self._inverse = np.linalg.inv(inner.swapaxes(-1, -2) @ inner + one)
            self._cross: Floats | None = inner
            self._whole: Floats | None = None
            outer = np.zeros((count, lines, 2 * free, 2 * hands))
            outer[..., :free, hands:] = right
            outer[..., free:, :hands] = below.swapaxes(-1, -2)
            rest = np.zeros((count, lines, 2 * hands, 2 * hands))
            rest[..., :hands, hands:] = corner
            rest[..., hands:, :hands] = corner.swapaxes(-1, -2)
        else:
            matrix = np.zeros((count, lines, 2 * size, 2 * size))
            matrix[..., :size, size:] = cross
            matrix[..., size:, :size] = cross.swapaxes(-1, -2)
            self._add_coupled(matrix, coupled)
            one = np.arange(free)
            matrix[..., one, one] += 1.0
            matrix[..., size + one, size + one] -= 1.0
            inside = np.concatenate([one, size + one])
            outside = np.concatenate([np.arange(free, size), np.arange(size + free, 2 * size)])
            self._whole = np.linalg.inv(matrix[..., inside[:, None], inside])
            self._cross = None
            outer = matrix[..., inside[:, None], outside]
            rest = matrix[..., outside[:, None], outside]
        self._outer = outer
        held = np.arange(hands)
        rest[..., held, held] += bases[0][1]
        rest[..., hands + held, hands + held] -= bases[1][1]
        rest -= outer.swapaxes(-1, -2) @ self._solve(outer)
        self.coupling = rest.reshape(count, lines, 2, hands, 2, hands)

    def condense(self, rows: list[Floats]) -> Floats:
        """The right sides of the slots before: boards × lines × players × hands."""
        count, lines, _, hands = self._shape
        inside, outside = self._sides(rows)
        left = outside - (self._outer.swapaxes(-1, -2) @ self._solve(inside))
        return left.reshape(count, lines, 2, hands)

    def expand(self, rows: list[Floats], before: list[Floats]) -> list[Floats]:
        """The changes of both plans, by those of the slots before."""
        count, lines, columns, hands = self._shape
        inside, _ = self._sides(rows)
        start = np.concatenate(before, axis=-1)[..., None]
        found = self._solve(inside - self._outer @ start)[..., 0]
        changes = []
        for player in (0, 1):
            own = found[..., player * self._free : (player + 1) * self._free]
            whole = np.concatenate([own, before[player]], axis=-1)
            whole = whole.reshape(count, lines, columns, hands)
            changes.append(np.einsum("blmht,blmh->blth", self._base[player], whole))
        return changes

    def _sides(self, rows: list[Floats]) -> tuple[Floats, Floats]:
        """Right sides of the free changes and of the slots before, as columns."""
        inside, outside = [], []
        for player in (0, 1):
            both = np.einsum("blmht,blth->blmh", self._base[player], rows[player])
            flat = both.reshape(*both.shape[:2], -1)
            inside.append(flat[..., : self._free])
            outside.append(flat[..., self._free :])
        return (
            np.concatenate(inside, axis=-1)[..., None],
            np.concatenate(outside, axis=-1)[..., None],
        )

    def _solve(self, columns: Floats) -> Floats:
        """Solve for the free changes of both plans."""
        if self._whole is not None:
            return self._whole @ columns
        assert self._cross is not None
        mine, theirs = columns[..., : self._free, :], columns[..., self._free :, :]
        # x + C y = mine and Cᵀx − y = theirs, with C = −B.
        y = self._cross.swapaxes(-1, -2) @ mine - theirs
        if self._root is None:
            y = self._inverse @ y
        else:
            y = self._root @ (self._root.swapaxes(-1, -2) @ y)
        return np.concatenate([mine - self._cross @ y, y], axis=-2)

    def _payoffs(self) -> Floats:
        """B: what the columns of one base win against those of the other."""
        count, lines, columns, hands = self._shape
        boards = self._boards
        found = np.zeros((count, lines, columns * hands, columns * hands))
        groups: dict[int, tuple[Floats, list[tuple[int, int]], list[Floats]]] = {}
        for end, stakes, matrix in boards.ends(self._street):
            _, slots, signed = groups.setdefault(id(matrix), (matrix, [], []))
            slots.append(end.slots)
            signed.append(stakes)
        for matrix, slots, signed in groups.values():
            mine, theirs = zip(*slots, strict=True)
            one = self._base[0][..., list(mine)] * np.stack(signed, axis=-1)[:, None, None, :]
            other = self._base[1][..., list(theirs)]
            flat = [each.reshape(count, lines, columns * hands, -1) for each in (one, other)]
            tiled = np.tile(matrix[self._part], (1, columns, columns))[:, None]
            found += tiled * (flat[0] @ flat[1].swapaxes(-1, -2))
        return found

    def _add_coupled(self, matrix: Floats, coupled: Floats) -> None:
        """Add what the streets behind the calls couple."""
        count, lines, columns, hands = self._shape
        size = columns * hands
        for place, call in enumerate(self._boards.betting.calls):
            slots = self._boards.betting.ends[call].slots
            rows = [self._base[player][..., slots[player]] for player in (0, 1)]
            for a in (0, 1):
                for b in (0, 1):
                    block = coupled[:, :, place, a, :, b, :]
                    part = (
                        rows[a][:, :, :, :, None, None]
                        * block[:, :, None, :, None, :]
                        * rows[b][:, :, None, None, :, :]
                    ).reshape(count, lines, size, size)
                    matrix[..., a * size : (a + 1) * size, b * size : (b + 1) * size] += part


def _basis(boards: RhodeIslandBoards, player: int, loose: Floats) -> tuple[Floats, Floats]:
    """L and R of a street, and RᵀΘR, for Θ = 1 / `loose`; see the module.

    Returns boards × lines × columns × hands × slots, the last column R, and boards × lines × hands.
    It is as if slots were independent with variances `loose`, and then known to add up: L Lᵀ is
    the variance that is left, R the mean where the slots before are 1.
    """
    sets = boards.betting.sets[player]
    after: dict[int, list[int]] = {}
    for number, (before, _) in enumerate(sets):
        after.setdefault(before, []).append(number)
    spread = loose.copy()
    total: dict[int, Floats] = {}
    for number in reversed(range(len(sets))):
        for slot in sets[number][1]:
            following = [1.0 / total[each] for each in after.get(slot, ())]
            if following:
                spread[:, :, slot] = 1.0 / (1.0 / spread[:, :, slot] + sum(following))
        total[number] = spread[:, :, list(sets[number][1])].sum(axis=2)
    free = sum(len(slots) - 1 for _, slots in sets)
    count, lines, slots_in_all, hands = loose.shape
    base = np.zeros((count, lines, free + 1, hands, slots_in_all))
    column = 0
    for number, (before, slots) in enumerate(sets):
        share = spread[:, :, list(slots)] / total[number][:, :, None]
        for place, slot in enumerate(slots):
            if before < 0:
                base[:, :, free, :, slot] = share[:, :, place]
            else:  # what the slot before does, its set does in these shares
                base[..., slot] += base[..., before] * share[:, :, None, place]
        for place, slot in enumerate(slots[:-1]):
            rest = spread[:, :, list(slots[place + 1 :])]
            behind = rest.sum(axis=2)
            own = spread[:, :, slot]
            size = np.sqrt(own * behind / (own + behind))
            base[:, :, column, :, slot] += size
            for other, later in enumerate(slots[place + 1 :]):
                base[:, :, column, :, later] -= size * rest[:, :, other] / behind
            column += 1
    precision: Floats = np.sum([1.0 / total[each] for each in after[-1]], axis=0)
    return base, precision


def _dot(one: Plan, other: Plan) -> float:
    return sum(float(np.vdot(a, b)) for a, b in zip(one, other, strict=True))


def _mapped(
    boards: RhodeIslandBoards, function: Callable[..., Floats], *plans: Sequence[Any]
) -> Plan:
    """A function of some plans, slot by slot: the last street by all threads."""
    found: Plan = []
    for street, parts in enumerate(zip(*plans, strict=True)):
        if street < _LAST or boards.threads == 1:
            found.append(function(*parts))
            continue
        out = np.empty_like(next(part for part in parts if isinstance(part, np.ndarray)))

        def work(board: int, parts: tuple[Any, ...] = parts, out: Floats = out) -> None:
            here = slice(board, board + 1)
            out[here] = function(
                *(part[here] if isinstance(part, np.ndarray) else part for part in parts)
            )

        boards.each(len(out), work)
        found.append(out)
    return found
