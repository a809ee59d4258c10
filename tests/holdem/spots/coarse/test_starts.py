"""Starts from similar spots."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.spots import PostflopSolver, Spot, solve_spot
from pokerlab.holdem.spots.coarse.starts import start_from_cards, start_from_menu
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.studies.bets.starts import carry_flop

TURN = Spot(
    "QhJh2c4d", "AA, KQs, 98s, QJ", "JJ, AKs, QTs, AQ", pot=100, stack=150, bet="50%", raise_="a"
)


def start_value(spot: Spot, start: object) -> float:
    solver = PostflopSolver(spot, threads=1)
    solver.start_from(start)  # type: ignore[arg-type]
    return solver.exploitability()


def test_a_spot_starts_from_itself() -> None:
    solution = solve_spot(TURN, target="0.5%", threads=1)
    prepared = PreparedSpot.of(TURN)
    for start in (
        start_from_cards(solution, prepared, 10),
        start_from_menu(solution, prepared, 10),
    ):
        assert start_value(TURN, start) == pytest.approx(solution.exploitability.chips, abs=0.02)


def test_other_names_of_the_suits_are_the_same_spot() -> None:
    solution = solve_spot(TURN, target="0.5%", threads=1)
    renamed = TURN.with_board("QsJs2d4h")
    cards = carry_flop("QsJs2d4h", "QhJh2c4d")
    start = start_from_cards(solution, PreparedSpot.of(renamed), 10, cards)
    assert start_value(renamed, start) == pytest.approx(solution.exploitability.chips, abs=0.02)


def test_hands_that_are_new_play_all_actions() -> None:
    narrow = solve_spot(replace(TURN, oop=Range("AA, KQs, 98s")), target="0.5%", threads=1)
    prepared = PreparedSpot.of(TURN)
    start = start_from_cards(narrow, prepared, 10)
    solver = PostflopSolver(TURN, threads=1)
    solver.start_from(start)
    uniform = PostflopSolver(TURN, threads=1).exploitability()
    assert 0.5 < solver.exploitability() < uniform


def test_other_betting_and_other_boards_are_refused() -> None:
    solution = solve_spot(TURN, target="5%", threads=1)
    other = PreparedSpot.of(replace(TURN, pot=120))
    with pytest.raises(ValueError, match="another pot"):
        start_from_cards(solution, other, 10)
    with pytest.raises(ValueError, match="do not carry the board"):
        start_from_cards(solution, PreparedSpot.of(TURN.with_board("QhJh2c5d")), 10)
