import math
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.run_off import bankroll_ranking, find_cycles, run_off_ranking
from pokerlab.games import load_game
from pokerlab.solvers import Strategy
from pokerlab.solvers.evaluation.tree_values import values
from pokerlab.trees.game_tree import GameTree


def table(won):
    """Scores among some bots, from what the first of each pair won from the second."""

    def scores(among):
        found = dict.fromkeys(among, 0.0)
        for (first, second), chips in won.items():
            if first in among and second in among:
                found[first] += chips
                found[second] -= chips
        return found

    return scores


def test_ties_share_a_rank():
    assert bankroll_ranking({"a": 1.0, "b": 2.0, "c": 1.0, "d": 0.0}) == {
        "b": 1, "a": 2, "c": 2, "d": 4,
    }  # fmt: skip


def test_rounding_is_a_tie():
    assert bankroll_ranking({"a": 0.1 + 0.2, "b": 0.3}) == {"a": 1, "b": 1}


def test_dropping_the_lowest_changes_the_order():
    won = {
        ("a", "b"): 1,
        ("a", "c"): -2,
        ("a", "d"): 2,
        ("b", "c"): 1,
        ("b", "d"): 9,
        ("c", "d"): 1,
    }
    scores = table(won)
    # Totals: a 1, b 9, c 2, d -12. Without d: a -1, b 0, c 1; without a: b beats c by 1.
    assert bankroll_ranking(scores("abcd")) == {"b": 1, "c": 2, "a": 3, "d": 4}
    assert run_off_ranking("abcd", scores, last=2) == {"b": 1, "c": 2, "a": 3, "d": 4}
    # With three at the end, those three are ranked by what they won from each other.
    assert run_off_ranking("abcd", scores, last=3) == {"c": 1, "b": 2, "a": 3, "d": 4}


def test_a_tie_for_the_lowest_place_is_dropped_together():
    won = {("a", "b"): 1, ("a", "c"): 2, ("a", "d"): 2, ("b", "c"): 3, ("b", "d"): 3, ("c", "d"): 0}
    assert run_off_ranking("abcd", table(won), last=2) == {"a": 1, "b": 2, "c": 3, "d": 3}


def test_if_too_few_would_be_left_all_stand_as_they_are():
    won = {("a", "b"): 3, ("a", "c"): 3, ("b", "c"): 0}
    assert run_off_ranking("abc", table(won), last=2) == {"a": 1, "b": 2, "c": 2}
    assert run_off_ranking("abc", table({}), last=2) == {"a": 1, "b": 1, "c": 1}


@given(st.integers(2, 6), st.integers(2, 3), st.data())
def test_every_bot_gets_a_rank(count, last, data):
    bots = "abcdef"[:count]
    won = {pair: data.draw(st.integers(-3, 3)) for pair in combinations(bots, 2)}
    ranks = run_off_ranking(bots, table(won), last)
    assert set(ranks) == set(bots)
    for rank in ranks.values():  # a rank is one more than the number of those before it
        assert rank == 1 + sum(other < rank for other in ranks.values())


def test_two_bots():
    assert run_off_ranking("ab", table({("a", "b"): -1}), last=2) == {"b": 1, "a": 2}
    with pytest.raises(ValueError):
        run_off_ranking("", table({}), last=2)


@given(st.lists(st.integers(-3, 3), min_size=10, max_size=10))
def test_cycles_are_those_that_a_plain_search_finds(won):
    bots = "abcde"
    results = {
        pair: (float(chips), 1.0) for pair, chips in zip(combinations(bots, 2), won, strict=True)
    }
    beats = {pair for pair, (chips, _) in results.items() if chips > 0}
    beats |= {(second, first) for (first, second), (chips, _) in results.items() if chips < 0}
    wanted = {
        frozenset([(one, two), (two, three), (three, one)])
        for one, two, three in permutations(bots, 3)
        if {(one, two), (two, three), (three, one)} <= beats
    }
    found, looked_at = find_cycles(bots, results)
    assert looked_at == 10
    edges = [
        frozenset(zip(each.bots, (*each.bots[1:], each.bots[0]), strict=True)) for each in found
    ]
    assert len(edges) == len(wanted) and set(edges) == wanted
    assert [each.weakest for each in found] == sorted((min(each.z) for each in found), reverse=True)
    # An order of all bots exists where no triple turns in a circle.
    if not wanted and 0 not in won:
        wins = sorted(sum(first == bot for first, _ in beats) for bot in bots)
        assert wins == [0, 1, 2, 3, 4]


def test_the_p_of_a_cycle_is_kept_among_many_triples():
    """Bots that are all the same: a cycle is called clear in at most one of twenty tournaments."""
    rng = np.random.default_rng(1)
    bots = range(8)
    clear = 0
    for _ in range(300):
        results = {pair: (float(rng.normal()), 1.0) for pair in combinations(bots, 2)}
        found, looked_at = find_cycles(bots, results)
        assert looked_at == math.comb(8, 3)
        clear += any(each.p < 0.05 for each in found)
    assert clear <= 15


def test_matches_without_an_error_are_not_looked_at():
    won = {("a", "b"): (5.0, 1.0), ("b", "c"): (5.0, math.nan), ("c", "a"): (5.0, 0.0)}
    assert find_cycles("abc", won) == ([], 0)
    found, _ = find_cycles("abc", won | {("b", "c"): (5.0, 0.0)})
    assert found[0].weakest == 5.0 and found[0].z[1] == math.inf


def test_styles_of_kuhn_poker_turn_in_a_circle():
    """The cycle of the page on the arena, exactly."""
    tree = GameTree.of(load_game("kuhn"))

    def style(bets, calls):
        play = {}
        for name in tree.infosets:
            card, _, line = name.partition(":")
            paying = line.endswith("r")
            yes = card[0] in (calls if paying else bets)
            play[name] = dict.fromkeys("fc" if paying else "cr", 0.0)
            play[name][("fc" if paying else "cr")[yes]] = 1.0
        return play

    def wins(one, other):
        """In both seats, chips a hand; the first player sees no line, or a check and a raise."""
        total = 0.0
        for seat in (0, 1):
            players = (one, other) if seat == 0 else (other, one)
            first = {name: name.partition(":")[2] in ("", "cr") for name in tree.infosets}
            both = {name: players[0 if first[name] else 1][name] for name in tree.infosets}
            total += values(tree, Strategy.of(tree.infosets, both))[seat]
        return total / 2

    tight, bluffer, sheriff = style("K", "K"), style("JQK", "QK"), style("K", "QK")
    assert wins(tight, sheriff) == pytest.approx(1 / 6)
    assert wins(sheriff, bluffer) == pytest.approx(1 / 4)
    assert wins(bluffer, tight) == pytest.approx(1 / 12)
