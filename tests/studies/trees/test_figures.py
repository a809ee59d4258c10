from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.solvers import Strategy, best_response, node_values, reach, solve_lp, values
from pokerlab.studies import TREE_FIGURES, deviation_table, tree_picture, write_tree_figures
from pokerlab.studies.trees.pictures import edge_probabilities, view_values
from pokerlab.studies.trees.plots import (
    CONVEX_BEST,
    CONVEX_REGION,
    CONVEX_STUCK,
    convex_value,
    queen_values,
)
from pokerlab.trees import GameTree, make_view, view_names
from pokerlab.trees.drawing import Drawing


@cache
def grow(name: str) -> GameTree:
    return GameTree.of(load_game(name))


@cache
def figure(name: str) -> Drawing:
    drawn = TREE_FIGURES[name].draw()
    assert isinstance(drawn, Drawing)
    return drawn


def lines(name: str) -> dict[int, list[str]]:
    """What is written at each node of a figure."""
    return {node.number: [line.text for line in node.lines] for node in figure(name).nodes}


def test_table_1_of_the_document() -> None:
    more, less = deviation_table()
    assert (round(more.fold, 3), round(less.fold, 3)) == (0.767, 0.567)
    assert (more.bluff, more.value_bet) == pytest.approx((-0.05, 1 / 60))
    assert (less.bluff, less.value_bet) == pytest.approx((0.05, -1 / 60))
    # Player 0 takes what got worse for player 1 and neutralises the rest.
    assert (more.game, less.game) == pytest.approx((-0.05, -1 / 60))


def test_figures_7_and_8_show_values_and_differences() -> None:
    folds, calls = lines("exploit-folds"), lines("exploit-calls")
    assert folds[0] == ["v 0.0056", "Δ −0.0500"]
    assert folds[2] == ["v 0.2833", "Δ −0.0500"]
    assert folds[8] == ["v 0.2833", "Δ −0.0500"]
    assert folds[22] == ["v −0.3889", "Δ 0"]
    assert folds[28][1] == "Δ +0.0167"
    assert calls[0] == ["v 0.0389", "Δ −0.0167"]
    assert calls[2] == ["v 0.3333", "Δ 0"]
    assert calls[8][1] == "Δ +0.0500"
    assert calls[28][1] == calls[22][1] == "Δ −0.0167"


@pytest.mark.parametrize("name", ["exploit-none", "exploit-folds", "exploit-calls"])
def test_the_move_of_node_17_touches_four_leaves(name: str) -> None:
    assert [node.number for node in figure(name).nodes if node.highlighted] == [9, 10, 29, 30]


def test_best_moves_are_thick_and_ties_are_two() -> None:
    def thick(name: str) -> set[int]:
        return {node.number for node in figure(name).nodes if node.thick}

    # In equilibrium nodes 2, 15 and 22 have no best choice.
    assert thick("exploit-none") == {3, 8, 6, 13, 16, 17, 23, 28, 27}
    assert thick("exploit-folds") == {8, 6, 13, 16, 17, 23, 27}
    assert thick("exploit-calls") == {3, 6, 13, 16, 17, 28, 27}


def test_figure_6_has_the_value_of_the_game() -> None:
    assert lines("exploit-none")[0] == ["v 0.0556"]
    evenly = Strategy.uniform(grow("kuhn").infosets)
    best = best_response(grow("kuhn"), evenly, 0).value
    assert lines("best-response")[0] == [f"v −{best:g}"] == ["v −0.5"]


def test_figure_5_is_the_equilibrium_of_player_1() -> None:
    chosen = {node.number: node.edge_notes for node in figure("equilibrium").nodes}
    assert {node: text for node, text in chosen.items() if text} == {
        4: "0.667",
        5: "0.333",
        9: "1",
        10: "0",
        13: "1",
        14: "0",
        18: "0.667",
        19: "0.333",
        22: "0",
        23: "1",
        27: "0",
        28: "1",
    }


