"""Range text out: it reads back to the same weights, and it is short."""

import heapq
import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, class_combos
from pokerlab.cards.ranges.text import parse_range
from pokerlab.cards.ranges.writer import plain_text, shortest_text

RANKS = "AKQJT98765432"

THESIS = "A9o+,KTo+,QTo+,JTo,A4s+,K8s+,Q9s+,J9s+,T9s,55+"
OUT_OF_POSITION = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IN_POSITION = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"

Weights = npt.NDArray[np.float64]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("random", "any"),
        ("random:0.5", "any:0.5"),
        ("AA:0", ""),
        ("AA,KK,QQ", "QQ+"),
        ("22,33,44,66", "66,44-22"),
        ("AKs,AKo", "AK"),
        ("AKs,AQs,AJs,AKo,AQo,AJo", "AJ+"),
        ("A9s,A8s,A7s", "A9s-A7s"),
        ("ATo+,A2s+", "A2s+,AT+"),
        ("T9s,98s,87s,76s,65s", "T9s-65s"),
        ("A2s+,A7s:0.5", "A2s+,A7s:0.5"),
        ("A8s+,A7s:0.5,A6s-A2s", "A2s+,A7s:0.5"),
        ("A2+,A2o+:0.25", "A2+,A2o+:0.25"),
        ("random,AA:0,72o:0.5", "any,AA:0,72o:0.5"),
        ("AKs,AKo:0.5,AhKd", "AK,AKo:0.5,AhKd"),
        ("AhKh,AsKs,AdKd", "AKs,AcKc:0"),
        ("AsAh,AsAd", "AsAd,AsAh"),
        ("AA:0.5,QQ:0.5,TT:0.5,66:0.5", "[50]AA,QQ,TT,66[/50]"),
        ("AA:0.5,TT:0.5", "AA:0.5,TT:0.5"),
        ("AA:0.5,QQ:0.5", "QQ+:0.5,KK:0"),
        ("AA:0.5,QQ:0.5,TT:0.5,88", "88[50]AA,QQ,TT[/50]"),
        ("AA:0.1,KK:1e-5", "AA:0.1,KK:1e-5"),
        ("top 20%", "20%"),
        ("top 20%:0.5", "20%:0.5"),
        ("20%,72o", "20%,72o"),
        ("66%,AA:0", "66%,AA:0"),
        ("JJ+,AQ+,AA:0.5", "JJ+,AQ+,AA:0.5"),  # not 2%,AA:0.5,AQ+
    ],
)
def test_known_texts(text: str, expected: str) -> None:
    weights = parse_range(text)
    assert shortest_text(weights) == expected
    np.testing.assert_array_equal(parse_range(expected), weights)


@pytest.mark.parametrize(
    "text",
    [
        THESIS,
        OUT_OF_POSITION,
        IN_POSITION,
        "22+,A2s+,KTs+,QTs+,JTs-54s,ATo+,KJo+",
        "any,22+:0,A2s+:0.5",
        "A2+:0.5,K2s+,QJ",
        "any:0.25,JTs-54s,AA:0,AhKd",
        "K9+,A2s+:0.75,A9o-A5o,T9s-T6s:0.75,AsKs:0",
    ],
)
def test_never_longer_than_what_a_person_wrote(text: str) -> None:
    written = shortest_text(parse_range(text))
    assert len(written) <= len(text)
    np.testing.assert_array_equal(parse_range(written), parse_range(text))


def plain_spans(weights: Weights) -> str:
    """Runs of equal weight along each line, then combos: no item touches another."""
    items = []
    lines = [[(rank, rank, "") for rank in range(13)]]
    for high in range(12):
        for kind in "so":
            lines.append([(high, kicker, kind) for kicker in range(high + 1, 13)])
    suffix = {0.0: ":0", 1.0: ""}
    for line in lines:
        names = [RANKS[high] + RANKS[low] + kind for high, low, kind in line]
        values = [set(weights[class_combos()[CLASS_NAMES.index(name)]].tolist()) for name in names]
        position = 0
        for own, run in itertools.groupby(values):
            length = len(list(run))
            first, last = names[position], names[position + length - 1]
            position += length
            if own == {0.0} or len(own) > 1:
                continue
            text = first if length == 1 else f"{first}-{last}"
            if length > 1 and first == names[0]:
                text = f"{last}+"
            weight = own.pop()
            items.append(text + suffix.get(weight, f":{weight!r}"))
    for combos in class_combos():
        if len(set(weights[combos].tolist())) > 1:
            for combo in combos[weights[combos] > 0].tolist():
                weight = float(weights[combo])
                items.append(
                    format_cards(COMBO_CARDS[combo].tolist()) + suffix.get(weight, f":{weight!r}")
                )
    return ",".join(items)


