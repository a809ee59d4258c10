"""A player that simulates: run-outs against hands that fit what its opponents have done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, card_mask, combo_index
from pokerlab.cards.equities.equity_kernels import Seats, add_duels, sample_deals
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.evaluator.batch_kernels import classify_combos
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, best_first
from pokerlab.games import SHOWDOWN_RULES, Betting, BettingGame, DealtState, split_betting
from pokerlab.games.rules import GameRules
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.fair import FairBot, pot_sized_raise
from pokerlab.players.bots.montecarlo.depth_search import StreetSearch, showdown_shares
from pokerlab.players.bots.montecarlo.opponent_model import (
    CALL,
    FOLD,
    RAISE,
    OpponentModel,
    TreeModel,
    small_tree,
    standings,
)
from pokerlab.players.bots.winning_chances import is_draw, is_holdem
from pokerlab.runtime.arrays import Floats, Int64s

Cards = tuple[int, ...]

_KIND = {"f": FOLD, "c": CALL, "r": RAISE}
_RUN_OUTS = 60
"""Boards that are tried for a pair of hands in a game other than hold'em."""


class MonteCarloBot(Bot):
    """Simulates the rest of the hand and takes the action of the greatest expected value.

    It learns in a match how often each player folds, calls and raises (see `OpponentModel`; in
    small games for two also with which hands, see `TreeModel`), weighs the hands of its opponents
    by their actions, and compares:

    - a fold: nothing more is lost or won;
    - a call: its share of the pot at showdown;
    - a raise (by the pot, where sizes are free): the pot when all fold, else its share against
      the hands that do not.

    Betting of later streets is not simulated. In draw games and in stud it plays as `FairBot`.

    Parameters
    ----------
    samples
        Deals of a simulation.
    deep
        In limit games for two, search all betting to the end of the street instead: see
        `pokerlab.players.bots.montecarlo.depth_search`.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> deal = game.make_deal(["7h2c", "AsKd"], "KcKhQdJs6c")
    >>> bot = MonteCarloBot()
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.begin(0, [0, 1])
    >>> bot.act(game.replay("rc/cc/cc/cr", deal).view(0))
    'f'
    """

    def __init__(self, samples: int = 1000, *, deep: bool = False) -> None:
        self._fair = FairBot(samples)
        self.samples = samples
        self.deep = deep
        self._models: dict[int, OpponentModel] = defaultdict(OpponentModel)
        self._tree_models: dict[int, TreeModel] = {}
        self._players: Sequence[int] | None = None
        self._own = -1
        self._forget_hand()

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Forget all opponents."""
        super().reset(game, rng)
        self._fair.reset(game, rng)
        self._models.clear()
        self._tree_models.clear()
        self._players = None
        self._forget_hand()

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Note who sits where."""
        self._forget_hand()
        self._players = players
        self._own = position

    def act(self, view: DealtState) -> str:
        """Take the action of the greatest expected value."""
        if _plays_fair(view.game) or view.node.drawing:
            return self._fair.act(view)
        self._read(view)
        if self.deep and view.game.players == 2 and view.game.betting == "limit":
            values = self._search(view)
            return max(values, key=values.__getitem__)
        seat, pot, price = view.player, float(view.pot), float(view.to_call)
        if price:
            reach = view.spent[seat] + price
            pot = float(sum(min(spent, reach) for spent in view.spent))
        others = [other for other in view.node.live if other != seat]
        share = self._share(view, [self._weights[other] for other in others])
        best, action = share * (pot + price) - price, "c"
        if price and best < 0:
            best, action = 0.0, "f"
        bounds = view.raise_bounds()
        if bounds is not None and self._value_of_raise(view, others) > best:
            action = pot_sized_raise(view)
        return action

    def end(self, view: DealtState) -> None:
        """Learn from the last actions, and from the hands that were shown."""
        if _plays_fair(view.game) or self._players is None:
            return
        self._read(view)
        for seat, street, paying in self._raises:
            if not view.holes[seat]:
                continue
            board = view.board[: view.game.board_cards[street]]
            strengths = _strengths(view.game, board)
            everything = _possible(view.game, board)
            place = _universe(view.game).index_of(view.holes[seat])
            standing = float(standings(everything, strengths)[place])
            self._model(seat).note_shown_raise(street, paying, standing)
        tree = small_tree(view.game)
        if tree is not None:
            other = self._players[1 - self._own]
            self._tree_models.setdefault(other, TreeModel(tree)).learn(view, self._own)

    def _forget_hand(self) -> None:
        self._text: list[str] = []
        self._weights: dict[int, Floats] = {}
        self._raises: list[tuple[int, int, bool]] = []

    def _model(self, seat: int) -> OpponentModel:
        return self._models[seat if self._players is None else self._players[seat]]

    def _tree_model(self, seat: int) -> TreeModel | None:
        """What a small game's tree tells of the player in a seat, once that is something."""
        model = None if self._players is None else self._tree_models.get(self._players[seat])
        return model if model is not None and model.known else None

    def _likelihood(self, node: Betting, action: str, board: Cards, weights: Floats) -> Floats:
        """How likely the player of a node takes an action with each hand."""
        shared = self._tree_model(node.player)
        if shared is not None:
            found = shared.probabilities(node, board, action, _universe(node.game).hands)
            # Nobody does what cannot be: then the model is wrong.
            return found if (weights * found).any() else np.ones_like(weights)
        standing = standings(weights, _strengths(node.game, board))
        model = self._model(node.player)
        return model.likelihood(node.street, node.to_call > 0, _KIND[action[0]], standing)

    def _read(self, view: DealtState) -> None:
        """Follow the betting to where it is now; weigh hands and count by each new action."""
        game = view.game
        actions = split_betting(view.node.text)
        if actions[: len(self._text)] != self._text:
            self._forget_hand()  # another hand, without a word that it began
        if not self._weights:
            full = _possible(game, ())
            self._weights = {seat: full.copy() for seat in range(game.players)}
        if self._players is None:
            self._own = view.player
        for number, (node, action) in enumerate(view.node.path()):
            if number >= len(self._text) and node.player != self._own and not node.drawing:
                seat, street, paying = node.player, node.street, node.to_call > 0
                kind = _KIND[action[0]]
                board = view.board[: game.board_cards[street]]
                weights = self._weights[seat] * _possible(game, board)
                self._weights[seat] = weights * self._likelihood(node, action, board, weights)
                self._model(seat).note(street, paying, kind)
                if kind == RAISE:
                    self._raises.append((seat, street, paying))
        self._text = actions

    def _search(self, view: DealtState) -> dict[str, float]:
        """The value of each action by a search to the end of the street, in chips a hand."""
        game, seat, board = view.game, view.player, view.board
        hole = tuple(sorted(view.holes[seat]))
        if is_holdem(game):
            shares = showdown_shares(combo_index(*hole), tuple(sorted(board)))
        else:
            shares = _pair_shares(game, hole, board)
        possible = _possible(game, hole + board)
        weights = self._weights[1 - seat] * possible

        def likelihood(node: Betting, action: str, weights: Floats) -> Floats:
            return self._likelihood(node, action, board, weights)

        search = StreetSearch(seat, view.street, shares, likelihood)
        return search.action_values(view.node, weights if weights.any() else possible)

    def _value_of_raise(self, view: DealtState, others: list[int]) -> float:
        """Expected chips from now on if it raises, and those who do not fold call."""
        game, seat, street = view.game, view.player, view.street
        raised = view.apply(pot_sized_raise(view))
        added = raised.spent[seat] - view.spent[seat]
        strengths = _strengths(game, view.board)
        all_fold, called, pot = 1.0, [], float(view.pot + added)
        for other in others:
            model, weights = self._model(other), self._weights[other]
            shared = self._tree_model(other)
            folds = model.frequencies(street, True)[FOLD]
            owed = min(raised.node.price, game.chips[other]) - view.spent[other]
            if owed <= 0:
                folds = 0.0
            elif shared is not None:
                weights = weights * _possible(game, view.holes[seat] + view.board)
                fold = shared.probabilities(raised.node, view.board, "f", _universe(game).hands)
                folds = float(weights @ fold) / max(float(weights.sum()), 1e-300)
                weights = weights * (1 - fold)
            else:
                standing = standings(weights, strengths)
                weights = weights * (1 - model.likelihood(street, True, FOLD, standing))
            pot += owed if shared is not None else (1 - folds) * owed
            all_fold *= folds
            called.append(weights)
        share = self._share(view, called)
        return all_fold * view.pot + (1 - all_fold) * (share * pot - added)

    def _share(self, view: DealtState, ranges: list[Floats]) -> float:
        """The share of the pot that the player wins against weighted hands."""
        game, hole, board = view.game, view.holes[view.player], view.board
        possible = _possible(game, hole + board)
        held = []
        for weights in ranges:
            left = weights * possible
            held.append(left if left.any() else possible)
        if not is_holdem(game):
            won = _pair_shares(game, tuple(sorted(hole)), board)
            shares = [float(won @ weights / weights.sum()) for weights in held]
            return float(np.prod(shares))
        if len(board) == 5 and len(held) == 1:
            return _river_share(combo_index(*hole), board, held[0])
        return self._sampled_share(combo_index(*hole), board, held)

    def _sampled_share(self, combo: int, board: Cards, ranges: list[Floats]) -> float:
        tables = evaluator_tables.load()
        combos = [np.array([combo]), *(np.flatnonzero(weights) for weights in ranges)]
        together = np.concatenate(combos)
        each = [np.ones(1), *(weights[weights > 0] for weights in ranges)]
        seats = Seats(
            first=np.cumsum([0, *map(len, combos)]).astype(np.int64),
            masks=COMBO_MASKS[together],
            keys=tables.combo_key[together],
            bits=tables.combo_bit[together],
            weights=np.concatenate(each),
        )
        cumulative = np.concatenate([np.cumsum(weights) for weights in each])
        sums = np.zeros((len(combos) + 1, 3))
        cards = np.array(board, np.uint8)
        seed = self.rng.integers(1 << 63, dtype=np.uint64)
        unlisted = np.empty((0, len(combos)), np.int32)
        sample_deals(
            self.samples, seed, cards, np.uint64(0), seats, cumulative, unlisted, sums, tables
        )
        if sums[-1, 0] == 0:
            return 1 / len(combos)  # the ranges never fit together: nothing is known
        return float((sums[0, 0] + sums[0, 1]) / sums[-1, 0])


