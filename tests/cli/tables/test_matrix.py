"""A strategy as a 13×13 picture."""

from __future__ import annotations

import io

import numpy as np
from rich.console import Console

from pokerlab.cli.tables.matrix import StrategyMatrix
from pokerlab.holdem.spots import load_postflop


def drawn(matrix, **settings):
    console = Console(file=io.StringIO(), width=80, **settings)
    console.print(matrix)
    return console.file.getvalue().splitlines()


def matrix_of(shares, weight=1.0):
    """A picture in which aces do something, and no other hand is there."""
    every = np.zeros((len(shares), 169))
    every[:, 0] = shares
    weights = np.zeros(169)
    weights[0] = weight
    actions = ["f", "c", "r300", "a"][: len(shares)]
    return StrategyMatrix(actions, every, weights)


def test_a_bar_without_colours():
    for shares, bar in [
        ([0.6, 0.4], "fffcc"),
        ([0, 1], "ccccc"),
        ([0.2, 0.2, 0.2, 0.4], "fc1aa"),
    ]:
        lines = drawn(matrix_of(shares), no_color=True)
        assert lines[0].split()[0] == "AA"
        assert lines[1] == bar
        assert len(lines) == 14


def test_a_bar_in_colours_is_split_in_proportion():
    lines = drawn(
        matrix_of([0.5, 0.5]), force_terminal=True, color_system="truecolor", no_color=False
    )
    fold, call = "111;163;216", "108;187;124"
    # Five places wide: the third one is half and half.
    assert f"\x1b[48;2;{fold}m \x1b[0m\x1b[48;2;{fold}m \x1b[0m" in lines[1]
    assert f"\x1b[38;2;{fold};48;2;{call}m▌\x1b[0m" in lines[1]
    assert "A" in lines[0]
    assert fold in lines[0]


def test_the_picture_of_a_solution(river):
    lines = drawn(StrategyMatrix.of(load_postflop(river).at("x/a")), no_color=True)
    words = [line.split() for line in lines]
    assert words[0][:2] == ["AA", "·"]
    assert words[2][1] == "·"
    assert "KQs" in words[2]
    assert words[3] == ["ccccc"]  # top pair calls
