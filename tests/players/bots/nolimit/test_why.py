"""What is said after a hand is what was played, and nothing is solved for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.cards.codes import COMBO_CARDS, combo_index
from pokerlab.cards.evaluator.evaluation import evaluate_cards
from pokerlab.cards.hand_classes import CLASS_SIZES
from pokerlab.games import DealtState, load_game
from pokerlab.holdem.preflop.saved_solution import solution_of
from pokerlab.holdem.spots import load_postflop
from pokerlab.players.bots import NolimitBot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.bots.nolimit.preflop import PreflopPlay
from pokerlab.players.bots.nolimit.why import SELDOM, SELDOM_HAND, ExplainedDecision, explain

GAME = load_game("holdem.nolimit.2p").with_stacks([6000, 6000])
ODD = 470
"""A bet on the turn that no menu has; the bot has seat 1."""


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


@pytest.fixture(scope="module")
def played() -> tuple[NolimitBot, DealtState]:
    bot = NolimitBot(iterations=3, threads=1)
    bot.reset(GAME, np.random.default_rng(1))
    state = GAME.start(GAME.make_deal(["9h8c", "AdKc"], "KsQd4h9c2s"))
    while state.player >= 0:
        odd = state.street == 2 and not state.node.raises and state.raise_bounds() is not None
        mine = f"r{state.node.price + ODD}" if odd else "c"
        state = state.apply(bot.act(state.view(1)) if state.player == 1 else mine)
    return bot, state


@pytest.fixture(scope="module")
def decisions(played: tuple[NolimitBot, DealtState]) -> tuple[ExplainedDecision, ...]:
    bot, final = played
    before = bot.play.solved
    found = explain(bot, final, 1)
    assert bot.play.solved == before
    return found


def test_all_decisions_are_there_with_what_was_done(
    played: tuple[NolimitBot, DealtState], decisions: tuple[ExplainedDecision, ...]
) -> None:
    _, final = played
    assert [each.action for each in decisions] == [action for _, action in final.node.path()]
    assert {each.street for each in decisions} == {0, 1, 2, 3}
    for each in decisions:
        assert each.taken is not None
        assert sum(option.frequency for option in each.options) == pytest.approx(1, abs=1e-6)
        assert sum(option.of_hand for option in each.options) == pytest.approx(1, abs=1e-3)
        assert each.loss is None or each.loss >= 0


def test_the_bots_frequencies_are_those_that_it_played_by(
    played: tuple[NolimitBot, DealtState], decisions: tuple[ExplainedDecision, ...]
) -> None:
    bot, final = played
    state = DealtState.first(GAME, final.deal)
    for each in decisions:
        if each.own:
            row = bot.probabilities(state.view(1))
            told: dict[str, float] = {}
            for option in each.options:
                told[option.action] = told.get(option.action, 0.0) + option.of_hand
            assert {a: p for a, p in told.items() if p} == pytest.approx(row, abs=1e-6)
        state = state.apply(each.action)


def test_a_bet_that_no_menu_has_was_put_into_the_tree(
    decisions: tuple[ExplainedDecision, ...],
) -> None:
    bet = next(each for each in decisions if each.street == 2)
    assert bet.added
    assert bet.taken is not None
    assert bet.taken.ev is not None
    assert not bet.stands_for


def test_a_call_on_the_river_is_worth_what_the_range_gives(
    decisions: tuple[ExplainedDecision, ...],
) -> None:
    """Counted hand by hand, with the cards of the table."""
    found = [each for each in decisions if each.street == 3 and each.node.to_call]
    for each in found:
        call = next(option for option in each.options if option.label == "c")
        assert each.ranges is not None
        held = (*each.hole, *each.board)
        own = evaluate_cards(held)
        pot, price = each.node.pot, each.node.to_call
        won = total = 0.0
        for combo, weight in enumerate(each.ranges[1 - each.seat]):
            cards = COMBO_CARDS[combo].tolist()
            if weight == 0 or set(cards) & set(held):
                continue
            other = evaluate_cards([*cards, *each.board])
            share = 1.0 if own < other else 0.5 if own == other else 0.0
            won += weight * (share * (pot + price) - price)
            total += weight
        assert call.ev == pytest.approx(won / total, abs=0.5)
    assert found


def test_solves_are_kept_as_solutions(
    decisions: tuple[ExplainedDecision, ...], tmp_path: Path
) -> None:
    for number, each in enumerate(decisions):
        file = tmp_path / f"{number}.safetensors"
        if not each.street:
            with pytest.raises(ValueError, match="played by the chart: there is no solve to keep"):
                each.keep(file)
            continue
        each.keep(file)
        assert each.solve is not None
        kept, solved = load_postflop(file, check=True), each.solve.solution
        assert kept.partial == (each.street == 1)
        board, hole = each.solved_cards
        assert kept.spot.board == board
        combo = combo_index(*hole)
        there = kept.at(each.line).action_ev[:, combo]
        assert there == pytest.approx([option.ev for option in each.options], abs=0.01)
        assert np.allclose(kept.at("").ev[0], solved.at("").ev[0], atol=0.01, equal_nan=True)


@pytest.mark.parametrize("depth", [20, 30, 50, 100, 200])
def test_mixed_actions_of_the_charts_are_worth_about_the_same(depth: int) -> None:
    """In equilibrium they are worth the same; where a chart seldom comes they are far from it."""
    game = load_game(f"holdem.nolimit.2p.{depth}bb")
    chart = PreflopPlay(game).chart
    solution = solution_of(chart)
    common: list[float] = []
    for decision in chart.decisions:
        view = solution.at(decision.line)
        reach = [chart.reach(decision.line, player) for player in (0, 1)]
        often = [float(CLASS_SIZES @ each) / 1326 for each in reach]
        if often[0] * often[1] < SELDOM:
            continue
        gaps = view.ev.max(axis=0) - view.ev
        arrives = reach[decision.player] >= SELDOM_HAND
        common += gaps[(view.strategy > 0.05) & arrives].tolist()
    assert np.percentile(common, 95) < 0.35  # big blinds; 0.30 was the largest, at 50
    assert np.mean(common) < 0.08


def test_lines_that_a_chart_seldom_takes_are_rough() -> None:
    game = load_game("holdem.nolimit.2p")
    bot = NolimitBot(iterations=3, threads=1)
    bot.reset(game, np.random.default_rng(4))
    deal = game.make_deal(["AhAc", "AdKc"])
    usual = explain(bot, game.replay("r250f", deal), 1)
    assert [each.rough for each in usual] == [False, False]
    odd = explain(bot, game.replay("cr300r900r20000f", deal), 1)
    assert not odd[0].rough
    assert odd[-1].rough


def test_a_hand_of_unknown_cards_has_ranges_only() -> None:
    bot = NolimitBot(iterations=3, threads=1)
    bot.reset(GAME, np.random.default_rng(4))
    deal = GAME.make_deal(["9h8c", "AdKc"], "KsQd4h9c2s")
    hidden = GAME.replay("f", deal).view(0)
    (fold,) = explain(bot, hidden, 1)
    assert fold.hole == ()
    assert fold.best is None
    assert fold.ranges is not None


def test_a_raise_that_the_chart_lacks_is_said_to_be_one() -> None:
    game = load_game("holdem.nolimit.2p")
    bot = NolimitBot(iterations=3, threads=1)
    bot.reset(game, np.random.default_rng(4))
    final = game.replay("r300f", game.make_deal(["9h8c", "AdKc"]))
    raised, folded = explain(bot, final, 0)
    assert not raised.listed
    assert folded.listed
    assert raised.taken is not None
    by_size = {each.action: each.ev for each in raised.options}
    assert by_size["r300"] is not None
    assert min(by_size["r250"], by_size["r350"]) <= by_size["r300"]  # type: ignore[type-var]
    assert by_size["r300"] <= max(by_size["r250"], by_size["r350"])  # type: ignore[type-var]


@pytest.mark.slow
def test_any_hand_can_be_explained_from_what_was_solved() -> None:
    """Odd sizes, all-ins, short and deep and unequal stacks, antes."""
    rng = np.random.default_rng(7)
    stacks = [[500, 500], [1200, 1200], [25000, 25000], [4000, 9000], [9000, 2500]]
    for number in range(20):
        game = replace(GAME.with_stacks(stacks[number % 5]), ante=10 * (number % 4 == 3))
        bot, seat = NolimitBot(iterations=2, threads=1), number % 2
        bot.reset(game, np.random.default_rng(number))
        state = game.start(game.deal(rng))
        while state.player >= 0:
            bounds, luck = state.raise_bounds(), rng.random()
            action = "c"
            if bounds is not None and luck < 0.4:
                action = f"r{int(rng.integers(bounds[0], min(bounds[1], 3 * bounds[0]) + 1))}"
            elif bounds is not None and luck < 0.45:
                action = f"r{bounds[1]}"
            state = state.apply(bot.act(state.view(seat)) if state.player == seat else action)
        before = bot.play.solved
        for each in explain(bot, state, seat):
            assert each.taken is not None
            assert each.loss is None or each.loss >= 0
            assert each.source in ("chart", "solved")
            assert not each.street or each.taken.ev is not None
        assert bot.play.solved == before