def test_figures_1_to_3_show_what_a_move_influences() -> None:
    counts = {"influence-own": 4, "influence-game": 8, "influence-opponent": 8}
    for name, count in counts.items():
        assert sum(node.highlighted for node in figure(name).nodes) == count


def test_figures_9_and_10_show_the_obvious_moves() -> None:
    first = {node.number: node for node in figure("obvious-0").nodes}
    second = {node.number: node for node in figure("obvious-1").nodes}
    # J folds to a bet, K calls it (both players); then player 1 checks back Q.
    assert [first[number].faint for number in (6, 7, 26, 27)] == [False, True, True, False]
    assert [second[number].faint for number in (9, 10, 27, 28)] == [False, True, True, False]
    assert first[7].edge_notes == second[10].edge_notes == "(round 1)"
    assert [second[number].faint for number in (13, 14, 15)] == [False, True, True]
    assert second[14].edge_notes == "(round 2)"
    assert lines("obvious-0")[6] == ["h6"]


def test_figure_11_has_the_coefficients_of_table_2() -> None:
    written = lines("opponent-0")
    for path in ("1d{Q}", "1d{K}"):
        view = make_view(grow("kuhn"), "player:1")
        fold, call = (view.find_one(f"0d{{}} {path} 0c 1r {end}") for end in ("0f", "0c"))
        assert "Js: −0.17 h6" in written[fold]
        assert "Js: −0.33 h7" in written[call]
    assert len(lines("opponent-1")) == 31


def test_figure_14_marks_decisions_with_a_best_move() -> None:
    # The document: J and K facing a raise are obvious, and Q should check (node 13, not 18).
    assert [node.number for node in figure("best-move").nodes if node.highlighted] == [5, 12, 25]
    written = lines("best-move")
    assert written[13] == ["v 0.1111"] and written[18] == ["v 0.1667"]


def test_figure_15_has_the_terms_of_the_document() -> None:
    written = lines("best-move-variables")
    assert written[14] == ["Js: −0.17 h4", "Ks: 0.17 h22"]
    assert written[16] == ["Js: 0.17 h5", "Ks: 0.17 h23"]
    assert written[17] == ["Js: −0.33 h5", "Ks: 0.33 h23"]
    marked = [node.number for node in figure("best-move-variables").nodes if node.highlighted]
    assert marked == list(range(12, 21))


def test_figure_16_has_the_lines_of_the_document() -> None:
    found = queen_values(61)
    assert found.folds == pytest.approx(found.raises / 3)
    assert found.calls == pytest.approx((1 - found.raises) / 6)
    assert found.raises[found.checks.argmax()] == pytest.approx(1 / 3)
    # Whatever player 1 does with J, player 0 had better check.
    assert found.bets == pytest.approx(np.full(61, 1 / 6)) and found.checks.max() < 1 / 6


def test_figure_20_is_as_the_document_says() -> None:
    rng = np.random.default_rng(1)
    corners = np.array(CONVEX_REGION)
    points = rng.dirichlet(np.ones(len(corners)), 2000) @ corners
    one, other = points[:1000].T, points[1000:].T
    mean = (convex_value(*one) + convex_value(*other)) / 2
    assert (convex_value(*(one + other) / 2) <= mean + 1e-12).all()
    best = convex_value(*CONVEX_BEST)
    assert (convex_value(*points.T) <= best).all() and tuple(CONVEX_BEST) in CONVEX_REGION

    def inside(x: float, y: float) -> bool:
        following = np.roll(corners, -1, axis=0) - corners
        offset = np.array([x, y]) - corners
        turns = following[:, 0] * offset[:, 1] - following[:, 1] * offset[:, 0]
        return bool((turns >= -1e-9).all())

    assert inside(*CONVEX_STUCK) and all(inside(*point) for point in points[:50])
    for start in ((0.0, 0.0), CONVEX_STUCK):
        for shift in np.linspace(-2, 2, 4001).tolist():
            for x, y in ((start[0] + shift, start[1]), (start[0], start[1] + shift)):
                assert not inside(x, y) or convex_value(x, y) <= convex_value(*start) + 1e-9
    assert convex_value(*CONVEX_STUCK) < best


