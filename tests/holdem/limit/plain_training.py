"""One iteration of each sampling method in plain Python, on dictionaries and by recursion.

It draws the same random numbers in the same order as the kernels do.
"""

from __future__ import annotations

import numpy as np

from pokerlab.cards.random_kernels import next_uniform
from pokerlab.games import Deal

ACTIONS = "fcr"


def rounded(value):
    """As tables keep it: regrets of nearly 0 decide about strategies."""
    return float(np.float32(value))


class PlainTraining:
    """Regrets and sums by (betting text, group)."""

    def __init__(self, game, groups_of, state):
        self.game, self.groups_of, self.state = game, groups_of, state
        self.regret, self.total = {}, {}

    def strategy(self, key, actions):
        regret = self.regret.setdefault(key, dict.fromkeys(actions, 0.0))
        positive = {action: max(value, 0.0) for action, value in regret.items()}
        weight = sum(positive.values())
        if weight > 0:
            return {action: value / weight for action, value in positive.items()}
        return dict.fromkeys(actions, 1 / len(actions))

    def draw(self, probabilities):
        point = next_uniform(self.state)
        found = None
        for action in ACTIONS:
            if probabilities.get(action, 0.0) > 0:
                found = action
                point -= probabilities[action]
                if point < 0:
                    break
        return found

    def begin(self, cards, hole, time, weights):
        holes = tuple(tuple(row[:hole].tolist()) for row in cards)
        self.first = self.game.start(Deal(holes, tuple(cards[0][hole:].tolist())))
        self.groups = [self.groups_of(row) for row in cards]
        self.regret_weight = time**weights.regret_power
        self.average_weight = time**weights.average_power
        self.floor = weights.floor

    def here(self, state):
        actions = [action for action in ACTIONS if action in state.actions()]
        key = state.node.text, int(self.groups[state.player][state.node.street])
        return key, actions, self.strategy(key, actions)

    def average(self, key, probabilities, weight):
        total = self.total.setdefault(key, dict.fromkeys(probabilities, 0.0))
        for action, chance in probabilities.items():
            total[action] = rounded(total[action] + weight * chance)

    def learn(self, key, worth, expected, weight):
        for action, value in worth.items():
            new = self.regret[key][action] + weight * (value - expected)
            self.regret[key][action] = rounded(max(new, 0.0) if self.floor else new)

    def external(self, state, hero):
        if state.player < 0:
            return state.payoffs()[hero]
        key, actions, probabilities = self.here(state)
        if state.player != hero:
            self.average(key, probabilities, self.average_weight)
            return self.external(state.apply(self.draw(probabilities)), hero)
        worth = {action: self.external(state.apply(action), hero) for action in actions}
        expected = sum(probabilities[action] * worth[action] for action in actions)
        self.learn(key, worth, expected, self.regret_weight)
        return expected

    def chance(self, state, reach):
        """The value for player 0; both learn."""
        if state.player < 0:
            return state.payoffs()[0]
        if reach == [0.0, 0.0]:
            return 0.0
        key, actions, probabilities = self.here(state)
        player = state.player
        self.average(key, probabilities, self.average_weight * reach[player])
        worth = {}
        for action in actions:
            after = reach.copy()
            after[player] *= probabilities[action]
            worth[action] = self.chance(state.apply(action), after)
        expected = sum(probabilities[action] * worth[action] for action in actions)
        sign = 1 if player == 0 else -1
        self.learn(key, worth, expected, sign * self.regret_weight * reach[1 - player])
        return expected

    def outcome(self, state, hero, exploration, sampled=1.0):
        """What the path is worth, divided by its chance to be taken."""
        if state.player < 0:
            return state.payoffs()[hero] / sampled
        key, actions, probabilities = self.here(state)
        if state.player != hero:
            self.average(key, probabilities, self.average_weight / sampled)
            return self.outcome(state.apply(self.draw(probabilities)), hero, exploration, sampled)
        tried = {
            action: exploration / len(actions) + (1 - exploration) * chance
            for action, chance in probabilities.items()
        }
        action = self.draw(tried)
        found = self.outcome(state.apply(action), hero, exploration, sampled * tried[action])
        worth = dict.fromkeys(actions, 0.0) | {action: found}
        expected = found * probabilities[action]
        self.learn(key, worth, expected, self.regret_weight)
        return expected


def public_step(plain, cards, strengths, groups, share):
    """One walk with all hands of both players, as (n, …) arrays; alternates nothing."""
    hands = len(cards)
    hole = len(cards[0]) - len(plain.board)
    clash = np.array(
        [[bool(set(a[:hole]) & set(b[:hole])) for b in cards] for a in cards], dtype=float
    )
    meets = (1.0 - clash) * share
    better = np.sign(strengths[:, None] - strengths[None, :])

    def walk(node, reach):
        if node.player < 0:
            if len(node.live) == 2:
                spent = node.spent[0] / plain.game.unit
                return [spent * (better * meets) @ reach[1 - player] for player in (0, 1)]
            return [
                (1 if player in node.live else -1)
                * (min(node.spent) / plain.game.unit)
                * (meets @ reach[1 - player])
                for player in (0, 1)
            ]
        player = node.player
        actions = [action for action in ACTIONS if action in node.actions()]
        own = groups[:, node.street]
        keys = [(node.text, int(group)) for group in own]
        probabilities = [plain.strategy(key, actions) for key in keys]
        for hand in range(hands):
            plain.average(
                keys[hand], probabilities[hand], plain.average_weight * reach[player][hand]
            )
        values = {}
        for action in actions:
            after = list(reach)
            after[player] = reach[player] * np.array([each[action] for each in probabilities])
            values[action] = walk(node.after(action), after)
        mine = sum(
            np.array([each[action] for each in probabilities]) * values[action][player]
            for action in actions
        )
        for key in dict.fromkeys(keys):
            inside = np.array([each == key for each in keys])
            worth = {action: values[action][player][inside].sum() for action in actions}
            plain.learn(key, worth, mine[inside].sum(), plain.regret_weight)
        theirs = sum(values[action][1 - player] for action in actions)
        return [mine, theirs] if player == 0 else [theirs, mine]

    walk(plain.game.first_betting, [np.ones(hands), np.ones(hands)])
