"""Hands ahead, beside a recursion of linear programs and plain enumeration on a small deck."""

from itertools import product

import numpy as np
import pytest
from tests.holdem.pushfold.test_solving import RANKS, enumerate_values, small_tables, value_of

from pokerlab.holdem.pushfold import PushFoldRules, next_hand, solve_ahead, solve_push_fold_table
from pokerlab.holdem.pushfold.next_hand import next_table


def by_programs(stacks, ahead):
    """What two players' chips are worth to the small blind, hand by hand; (players,)."""
    if min(stacks) <= 0:
        return np.maximum(stacks, 0)
    rules = PushFoldRules(tuple(stacks))

    def worth(result):
        if not ahead or min(result.stacks) < 1e-9:
            return result.stacks
        return by_programs(tuple(result.stacks[::-1].round(9)), ahead - 1)[::-1]  # blinds move

    if not rules.nodes:
        return enumerate_values(rules, np.zeros((0, RANKS)), worth)
    pairs = small_tables().pairs
    calls = len(rules.nodes) == 2  # otherwise the big blind has nothing to decide
    folded = worth(rules.results(())[0])[0]
    taken = worth(rules.results((0,))[0])[0] if calls else 0.0
    shown = [worth(each)[0] for each in rules.results((0, 1) if calls else (0,))]
    ends = np.array(
        [[shown[1 + np.sign(one - two)] for two in range(RANKS)] for one in range(RANKS)]
    )
    pure = np.array(list(product((0, 1), repeat=RANKS)))
    payoffs = (1 - pure) @ pairs.sum(axis=1)[:, None] * folded
    if calls:
        payoffs = payoffs + pure @ pairs @ (1 - pure).T * taken + pure @ (pairs * ends) @ pure.T
    else:
        payoffs = payoffs + pure @ (pairs * ends).sum(axis=1)[:, None]
    value = value_of(payoffs)
    return np.array([value, sum(stacks) - value])


@pytest.mark.parametrize("stacks", [(2, 3), pytest.param((1.5, 4), marks=pytest.mark.slow)])
def test_two_players_are_a_recursion_of_linear_programs(stacks):
    rules = PushFoldRules(stacks)
    for ahead in (1, 2):
        exact = by_programs(stacks, ahead)
        found = solve_ahead(rules, ahead, tables=small_tables(), target=2e-4, iterations=3000)
        assert found.values == pytest.approx(exact, abs=5e-4)
        prizes = PushFoldRules(stacks, (100,))
        share = solve_ahead(prizes, ahead, tables=small_tables(), target=0.01, iterations=3000)
        assert share.values == pytest.approx(100 * exact / sum(stacks), abs=0.02)


def test_no_hand_ahead_is_what_it_was():
    for rules in (PushFoldRules((3, 8, 5), (50, 30, 20)), PushFoldRules((6, 4))):
        plain = solve_push_fold_table(rules, tables=small_tables())
        found = solve_ahead(rules, 0, tables=small_tables())
        assert (found.shares == plain.shares).all()
        assert found.values.tolist() == plain.values.tolist()
        assert found.gains.tolist() == plain.gains.tolist()


@pytest.mark.parametrize(
    "rules",
    [
        PushFoldRules((3, 4, 2), (50, 30, 20)),
        PushFoldRules((3, 4, 2.5), (60, 40), (3,), ante=0.1, bounties=(10, 5, 5, 0)),
        PushFoldRules((3, 4, 2)),
    ],
    ids=str,
)
def test_three_players_by_enumeration(rules):
    """The value of a hand is the mean of what the next hand is worth, by its own enumeration."""
    settings = {"tables": small_tables(), "target": 2e-2, "iterations": 500}
    found = solve_ahead(rules, 1, **settings)

    def worth(result):
        chips = result.stacks.round(9)
        order = [player for player in (1, 2, 0) if chips[player] > 0]
        left = [player for player in range(3) if chips[player] > 0]
        order = left[1:] + left[:1]
        if len(left) == 1:
            return rules.worth(*result)
        alive = len(left) + len(rules.others)
        pays = rules.payouts[:alive]
        heads = [result.heads[player] for player in order] + list(result.heads[3:])
        following = PushFoldRules(
            tuple(chips[order]),
            pays,
            rules.others,
            ante=rules.ante,
            bounties=tuple(heads) if any(heads) else (),
        )
        later = solve_push_fold_table(following, **settings)
        values = enumerate_values(following, later.shares)
        money = np.zeros(3)
        if not rules.payouts:
            money[order] = values
            return money
        money[order] = values / 100 * (sum(pays) + sum(heads))
        out = [player for player in range(3) if player not in left]
        if len(out) == 1 and len(rules.payouts) > alive:
            money[out[0]] = rules.payouts[alive]
        return 100 * (money + result.won) / (sum(rules.payouts) + sum(rules.bounties))

    known = {}

    def once(result):
        key = (result.stacks.tobytes(), result.heads.tobytes(), result.won.tobytes())
        if key not in known:
            known[key] = worth(result)
        return known[key]

    assert found.values == pytest.approx(enumerate_values(rules, found.shares, once), abs=1e-3)
    assert found.gains.max() <= 2e-2
    now = solve_push_fold_table(rules, **settings)
    assert np.abs(found.values - now.values).max() > 0.001


def test_blinds_move_to_those_who_are_left():
    rules = PushFoldRules((5, 4, 3, 2))

    def seats_after(*stacks):
        heads = np.zeros(4)
        found = next_table(rules, next_hand.TableResult(np.array(stacks, float), heads, heads))
        return None if found is None else found.seats

    assert seats_after(5, 4, 3, 2) == (1, 2, 3, 0)
    assert seats_after(0, 4, 8, 2) == (2, 3, 1)
    assert seats_after(7, 4, 0, 3) == (1, 3, 0)
    assert seats_after(0, 4, 10, 0) == (2, 1)
    assert seats_after(0, 0, 14, 0) is None
    assert seats_after(5, 4, 4.9999, 0.0001) is None


def test_what_was_solved_is_kept(tmp_path, monkeypatch):
    file, rules = tmp_path / "hands.jsonl", PushFoldRules((3, 2))
    told = []
    first = solve_ahead(
        rules, 1, tables=small_tables(), resume=file, report=lambda *each: told.append(each)
    )
    assert told[0] == ("hands ahead solved", 1, 4)
    known = file.read_text()
    monkeypatch.setattr(next_hand, "_solve", None)
    again = solve_ahead(rules, 1, tables=small_tables(), resume=file)
    assert (first.shares == again.shares).all() and file.read_text() == known
    for text in ('{"a": 1}\n', '["key", [1.0]]\n', '["key", [NaN, 1.0]]\n', "[\n"):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"hands\.jsonl"):
            solve_ahead(rules, 1, tables=small_tables(), resume=file)


@pytest.mark.slow
def test_several_processes():
    rules = PushFoldRules((3, 4, 2), (50, 30, 20))
    alone, two = (solve_ahead(rules, 1, tables=small_tables(), jobs=jobs) for jobs in (1, 2))
    assert (alone.shares == two.shares).all()


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="ahead: 6 is not from 0 to 5 hands"):
        solve_ahead(PushFoldRules((3, 2)), 6)
    with pytest.raises(ValueError, match="ahead: 5 players; hands ahead are for at most 4"):
        solve_ahead(PushFoldRules((3,) * 5), 1)
