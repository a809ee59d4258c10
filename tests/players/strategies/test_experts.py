"""Experts against exact best responses in their part of the game, written out as a tree."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from pokerlab.games import load_betting_game
from pokerlab.games.protocol import CHANCE
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.training.training import train
from pokerlab.players.bots.limit_bot import TwoPlayerLimitBot
from pokerlab.players.strategies.experts import (
    Experts,
    fold_lines,
    ranges_after,
    share_deals,
    train_expert,
)
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.players.strategies.limit_view import view_limit
from pokerlab.solvers import Strategy, nash_conv
from pokerlab.studies.reporting.report_table import read_rows
from pokerlab.trees import GameTree

LINE = "rf"


@pytest.fixture(scope="module")
def small():
    """Leduc hold'em for three with the four cards J to A: 24 deals and one card left for each."""
    leduc = load_betting_game("leduc")
    return replace(leduc, name="small", players=3, ranks="JQKA", suits="s")


@pytest.fixture(scope="module")
def base(small):
    """Anything: the ranges must count, not whether the base plays well."""
    game = BucketedGame.of(small, "each")
    rows = np.random.default_rng(3).dirichlet(np.ones(3), game.rows).astype(np.float16)
    return LimitStrategy(game, rows, 1, 1.0, "none", "none", 0.0, 0.0, False)


@dataclass(frozen=True)
class Part:
    """The game after a line: chance deals private cards as the ranges say, then all is as usual."""

    whole: object
    line: str
    ranges: object
    name: str = "part"
    players: int = 3

    def start(self):
        return PartState(self, None)


@dataclass(frozen=True)
class PartState:
    part: Part
    inner: object

    @property
    def player(self):
        return CHANCE if self.inner is None else self.inner.player

    def deals(self):
        names = self.part.whole.start().actions()
        weights = {
            " ".join(names[card] for card in deal): np.prod(
                [self.part.ranges[seat, card] for seat, card in enumerate(deal)]
            )
            for deal in permutations(range(len(names)), 3)
        }
        return {deal: weight / sum(weights.values()) for deal, weight in weights.items()}

    def actions(self):
        return tuple(self.deals()) if self.inner is None else self.inner.actions()

    def chances(self):
        return tuple(self.deals().values()) if self.inner is None else self.inner.chances()

    def apply(self, action):
        if self.inner is not None:
            return PartState(self.part, self.inner.apply(action))
        state = self.part.whole.start()
        for step in (*action.split(), *self.part.line):
            state = state.apply(step)
        return PartState(self.part, state)

    def payoffs(self):
        return self.inner.payoffs()

    def seen_by(self, seat):
        return "" if self.inner is None else self.inner.seen_by(seat)

    def public(self):
        return "" if self.inner is None else self.inner.public()


def test_lines_and_ranges(base, small):
    lines = fold_lines(small)
    assert LINE in lines
    assert all(line.count("f") == 1 and line.endswith("f") for line in lines)
    ranges = ranges_after(base, LINE)
    for group in range(4):
        card = int(sorted(small.deck)[group])
        first = base.triple("", [card], [])
        second = base.triple("r", [card], [])
        assert ranges[:, group].tolist() == pytest.approx([first[2], second[0], 1.0])
    shared = share_deals(base, 1000)
    assert set(shared) <= set(lines)
    few = share_deals(base, 20)
    assert few and min(few.values()) > 0 and set(few) < set(shared)
    for deals, least in ((0, 0.0), (1000, 1.0)):
        with pytest.raises(ValueError, match=r"^no line has an expert: [^\n]+$"):
            share_deals(base, deals, least)


def test_folds_after_the_flop_are_as_the_page_counts_them():
    """By the street of the fold: lines that go on with two, and what is left of them."""
    known, left = {}, set()

    def situation(node):
        return node.street, node.player, node.waiting, node.folded, node.raises, node.spent

    def lines(node):
        if situation(node) not in known:
            count = Counter()
            for after in (node.after(action) for action in node.actions()):
                if after.player >= 0 and len(after.live) == 2:
                    count[node.street] += 1
                    left.add((node.street, situation(after)))
                elif after.player >= 0:
                    count += lines(after)
            known[situation(node)] = count
        return known[situation(node)]

    found = lines(load_betting_game("holdem.limit.3p").first_betting)
    assert found == {0: 44, 1: 1_980, 2: 91_080, 3: 2_094_840}
    assert sum(street > 0 for street, _ in left) == 651
    docs = Path(__file__).parents[3] / "docs"
    folds = {
        row["street"]: float(row["frequency"]) * float(row["decisions"])
        for row in read_rows((docs / "mapping/tables-07-10.csv").read_text("utf-8"))
        if (row["bot"], row["against"], row["players"]) == ("CFR3", "CFR3, CFR3", "3")
        and row["action"] == "fold"
    }
    later = [round(folds[street]) for street in ("flop", "turn", "river")]
    page = (docs / "mapping.md").read_text("utf-8")
    assert (
        f"{later[0]} hands of 6,000, on the turn in {later[1]}, on the river in {later[2]}" in page
    )
    assert f"{3 * sum(later) / 60:.1f} ± {3 * sum(later) ** 0.5 / 60:.1f}% of all hands" in page
    assert all(f"{found[street]:,}" in page for street in found)


