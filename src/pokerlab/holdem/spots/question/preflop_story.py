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

from pokerlab.games.betting_round import BettingRound, NoLimit
from pokerlab.games.betting_trees.chips import exact, plain_number, read_amount, read_number
from pokerlab.runtime.errors import shorten

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
class StoryTable:
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
        if self.amount is None:
            return f"{self.position} {self.action}"
        unit = "x" if self.amount < 0 else ""
        return f"{self.position} {self.action} {plain_number(abs(self.amount))}{unit}"


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


def parse_story(text: str, table: StoryTable) -> tuple[Act, ...]:
    """Read a story; whether it can be played, `play_story` says.

    Examples
    --------
    >>> [str(act) for act in parse_story("button opens to 2.5bb, BB call", StoryTable())]
    ['BTN raise 2.5', 'BB call']
    >>> parse_story("BTN bets 2.5", StoryTable())
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


def play_story(acts: tuple[Act, ...], table: StoryTable) -> StoryEnd:
    """Play a story to the flop; `ValueError` says what the rules forbid.

    Examples
    --------
    >>> table = StoryTable()
    >>> end = play_story(parse_story("BTN raise 2.5, BB call", table), table)
    >>> end.players, end.pot, end.behind, end.aggressor
    (('BB', 'BTN'), 5.5, (97.5, 97.5), 'BTN')
    >>> play_story(parse_story("BTN raise 2.5", table), table)
    Traceback (most recent call last):
    ValueError: everybody folds to BTN: a story ends with two players who see a flop
    """
    hand = _Hand(acts, table)
    played = tuple(hand.play(act) for act in acts)
    return hand.end(played)


def settle_acts(acts: tuple[Act, ...], table: StoryTable) -> tuple[Act, ...]:
    """The beginning of a story with the total of each raise, as `StoryEnd.acts` has it.

    Where a raise without a size is among them, sizes stay as they are.

    Examples
    --------
    >>> table = StoryTable()
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
    hand = _Hand(acts, table)
    return tuple(hand.play(act) for act in acts)


