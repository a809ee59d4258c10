"""`LimitHands`: hands of a player of a limit game for two, as columns.

What `Evidence` is for games whose tree can be written out, this is for hold'em: a million hands
take 30 MB. The cards that fit a hand are listed when a model is made of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, combo_index
from pokerlab.cards.hand_classes import CLASS_OF_COMBO
from pokerlab.games import BettingGame
from pokerlab.holdem.limit.sampling.bucketed_game import is_holdem
from pokerlab.players.opponents.limit_kernels import HandColumns
from pokerlab.players.opponents.observations import Observation
from pokerlab.runtime.arrays import Bytes, Int8s, Int64s
from pokerlab.runtime.errors import shorten
from pokerlab.trees.limit.betting import ACTIONS, flatten_betting


@dataclass(frozen=True, eq=False)
class LimitHands:
    """Hands of one player.

    Attributes
    ----------
    game
        What was played.
    columns
        The hands; equal ones may stand together.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> from pokerlab.players.opponents import observe
    >>> game = load_betting_game("holdem.limit.2p")
    >>> fold = game.replay("rrf", game.make_deal(["AsKd", "7h2c"], "2d3d4d5d6d"))
    >>> hands = LimitHands.of(game, {observe(fold, 0, shown_only=True): 3})
    >>> hands.count, hands.columns.known.tolist()
    (3, [[False, True]])
    """

    game: BettingGame
    columns: HandColumns

    @property
    def count(self) -> int:
        """How many hands."""
        return round(float(self.columns.weight.sum()))

    @classmethod
    def of(cls, game: BettingGame, observations: Mapping[Observation, float]) -> LimitHands:
        """Hands as `observe` tells them, and how often each was played."""
        _check_players(game)
        if not observations:
            raise ValueError("there are no hands to learn from")
        betting = flatten_betting(game)
        leaves = {
            leaf.text: number for number, leaf in enumerate(betting.leaves, len(betting.nodes))
        }
        count, hole = len(observations), game.hole_cards[-1]
        columns = HandColumns(
            np.zeros(count, np.int64),
            np.array(list(observations.values()), np.float64),
            np.array([seen.seat for seen in observations], np.int64),
            np.zeros((count, 2, hole), np.uint8),
            np.zeros((count, 2), np.bool_),
            np.zeros((count, game.board_cards[-1]), np.uint8),
            np.zeros(count, np.int64),
        )
        for number, seen in enumerate(observations):
            if seen.betting not in leaves:
                raise ValueError(
                    f"{shorten(seen.betting)!r} does not end a hand of {game.name} by its rules"
                )
            columns.leaf[number] = leaves[seen.betting]
            dealt = game.board_cards[seen.betting.count("/")]
            if len(seen.board) < dealt:
                raise ValueError(
                    f"{len(seen.board)} public cards are known after {shorten(seen.betting)!r},"
                    f" where {dealt} were dealt"
                )
            columns.dealt[number] = dealt
            columns.board[number, :dealt] = seen.board[:dealt]
            for seat, cards in enumerate(seen.holes):
                if cards:
                    columns.holes[number, seat] = cards
                    columns.known[number, seat] = True
        return cls(game, columns)

    @classmethod
    def of_actions(
        cls,
        game: BettingGame,
        cards: Bytes,
        actions: Int8s,
        seats: Int64s,
        *,
        shown_only: bool = False,
    ) -> LimitHands:
        """Hands as `Simulation.play_hands` leaves them.

        Parameters
        ----------
        game
            What was played.
        cards
            (hands, 2, private cards + board).
        actions
            (hands, most actions): columns of `ACTIONS`, −1 after the last.
        seats
            (hands,): where the player sat.
        shown_only
            Whether to forget the player's cards if they were not shown at the end.
        """
        _check_players(game)
        betting, hole = flatten_betting(game), game.hole_cards[-1]
        nodes = betting.tree.nodes
        node = np.zeros(len(actions), np.int64)
        street = np.zeros(len(actions), np.int64)
        for step in actions.T:
            going = step >= 0
            street[going] = nodes[node[going], len(ACTIONS) + 1]
            node[going] = nodes[node[going], step[going]]
        known = np.ones((len(actions), 2), np.bool_)
        if shown_only:
            shown = betting.tree.live[node - len(nodes)].all(axis=1)
            known[np.arange(len(actions)), seats] = shown
        dealt = np.array(game.board_cards, np.int64)[street]
        return cls(
            game,
            HandColumns(
                node,
                np.ones(len(actions)),
                np.asarray(seats, np.int64),
                cards[:, :, :hole].copy(),
                known,
                cards[:, 0, hole:].copy(),
                dealt,
            ),
        )

    @classmethod
    def joined(cls, parts: Sequence[LimitHands]) -> LimitHands:
        """The hands of several."""
        columns = zip(*(part.columns for part in parts), strict=True)
        return cls(parts[0].game, HandColumns._make(np.concatenate(each) for each in columns))

    def merged(self) -> LimitHands:
        """The same with equal hands together; before the flop of hold'em, up to suits."""
        columns = self.columns
        holes = np.where(columns.known[:, :, None], columns.holes, 0)
        if is_holdem(self.game):
            before_flop = columns.dealt == 0
            lonely = before_flop & (columns.known.sum(axis=1) == 1)
            alone = columns.known[lonely].argmax(axis=1)
            cards = holes[lonely, alone]
            holes[lonely, alone] = _one_of_class()[cards[:, 0], cards[:, 1]]
        board = columns.board.copy()
        board[np.arange(board.shape[1]) >= columns.dealt[:, None]] = 0
        numbers = np.column_stack([columns.leaf, columns.seat])
        keys = np.column_stack(
            [
                numbers.astype(np.int32).view(np.uint8).reshape(len(numbers), -1),
                columns.known.view(np.uint8),
                holes.reshape(len(holes), -1),
                board,
            ]
        )
        rows = np.ascontiguousarray(keys).view(f"V{keys.shape[1]}").ravel()
        _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
        weight = np.zeros(len(first))
        np.add.at(weight, inverse.ravel(), columns.weight)
        return LimitHands(
            self.game,
            HandColumns(
                columns.leaf[first],
                weight,
                columns.seat[first],
                np.ascontiguousarray(holes[first]),
                np.ascontiguousarray(columns.known[first]),
                np.ascontiguousarray(board[first]),
                columns.dealt[first],
            ),
        )


def _check_players(game: BettingGame) -> None:
    if game.players != 2:
        raise ValueError(
            f"models by groups of cards are for two players; {game.name} has {game.players}"
        )


@lru_cache(maxsize=1)
def _one_of_class() -> Bytes:
    """(52, 52, 2): one combo that stands for all of a class of starting hands."""
    found = np.zeros((52, 52, 2), np.uint8)
    stands_for: dict[int, tuple[int, ...]] = {}
    for one in range(52):
        for other in range(52):
            if one != other:
                number = combo_index(one, other)
                cards = tuple(COMBO_CARDS[number].tolist())
                found[one, other] = stands_for.setdefault(int(CLASS_OF_COMBO[number]), cards)
    return found
