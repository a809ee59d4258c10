"""Coarse strategies in finer trees: against explicit trees, the bot that translates, and itself."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame as ExplicitGame
from tests.holdem.spots.explicit_game import split_name

from pokerlab.cards.codes import combo_cards, format_cards
from pokerlab.engine.tables.runouts import find_run_out
from pokerlab.games.betting_trees import Menus
from pokerlab.holdem.spots import PostflopSolution, Spot, solve_spot, solve_together
from pokerlab.holdem.spots.coarse import lifting
from pokerlab.holdem.spots.coarse.lifting import ANSWERS, Lift, spot_with_bet
from pokerlab.holdem.spots.coarse.menu_loss import menu_losses
from pokerlab.holdem.spots.coarse.merged_boards import solve_merged
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.real_game import RealGame
from pokerlab.players.bots.strategy_bot import StrategyBot
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats, Halves
from pokerlab.solvers import Strategy, best_response
from pokerlab.trees import GameTree

RIVER = Spot(
    "QhJh2c4d7h",
    "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 5h4h:0.71, AcKc",
    "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs",
    pot=100,
    stack=400,
    bet="50%, a",
    raise_="50%, a",
    max_bets=3,
)
TURN = Spot(
    "QhJh2c4d",
    "AsAd:0.83, KhQd:0.61, 9h8h",
    "JsJd:0.37, AhKh:0.72, QsTs",
    pot=100,
    stack=150,
    bet="50%, a",
    raise_="a",
)
FINE = {
    "river": ("25%, 50%, 100%, 200%, a", "50%, 100%, a"),
    "turn": ("25%, 50%, 100%, a", "a"),
}
"""Bets and raises."""


def finer(name: str) -> Spot:
    spot = RIVER if name == "river" else TURN
    bets, raises = FINE[name]
    return replace(spot, bet=Menus.of("bet", bets), raise_=Menus.of("raise", raises))


@cache
def solved(name: str, *, fine: bool = False) -> PostflopSolution:
    spot = finer(name) if fine else (RIVER if name == "river" else TURN)
    return solve_spot(spot, target="0.05%", threads=1)


def row(prepared: PreparedSpot, strategy: tuple[Halves, ...], combo: int, line: str) -> Floats:
    """What a hand does at a line."""
    place = prepared.spot.find(line)
    player = int(prepared.spot.tree.streets[place.level].player[place.node])
    run_out = find_run_out(prepared.boards, place.cards)[-1]
    hands = run_out.combos(prepared.boards, player)
    layout = prepared.layout.at(place.level, player)
    rows = layout.node(strategy[place.level], run_out.number, place.node)
    return np.asarray(rows[:, hands == combo][:, 0], np.float64)


def explicit_value(
    tree: GameTree, prepared: PreparedSpot, player: int, strategy: tuple[Halves, ...]
) -> float:
    """What a best response takes against a lifted strategy, in the game written out."""
    infosets = tree.infosets
    numbers = np.zeros(infosets.slots)
    for number, name in enumerate(infosets.names):
        slots = slice(infosets.offset[number], infosets.offset[number + 1])
        numbers[slots] = 1 / (slots.stop - slots.start)
        if infosets.player[number] == player:
            numbers[slots] = row(prepared, strategy, *split_name(name))
            numbers[slots] /= numbers[slots].sum()
    value = best_response(tree, Strategy(infosets, numbers), 1 - player).value
    return value + prepared.spot.pot / 2


@pytest.mark.parametrize("name", ["river", pytest.param("turn", marks=pytest.mark.slow)])
def test_best_responses_are_those_of_the_game_written_out(name: str) -> None:
    prepared = PreparedSpot.of(finer(name))
    tree = GameTree.build(ExplicitGame(prepared.spot))
    game = RealGame(prepared, threads=1)
    for answer in ANSWERS if name == "river" else ["linear"]:
        lift = Lift(solved(name), prepared, answer, target="0.2%")
        for player in range(2):
            strategy = lift.strategy(player)
            expected = explicit_value(tree, prepared, player, strategy)
            assert game.best_value(1 - player, strategy) == pytest.approx(expected, abs=0.02)


def test_it_plays_as_the_bot_that_translates() -> None:
    prepared = PreparedSpot.of(finer("river"))
    lift = Lift(solved("river"), prepared, "pseudo-harmonic")
    game = SpotGame.of(prepared.spot)
    bot = StrategyBot(solved("river"))
    bot.reset(game, np.random.default_rng(1))
    strategies = lift.strategy(0), lift.strategy(1)
    hands = [np.flatnonzero(each.weights) for each in prepared.spot.ranges]
    compared = 0
    for _, node, line in prepared.spot.tree.walk():
        player = int(prepared.spot.tree.streets[0].player[node])
        labels = prepared.spot.tree.streets[0].labels(node)
        for combo in hands[player][::2].tolist():
            other = next(
                each
                for each in hands[1 - player].tolist()
                if not {*combo_cards(each)} & {*combo_cards(combo)}
            )
            pair = (combo, other) if player == 0 else (other, combo)
            deal = game.make_deal([format_cards(combo_cards(each)) for each in pair], "QhJh2c4d7h")
            state = game.start(deal)
            for label in line.split("/") if line else []:
                state = state.apply(at_table(label, state))
            told = bot.probabilities(state.view(player))
            if set(told) == {"c"} and labels != ["x"]:
                continue  # a hand that does not come here: the bot has no line for it
            ours = row(prepared, strategies[player], combo, line)
            named = [at_table(label, state) for label in labels]
            expected = [told.get(each, 0.0) for each in named]
            if abs(ours - 1 / len(ours)).max() < 1e-3:
                continue  # it does not come here by its own actions
            assert ours == pytest.approx(expected, abs=4e-3), (line, combo, told)
            compared += 1
    assert compared > 90


def at_table(label: str, state: object) -> str:
    """A label of a river as an action of the table, whose chips are halves."""
    if label in ("x", "c"):
        return "c"
    if label in ("f",):
        return "f"
    if label == "a":
        return f"r{state.raise_bounds()[1]}"  # type: ignore[attr-defined]
    return f"r{100 + 2 * int(label[1:])}"


def test_a_menu_against_itself_loses_its_exploitability() -> None:
    for name in ("river", "turn"):
        solution = solved(name)
        for loss in menu_losses(solution, solution, ["nearest", "solve again"], threads=1):
            gained = solution.best_values[1 - loss.player] - solution.values[1 - loss.player]
            assert loss.response - solution.values[1 - loss.player] == pytest.approx(
                gained, abs=0.002
            )
            assert loss.least <= 0.002 and loss.most >= 0 and loss.solves == 0


def test_better_answers_lose_less() -> None:
    losses = {
        (loss.answer, loss.player): loss
        for loss in menu_losses(solved("river"), solved("river", fine=True), threads=1)
    }
    for player in range(2):
        assert losses["solve again", player].most < losses["nearest", player].least
        assert losses["pseudo-harmonic", player].most < losses["nearest", player].least
        assert losses["solve again", player].solves > 0
    assert all(loss.most >= 0 for loss in losses.values())


def test_the_spot_with_one_bet_more_begins_where_it_is_bet() -> None:
    solution = solved("river")
    node = solution.spot.find("x/b50").node  # oop may raise
    again = spot_with_bet(solution, node, "r220")
    assert again.tree.streets[0].labels(0) == ["x"]
    assert again.tree.streets[0].labels(again.find("x").node) == ["b50"]
    assert "r220" in again.tree.streets[0].labels(again.find("x/b50").node)
    arriving = solution.decision("x/b50").weights[1]
    best = int(np.argmax(arriving))
    ratio = again.ip.weights / again.ip.weights[best]
    known = arriving > 1e-4
    assert ratio[known] == pytest.approx(arriving[known] / arriving[best])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pot": 120}, "another pot"),
        ({"stack": 90}, "another effective stack"),
        ({"board": "QhJh2c4d8s"}, "another board"),
    ],
)
def test_other_spots_are_refused(change: dict[str, object], message: str) -> None:
    fields = {**RIVER.fields(), **change}
    other = PreparedSpot.of(Spot.from_fields(fields))
    with pytest.raises(ValueError, match=message):
        Lift(solved("river"), other)
    with pytest.raises(ValueError, match="is not one of nearest, linear"):
        Lift(solved("river"), PreparedSpot.of(RIVER), "guess")


def test_other_run_outs_are_refused() -> None:
    flop = Spot("QsJh2h", "AA", "KK", pot=100, stack=80, bet="a", raise_="", runouts="2x2")
    coarse = solve_spot(flop, iterations=2)
    with pytest.raises(ValueError, match="another runouts"):
        Lift(coarse, PreparedSpot.of(replace(flop, runouts="3x2")))


def test_a_row_counts_its_own_solves() -> None:
    coarse, fine = solved("river"), solved("river", fine=True)
    rows = list(menu_losses(coarse, fine, ["solve again"], threads=1))
    for loss in rows:
        lift = Lift(coarse, PreparedSpot.of(fine.spot), "solve again", threads=1)
        lift.strategy(loss.player)
        assert loss.solves == len(lift.solves) > 0


def test_solves_again_are_made_as_the_coarse_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without merged suits this turn has 48 rivers, with them 36.
    turn = Spot("QhJs5cQd", "AA, KTs, 98s", "JJ, A5s", pot=10, stack=30, bet="50%, a", raise_="a")
    fine = replace(turn, bet=Menus.of("bet", "50%, 100%, a"))
    asked = []

    def note(*spots: object, **options: object) -> object:
        asked.append(options)
        return solve_together(*spots, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(lifting, "solve_together", note)
    losses = []
    for merged in (True, False):
        pair = [
            solve_spot(each, target="0.1%", threads=1, isomorphism=merged) for each in (turn, fine)
        ]
        losses.append([loss.chips for loss in menu_losses(*pair, ["solve again"], threads=1)])
    assert losses[0] == pytest.approx(losses[1], abs=0.03)
    assert {(each["isomorphism"], each["threads"]) for each in asked} == {(True, 1), (False, 1)}


def test_rake_is_refused() -> None:
    raked = solve_spot(replace(RIVER, rake=0.05), target="5%", threads=1)
    with pytest.raises(ValueError, match=r"rake 0.05: losses are measured without rake"):
        next(menu_losses(raked, raked))
    with pytest.raises(ValueError, match="it must be 0"):
        solve_merged(replace(TURN, rake=0.05), iterations=10)
