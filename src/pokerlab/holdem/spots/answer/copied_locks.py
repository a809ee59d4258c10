"""A lock of one turn or river on all others: by hand, or by made hand.

*By hand*, a combo does on other cards what it does here. The combos that hold a card which came
here do what the other combos of their class do on average; without any other they stay free. Where
all cards may be others, one lock without cards says it, and boards can still be merged.

*By made hand*, a combo does on other cards what hands of the same made hand and the same draws do
here on average; if none has these draws, what hands of the same made hand do; if there are none, it
stays free. That is a lock for each card. Means count a hand by how often it meets an opposing one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.cards.board_hands.draws import DRAWS, draws
from pokerlab.cards.board_hands.made_hands import made_hands
from pokerlab.cards.codes import Cards
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.runouts import find_solved, following_cards
from pokerlab.games.betting_trees.lines import Line, to_line
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.spots.answer.locking import lock_of_shares
from pokerlab.holdem.spots.answer.node_view import Decision
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.prepared import deal_spot
from pokerlab.runtime.arrays import Bools, Floats, Int64s

RUN_OUTS = "run-outs"
"""All turns with all rivers; the other choices are ``turns`` and ``rivers``."""

BY = ("hand", "made")

_LITTLE = 1e-9


@dataclass(frozen=True)
class CopiedLock:
    """A lock on other cards.

    Attributes
    ----------
    locks
        By line, as a spot takes them.
    boards
        On how many boards they hold, the one that they are of included.
    hands
        How many combos are locked where they come from.
    filled
        How many combos hold a card that came there, and do what others of their class do.
    free
        How many of those stay free, as nobody of their class is left.
    """

    locks: dict[str, dict[str, str]]
    boards: int
    hands: int
    filled: int = 0
    free: int = 0


def copy_scopes(solution: PostflopSolution, line: str) -> tuple[str, ...]:
    """The boards on which a decision may be locked, too: none on the first street.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> copy_scopes(solve_spot(spot, iterations=1), "x/x/7h")
    ('rivers',)
    """
    place = solution.spot.find(line)
    if place.level == 0:
        return ()
    last = f"{STREETS[solution.spot.street + place.level]}s"
    return (last, RUN_OUTS) if place.level > 1 else (last,)


def copy_lock(
    solution: PostflopSolution, decision: Decision, strategy: Floats, to: str, by: str = "hand"
) -> CopiedLock:
    """Lock a decision on other cards as on its own; see the top of this file.

    Parameters
    ----------
    solution
        The solution that the decision is of.
    decision
        The decision, after a card at least.
    strategy
        (actions, 1326): what its hands do, NaN for those that are free.
    to
        ``"turns"`` or ``"rivers"``, the cards in place of the last one; or ``"run-outs"``.
    by
        ``"hand"`` or ``"made"``.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    >>> solution = solve_spot(spot, iterations=20)
    >>> decision = solution.decision("x/x/Ks")
    >>> check = np.full(decision.strategy.shape, [[1.0], [0.0]])
    >>> copy_lock(solution, decision, check, "rivers").locks
    {'x/x': {'x': 'AA,KcQc,KdQd,KsQs'}}
    >>> len(copy_lock(solution, decision, check, "rivers", "made").locks)
    44
    """
    if by not in BY:
        raise ValueError(f"by: {by!r} is not one of {', '.join(BY)}")
    scopes = copy_scopes(solution, decision.line)
    if to not in scopes:
        accepted = ", ".join(scopes) or "nothing: no card has come"
        raise ValueError(f"to: {to!r} is not possible here; possible: {accepted}")
    locked = ~np.isnan(strategy).any(axis=0) & (decision.weights[decision.player] > 0)
    if not locked.any():
        raise ValueError("no hand is locked here: lock some first")
    strategy = np.where(locked, strategy, np.nan)
    line = to_line(decision.line)
    if by == "made":
        if to == RUN_OUTS:
            raise ValueError(
                "by: made hands are copied to all rivers after this turn; on all run-outs at once"
                " a lock is by hand"
            )
        return _by_made_hand(solution, decision, strategy, line)
    shares, filled, free = _on_all_cards(solution, decision, strategy)
    texts = lock_of_shares(decision.actions, shares)
    if to == RUN_OUTS or len(line.cards) == 1:
        lines = {str(Line(line.actions)): texts}
        count = _count(solution, line, line.cards)
    else:
        lines = {
            other: lock_of_shares(decision.actions, _possible(shares, board))
            for other, board in _other_lines(solution, line)
        }
        lines = _own_lock(solution, decision, strategy, line) | lines
        count = len(lines)
    _check_any(lines, to)
    return CopiedLock(lines, count, int(locked.sum()), filled, free)


def _check_any(locks: dict[str, dict[str, str]], to: str) -> None:
    """`ValueError` without any lock."""
    if not locks:
        raise ValueError(
            f"to: none of these {to} is in the solve, which stands on a subset of run-outs"
        )


def _on_all_cards(
    solution: PostflopSolution, decision: Decision, strategy: Floats
) -> tuple[Floats, int, int]:
    """What all combos do, also those that hold a card which came here, and how many these are."""
    known = len(solution.spot.board)
    came = np.uint64(sum(1 << card for card in decision.board[known:]))
    own = solution.spot.ranges[decision.player].weights > 0
    dead = own & (np.uint64(came) & COMBO_MASKS != 0)
    locked = ~np.isnan(strategy[0])
    means = _means(strategy, _often(decision), CLASS_OF_COMBO.astype(np.int64), 169)
    shares = strategy.copy()
    shares[:, dead] = means[:, CLASS_OF_COMBO[dead]]
    found = dead & ~np.isnan(shares[0])
    # Classes of which nobody was locked here are free by choice.
    partners = np.zeros(169, np.bool_)
    partners[CLASS_OF_COMBO[own & ~dead & (decision.weights[decision.player] > 0)]] = True
    lonely = dead & ~partners[CLASS_OF_COMBO] & locked.any()
    return shares, int(found.sum()), int(lonely.sum())


def _by_made_hand(
    solution: PostflopSolution, decision: Decision, strategy: Floats, line: Line
) -> CopiedLock:
    often = _often(decision)
    made, kinds = _kinds(decision.board)
    names = np.unique(kinds[kinds >= 0])
    places = np.searchsorted(names, np.maximum(kinds, 0))
    exact = _means(strategy, often, np.where(kinds >= 0, places, 0), len(names))
    rough = _means(strategy, often, np.maximum(made, 0), int(made.max()) + 1)
    own = solution.spot.ranges[decision.player].weights > 0
    locks = _own_lock(solution, decision, strategy, line)
    for other, board in _other_lines(solution, line):
        there_made, there = _kinds(board)
        place = np.searchsorted(names, there)
        known = (place < len(names)) & (names[np.minimum(place, len(names) - 1)] == there)
        shares = np.full(strategy.shape, np.nan)
        some = own & known & (there >= 0)
        shares[:, some] = exact[:, place[some]]
        rest = own & (there >= 0) & np.isnan(shares[0]) & (there_made < rough.shape[1])
        shares[:, rest] = rough[:, there_made[rest]]
        if not np.isnan(shares[0]).all():
            locks[other] = lock_of_shares(decision.actions, shares)
    _check_any(locks, f"{STREETS[solution.spot.street + len(line.cards)]}s")
    return CopiedLock(locks, len(locks), int((~np.isnan(strategy[0])).sum()))


def _kinds(board: Cards) -> tuple[Int64s, Int64s]:
    """By combo the made hand, and made hand and draws in one number; −1 for impossible ones."""
    made = made_hands(board).astype(np.int64)
    bits = (1 << np.arange(len(DRAWS))) @ draws(board)
    return made, np.where(made >= 0, made * (1 << len(DRAWS)) + bits, -1)


def _often(decision: Decision) -> Floats:
    """How often each combo meets an opposing one; hands that meet none count a little."""
    seat = decision.player
    met = decision.weights[seat] * unblocked_weights(decision.weights[1 - seat])
    return np.asarray(met + _LITTLE * max(float(met.max()), _LITTLE))


def _means(strategy: Floats, often: Floats, groups: Int64s, count: int) -> Floats:
    """(actions, groups): what locked combos of a group do on average; NaN where there is none."""
    locked = ~np.isnan(strategy[0])
    number, weight = groups[locked], often[locked]
    total = np.bincount(number, weight, count)
    sums = np.array([np.bincount(number, weight * row[locked], count) for row in strategy])
    return np.where(total > 0, sums / np.where(total > 0, total, 1.0), np.nan)


def _other_lines(solution: PostflopSolution, line: Line) -> Iterator[tuple[str, Cards]]:
    """The line on each other card in place of its last one, and the board there."""
    place = max(number for number, token in enumerate(line.tokens) if isinstance(token, int))
    boards = _boards(solution)
    above = find_solved(boards, line.cards[:-1])[-1]
    for card in following_cards(boards, above) if above.level == len(line.cards) - 1 else ():
        if card != line.cards[-1]:
            tokens = (*line.tokens[:place], card, *line.tokens[place + 1 :])
            yield str(Line(tokens)), (*above.cards, card)


def _boards(solution: PostflopSolution) -> Boards:
    """The boards on which a lock that names cards can be: of a subset those that it has itself."""
    if solution.spot.runouts is None:
        return solution.boards
    return deal_spot(solution.spot, isomorphism=False, gadget=solution.gadget)


def _own_lock(
    solution: PostflopSolution, decision: Decision, strategy: Floats, line: Line
) -> dict[str, dict[str, str]]:
    """The lock where it comes from, if it can name its cards."""
    if len(find_solved(_boards(solution), line.cards)) <= len(line.cards):
        return {}
    return {str(line): lock_of_shares(decision.actions, strategy)}


def _possible(shares: Floats, board: Cards) -> Floats:
    """The same without the combos that hold a card of a board."""
    mask = np.uint64(sum(1 << int(card) for card in board))
    blocked: Bools = COMBO_MASKS & mask != 0
    return np.where(blocked, np.nan, shares)


def _count(solution: PostflopSolution, line: Line, cards: Sequence[int]) -> int:
    """The boards of a line with any cards in place of some of its cards."""
    count = 1
    for number, card in enumerate(line.cards):
        if card in cards:
            above = find_solved(solution.boards, line.cards[:number])[-1]
            count *= len(following_cards(solution.boards, above))
    return count
