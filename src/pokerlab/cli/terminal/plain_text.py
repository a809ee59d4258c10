"""Text that is safe to print: control characters as escapes, and ASCII where nothing else fits.

Names of games, players and files are other people's text. A terminal obeys the escape sequences
in it, and an ASCII or Latin-1 terminal cannot show suits; both are mended here and nowhere else.
"""

from __future__ import annotations

import codecs
import sys
import unicodedata
from contextlib import suppress

_ASCII = {
    "♠": "s",
    "♥": "h",
    "♦": "d",
    "♣": "c",
    "█": "#",
    "▇": "#",
    "▆": "#",
    "▅": "=",
    "▄": "=",
    "▃": "-",
    "▂": "-",
    "▁": "_",
    "▉": "#",
    "▊": "#",
    "▋": "=",
    "▌": "=",
    "▍": "-",
    "▎": "-",
    "▏": "-",
    "▓": "#",
    "▒": "+",
    "░": ".",
    "■": "#",
    "•": "*",
    "·": ".",
    "×": "x",
    "±": "+/-",
    "–": "-",
    "—": "-",
    "−": "-",
    "─": "-",
    "│": "|",
    "├": "+",
    "└": "+",
    "…": "...",
    "ε": "eps",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "Δ": "delta",
    "’": "'",
}
"""What stands for the characters of our own that not every terminal has."""

# Marks that turn the reading direction can make a line look like another one.
_TURNING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C, 0x2028, 0x2029}

REPLACING = "pokerlab.ascii"
"""The error handler of encodings that puts something similar in the place of a letter."""


def visible(text: str) -> str:
    r"""The text with control characters written as escapes; line ends and tabs stay.

    Examples
    --------
    >>> visible("a\x1b[31mred\x07")
    'a\\x1b[31mred\\x07'
    >>> visible("A♠ K♥\n")
    'A♠ K♥\n'
    """
    if text.isprintable():
        return text
    return "".join(_escape(letter) if _is_control(letter) else letter for letter in text)


def _is_control(letter: str) -> bool:
    if letter in "\n\t":
        return False
    return ord(letter) in _TURNING or unicodedata.category(letter) in ("Cc", "Cs")


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape", "surrogatepass").decode("ascii")


def plain(text: str, encoding: str) -> str:
    """The text as a terminal of this encoding can show it.

    Examples
    --------
    >>> plain("A♠ ± 1", "utf-8"), plain("A♠ ± 1", "latin-1"), plain("A♠ ± 1", "ascii")
    ('A♠ ± 1', 'As ± 1', 'As +/- 1')
    """
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, REPLACING).decode(encoding)
    return text


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_ASCII.get(letter) or _escape(letter) for letter in bad), error.end


codecs.register_error(REPLACING, _replace)


def tell(message: str) -> None:
    """Print a line for people on stderr, if anybody reads that."""
    with suppress(OSError):
        print(visible(message), file=sys.stderr, flush=True)
