"""The tasks of the study of the draw bot."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from pokerlab.arena.freeze_out import play_freeze_outs
from pokerlab.cards import evaluate_batch
from pokerlab.cards.evaluator.hand_names import category
from pokerlab.games import load_betting_game
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.solvers import CfrSolver, exploitability, solve_lp, values
from pokerlab.studies.draw.bit_patterns import PRIMES, evaluate_patterns, make_tables, pattern
from pokerlab.studies.draw.criteria import AllHands, compare_criteria
from pokerlab.studies.draw.small_games import (
    RuledDraws,
    by_chance_to_win,
    by_mean_class,
    document_rule,
    small_game,
)
from pokerlab.studies.reporting.measure import Measure, share
from pokerlab.studies.reporting.study import Kept, kept_with
from pokerlab.trees import GameTree

CRITERIA = {"mean class": by_mean_class, "chance to win": by_chance_to_win}
BASES = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32)
"""Bases of the stake that are tried in the small games, in chips."""
BET = 2
"""The first bet of the small games; the second is twice as large."""


@dataclass(frozen=True)
class EvaluatorTask:
    """The document's evaluator on all hands, beside ours."""

    key = "evaluator"

    def run(self) -> Kept:
        """Count hands and classes by what settles them."""
        hands = np.array(list(combinations(range(52), 5)), np.uint8)
        ours = evaluate_batch(hands, check=False).astype(np.int64)
        found = evaluate_patterns(hands.astype(np.int64))
        steps = [found.classes[found.step == step] for step in (1, 2, 3)]
        return {
            "hands": len(hands),
            "classes": len(np.unique(ours)),
            "different": int((found.classes != ours).sum()),
            "step_hands": [len(each) for each in steps],
            "step_classes": [len(np.unique(each)) for each in steps],
            "products": len(make_tables().products),
            "largest_product": int(make_tables().products[-1]),
            "primes": [PRIMES[0], PRIMES[-1]],
            "last_rank": pattern(51) >> 8 & 15,
            "discards": [comb(5, thrown) for thrown in range(6)],
            "replacements": [comb(47, thrown) for thrown in range(6)],
        }


@dataclass(frozen=True)
class CriteriaTask:
    """Discards by mean class and by the chance to win, of every `step`-th hand up to suits."""

    step: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"criteria {self.step}"

    def run(self) -> Kept:
        """Shares, and what is lost, over all hands and by kind of hand."""
        found = compare_criteria(AllHands.of(self.step))
        shares = found.hands.shares
        differ = found.mean.kept != found.equity.kept
        classes = evaluate_batch(found.hands.cards.astype(np.uint8), check=False)
        kinds = np.array([category(int(each)) for each in classes])
        return {
            "hands": len(shares),
            "rounds": found.rounds,
            "differ": float(shares[differ].sum()),
            "lost": float(shares @ found.lost),
            "most_lost": float(found.lost.max()),
            "thrown": {
                "mean class": np.bincount(found.mean.thrown, shares, 6).tolist(),
                "chance to win": np.bincount(found.equity.thrown, shares, 6).tolist(),
            },
            "kinds": {
                kind: [
                    float(shares[here].sum()),
                    float(shares[here & differ].sum() / shares[here].sum()),
                    float(shares[here] @ found.lost[here] / shares[here].sum()),
                ]
                for kind in dict.fromkeys(kinds[np.argsort(classes)].tolist())
                for here in [kinds == kind]
            },
        }


@dataclass(frozen=True)
class SmallGameTask:
    """The document's rule against an equilibrium of a small draw game."""

    game: str
    bases: tuple[float, ...]
    iterations: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"small game {self.game} {self.iterations} {' '.join(map(str, self.bases))}"

    def run(self) -> Kept:
        """Values and losses in chips a hand, all exact but CFR's."""
        rules = small_game(self.game)
        tree = GameTree.build(rules)
        solved = solve_lp(tree)
        solver = CfrSolver(tree, "dcfr")
        solver.iterate(self.iterations)
        found: Kept = {
            "nodes": len(tree),
            "infosets": len(tree.infosets),
            "value": solved.values[0],
            "lp_exploitability": exploitability(tree, solved.strategy),
            "cfr_exploitability": solver.exploitability(),
            "cfr_value": float(values(tree, solver.strategy())[0]),
        }
        for name, choose in CRITERIA.items():
            ruled = []
            for seat in (0, 1):
                bound = GameTree.build(RuledDraws(rules, (seat,), choose))
                ruled.append(solved.values[seat] - solve_lp(bound).values[seat])
            lost = [exploitability(tree, document_rule(tree, base, choose)) for base in self.bases]
            found[name] = {"ruled": ruled, "lost": lost}
        return found


@dataclass(frozen=True)
class FreezeOutTask:
    """Some freeze-outs of a draw bot against others."""

    bot: str
    opponents: tuple[str, ...]
    count: int
    seed: int

    @property
    def key(self) -> str:
        """What it is, in one line."""
        return f"freeze-outs {self.bot} {' '.join(self.opponents)} {self.count} {self.seed}"

    def run(self) -> Kept:
        """How many it won."""
        bots = [make_bot(text) for text in (self.bot, *self.opponents)]
        result = play_freeze_outs(load_betting_game("draw"), bots, self.count, self.seed)
        return {"won": result.wins[0] * self.count, "count": self.count, "hands": result.hands}


def share_won(parts: list[Kept]) -> Measure:
    """The share of freeze-outs that were won.

    Examples
    --------
    >>> share_won([{"won": 20, "count": 50}, {"won": 30, "count": 50}])
    Measure(value=0.5, error=0.05)
    """
    return share(sum(part["won"] for part in parts), sum(part["count"] for part in parts))


checked_task = kept_with({"step_hands"}, {"thrown"}, {"infosets"}, {"won", "count"})
"""Check what is kept of a task."""
