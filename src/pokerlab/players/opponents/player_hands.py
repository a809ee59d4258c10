"""`PlayerHands`: collect the hands of a player, and estimate the model that their game has.

There are three kinds of models: of every information set (`PlayerModel`), by buckets of cards for
limit games of two players (`LimitModel`), and by lines after the flop for no-limit hold'em
(`LineModel`). The game of the hands decides, and for limit games the `buckets`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Protocol, TypeAlias

from pokerlab.games import BettingGame
from pokerlab.games.state import HandState
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame, is_holdem, planned_rows
from pokerlab.players.opponents.limit_model import (
    LIMIT_PRIOR_WEIGHT,
    LimitModel,
    estimate_limit_model,
)
from pokerlab.players.opponents.line_model import LineCounts, LineModel, is_no_limit
from pokerlab.players.opponents.observations import Observation, observe
from pokerlab.players.opponents.player_model import PlayerModel, estimate_model, model_tree
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.errors import shorten

AnyModel: TypeAlias = PlayerModel | LimitModel | LineModel
"""The three kinds of models."""

HOLDEM_BUCKETS = "169/kmeans:200,200,200"
"""Fewer than `pokerlab train` has by default: logs are short, and most rows of more stay unseen."""
_PRIORS = ("uniform", "equilibrium")
_LIMIT_PRIORS = ("uniform", "similar")


class FinishedHand(Protocol):
    """What is needed of a hand that was played; `pokerlab.arena.PlayedHand` is one."""

    @property
    def game(self) -> BettingGame:
        """The rules."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who sat at each position."""

    @property
    def final(self) -> HandState:
        """How it ended."""


class PlayerHands:
    """The hands of one player, each with how often it was played in the same way.

    Parameters
    ----------
    player
        Whose play; may be left out where all hands name one player only.
    shown_only
        Whether to use the player's cards only where they were shown at the end.

    Examples
    --------
    >>> from pokerlab.arena import Match
    >>> hands = PlayerHands("random")
    >>> for hand in Match("kuhn", ["random", "fair"], 40):
    ...     hands.add(hand)
    >>> model = hands.model()
    >>> model.player, model.hands, len(model.strategy)
    ('random', 40, 12)
    """

    def __init__(self, player: str | None = None, *, shown_only: bool = False) -> None:
        self._player = player
        self._shown_only = shown_only
        self._game: BettingGame | None = None
        self._seen: dict[str, Counter[Observation]] = {}
        self._lines: dict[str, LineCounts] = {}

    def add(self, hand: FinishedHand) -> None:
        """Add a hand; `ValueError` if it belongs to another game than those before."""
        game = hand.game
        if self._game is None:
            self._game = game
        by_line = is_no_limit(self._game)
        if by_line and not is_no_limit(game):
            raise ValueError(f"a hand of {game.name} among hands of no-limit hold'em")
        if not by_line and game != self._game:
            raise ValueError(
                f"a hand of {game.name} with other rules than those before, of {self._game.name};"
                " a model is of one game"
            )
        final = hand.final
        for seat, name in enumerate(hand.players):
            chosen = self._player in (None, name)
            if by_line:
                counts = self._lines.setdefault(name, LineCounts())
                if chosen:
                    counts.add(final.node, seat)
            else:
                seen = self._seen.setdefault(name, Counter())
                if chosen:
                    seen[observe(final, seat, shown_only=self._shown_only)] += 1

    def model(
        self,
        *,
        buckets: str | None = None,
        prior: str | None = None,
        prior_weight: float | None = None,
    ) -> AnyModel:
        """Estimate how the player plays.

        Parameters
        ----------
        buckets
            For limit games of two players: tell buckets of cards apart instead of every hand
            (``"each"``, or as ``pokerlab train --buckets``). By default for hold'em
            ``"169/kmeans:200,200,200"``, for other games none.
        prior
            What to smooth towards: ``"uniform"`` (the default) or ``"equilibrium"``. With
            buckets ``"similar"`` (the default), ``"uniform"``, or the file of a strategy with the
            same buckets.
        prior_weight
            How many observations the prior counts for at each information set, by default 1;
            with buckets at each betting and bucket, by default 5.
        """
        if self._game is None:
            raise ValueError("there are no hands")
        rules = self._game
        weight = 1.0 if prior_weight is None else prior_weight
        if is_no_limit(rules):
            if self._shown_only or prior not in (None, "uniform") or buckets is not None:
                raise ValueError(
                    "shown-only, prior and buckets are not for no-limit hold'em: its model is of"
                    " lines, whatever is held"
                )
            player = self._chosen()
            return self._lines[player].model(player, weight)
        known = tuple(dict.fromkeys((*_PRIORS, *_LIMIT_PRIORS)))
        if prior is not None and prior not in known and not Path(prior).is_file():
            raise ValueError(
                f"prior {shorten(prior)}: there are {', '.join(known)}, and files of strategies"
            )
        player = self._chosen()
        if buckets is None and is_holdem(rules) and rules.players == 2:
            buckets = HOLDEM_BUCKETS
        if buckets is None:
            return self._tree_model(player, prior or "uniform", weight)
        planned_rows(rules, buckets)
        if rules.players != 2:
            raise ValueError(f"buckets: models by buckets are for two players, not {rules.name}")
        weight = LIMIT_PRIOR_WEIGHT if prior_weight is None else prior_weight
        return self._limit_model(player, buckets, prior or "similar", weight)

    def _chosen(self) -> str:
        """The name of the player; `ValueError` where nobody or somebody else is named."""
        names = sorted(self._seen or self._lines)
        if self._player is None:
            if len(names) > 1:
                raise ValueError(f"whose play? name the player: {', '.join(names)}")
            return names[0]
        if self._player not in names:
            raise ValueError(f"player {self._player}: the hands know {', '.join(names)}")
        return self._player

    def _tree_model(self, player: str, prior: str, weight: float) -> PlayerModel:
        """Model every information set of a game whose tree can be written out."""
        from pokerlab.solvers import solve_lp  # SciPy's solver is slow to import

        if prior not in _PRIORS:
            raise ValueError(
                f"prior {shorten(prior)}: without buckets there are {', '.join(_PRIORS)}"
            )
        assert self._game is not None
        tree = model_tree(self._game)
        smooth = solve_lp(tree).strategy if prior == "equilibrium" else None
        return estimate_model(
            tree,
            self._seen[player],
            player,
            prior=smooth,
            prior_name=prior,
            prior_weight=weight,
        )

    def _limit_model(self, player: str, buckets: str, prior: str, weight: float) -> LimitModel:
        """Model the buckets of a limit game."""
        if prior == "equilibrium":
            raise ValueError("prior equilibrium: with buckets, name the file of one")
        assert self._game is not None
        game = BucketedGame.of(self._game, buckets)
        smooth = prior if prior in _LIMIT_PRIORS else LimitStrategy.load(prior, game)
        return estimate_limit_model(
            game, self._seen[player], player, prior=smooth, prior_weight=weight
        )
