"""Merged games: the same values as the real ones, and nobody learns anything he should not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import RANKS, format_cards
from pokerlab.games import (
    CHANCE,
    SHOWDOWN_RULES,
    TERMINAL,
    BettingGame,
    State,
    Street,
    SuitIsomorphic,
    load_betting_game,
    load_game,
    merge_suits,
)
from pokerlab.solvers import CfrSolver, Strategy, nash_conv, run, solve_lp, values
from pokerlab.trees import GameTree

LEDUC = -0.0856064240780514


def rhode_island(ranks: str, suits: str, raises: int) -> BettingGame:
    """Rhode Island hold'em with a smaller deck and fewer raises."""
    game = load_betting_game("rhodeisland")
    streets = tuple(replace(street, max_raises=raises) for street in game.streets)
    return replace(game, ranks=ranks, suits=suits, streets=streets)


def with_cards(players: int, deck: str, showdown: str, *cards: tuple[int, int]) -> BettingGame:
    """A game with one bet a street; `deck` is ranks and suits, `cards` are hole and board."""
    ranks, suits = deck.split()
    return BettingGame(
        name="little",
        players=players,
        betting="limit",
        ranks=ranks,
        suits=suits,
        showdown=showdown,
        ante=3,
        streets=tuple(
            Street(hole=hole, board=board, bet=4 + number, max_raises=1)
            for number, (hole, board) in enumerate(cards)
        ),
    )


GAMES: dict[str, Callable[[], BettingGame]] = {
    "leduc": lambda: load_betting_game("leduc"),
    "leduc, suits c and h": lambda: replace(load_betting_game("leduc"), suits="ch"),
    "leduc, three suits": lambda: replace(load_betting_game("leduc"), suits="dhs"),
    "island, 2 × 2": lambda: rhode_island("KA", "hs", 2),
    "island, 2 × 3": lambda: rhode_island("KA", "cds", 1),
    "island, 2 × 4": lambda: rhode_island("KA", "cdhs", 1),
    "island, 3 × 2": lambda: rhode_island("2KA", "cd", 1),
    "two private cards": lambda: with_cards(2, "QKA hs", "three-card", (2, 0), (0, 1)),
    "two public cards": lambda: with_cards(2, "QKA dhs", "three-card", (1, 2)),
    "a private card on each street": lambda: with_cards(2, "KA dhs", "three-card", (1, 1), (1, 0)),
    "three players": lambda: with_cards(3, "KA hs", "kinds", (1, 0), (0, 1)),
    "three players, flushes": lambda: with_cards(3, "QKA hs", "three-card", (1, 2)),
}
LARGE = ("island, 2 × 3", "island, 2 × 4", "island, 3 × 2", "leduc, three suits")


def some_slow(names: Iterable[str]) -> Any:
    """Run a test for some games; for the large ones only when every test is run."""
    slow = [pytest.mark.slow]
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=slow if name in LARGE else []) for name in names]
    )


each_game = some_slow(GAMES)


@cache
def trees(name: str) -> tuple[GameTree, GameTree]:
    """A game with all its deals, and the merged one."""
    game = GAMES[name]()
    return GameTree.build(game), GameTree.build(merge_suits(game))


@cache
def merged_slots(name: str) -> npt.NDArray[np.int64]:
    """For each slot of the real game that of the merged one, by replaying the real deals."""
    real, merged = trees(name)
    found = np.full(real.infosets.slots, -1)
    places: list[tuple[int, State]] = []
    for node, parent in enumerate(real.parent.tolist()):
        while places and places[-1][0] != parent:
            places.pop()
        state = places[-1][1].apply(real.action(node)) if node else merged.game.start()
        places.append((node, state))
        if state.player >= 0:
            text = state.seen_by(state.player)
            if text not in merged.infosets:
                text = f"{state.player}:{text}"
            here, there = int(real.infoset[node]), merged.infosets.number(text)
            slots = slice(real.infosets.offset[here], real.infosets.offset[here + 1])
            expected = range(merged.infosets.offset[there], merged.infosets.offset[there + 1])
            # An information set of the real game lies inside one of the merged game as a whole.
            assert set(found[slots].tolist()) == {-1} or found[slots].tolist() == list(expected)
            found[slots] = expected
    return found


