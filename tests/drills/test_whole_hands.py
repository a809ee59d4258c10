"""Whole hands are judged as the solves say, and results go through a file unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.drills import DrillScore, LogEntry, judge_hand, open_log
from pokerlab.drills.score import street_of
from pokerlab.games import load_game
from pokerlab.players.bots import NolimitBot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.bots.nolimit.why import ExplainedDecision, explain

GAME = load_game("holdem.nolimit.2p").with_stacks([6000, 6000])


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


@pytest.fixture(scope="module")
def explained() -> tuple[ExplainedDecision, ...]:
    bot = NolimitBot(iterations=3, threads=1)
    bot.reset(GAME, np.random.default_rng(1))
    final = GAME.replay("cc/cc/cc/r300f", GAME.make_deal(["Jh8c", "AdKc"], "KsQd4h9c2s"))
    return explain(bot, final, 1)


def test_judgements_are_the_losses_of_the_decisions(
    explained: tuple[ExplainedDecision, ...],
) -> None:
    judged = judge_hand(explained)
    own = [each for each in explained if not each.own]
    assert [each.loss for each in own] == pytest.approx([each.loss for each in judged])
    assert [street_of(each) for each in judged] == ["pre-flop", "flop", "turn", "river"]
    assert [each.line for each in judged] == ["c", "", "x/x/9c", "x/x/9c/x/x/2s"]
    assert {each.seat for each in judged} == {"oop"}
    assert judged[-1].action == "b200"
    for each in judged:
        assert each.loss == pytest.approx(max(each.ev) - each.ev[each.actions.index(each.action)])


def test_results_survive_a_file(explained: tuple[ExplainedDecision, ...], tmp_path: Path) -> None:
    log = open_log(tmp_path / "hands.jsonl")
    judged = judge_hand(explained)
    for each in judged:
        log.add(LogEntry("a", 0, "nolimit", each.line, each))
    log.add(LogEntry("a", 0, "nolimit", "cc/cc/cc/r300f", won=100.0))
    again = open_log(tmp_path / "hands.jsonl").entries()
    assert [entry.decision for entry in again[:-1]] == judged
    score = DrillScore.of(again)
    assert score.decisions == 4
    assert score.hands == 1
    assert list(score.streets) == ["pre-flop", "flop", "turn", "river"]
    assert score.loss_bb_hand == pytest.approx(sum(each.loss for each in judged) / 100)


def test_what_is_only_bounded_does_not_count() -> None:
    """The chart never calls with aces, so nobody knows what a call is worth."""
    bot = NolimitBot(iterations=3, threads=1)
    game = load_game("holdem.nolimit.2p")
    bot.reset(game, np.random.default_rng(1))
    final = game.replay("r250c", game.make_deal(["AhAc", "KsKd"], "Qs7d2c")).view(0)
    found = explain(bot, final, 1)
    assert not found[1].taken.firm  # type: ignore[union-attr]
    assert judge_hand(found) == []
