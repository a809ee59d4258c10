import pytest

from pokerlab.games import load_game
from pokerlab.solvers import nash_conv, values
from pokerlab.studies.teams.kuhn_family import KuhnEquilibrium, corners
from pokerlab.trees import GameTree


@pytest.fixture(scope="module")
def tree():
    return GameTree.of(load_game("kuhn.3p"))


def test_every_member_is_an_equilibrium_with_the_values_of_the_paper(tree):
    for member in corners():
        strategy = member.strategy(tree)
        assert nash_conv(tree, strategy) < 1e-12
        first, second, third = 48 * values(tree, strategy)
        assert first == pytest.approx(-1 - 2 * member.beta)
        assert second == pytest.approx(-1)
        assert third == pytest.approx(2 + 2 * member.beta)


def test_corners_are_members_of_their_own(tree):
    members = list(corners())
    rows = {tuple(member.strategy(tree).array.round(9)) for member in members}
    assert len(rows) == len(members)


def test_strategies_outside_are_none(tree):
    inside = KuhnEquilibrium(c11=0.25, b11=0.125, b21=0.125).strategy(tree)
    for name, choice in {
        "As:c": {"c": 0.3, "r": 0.7},  # b41 must be 1/2
        "Qs:cc": {"c": 0.5, "r": 0.5},  # c21 must be 1/4
        "Js": {"c": 0.5, "r": 0.5},  # the first player never bets
        "Ks:crf": {"f": 1.0, "c": 0.0},  # a33 must be 1/2
    }.items():
        assert nash_conv(tree, inside.changed({name: choice})) > 1e-3


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"c11": 0.6}, "c11: 0.6 is not in this family"),
        ({"b11": 0.1}, "b11: 0.1 is not in this family of equilibria"),
        ({"c11": 0.25, "b11": 0.1}, r"b21: 0 is not in this family .*\(0.1 to 0.1\)"),
        ({"c11": 0.5, "b11": 0.25, "b21": 0.1}, "b21: 0.1 is not"),
        ({"b23": 0.1}, "b23: 0.1 is not"),
        ({"b32": 0.9}, "b32: 0.9 is not"),
        ({"b32": 0.1}, r"c33: 0 is not .*\(0.4 to 0.4\)"),
    ],
)
def test_parameters_outside(parameters, message):
    with pytest.raises(ValueError, match=message):
        KuhnEquilibrium(**parameters)
