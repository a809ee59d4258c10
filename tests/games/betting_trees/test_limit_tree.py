"""Limit games as betting trees: every line replays by the rules."""

import pytest

from pokerlab.games import load_betting_game
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.limit_tree import build_limit_tree


def short_stacks():
    """Hold'em in which chips are gone before the flop, on it, or not at all."""
    return load_betting_game("holdem.limit.2p").with_stacks((30, 30))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "rhodeisland", "short stacks"])
def test_every_line_replays_by_the_rules(name):
    game = short_stacks() if name == "short stacks" else load_betting_game(name)
    tree, decisions = build_limit_tree(game, 0, [game.first_betting], idle=1)
    last, ends = len(game.streets) - 1, 0
    assert [street.number for street in tree.streets] == list(range(2 - last, 3))
    for level, (street, nodes) in enumerate(zip(tree.streets, decisions, strict=True)):
        assert street.nodes == len(nodes)
        for number, node in enumerate(nodes):
            edges = street.edges_of(number)
            if node is None:  # nobody has chips left
                assert (len(edges), int(street.player[number])) == (1, 1)
                kind = EdgeKind.SHOWDOWN if level == last else EdgeKind.NEXT_STREET
                assert street.kind[edges[0]] == kind
                continue
            assert (node.street, node.player) == (level, int(street.player[number]))
            assert tuple(street.committed[number]) == node.spent
            assert (int(street.pot[number]), int(street.bets[number])) == (node.pot, node.raises)
            assert len(edges) == len(node.actions())
            for edge, action in zip(edges, node.actions(), strict=True):
                after, kind = node.after(action), street.kind[edge]
                assert street.matched[edge] == min(after.spent)
                if kind == EdgeKind.NODE:
                    assert nodes[street.target[edge]].text == after.text
                elif kind == EdgeKind.FOLD:
                    assert (action, after.player < 0) == ("f", True)
                    ends += 1
                elif kind == EdgeKind.SHOWDOWN:
                    assert (level, after.player < 0, any(after.folded)) == (last, True, False)
                    ends += 1
                else:
                    assert not any(after.folded)
                    first = tree.streets[level + 1].root_first_node[street.target[edge]]
                    follows = decisions[level + 1][first]
                    assert follows is None or follows.text == after.text
    assert ends > 0


def test_what_is_never_played_is_left_out():
    leduc = load_betting_game("leduc")
    tree, decisions = build_limit_tree(
        leduc, 0, [leduc.first_betting], may_play=lambda node, action: node.player or action != "r"
    )
    texts = {node.text for nodes in decisions for node in nodes}
    assert "r" not in texts
    assert {"", "c", "cr", "cc/", "crc/"} <= texts
    assert tree.streets[1].roots == 2