def test_an_expert_is_near_an_equilibrium_of_its_part(base, small):
    expert = LimitStrategy.of(train_expert(base, LINE, "each", 60_000, boards=2))
    part = Part(small, LINE, ranges_after(base, LINE))
    tree = GameTree.build(part)
    choices = {}
    waiting = [part.start()]
    while waiting:
        state = waiting.pop()
        if state.player >= 0:
            node, board = state.inner.node, state.inner.board
            triple = expert.at(node, state.inner.holes[state.player], board) or (0.0, 1.0, 0.0)
            played = dict(zip("fcr", triple, strict=True))
            total = sum(played[action] for action in state.actions())
            name = state.seen_by(state.player)
            choices[name] = {action: played[action] / total for action in state.actions()}
        waiting += [state.apply(action) for action in state.actions()]
    uniform = nash_conv(tree, Strategy.uniform(tree.infosets))
    assert nash_conv(tree, Strategy.of(tree.infosets, choices)) < 0.02 * uniform


def test_whole_games_of_buckets_have_no_lines(small):
    with pytest.raises(ValueError, match="method: exact is for whole games"):
        train(BucketedGame.of(small, "each", LINE), method="exact", iterations=1)


def test_files_of_experts(base, tmp_path):
    expert = LimitStrategy.of(train_expert(base, LINE, "each", 100, boards=2))
    expert.save(tmp_path / "rf.safetensors")
    found = Experts.load(tmp_path)
    again = found.by_line[LINE]
    assert again.game.line == LINE
    np.testing.assert_array_equal(again.probabilities, expert.probabilities)
    node = base.game.game.replay("rf").node
    assert found.of(node) is again
    assert found.of(base.game.game.replay("rrf").node) is None
    assert found.at(node, (int(min(node.game.deck)),), ()) is not None
    for line in ("rz", "rfcc", "rff"):
        expert.save(tmp_path / "bad.safetensors", entries={"line": line})
        with pytest.raises(ValueError, match=r"strategy '.*bad\.safetensors': "):
            Experts.load(tmp_path)
    (tmp_path / "bad.safetensors").unlink()
    base.save(tmp_path / "whole.safetensors")
    with pytest.raises(ValueError, match="a strategy of the whole game, not an expert"):
        Experts.load(tmp_path)


def test_experts_of_two_games_are_refused(base, small, tmp_path):
    LimitStrategy.of(train_expert(base, LINE, "each", 100, boards=2)).save(
        tmp_path / "rf.safetensors"
    )
    other = replace(base, game=BucketedGame.of(replace(small, ante=2), "each"))
    expert = LimitStrategy.of(train_expert(other, "rrf", "each", 100, boards=2))
    expert.save(tmp_path / "rrf.safetensors")
    with pytest.raises(
        ValueError, match=r"rrf\.safetensors' is of small by other rules than '.*rf\."
    ):
        Experts.load(tmp_path)


def test_an_expert_is_shown_from_its_line_on_and_is_not_a_bot_of_the_whole_game(base):
    expert = LimitStrategy.of(train_expert(base, LINE, "each", 200, boards=2))
    raiser = view_limit(expert, "rfc/")  # who raised before the line may hold anything
    assert raiser.weights.tolist() == [1.0] * len(raiser)
    with pytest.raises(ValueError, match="the betting begins after 'rf', and 'r' is not in it"):
        view_limit(expert, "r")
    with pytest.raises(ValueError, match="an expert for the line rf"):
        TwoPlayerLimitBot(expert)


@pytest.mark.slow
def test_ranges_that_no_deal_fits_are_refused(small):
    ranges = np.zeros((3, 4))
    ranges[:, 3] = 1.0  # all three hold the one best card
    with pytest.raises(ValueError, match="hardly any deal"):
        train(
            BucketedGame.of(small, "each", LINE), iterations=10, threads=1, ranges=ranges, boards=2
        )
