"""Every hand of a small game with its probability, and matches between bots."""

from itertools import permutations

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.table import play_hand
from pokerlab.games import Deal
from pokerlab.players.bots.bot import PolicyBot


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
