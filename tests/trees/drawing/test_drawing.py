from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import load_game
from pokerlab.games.protocol import TERMINAL
from pokerlab.trees import GameTree, View, make_view
from pokerlab.trees.drawing import Drawing, Mark, draw
from pokerlab.trees.drawing.drawing import number_text
from pokerlab.trees.drawing.scene import Box, Words, make_scene, tidy_rows

SVG = "{http://www.w3.org/2000/svg}"


@cache
def look(game: str, view: str) -> View:
    return make_view(GameTree.build(load_game(game)), view)


@cache
def rich_drawing() -> Drawing:
    """A drawing with everything at once."""
    view = look("kuhn", "game")
    numbers = np.arange(len(view)) / 7 - 2
    numbers[3] = np.nan
    return draw(
        view,
        nodes={"v": numbers, "Δ": -numbers, "note": ["a < b & c"] * len(view)},
        edges={"p": numbers / 10},
        highlight=Mark("blue", [4, 5]),
        faint=Mark("pale", view.player == TERMINAL),
        thick=Mark("thick", [5]),
        infosets=True,
        title='Tree "of" <all> & more',
    )


DRAWINGS = {
    "action": lambda: draw(look("kuhn", "action")),
    "rich": rich_drawing,
    "leduc": lambda: draw(look("leduc", "observer"), infosets=True),
    "three": lambda: draw(look("kuhn.3p", "game"), infosets=True, depth=5),
    "path": lambda: draw(look("leduc", "player:0"), path="0d{K}1d{}0r1r…", infosets=True),
    "one node": lambda: draw(look("rps", "chance")),
}


@pytest.fixture(params=DRAWINGS)
def drawing(request: pytest.FixtureRequest) -> Drawing:
    return DRAWINGS[request.param]()


def test_text_of_the_action_tree_of_kuhn() -> None:
    assert draw(look("kuhn", "action")).text() == (
        "kuhn, action tree\n"
        "#0: player 0\n"
        "├─ 0c → #1: player 1\n"
        "│  ├─ 1c → #2: end\n"
        "│  └─ 1r → #3: player 0\n"
        "│     ├─ 0f → #4: end; −1 1\n"
        "│     └─ 0c → #5: end\n"
        "└─ 0r → #6: player 1\n"
        "   ├─ 1f → #7: end; 1 −1\n"
        "   └─ 1c → #8: end"
    )


def test_text_with_notes_and_marks() -> None:
    view = look("kuhn", "action")
    values = np.array([0.125, -0.25, np.nan, 0, 0, 0, 0, 0, 0])
    drawing = draw(
        view,
        nodes={"v": values, "Δ": -values, "note": ["", "two\n  lines", *[""] * 7]},
        edges={"p": values + 0.25},
        highlight=Mark("influenced", [1]),
        thick=Mark("best", view.slot == 99),
        faint=Mark("gone", np.arange(len(view)) == 1),
        path="0c",
        title="A title",
    )
    assert drawing.text() == (
        "A title\n"
        "#0: player 0; v 0.125; Δ −0.1250; … 3 nodes\n"
        "└─ 0c 0 → #1: player 1; v −0.25; Δ +0.2500; two; lines; … 4 nodes [influenced, gone]"
    )
    assert [line.tone for line in drawing.nodes[0].lines] == ["plain", "bad", "quiet"]
    assert [line.tone for line in drawing.nodes[1].lines][1] == "good"


def test_every_node_is_once_in_each_kind_of_picture(drawing: Drawing) -> None:
    numbers = [str(node.number) for node in drawing.nodes]
    assert re.findall(r"#(\d+):", drawing.text()) == numbers
    assert re.findall(r"^  n(\d+) \[", drawing.dot(), re.MULTILINE) == numbers
    root = ElementTree.fromstring(drawing.svg())
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "node"]
    assert [group.get("id") for group in groups] == [f"node{number}" for number in numbers]
    assert len(drawing.text().splitlines()) == 1 + len(numbers)
    edges = [path for path in root.iter(f"{SVG}path") if "C" in str(path.get("d"))]
    assert len(edges) == len(numbers) - 1
    solid = [row for row in drawing.dot().splitlines() if " -> " in row and "dashed" not in row]
    assert len(solid) == len(numbers) - 1


def test_svg_says_what_the_drawing_says() -> None:
    drawing = rich_drawing()
    root = ElementTree.fromstring(drawing.svg())
    assert root.findtext(f"{SVG}title") == drawing.title
    texts = [text.text for text in root.iter(f"{SVG}text")]
    for node in drawing.nodes:
        for line in node.lines:
            assert line.text in texts
        assert node.parent < 0 or node.move in texts
    assert {"player 0", "player 1", "chance", "end", "blue", "pale", "thick"} <= set(texts)
    dashed = [path for path in root.iter(f"{SVG}path") if path.get("stroke-dasharray")]
    # Each of the 12 information sets of Kuhn poker has two nodes.
    assert len(dashed) == 12


