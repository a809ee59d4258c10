"""Hand histories as poker sites write them, by the parsers of PokerKit (``pokerlab[hands]``).

PokerKit reads no-limit hold'em of PokerStars, Full Tilt Poker, PartyPoker, iPoker, Ongame and
Absolute Poker; hands of GGPoker are written like those of PokerStars. A file is cut into hands
here, and each hand is read alone. PokerKit passes over lines that it does not know: a hand with a
posting that it would lose (a dead blind) is refused, and antes are put back.
"""

from __future__ import annotations

import io
import re
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from pokerlab.arena.logs.following import follow
from pokerlab.arena.logs.history_hand import HistoryHand, UnreadHandError
from pokerlab.arena.logs.phh_text import HandText, table_record
from pokerlab.runtime.errors import one_line, shorten

MAX_LINE = 600
"""Characters of a line of a site's history."""
MAX_HAND = 40_000
"""Characters of one hand; the patterns of PokerKit take seconds over texts that are much longer."""
_PARSING = Lock()
"""The output of PokerKit is caught process-wide, so one hand is parsed at a time."""


class PokerSite(NamedTuple):
    """How the histories of a site look.

    Attributes
    ----------
    name
        Of the site.
    begin
        The first line of a hand.
    parser
        The class of PokerKit; empty if it has none.
    """

    name: str
    begin: re.Pattern[str]
    parser: str


_SITES = (
    PokerSite("PokerStars", re.compile(r"PokerStars\b.*#\d"), "PokerStarsParser"),
    PokerSite("GGPoker", re.compile(r"Poker Hand #"), "PokerStarsParser"),
    PokerSite("Full Tilt Poker", re.compile(r"Full Tilt Poker Game #"), "FullTiltPokerParser"),
    PokerSite(
        "PartyPoker",
        re.compile(r"Game #\d+ starts|\*{5} Hand History [Ff]or Game "),
        "PartyPokerParser",
    ),
    PokerSite("iPoker", re.compile(r"<game gamecode="), "IPokerNetworkParser"),
    PokerSite("Ongame", re.compile(r"\*{5} History for hand "), "OngameNetworkParser"),
    PokerSite("Absolute Poker", re.compile(r"Stage #"), "AbsolutePokerParser"),
    PokerSite("Winamax", re.compile(r"Winamax Poker\b"), ""),
    PokerSite("888poker", re.compile(r"#Game No|\*{3,} .*\bHand History for\b"), ""),
    PokerSite("Ignition", re.compile(r"(Ignition|Bovada) Hand #"), ""),
)
_ESCAPED = re.compile(r"[\udc80-\udcff]")
"""A byte that is not of UTF-8."""
_XML = re.compile(r"<(\?xml|session)\b")
_XML_CARDS = re.compile(r">[SHDC0-9TJQKA ]+</cards>")
_XML_SUIT = re.compile(r"\b[SHDC](?=[0-9TJQKA])")
_POSTING = re.compile(r"(?i)\bposts\b")
_READ_POSTING = re.compile(r"(?i)\bposts (the )?(small|big) blind( of)? [^a-z&]|posts the ante ")
_ANTE = re.compile(r"(?m)^(?P<player>[^\n]+?): posts the ante \D?(?P<ante>[0-9.,]+)")
_NUMBER = re.compile(r"#[A-Z]{0,3}(\d+)|gamecode=\"(\d+)\"|[Ff]or (?:hand|[Gg]ame) (\S+)")


def site_of(line: str) -> PokerSite | None:
    """The site whose histories begin with a line; None if it is no history of a site.

    Examples
    --------
    >>> site_of("PokerStars Hand #123: Hold'em No Limit ($0.01/$0.02 USD)").name
    'PokerStars'
    >>> site_of("STATE:0:rf:As|Kd:10|-10:ann|bob") is None
    True
    """
    text = line.strip("\ufeff \t\r\n")
    if _XML.match(text):
        return next(site for site in _SITES if site.name == "iPoker")
    return next((site for site in _SITES if site.begin.match(text)), None)


def site_of_file(path: str | Path) -> PokerSite | None:
    """The site whose text a file holds, by its first line; None for any other file."""
    try:
        return site_of(next((line for line in _lines(Path(path)) if line.strip("\ufeff \t")), ""))
    except ValueError:
        return None


def site_hand_texts(path: str | Path, site: PokerSite) -> Iterator[HandText]:
    """The texts of the hands of a site's file, one by one; long lines and hands are faults."""
    lines: list[str] = []
    number = size = 0
    fault = ""
    for line in _lines(Path(path)):
        begins = site.begin.match(line) is not None
        # PartyPoker has two such lines, the second right below the first.
        if begins and not (site.name == "PartyPoker" and 0 < len(lines) < 3):
            if number:
                yield HandText(number, "" if fault else "\n".join(lines), fault)
            number, lines, size, fault = number + 1, [], 0, ""
        if not number or not line.strip():
            continue
        if len(line) > MAX_LINE:
            fault = fault or f"a line of more than {MAX_LINE:,} characters"
        elif size + len(line) > MAX_HAND:
            fault = fault or f"more than {MAX_HAND:,} characters"
        elif "\ufffd" in line:
            fault = fault or "not a text in UTF-8, UTF-16 or the code page of Windows"
        elif not fault:
            lines.append(line)
            size += len(line)
    if number:
        yield HandText(number, "" if fault else "\n".join(lines), fault)


