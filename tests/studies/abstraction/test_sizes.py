"""The formulas behind tables 2, 3 and 5."""

import pytest

from pokerlab.studies.abstraction.sizes import (
    PLAIN,
    FlopSample,
    flop_sample,
    group_sizes,
    implied_groups,
    merged_boards,
    reference_nodes,
    thesis_information_sets,
    tree_sizes,
)
from pokerlab.studies.abstraction.thesis import (
    GROUP_COUNTS,
    MEASURES,
    MERGED_BOARDS,
    PLAIN_BOARDS,
    SIZES,
)


def test_table_2_is_exact() -> None:
    assert tree_sizes(reference_nodes(), PLAIN) == PLAIN_BOARDS


def test_table_3_is_exact_for_seven_flops_and_for_no_eight() -> None:
    found = flop_sample(14)
    assert found == [FlopSample(3, 4, 0), FlopSample(6, 8, 0)]
    assert tree_sizes(reference_nodes(), found[0].boards) == MERGED_BOARDS


@pytest.mark.parametrize(
    ("flop", "turns", "rivers"),
    [("Th6s3c", 49, 1033), ("QsTh7h", 36, 985), ("Jh8h3h", 23, 519), ("QhQsQc", 49, 1032)],
)
def test_boards_are_merged_where_no_flush_is_left(flop: str, turns: int, rivers: int) -> None:
    assert merged_boards(flop) == (1, turns, rivers)


@pytest.mark.parametrize("name", MEASURES)
def test_table_5_follows_from_table_4(name: str) -> None:
    found, printed = implied_groups(name), SIZES[name]
    groups = (GROUP_COUNTS[name][0].mean, found.turn, found.river)
    assert found.rounds_to_table_4
    assert thesis_information_sets(groups) == pytest.approx(printed.information_sets, rel=1e-9)
    merged = MERGED_BOARDS
    nodes = (merged.flop_nodes, merged.turn_nodes, merged.river_nodes)
    states = sum(count * each**2 for count, each in zip(nodes, groups, strict=True))
    assert states == pytest.approx(printed.states, rel=1e-9)
    branching = merged.actions / merged.information_sets
    assert printed.actions == pytest.approx(printed.information_sets * branching, rel=1e-5)
    # Only player nodes have information sets; the thesis counts others too.
    right, _, _ = group_sizes(reference_nodes(), flop_sample()[0].boards, groups)
    assert 1.01 < printed.information_sets / right < 1.04
