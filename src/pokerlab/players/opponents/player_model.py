"""`PlayerModel`: a strategy that was observed, and what stands behind it; also on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from pathlib import Path

import numpy as np

import pokerlab
from pokerlab.games import BettingGame, SuitIsomorphic, merge_suits
from pokerlab.games.formats.toml_game import read_toml, write_toml
from pokerlab.players.opponents.estimation import estimate_strategy
from pokerlab.players.opponents.observations import Evidence, Observation
from pokerlab.runtime.arrays import AnyArray, Floats
from pokerlab.runtime.errors import damage_named, one_line
from pokerlab.runtime.files.hashes import check_hash
from pokerlab.runtime.files.reader import Expected, Metadata, read_checked
from pokerlab.runtime.files.tensor_files import write_hashed
from pokerlab.runtime.files.versions import check_version
from pokerlab.solvers import Strategy, StrategyLike
from pokerlab.trees.game_tree import GameTree

MODEL_FORMAT = "pokerlab player model 1"
"""What the metadata of a saved model call it."""
_SCHEMA = {
    "strategy": Expected(np.float64, low=0.0, high=1.0),
    "counts": Expected(np.float64, low=0.0),
    "shown": Expected(np.float64, low=0.0),
}
_MAX_NODES = 2_000_000
_MAX_DEALS = 200_000


@dataclass(frozen=True, eq=False)
class PlayerModel:
    """How a player plays, and from how many hands that is known.

    Attributes
    ----------
    tree
        The game, up to suits where there are several.
    player
        The name.
    strategy
        How the player plays in every seat.
    counts, shown
        How often the player took each slot, and how often with known cards (see `Estimate`).
    hands
        The number of hands.
    prior, prior_weight
        What the counts were smoothed towards, in words, and as how many observations it counted.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.players.opponents import observe
    >>> kuhn = load_betting_game("kuhn")
    >>> hand = kuhn.replay("rc", kuhn.make_deal(["Ks", "Js"]))
    >>> model = estimate_model(model_tree(kuhn), {observe(hand, 1): 3}, "bob")
    >>> model.strategy["Js:r"], model.observations[model.tree.infosets.number("Js:r")]
    ({'f': 0.125, 'c': 0.875}, np.float64(3.0))
    """

    tree: GameTree
    player: str
    strategy: Strategy
    counts: Floats
    shown: Floats
    hands: int
    prior: str
    prior_weight: float

    @property
    def observations(self) -> Floats:
        """The number of decisions that are known at each information set."""
        found: Floats = np.add.reduceat(self.counts, self.tree.infosets.offset[:-1])
        return found

    def save(self, path: str | Path) -> None:
        """Write one safetensors file that `load_model` reads.

        Tensors: ``strategy``, ``counts`` and ``shown``, a number for each slot of the tree of the
        game. Metadata: the rules as TOML, whether suits are merged, the fingerprint of the
        tree, and the other attributes.
        """
        game = self.tree.game
        merged = isinstance(game, SuitIsomorphic)
        rules = game.game if isinstance(game, SuitIsomorphic) else game
        assert isinstance(rules, BettingGame)
        tensors = {"strategy": self.strategy.array, "counts": self.counts, "shown": self.shown}
        metadata = {
            "format": MODEL_FORMAT,
            "version": pokerlab.__version__,
            "game": rules.name,
            "rules": write_toml(rules),
            "suits_merged": json.dumps(merged),
            "digest": self.tree.digest,
            "player": self.player,
            "hands": str(self.hands),
            "prior": self.prior,
            "prior_weight": json.dumps(self.prior_weight),
        }
        write_hashed(path, tensors, metadata)


def model_tree(game: BettingGame) -> GameTree:
    """The tree that models of a game refer to: up to suits, where there are several.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> tree = model_tree(load_betting_game("leduc"))
    >>> tree.game.name, len(tree.infosets)
    ('leduc up to suits', 288)
    """
    return _build(game, merged=len(game.suits) > 1)


def estimate_model(
    tree: GameTree,
    observations: Mapping[Observation, int],
    player: str,
    *,
    prior: StrategyLike | None = None,
    prior_name: str = "uniform",
    prior_weight: float = 1.0,
) -> PlayerModel:
    """Model a player from their hands (see `estimate_strategy`).

    Parameters
    ----------
    tree
        See `model_tree`.
    observations
        The hands, each with the number of times it was played in the same way.
    player
        The name of the player.
    prior, prior_weight
        See `estimate_strategy`.
    prior_name
        What to call the prior.
    """
    found = estimate_strategy(tree, Evidence.of(tree, observations), prior, prior_weight)
    hands = sum(observations.values())
    return PlayerModel(
        tree,
        player,
        found.strategy,
        found.counts,
        found.shown,
        int(hands),
        prior_name,
        float(prior_weight),
    )


def load_model(path: str | Path) -> PlayerModel:
    """Read a model; `ValueError` says what is wrong with a file that is not as it was written."""
    check_version(path, MODEL_FORMAT, "a model of a player", "make it again from the hands")
    tensors, metadata = read_checked(path, MODEL_FORMAT, _SCHEMA, values=True)
    with damage_named(path):
        return _read(tensors, metadata)


def _read(tensors: Mapping[str, AnyArray], entries: Metadata) -> PlayerModel:
    check_hash(tensors, entries.entries)
    game = read_toml(entries.text("rules"), entries.text("game"), "rules")
    tree = _build(game, merged=entries.flag("suits_merged"))
    if tree.digest != entries.text("digest"):
        raise ValueError(
            f"the model was estimated under other rules than its copy of {one_line(game.name)}"
        )
    for name, tensor in tensors.items():
        if len(tensor) != tree.infosets.slots:
            raise ValueError(
                f"tensor {name!r} has {len(tensor)} numbers, not {tree.infosets.slots}, one for"
                " each action"
            )
    return PlayerModel(
        tree,
        entries.text("player"),
        Strategy(tree.infosets, tensors["strategy"]),
        np.asarray(tensors["counts"]),
        np.asarray(tensors["shown"]),
        entries.count("hands"),
        entries.text("prior"),
        entries.number("prior_weight", low=0.0),
    )


def _build(game: BettingGame, *, merged: bool) -> GameTree:
    # To merge the suits of a large deck takes minutes, so what is hopeless is refused before.
    deals, left = 1, len(game.deck)
    for cards in (*[game.hole_cards[-1]] * game.players, game.board_cards[-1]):
        deals *= comb(left, cards)
        left -= cards
    if deals > _MAX_DEALS:
        raise ValueError(
            f"{game.name} has {deals:.0e} deals, too many for a model of every information set"
            f" (at most {_MAX_DEALS:,})"
        )
    return GameTree.build(merge_suits(game) if merged else game, limit=_MAX_NODES)
