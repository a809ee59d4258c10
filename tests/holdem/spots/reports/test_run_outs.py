"""Run-outs: one line on all cards that may come, against decisions one by one and plain counts."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import solved

from pokerlab.cards import COMBO_CARDS, Range, equity, filter_hands, format_cards, parse_cards
from pokerlab.cards.board_hands.next_cards import CARD_TEXTURES, card_textures
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots.reports.export import following_lines, range_totals
from pokerlab.holdem.spots.reports.run_out_breakdown import break_down_run_outs
from pokerlab.holdem.spots.reports.run_outs import report_run_outs, run_out_views

ENDS_OF_STREETS = [
    ("turn", "x/x"),
    ("turn", "x/b50/c"),
    ("turn, one suit", "b50/c"),
    ("flop, one suit, rake", "x/b15/c"),
]
LINES = [*ENDS_OF_STREETS, ("turn", "x/x/x")]


@pytest.fixture(scope="module", params=LINES, ids=" ".join)
def case(request):
    name, line = request.param
    solution = solved(name)
    return solution, line, report_run_outs(solution, line)


def test_a_row_is_what_the_decision_says(case):
    solution, line, report = case
    place = solution.spot.find(line)
    assert len(report.rows) == 52 - len(solution.spot.board)
    codes = [parse_cards(row.name)[0] for row in report.rows]
    assert codes == sorted(set(range(52)) - set(solution.spot.board), reverse=True)
    for row in report.rows[::5]:
        # A card before the actions of its street; the line has none of them, or one.
        before = line if place.kind == EdgeKind.NEXT_STREET else line.rpartition("/")[0]
        after = "" if before == line else "/" + line.rpartition("/")[2]
        view = solution.at(f"{before}/{row.name}{after}")
        assert report.actions == view.actions
        assert (report.player, report.chips) == (view.player, view.pot)
        for seat in range(2):
            total = range_totals(view, seat)
            assert row.ev[seat] == pytest.approx(total.ev)
            assert row.equity[seat] == pytest.approx(total.equity)
            assert row.realisation[seat] == pytest.approx(total.realisation)
        if row.weight > 0:
            assert row.frequencies == pytest.approx(view.frequencies.tolist())
            for action, ev in zip(following_lines(solution.spot, view), row.action_ev, strict=True):
                if action.kind == EdgeKind.FOLD and ev is not None:
                    assert ev == pytest.approx(0)


@pytest.mark.parametrize(("name", "line"), ENDS_OF_STREETS)
def test_weights_count_the_deals(name, line):
    solution = solved(name)
    report = report_run_outs(solution, line)
    weights = solution.weights_after(solution.spot.find(line))
    deals = []
    for row in report.rows:
        (card,) = parse_cards(row.name)
        free = ~(card == COMBO_CARDS).any(axis=1)
        pairs = 0.0
        for one in np.flatnonzero(weights[0] * free).tolist():
            for other in np.flatnonzero(weights[1] * free).tolist():
                if not set(COMBO_CARDS[one].tolist()) & set(COMBO_CARDS[other].tolist()):
                    pairs += weights[0][one] * weights[1][other]
        deals.append(pairs)
    assert [row.weight for row in report.rows] == pytest.approx(np.array(deals) / sum(deals))


def test_what_is_taken_is_the_pot_less_the_rake(case):
    solution, _, report = case
    for row in report.rows:
        if row.weight > 0:
            taken = sum(row.ev)
            if not solution.spot.rake:
                assert taken == pytest.approx(report.chips, abs=1e-3)
            assert report.chips - solution.spot.rake_cap - 1e-3 <= taken <= report.chips + 1e-3
            assert sum(row.equity) == pytest.approx(1)


@pytest.mark.parametrize(("name", "line"), ENDS_OF_STREETS)
def test_the_mean_over_cards_is_the_value_before_them(name, line):
    solution = solved(name)
    before, _, action = line.rpartition("/")
    view = solution.at(before)
    player, number = view.player, view.actions.index(action)
    played = view.weights[player] * np.nan_to_num(view.strategy[number])
    often = played * unblocked_weights(view.weights[1 - player])
    expected = np.nan_to_num(view.action_ev[number]) @ often / often.sum()
    mean = report_run_outs(solution, line).mean()
    # What a call costs is taken off the value of the call, not off what follows.
    pot = report_run_outs(solution, line).chips
    paid = pot - view.pot if action == "c" else 0.0
    assert mean.ev[player] - paid == pytest.approx(expected, abs=1e-3)
    assert mean.weight == pytest.approx(1)


@pytest.mark.parametrize("line", ["b50/c", "x/x"])
def test_merged_suits_give_what_all_cards_give(line):
    merged = report_run_outs(solved("turn, one suit"), line)
    plain = report_run_outs(solved("turn, one suit", isomorphism=False), line)
    views = list(run_out_views(solved("turn, one suit"), line))
    assert len(views) < 48 == sum(len(members) for _, members in views)
    for one, other in zip(merged.rows, plain.rows, strict=True):
        assert one.name == other.name and one.completes == other.completes
        assert one.weight == pytest.approx(other.weight, abs=2e-3)
        assert one.ev[0] == pytest.approx(other.ev[0], abs=2)


def test_all_ins():
    solution = solved("turn, rake, all-in")
    report = report_run_outs(solution, "a/c")
    assert (report.player, report.actions, report.chips) == (None, (), 180)
    weights = solution.weights_after(solution.spot.find("a/c"))
    for row in report.rows[::7]:
        board = (*solution.spot.board, *parse_cards(row.name))
        ranges = [Range(each).remove(format_cards(board)) for each in weights]
        if row.weight > 0:
            expected = equity(*ranges, board=board).value
            assert row.equity == pytest.approx((expected, 1 - expected))
            assert row.ev == pytest.approx([share * (180 - 11) for share in row.equity])
    with pytest.raises(ValueError, match="a filter needs a player who acts"):
        report_run_outs(solution, "a/c", hands="AA")


def test_showdowns_and_all_ins_after_a_card_that_is_left_out():
    solution = solved("turn")
    rows = report_run_outs(solution, "x/x/x/x").rows
    before = {row.name: row for row in report_run_outs(solution, "x/x/x").rows}
    total = sum(row.weight * (row.frequencies[0] or 0) for row in before.values())
    for row in rows[::4]:
        # Who checks behind takes what the showdown gives.
        checked = before[row.name]
        assert row.weight == pytest.approx(checked.weight * (checked.frequencies[0] or 0) / total)
        if checked.action_ev[0] is None:
            assert row.ev == (None, None)
        else:
            assert row.ev[1] == pytest.approx(checked.action_ev[0], abs=1e-3)
    partial = solution.without_river()
    with pytest.raises(ValueError, match="left out of a partial solution"):
        report_run_outs(partial, "x/x/x/x")


def test_partial_solutions_give_the_same_turns():
    solution = solved("flop, one suit, rake")
    whole, partial = (report_run_outs(each, "x/x") for each in (solution, solution.without_river()))
    for row, same in zip(whole.rows, partial.rows, strict=True):
        assert row.weight == same.weight
        assert row.frequencies == same.frequencies
        if row.weight:
            assert row.ev == pytest.approx(same.ev, abs=1e-3)


@pytest.mark.parametrize(
    ("by", "isomorphism"), [("class", True), ("made", True), ("made", False), ("draws", True)]
)
def test_parts_of_the_range_over_all_cards(by, isomorphism):
    solution = solved("turn, one suit", isomorphism)
    mean = report_run_outs(solution, "x/x").mean()
    parts = break_down_run_outs(solution, "x/x", by)
    shares = np.array([part.weight for part in parts])
    if by == "draws":  # on the river everybody has none
        assert [part.name for part in parts] == ["no-draw"]
    assert shares.sum() == pytest.approx(1)
    assert shares @ [part.ev for part in parts] == pytest.approx(mean.ev[0])
    assert shares @ [part.equity for part in parts] == pytest.approx(mean.equity[0])
    played = shares @ np.array([part.strategy for part in parts])
    assert played == pytest.approx(mean.frequencies)
    some = break_down_run_outs(solution, "x/x", by, hands="JJ")
    jacks = report_run_outs(solution, "x/x", hands="JJ")
    held = np.array([part.weight for part in some])
    assert 0 < held.sum() < 1
    assert held @ [part.ev for part in some] / held.sum() == pytest.approx(jacks.mean().ev[0])


def test_only_some_hands():
    solution = solved("turn")
    for row in report_run_outs(solution, "x/x", hands="pair, two-pair").rows[::6]:
        view = solution.at(f"x/x/{row.name}")
        weights = view.weights[0] * filter_hands("pair, two-pair", view.board)
        often = weights * unblocked_weights(view.weights[1])
        if not often.sum():
            assert (row.weight, row.ev) == (0, (None, None))
            continue
        assert row.ev[0] == pytest.approx(np.nansum(often * view.ev[0]) / often.sum())
        assert sum(row.ev) == pytest.approx(view.pot)
        played = np.nansum(view.strategy * often, axis=1) / often.sum()
        assert row.frequencies == pytest.approx(played.tolist())


def test_the_second_card_comes_after_checks():
    solution = solved("flop, one suit, rake")
    written_out = run_out_views(solution, "x/x/x/x")
    for view, members in islice(run_out_views(solution, "x/x", cards=2), 3):
        other, same = next(written_out)
        assert (view.line, members) == (other.line, same)
        assert view.line == f"x/x/{format_cards(members[0][:1])}/x/x/{format_cards(members[0][1:])}"


@pytest.mark.slow
def test_two_cards():
    solution = solved("flop, one suit, rake")
    pairs = report_run_outs(solution, "x/x", cards=2)
    assert len(pairs.rows) == 49 * 48
    assert sum(row.weight for row in pairs.rows) == pytest.approx(1)
    rivers = [row for row in pairs.rows if row.name.startswith("2c")]
    named = report_run_outs(solution, "x/x/2c/x/x").rows
    assert [row.name for row in rivers] == [f"2c{row.name}" for row in named]
    assert [row.ev for row in rivers] == [row.ev for row in named]
    share = sum(row.weight for row in rivers)
    assert [row.weight / share for row in rivers] == pytest.approx([row.weight for row in named])


def test_textures_of_cards(case):
    """Each card by itself, and means by hand: shares of the deals, EVs weighted by them."""
    solution, _, report = case
    board = solution.spot.board
    for row in report.rows:
        assert row.texture == card_textures(board, parse_cards(row.name)[0])[0]
    found = {group.name: group for group in report.groups("texture")}
    for word, title in CARD_TEXTURES.items():
        rows = [row for row in report.rows if row.texture == word and row.weight > 0]
        assert (title in found) == any(row.texture == word for row in report.rows)
        if not rows:
            continue
        group, total = found[title], sum(row.weight for row in rows)
        assert group.count == sum(row.texture == word for row in report.rows)
        assert group.weight == pytest.approx(total)
        assert group.ev[1] == pytest.approx(sum(row.weight * row.ev[1] for row in rows) / total)
        for place in range(len(report.actions)):
            mean = sum(row.weight * row.frequencies[place] for row in rows) / total
            assert group.frequencies[place] == pytest.approx(mean)


@pytest.mark.parametrize("by", ["rank", "suit", "completes", "texture"])
def test_groups_share_out_the_cards(case, by):
    _, _, report = case
    groups, mean = report.groups(by), report.mean()
    assert sum(row.weight for row in groups) == pytest.approx(1)
    for seat in range(2):
        total = sum(row.weight * (row.ev[seat] or 0) for row in groups)
        assert total == pytest.approx(mean.ev[seat])
    for number in range(len(report.actions)):
        total = sum(row.weight * (row.frequencies[number] or 0) for row in groups)
        assert total == pytest.approx(mean.frequencies[number])
    if by == "rank":
        assert [row.name for row in groups] == list("AKQJT98765432")


def test_orders(case):
    _, _, report = case
    known = [row.ev[0] for row in report.rows if row.ev[0] is not None]
    for sort, expected in [("oop_ev", sorted(known)[::-1]), ("oop_ev asc", sorted(known))]:
        rows = report.sorted_by(sort).rows
        assert [row.ev[0] for row in rows][: len(known)] == expected
    assert report.column_name("ev") == f"{('oop', 'ip')[report.player]}_ev"
    columns = report.columns()
    assert {len(column) for column in columns.values()} == {len(report.rows)}
    with pytest.raises(ValueError, match="sort: 'size' is not a column; there are weight, oop_ev"):
        report.sorted_by("size")
    with pytest.raises(ValueError, match="group: 'colour' is not known; known are rank, suit"):
        report.groups("colour")


@pytest.mark.parametrize(
    ("name", "line", "options", "wrong"),
    [
        ("turn", "", {}, "no card is left out"),
        ("turn", "x/x/2s", {}, "no card is left out"),
        ("turn", "b50/f", {}, "the hand is over"),
        ("turn", "x/x/7s/x/x", {}, "the hand is over"),
        ("turn", "x/x/x/b75/f", {}, "the hand is over"),
        ("turn", "x/x/x/x", {"cards": 2}, "cards: 2, and line 'x/x/x/x' leaves out 1"),
        ("turn", "x/x/2c", {}, "lies on the board"),
        ("turn", "x/x", {"cards": 2}, "cards: 2, and line 'x/x' leaves out 1"),
        ("turn, rake, all-in", "a/c", {"cards": 2}, "cards: 2 of 1 cards to come"),
        ("river", "x/x", {}, "the hand is over"),
        ("turn", "x/x", {"hands": "top-par"}, "did you mean top-pair"),
    ],
)
def test_lines_without_run_outs_are_named(name, line, options, wrong):
    with pytest.raises(ValueError, match=wrong):
        report_run_outs(solved(name), line, **options)
