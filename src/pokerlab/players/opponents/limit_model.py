"""`LimitModel`: how a player of a limit game plays, by groups of cards; also on disk.

The file of a model is the file of a strategy (`LimitStrategy`) that also has the observations
behind it, so that whatever plays or shows a strategy takes a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.players.opponents.limit_estimation import estimate_rows
from pokerlab.players.opponents.limit_hands import LimitHands
from pokerlab.players.opponents.observations import Observation
from pokerlab.players.strategies.limit_file import LIMIT_FORMAT, LimitStrategy
from pokerlab.runtime.arrays import Floats, Singles
from pokerlab.runtime.errors import damage_named
from pokerlab.runtime.files.reader import Expected, Metadata, check_tensors
from pokerlab.runtime.files.tensor_map import read_tensors
from pokerlab.trees.limit.betting import ACTIONS

LIMIT_PRIOR_WEIGHT = 5.0
"""As how many observations at a row the prior counts by default: rows are seen seldom."""


@dataclass(frozen=True, eq=False)
class LimitModel:
    """How a player plays, and from how many hands that is known.

    Attributes
    ----------
    strategy
        How the player plays in every seat, by betting and group of cards.
    counts, shown
        (rows, 3): how often the player took each action, and how often with known cards.
    player, hands
        The name of the player, and the number of hands.
    prior, prior_weight
        What the counts were smoothed towards, in words, and as how many observations it counted.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.players.opponents import observe
    >>> kuhn = BucketedGame.of(load_betting_game("kuhn"), "each")
    >>> hand = kuhn.game.replay("rc", kuhn.game.make_deal(["Ks", "Js"]))
    >>> seen = {observe(hand, 1): 3}
    >>> model = estimate_limit_model(kuhn, seen, "bob", prior="uniform", prior_weight=1)
    >>> model.strategy.triple("r", [39], []), float(model.observations.sum())
    ((0.125, 0.875, 0.0), 3.0)
    """

    strategy: LimitStrategy
    counts: Singles
    shown: Singles
    player: str
    hands: int
    prior: str
    prior_weight: float

    @property
    def game(self) -> BucketedGame:
        """The game with its groups of cards."""
        return self.strategy.game

    @property
    def observations(self) -> Floats:
        """(rows,): the number of decisions that are known at each row."""
        found: Floats = self.counts.sum(axis=1, dtype=np.float64)
        return found

    def save(self, path: str | Path) -> None:
        """Write one safetensors file: that of the strategy, with ``counts`` and ``shown``."""
        entries = {
            "player": self.player,
            "hands": str(self.hands),
            "prior": self.prior,
            "prior_weight": json.dumps(self.prior_weight),
        }
        self.strategy.save(path, {"counts": self.counts, "shown": self.shown}, entries)


def estimate_limit_model(
    game: BucketedGame,
    hands: LimitHands | Mapping[Observation, float],
    player: str,
    *,
    prior: str | LimitStrategy = "similar",
    prior_weight: float = LIMIT_PRIOR_WEIGHT,
    threads: int | None = None,
) -> LimitModel:
    """Model a player of a limit game for two from their hands (see `estimate_rows`).

    Parameters
    ----------
    game
        The game with the groups of cards that the model tells apart.
    hands
        The hands: as columns, or as `observe` gives them with how often each was played.
    player
        The name of the player.
    prior, prior_weight
        What to smooth towards: ``"uniform"``, ``"similar"`` or a strategy of the same groups;
        and as how many observations at each row it counts.
    threads
        How many; by default all cores.
    """
    columns = hands if isinstance(hands, LimitHands) else LimitHands.of(game.game, hands)
    if isinstance(prior, LimitStrategy):
        if prior.game.digest != game.digest:
            raise ValueError(
                f"a prior with the groups {prior.game.name} of {prior.game.game.name} for a model"
                f" with {game.name} of {game.game.name}"
            )
        name = f"a strategy by {prior.method}"
        rows = np.asarray(prior.probabilities, np.float32)
        found = estimate_rows(game, columns, rows, prior_weight, threads=threads)
    else:
        name = prior
        found = estimate_rows(game, columns, prior, prior_weight, threads=threads)
    strategy = LimitStrategy(
        game,
        found.probabilities.astype(np.float16),
        iterations=found.rounds,
        seconds=0.0,
        method="model",
        rule=f"prior {name}",
        exploitability=0.0,
        error=0.0,
        exact=False,
    )
    return LimitModel(
        strategy,
        found.counts.astype(np.float32),
        found.shown.astype(np.float32),
        player,
        columns.count,
        name,
        float(prior_weight),
    )


def load_limit_model(path: str | Path, game: BucketedGame | None = None) -> LimitModel | None:
    """Read a model; None if the file is a strategy without observations."""
    strategy = LimitStrategy.load(path, game)
    tensors, entries = read_tensors(path, LIMIT_FORMAT)
    if "counts" not in tensors or "shown" not in tensors:
        return None
    with damage_named(path):
        metadata = Metadata(entries)
        shape = strategy.game.rows, len(ACTIONS)
        check_tensors(
            {name: tensors[name] for name in ("counts", "shown")},
            dict.fromkeys(("counts", "shown"), Expected(np.float32, shape, low=0.0)),
        )
        return LimitModel(
            strategy,
            tensors["counts"],
            tensors["shown"],
            metadata.text("player"),
            metadata.count("hands"),
            metadata.text("prior"),
            metadata.number("prior_weight", low=0.0),
        )
