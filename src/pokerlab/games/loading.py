"""Games by name or file: the catalogue, TOML files and ACPC ``.game`` files."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path

from pokerlab.games.definition import BettingGame
from pokerlab.games.formats.acpc_game import read_acpc
from pokerlab.games.formats.toml_game import read_toml
from pokerlab.games.protocol import Game
from pokerlab.games.theory import THEORY_GAMES
from pokerlab.runtime.errors import shorten

MAX_BYTES = 100_000
"""Of a game file; those of the catalogue have fewer than 400."""
MAX_STACK = 100_000
"""Of a name that ends in a stack, in big blinds."""
_BLINDS = re.compile(
    r"(?P<small>[1-9][0-9]{0,5})/(?P<big>[1-9][0-9]{0,5})(/(?P<ante>0|[1-9][0-9]{0,5}))?", re.ASCII
)
_STACK = re.compile(r"(?P<game>.{1,64}?)\.(?P<stack>[0-9]{1,9}(\.[0-9]{1,3})?)bb", re.ASCII)


def load_game(name_or_path: str | os.PathLike[str]) -> Game:
    """Load a game of the catalogue, a TOML file or an ACPC ``.game`` file.

    A game of the catalogue with stacks has a name for each depth: ``holdem.nolimit.2p.100bb``.

    Examples
    --------
    >>> load_game("leduc").players
    2
    >>> load_game("holdem.nolimit.2p.100bb").stacks
    (10000, 10000)
    >>> load_game("kuhm")
    Traceback (most recent call last):
    ValueError: no game 'kuhm', did you mean kuhn or kuhn2? (coins.3p, draw, ...; or a .toml
    or .game file)
    """
    text = os.fspath(name_or_path)
    path = Path(text)
    if path.suffix.lower() in (".toml", ".game"):
        return _load_file(path)
    return _load_from_catalogue(text)


def load_betting_game(name_or_path: str | os.PathLike[str]) -> BettingGame:
    """Load a game that is played with cards and chips; `ValueError` for any other.

    Examples
    --------
    >>> load_betting_game("kuhn").deck
    (39, 43, 47)
    >>> load_betting_game("rps")
    Traceback (most recent call last):
    ValueError: rps is not a card game: it can be solved, not dealt
    """
    game = load_game(name_or_path)
    if not isinstance(game, BettingGame):
        raise ValueError(f"{game.name} is not a card game: it can be solved, not dealt")
    return game


def game_names() -> dict[str, str]:
    """List the catalogue: names and one line about each.

    Examples
    --------
    >>> game_names()["pennies"]
    'Matching pennies: seat 0 wins when both show the same side'
    """
    games: dict[str, str] = {name: game.description for name, game in THEORY_GAMES.items()}
    for entry in files("pokerlab.games").joinpath("catalogue").iterdir():
        name = entry.name.removesuffix(".toml")
        games[name] = _load_betting_game(name).description
    return dict(sorted(games.items()))


def with_blinds(game: BettingGame, text: str, named: str = "blinds") -> BettingGame:
    """A hold'em game with other blinds, or blinds and an ante; stacks keep their big blinds.

    `named` is what messages call the text.

    Examples
    --------
    >>> game = with_blinds(load_betting_game("holdem.nolimit.2p.100bb"), "1/2")
    >>> game.blinds, game.stacks
    ((2, 1), (200, 200))
    >>> with_blinds(game, "50/100/10").description.partition(": ")[2]
    'blinds 50 and 100, an ante of 10, stacks of 10,000'
    >>> with_blinds(load_betting_game("kuhn"), "1/2")
    Traceback (most recent call last):
    ValueError: blinds 1/2: kuhn is not a no-limit game with two blinds
    """
    found = _BLINDS.fullmatch(text)
    wrong = f"{named} {shorten(text)}:"
    if found is None or int(found["small"]) > int(found["big"]):
        raise ValueError(
            f"{wrong} write small and big blind in chips, for example 1/2,"
            " or 50/100/10 with an ante"
        )
    small, big, ante = int(found["small"]), int(found["big"]), int(found["ante"] or 0)
    if game.betting != "no-limit" or len([each for each in game.blinds if each]) != 2:
        raise ValueError(f"{wrong} {game.name} is not a no-limit game with two blinds")
    if game.ante:
        raise ValueError(f"{wrong} {game.name} has antes, which belong to its own blinds")
    if ante > big:
        raise ValueError(f"{wrong} an ante is at most the big blind")
    before = game.big_blind
    blinds = tuple(0 if not each else big if each == before else small for each in game.blinds)
    stacks = tuple(round(each * big / before) for each in game.stacks)
    words = f"blinds {' and '.join(f'{each:,}' for each in sorted({small, big}))}"
    words += f", an ante of {ante:,}" if ante else ""
    words += f", stacks of {stacks[0]:,}" if len({*stacks}) == 1 else ""
    words = f"{game.description.split(':')[0]}: {words}"
    return replace(game, blinds=blinds, ante=ante, stacks=stacks, description=words)


@cache
def _load_from_catalogue(name: str) -> Game:
    if name in THEORY_GAMES:
        return THEORY_GAMES[name]
    names = game_names()
    found = _STACK.fullmatch(name)
    if found is not None and found["game"] in names:
        return _with_stack(name, found["game"], found["stack"])
    if name not in names:
        near = get_close_matches(name[:64], names, n=3)
        hint = f", did you mean {' or '.join(near)}?" if near else ""
        raise ValueError(
            f"no game {shorten(name)!r}{hint} ({', '.join(names)}; or a .toml or .game file)"
        )
    return _load_betting_game(name)


def _with_stack(name: str, game: str, stack: str) -> BettingGame:
    """A game of the catalogue, in which everybody has this many big blinds."""
    rules = load_betting_game(game)
    if not rules.stacks:
        raise ValueError(f"{shorten(name)}: {game} is played without stacks")
    chips = Fraction(stack) * rules.big_blind
    least, most = max(rules.blinds, default=0) + rules.ante, MAX_STACK * rules.big_blind
    if chips.denominator != 1 or not least < chips <= most:
        raise ValueError(
            f"{shorten(name)}: a stack must be whole chips, above {least:,} and at most {most:,};"
            f" a big blind is {rules.big_blind:,}"
        )
    words = re.sub(r"stacks of [0-9,]+", f"stacks of {int(chips):,}", rules.description)
    stacks = (int(chips),) * rules.players
    return replace(rules, name=name, stacks=stacks, description=words)


@cache
def _load_betting_game(name: str) -> BettingGame:
    entry = files("pokerlab.games").joinpath("catalogue", f"{name}.toml")
    return read_toml(entry.read_text(encoding="utf-8"), name, f"{name}.toml")


def _load_file(path: Path) -> BettingGame:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise ValueError(f"{path}: not the file of a game: it has more than {MAX_BYTES:,} bytes")
    read = read_toml if path.suffix.lower() == ".toml" else read_acpc
    # A name of letters, digits and the like: files of strategies and tables are named by it.
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path.stem).strip(".-_")[:64]
    return read(text, name or "game", str(path))
