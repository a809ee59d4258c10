"""What happened before the flop, told as players tell it: ``BTN raise 2.5, BB call``.

Each part is a position and what it did; amounts are in big blinds, and a raise is *to* an amount
(``raise 2.5``, ``raise 2.5bb``) or to a multiple of the bet before (``raise 3x``). A position that
is not named folds. From the blinds, the antes and the stacks follow the pot, what everybody has
left, who raised last, and who acts first after the flop.

Positions, in the order in which they act: UTG, UTG1, UTG2, LJ, HJ, CO, BTN, SB, BB; with fewer
players the first ones are missing, and UTG is whoever acts first. With two players SB has the
button. Actions: fold, check, call, limp, raise, all-in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from pokerlab.errors import shorten
from pokerlab.postflop.question.chips import exact, plain_number, read_amount, read_number

POSITIONS = ("UTG", "UTG1", "UTG2", "LJ", "HJ", "CO", "BTN", "SB", "BB")
"""All positions of nine players in the order in which they act before the flop."""

_ALIASES = {
    "EP": "UTG",
    "MP": "HJ",
    "BU": "BTN",
    "D": "BTN",
    "DEALER": "BTN",
    "BUTTON": "BTN",
    "CUTOFF": "CO",
    "HIJACK": "HJ",
    "LOJACK": "LJ",
}
_ACTIONS = {
    "folds": "fold",
    "checks": "check",
    "calls": "call",
    "flat": "call",
    "flats": "call",
    "limps": "limp",
    "raises": "raise",
    "open": "raise",
    "opens": "raise",
    "3bet": "raise",
    "3bets": "raise",
    "4bet": "raise",
    "4bets": "raise",
    "5bet": "raise",
    "5bets": "raise",
    "allin": "all-in",
    "push": "all-in",
    "pushes": "all-in",
    "shove": "all-in",
    "shoves": "all-in",
    "jam": "all-in",
    "jams": "all-in",
}
_KNOWN = ("fold", "check", "call", "limp", "raise", "all-in")
_PART = re.compile(
    r"(?P<position>[a-z0-9+]+)\s+(?P<action>[a-z0-9-]+)(?:\s+(?:to\s+)?(?P<amount>\S+))?",
    re.IGNORECASE | re.ASCII,
)
_MAX_LENGTH = 2000


@dataclass(frozen=True)
class Table:
    """Who plays, and what is posted.

    Attributes
    ----------
    players
        2 to 9.
    stack
        What everybody has before the hand in big blinds, or one number for each position.
    small_blind, ante
        In big blinds; everybody posts the ante.
    """

    players: int = 6
    stack: float | Mapping[str, float] = 100
    small_blind: float = 0.5
    ante: float = 0.0

    def __post_init__(self) -> None:
        if type(self.players) is not int or not 2 <= self.players <= 9:
            raise ValueError(f"players: {shorten(repr(self.players))} is not a number from 2 to 9")
        for name in ("small_blind", "ante"):
            if read_amount(name, getattr(self, name)) > 1:
                raise ValueError(f"{name}: {getattr(self, name)} is more than a big blind")
        for position in self.positions:
            self.stack_of(position)
        if isinstance(self.stack, Mapping):
            for name in self.stack:
                self.position(name)

    @property
    def positions(self) -> tuple[str, ...]:
        """Who acts, first before the flop to last."""
        return POSITIONS[-self.players :]

    def position(self, text: str) -> str:
        """A position as this table calls it."""
        name = text.upper().replace("+", "").replace("-", "")
        name = _ALIASES.get(name, name)
        if name == "UTG" and self.players > 3:
            return self.positions[0]
        if name == "BTN" and self.players == 2:
            return "SB"
        if name not in self.positions:
            raise ValueError(
                f"{shorten(text)!r} is no position of {self.players} players "
                f"({', '.join(self.positions)})"
            )
        return name

    def stack_of(self, position: str) -> Decimal:
        """What a position has before the hand."""
        if not isinstance(self.stack, Mapping):
            return exact(read_amount("stack", self.stack, above=True))
        for name, chips in self.stack.items():
            if self.position(name) == position:
                return exact(read_amount(f"stack.{name}", chips, above=True))
        raise ValueError(f"stack: nothing is said of {position}")


@dataclass(frozen=True)
class Act:
    """One part of a story: who does what; `amount` is what a raise is to, None if it is not said.

    A multiple (``3x``) is a negative amount until the story is played.
    """

    position: str
    action: str
    amount: Decimal | None = None

    def __str__(self) -> str:
        amount = "" if self.amount is None else f" {plain_number(self.amount)}"
        return f"{self.position} {self.action}{amount}"


@dataclass(frozen=True)
class StoryEnd:
    """What the flop begins with, in big blinds.

    Attributes
    ----------
    acts
        What happened, every raise with what it is to.
    players
        Who sees the flop; the first acts first after it.
    pot
        What lies in the middle.
    behind
        What each of the two has left.
    aggressor
        Who raised last, None in a limped pot.
    """

    acts: tuple[Act, ...]
    players: tuple[str, str]
    pot: float
    behind: tuple[float, float]
    aggressor: str | None


def parse_story(text: str, table: Table) -> tuple[Act, ...]:
    """Read a story; whether it can be played, `play_story` says.

    Examples
    --------
    >>> [str(act) for act in parse_story("button opens to 2.5bb, BB call", Table())]
    ['BTN raise 2.5', 'BB call']
    >>> parse_story("BTN bets 2.5", Table())
    Traceback (most recent call last):
    ValueError: 'BTN bets 2.5': 'bets' is no action before the flop (fold, check, call, limp, ...)
    """
    if not isinstance(text, str) or len(text) > _MAX_LENGTH:
        raise ValueError(f"{shorten(repr(text))} is not a story such as 'BTN raise 2.5, BB call'")
    acts = []
    for part in text.split(","):
        shown = shorten(part)
        found = _PART.fullmatch(part.strip())
        if found is None:
            raise ValueError(f"{shown!r} is not a position and an action, as in 'BTN raise 2.5'")
        action = found["action"].lower()
        action = _ACTIONS.get(action.replace("-", ""), action)
        if action not in _KNOWN:
            raise ValueError(
                f"{shown!r}: {found['action']!r} is no action before the flop ({', '.join(_KNOWN)})"
            )
        try:
            position = table.position(found["position"])
            amount = None if found["amount"] is None else _amount(found["amount"])
        except ValueError as error:
            raise ValueError(f"{shown!r}: {error}") from None
        if amount is not None and action != "raise":
            raise ValueError(f"{shown!r}: only a raise has an amount")
        acts.append(Act(position, action, amount))
    return tuple(acts)


def _amount(text: str) -> Decimal:
    lower = text.lower()
    number = read_number(lower.removesuffix("bb").removesuffix("x"))
    if number is None or not 0 < number < 1e6 or exact(number) * 1000 % 1:
        raise ValueError(f"{shorten(text)!r} is not an amount such as 2.5, 2.5bb or 3x")
    return -exact(number) if lower.endswith("x") else exact(number)


def play_story(acts: tuple[Act, ...], table: Table) -> StoryEnd:
    """Play a story to the flop; `ValueError` says what the rules forbid.

    Examples
    --------
    >>> table = Table()
    >>> end = play_story(parse_story("BTN raise 2.5, BB call", table), table)
    >>> end.players, end.pot, end.behind, end.aggressor
    (('BB', 'BTN'), 5.5, (97.5, 97.5), 'BTN')
    >>> play_story(parse_story("BTN raise 2.5", table), table)
    Traceback (most recent call last):
    ValueError: everybody folds to BTN: a story ends with two players who see a flop
    """
    hand = _Hand(table)
    played = tuple(hand.play(act) for act in acts)
    return hand.end(played)


def settle_acts(acts: tuple[Act, ...], table: Table) -> tuple[Act, ...]:
    """The beginning of a story with what each raise is to, as `StoryEnd.acts` has it.

    Where a raise without a size is among them, sizes stay as they are.

    Examples
    --------
    >>> table = Table()
    >>> [str(act) for act in settle_acts(parse_story("CO raise 2, BB raise 4x", table), table)]
    ['CO raise 2', 'BB raise 8']
    """
    if any(act.action == "raise" and act.amount is None for act in acts):
        raised = False
        named = []
        for act in acts:
            raised = raised or act.action in ("raise", "all-in")
            limps = act.action == "call" and not raised
            named.append(Act(act.position, "limp", None) if limps else act)
        return tuple(named)
    hand = _Hand(table)
    return tuple(hand.play(act) for act in acts)


class _Hand:
    """The bets before the flop, as far as they are known."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.order = table.positions
        self.stacks = {name: table.stack_of(name) for name in self.order}
        self.ante = sum(
            (min(exact(table.ante), stack) for stack in self.stacks.values()), Decimal(0)
        )
        self.left = {
            name: max(stack - exact(table.ante), Decimal(0)) for name, stack in self.stacks.items()
        }
        self.paid = dict.fromkeys(self.order, Decimal(0))
        self.waiting = list(self.order)
        self.folded: set[str] = set()
        self.facing = Decimal(1)
        self.raised_by = Decimal(1)
        self.aggressor: str | None = None
        for name, blind in (("SB", exact(table.small_blind)), ("BB", Decimal(1))):
            self._pay(name, min(blind, self.left[name]))

    def play(self, act: Act) -> Act:
        """Let everybody before the player fold, then act; the act with the total of a raise."""
        name = act.position
        if name in self.folded:
            raise ValueError(f"{act}: {name} has folded")
        if name not in self.waiting:
            raise ValueError(f"{act}: it is not {name}'s turn")
        while self.waiting[0] != name:
            self._fold(self.waiting[0])
        self.waiting.pop(0)
        owes = self.facing - self.paid[name]
        if act.action == "fold":
            self.folded.add(name)
        elif act.action == "check":
            if owes > 0:
                raise ValueError(f"{act}: there is a bet of {plain_number(self.facing)} to call")
        elif act.action in ("call", "limp"):
            if owes <= 0:
                raise ValueError(f"{act}: there is nothing to call")
            if act.action == "limp" and self.aggressor is not None:
                raise ValueError(f"{act}: after a raise one calls")
            self._pay(name, min(owes, self.left[name]))
            # The first call of the blind is a limp, however it is written.
            return Act(name, "limp" if self.aggressor is None else "call")
        else:
            return self._raise(act)
        return act

    def _raise(self, act: Act) -> Act:
        name = act.position
        most = self.paid[name] + self.left[name]
        wanted = act.amount
        if act.action == "all-in":
            wanted = most
        elif wanted is None:
            raise ValueError(f"{act}: say to what, as in '{name} raise 2.5'")
        elif wanted < 0:
            wanted = -wanted * self.facing
        if wanted > most:
            raise ValueError(f"{act}: {name} has {plain_number(most)} big blinds")
        if wanted <= self.facing and act.action == "all-in":
            self._pay(name, self.left[name])  # a call for less
            return Act(name, "limp" if self.aggressor is None else "call")
        if wanted < self.facing + self.raised_by and wanted < most:
            least = plain_number(self.facing + self.raised_by)
            raise ValueError(f"{act}: a raise is at least to {least} here")
        self._pay(name, wanted - self.paid[name])
        self.raised_by = max(self.raised_by, wanted - self.facing)
        self.facing, self.aggressor = wanted, name
        later = self.order.index(name)
        others = self.order[later + 1 :] + self.order[:later]
        self.waiting = [
            other for other in others if other not in self.folded and self.left[other] > 0
        ]
        # Equal amounts are to be equal texts: without zeros at their end.
        return Act(name, "all-in" if wanted == most else "raise", exact(float(wanted)))

    def end(self, acts: tuple[Act, ...]) -> StoryEnd:
        """Let those who are not named fold; two players must be left."""
        for name in list(self.waiting):
            if self.paid[name] >= self.facing:
                raise ValueError(f"{name} has not acted: end with '{name} check'")
            self._fold(name)
        there = [name for name in self.order if name not in self.folded]
        if len(there) == 1:
            raise ValueError(
                f"everybody folds to {there[0]}: a story ends with two players who see a flop"
            )
        if len(there) > 2:
            raise ValueError(
                f"{', '.join(there)} see the flop: spots have two players, so one of them folds"
            )
        # They play for what both have put in. Chips above that go back to the player who put them
        # in, and so do chips above it of others who folded.
        smaller, larger = sorted(there, key=self.paid.__getitem__)
        matched = self.paid[smaller]
        for name, paid in self.paid.items():
            self.left[larger] += max(paid - matched, Decimal(0))
            self.paid[name] = min(paid, matched)
        # After the flop the blinds act first; with two players the small blind has the button.
        later = ["SB", "BB", *self.order[:-2]] if self.table.players > 2 else ["BB", "SB"]
        first, second = sorted(there, key=later.index)
        return StoryEnd(
            acts,
            (first, second),
            plain_number(sum(self.paid.values(), self.ante)),
            (plain_number(self.left[first]), plain_number(self.left[second])),
            self.aggressor,
        )

    def _fold(self, name: str) -> None:
        if self.paid[name] >= self.facing:
            raise ValueError(f"{name} has not acted: say '{name} check' or another action")
        self.folded.add(name)
        self.waiting.remove(name)

    def _pay(self, name: str, amount: Decimal) -> None:
        self.paid[name] += amount
        self.left[name] -= amount
