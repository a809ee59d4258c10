"""Game definitions in the format of the ACPC server (``.game`` files).

Lines such as ``numPlayers = 2`` between ``GAMEDEF`` and ``END GAMEDEF``, in any order and case;
lines that begin with ``#`` are comments. The deck of ``numRanks`` ranks and ``numSuits`` suits
is the highest of each. The format has no names, antes, pot-limit, draws or hand rankings:
blinds that are all the same are antes here, and hands are ranked as the server does, by the
best five cards, or with fewer than five by pairs and high cards alone.
"""

from __future__ import annotations

import re
from dataclasses import fields

from pokerlab.cards.codes import RANKS, SUITS
from pokerlab.errors import shorten, source_named
from pokerlab.games.definition import BettingGame
from pokerlab.games.rules import Street

_BETTING = {"limit": "limit", "nolimit": "no-limit"}
_FIELDS = (
    "numPlayers",
    "numRounds",
    "stack",
    "blind",
    "raiseSize",
    "firstPlayer",
    "maxRaises",
    "numSuits",
    "numRanks",
    "numHoleCards",
    "numBoardCards",
)
_NUMBER = re.compile("-?[0-9]{1,15}")
_NO_CAP = 255
"""The server's way to say that there is no limit on raises."""


def read_acpc(text: str, name: str, source: str = "") -> BettingGame:
    """Read a game; `ValueError` names the source, the field, and the accepted values.

    Parameters
    ----------
    text
        The file.
    name
        The name of the game: the format has none.
    source
        What to call the file in error messages; `name` if empty.

    Examples
    --------
    >>> game = read_acpc('''GAMEDEF
    ... limit
    ... numPlayers = 2
    ... numRounds = 1
    ... blind = 1 1
    ... raiseSize = 1
    ... maxRaises = 1
    ... numSuits = 1
    ... numRanks = 3
    ... numHoleCards = 1
    ... numBoardCards = 0
    ... END GAMEDEF''', "little")
    >>> game.ante, game.ranks, game.showdown
    (1, 'QKA', 'high-card')
    """
    with source_named(source or name):
        return _game(_read_fields(text), name)


def write_acpc(game: BettingGame) -> str:
    """Write a game in the ACPC format; `ValueError` names what the format cannot say.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> print(write_acpc(load_game("holdem.nolimit.2p")))
    GAMEDEF
    nolimit
    numPlayers = 2
    numRounds = 4
    stack = 20000 20000
    blind = 100 50
    firstPlayer = 2 1 1 1
    numSuits = 4
    numRanks = 13
    numHoleCards = 2
    numBoardCards = 0 3 1 1
    END GAMEDEF
    >>> write_acpc(load_game("leduc"))
    Traceback (most recent call last):
    ValueError: leduc: ranks: 'JQK' cannot be written in the ACPC format
    """
    streets = game.streets
    lines: dict[str, list[int]] = {
        "numPlayers": [game.players],
        "numRounds": [len(streets)],
        "stack": list(game.stacks),
        "blind": list(game.blinds) or [game.ante] * game.players,
        "raiseSize": [street.bet for street in streets] if game.betting == "limit" else [],
        "firstPlayer": [street.first + 1 for street in streets],
        "maxRaises": [_NO_CAP if s.max_raises is None else s.max_raises for s in streets],
        "numSuits": [len(game.suits)],
        "numRanks": [len(game.ranks)],
        "numHoleCards": [streets[0].hole],
        "numBoardCards": [street.board for street in streets],
    }
    if set(lines["maxRaises"]) == {_NO_CAP}:
        lines["maxRaises"] = []
    kind = "limit" if game.betting == "limit" else "nolimit"
    text = "\n".join(
        ["GAMEDEF", kind]
        + [f"{key} = {' '.join(map(str, values))}" for key, values in lines.items() if values]
        + ["END GAMEDEF"]
    )
    # What the format cannot say comes back changed.
    back = read_acpc(text, game.name)
    for entry in fields(game):
        if entry.compare and getattr(back, entry.name) != getattr(game, entry.name):
            raise ValueError(
                f"{game.name}: {entry.name}: {getattr(game, entry.name)!r} cannot be written in"
                " the ACPC format"
            )
    return text + "\n"


