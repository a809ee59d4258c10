"""Hands of PHH files one by one, quickly: a hand that cannot be read leaves the others alone.

PHH is TOML, and files of millions of hands write it in one way only: a key, a value, a line. Such
hands are read line by line. Whatever looks different (an array over several lines, a text between
double quotes, a comment) is read as TOML, and so is whatever the quick way refuses, for the
reason. Only what a `HistoryRecord` needs is looked at: other keys may hold anything that fits on
a line.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from pokerlab.arena.logs.following import CENTS, follow
from pokerlab.arena.logs.history_hand import (
    UNKNOWN_STACK,
    HistoryHand,
    HistoryRecord,
    UnreadHandError,
)
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.files.toml_text import parse_toml

MAX_HAND = 1_000_000
"""Bytes of a hand; one takes about 800."""
_BLOCK = 1 << 20
_NEXT = re.compile(rb"\n(?=\[)")
_HEADER = re.compile(r"\[([^\[\]\n'\"]{1,40})\][ \t]*(?:\n|$)")
_LIMITS = {"NT": False, "FT": True}
_OTHER = {
    "NS": "short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "Omaha hi-lo",
    "F7S": "seven-card stud",
    "F7S/8": "stud hi-lo",
    "FR": "razz",
    "N2L1D": "2-7 single draw",
    "F2L3D": "2-7 triple draw",
    "FB": "badugi",
}
_MOST_DIGITS = 30
"""Letters of the number of a hand."""
_NO_NAMES: tuple[str, ...] = ()


class HandText(NamedTuple):
    """The text of one hand.

    Attributes
    ----------
    number
        Its place in the file, from 1.
    text
        Without the header of its table; empty if it is not read.
    fault
        Why it is not read; empty if it is.
    """

    number: int
    text: str
    fault: str = ""


def hand_texts(path: str | Path) -> Iterator[HandText]:
    r"""The texts of all hands of a ``.phh`` or ``.phhs`` file, a megabyte at a time.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "night.phhs")
    ...     _ = path.write_text("[1]\nvariant = 'NT'\n\n[2]\nvariant = 'FT'\n")
    ...     [(number, text.strip()) for number, text, _ in hand_texts(path)]
    [(1, "variant = 'NT'"), (2, "variant = 'FT'")]
    """
    for number, part in enumerate(_parts(Path(path)), 1):
        if len(part) > MAX_HAND:
            yield HandText(number, "", f"more than {MAX_HAND:,} bytes")
            continue
        try:
            text = part.decode().replace("\r\n", "\n")
        except UnicodeDecodeError:
            yield HandText(number, "", "not a text in UTF-8")
            continue
        header = _HEADER.match(text)
        yield HandText(number, text[header.end() :] if header else text)


def _parts(path: Path) -> Iterator[bytes]:
    """The file, cut before each line that begins with a bracket; a long part is cut short."""
    if not path.is_file():
        reason = "this is not a file with text" if path.exists() else "there is no such file"
        raise ValueError(f"{path}: {reason}")
    try:
        with path.open("rb") as file:
            rest = file.read(len(BOM_UTF8))
            rest = b"" if rest == BOM_UTF8 else rest
            while block := file.read(_BLOCK):
                if len(rest) > MAX_HAND:  # too long for a hand: its end is all that matters
                    found = _NEXT.search(rest[-1:] + block)
                    if found is None:
                        rest = rest[:MAX_HAND] + block[-1:]
                        continue
                    block = (rest[-1:] + block)[found.start() :]
                    rest = rest[: MAX_HAND + 1]
                *parts, rest = _NEXT.split(rest + block)
                for part in parts:
                    if not part.isspace() and part:
                        yield part
            if rest and not rest.isspace():
                yield rest
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


def read_hand(text: str) -> HistoryHand:
    """Read the text of one hand; `UnreadHandError` says in one line why it cannot be.

    Examples
    --------
    >>> hand = read_hand('''variant = 'NT'
    ... antes = [0, 0, 0]
    ... blinds_or_straddles = [0.50, 1, 0]
    ... min_bet = 1
    ... starting_stacks = [100, inf, 80.25]
    ... actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 cbr 3', 'p1 f', 'p2 f']
    ... players = ['ann', 'bob', 'cy']''')
    >>> hand.players, hand.payoffs
    (('ann', 'bob', 'cy'), (-0.5, -1.0, 1.5))
    >>> read_hand("variant = 'PO'")
    Traceback (most recent call last):
    pokerlab.arena.logs.history_hand.UnreadHandError: pot-limit Omaha (PO) is not hold'em
    """
    fields = _plain_fields(text)
    if fields is not None:
        try:
            return follow(_plain_record(fields))
        except (UnreadHandError, KeyError):
            pass
    return follow(toml_record(text))


def _plain_fields(text: str) -> dict[str, str] | None:
    """Keys and values of a hand of plain lines; None for any other text."""
    fields = {}
    lines = 0
    for line in text.split("\n"):
        if not line:
            continue
        key, equals, value = line.partition(" = ")
        if not equals or not value:
            return None
        fields[key] = value
        lines += 1
    return fields if len(fields) == lines else None


def _plain_record(fields: Mapping[str, str]) -> HistoryRecord:
    """The record of plain fields; `KeyError` or `UnreadHandError` for what is not that plain."""
    variant = fields["variant"]
    if variant == "'NT'":
        limit, bet = False, CENTS[fields["min_bet"]]
    elif variant == "'FT'":
        limit, bet = True, CENTS[fields["small_bet"]]
    else:
        raise KeyError(variant)
    players = fields.get("players")
    finishing, winnings = fields.get("finishing_stacks"), fields.get("winnings")
    return HistoryRecord(
        limit,
        100,
        _plain_amounts(fields["antes"]),
        _plain_amounts(fields["blinds_or_straddles"], signed=True),
        _plain_amounts(fields["starting_stacks"]),
        bet,
        _plain_texts(fields["actions"]),
        _NO_NAMES if players is None else _plain_texts(players),
        fields.get("hand", "").strip("'")[:_MOST_DIGITS],
        () if finishing is None else _plain_amounts(finishing),
        () if winnings is None else _plain_amounts(winnings),
        _minute(fields.get("year"), fields.get("month"), fields.get("day"), fields.get("time")),
    )


def _plain_amounts(text: str, *, signed: bool = False) -> list[int]:
    """Amounts in cents; only those of blinds may be below 0."""
    if text[0] != "[" or text[-1] != "]" or ("-" in text and not signed):
        raise KeyError(text)
    words = text[1:-1].split(", ")
    try:
        return [CENTS[word] for word in words]
    except UnreadHandError:
        return [_plain_amount(word) for word in words]


def _plain_amount(word: str) -> int:
    if word == "inf":
        return UNKNOWN_STACK
    return -CENTS[word[1:]] if word.startswith("-") else CENTS[word]


def _plain_texts(text: str) -> list[str]:
    """The texts of a list in which all are between quotes of one kind, and none holds the other."""
    quote = text[1:2]
    if text[:2] not in ("['", '["') or text[-2:] != f"{quote}]" or "#" in text or "\\" in text:
        raise KeyError(text)
    if ('"' if quote == "'" else "'") in text:
        raise KeyError(text)
    return text[2:-2].split(f"{quote}, {quote}")


def toml_record(text: str) -> HistoryRecord:
    """The record of a hand, read as TOML; `UnreadHandError` says what is wrong."""
    try:
        table = parse_toml(text, Decimal)
    except ValueError as error:
        raise UnreadHandError(one_line(str(error))) from None
    try:
        return table_record(table)
    except UnreadHandError:
        raise
    except ValueError:  # Python writes no number of more than 4,300 digits
        raise UnreadHandError("it has a number that nobody can read") from None


def table_record(table: Mapping[str, Any]) -> HistoryRecord:
    """The record of a TOML table.

    Examples
    --------
    >>> table_record({"variant": "FB"})
    Traceback (most recent call last):
    pokerlab.arena.logs.history_hand.UnreadHandError: badugi (FB) is not hold'em
    """
    variant = table.get("variant")
    if not isinstance(variant, str) or variant not in _LIMITS:
        if isinstance(variant, str) and variant:
            shown = shorten(variant, 20)
            named = f"{_OTHER[variant]} ({shown})" if variant in _OTHER else f"variant {shown!r}"
            raise UnreadHandError(f"{named} is not hold'em", variant=shown)
        raise UnreadHandError("variant: there is none")
    bet = "small_bet" if _LIMITS[variant] else "min_bet"
    amounts = {
        name: _decimals(table, name) for name in ("antes", "blinds_or_straddles", "starting_stacks")
    }
    amounts |= {
        name: _decimals(table, name) if name in table else []
        for name in ("finishing_stacks", "winnings")
    }
    amounts[bet] = _decimals({bet: [table.get(bet)]}, bet)
    unit = 100
    if any(value.is_finite() and value * 100 % 1 for each in amounts.values() for value in each):
        unit = 10**6
    chips = {name: [_chips(value, unit, name) for value in each] for name, each in amounts.items()}
    for name, each in chips.items():
        if name != "blinds_or_straddles" and min(each, default=0) < 0:
            raise UnreadHandError(f"{name}: an amount is below 0")
        if name != "starting_stacks" and name != "finishing_stacks" and UNKNOWN_STACK in each:
            raise UnreadHandError(f"{name}: an amount is infinite")
    actions = [action.partition("#")[0].strip() for action in _texts(table, "actions")]
    if unit == 100 and any(re.search(r"cbr \d+\.\d{3}", action) for action in actions):
        unit = 10**6
        chips = {
            name: [_chips(value, unit, name) for value in each] for name, each in amounts.items()
        }
    number = table.get("hand", "")
    return HistoryRecord(
        _LIMITS[variant],
        unit,
        chips["antes"],
        chips["blinds_or_straddles"],
        chips["starting_stacks"],
        chips[bet][0],
        [action for action in actions if action],
        _texts(table, "players") if "players" in table else _NO_NAMES,
        str(number)[:_MOST_DIGITS] if isinstance(number, str | int) else "",
        chips["finishing_stacks"],
        chips["winnings"],
        _minute(*(table.get(name) for name in ("year", "month", "day", "time"))),
    )


def _minute(year: object, month: object, day: object, time: object) -> int:
    """The minute of a hand (`HistoryRecord.when`); 0 where the date is not known."""
    if year is None or month is None or day is None:
        return 0
    hour = str(time)[:5].replace(":", "")
    text = f"{year!s:.4}{month!s:0>2.2}{day!s:0>2.2}{hour if len(hour) == 4 else '0000'}"
    return int(text) if len(text) == 12 and text.isascii() and text.isdigit() else 0


def _decimals(table: Mapping[str, Any], name: str) -> list[Decimal]:
    values = table.get(name)
    if not isinstance(values, list) or not values:
        raise UnreadHandError(f"{name}: {_shown(values)} is not a list of amounts")
    found = []
    for value in values:
        known = isinstance(value, int | Decimal) and not isinstance(value, bool)
        amount = Decimal(value) if known else Decimal("nan")
        small = abs(amount) <= 10**12 if amount.is_finite() else amount == Decimal("inf")
        if amount.is_nan() or not small:
            raise UnreadHandError(f"{name}: {_shown(value)} is not an amount of chips")
        found.append(amount)
    return found


def _chips(amount: Decimal, unit: int, name: str) -> int:
    if not amount.is_finite():
        return UNKNOWN_STACK
    if amount * unit % 1:
        raise UnreadHandError(f"{name}: {_shown(amount)} is not an amount of chips")
    return int(amount * unit)


def _texts(table: Mapping[str, Any], name: str) -> Sequence[str]:
    values = table.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise UnreadHandError(f"{name}: {_shown(values)} is not a list of texts")
    return values


def _shown(value: object) -> str:
    return one_line("nothing" if value is None else str(value), 60)
