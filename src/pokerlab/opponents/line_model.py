"""`LineModel`: how often a player takes each action after the flop, by line, for all cards.

Of most hands of no-limit hold'em the cards are never shown, but everybody sees the actions. So a
model counts actions by `LineKey`: the street, who acts last, who bet last on the street before (a
bet on the flop by the player who raised before it is a c-bet), and the actions on the street so
far. Sizes are shares of the pot after calling, in four classes. Only streets that two
players begin are counted.

Frequencies are smoothed by a Dirichlet prior: what the player does at all decisions of the same
kind (first to act, after a check, facing a bet or a raise of this class), which is smoothed in the
same way towards equal shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import tomli_w

from pokerlab.errors import shorten, source_named
from pokerlab.files.atomic import write_text
from pokerlab.files.text_lines import whole_text
from pokerlab.files.toml_text import parse_toml
from pokerlab.games import BettingGame
from pokerlab.games.betting import Betting, raise_size

LINE_MODEL_FORMAT = "pokerlab line model 1"
"""What the file of a model calls itself."""

SIZES = {"small": 0.45, "medium": 0.8, "large": 1.2, "overbet": inf}
"""Classes of bets and raises, by the largest share of the pot after calling."""

STREETS = "flop", "turn", "river"
POSITIONS = "oop", "ip"
INITIATIVES = "self", "other", "nobody"

ALL_IN = "!"
"""Follows a size in a line where nobody can raise it."""


class LineKey(NamedTuple):
    """Where a player decides.

    Attributes
    ----------
    street
        ``flop``, ``turn`` or ``river``.
    position
        ``ip`` if the player acts last on this street, ``oop`` if first.
    initiative
        Who made the last bet or raise on the street before: ``self``, ``other``, or ``nobody``.
    line
        What has been done on this street: ``x``, and sizes, as in ``x/medium``; a size that
        nobody can raise is marked, ``x/large!``.
    """

    street: str
    position: str
    initiative: str
    line: str

    @property
    def facing(self) -> str:
        """The action that the player faces: a size, ``x``, or nothing if they act first."""
        return self.line.rpartition("/")[2]

    @property
    def kind(self) -> tuple[str, bool]:
        """Pooling key of the prior: the action faced, and whether it was a raise."""
        sizes = [token for token in self.line.split("/") if token not in ("", "x")]
        return self.facing, len(sizes) > 1

    @property
    def actions(self) -> tuple[str, ...]:
        """The actions that are legal: fold, call and check, and the classes of sizes.

        Examples
        --------
        >>> LineKey("flop", "oop", "nobody", "x/large!").actions
        ('fold', 'call')
        """
        if self.facing in ("", "x"):
            return ("check", *SIZES)
        return ("fold", "call") if self.facing.endswith(ALL_IN) else ("fold", "call", *SIZES)


class LineFrequencies(NamedTuple):
    """A line of a model: the number of observations, and the frequency of each action."""

    observations: float
    shares: dict[str, float]


class LineCounts:
    """A player's actions in the hands that were added so far."""

    def __init__(self) -> None:
        self.hands = 0
        self._counts: dict[LineKey, Counter[str]] = {}

    def add(self, final: Betting, seat: int) -> None:
        """Count a hand that the player played in a seat."""
        self.hands += 1
        for key, action in line_decisions(final, seat):
            self._counts.setdefault(key, Counter())[action] += 1

    def model(self, player: str, prior_weight: float = 1.0) -> LineModel:
        """The model of all that."""
        return LineModel(player, self.hands, self._counts, _weight(prior_weight))


