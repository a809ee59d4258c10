import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.holdem.preflop import BIG_BLIND, SMALL_BLIND, PreflopRules, PreflopTree

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
    tree = PreflopTree(rules)
    assert [node.line for node in tree.nodes].index("") == 0
    assert len({node.line for node in tree.nodes}) == len(tree.nodes)
    for number, node in enumerate(tree.nodes):
        assert tree.find(node.line) == number
        assert max(node.paid) <= rules.stack
        for action, child in zip(node.actions, node.children, strict=True):
            after = tree.nodes[child]
            assert child > number
            assert after.line == f"{node.line}/{action}".lstrip("/")
            assert all(new >= old for new, old in zip(after.paid, node.paid, strict=True))
            if action[0] in "ra":
                assert after.player == 1 - node.player
                assert after.paid[node.player] > max(node.paid)
                assert after.aggressor == node.player
                assert (action == "a") == (after.paid[node.player] == rules.stack)
        if node.player is None:
            folded = node.ending == "fold"
            assert (node.folded is not None) == folded
            assert folded or node.paid[0] == node.paid[1]
            assert (node.ending == "showdown") == (not folded and node.paid[0] == rules.stack)


@given(RULES)
def test_raises_are_at_least_the_raise_before(rules):
    tree = PreflopTree(rules)

    def check(number, by):
        node = tree.nodes[number]
        for action, child in zip(node.actions, node.children, strict=True):
            after = tree.nodes[child]
            if action[0] == "r":
                assert after.paid[node.player] - max(node.paid) >= by - 1e-9
                check(child, after.paid[node.player] - max(node.paid))
            elif after.player is not None:
                check(child, by)

    check(0, 1)


def test_what_is_paid_and_who_acts():
    tree = PreflopTree(PreflopRules(20, "2.5x, a; 3x; a"))
    limped, raised = tree.nodes[tree.find("c/x")], tree.nodes[tree.find("r2.5/r7.5/c")]
    assert (limped.paid, limped.aggressor, limped.ending) == ((1, 1), None, "flop")
    assert (raised.paid, raised.aggressor) == ((7.5, 7.5), BIG_BLIND)
    assert tree.nodes[tree.find("r2.5")].actions == ("f", "c", "r7.5")
    assert tree.nodes[tree.find("r2.5/r7.5")].player == SMALL_BLIND
    assert tree.nodes[tree.find("r2.5/f")].paid == (2.5, 1)
    assert [tree.nodes[number].line for number in tree.flops] == [
        "c/x",
        "c/r2.5/c",
        "c/r2.5/r7.5/c",
        "r2.5/c",
        "r2.5/r7.5/c",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"stack": 1}, "stack: 1 is not a number of big blinds above 1, at most 1000"),
        ({"stack": 5000}, "at most 1000"),
        ({"stack": float("nan")}, "stack: nan"),
        ({"stack": 10.001}, "in hundredths"),
        ({"stack": 10, "raises": "2.5"}, "raises: '2.5' is not a size"),
        ({"stack": 10, "raises": "", "limp": False}, "the small blind can only fold"),
        ({"stack": 10, "small_blind": 2}, "small_blind: 2 is not a part of a big blind"),
        ({"stack": 10, "ante": -1}, "ante: -1"),
    ],
)
def test_bad_rules_are_refused(arguments, said):
    with pytest.raises(ValueError, match="") as refused:
        PreflopRules(**arguments)
    assert said in str(refused.value)


def test_a_line_that_is_not_there():
    with pytest.raises(ValueError, match="no line 'r9' before the flop; lines are f, c, c/x"):
        PreflopTree(PreflopRules(10)).find("r9")
