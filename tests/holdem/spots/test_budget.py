"""What a solve with groups takes, and what is chosen for some memory."""

from __future__ import annotations

from itertools import islice

import pytest
from tests.holdem.spots.test_cost import EXAMPLES, peak_of

from pokerlab.engine.groups import HandGrouping
from pokerlab.engine.tables.group_counts import count_spot_groups
from pokerlab.engine.tables.hand_groups import BoardGroups, group_hands
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.walker import deal_boards
from pokerlab.holdem.spots import MemoryChoice, Spot, fit_memory
from pokerlab.holdem.spots.cost import cheaper_solves, estimate_cost, merges_suits

TURN = Spot(
    "QhJh2c4d",
    "22+, A2s+, KTs+, QTs+, J9s+, T8s+, 97s+, ATo+",
    "22+, A2s+, KTs+, QTs+, J9s+, T8s+, 97s+, KJo+",
    pot=100,
    stack=3000,
    bet="33%, 60%, 120%, a",
    raise_="50%, 100%, a",
)


def stored(spot: Spot, text: str) -> BoardGroups:
    """The groups as the engine makes them."""
    boards = deal_boards(spot, isomorphism=merges_suits(spot, isomorphism=True))
    return group_hands(spot, boards, HandGrouping.parse(text))


@pytest.mark.parametrize("text", ["view/river", "strength/hierarchical", "rank/global"])
def test_entries_by_group_are_those_of_the_engine(text: str) -> None:
    boards = deal_boards(TURN, isomorphism=True)
    layout = StrategyLayout.of(TURN.tree, boards, stored(TURN, text))
    size = sum(player.size for street in layout.streets for player in street)
    cost = estimate_cost(TURN, groups=text)
    assert cost.entries == size < 0.8 * cost.counts.entries
    assert cost.table_bytes == 8 * size
    entries = sum(int(hands.first[-1]) for table in boards.tables for hands in table.hands)
    assert cost.counts.hands == entries


def test_numbered_groups_are_counted_without_making_them() -> None:
    counts = count_spot_groups(TURN, "kmeans:40,20")
    assert {street: groups for street, (groups, _) in counts.means().items()} == {
        "turn": 40,
        "river": 20,
    }
    found = counts.to_json()
    assert (found["measure"], found["identity"]) == ("kmeans", None)
    assert found["counts"] == {"turn": [40, 40], "river": [20, 20]}
    assert found["hands"]["turn"] == [
        pytest.approx(hands.sum()) for hands in (counts.hands[0][0], counts.hands[0][1])
    ]


@pytest.mark.parametrize(
    "locks",
    [
        {"x/x/x": {"b60": "A6s, A7s:0.5", "x": "A7s:0.5"}},
        {"x/x/3c": {"b60": "As7s, KdQd"}},
    ],
)
def test_locks_split_groups_at_most_as_counted(locks: dict[str, dict[str, str]]) -> None:
    spot = TURN.with_locks(locks)
    made = stored(spot, "rank/river")
    counted = estimate_cost(spot, groups="rank").groups
    free = estimate_cost(TURN, isomorphism="x/x/x" in locks, groups="rank").groups
    assert counted is not None
    assert free is not None
    split = 0
    for level, both in enumerate(made.streets):
        for player, columns in enumerate(both):
            assert (columns.counts <= counted.groups[level][player]).all()
            split += int((columns.counts > free.groups[level][player]).sum())
    assert split >= 1


def test_the_finest_that_fits_is_chosen() -> None:
    whole = estimate_cost(TURN)
    halved = estimate_cost(TURN, precision=16)
    groups = {
        text: estimate_cost(TURN, precision=16, groups=text)
        for text in ("view/river", "strength/river", "kmeans:32,32", "kmeans:16,16")
    }
    peaks = [whole, halved, *groups.values()]
    assert [each.peak_bytes for each in peaks] == sorted(
        {each.peak_bytes for each in peaks}, reverse=True
    )

    def fit(memory: int) -> tuple[int, str | None, int]:
        choice = fit_memory(TURN, memory)
        assert isinstance(choice, MemoryChoice)
        return choice[:3]

    assert fit(10**12) == fit(whole.peak_bytes) == (32, None, whole.peak_bytes)
    assert fit(whole.peak_bytes - 1) == (16, None, halved.peak_bytes)
    for larger, text in zip(
        (halved, groups["view/river"]), ("view/river", "strength/river"), strict=True
    ):
        assert fit(larger.peak_bytes - 1) == (16, text, groups[text].peak_bytes)
    for text in ("kmeans:32,32", "kmeans:16,16"):
        assert fit(groups[text].peak_bytes) == (16, text, groups[text].peak_bytes)
    least = groups["kmeans:16,16"].peak_bytes
    with pytest.raises(ValueError, match=r"^memory: 3.. MB are too little: even 16 bits and .*"):
        fit_memory(TURN, least - 1)


def test_the_reason_names_what_was_too_large() -> None:
    asked = []
    size = estimate_cost(TURN, precision=16).peak_bytes
    choice = fit_memory(TURN, size, counting=lambda: asked.append("counting"))
    assert asked == []
    assert choice.reason.startswith("16 bits, each hand on its own, fit: ")
    assert "(too large: 32 bits " in choice.reason
    fit_memory(TURN, size - 1, counting=lambda: asked.append("counting"))
    assert asked == ["counting"]


def test_groups_are_a_way_that_fits() -> None:
    whole, halved = estimate_cost(TURN), estimate_cost(TURN, precision=16)
    view = estimate_cost(TURN, groups="view")
    assert view.peak_bytes < halved.peak_bytes
    first, second = islice(cheaper_solves(TURN, whole, whole.peak_bytes - 1), 2)
    assert (first.bits, first.groups) == (16, "")
    assert (second.bits, second.groups, second.peak_bytes) == (32, "view", view.peak_bytes)
    second = next(iter(cheaper_solves(TURN, whole, view.peak_bytes - 1)))
    assert (second.bits, second.groups) == (16, "view")
    # Where there are groups already, what is left out is counted with them.
    first, second = islice(cheaper_solves(TURN, view, view.peak_bytes - 1), 2)
    assert (first.bits, first.size) == (16, "")
    assert (second.bits, second.street, second.groups) == (32, "river", "")
    assert second.peak_bytes < view.peak_bytes


@pytest.mark.slow
def test_the_peak_stays_within_the_memory_that_was_given() -> None:
    path = EXAMPLES / "s1-flop.toml"
    spot = Spot.from_file(path)
    for memory in (520_000_000, 440_000_000):
        choice = fit_memory(spot, memory)
        assert choice.groups is not None
        assert peak_of(path, precision=choice.precision, groups=choice.groups) <= memory