@dataclass(frozen=True, eq=False)
class LineModel:
    """How a player plays after the flop.

    Attributes
    ----------
    player
        The name.
    hands
        The number of hands that were counted.
    counts
        How often the player took each action, by line.
    prior_weight
        As how many observations the prior counts at each line.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> game = load_betting_game("holdem.nolimit.2p")
    >>> hands = [game.replay(f"r300c/cr500{end}").node for end in ("f", "f", "f", "c/cc/cc")]
    >>> model = LineModel.of("ann", [(hand, 0) for hand in hands])
    >>> found = model.at(LineKey("flop", "oop", "other", "x/small"))
    >>> found.observations, round(found.shares["fold"], 2)
    (4, 0.73)
    """

    player: str
    hands: int
    counts: Mapping[LineKey, Mapping[str, float]]
    prior_weight: float = 1.0

    @classmethod
    def of(
        cls, player: str, hands: Iterable[tuple[Betting, int]], prior_weight: float = 1.0
    ) -> LineModel:
        """Count hands, each with the seat of the player."""
        counts = LineCounts()
        for final, seat in hands:
            counts.add(final, seat)
        return counts.model(player, prior_weight)

    def at(self, key: LineKey, *, any_initiative: bool = False) -> LineFrequencies:
        """The play at a line; with `any_initiative`, whoever bet on the street before."""
        own = Counter[str]()
        kind = Counter[str]()
        for other, counts in self.counts.items():
            if other.kind == key.kind:
                kind.update(counts)
                initiative = key.initiative if any_initiative else other.initiative
                if other._replace(initiative=initiative) == key:
                    own.update(counts)
        equal = {action: 1 / len(key.actions) for action in key.actions}
        prior = _smoothed(kind, equal, self.prior_weight)
        return LineFrequencies(sum(own.values()), _smoothed(own, prior, self.prior_weight))

    def save(self, path: str | Path) -> None:
        """Write a TOML file that `load_line_model` reads; the most observed lines come first."""
        lines = [
            {**key._asdict(), "counts": dict(counts)}
            for key, counts in sorted(
                self.counts.items(), key=lambda each: (-sum(each[1].values()), each[0])
            )
        ]
        table = {
            "format": LINE_MODEL_FORMAT,
            "player": self.player,
            "hands": self.hands,
            "prior_weight": self.prior_weight,
            "lines": lines,
        }
        write_text(path, tomli_w.dumps(table))


def _smoothed(
    counts: Mapping[str, float], prior: Mapping[str, float], weight: float
) -> dict[str, float]:
    total = sum(counts.values())
    if total + weight <= 0:
        return dict(prior)
    return {
        action: (counts.get(action, 0) + weight * share) / (total + weight)
        for action, share in prior.items()
    }


def size_class(share: float) -> str:
    """The class of a bet or raise, by its share of the pot after calling.

    Examples
    --------
    >>> [size_class(share) for share in (1 / 3, 0.5, 0.75, 1, 2)]
    ['small', 'medium', 'medium', 'large', 'overbet']
    """
    return next(name for name, most in SIZES.items() if share <= most)


def line_decisions(final: Betting, seat: int) -> Iterator[tuple[LineKey, str]]:
    """The decisions of a seat after the flop in a hand, with the actions taken.

    Examples
    --------
    >>> from pokerlab.games import load_betting_game
    >>> hand = load_betting_game("holdem.nolimit.2p").replay("r300c/cr700c/cc/r2100f").node
    >>> for key, action in line_decisions(hand, 0):
    ...     print(*key, action)
    flop oop other  check
    flop oop other x/medium call
    turn oop other  check
    river oop nobody  large
    """
    street, tokens, bettor, before, first, counted = 0, list[str](), -1, -1, -1, False
    for node, action in final.path():
        if node.street != street:
            street, tokens, before, bettor = node.street, [], bettor, -1
            first, counted = node.player, len(node.live) == 2
        facing = bool(tokens) and tokens[-1] != "x"
        if facing and node.raise_bounds() is None:
            tokens[-1] = tokens[-1].removesuffix(ALL_IN) + ALL_IN
        done = _action(node, action, facing=facing)
        if counted and street > 0 and node.player == seat:
            initiative = "nobody" if before < 0 else "self" if before == seat else "other"
            position = "oop" if seat == first else "ip"
            yield LineKey(STREETS[street - 1], position, initiative, "/".join(tokens)), done
        if done in SIZES:
            bettor = node.player
        tokens.append("x" if done == "check" else done)


