import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.arena.tournaments import Score, Tournament
from pokerlab.studies.mapping.frequencies import class_frequencies, frequency
from pokerlab.studies.mapping.records import ActionCounts
from pokerlab.studies.mapping.tables import ScoreCell, _thesis_rank, run_off_rounds, score_table
from pokerlab.studies.reporting.report_table import ReportTable, read_rows


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=8),
            st.floats(-1e6, 1e6),
        ),
        max_size=5,
    )
)
def test_csv_can_be_read_again(rows):
    table = ReportTable("t", "T", ("name", "number"), tuple(rows), (), ())
    found = read_rows(table.csv())
    assert [row["name"] for row in found] == [name for name, _ in rows]
    numbers = [float(row["number"]) for row in found]
    assert numbers == pytest.approx([number for _, number in rows], rel=1e-5)


def test_scores_beside_the_thesis():
    cells = [
        ScoreCell("dpp", "HBB2", Score(-300.0, -50.0, 7.0), 600, -1698, 3000),
        ScoreCell("dpp", "HBB6", Score(60.0, 10.0, math.nan), 600),
        ScoreCell("akuma", "HBB6", Score(0.0, 0.0, 1.0), 600),
    ]
    table = score_table("t", "T", cells, "against", ["HBB6", "HBB2"])
    assert table.shown_heads == ("against", "HBB6", "HBB2")
    assert table.shown == (("dpp", "+10", "−50 ± 7 (−57)"), ("akuma", "+0 ± 1", ""))
    rows = read_rows(table.csv())
    assert rows[0] == {
        "row": "dpp",
        "column": "HBB2",
        "thesis_hands": "3000",
        "thesis_chips": "-1698",
        "thesis_mbb": "-56.6",
        "hands": "600",
        "chips": "-300",
        "mbb": "-50",
        "stderr": "7",
    }
    assert rows[1]["thesis_mbb"] == "" == rows[1]["stderr"]
    assert "| dpp | +10 | −50 ± 7 (−57) |" in table.markdown().splitlines()


def test_run_off_rounds_agree_with_the_ranking():
    bots = ("a", "b", "c", "d", "e")
    strength = dict(zip(bots, (5.0, 1.0, -4.0, 3.0, 0.0), strict=True))
    results = []
    for first in range(5):
        for second in range(first + 1, 5):
            for third in range(second + 1, 5):
                three = tuple(bots[place] for place in (first, second, third))
                mean = sum(strength[bot] for bot in three) / 3
                won = tuple(strength[bot] - mean for bot in three)
                plan = MatchPlan("holdem.limit.3p", three, 6, 1, duplicate=True)
                zeros = (0, 0, 0)
                errors = (1.0, 1.0, 1.0)
                results.append(
                    MatchResult(plan, three, 6, won, won, errors, zeros, ("", "", ""), 1.0)
                )
    tournament = Tournament(bots, tuple(results))
    rounds = run_off_rounds(tournament)
    assert rounds == [bots, ("a", "b", "d", "e"), ("a", "b", "d")]
    ranks = tournament.run_off()
    assert sorted(ranks, key=ranks.get) == ["a", "d", "b", "e", "c"]


def test_ranks_of_the_thesis():
    assert _thesis_rank("akuma") == "3., 1."
    assert _thesis_rank("ownbot") == "1., 2."
    assert _thesis_rank("HBB2") == "5., 4."
    assert _thesis_rank("HBB3") == "7., 7."


def test_frequencies():
    counts = ActionCounts.none()
    counts.streets[0, 2] = [10, 60, 30]
    counts.classes[0] = [0, 1, 3]
    assert frequency(counts, 2, 2, "call").value == pytest.approx(0.6)
    assert frequency(counts, 2, 2, "raise").error == pytest.approx(math.sqrt(0.3 * 0.7 / 100))
    assert math.isnan(frequency(counts, 3, 2, "call").value)
    table = class_frequencies(counts)
    assert table[:, 0, 0].tolist() == [0.0, 0.25, 0.75]
    assert math.isnan(table[0, 5, 5])
