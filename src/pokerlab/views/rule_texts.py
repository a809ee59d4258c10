"""Rules for a decision in words: "bet 75 with top pair good kicker or better, otherwise check"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pokerlab.drills.words import action_words

if TYPE_CHECKING:
    from pokerlab.holdem.spots.simple.conditions import HandCondition
    from pokerlab.holdem.spots.simple.rule_tree import PlayRule

_RANKS = {
    "A": "an ace",
    "K": "a king",
    "Q": "a queen",
    "J": "a jack",
    "T": "a ten",
    "9": "a nine",
    "8": "an eight",
    "7": "a seven",
    "6": "a six",
    "5": "a five",
    "4": "a four",
    "3": "a three",
    "2": "a deuce",
}
_SUITS = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}


def rule_text(rule: PlayRule, actions: Sequence[str]) -> str:
    """A rule as one line: who, and what they play.

    Examples
    --------
    >>> from pokerlab.holdem.spots.simple.conditions import HandCondition
    >>> from pokerlab.holdem.spots.simple.rule_tree import PlayRule
    >>> asked = (HandCondition("made", "set"), HandCondition("rank", "A"))
    >>> rule_text(PlayRule((asked, (HandCondition("top", "5"),)), (0.25, 0.75), 0.1), ["x", "b50"])
    'set or better and an ace, or the top 5% of the range: bet 50 75%, check 25%'
    >>> rule_text(PlayRule(((),), (1.0, 0.0), 0.9), ["x", "b50"])
    'all others: check'
    """
    sets = [" and ".join(map(condition_text, each)) for each in rule.alternatives if each]
    who = ", or ".join(sets) if len(sets) == len(rule.alternatives) else "all others"
    who = "all hands" if who == "all others" and rule.share > 1 - 1e-9 else who
    return f"{who}: {play_text(rule.play, actions)}"


def play_text(play: Sequence[float], actions: Sequence[str]) -> str:
    """What is played, the most frequent action first.

    Examples
    --------
    >>> play_text([0.0, 1.0], ["f", "c"]), play_text([0.25, 0.75], ["f", "a"])
    ('call', 'all-in 75%, fold 25%')
    """
    chosen = sorted(
        ((share, label) for share, label in zip(play, actions, strict=True) if share > 0),
        key=lambda each: -each[0],
    )
    if len(chosen) == 1:
        return action_words(chosen[0][1])
    return ", ".join(f"{action_words(label)} {share:.0%}" for share, label in chosen)


def condition_text(condition: HandCondition) -> str:
    """A condition in words.

    Examples
    --------
    >>> from pokerlab.holdem.spots.simple.conditions import HandCondition
    >>> [condition_text(HandCondition(*each)) for each in (("draw", "no-draw"), ("suit", "h"))]
    ['no draw', 'a heart']
    """
    kind, value = condition
    if kind == "top":
        return f"the top {value}% of the range"
    if kind == "rank":
        return _RANKS[value]
    if kind == "suit":
        return f"a {_SUITS[value]}"
    words = value.replace("-", " ")
    return f"{words} or better" if kind == "made" else words