class _Hand:
    """The bets before the flop, as far as they are known.

    Antes lie in the middle. All else is a round of bets, in whole numbers of a part of the big
    blind (`units` of them) that is small enough for every multiple of the story.
    """

    def __init__(self, acts: tuple[Act, ...], table: StoryTable) -> None:
        self.table = table
        self.order = table.positions
        amounts = [act.amount for act in acts if act.amount is not None]
        self.units = 1000
        while any(amount * self.units % 1 for amount in amounts):
            self.units *= 10
        self.units *= 1000 ** sum(amount < 0 for amount in amounts)
        ante = self._count(exact(table.ante))
        stacks = [self._count(table.stack_of(name)) for name in self.order]
        self.antes = sum(min(ante, stack) for stack in stacks)
        chips = tuple(max(stack - ante, 0) for stack in stacks)
        blinds = {"SB": self._count(exact(table.small_blind)), "BB": self.units}
        self.posted = tuple(
            min(blinds.get(name, 0), most) for name, most in zip(self.order, chips, strict=True)
        )
        self.bets = BettingRound(
            NoLimit(chips),
            self.posted,
            range(len(chips)),
            smallest_bet=self.units,
            price=self.units,
        )
        self.aggressor: str | None = None

    def play(self, act: Act) -> Act:
        """Let everybody before the player fold, then act; the act with the total of a raise."""
        name, seat = act.position, self.order.index(act.position)
        if self.bets.folded[seat]:
            raise ValueError(f"{act}: {name} has folded")
        if len(self.bets.live) == 1:
            raise self._all_fold()
        if seat not in self.bets.waiting:
            if act.action in ("fold", "raise") or not self._is_idle(seat):
                raise ValueError(f"{act}: it is not {name}'s turn")
            return act if act.action == "check" else Act(name, self._call_name)
        while self.bets.player != seat:
            self._fold(f"say '{self._next} check' or what else they do")
            if self.bets.player < 0:
                raise self._all_fold()
        owes = self.bets.price - self.bets.spent[seat]
        if act.action == "fold":
            self.bets = self.bets.fold()
        elif act.action == "check":
            if owes > 0:
                raise ValueError(f"{act}: there is a bet of {self._shown(self.bets.price)} to call")
            self.bets = self.bets.call()
        elif act.action in ("call", "limp"):
            if owes <= 0:
                raise ValueError(f"{act}: there is nothing to call")
            if act.action == "limp" and self.aggressor is not None:
                raise ValueError(f"{act}: after a raise one calls")
            return self._call(name)
        else:
            return self._raise(act)
        return act

    def _call(self, name: str) -> Act:
        self.bets = self.bets.call()
        return Act(name, self._call_name)

    def _raise(self, act: Act) -> Act:
        name, bets = act.position, self.bets
        most = int(bets.rules.chips[bets.player])
        wanted = most
        if act.action == "raise":
            if act.amount is None:
                raise ValueError(f"{act}: say to what, as in '{name} raise 2.5'")
            times = bets.price if act.amount < 0 else self.units
            wanted = int(abs(act.amount) * times)
        if wanted > most:
            raise ValueError(f"{act}: {name} has {self._shown(most)} big blinds")
        bounds = bets.raise_bounds()
        if act.action == "all-in" and (wanted <= bets.price or self._nobody_can_answer()):
            return self._call(name)  # a call for less, or of all that the others have
        if bounds is None:
            raise ValueError(f"{act}: no raise is possible here, only '{name} call' or a fold")
        if wanted < bounds[0]:
            raise ValueError(f"{act}: a raise is at least to {self._shown(bounds[0])} here")
        self.bets, self.aggressor = bets.raise_to(wanted), name
        # Equal amounts are to be equal texts: without zeros at their end.
        amount = exact(float(self._big_blinds(wanted)))
        return Act(name, "all-in" if wanted == most else "raise", amount)

    def end(self, acts: tuple[Act, ...]) -> StoryEnd:
        """Let those who are not named fold; two players must be left."""
        while self.bets.player >= 0:
            self._fold(f"end with '{self._next} check'")
        there = self.bets.live
        if len(there) == 1:
            raise self._all_fold()
        if len(there) > 2:
            names = ", ".join(self.order[seat] for seat in there)
            raise ValueError(f"{names} see the flop: spots have two players, so one of them folds")
        # They play for what both have put in. Chips above that go back to the player who put in
        # more, and so do the chips above it of those who folded.
        paid = self.bets.spent
        matched = min(paid[seat] for seat in there)
        left = {self.order[seat]: int(self.bets.rules.chips[seat]) - paid[seat] for seat in there}
        larger = max(there, key=paid.__getitem__)
        left[self.order[larger]] += sum(max(each - matched, 0) for each in paid)
        pot = self.antes + sum(min(each, matched) for each in paid)
        # After the flop the blinds act first; with two players the small blind has the button.
        later = ["SB", "BB", *self.order[:-2]] if self.table.players > 2 else ["BB", "SB"]
        first, second = sorted(left, key=later.index)
        return StoryEnd(
            acts,
            (first, second),
            self._shown(pot),
            (self._shown(left[first]), self._shown(left[second])),
            self.aggressor,
        )

    @property
    def _call_name(self) -> str:
        """The first call of the blind is a limp, however it is written."""
        return "limp" if self.aggressor is None else "call"

    @property
    def _next(self) -> str:
        """The position whose turn it is."""
        return self.order[self.bets.player]

    def _fold(self, instead: str) -> None:
        if self.bets.to_call <= 0:
            raise ValueError(f"{self._next} has not acted: {instead}")
        self.bets = self.bets.fold()

    def _all_fold(self) -> ValueError:
        name = self.order[self.bets.live[0]]
        return ValueError(
            f"everybody folds to {name}: a story ends with two players who see a flop"
        )

    def _is_idle(self, seat: int) -> bool:
        """Whether a player is in with the blind alone, and has nothing to decide."""
        return seat not in self.bets.acted and self.bets.spent[seat] == self.posted[seat]

    def _nobody_can_answer(self) -> bool:
        """Whether the others are all-in for less than a raise."""
        bets = self.bets
        return all(
            bets.rules.chips[seat] <= bets.price for seat in bets.live if seat != bets.player
        )

    def _count(self, amount: Decimal) -> int:
        return int(amount * self.units)

    def _big_blinds(self, amount: int) -> Decimal:
        return Decimal(amount) / self.units

    def _shown(self, amount: int) -> float:
        return plain_number(self._big_blinds(amount))
