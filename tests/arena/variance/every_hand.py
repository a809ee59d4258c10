"""Every hand of a small game with its probability, and matches between bots."""

from itertools import permutations

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.table import play_hand
from pokerlab.arena.variance.margins import ShowdownCards, board_margins, hands_holding
from pokerlab.games import Deal
from pokerlab.players.bots.bot import PolicyBot
from pokerlab.players.bots.hand_strategy import private_hands


class Mixer(PolicyBot):
    """A strategy that differs from information set to information set."""

    def __init__(self, seed=0):
        self.seed = seed
        self.known = {}

    def probabilities(self, view):
        name = view.seen_by(view.player)
        if name not in self.known:
            actions = list(view.actions())
            weights = np.random.default_rng([self.seed, *name.encode()]).random(len(actions))
            self.known[name] = dict(zip(actions, (weights / weights.sum()).tolist(), strict=True))
        return self.known[name]


def all_deals(game):
    cards = game.players + game.board_cards[-1]
    for dealt in permutations(game.deck, cards):
        holes = tuple((card,) for card in dealt[: game.players])
        yield Deal(holes, dealt[game.players :])


def all_hands(game, bots):
    """Every hand that can be played, with its probability."""
    deals = list(all_deals(game))
    names = tuple(f"player {seat}" for seat in range(game.players))
    for deal in deals:
        waiting = [(game.start(deal), 1 / len(deals))]
        while waiting:
            state, chance = waiting.pop()
            if state.player < 0:
                yield PlayedHand(game, 0, deal, names, state.betting, state.payoffs()), chance
                continue
            for action, likely in (
                bots[state.player].probabilities(state.view(state.player)).items()
            ):
                if likely > 0:
                    waiting.append((state.apply(action), chance * likely))


def match(game, bots, hands, seed=1):
    for number, bot in enumerate(bots):
        bot.reset(game, np.random.default_rng([seed, number]))
    names = [f"player {seat}" for seat in range(len(bots))]
    return [
        play_hand(game, deal, bots, names=names, number=number)
        for number, deal in enumerate(game.deals(np.random.default_rng(seed), hands))
    ]


class Solved(Mixer):
    """Tells exactly what every hand is worth if two players go on as they do."""

    def __init__(self, players, own=None):
        super().__init__()
        self.players = players
        self.own = own
        self.found = {}

    def probabilities(self, view):
        return (self.own or super()).probabilities(view)

    def hand_values(self, view, seat):
        return self._all(view.game)[view.betting, view.board]

    def card_values(self, view, seat):
        game, old = view.game, view.board[: view.game.board_cards[view.street] - 1]
        hands = len(private_hands(game))
        nothing = np.full((2, hands), np.nan)
        values = [
            nothing if card in old else self._all(game)[view.betting, (*old, card)]
            for card in game.deck
        ]
        return np.array(values)

    def _all(self, game):
        if not self.found:
            self.rules = ShowdownCards.of(game)
            ones = np.ones(len(self.rules.hands))
            first = game.start(Deal(((), ()), ()))
            self._walk(first, (), (ones, ones))
        return self.found

    def _walk(self, state, board, weights):
        """(2, hands): the sum of what each hand wins of the opposing ones it meets."""
        game, node = state.game, state.node
        met = [self.rules.met(weights[1]), self.rules.met(weights[0])]
        full = len(board) == game.board_cards[node.street]
        if state.player < 0 and len(node.live) == 1:
            paid = min(node.spent) / game.unit
            signs = (1, -1) if node.live == (0,) else (-1, 1)
            return np.array([sign * paid * each for sign, each in zip(signs, met, strict=True)])
        if not full:
            total = np.zeros((2, len(met[0])))
            left = [card for card in game.deck if card not in board]
            for card in left:
                holds = hands_holding(self.rules)[:, card]
                masked = [np.where(holds, 0.0, each) for each in weights]
                dealt = game.replay(state.betting, Deal(((), ()), (*board, card)))
                found = self._walk(dealt, (*board, card), masked)
                total += np.where(holds, 0.0, found) / (len(left) - 2 * self.rules.hole)
            return total
        if state.player < 0:
            paid = min(node.spent) / game.unit
            margins = board_margins(self.rules, board)
            return paid * np.array([margins.against(each) for each in (weights[1], weights[0])])
        seat = state.player
        told = self.players[seat].hand_strategy(state.view(seat))
        total = np.zeros((2, len(met[0])))
        for action, row in zip(told.actions, told.probabilities.T, strict=True):
            after = list(weights)
            after[seat] = weights[seat] * row
            found = self._walk(state.apply(action), board, after)
            found[seat] *= row
            total += found
        with np.errstate(invalid="ignore", divide="ignore"):
            self.found[state.betting, board] = total / np.array(met)
        return total
