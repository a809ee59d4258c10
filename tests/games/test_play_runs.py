"""Runs of many hands: blocks in order whatever the threads, and means with errors."""

from __future__ import annotations

from threading import Event

import numpy as np
import pytest

from pokerlab.games.play_runs import BlockRun, PlayResult, Totals, known, standardised


@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_come_in_order(threads: int) -> None:
    slow = Event()

    def play(number: int, deals: int) -> tuple[int, int]:
        if number == 0 and threads > 1:
            slow.wait(60)  # the first block ends last
        elif number == 2:
            slow.set()
        return number, deals

    run = BlockRun(play, 23, 5, threads)
    assert list(run) == [(0, 5), (1, 5), (2, 5), (3, 5), (4, 3)]
    assert run.played == 23
    assert run.seconds > 0
    assert list(BlockRun(play, 0, 5, threads)) == []


def test_a_run_that_is_left_plays_no_further_blocks() -> None:
    played = []
    run = iter(BlockRun(lambda number, deals: played.append(number), 1000, 1, 1))
    next(run)
    run.close()
    assert len(played) <= 3


def test_a_block_that_fails_ends_the_run() -> None:
    run = BlockRun(lambda number, deals: 1 // (2 - number), 100, 10, 2)
    with pytest.raises(ZeroDivisionError):
        list(run)
    assert run.played == 20


def test_what_a_result_says_of_its_run() -> None:
    fields = {"hands": 10, "planned_hands": 20, "seed": 1, "threads": 2}
    result = PlayResult(**fields, seconds=2.0, cpu_seconds=3.0)
    assert not result.complete
    assert result.run_json() == {
        **fields,
        "seconds": 2.0,
        "cpu_seconds": 3.0,
        "hands_per_second": 5.0,
    }
    assert [known(each) for each in (1.5, np.nan, -np.inf)] == [1.5, None, None]


def test_totals_and_their_curve() -> None:
    samples = np.random.default_rng(1).normal(size=(2345, 2))
    totals = Totals(2, len(samples))
    for part in np.array_split(samples, 7):
        totals.add(part)
    np.testing.assert_allclose(totals.last.mean, samples.mean(axis=0))
    np.testing.assert_allclose(totals.last.stderr, samples.std(axis=0, ddof=1) / np.sqrt(2345))
    assert [point.deals for point in totals.curve] == list(range(4, 2346, 4))
    for point in totals.curve[::50]:
        np.testing.assert_allclose(point.total, samples[: point.deals].sum(axis=0), atol=1e-9)
    assert np.isnan(Totals(1, 5).last.stderr).all()


def test_no_error_at_all() -> None:
    assert (standardised(0.0, 0.0), standardised(1.0, 0.0)) == (0.0, np.inf)
    assert standardised(-1.0, 0.5) == -2.0