def _plays_fair(game: GameRules) -> bool:
    """Whether hands change or are partly seen, which models of opponents do not look at."""
    return is_draw(game) or bool(game.up_cards)


class _Universe:
    """The hands that a player may be dealt, in a fixed order."""

    def __init__(self, game: BettingGame) -> None:
        self.hands: list[Cards]
        if is_holdem(game):
            self.hands = [(low, high) for high, low in COMBO_CARDS.tolist()]
        else:
            self.hands = list(combinations(game.deck, game.hole_cards[-1]))
        self.masks = np.array([card_mask(hand) for hand in self.hands], np.uint64)
        self._place = {hand: place for place, hand in enumerate(self.hands)}

    def index_of(self, hand: Cards) -> int:
        return self._place[tuple(sorted(hand))]


@lru_cache(maxsize=8)
def _universe(game: BettingGame) -> _Universe:
    return _Universe(game)


@lru_cache(maxsize=64)
def _possible(game: BettingGame, known: Cards) -> Floats:
    """1 for each hand that holds no known card."""
    return np.where(_universe(game).masks & np.uint64(card_mask(known)) == 0, 1.0, 0.0)


@lru_cache(maxsize=64)
def _strengths(game: BettingGame, board: Cards) -> Int64s:
    """How strong each hand is as it stands, draws not counted; greater is better."""
    if not is_holdem(game):
        # Where a hand is not complete, ranks and pairs are what there is.
        hands = _universe(game).hands
        fewest = SHOWDOWN_RULES[game.showdown].cards[0]
        complete = len(hands[0]) + len(board) >= fewest
        rule = SHOWDOWN_RULES[game.showdown if complete else "kinds"]
        return np.array([rule.strength(hand, board) for hand in hands])
    if not board:
        order = np.empty(169, np.int64)
        order[list(best_first())] = -np.arange(169)
        return order[CLASS_OF_COMBO]
    classes = np.empty(N_COMBOS, np.uint16)
    classify_combos(np.array(board, np.uint8), classes, evaluator_tables.load())
    return -classes.astype(np.int64)