def _read_fields(text: str) -> dict[str, list[int]]:
    """The numbers of each field; the kind of betting stands under its own name, with none."""
    spelled = {field.lower(): field for field in _FIELDS}
    found: dict[str, list[int]] = {}
    for line in map(str.strip, text.splitlines()):
        words = line.replace("=", " ").split()
        if not words or line.startswith("#") or line.lower() == "gamedef":
            continue
        if line.lower().startswith("end gamedef"):
            break
        key = words[0].lower()
        if key in _BETTING:
            found[key] = []
            continue
        if key not in spelled:
            raise ValueError(
                f"{shorten(words[0])}: unknown field (limit, nolimit, {', '.join(_FIELDS)})"
            )
        if spelled[key] in found:
            raise ValueError(f"{spelled[key]}: stands twice")
        if not all(_NUMBER.fullmatch(word) for word in words[1:]):
            shown = shorten(" ".join(words[1:]))
            raise ValueError(f"{spelled[key]}: {shown!r} are not whole numbers of up to 15 digits")
        found[spelled[key]] = [int(word) for word in words[1:]]
    return found


def _game(found: dict[str, list[int]], name: str) -> BettingGame:
    betting = [kind for kind in _BETTING if kind in found]
    if len(betting) != 1:
        raise ValueError(f"{' and '.join(betting) or 'betting'}: a file says limit or nolimit")
    players = _numbers(found, "numPlayers", 1)[0]
    rounds = _numbers(found, "numRounds", 1)[0]
    limit = betting == ["limit"]
    if not limit and "raiseSize" in found:
        raise ValueError("raiseSize: a nolimit game has none")
    stacks = tuple(_numbers(found, "stack", players, *([()] if limit else [])))
    blinds = tuple(_numbers(found, "blind", players))
    for seat, (blind, stack) in enumerate(zip(blinds, stacks, strict=False)):
        if blind > stack:
            raise ValueError(f"blind: {blind} of player {seat + 1} is more than the stack {stack}")
    suits = _numbers(found, "numSuits", 1)[0]
    ranks = _numbers(found, "numRanks", 1)[0]
    for key, number, most in (("numSuits", suits, len(SUITS)), ("numRanks", ranks, len(RANKS))):
        if not 1 <= number <= most:
            raise ValueError(f"{key}: {number} is not a number of them (1 to {most})")
    hole = _numbers(found, "numHoleCards", 1)[0]
    board = _numbers(found, "numBoardCards", rounds)
    bets = _numbers(found, "raiseSize", rounds) if limit else (0,) * rounds
    firsts = _numbers(found, "firstPlayer", rounds, (1,) * rounds)
    caps = _numbers(found, "maxRaises", rounds, (_NO_CAP,) * rounds)
    if limit and not stacks and max(caps, default=0) >= _NO_CAP:
        raise ValueError(
            "maxRaises: missing, players could raise for ever in a limit game without stacks (set"
            f" maxRaises below {_NO_CAP} for each round, or stack)"
        )
    cards = hole + sum(board)
    is_ante = len(set(blinds)) == 1
    return BettingGame(
        name=name,
        players=players,
        betting=_BETTING[betting[0]],
        ranks=RANKS[-ranks:],
        suits=SUITS[-suits:],
        showdown="high-card" if cards == 1 else "kinds" if cards < 5 else "five-card",
        ante=blinds[0] if is_ante else 0,
        blinds=() if is_ante else blinds,
        stacks=stacks,
        reopen="any" if len(set(stacks)) > 1 else "full",
        streets=tuple(
            Street(
                hole=0 if street else hole,
                board=board[street],
                first=firsts[street] - 1,
                bet=bets[street],
                max_raises=None if caps[street] >= _NO_CAP else caps[street],
            )
            for street in range(rounds)
        ),
    )


def _numbers(
    found: dict[str, list[int]], key: str, count: int, default: tuple[int, ...] | None = None
) -> tuple[int, ...]:
    """The numbers of a field, of which there must be `count`."""
    if key not in found:
        if default is None:
            raise ValueError(f"{key}: missing")
        return default
    numbers = tuple(found[key])
    if len(numbers) != count:
        raise ValueError(f"{key}: {len(numbers)} given, {count} needed")
    return numbers