def lifted(name: str, strategy: Strategy) -> Strategy:
    """A strategy of the merged game as one of the real game."""
    return Strategy(trees(name)[0].infosets, strategy.array[merged_slots(name)])


@cache
def renamings(name: str) -> list[dict[str, str]]:
    """Every way to write the cards of a deck with other suits; the slow and simple way."""
    game = GAMES[name]()

    def others(ranks: str) -> list[dict[str, str]]:
        return [
            {
                rank + old: rank + new
                for rank in ranks
                for old, new in zip(game.suits, suits, strict=True)
            }
            for suits in permutations(game.suits)
        ]

    if SHOWDOWN_RULES[game.showdown].suits:
        return others(game.ranks)
    return [
        {old: new for table in tables for old, new in table.items()}
        for tables in product(*map(others, game.ranks))
    ]


@cache
def first_alike(name: str, rounds: tuple[str, ...]) -> tuple[str, ...]:
    """The alphabetically first of all rounds of cards that are alike."""
    return min(
        tuple("".join(sorted(table[card] for card in re.findall("..", cards))) for cards in rounds)
        for table in renamings(name)
    )


def path_class(name: str, path: str) -> tuple[str, ...]:
    """What all paths have in common that differ by suits alone."""
    # Who sees a card is no part of it: in a small deck, a seat may be sure of what comes.
    parts = re.split(r"[\d,-]*d\{(\w+)\}", path)
    return *first_alike(name, tuple(parts[1::2])), *parts[::2]


def seen_class(name: str, text: str) -> tuple[str, ...]:
    """What all information sets have in common that differ by suits alone."""
    streets = [part.partition(":") for part in re.sub(r"^\d:", "", text).split("/")]
    rounds = []
    for (cards, _, _), street in zip(streets, GAMES[name]().streets, strict=False):
        rounds += [cards[: 2 * street.hole], cards[2 * street.hole :]]
    return *first_alike(name, tuple(rounds)), *(betting for _, _, betting in streets)


def test_sizes_of_known_games() -> None:
    real, merged = trees("leduc")
    assert (len(real.infosets), len(merged.infosets)) == (936, 288)
    assert (len(real), len(merged)) == (9457, 1939)
    kuhn = GameTree.build(merge_suits(load_game("kuhn")))
    assert (len(kuhn), len(kuhn.infosets)) == (58, 12)
    # Cards of one suit differ in rank, cards of different suits need not: for each way in which
    # suits can be equal, a product of falling factorials of 13.
    island = merge_suits(load_game("rhodeisland"))
    for depth, classes in [(1, 13), (2, 13 * 12 + 13 * 13), (3, 9997)]:
        assert len(list(deals(island, depth))) == classes
    assert 9997 == 13 * 12 * 11 + 3 * (13 * 12 * 13) + 13**3


def deals(game: SuitIsomorphic, cards: int) -> Iterator[State]:
    """The states after some cards, with checks in between."""
    waiting: list[tuple[State, int]] = [(game.start(), 0)]
    while waiting:
        state, dealt = waiting.pop()
        if dealt == cards:
            yield state
        elif state.player == CHANCE:
            waiting += [(state.apply(card), dealt + 1) for card in state.actions()]
        else:
            waiting.append((state.apply("c"), dealt))