def _lines(path: Path) -> Iterator[str]:
    """The lines of a file without their ends, each cut where it is too long.

    Sites write UTF-8, or UTF-16 with a mark at the beginning; old ones the code page of Windows.
    """
    try:
        with path.open("rb") as file:
            wide = file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE)
        encoding, errors = ("utf-16", "replace") if wide else ("utf-8", "surrogateescape")
        with path.open(encoding=encoding, errors=errors, newline="\n") as text:
            while line := text.readline(MAX_LINE + 2):
                if not wide and _ESCAPED.search(line):
                    line = line.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
                yield line.strip("\ufeff\r\n")[: MAX_LINE + 1]
                while len(line) > MAX_LINE and not line.endswith("\n"):
                    line = text.readline(1 << 16)
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None


def read_site_hand(text: str, site: PokerSite) -> HistoryHand:
    """Read one hand; `UnreadHandError` names it by its number and says what is wrong."""
    name = f"hand {hand_number(text)}: " if hand_number(text) else ""
    try:
        return _read(text, site)
    except UnreadHandError as error:
        raise UnreadHandError(f"{name}{error}", error.variant) from None


def hand_number(text: str) -> str:
    """The number that a site gave a hand, in its first lines; empty if there is none.

    Examples
    --------
    >>> hand_number("Poker Hand #HD1234: Hold'em No Limit ($0.02/$0.05)")
    '1234'
    """
    match = _NUMBER.search(text[:200])
    return "" if match is None else next(group for group in match.groups() if group)[:30]


def _read(text: str, site: PokerSite) -> HistoryHand:
    number = hand_number(text)
    if not site.parser:
        raise UnreadHandError(f"hands of {site.name} are not read: PokerKit has no parser for them")
    for line in text.split("\n"):
        if _POSTING.search(line) and not _READ_POSTING.search(line):
            raise UnreadHandError(f"{shorten(line)!r}: such a posting is not read by PokerKit")
    if site.name == "GGPoker":
        text = re.sub(r"^Poker Hand #[A-Z]*", "PokerStars Hand #", text)
    elif site.name == "PartyPoker" and not text.startswith("Game #"):
        text = "Game #0 starts.\n" + text
    elif site.name == "iPoker":
        text = _XML_CARDS.sub(lambda match: _XML_SUIT.sub(_lower, match[0]), text)
    found = _parsed(site.parser, text + "\n\n\n\n")
    fields = {
        name: value
        for name in (
            "variant",
            "antes",
            "blinds_or_straddles",
            "min_bet",
            "starting_stacks",
            "actions",
            "players",
            "winnings",
            "year",
            "month",
            "day",
            "time",
        )
        if (value := getattr(found, name, None)) is not None
    }
    for key, value in fields.items():
        fields[key] = list(value) if isinstance(value, list | tuple) else value
    fields["hand"] = number
    antes = {match["player"]: match["ante"] for match in _ANTE.finditer(text)}
    if antes and not any(fields.get("antes", ())):
        fields["antes"] = [_ante(antes.get(name, "0")) for name in fields.get("players", ())]
    return follow(table_record(fields))


def _ante(text: str) -> Decimal:
    try:
        return Decimal(text.replace(",", ""))
    except InvalidOperation:
        raise UnreadHandError(f"ante {shorten(text)!r}: not an amount of chips") from None


def _parsed(parser: str, text: str) -> Any:
    """The hand as PokerKit reads it."""
    call = _parser(parser)
    said = io.StringIO()
    try:
        # PokerKit prints the traceback of a hand that it cannot read.
        with _PARSING, redirect_stderr(said), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = list(call(text))
    except UnreadHandError:
        raise
    except Exception as error:  # whatever a state machine meets in a hand that never was
        reason = _reason(said.getvalue()) or one_line(str(error), 100)
        raise UnreadHandError(f"PokerKit cannot read it ({reason})") from None
    if len(found) != 1:
        reason = _reason(said.getvalue()) or "it does not end"
        raise UnreadHandError(f"PokerKit cannot read it ({reason})")
    return found[0]


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _reason(traceback: str) -> str:
    """The last line of a traceback, without the name of the class."""
    lines = [line for line in traceback.strip().splitlines() if line and not line.startswith(" ")]
    return one_line(lines[-1].partition(": ")[2] or lines[-1], 100) if lines else ""


@cache
def _parser(name: str) -> Callable[[str], Iterator[Any]]:
    try:
        from pokerkit import notation
    except ImportError:
        raise ValueError(
            "hand histories of poker sites need the extra hands (pip install 'pokerlab[hands]')"
        ) from None
    made: Callable[[str], Iterator[Any]] = getattr(notation, name)()
    return made
