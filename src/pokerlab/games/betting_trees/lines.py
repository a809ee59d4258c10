"""Lines: what was done so far, as text. One grammar for files, the command line and Python.

A line is a row of tokens with ``/`` between them, from the first decision of the spot on:

========  ==================================================================================
token     meaning
========  ==================================================================================
``x``     check
``b50``   bet 50 chips; ``b2.75`` where a spot counts in smaller chips
``b50%``  bet 50% of the pot
``r150``  raise *to* 150 chips: what the player will have put in on this street
``r50%``  raise by 50% of the pot after calling: a bet of 100 into 100 is raised to 250
``c``     call
``f``     fold
``a``     all-in, as a bet or as a raise
``Qc``    the card that opens the next street
========  ==================================================================================

``x/b50/c/Qc/x`` is: check, bet 50, call, the queen of clubs comes, check. The empty line is the
beginning. Where the cards do not matter (lines added to a tree or removed from it, look-ups in
a betting tree) they may be left out: ``x/b50/c/x``.

A percentage is rounded to the smallest chip (halves up), is at least the smallest legal size and at
most all-in, as in a bet menu.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from pokerlab.cards.codes import format_cards, parse_card
from pokerlab.games.betting_trees.chips import MAX_CHIPS, plain_number, read_number, write_number
from pokerlab.runtime.errors import shorten


class ActionKind(IntEnum):
    """What a player does. The order is that of the actions at a node."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BET = 3
    RAISE = 4
    ALLIN = 5


_LETTERS = {
    "f": ActionKind.FOLD,
    "x": ActionKind.CHECK,
    "c": ActionKind.CALL,
    "b": ActionKind.BET,
    "r": ActionKind.RAISE,
    "a": ActionKind.ALLIN,
}
_LETTER_OF = {kind: letter for letter, kind in _LETTERS.items()}
_SIZED = (ActionKind.BET, ActionKind.RAISE)


class Action(NamedTuple):
    """One action as a line names it: ``b50`` has an amount in chips, ``b50%`` a percentage."""

    kind: ActionKind
    """What is done: a bet, a call and so on."""
    amount: float = 0
    """The size in chips; 0 where there is none, or where it is in percent."""
    percent: float = 0.0
    """The size in percent of the pot; 0 where it is in chips."""

    def __str__(self) -> str:
        letter = _LETTER_OF[self.kind]
        if self.kind not in _SIZED:
            return letter
        size = f"{write_number(self.percent)}%" if self.percent else write_number(self.amount)
        return letter + size


Token: TypeAlias = "Action | int"
"""An action, or the code of a card."""


@dataclass(frozen=True)
class Line:
    """A row of actions and cards.

    Examples
    --------
    >>> line = Line.parse("x/b50/c/Qc/b75%")
    >>> len(line), str(line), line.tokens[1].amount, line.tokens[4].percent
    (5, 'x/b50/c/Qc/b75%', 50, 75.0)
    >>> [str(action) for action in line.actions], format_cards(line.cards)
    (['x', 'b50', 'c', 'b75%'], 'Qc')
    >>> Line.parse("x/bet")
    Traceback (most recent call last):
    ValueError: line 'x/bet': token 2, 'bet': 'et' is not a number of chips or a percentage of
    the pot (b50 or b50%)
    """

    tokens: tuple[Token, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read a line; `ValueError` names the token, its position and what is accepted."""
        if not isinstance(text, str):
            raise ValueError(f"{shorten(repr(text))} is not a line such as x/b50/c/Qc/x")
        tokens: list[Token] = []
        if text.strip():
            for position, token in enumerate(text.split("/"), 1):
                try:
                    found = _parse_token(token.strip())
                    if isinstance(found, int) and found in tokens:
                        raise ValueError("the card has come before in this line")
                except ValueError as error:
                    raise line_error(text, position, token, str(error)) from None
                tokens.append(found)
        return cls(tuple(tokens))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The line without its cards."""
        return tuple(token for token in self.tokens if isinstance(token, Action))

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the line."""
        return tuple(token for token in self.tokens if not isinstance(token, Action))

    def __len__(self) -> int:
        return len(self.tokens)

    def __str__(self) -> str:
        return "/".join(map(token_text, self.tokens))


LineLike: TypeAlias = "Line | str"
"""What a public function takes as a line: text such as ``"x/b50/c"``, or a `Line`."""


def to_line(line: LineLike) -> Line:
    """Take a line as text or as a `Line`."""
    return line if isinstance(line, Line) else Line.parse(line)


def token_text(token: Token) -> str:
    """Write a token as a line does.

    Examples
    --------
    >>> token_text(Action(ActionKind.RAISE, 300)), token_text(51)
    ('r300', 'As')
    """
    return str(token) if isinstance(token, Action) else format_cards([token])


def line_error(line: object, position: int, token: object, why: str) -> ValueError:
    """The error of a line that goes wrong at a token (positions count from 1)."""
    shown = shorten(str(line)), shorten(str(token), 30)
    return ValueError(f"line '{shown[0]}': token {position}, '{shown[1]}': {why}")


def _parse_token(token: str) -> Token:
    letter, size = token[:1].lower(), token[1:].strip()
    kind = _LETTERS.get(letter)
    if kind is not None and not size and kind not in _SIZED:
        return Action(kind)
    if kind in _SIZED:
        return _parse_sized(kind, letter, size)
    try:
        return parse_card(token)
    except ValueError:
        raise ValueError(
            "not an action (x, b50, b50%, r150, r50%, c, f, a) or a card such as Qc"
        ) from None


def _parse_sized(kind: ActionKind, letter: str, size: str) -> Action:
    number = read_number(size.removesuffix("%").rstrip())
    if number is None:
        what = f"'{shorten(size, 30)}' is not" if size else "it needs"
        raise ValueError(
            f"{what} a number of chips or a percentage of the pot ({letter}50 or {letter}50%)"
        )
    if number == 0:
        raise ValueError(f"a size is above 0 ({letter}50 or {letter}50%)")
    if size.endswith("%"):
        return Action(kind, percent=number)
    if number > MAX_CHIPS:
        raise ValueError(f"a size is at most {MAX_CHIPS} chips ({letter}50, or {letter}50%)")
    return Action(kind, plain_number(number))


ACTION_WORDS: Final = {
    "f": "fold",
    "x": "check",
    "c": "call",
    "b": "bet",
    "r": "raise to",
    "a": "all-in",
}
"""Actions in words, by the letter of a line; the order is that of the actions at a node."""


def action_words(action: str) -> str:
    """An action in words.

    Examples
    --------
    >>> action_words("x"), action_words("b50"), action_words("r300")
    ('check', 'bet 50', 'raise to 300')
    """
    return f"{ACTION_WORDS[action[0]]} {action[1:]}".strip()
