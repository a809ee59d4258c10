"""A model of millions of rows in some dozens of lines: actions by betting of a street."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pokerlab.opponents.limit_model import LimitModel
from pokerlab.opponents.spot_kinds import spot_kinds


class SpotSummary(NamedTuple):
    """A player's actions after some betting of a street, over all cards and streets before.

    Attributes
    ----------
    street, betting
        Where.
    observations, shown
        The number of decisions that are known, and the part of them with known cards.
    fold, call, raise_
        How often the player did each, as shares; None where it is not legal.
    """

    street: int
    betting: str
    observations: float
    shown: float
    fold: float | None
    call: float | None
    raise_: float | None


def summarise(model: LimitModel) -> list[SpotSummary]:
    """All kinds of spots that were seen, in the order of the betting.

    Examples
    --------
    >>> from pokerlab.abstraction.sampling.bucketed_game import BucketedGame
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.opponents import estimate_limit_model, observe
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> hand = kuhn.game.replay("rc", kuhn.game.make_deal(["Ks", "Js"]))
    >>> [spot] = summarise(estimate_limit_model(kuhn, {observe(hand, 1): 3}, "bob"))
    >>> spot.betting, spot.observations, spot.call
    ('r', 3.0, 1.0)
    """
    game = model.game
    kinds, of_node = spot_kinds(game)
    first = game.first_row
    counts, shown = np.zeros((2, len(kinds), model.counts.shape[1]))
    np.add.at(counts, of_node, np.add.reduceat(model.counts.astype(np.float64), first))
    np.add.at(shown, of_node, np.add.reduceat(model.shown.astype(np.float64), first))
    found = []
    for kind, done, known in zip(kinds, counts, shown, strict=True):
        total = float(done.sum())
        if total > 0.0:
            shares = (done / total).tolist()
            told = [
                share if legal else None for share, legal in zip(shares, kind.legal, strict=True)
            ]
            found.append(SpotSummary(kind.street, kind.betting, total, float(known.sum()), *told))
    return found
