"""Games without cards."""

from __future__ import annotations

from itertools import product

import pytest

from pokerlab.games import Choice, Game, MatrixGame, State, WrittenGame, load_game
from pokerlab.games.theory import THEORY_GAMES


def outcome(state: State, answers: dict[tuple[int, str], str]) -> tuple[float, ...]:
    """The payoffs when each seat plays by a table of what it has seen."""
    while state.player >= 0:
        state = state.apply(answers[state.player, state.seen_by(state.player)])
    return tuple(state.payoffs())


def pure_equilibria(game: Game) -> set[tuple[str, str]]:
    """Pure equilibria by trying everything: moves of seat 0, answers of seat 1 in order."""
    infosets: dict[tuple[int, str], tuple[str, ...]] = {}

    def visit(state: State) -> None:
        if state.player >= 0:
            infosets.setdefault((state.player, state.seen_by(state.player)), tuple(state.actions()))
            for action in state.actions():
                visit(state.apply(action))

    visit(game.start())
    strategies = [
        [
            dict(zip(own, moves, strict=True))
            for own in [[key for key in infosets if key[0] == seat]]
            for moves in product(*(infosets[key] for key in own))
        ]
        for seat in (0, 1)
    ]
    found = set()
    for mine, theirs in product(*strategies):
        payoffs = outcome(game.start(), mine | theirs)
        best_mine = max(outcome(game.start(), other | theirs)[0] for other in strategies[0])
        best_theirs = max(outcome(game.start(), mine | other)[1] for other in strategies[1])
        if payoffs == (best_mine, best_theirs):
            found.add(("".join(mine.values()), "".join(theirs.values())))
    return found


def test_pure_equilibria_of_the_seminar() -> None:
    assert pure_equilibria(load_game("seminar1")) == {("X", "wy"), ("X", "wz"), ("Y", "xy")}
    assert pure_equilibria(load_game("seminar2")) == {
        ("X", "xw"),
        ("X", "xz"),
        ("Y", "yz"),
        ("Z", "yw"),
    }


def test_information_sets_of_the_second_example() -> None:
    start = load_game("seminar2").start()
    seen = {move: start.apply(move).seen_by(1) for move in start.actions()}
    assert seen["X"] == seen["Y"] != seen["Z"]
    assert start.apply("X").actions() == start.apply("Y").actions() == ("x", "y")
    assert start.apply("X").seen_by(0) != start.apply("Y").seen_by(0)


def test_dynamite_wins_once_and_loses_twice() -> None:
    start = load_game("rps.dynamite").start()
    results = [start.apply("dynamite").apply(other).payoffs()[0] for other in start.actions()]
    assert sorted(results) == [-1.0, -1.0, 0.0, 1.0]
    for other in start.actions():
        mine = start.apply("dynamite").apply(other).payoffs()[0]
        assert start.apply("paper").apply(other).payoffs()[0] >= mine


def test_rock_paper_scissors_is_fair() -> None:
    start = load_game("rps").start()
    for mine in start.actions():
        results = [start.apply(mine).apply(other).payoffs()[0] for other in start.actions()]
        assert sorted(results) == [-1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("shown", "payoffs"),
    [
        (("heads", "heads", "heads"), (0.0, 0.0, 0.0)),
        (("heads", "tails", "heads"), (0.5, -1.0, 0.5)),
        (("heads", "tails", "tails"), (-1.0, 0.5, 0.5)),
    ],
)
def test_the_odd_one_out_pays(shown: tuple[str, ...], payoffs: tuple[float, ...]) -> None:
    state = load_game("coins.3p").start()
    for side in shown:
        assert state.seen_by(state.player) == state.public() == ""
        state = state.apply(side)
    assert state.payoffs() == payoffs


@pytest.mark.parametrize("name", sorted(THEORY_GAMES))
def test_errors_are_named(name: str) -> None:
    state = load_game(name).start()
    with pytest.raises(ValueError, match=f"{name} is not over: seat 0 has not"):
        state.payoffs()
    with pytest.raises(ValueError, match=r"illegal action 'lizard': .* or "):
        state.apply("lizard")
    while state.player >= 0:
        state = state.apply(state.actions()[0])
    with pytest.raises(ValueError, match="illegal action 'X': the game is over"):
        state.apply("X")


def test_a_matrix_must_be_complete() -> None:
    with pytest.raises(ValueError, match=r"half: table: \('b',\) needs 1 payoffs, one a player"):
        MatrixGame("half", "", (("a", "b"),), {("a",): (1.0,)})


def test_longer_games_keep_what_was_seen() -> None:
    last = Choice(0, {"l": (1.0, 0.0), "r": (0.0, 1.0)})
    game = WrittenGame("long", "", 2, Choice(0, {"a": Choice(1, {"b": last})}, {"a": "?"}))
    state = game.start().apply("a").apply("b")
    assert (state.seen_by(0), state.seen_by(1), state.public()) == ("a, b", "?, b", "?, b")