def test_nothing_overlaps_and_nothing_is_clipped(drawing: Drawing) -> None:
    scene = make_scene(drawing)
    boxes = [shapes[0] for _, shapes in scene.nodes]
    assert all(isinstance(box, Box) for box in boxes)
    by_column: dict[float, list[Box]] = {}
    for (node, shapes), box in zip(scene.nodes, boxes, strict=True):
        assert isinstance(box, Box)
        by_column.setdefault(node.depth, []).append(box)
        for words in shapes[1:]:
            assert isinstance(words, Words)
            assert box.x < words.x
            assert words.x + _width(words) < box.x + box.width + 0.5
            assert box.y < words.y - words.size * 0.7
            assert words.y + words.size * 0.2 < box.y + box.height
    for column in by_column.values():
        column.sort(key=lambda box: box.y)
        for upper, lower in pairwise(column):
            assert upper.y + upper.height < lower.y
    rights = {depth: max(box.x + box.width for box in ones) for depth, ones in by_column.items()}
    lefts = {depth: ones[0].x for depth, ones in by_column.items()}
    assert all(rights[depth] < lefts[depth + 1] for depth in range(len(rights) - 1))
    every = [*scene.frame, *scene.lines, *(shape for _, shapes in scene.nodes for shape in shapes)]
    for shape in every:
        if isinstance(shape, Words):
            assert shape.x >= 0 and shape.x + _width(shape) <= scene.width
            assert shape.y - shape.size * 0.8 >= 0 and shape.y <= scene.height
    # Words on edges stand between two columns and on no other words.
    labels = [shape for shape in scene.lines if isinstance(shape, Words)]
    for label in labels:
        assert any(
            rights[depth] < label.x and label.x + _width(label) < lefts[depth + 1]
            for depth in range(len(rights) - 1)
        )
    labels.sort(key=lambda label: (label.x, label.y))
    for one, other in pairwise(labels):
        assert one.x != other.x or other.y - one.y >= one.size


def _width(words: Words) -> float:
    return len(words.text) * words.size * 0.602


@pytest.mark.slow
def test_png_is_the_same_picture_as_the_svg() -> None:
    pytest.importorskip("matplotlib")
    from io import BytesIO

    from PIL import Image

    drawing = rich_drawing()
    scene = make_scene(drawing)
    image = Image.open(BytesIO(drawing.png())).convert("RGB")
    scale = image.width / scene.width
    assert scale == pytest.approx(2, rel=0.01)
    assert image.height == pytest.approx(scene.height * scale, abs=2)
    for _, (box, *_) in scene.nodes[:20]:
        assert isinstance(box, Box)
        inside = image.getpixel(
            (round((box.x + box.width - 3) * scale), round((box.y + 8) * scale))
        )
        assert inside == tuple(bytes.fromhex(box.fill[1:]))
        middle = round((box.y + box.height / 2) * scale)
        edge = image.getpixel((round(box.x * scale), middle))
        assert edge != inside


def test_widths_are_those_of_a_monospaced_font() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.font_manager import findfont
    from PIL import ImageFont

    font = ImageFont.truetype(findfont("DejaVu Sans Mono"), 100)
    for text in ("0d{Js}", "Δ −0.0500", "… 12 nodes", "v3 ≤ v4", "→├─"):
        assert font.getlength(text) == pytest.approx(60.2 * len(text), rel=0.01)


def test_dot_text() -> None:
    text = rich_drawing().dot()
    assert text.startswith('digraph "Tree \\"of\\" <all> & more" {\n')
    assert text.endswith("\n}")
    for row in text.splitlines()[2:-1]:
        assert row.endswith(";")
        assert row.count('"') % 2 == 0 and row.count("[") == row.count("]")
    assert text.count("style=dashed") == 12
    assert 'n0 -> n1 [label="0d{Js} −0.186"];' in text
    assert "penwidth=3" in text


def test_labels_of_information_sets() -> None:
    drawing = draw(look("kuhn", "player:1"), infosets=True)
    names = [line.text for node in drawing.nodes for line in node.lines if ":" in line.text]
    assert names == ["Js:c", "Js:r", "Qs:c", "Qs:r", "Ks:c", "Ks:r"]


def test_payoffs_stand_where_they_are_the_same_for_all_hidden_cards() -> None:
    view = look("kuhn", "player:0")
    drawing = draw(view)
    texts = {node.path: [line.text for line in node.lines] for node in drawing.nodes}
    assert texts["0d{Qs} 1d{} 0r 1f"] == ["1 −1"]
    assert texts["0d{Qs} 1d{} 0r 1c"] == []  # wins against J, loses against K
    assert texts["0d{Ks} 1d{} 0r 1c"] == ["2 −2"]
    assert all(not node.lines for node in draw(view, payoffs=False).nodes)


def test_limited_by_depth_and_path() -> None:
    view = look("leduc", "game")
    shallow = draw(view, depth=2)
    assert len(shallow.nodes) == 1 + 6 + 30
    assert all(node.lines[-1].text == "… 314 nodes" for node in shallow.nodes if node.depth == 2)
    narrow = draw(view, path="0d{Jh}1d{K}0c…", depth=4)
    assert {node.path.partition(" 0c")[0] for node in narrow.nodes if node.depth > 2} == {
        "0d{Jh} 1d{Kh}",
        "0d{Jh} 1d{Ks}",
    }
    assert max(node.depth for node in narrow.nodes) == 4
    left_out = sum(
        int(line.text.split()[1])
        for node in narrow.nodes
        for line in node.lines
        if line.text.startswith("…")
    )
    assert left_out + len(narrow.nodes) == len(view)


