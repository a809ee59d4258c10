"""Every line of every betting tree, and every story, replays by the rules of `Betting`."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from pokerlab.engine.tables.payoffs import raked_worths
from pokerlab.games import TERMINAL, Betting, BettingGame, Street, game_names, load_game
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.games.betting_trees.chips import exact
from pokerlab.holdem.preflop import PreflopRules
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.play.spot_rules import HALVES, Settlement, rules_action, rules_of
from pokerlab.holdem.spots.question.preflop_story import (
    POSITIONS,
    StoryTable,
    parse_story,
    play_story,
)
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "spots").glob("*.toml"))
MENUS = [
    {"board": "Td9d6h", "bet": "60%, e, a", "raise_": "2.5x", "donk": "river: 50%"},
    {"board": "Td9d6h", "bet": "33%, 2bb", "raise_": "1c", "max_bets": 2, "rake": 0.05},
    {"board": "Td9d6h", "pot": 5.5, "stack": 12.25, "bet": "1%, 70%", "raise_": "50%, a"},
    {"board": "Td9d6hQc", "pot": 7, "stack": 1, "bet": "a", "aggressor": "ip", "donk": ""},
    {"board": "Td9d6hQc", "pot": 1, "stack": 300, "bet": "1c, 250%", "force_allin": 0.5},
    {"board": "Td9d6hQc2s", "added": ["b30", "b30/r99"], "removed": ["x/b100", "b100/f"]},
    {"board": "Td9d6hQc2s", "bet": "1c", "raise_": "1c, 40%", "stack": 60, "rake": 0.1},
]


def menu_spot(board: str, **changes: object) -> Spot:
    values = {"pot": 200, "stack": 900, "bet": "50%, a", "raise_": "2.5x"} | changes
    return Spot(board, "66+, A8s+", "QQ-22, ATo+", **values)


SPOTS = [Spot.from_file(file) for file in EXAMPLES] + [menu_spot(**menu) for menu in MENUS]
NAMES = [file.stem for file in EXAMPLES] + [f"menu {number}" for number in range(len(MENUS))]


@pytest.mark.parametrize("spot", SPOTS, ids=NAMES)
def test_lines_of_spots(spot: Spot) -> None:
    tree = spot.tree
    at_roots: list[Betting] = [rules_of(spot).first_betting]
    for level, street in enumerate(tree.streets):
        reached = dict(zip(street.root_first_node[:-1].tolist(), at_roots, strict=True))
        at_roots = []
        for node in range(street.nodes):
            here = reached.pop(node)
            assert (here.player, here.street) == (street.player[node], level)
            assert here.raises == street.bets[node]
            assert here.spent == tuple(tree.pot + HALVES * street.committed[node])
            there = tree.situation(level, node)
            assert here.to_call == HALVES * there.to_call
            least = tree.pot + HALVES * (there.least + int(street.root_matched[street.root[node]]))
            bounds = here.raise_bounds()
            assert bounds is None or bounds[0] == least
            for edge in street.edges_of(node):
                after = here.after(rules_action(tree, level, edge))
                kind = EdgeKind(street.kind[edge])
                if kind == EdgeKind.NODE:
                    assert after.street == level and after.player != TERMINAL
                    reached[int(street.target[edge])] = after
                    continue
                assert after.spent == (tree.pot + HALVES * int(street.matched[edge]),) * 2
                assert (len(after.live) == 1) == (kind == EdgeKind.FOLD)
                if kind == EdgeKind.NEXT_STREET:
                    assert len(at_roots) == street.target[edge]
                    at_roots.append(after)
                else:
                    assert after.player == TERMINAL


@pytest.mark.parametrize("spot", [spot for spot in SPOTS if spot.rake] + SPOTS[:1])
def test_ends_of_spots_are_worth_what_the_rules_say(spot: Spot) -> None:
    settled = Settlement(spot)
    worths = raked_worths(spot.pot, spot.rake_from)
    for level, street in enumerate(spot.tree.streets):
        for edge in np.flatnonzero(np.isin(street.kind, (1, 2, 4))).tolist():
            first, second = worths(street.matched[edge] / street.units)
            wins = settled.at(level, edge)  # for a lead of −1, 0 and 1 of the first player
            expected = [(first.loss, second.win), (first.tie, second.tie), (first.win, second.loss)]
            if street.kind[edge] == EdgeKind.FOLD:
                folds = int(street.player[street.node[edge]])
                expected = [expected[0 if folds == 0 else 2]] * 3
            np.testing.assert_allclose(wins, expected, atol=1e-9)


LIMIT = [
    name
    for name in game_names()
    if isinstance(load_game(name), BettingGame)
    and load_game(name).betting == "limit"
    and name != "holdem.limit.3p"  # 30 times as many lines, by the same code
]


@pytest.mark.parametrize("name", LIMIT)
def test_lines_of_limit_games(name: str) -> None:
    game = load_game(name)
    flat = flatten_betting(game)
    for number, node in enumerate(flat.nodes):
        here = game.replay(node.text).node
        *following, player, street = flat.tree.nodes[number].tolist()
        assert (here.player, here.street) == (player, street)
        assert [ACTIONS[each] for each in range(3) if following[each] >= 0] == [*here.actions()]
        for action in here.actions():
            after, target = here.after(action), following[ACTIONS.index(action)]
            leaf = target - len(flat.nodes)
            found = flat.nodes[target] if leaf < 0 else flat.leaves[leaf]
            assert (found.text, found.player) == (after.text, after.player)
            if leaf >= 0:
                assert tuple(flat.tree.spent[leaf]) == after.spent
                assert tuple(~flat.tree.live[leaf]) == after.folded


def before_the_flop(stacks: list[int], blinds: tuple[int, int], ante: int) -> BettingGame:
    """A street before the flop in small chips, and one after it; the blinds sit last."""
    return BettingGame(
        name="lines",
        players=len(stacks),
        betting="no-limit",
        blinds=(0,) * (len(stacks) - 2) + blinds,
        ante=ante,
        stacks=tuple(stack + ante for stack in stacks),
        streets=(Street(hole=2), Street(board=5)),
    )


@pytest.mark.parametrize(
    "rules",
    [
        PreflopRules.push_fold(10),
        PreflopRules(100, "2x, 2.5x, a; 3x, a; 2.2x; a", ante=0.13),
        PreflopRules(20, "1.5bb, 50%; e", small_blind=0.4),
        PreflopRules(7.5, "2x; 100%", limp=False, small_blind=1, ante=1),
        PreflopRules(1.01, "2x, a", small_blind=0),
    ],
    ids=str,
)
def test_lines_before_the_flop(rules: PreflopRules) -> None:
    tree = rules.tree
    (street,) = tree.streets
    ante = tree.pot // 2
    game = before_the_flop([tree.stack] * 2, (round(100 * rules.small_blind), 100), ante)
    reached = {0: game.first_betting}
    for node in range(street.nodes):
        here = reached.pop(node)
        assert (here.player, here.street) == (street.player[node], 0)
        assert here.spent == tuple(ante + street.committed[node])
        there, bounds = tree.situation(0, node), here.raise_bounds()
        assert here.to_call == there.to_call
        assert bounds is None or bounds == (ante + there.least, ante + there.most)
        for edge in street.edges_of(node):
            label = street.label(edge)
            action = f"r{ante + street.amount[edge]}" if label[0] in "ra" else label[0]
            after, kind = here.after("c" if action == "x" else action), street.kind[edge]
            if kind == EdgeKind.NODE:
                reached[int(street.target[edge])] = after
                continue
            assert after.spent == (ante + int(street.matched[edge]),) * 2
            assert (after.player != TERMINAL) == (kind == EdgeKind.NEXT_STREET)
            assert (len(after.live) == 1) == (kind == EdgeKind.FOLD)


@pytest.mark.parametrize("players", range(2, 10))
def test_stories(players: int) -> None:
    """Random hands, told and played again; stacks and antes as they come."""
    rng, told = random.Random(players), 0
    order = POSITIONS[-players:]
    while told < 25:
        stacks = [rng.choice([100_000, 60_000, 12_500, 5_000, 1_200]) for _ in order]
        ante = rng.choice([0, 100])
        game = before_the_flop(stacks, (500, 1000), ante)
        here, story = game.first_betting, []
        while here.street == 0 and here.player != TERMINAL:
            name, bounds, choice = order[here.player], here.raise_bounds(), rng.random()
            most = stacks[here.player] + ante
            if bounds and choice < 0.3:
                total = rng.choice([bounds[0], min(bounds[0] + 777, most), most])
                size = exact((total - ante) / 1000)
                story.append(f"{name} all-in" if total == most else f"{name} raise {size}")
                here = here.after(f"r{total}")
            elif choice < 0.6 or not here.to_call:
                story.append(f"{name} {'call' if here.to_call else 'check'}")
                here = here.after("c")
            else:
                here = here.after("f")  # who is not named folds
        if len(here.live) != 2 or not story:
            continue
        told += 1
        chips = {name: (stack + ante) / 1000 for name, stack in zip(order, stacks, strict=True)}
        table = StoryTable(players, chips, 0.5, ante / 1000)
        end = play_story(parse_story(", ".join(story), table), table)
        matched = min(here.spent[seat] for seat in here.live)
        larger = max(here.live, key=here.spent.__getitem__)
        behind = {
            order[seat]: game.stacks[seat]
            - here.spent[seat]
            + (seat == larger) * sum(max(spent - matched, 0) for spent in here.spent)
            for seat in here.live
        }
        assert end.pot == sum(min(spent, matched) for spent in here.spent) / 1000, story
        found = dict(zip(end.players, end.behind, strict=True))
        assert found == {name: left / 1000 for name, left in behind.items()}, story
