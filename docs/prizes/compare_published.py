"""Compare ``docs/prizes/published.toml`` with what `pokerlab pushfold` finds."""

import tomllib
from pathlib import Path

import numpy as np

from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.pushfold import HandTables, PushFoldRules, solve_push_fold_table
from pokerlab.holdem.pushfold.solving import PushFoldTable

PAYOUTS = (50, 30, 20)


def main() -> None:
    """Print a line for each figure: published, ours."""
    tables = HandTables.load(3)
    text = Path(__file__).with_name("published.toml").read_text(encoding="utf-8")
    for table in tomllib.loads(text)["table"]:
        rules = PushFoldRules(tuple(table["stacks"]), PAYOUTS, ante=table.get("ante", 0.0))
        print(table["name"])
        ends = blind_ends(rules)
        for name, percent in table.get("worths", {}).items():
            print(f"  {name:<12} {percent:7.2f} {ends[name]:7.2f}")
        if "equity" in table:
            print(f"  {'equity':<12} {table['equity']:7.2f} {needed(ends):7.2f}")
        for called, percent in table.get("bluffs", {}).items():
            print(f"  72o, {called:<15} {percent:5.2f} {bluff(rules, tables, called):5.2f}")
        if "shares" in table:
            found = solve_push_fold_table(rules, tables=tables)
            for name, percent in table["shares"].items():
                node = node_of(rules, name)
                cost = price(rules, tables, found.shares, node, percent / 100)
                print(
                    f"  {name:<12} {percent:7.1f} {100 * found.share(node):7.1f}"
                    f"   the published share costs {cost:.4f}% of the prizes"
                )


def node_of(rules: PushFoldRules, name: str) -> int:
    """A decision by its name, such as ``BB:SB``."""
    position, _, after = name.partition(":")
    before = tuple(map(rules.positions.index, after.split("+"))) if after else ()
    return rules.nodes.index((rules.positions.index(position), before))


def blind_ends(rules: PushFoldRules) -> dict[str, float]:
    """What folding to the small blind, winning, a tie and losing are worth to the big blind."""
    pushed = (rules.players - 2,)
    called = (*pushed, rules.players - 1)
    results = (*rules.results(pushed), *rules.results(called))
    names = ("fold", "loss", "tie", "win")
    return {name: float(rules.worth(*each)[-1]) for name, each in zip(names, results, strict=True)}


def needed(ends: dict[str, float]) -> float:
    """The equity that a call needs, if ties are not counted apart."""
    return 100 * (ends["fold"] - ends["loss"]) / (ends["win"] - ends["loss"])


def classes_of(text: str) -> np.ndarray:
    """A range by classes."""
    weights = Range(text).weights
    return np.bincount(CLASS_OF_COMBO, weights) / np.bincount(CLASS_OF_COMBO)


def bluff(rules: PushFoldRules, tables: HandTables, called: str) -> float:
    """What the small blind wins with 72o all-in, if the big blind calls with a range."""
    table = PushFoldTable(rules, tables)
    shares = np.zeros((len(rules.nodes), len(CLASS_NAMES)))
    small = rules.players - 2
    shares[rules.nodes.index((small + 1, (small,)))] = classes_of(called)
    push, fold = table.action_values(shares, small)
    place = [rules.nodes[node][1] for node in table.own_nodes[small]].index(())
    hand = CLASS_NAMES.index("72o")
    return float(push[place, hand] - fold[place, hand])


def price(
    rules: PushFoldRules, tables: HandTables, shares: np.ndarray, node: int, share: float
) -> float:
    """What a player loses at most who plays another share: the hands that are worth most."""
    table = PushFoldTable(rules, tables)
    player = rules.nodes[node][0]
    push, fold = table.action_values(shares, player)
    place = table.own_nodes[player].index(node)
    gain = push[place] - fold[place]
    order = np.argsort(-gain)
    played, left = np.zeros(len(gain)), share
    for each in order:
        played[each] = np.clip(left / tables.chances[each], 0, 1)
        left -= played[each] * tables.chances[each]
    best = np.maximum(gain, 0) @ tables.chances
    return float(best - (played * gain) @ tables.chances)


main()
