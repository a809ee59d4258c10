import pytest

from pokerlab.games import load_game
from pokerlab.players.bots.mapping.histories import decisions_of
from pokerlab.players.bots.mapping.opponents import COMBINATIONS

TRIPLES = [(0.25, 0.25, 0.5), (0.5, 0.5, 0.0)]


def decisions(betting):
    return decisions_of(load_game("holdem.limit.3p").replay(betting).node)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean", (0.375, 0.375, 0.25)),
        ("both", (0.625, 0.375 * 0.6, 0.375 * 0.4)),
    ],
)
def test_two_opponents_are_combined(name, expected):
    combined = COMBINATIONS.find(name)(TRIPLES, decisions("ccr"))
    assert combined == pytest.approx(expected)


@pytest.mark.parametrize("name", COMBINATIONS.names)
def test_what_both_say_for_sure_is_played(name):
    for triple in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)):
        assert COMBINATIONS.find(name)([triple, triple], decisions("rr")) == pytest.approx(triple)


def test_an_unknown_combination_is_named():
    with pytest.raises(ValueError, match="no combination of opponents 'max'"):
        COMBINATIONS.find("max")
