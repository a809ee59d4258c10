"""Actions in words, and the action that an answer in words, letters or numbers names."""

from __future__ import annotations

from collections.abc import Sequence

from pokerlab.errors import shorten
from pokerlab.postflop.question.chips import write_number
from pokerlab.postflop.question.lines import Action, ActionKind, Line

_WORDS = {
    ActionKind.FOLD: ("fold", "fold", "folds"),
    ActionKind.CHECK: ("check", "check", "checks"),
    ActionKind.CALL: ("call", "call", "calls"),
    ActionKind.BET: ("bet", "bet", "bets"),
    ActionKind.RAISE: ("raise to", "raise to", "raises to"),
    ActionKind.ALLIN: ("all-in", "are all-in", "is all-in"),
}
_KINDS = {words[0]: kind for kind, words in _WORDS.items()} | {
    "raise": ActionKind.RAISE,
    "allin": ActionKind.ALLIN,
    "all in": ActionKind.ALLIN,
}


def action_words(label: str, who: str = "") -> str:
    """An action of a line in words; as a sentence goes on after ``you`` or another name.

    Examples
    --------
    >>> action_words("b120"), action_words("r1350", "solution"), action_words("a", "you")
    ('bet 120', 'raises to 1,350', 'are all-in')
    """
    action = Line.parse(label).actions[0]
    words = _WORDS[action.kind][0 if not who else 1 if who == "you" else 2]
    return f"{words} {action.amount:,}" if action.amount else words


def amount_text(chips: float, big_blind: float | None) -> str:
    """An amount in big blinds, or in chips if the spot has no big blind.

    Examples
    --------
    >>> amount_text(2.72, 10), amount_text(2.72, None)
    ('0.272 bb', '2.720 chips')
    """
    return f"{chips:,.3f} chips" if big_blind is None else f"{chips / big_blind:,.3f} bb"


def read_answer(actions: Sequence[str], answer: str) -> str:
    """The action that an answer names: by its key (1 to 9), as a line names it, or in words.

    Examples
    --------
    >>> actions = ["x", "b120", "b216", "a"]
    >>> [read_answer(actions, each) for each in ("1", "B216", "bet 120", "120", "check", "all-in")]
    ['x', 'b216', 'b120', 'b120', 'x', 'a']
    >>> read_answer(actions, "b50")
    Traceback (most recent call last):
    ValueError: 'b50' is not possible here: 1 check, 2 bet 120, 3 bet 216, 4 all-in
    """
    text = " ".join(answer.lower().replace(",", "").split())
    if text in actions:
        return text
    if text.isdecimal() and len(text) == 1 and 1 <= int(text) <= len(actions):
        return actions[int(text) - 1]
    found = [label for label in actions if _is_meant(Line.parse(label).actions[0], text)]
    if len(found) != 1:
        choices = ", ".join(f"{key} {action_words(label)}" for key, label in enumerate(actions, 1))
        raise ValueError(f"{shorten(answer)!r} is not possible here: {choices}")
    return found[0]


def _is_meant(action: Action, text: str) -> bool:
    """Whether a text of words and a size, or of either, is this action."""
    word, size = text.rstrip("0123456789.").strip(), text.lstrip("abcdefghijklmnopqrstuvwxyz -")
    kind = _KINDS.get(word)
    if word and kind != action.kind and word != str(action)[0]:
        return False
    return bool(word or size) and (not size or size == write_number(action.amount))