def test_figures_17_to_19_write_the_linear_program() -> None:
    hero = lines("program-hero")
    assert hero[3] == ["h3"] and hero[4] == ["(h3)"] and hero[2] == ["(1)"]
    game = {node.path: [line.text for line in node.lines] for node in figure("program-game").nodes}
    assert game["0d{Js} 1d{Qs} 0c 1r 0c"] == ["−0.33 h7"]
    assert not any(path.startswith("0d{Ks}") for path in game)
    opponent = lines("program-opponent")
    assert opponent[1][0] == "v1 = v2 + v11 + v20"
    assert opponent[12] == ["v12 ≤ v13", "v12 ≤ v14"]
    assert [text.strip() for text in opponent[15]] == ["v15 = −0.17 h6", "− 0.17 h26"]
    assert 20 not in opponent


def test_the_written_program_has_the_value_of_the_game() -> None:
    # Put the equilibrium into figure 19's leaves and go up: v0 = −1/18.
    tree = grow("kuhn")
    strategy = solve_lp(tree).strategy
    hero, opponent = make_view(tree, "player:0"), make_view(tree, "player:1")
    played = np.ones(len(hero))
    for node in range(1, len(hero)):
        own = hero.player[hero.parent[node]] == 0
        factor = strategy.array[hero.slot[node]] if own else 1.0
        played[node] = played[hero.parent[node]] * factor
    worth = np.zeros(len(opponent))
    for row, leaf in enumerate(tree.terminals.tolist()):
        gain = tree.terminal_chance[row] * tree.payoffs[row, 0] * played[hero.node_of[leaf]]
        worth[opponent.node_of[leaf]] += gain
    for node in range(len(opponent) - 1, -1, -1):
        below = [worth[child] for child in opponent.children(node)]
        if below:
            worth[node] = min(below) if opponent.player[node] == 1 else sum(below)
    assert worth[0] == pytest.approx(-1 / 18)


