"""Reports over boards: means as boards are dealt and played, groups, order, two batches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.flops import all_flops
from pokerlab.cards.textures import TextureFilter
from pokerlab.holdem.batches.comparison import compare_reports
from pokerlab.holdem.batches.explanation import explain
from pokerlab.holdem.spots.reports.line_report import FEATURES, LineReport

FLOPS = all_flops()


def make_report(numbers, seed=0, actions=("x", "b50", "a")):
    """A report of some flops with random numbers; the first of them is never reached."""
    generator = np.random.default_rng(seed)
    flops = [FLOPS[number] for number in numbers]
    count = len(flops)
    deals = generator.uniform(50, 100, count)
    frequencies = generator.dirichlet(np.ones(len(actions)), count)
    first = generator.uniform(0.3, 0.7, count)
    ev = 100 * generator.uniform(0.2, 0.8, count)
    report = LineReport(
        line="",
        player=0,
        names=tuple(flop.name for flop in flops),
        weights=np.array([flop.weight for flop in flops]),
        deals=deals,
        pot=np.full(count, 100.0),
        ev=np.column_stack([ev, 100 - ev]),
        equity=np.column_stack([first, 1 - first]),
        actions=actions,
        frequencies=frequencies,
        action_evs=generator.uniform(0, 100, (count, len(actions))),
    )
    report.deals[0] = 0
    for array in (report.ev, report.equity, report.frequencies, report.action_evs):
        array[0] = np.nan
    return report


numbers = st.lists(st.integers(0, 1754), min_size=2, max_size=40, unique=True)


@settings(max_examples=30)
@given(numbers)
def test_means_by_plain_sums(chosen):
    report = make_report(chosen)
    mean = report.mean()
    total = ev = equity = bets = earned = 0.0
    for place in range(1, len(chosen)):
        counted = report.weights[place] * report.deals[place]
        total += counted
        ev += counted * report.ev[place, 0]
        equity += counted * report.equity[place, 1]
        bets += counted * report.frequencies[place, 1]
        earned += counted * report.frequencies[place, 1] * report.action_evs[place, 1]
    assert mean.count == len(chosen)
    assert mean.weight == pytest.approx(1)
    assert mean.ev[0] == pytest.approx(ev / total)
    assert sum(mean.ev) == pytest.approx(100)
    assert mean.equity[1] == pytest.approx(equity / total)
    assert mean.realisation[0] == pytest.approx(mean.ev[0] / (100 * mean.equity[0]))
    assert mean.frequencies[1] == pytest.approx(bets / total)
    assert mean.action_ev[1] == pytest.approx(earned / bets)


@settings(max_examples=30)
@given(numbers, st.lists(st.sampled_from(list(FEATURES)[:5]), min_size=1, max_size=3, unique=True))
def test_groups_make_up_the_whole(chosen, by):
    report = make_report(chosen)
    groups = report.groups(",".join(by))
    whole = report.mean()
    assert sum(group.count for group in groups) == len(chosen)
    assert sum(group.weight for group in groups) == pytest.approx(1)
    for read in (lambda each: each.ev[0], lambda each: each.frequencies[0]):
        parts = sum(group.weight * read(group) for group in groups if group.weight)
        assert parts == pytest.approx(read(whole))
    for group in groups:
        assert len(report.of_texture(group.name).names) == group.count


LATER = ["AsKh7d2c", "AsKh7d7c", "Ks7s2h4s", "Ks7s2h4h", "9s8d7cTh", "Ks7s2hAc"]


def test_turns_and_rivers_are_grouped_by_their_card():
    flops = make_report(range(6))
    turns = replace(flops, names=tuple(LATER))
    assert flops.features == turns.features[:5] and turns.features[5:] == ("turn",)
    names = [f"{word}-turn" for word in ("pair", "flush", "straight", "overcard", "flush-draw")]
    groups = turns.groups("texture")
    assert [group.name for group in groups] == [*names, "blank-turn"]
    assert [group.name for group in flops.groups("texture")] == [
        group.name for group in flops.groups("suits,pairing")
    ]
    for group in groups:
        assert len(turns.of_texture(group.name).names) == group.count == 1
    rivers = replace(flops, names=(*LATER[:5], "Ks7s2hAc9d"))
    assert [each.name for each in rivers.groups("river")] == ["blank-river", "no-river"]
    assert list(turns.columns())[:7] == ["board", *list(FEATURES)[:6]]
    with pytest.raises(ValueError, match=r"'turn' is not known; known are high.*, texture$"):
        flops.groups("turn")
    many = replace(make_report(range(1, 41)), names=tuple(f"{b}{c}" for b, c in spread()))
    found = explain(many, "oop_ev")
    assert list(found.alone).count("turn") == 1
    for kind in found.classes:
        reached = many.take(range(1, 40)).of_texture(kind.text)  # nobody reaches the first
        assert len(reached.names) == kind.boards


def spread():
    """Forty turns on two flops."""
    for flop in ("Ks7s2h", "9s8d7c"):
        cards = [card for card in range(52) if card not in parse_cards(flop)]
        yield from ((flop, format_cards([card])) for card in cards[:40:2])


def test_a_group_that_nobody_reaches_has_no_numbers():
    mean = make_report([0, 5]).take([0]).mean()
    assert mean.weight == 0
    assert mean.ev == mean.equity == mean.realisation == (None, None)
    assert mean.frequencies == mean.action_ev == (None, None, None)


def test_order_and_columns():
    report = make_report(range(0, 1755, 100))
    values = report.sorted_by("b50").column("b50")
    assert np.isnan(values[-1])
    assert (np.diff(values[:-1]) <= 0).all()
    rising = report.sorted_by("ev asc")
    assert (np.diff(rising.column("oop_ev")[:-1]) >= 0).all()
    assert rising.names[-1] == report.names[0]
    table = report.columns()
    assert table["board"] == list(report.names)
    assert table["a_ev"][0] is None
    assert {len(column) for column in table.values()} == {len(report.names)}
    assert table["suits"][1] == report.textures[1].suits
    with pytest.raises(ValueError, match="'luck' is not a column; there are weight, oop_ev"):
        report.column("luck")
    with pytest.raises(ValueError, match="group: 'colour' is not known; known are high, pairing"):
        report.groups("colour")
    with pytest.raises(ValueError, match="no board of this batch is '2-high'"):
        report.of_texture("2-high")


def test_conditions():
    report = make_report(range(0, 1755, 50))
    chosen = report.where("b50 > 50% and ev < 60")
    expected = [
        board
        for board, share, ev in zip(
            report.names, report.frequencies[:, 1], report.ev[:, 0], strict=True
        )
        if share > 0.5 and ev < 60
    ]
    assert list(chosen.names) == expected != []
    with pytest.raises(ValueError, match="where: 'luck' is not a column; there are"):
        report.where("luck > 0")
    with pytest.raises(ValueError, match="where: no board fulfils 'b50 > 1'"):
        report.where("b50 > 1")
    with pytest.raises(ValueError, match="where: 'b50' is not a condition"):
        report.where("b50")
    with pytest.raises(ValueError, match="sort: 'luck' is not a column"):
        report.sorted_by("luck")
    with pytest.raises(ValueError, match="sort: 'ev down' is not a column"):
        report.sorted_by("ev down")


def test_an_action_that_a_board_does_not_have_is_never_taken_there():
    report = make_report([0, 5, 9])
    report.frequencies[1] = [1, 0, np.nan]
    report.action_evs[1, 1:] = np.nan
    shares = report.shares
    assert report.mean().frequencies[2] == pytest.approx(shares[2] * report.frequencies[2, 2])
    assert report.mean().action_ev[2] == pytest.approx(report.action_evs[2, 2])


def test_an_ev_that_is_not_known_does_not_count():
    report = make_report([0, 5, 9])
    report.action_evs[1] = np.nan
    assert report.mean().action_ev[0] == pytest.approx(report.action_evs[2, 0])


def test_two_batches_side_by_side():
    first = make_report([3, 7, 20, 40])
    second = make_report([20, 7, 900], seed=1, actions=("x", "b75"))
    both = compare_reports(first, second)
    assert both.first.names == both.second.names == (FLOPS[7].name, FLOPS[20].name)
    assert (both.only_first, both.only_second) == (2, 1)
    assert both.change("oop_ev")[0] == pytest.approx(second.ev[1, 0] - first.ev[1, 0])
    assert both.change("b75")[0] == pytest.approx(second.frequencies[1, 1])
    assert both.change("b50")[0] == pytest.approx(-first.frequencies[1, 1])
    with pytest.raises(ValueError, match="no board in common"):
        compare_reports(first, make_report([900, 901]))
    with pytest.raises(ValueError, match="not a column"):
        both.change("b99")


def test_what_a_tree_finds_can_be_selected():
    report = make_report(range(1755))
    wet = np.array([kind.suits != "rainbow" for kind in report.textures])
    high = np.array([kind.high for kind in report.textures])
    report.frequencies[:, 1] = 0.2 + 0.5 * wet * (high >= 8) + 0.01 * np.sin(np.arange(1755))
    found = explain(report, "b50", classes=3)
    assert found.by_classes > 0.99
    assert found.classes[0].text == "T-high+ two-tone|monotone"
    assert sum(each.share for each in found.classes) == pytest.approx(1)
    for flops in found.classes:
        chosen = TextureFilter(flops.text)
        places = [
            place
            for place, kind in enumerate(report.textures)
            if chosen.matches(kind) and place > 0  # the first is never reached
        ]
        assert len(places) == flops.boards
        mean = report.take(places).mean()
        assert mean.frequencies[1] == pytest.approx(flops.mean)
        assert mean.weight == pytest.approx(1)
    assert found.alone["suits"] > found.alone["pairing"]
    assert found.alone["suits"] < found.together < found.by_classes


@settings(max_examples=15)
@given(st.lists(st.integers(1, 1754), min_size=15, max_size=60, unique=True), st.integers(2, 8))
def test_parts_of_the_variance_lie_between_0_and_1(chosen, classes):
    found = explain(make_report([0, *chosen], seed=classes), "x", classes)
    for part in (*found.alone.values(), found.together, found.by_classes):
        assert -1e-9 <= part <= 1 + 1e-9
    assert found.together >= max(found.alone.values()) - 1e-9
    assert list(found.alone.values()) == sorted(found.alone.values(), reverse=True)
    assert 1 <= len(found.classes) <= classes
    mean = sum(each.share * each.mean for each in found.classes)
    assert mean == pytest.approx(found.mean)


def test_nothing_to_explain():
    report = make_report(range(30))
    report.frequencies[:, 0] = 0.1 + 0.2  # no differences but for rounding
    found = explain(report, "x")
    assert found.by_classes == 0 and found.together == 0
    assert [each.text for each in found.classes] == ["any flop"]
    with pytest.raises(ValueError, match="known on 4 boards, too few"):
        explain(report.take(range(5)), "b50")