def _action(node: Betting, action: str, *, facing: bool) -> str:
    if action == "f":
        return "fold"
    if action == "c":
        return "call" if facing else "check"
    call = node.to_call
    return size_class((raise_size(action) - node.price) / (node.pot + call))


def is_no_limit(game: BettingGame) -> bool:
    """Whether a game is one that a `LineModel` is for: hold'em with bets of any size."""
    return game.betting != "limit" and [street.hole for street in game.streets] == [2, 0, 0, 0]


def load_line_model(path: str | Path) -> LineModel:
    """Read a model; `ValueError` says what is wrong with a bad file."""
    with source_named(path):
        return _read(parse_toml(whole_text(path)))


def _read(table: Mapping[str, Any]) -> LineModel:
    found = table.get("format")
    if found != LINE_MODEL_FORMAT:
        raise ValueError(f"its format is {shorten(repr(found))}, not {LINE_MODEL_FORMAT!r}")
    player, hands, lines = table.get("player"), table.get("hands"), table.get("lines", [])
    if not isinstance(player, str) or not player.isprintable():
        raise ValueError(f"player: {shorten(repr(player))} is not a name")
    if isinstance(hands, bool) or not isinstance(hands, int) or hands < 0:
        raise ValueError(f"hands: {shorten(repr(hands))} is not a number of hands")
    if not isinstance(lines, list):
        raise ValueError("lines is not a list of tables")
    counts: dict[LineKey, dict[str, float]] = {}
    for number, line in enumerate(lines, 1):
        try:
            key, own = _read_line(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        if key in counts:
            raise ValueError(f"line {number}: {' '.join(filter(None, key))} is given twice")
        counts[key] = own
    return LineModel(player, hands, counts, _weight(table.get("prior_weight", 1.0)))


def _read_line(line: object) -> tuple[LineKey, dict[str, float]]:
    if not isinstance(line, dict):
        raise ValueError(f"{shorten(repr(line))} is not a table")
    key = LineKey(
        _one_of(line, "street", STREETS),
        _one_of(line, "position", POSITIONS),
        _one_of(line, "initiative", INITIATIVES),
        _tokens(line.get("line")),
    )
    counts = line.get("counts")
    if not isinstance(counts, dict):
        raise ValueError("counts is not a table of actions and numbers")
    for action, count in counts.items():
        if action not in key.actions:
            shown = shorten(str(action))
            raise ValueError(f"no action {shown!r} there; possible: {', '.join(key.actions)}")
        if isinstance(count, bool) or not isinstance(count, int | float) or not 0 <= count < 1e12:
            raise ValueError(f"{action}: {shorten(repr(count))} is not a number of observations")
    return key, dict(counts)


def _one_of(line: Mapping[str, Any], name: str, accepted: tuple[str, ...]) -> str:
    value = line.get(name)
    if value not in accepted:
        raise ValueError(f"{name}: {shorten(repr(value))} is not one of {', '.join(accepted)}")
    return str(value)


def _tokens(text: object) -> str:
    """A line of classes: perhaps a check, then sizes, of which only the last cannot be raised."""
    tokens = text.split("/") if isinstance(text, str) and text else []
    sizes = tokens[1:] if tokens[:1] == ["x"] else tokens
    if sizes:
        sizes = [*sizes[:-1], sizes[-1].removesuffix(ALL_IN)]
    if not isinstance(text, str) or not all(size in SIZES for size in sizes):
        raise ValueError(
            f"line: {shorten(repr(text))} is not a line such as 'x/medium' (x, {', '.join(SIZES)})"
        )
    return text


def _weight(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < inf:
        return float(value)
    raise ValueError(f"prior_weight: {shorten(repr(value))} is not a number from 0 on")