def check(weights: Weights) -> None:
    text = shortest_text(weights)
    np.testing.assert_array_equal(parse_range(text), weights)
    assert len(text) <= len(plain_spans(weights))
    np.testing.assert_array_equal(parse_range(plain_text(weights)), weights)


@st.composite
def class_grids(draw: st.DrawFn) -> Weights:
    """Weights by class, in runs as people write them, with some noise."""
    palette = draw(st.lists(st.sampled_from([0.0, 1.0, 0.5, 0.25, 0.123, 1 / 3]), min_size=1))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    keep = draw(st.sampled_from([0.0, 0.5, 0.8, 0.95]))
    grid = rng.choice(palette, 169)
    for number in range(1, 169):
        if rng.random() < keep:
            grid[number] = grid[number - 1]
    return np.ascontiguousarray(grid[CLASS_OF_COMBO])


@settings(max_examples=25, deadline=None)
@given(class_grids())
def test_classes_read_back(weights: Weights) -> None:
    check(weights)


@settings(max_examples=20, deadline=None)
@given(
    class_grids(),
    st.dictionaries(st.integers(0, 1325), st.floats(0, 1), max_size=40),
    st.sets(st.integers(0, 51), max_size=3),
)
def test_classes_with_other_combos_and_dead_cards_read_back(
    weights: Weights, others: dict[int, float], dead: set[int]
) -> None:
    for combo, weight in others.items():
        weights[combo] = weight + 0.0
    weights[np.isin(COMBO_CARDS, list(dead)).any(axis=1)] = 0.0
    check(weights)


@pytest.mark.parametrize("seed", range(3))
def test_noise_reads_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    check(rng.random(1326))
    check(rng.integers(0, 2, 1326).astype(float))
    check((rng.random(1326) < 0.9).astype(float))
    check(np.where(rng.random(1326) < 0.03, rng.random(1326), 0.0))


def strokes(high: str, kickers: str, kinds: str) -> list[tuple[str, int]]:
    """All items of a row of the grid, each with a bit for every class that it names."""
    found = []
    for first, last in itertools.combinations_with_replacement(range(len(kickers)), 2):
        for kind in ("s", "o", "") if kinds == "so" else (kinds,):
            upper, lower = (high + kickers[end] + kind for end in (first, last))
            text = upper if first == last else f"{lower}+" if first == 0 else f"{upper}-{lower}"
            bits = sum(1 << position for position in range(first, last + 1))
            if kind == "":
                bits |= bits << len(kickers)
            elif kinds == "so" and kind == "o":
                bits <<= len(kickers)
            found.append((text, bits))
    return found


def fewest_characters(row: tuple[str, ...], items: list[tuple[str, int]]) -> int:
    """The best text by search from its last item backwards.

    `row` holds for every class how its weight is shown. The state is the set of classes that
    later items paint: an item fits in front of them if all others that it names want its weight.
    """
    wanting: dict[str, int] = {}
    for position, suffix in enumerate(row):
        wanting[suffix] = wanting.get(suffix, 0) | 1 << position
    everything = sum(bits for suffix, bits in wanting.items() if suffix != ":0")
    costs = {0: 0}
    waiting = [(0, 0)]
    while waiting:
        cost, painted = heapq.heappop(waiting)
        if not everything & ~painted:
            return max(cost - 1, 0)  # no comma before the first item
        for text, bits in items:
            for suffix, wanted in wanting.items():
                more = cost + len(text) + len(suffix) + 1
                then = painted | bits
                fits = not bits & ~painted & ~wanted
                if fits and then != painted and more < costs.get(then, more + 1):
                    costs[then] = more
                    heapq.heappush(waiting, (more, then))
    raise AssertionError("single classes reach every row")


def gap_to_best(high: str, kinds: str, row: tuple[str, ...]) -> int:
    kickers = RANKS[RANKS.index(high) + 1 :]
    names = [high + kicker + kind for kind in kinds for kicker in kickers]
    text = ",".join(name + suffix for name, suffix in zip(names, row, strict=True))
    best = fewest_characters(row, strokes(high, kickers, kinds))
    return len(shortest_text(parse_range(text))) - best


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from("so"),
    st.lists(st.sampled_from([":0", "", ":0.5"]), min_size=7, max_size=7).map(tuple),
)
def test_a_line_has_the_fewest_characters(kind: str, row: tuple[str, ...]) -> None:
    assert gap_to_best("9", kind, row) <= 0


def test_rows_are_nearly_the_shortest() -> None:
    rows = itertools.product((":0", "", ":0.5"), repeat=6)
    gaps = [gap_to_best("5", "so", row) for row in rows]
    assert max(gaps) <= 2
    assert sum(gap <= 0 for gap in gaps) > 0.95 * len(gaps)
    # With one weight, as most ranges are written, nothing is lost.
    one_weight = [gap_to_best("6", "so", row) for row in itertools.product((":0", ""), repeat=8)]
    assert max(one_weight) <= 0