def test_too_many_nodes_are_refused_with_advice() -> None:
    view = look("leduc", "game")
    with pytest.raises(ValueError) as raised:
        draw(view)
    assert str(raised.value) == (
        "leduc, game tree: 9,457 nodes are too many to draw (more than 2,000); "
        "limit them by a depth of 6 (1,417 nodes) or a path such as '0d{Jh} …'"
    )
    assert len(draw(view, depth=6).nodes) == 1417
    assert len(draw(view, path="0d{Jh} …").nodes) <= 2000
    with pytest.raises(ValueError, match=r"kuhn, action tree: 9 nodes are too many .* than 5"):
        draw(look("kuhn", "action"), limit=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": -1}, "depth: -1 must be a number of moves, 0 or more"),
        ({"path": "0x"}, "no path '0x' in kuhn, action tree: it starts with 0c, 0r"),
        ({"nodes": {"v": np.zeros(3)}}, "nodes 'v': 3 values for the 9 nodes of kuhn, action tree"),
        ({"edges": {"p": ["x"]}}, "edges 'p': 1 values for the 9 nodes of kuhn, action tree"),
        (
            {"faint": Mark("f", np.ones(4, np.bool_))},
            "marks 'f': 4 values for the 9 nodes of kuhn, action tree",
        ),
    ],
)
def test_wrong_options(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError) as raised:
        draw(look("kuhn", "action"), **options)  # type: ignore[arg-type]
    assert str(raised.value) == message


def test_save_by_the_ending(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawing = draw(look("kuhn", "action"))
    starts = {
        "svg": b"<svg",
        "png": b"\x89PNG",
        "dot": b"digraph",
        "gv": b"digraph",
        "txt": b"kuhn",
    }
    for ending, start in starts.items():
        drawing.save(tmp_path / f"tree.{ending}")
        assert (tmp_path / f"tree.{ending}").read_bytes().startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"tree.{ending}" for ending in starts
    )
    with pytest.raises(ValueError, match=r"unknown kind of picture '.pdf': .svg, .png, .dot or .t"):
        drawing.save(tmp_path / "tree.pdf")
    assert not (tmp_path / "tree.pdf").exists()


def test_png_without_matplotlib(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    drawing = draw(look("kuhn", "action"))
    with pytest.raises(ValueError) as raised:
        drawing.save(tmp_path / "tree.png")
    assert str(raised.value) == (
        'PNG pictures need matplotlib: pip install "pokerlab[plots]" (SVG and DOT do not)'
    )
    drawing.save(tmp_path / "tree.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["tree.svg"]


def test_a_png_that_would_be_unreadable() -> None:
    pytest.importorskip("matplotlib")
    drawing = draw(look("leduc", "game"), limit=10_000)
    with pytest.raises(ValueError, match=r"a PNG of 9,457 nodes is too big .* write SVG, or limit"):
        drawing.png()


def test_numbers() -> None:
    shown = [number_text(value) for value in (0.5, -0.00001, 3, -12.25, 1 / 3)]
    assert shown == ["0.5", "0", "3", "−12.25", "0.3333"]
    assert number_text(100, 0) == "100"


@st.composite
def sized_trees(draw_from: st.DrawFn) -> tuple[list[int], list[float], list[float]]:
    """A random tree in preorder with sizes above and below each node."""
    count = draw_from(st.integers(1, 40))
    parents, depths = [-1], [0]
    for _ in range(count - 1):
        # In preorder the next node hangs on the last one or on one of its ancestors.
        up = draw_from(st.integers(0, depths[-1]))
        parent = len(parents) - 1
        for _ in range(up):
            parent = parents[parent]
        parents.append(parent)
        depths.append(depths[parent] + 1)
    size = st.floats(1, 30)
    sizes = st.lists(size, min_size=count, max_size=count)
    return parents, draw_from(sizes), draw_from(sizes)


@given(sized_trees())
def test_tidy_rows_keep_order_and_distance(
    case: tuple[list[int], list[float], list[float]],
) -> None:
    parents, above, below = case
    rows = tidy_rows(parents, above, below, gap=3)
    depth = [0] * len(parents)
    for node in range(1, len(parents)):
        depth[node] = depth[parents[node]] + 1
    last: dict[int, int] = {}
    for node, row in enumerate(rows):
        if depth[node] in last:
            upper = last[depth[node]]
            assert rows[upper] + below[upper] + 3 <= row - above[node] + 1e-6
        last[depth[node]] = node
        children = [child for child, parent in enumerate(parents) if parent == node]
        if children:
            assert row == pytest.approx((rows[children[0]] + rows[children[-1]]) / 2)
    assert min(row - high for row, high in zip(rows, above, strict=True)) == pytest.approx(0)
