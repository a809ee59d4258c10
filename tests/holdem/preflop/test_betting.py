import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games.betting_trees import ActionKind, EdgeKind
from pokerlab.holdem.preflop import BIG_BLIND, SMALL_BLIND, FlopBets, PreflopGame, PreflopRules
from pokerlab.holdem.preflop.flop_bets import flop_edges

SIZES = st.sampled_from(["2x", "2.5x", "3x", "50%", "100%", "a", "1.5bb"])
MENUS = st.lists(SIZES, max_size=3).map(", ".join)
RULES = st.builds(
    lambda stack, first, later, limp, ante: PreflopRules(
        stack / 100, ";".join([first or "a", *later]), limp, ante=ante
    ),
    st.integers(101, 4000),
    MENUS,
    st.lists(MENUS, max_size=2),
    st.booleans(),
    st.sampled_from([0.0, 0.1, 0.13]),
)


@given(RULES)
def test_every_line_is_legal(rules):
    tree = rules.tree
    (street,) = tree.streets
    lines = [line for _, _, line in tree.walk()]
    assert lines[0] == "" and len(set(lines)) == len(lines)
    for node, line in enumerate(lines):
        assert tree.find(line).node == node
        player = street.player[node]
        assert player == len(line.split("/")) % 2 if line else player == SMALL_BLIND
        by = street.facing[node] - street.committed[node].min()  # the raise before
        for edge, label in zip(street.edges_of(node), street.labels(node), strict=True):
            found = tree.find(f"{line}/{label}".lstrip("/"))
            assert (found.kind, found.edge) == (street.kind[edge], edge)
            amount = street.amount[edge]
            if label[0] in "ra":
                assert street.kind[edge] == EdgeKind.NODE
                assert (label == "a") == (amount == tree.stack)
                assert amount - street.facing[node] >= max(by, 100) or label == "a"
            elif street.kind[edge] != EdgeKind.NODE:
                assert (label == "f") == (street.kind[edge] == EdgeKind.FOLD)
                assert (street.kind[edge] == EdgeKind.ALLIN) == (
                    label == "c" and street.matched[edge] == tree.stack
                )


@given(RULES)
def test_places_of_the_bucket_game_are_those_of_the_tree(rules):
    game = PreflopGame(rules)
    (betting,), (street,) = game.streets, rules.tree.streets
    for node in range(street.nodes):
        labels = street.labels(node)
        assert (
            (betting.child[node] >= 0) == (np.arange(betting.child.shape[1]) < len(labels))
        ).all()
        line = rules.tree.line(0, node)
        for action, edge in enumerate(street.edges_of(node)):
            place = betting.child[node, action]
            assert game.place(f"{line}/{labels[action]}".lstrip("/")) == place
            paid = street.matched[edge] / 100 + rules.ante
            if street.kind[edge] == EdgeKind.FOLD:
                gains = betting.fold_gains[betting.folds == place][0]
                assert gains[street.player[node]] == -gains[1 - street.player[node]]
                assert gains[street.player[node]] == pytest.approx(-paid)
            elif street.kind[edge] == EdgeKind.ALLIN:
                assert betting.stakes[betting.showdowns == place] == pytest.approx([paid])
            elif street.kind[edge] == EdgeKind.NEXT_STREET:
                assert game.flop_stakes[betting.ways == place] == pytest.approx([paid])


def test_what_is_paid_and_who_acts():
    rules = PreflopRules(20, "2.5x, a; 3x; a", ante=0.1)
    tree = rules.tree
    (street,) = tree.streets
    raised = tree.find("r2.5")
    assert street.labels(raised.node) == ["f", "c", "r7.5"]
    assert street.player[raised.node] == BIG_BLIND
    assert street.committed[raised.node].tolist() == [250, 100]
    assert street.player[tree.find("r2.5/r7.5").node] == SMALL_BLIND
    assert street.matched[tree.find("r2.5/f").edge] == 100
    lines = ["c/x", "c/r2.5/c", "c/r2.5/r7.5/c", "r2.5/c", "r2.5/r7.5/c"]
    assert [tree.find(line).edge for line in lines] == flop_edges(tree).tolist()
    spots = FlopBets().spots(rules, "QhJh2c")
    assert [spot.pot for spot in spots] == [2.2, 5.2, 15.2, 5.2, 15.2]
    assert [spot.stack for spot in spots] == [19, 17.5, 12.5, 17.5, 12.5]
    # The small blind is in position after the flop.
    assert [spot.aggressor for spot in spots] == [None, "oop", "ip", "ip", "oop"]


def test_a_limp_is_a_call_even_where_it_costs_nothing():
    (street,) = PreflopRules(10, "a", small_blind=1).tree.streets
    assert street.action[list(street.edges_of(0))].tolist() == [ActionKind.CALL, ActionKind.ALLIN]
    (street,) = PreflopRules(10, "a", limp=False).tree.streets
    assert street.labels(0) == ["f", "a"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"stack": 1}, "stack: 1 is not a number of big blinds above 1, at most 1000"),
        ({"stack": 5000}, "at most 1000"),
        ({"stack": float("nan")}, "stack: nan"),
        ({"stack": 10.001}, "in hundredths"),
        ({"stack": 10, "raises": "2.5"}, "raises: '2.5' is not a size"),
        ({"stack": 10, "raises": "", "limp": False}, "the small blind can only fold"),
        ({"stack": 10, "raises": "; a", "limp": False}, "the small blind can only fold"),
        ({"stack": 10, "small_blind": 2}, "small_blind: 2 is not a part of a big blind"),
        ({"stack": 10, "ante": -1}, "ante: -1"),
    ],
)
def test_bad_rules_are_refused(arguments, said):
    with pytest.raises(ValueError, match="") as refused:
        PreflopRules(**arguments)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("r9", "line 'r9': token 1, 'r9': not possible here; possible: f, c, r2, a"),
        ("c/x/x", "line 'c/x/x': token 3, 'x': the betting is over here"),
        ("c/x/Qh", "token 3, 'Qh': no card comes here; possible: nothing, the betting is over"),
    ],
)
def test_a_line_that_is_not_there(line, said):
    with pytest.raises(ValueError, match="") as refused:
        PreflopRules(10).tree.find(line)
    assert said in str(refused.value)


def test_too_many_lines_are_refused(monkeypatch):
    monkeypatch.setattr("pokerlab.games.betting_trees.builder.MAX_NODES", 1000)
    sizes = ", ".join(f"{100 + step}%" for step in range(60))
    with pytest.raises(ValueError, match="more than 1,000 decisions before the flop; choose fewer"):
        PreflopRules(1000, sizes).tree  # noqa: B018