@each_game
def test_merged_ends_are_the_classes_of_real_ends(name: str) -> None:
    """Path by path: the same payoffs, and the probability of all that is alike."""
    real, merged = trees(name)
    expected: dict[tuple[str, ...], tuple[float, list[float]]] = {}
    for end, chance, won in zip(
        real.terminals.tolist(), real.terminal_chance.tolist(), real.payoffs.tolist(), strict=True
    ):
        key = path_class(name, real.path(end))
        before, payoffs = expected.get(key, (0.0, won))
        assert payoffs == won
        expected[key] = before + chance, won
    assert len(merged.terminals) == len(expected)
    for end, chance, won in zip(
        merged.terminals.tolist(),
        merged.terminal_chance.tolist(),
        merged.payoffs.tolist(),
        strict=True,
    ):
        total, payoffs = expected.pop(path_class(name, merged.path(end)))
        assert (chance, won) == (pytest.approx(total, rel=1e-12), payoffs)
    assert not expected


@each_game
def test_merged_information_sets_are_the_classes_of_real_ones(name: str) -> None:
    real, merged = trees(name)
    expected, found = (
        [
            (int(player), *seen_class(name, text))
            for player, text in zip(tree.infosets.player, tree.infosets.names, strict=True)
        ]
        for tree in (real, merged)
    )
    assert len(found) == len(set(found))
    assert set(found) == set(expected)


@each_game
def test_any_strategy_is_as_good_and_as_bad_in_the_real_game(name: str) -> None:
    """Best responses find no more in one game than in the other: nothing leaks, nothing is lost."""
    real, merged = trees(name)
    for seed in range(3):
        weights = np.random.default_rng(seed).random(merged.infosets.slots) ** 3
        strategy = Strategy.from_weights(merged.infosets, weights)
        same = lifted(name, strategy)
        assert values(merged, strategy) == pytest.approx(values(real, same), abs=1e-10)
        assert nash_conv(merged, strategy) == pytest.approx(nash_conv(real, same), abs=1e-10)


TWO_PLAYERS = [name for name in GAMES if "three players" not in name]


@some_slow(TWO_PLAYERS)
def test_an_equilibrium_of_the_merged_game_is_one_of_the_real_game(name: str) -> None:
    real, merged = trees(name)
    found = solve_lp(merged)
    strategy = lifted(name, found.strategy)
    assert abs(nash_conv(real, strategy)) < 1e-8
    assert values(real, strategy) == pytest.approx(found.values, abs=1e-9)


@some_slow(TWO_PLAYERS)
def test_linear_programs_find_the_same_value(name: str) -> None:
    real, merged = trees(name)
    value = solve_lp(merged).values[0]
    assert value == pytest.approx(solve_lp(real).values[0], abs=1e-9)
    if name == "leduc":
        assert value == pytest.approx(LEDUC, abs=1e-9)


@each_game
def test_cfr_goes_the_same_way(name: str) -> None:
    real, merged = trees(name)
    solvers = [CfrSolver(tree, "cfr") for tree in (real, merged)]
    for count in (1, 2, 7):
        for solver in solvers:
            solver.iterate(count)
        one, other = (solver.exploitability() for solver in solvers)
        assert one == pytest.approx(other, abs=1e-9)


def test_cfr_plus_and_dcfr_find_the_value_of_leduc() -> None:
    _, merged = trees("leduc")
    for rule in ("cfr+", "dcfr"):
        solver = CfrSolver(merged, rule)
        assert run(solver, target=1e-4, iterations=20_000).stopped == "target"
        assert values(merged, solver.strategy())[0] == pytest.approx(LEDUC, abs=2e-4)