def _river_share(combo: int, board: Cards, weights: Floats) -> float:
    sums = np.zeros((3, 1))
    boards, hero = np.array([board], np.uint8), np.array([combo], np.int64)
    add_duels(boards, np.ones(1, np.int64), hero, weights[None], sums, evaluator_tables.load())
    beaten, tied, unblocked = sums[:, 0].tolist()
    return float((beaten + tied / 2) / unblocked)


@lru_cache(maxsize=1 << 12)
def _pair_shares(game: BettingGame, hole: Cards, board: Cards) -> Floats:
    """The share of the pot that a hand wins against each other one, small games."""
    strength = SHOWDOWN_RULES[game.showdown].strength
    missing = game.board_cards[-1] - len(board)
    rng = np.random.default_rng([*hole, *board])
    shares = np.zeros(len(_universe(game).hands))
    for place, other in enumerate(_universe(game).hands):
        left = [card for card in game.deck if card not in hole + other + board]
        run_outs = list(combinations(left, missing))
        if len(run_outs) > _RUN_OUTS:
            chosen = rng.choice(len(run_outs), _RUN_OUTS, replace=False)
            run_outs = [run_outs[number] for number in chosen]
        if set(other) & {*hole, *board}:
            continue
        for cards in run_outs:
            lead = strength(hole, board + cards) - strength(other, board + cards)
            shares[place] += (1 + (lead > 0) - (lead < 0)) / 2 / len(run_outs)
    return shares