def test_all_figures_are_written_as_svg_and_png(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    files = write_tree_figures(tmp_path / "new", ["equilibrium", "program-game"])
    assert sorted(path.name for path in files) == [
        "equilibrium.png",
        "equilibrium.svg",
        "program-game.png",
        "program-game.svg",
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in files if path.suffix == ".png")
    files = write_tree_figures(tmp_path, formats=["svg"])
    assert [path.stem for path in files] == list(TREE_FIGURES)
    for path in files:
        root = ElementTree.parse(path).getroot()
        number = TREE_FIGURES[path.stem].number
        title = root.findtext("{http://www.w3.org/2000/svg}title")
        assert title is not None
        assert title.startswith(f"Figure {number}. ") == (number > 0)


def test_unknown_figure_and_missing_matplotlib_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="no figure 'nine': there are influence-own, influence-g"):
        write_tree_figures(tmp_path / "new", ["equilibrium", "nine"])
    for module in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ValueError, match="PNG pictures need matplotlib"):
        write_tree_figures(tmp_path / "new", ["equilibrium"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", ["kuhn", "leduc", "kuhn.3p", "rps", "seminar2"])
def test_values_and_probabilities_of_views(game: str) -> None:
    tree = grow(game)
    rng = np.random.default_rng(7)
    strategy = Strategy.from_weights(tree.infosets, rng.random(tree.infosets.slots) + 0.1)
    won = values(tree, strategy)
    for name in view_names(tree):
        view = make_view(tree, name)
        if name == "chance":
            continue
        likely = edge_probabilities(view, strategy)
        for seat in range(tree.players):
            worth = view_values(view, strategy, seat)
            assert worth[0] == pytest.approx(won[seat])
            for node in range(len(view)):
                children = view.children(node)
                if children:
                    assert likely[children].sum() == pytest.approx(1)
                    # What a node is worth is what its children are worth, by probability.
                    assert worth[node] == pytest.approx(likely[children] @ worth[children])
    full = make_view(tree, "game")
    assert (view_values(full, strategy, 0) == node_values(tree, strategy)[:, 0]).all()
    assert full.sum(reach(tree, strategy))[0] == 1


def test_nobody_comes() -> None:
    tree = grow("kuhn")
    never = Strategy.of(tree.infosets, {name: {"c": 1} for name in ("Js", "Qs", "Ks")})
    view = make_view(tree, "player:1")
    raised = view.find_one("0d{} 1d{J} 0r")
    assert np.isnan(view_values(view, never, 1)[raised])
    assert edge_probabilities(view, never)[raised] == 0
    # The owner of a tree sees what a move would be worth that he never makes.
    own = make_view(tree, "player:0")
    assert np.isfinite(view_values(own, never, 0)).all()


def test_picture_with_everything() -> None:
    tree = grow("kuhn")
    before = Strategy.uniform(tree.infosets)
    after = before.changed({"Ks:r": {"c": 1}})
    picture = tree_picture(
        tree,
        "player:1",
        strategy=after,
        compare=before,
        show=["strategy", "values", "reach", "deltas", "infosets"],
        move=(1, "0d{} 1d{K} 0r"),
        path="0d{} 1d{K} 0r…",
    )
    # With K, a bet was worth (−1 + 2)/2 and is now 2; K comes in a third, the bet in half of it.
    assert picture.text() == (
        "kuhn, tree of player 1\n"
        "#0: chance; v 0.125; Δ +0.2500; reach 1\n"
        "└─ 0d{} 1 → #1: chance; v 0.125; Δ +0.2500; reach 1; … 18 nodes\n"
        "   └─ 1d{Ks} 0.333 → #20: player 0; v 1.625; Δ +0.7500; reach 0.3333; … 5 nodes\n"
        "      └─ 0r 0.5 → #26: player 1; Ks:r; v 2; Δ +1.5000; reach 0.1667\n"
        "         ├─ 1f 0 → #27: end; 1 −1; v −1; Δ 0; reach 0 [influenced by player 1]\n"
        "         └─ 1c 1 → #28: end; −2 2; v 2; Δ 0; reach 0.1667 [influenced by player 1]"
    )


def test_picture_of_the_chance_tree() -> None:
    assert tree_picture(grow("kuhn"), "chance", path="0d{J} 1d{Q}").text() == (
        "kuhn, chance tree\n"
        "#0: chance; p 1; … 6 nodes\n"
        "└─ 0d{Js} → #1: chance; p 0.3333; … 1 node\n"
        "   └─ 1d{Qs} → #2: end; p 0.1667; 0,1: −1 +1"
    )
    three = tree_picture(grow("kuhn.3p"), "chance", path="0d{J} 1d{Q} 2d{K}").nodes[-1]
    assert [line.text for line in three.lines] == [
        "p 0.0417",
        "0,1,2: −1 −1 +2",
        "0,1: −1 +1",
        "0,2: −1 +1",
        "1,2: −1 +1",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "hero"}, "unknown view 'hero' of kuhn: game, player:0, player:1, observer, "),
        ({"show": ["colours"]}, "cannot show 'colours' in a tree: strategy, values, reach, delt"),
        ({"show": ["infosets", "reach"]}, "to show reach a strategy is needed"),
        ({"seat": 2}, "no player 2: kuhn has 2, from 0"),
        ({"move": (1, "0d{}1d{A}")}, "no path '0d{}1d{A}' in kuhn, tree of player 1: after '0d{"),
    ],
)
def test_wrong_pictures(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        tree_picture(grow("kuhn"), **options)  # type: ignore[arg-type]
    assert str(raised.value).startswith(message)


def test_deltas_need_something_to_compare_with() -> None:
    evenly = Strategy.uniform(grow("kuhn").infosets)
    with pytest.raises(ValueError, match="to show deltas, a strategy to compare with is needed"):
        tree_picture(grow("kuhn"), strategy=evenly, show=["deltas"])