@given(
    seed=st.integers(0, 2**31),
    raises=st.integers(0, 2),
    name=st.sampled_from(["rhodeisland", "holdem.limit.2p"]),
)
def test_nobody_sees_hidden_cards_or_names_of_suits(seed: int, raises: int, name: str) -> None:
    """What a seat has seen depends on its cards and the board, up to suits, and it grows."""
    rng = np.random.default_rng(seed)
    game = load_betting_game(name)
    deck, suits = rng.permutation(game.deck).tolist(), rng.permutation(4).tolist()
    hole, used = game.hole_cards[-1], 2 * game.hole_cards[-1] + game.board_cards[-1]
    renamed = [card & ~3 | suits[card & 3] for card in deck]
    # Seat 1 gets other cards from the rest of the deck; seat 0 must not notice.
    other = deck[:hole] + deck[used : used + hole] + deck[2 * hole : used]
    hands = [playout(game, cards, raises) for cards in (deck, renamed, other)]
    for first, second, third in zip(*hands, strict=True):
        assert [first.seen_by(seat) for seat in (0, 1)] == [second.seen_by(seat) for seat in (0, 1)]
        assert first.public() == second.public() == third.public()
        assert first.seen_by(0) == third.seen_by(0)
    for before, after in pairwise(hands[0]):
        assert after.public().startswith(before.public())
        for seat in (0, 1):
            assert after.seen_by(seat).startswith(before.seen_by(seat))
        if before.player >= 0:
            assert after.seen_by(before.player) != before.seen_by(before.player)


def playout(game: BettingGame, cards: list[int], raises: int) -> list[State]:
    """Play a merged game for two with given cards; the first `raises` actions are raises."""
    rest = iter(cards)
    rounds = iter(
        [
            format_cards(sorted(next(rest) for _ in range(count)))
            for street in game.streets
            for count in (street.hole, street.hole, street.board)
            if count
        ]
    )
    state: State = merge_suits(game).start()
    states = [state]
    while state.player != TERMINAL:
        if state.player == CHANCE:
            state = state.apply(next(rounds))
        else:
            state = state.apply("r" if raises > 0 and "r" in state.actions() else "c")
            raises -= 1
        states.append(state)
    return states


@pytest.mark.parametrize("rule", [name for name, rule in SHOWDOWN_RULES.items() if not rule.suits])
def test_rules_that_ignore_suits_do_so(rule: str) -> None:
    deck = [4 * RANKS.index(rank) + suit for rank in "QKA" for suit in range(4)]
    strength = SHOWDOWN_RULES[rule].strength
    for cards in combinations(deck, 3):
        ranks = tuple(card >> 2 for card in cards)
        plain = tuple(4 * rank + ranks[:at].count(rank) for at, rank in enumerate(ranks))
        assert strength(cards[:1], cards[1:]) == strength(plain[:1], plain[1:])


def test_flushes_make_suits_count() -> None:
    for rule in ("three-card", "five-card"):
        assert SHOWDOWN_RULES[rule].suits


def test_names_stay_inside_the_deck() -> None:
    for name in ("leduc, suits c and h", "island, 2 × 3", "island, 3 × 2"):
        real, merged = trees(name)
        assert set(merged.infosets.names) <= set(real.infosets.names)
        assert set(merged.labels) <= set(real.labels)


def test_a_merged_game_is_a_game_with_a_name_of_its_own() -> None:
    game = load_betting_game("leduc")
    merged = merge_suits(game)
    assert (merged.name, merged.players, merged.game) == ("leduc up to suits", 2, game)
    real, small = trees("leduc")
    assert real.digest != small.digest


def test_what_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match=r"^suits of rps cannot be merged: it is not a card game$"):
        merge_suits(load_game("rps"))
    with pytest.raises(
        ValueError,
        match=r"^suits of draw cannot be merged: streets\[1\]\.draw is 5, and only games without",
    ):
        merge_suits(load_game("draw"))
    state = merge_suits(load_game("leduc")).start()
    with pytest.raises(ValueError, match=r"^illegal outcome 'As' after '': 1 of Jh"):
        state.apply("As")


def test_the_whole_of_rhode_island_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match=r"^rhodeisland up to suits has more than 5,000 nodes"):
        GameTree.build(merge_suits(load_game("rhodeisland")), limit=5_000)
