"""A lock of one card on all others, against locks that are written by hand and plain loops."""

from dataclasses import replace

import numpy as np
import pytest

from pokerlab.cards import filter_hands, format_cards, parse_cards
from pokerlab.cards.board_hands.draws import DRAWS
from pokerlab.cards.board_hands.made_hands import MADE_HANDS
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.locks import parse_locks
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.holdem.spots.answer.copied_locks import copy_lock, copy_scopes

TURN = Spot("QhJh2c4d", "AA, KQs, 87s, 55", "KK, AJs, T9s", 60, 60, bet="a", raise_="")
FLOP = Spot("QhJh2c", "AA, KQs, T9s, 55", "KK, AJs, T8s", 60, 60, bet="a", raise_="")


def some_strategy(decision, seed=1):
    """Random shares for most hands that arrive, NaN for the others."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(len(decision.actions)), N_COMBOS).T.round(2)
    shares[-1] = 1 - shares[:-1].sum(axis=0)
    free = (decision.weights[decision.player] <= 0) | (rng.random(N_COMBOS) < 0.2)
    return np.where(free, np.nan, shares)


@pytest.fixture(scope="module")
def turn():
    return solve_spot(TURN, iterations=30, threads=1, isomorphism=False)


@pytest.fixture(scope="module")
def flop():
    return solve_spot(FLOP, iterations=3, threads=1)


def by_hand_in_toml(solution, decision, strategy, card):
    """The spot with a lock on each river, each hand written out."""
    own = solution.spot.ranges[decision.player].weights > 0
    often = decision.weights[0] * unblocked_weights(decision.weights[1])
    lines = []
    for river in range(52):
        if river in solution.spot.board:
            continue
        rows = {action: [] for action in decision.actions}
        for combo in np.flatnonzero(own):
            cards = COMBO_CARDS[combo].tolist()
            if river in cards or set(cards) & set(solution.spot.board):
                continue
            shares = strategy[:, combo]
            if parse_cards(card)[0] in cards:  # the others of the class, on average
                others = np.flatnonzero(
                    (CLASS_OF_COMBO[combo] == CLASS_OF_COMBO) & ~np.isnan(strategy[0])
                )
                if not len(others):
                    continue
                shares = np.average(strategy[:, others], axis=1, weights=often[others])
            if np.isnan(shares[0]):
                continue
            shares = np.round(shares, 4)
            shares[shares.argmax()] += 1 - shares.sum()
            for action, share in zip(decision.actions, shares, strict=True):
                if share > 0:
                    rows[action].append(f"{format_cards(cards)}:{share:.4f}")
        lines.append(f'[locks."x/x/{format_cards([river])}"]')
        lines += [f'{action} = "{", ".join(hands)}"' for action, hands in rows.items() if hands]
    return Spot.from_toml(TURN.to_toml() + "\n" + "\n".join(lines))


def test_one_lock_is_all_that_is_written_by_hand(turn):
    decision = turn.decision("x/x/5s")
    strategy = some_strategy(decision)
    copied = copy_lock(turn, decision, strategy, "rivers")
    assert list(copied.locks) == ["x/x"]
    assert copied.boards == 48 and copied.hands == (~np.isnan(strategy[0])).sum()
    one = TURN.with_locks(copied.locks)
    many = by_hand_in_toml(turn, decision, strategy, "5s")
    assert len(many.locks) == 48
    first, second = (
        solve_spot(each, iterations=40, threads=1, isomorphism=False) for each in (one, many)
    )
    assert first.values == pytest.approx(second.values, abs=1e-3)
    for line in ("", "x", "x/x/5s", "x/x/5d", "x/x/Ah", "x/x/Ah/x", "x/x/9c"):
        here, there = first.decision(line), second.decision(line)
        np.testing.assert_allclose(here.strategy, there.strategy, atol=2e-3, err_msg=line)
    # The three fives with the five of spades follow the three others.
    (lock,) = parse_locks(one, one.locks)
    spade = (parse_cards("5s")[0] == COMBO_CARDS).any(axis=1) & TURN.ranges[0].weights.astype(bool)
    assert (copied.filled, copied.free) == (3, 0)
    assert (lock.shares[0, spade] >= 0).sum() == 3


@pytest.mark.parametrize("line", ["x/x/5s", "a/c"])
def test_made_hands_do_elsewhere_what_they_do_here(turn, flop, line):
    """On rivers of a turn, and on turns of a flop, where draws count too."""
    if line == "a/c":
        solution, line, to = flop, "x/x/5s/x", "turns"
    else:
        solution, to = turn, "rivers"
    decision = solution.decision(line)
    strategy = some_strategy(decision, 2)
    copied = copy_lock(solution, decision, strategy, to, "made")
    own = solution.spot.ranges[decision.player].weights > 0
    seat = decision.player
    often = decision.weights[seat] * unblocked_weights(decision.weights[1 - seat])

    def kinds(board):
        made = [filter_hands(name, board) for name in MADE_HANDS]
        drawing = [filter_hands(name, board) if len(board) < 5 else None for name in DRAWS]
        found = {}
        for combo in np.flatnonzero(own):
            numbers = [number for number, passed in enumerate(made) if passed[combo]]
            if numbers and not set(COMBO_CARDS[combo].tolist()) & set(board):
                draws = [
                    n for n, passed in enumerate(drawing) if passed is not None and passed[combo]
                ]
                found[combo] = numbers[0], tuple(draws)
        return found

    here = kinds(decision.board)
    locked = [combo for combo in here if not np.isnan(strategy[0, combo])]
    spot = solution.spot.with_locks(copied.locks)
    known = {lock.line: lock for lock in parse_locks(spot, spot.locks)}
    assert copied.boards == len(known)
    own_lock = known[decision.line].shares
    np.testing.assert_allclose(own_lock[:, locked], strategy[:, locked], atol=2e-4)
    checked = 0
    for other in list(known)[1:9]:
        card = next(
            token for token in other.split("/") if len(token) == 2 and token[0] in "23456789TJQKA"
        )
        board = (*solution.spot.board, *parse_cards(card))
        shares = known[other].shares
        for combo, kind in kinds(board).items():
            same = [each for each in locked if here[each] == kind]
            same = same or [each for each in locked if here[each][0] == kind[0]]
            if not same:
                assert (shares[:, combo] < 0).all(), (other, combo)
                continue
            mean = np.average(strategy[:, same], axis=1, weights=often[same] + 1e-15)
            np.testing.assert_allclose(shares[:, combo], mean, atol=3e-4, err_msg=other)
            checked += 1
    assert checked > 25


def test_rivers_of_one_turn_and_all_run_outs(flop):
    decision = flop.decision("x/x/5s/x/x/9d")
    assert copy_scopes(flop, decision.line) == ("rivers", "run-outs")
    strategy = some_strategy(decision)
    all_of_them = copy_lock(flop, decision, strategy, "run-outs")
    assert list(all_of_them.locks) == ["x/x/x/x"] and all_of_them.boards == 49 * 48
    rivers = copy_lock(flop, decision, strategy, "rivers")
    assert len(rivers.locks) == rivers.boards == 48
    assert all(line.startswith("x/x/5s/x/x/") for line in rivers.locks)
    spot = flop.spot.with_locks(rivers.locks)  # no lock names a hand that its board has
    shares = {lock.line: lock.shares for lock in parse_locks(spot, spot.locks)}
    blocked = (parse_cards("Ah")[0] == COMBO_CARDS).any(axis=1)
    assert (shares["x/x/5s/x/x/Ah"][:, blocked] < 0).all()
    assert FLOP.with_locks(all_of_them.locks).find("x/x/x/x") is not None


def test_what_cannot_be_copied_says_so(turn, flop):
    decision = turn.decision("x/x/5s")
    strategy = some_strategy(decision)
    with pytest.raises(ValueError, match="to: 'turns' is not possible here; possible: rivers"):
        copy_lock(turn, decision, strategy, "turns")
    with pytest.raises(ValueError, match="possible: nothing: no card has come"):
        copy_lock(turn, turn.decision("x"), strategy, "rivers")
    with pytest.raises(ValueError, match="by: 'suit' is not one of hand, made"):
        copy_lock(turn, decision, strategy, "rivers", "suit")
    with pytest.raises(ValueError, match="no hand is locked here"):
        copy_lock(turn, decision, np.full(strategy.shape, np.nan), "rivers")
    river = flop.decision("x/x/5s/x/x/9d")
    with pytest.raises(ValueError, match="on all run-outs at once a lock is by hand"):
        copy_lock(flop, river, some_strategy(river), "run-outs", "made")


def test_only_run_outs_of_the_solve_are_locked():
    spot = replace(FLOP, runouts="3x2")
    solution = solve_spot(spot, iterations=3, threads=1)
    card = int(solution.boards.cards[1][0, -1])
    decision = solution.decision(f"x/x/{format_cards([card])}")
    copied = copy_lock(solution, decision, some_strategy(decision), "turns", "made")
    assert copied.boards == 3
    locked = solve_spot(spot.with_locks(copied.locks), iterations=1, threads=1)
    assert set(locked.locks) == set(copied.locks)
