"""Means of local responses over sampled streets."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pokerlab.arena.responses.street_gains import (
    StreetGain,
    StreetGains,
    StreetTask,
    street_gains,
)
from pokerlab.games import load_game


def _street(hands: int, gain: float) -> StreetGain:
    return StreetGain("", hands, "", "", (gain, 3 * gain), (0.0, 0.0), 0.0)


def test_mean_counts_hands_that_end_before() -> None:
    gains = StreetGains((_street(1, 4.0), _street(3, 0.0)), mbb=10.0)
    assert gains.reached == 0.5
    assert gains.gain(0)[0] == pytest.approx(10.0) and gains.gain(1)[0] == pytest.approx(30.0)
    assert gains.gain()[0] == pytest.approx(20.0)


def test_error_is_that_of_a_simulated_ratio() -> None:
    rng = np.random.default_rng(1)
    means, errors = [], []
    for _ in range(400):
        hands, won = rng.geometric(0.4, 50), rng.exponential(2.0, 50)
        pairs = zip(hands.tolist(), won.tolist(), strict=True)
        mean, error = StreetGains(tuple(_street(*each) for each in pairs), mbb=1.0).gain(0)
        means.append(mean)
        errors.append(error)
    assert np.mean(means) == pytest.approx(0.8, rel=0.03)
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.12)


def test_finished_streets_are_not_done_again(tmp_path: Path) -> None:
    tasks = [StreetTask("caller", "holdem.nolimit.2p", "river", "a", 1, 7, n) for n in range(3)]
    first = street_gains(tasks[:2], tmp_path)
    again = street_gains(tasks, tmp_path)
    assert again[:2] == first and len({each.board for each in again}) == 3
    assert (tmp_path / "streets.jsonl").read_text().count("\n") == 3
    gains = StreetGains.of(again, load_game("holdem.nolimit.2p"))
    assert gains.reached == 1.0 and gains.gain()[0] > 40_000


def test_a_street_that_never_comes_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pokerlab.arena.responses.street_gains._MOST_HANDS", 20)
    task = StreetTask("folder", "holdem.nolimit.2p", "flop", "a", 1, 7, 0)
    with pytest.raises(ValueError, match="no hand of 20 came to the flop"):
        task.run()


def test_streets_count_up_to_the_first_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short(jobs, *_, **__):  # type: ignore[no-untyped-def]
        for number in (1, 0, 3):
            yield list(jobs)[number], number
        raise KeyboardInterrupt

    monkeypatch.setattr("pokerlab.arena.responses.street_gains.run_jobs", cut_short)
    tasks = [StreetTask("caller", "holdem.nolimit.2p", "river", "a", 1, 7, n) for n in range(4)]
    assert street_gains(tasks, tmp_path) == [0, 1]
