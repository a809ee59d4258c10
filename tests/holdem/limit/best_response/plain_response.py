"""Best responses as one would write them down: every board, no suits merged, hand against hand."""

from itertools import combinations
from math import comb

import numpy as np

from pokerlab.cards import evaluate
from pokerlab.games.showdown import SHOWDOWN_RULES
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards


def plain_best_responses(game, probabilities):
    """What a best response wins in each position; `probabilities` (rows, 3) go node by node."""
    return tuple(_Plain(game, probabilities, hero).value() for hero in range(2))


class _Plain:
    def __init__(self, game, probabilities, hero):
        self.game, self.probabilities, self.hero = game, probabilities, hero
        self.rules, self.tree = game.game, game.betting.tree
        self.hole = self.rules.hole_cards[0]
        self.hands = list(combinations(self.rules.deck, self.hole))
        self.apart = np.array([[not set(a) & set(b) for b in self.hands] for a in self.hands])
        self.groups, self.wins = {}, {}

    def value(self):
        total = self.worth(0, (), np.ones(len(self.hands))).sum()
        return total / self.apart.sum() / self.rules.unit

    def worth(self, code, board, reach):
        """Of all hands of the hero, against the reach of all hands of the villain."""
        nodes = len(self.game.betting.nodes)
        if code >= nodes and not self.tree.live[code - nodes].all():
            loser = int(np.argmin(self.tree.live[code - nodes]))
            chips = float(self.tree.spent[code - nodes, loser])
            return (-chips if loser == self.hero else chips) * (self.apart @ reach)
        street = self.game.betting.streets[code] if code < nodes else len(self.rules.streets) - 1
        if len(board) < self.rules.board_cards[street]:
            return self.dealt(code, board, reach)
        if code >= nodes:
            return float(self.tree.spent[code - nodes, 0]) * (self.compared(board) @ reach)
        position, children = int(self.tree.nodes[code, 3]), self.tree.nodes[code, :3].tolist()
        if position == self.hero:
            found = [self.worth(child, board, reach) for child in children if child >= 0]
            return np.max(found, axis=0)
        rows = self.played(code, street, board)
        found = [
            self.worth(child, board, reach * rows[:, action])
            for action, child in enumerate(children)
            if child >= 0
        ]
        return np.sum(found, axis=0)

    def dealt(self, code, board, reach):
        street = next(n for n, size in enumerate(self.rules.board_cards) if size > len(board))
        new = self.rules.board_cards[street] - len(board)
        left = [card for card in self.rules.deck if card not in board]
        total = np.zeros(len(self.hands))
        for cards in combinations(left, new):
            free = np.array([not set(hand) & set(cards) for hand in self.hands])
            total += free * self.worth(code, (*board, *cards), reach * free)
        return total / comb(len(left) - 2 * self.hole, new)

    def compared(self, board):
        """1 where the hero's hand wins, −1 where it loses."""
        if board not in self.wins:
            strength = np.array([self.strength(hand, board) for hand in self.hands])
            self.wins[board] = np.sign(strength[:, None] - strength) * self.apart
        return self.wins[board]

    def strength(self, hand, board):
        if set(hand) & set(board):
            return 0
        if self.rules.showdown == "five-card":
            return -evaluate([*hand, *board])
        return SHOWDOWN_RULES[self.rules.showdown].strength(hand, board)

    def played(self, code, street, board):
        rows = np.zeros((len(self.hands), 3))
        for number, hand in enumerate(self.hands):
            if set(hand) & set(board):
                continue
            if (hand, board) not in self.groups:
                groups = np.zeros(street + 1, np.int64)
                cards = np.array([*hand, *board], np.uint8)
                buckets_of_cards(cards, self.game.look_up, groups)
                self.groups[hand, board] = int(groups[-1])
            row = self.probabilities[self.game.first_row[code] + self.groups[hand, board]]
            fold, call, raise_ = (0, 1, 0) if np.isnan(row[0]) else row.astype(float)
            if self.tree.nodes[code, 0] < 0:
                fold, call = 0, call + fold
            if self.tree.nodes[code, 2] < 0:
                call, raise_ = call + raise_, 0
            rows[number] = np.array([fold, call, raise_]) / (fold + call + raise_)
        return rows
