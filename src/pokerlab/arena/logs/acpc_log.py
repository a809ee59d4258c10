"""Match logs in the form of the ACPC dealer.

After comments about the match, there is a line for each hand, with what each position won and who
sat there, and at the end the total of each seat::

    # name/game/hands/seed night holdem.limit.2p 2 1
    STATE:0:rf:AsKd|QhQc:-10|10:ann|bob
    STATE:1:crf:2c7d|9h9d:-10|10:bob|ann
    SCORE:0|0:ann|bob

Five-card draw is written the same way, with words that the ACPC does not have (see
`pokerlab.games.formats.match_state`): cards thrown away stand in the betting, replacements after
the hands. All amounts are in the chips that the betting counts in; where these are parts of a chip
(`BettingGame.unit`), a comment says so. Numbers have six decimals at most. What is read is checked:
every hand is played again by our own rules, and must end as the log says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from pokerlab.arena.acpc.match import TimeLimits
from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.unfinished import UnfinishedLog
from pokerlab.errors import shorten
from pokerlab.files.text_lines import text_lines
from pokerlab.games import TERMINAL, BettingGame
from pokerlab.games.formats.match_state import format_state, parse_state

_AMOUNTS = re.compile(r"-?\d{1,18}(\.\d{1,6})?(\|-?\d{1,18}(\.\d{1,6})?)*", re.ASCII)
_ROUNDING = 6e-7
"""By how much a number of six decimals can be off."""


def read_acpc_log(
    source: Path | str, game: BettingGame, *, partial: bool = False
) -> Iterator[PlayedHand]:
    r"""Read the hands of a log; `ValueError` names the line that is wrong.

    Parameters
    ----------
    source
        A file, or the text itself (text has an end of line, the name of a file has none).
    game
        What was played: a log does not tell.
    partial
        Take what there is of a log that was cut, or of a match that was aborted: all hands
        before the first line that cannot be read, with or without a SCORE line. Without, such a
        log is an error, raised after the hands before it.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.limit.2p")
    >>> log = "STATE:0:rf:AsKd|QhQc:-10|10:ann|bob\nSTATE:1:crf:2c7d|9h"
    >>> [hand.payoffs for hand in read_acpc_log(log, game, partial=True)]
    [(-10.0, 10.0)]
    >>> list(read_acpc_log(log, game))
    Traceback (most recent call last):
    ValueError: log: line 2: 'STATE:1:crf:2c7d|9h' is cut: a hand is STATE:hand:betting:cards:...
    """
    name, lines = _name_and_lines(source)
    totals: dict[str, float] = {}
    finished = False
    number = 0
    for number, whole_line in enumerate(lines, start=1):
        line = whole_line.rstrip("\n")
        try:
            if line.startswith("STATE:"):
                finished = False
                hand = _parse_hand(line, game)
                if line == whole_line:
                    raise ValueError("the line has no end: the log is cut")
                for player, chips in zip(hand.players, hand.payoffs, strict=True):
                    totals[player] = totals.get(player, 0.0) + chips * game.unit
            elif line.startswith("SCORE:"):
                finished = True
                _check_score(_parse_score(line), totals, game.players)
                totals = {}
                continue
            elif not line.strip() or line.startswith(("#", ";")):
                continue
            else:
                raise ValueError(f"{shorten(line)!r} is not a line of a log (STATE, SCORE, #)")
        except ValueError as error:
            if partial:
                return
            raise ValueError(f"{name}: line {number}: {error}") from None
        yield hand
    if not (finished or partial):
        raise ValueError(
            f"{name}: line {number}: the log ends without a SCORE line: it is cut, or the match"
            " was aborted"
        )


def read_acpc_scores(source: Path | str) -> tuple[tuple[str, float], ...]:
    r"""Read the last SCORE line of a log: name and total of each seat; nothing if there is none.

    Examples
    --------
    >>> read_acpc_scores("SCORE:-2.5|2.5:ann|bob\n")
    (('ann', -2.5), ('bob', 2.5))
    """
    name, lines = _name_and_lines(source)
    found: tuple[tuple[str, float], ...] = ()
    for number, line in enumerate(lines, start=1):
        if line.startswith("SCORE:"):
            try:
                found = _parse_score(line.rstrip("\n"))
            except ValueError as error:
                raise ValueError(f"{name}: line {number}: {error}") from None
    return found


def write_acpc_log(
    path: Path, hands: Iterable[PlayedHand], planned: tuple[str, int, int] | None = None
) -> None:
    """Write hands and their score, as an `UnfinishedLog` until the last of them.

    Names must not hold a colon or a bar. `planned` are game, hands and seed of the match, for the
    first line: with it, whoever reads the log knows the game.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> hand = PlayedHand(game, 0, game.make_deal(["Ks", "Js"]), ("ann", "bob"), "rc", (2.0, -2.0))
    >>> with TemporaryDirectory() as folder:
    ...     write_acpc_log(Path(folder) / "night.log", [hand])
    ...     print(*read_acpc_log(Path(folder) / "night.log", game))
    PlayedHand(game=..., number=0, ... players=('ann', 'bob'), betting='rc', payoffs=(2.0, -2.0)...
    """
    with UnfinishedLog(path) as file:
        writer = AcpcLogWriter(file)
        if planned is not None:
            writer.header(log_name(path.stem), *planned)
        for hand in hands:
            writer.hand(hand)
        writer.score()


class AcpcLogWriter:
    """Writes a log during the match: hands that were played are in the file at once.

    Examples
    --------
    >>> import sys
    >>> from pokerlab.games import load_game
    >>> game = load_game("kuhn")
    >>> log = AcpcLogWriter(sys.stdout)
    >>> log.header("night", "kuhn", 1, 7, TimeLimits())
    # name/game/hands/seed night kuhn 1 7
    #--t_response 600000
    #--t_hand 600000
    #--t_per_hand 7000
    >>> deal = game.make_deal(["Ks", "Js"])
    >>> log.hand(PlayedHand(game, 0, deal, ("ann", "bob"), "rc", (2.0, -2.0)))
    STATE:0:rc:Ks|Js:2|-2:ann|bob
    >>> log.score()
    SCORE:2|-2:ann|bob
    """

    def __init__(self, file: TextIO | UnfinishedLog) -> None:
        self._file = file
        self._seats: tuple[str, ...] = ()
        self._totals: list[float] = []

    def header(
        self, name: str, game: str, hands: int, seed: int, limits: TimeLimits | None = None
    ) -> None:
        """Write the game and the players, and reset the score."""
        self._seats = ()
        self._write(f"# name/game/hands/seed {name} {game} {hands} {seed}")
        if limits is None:
            return
        average = limits.of_match(hands) / hands
        self._write(f"#--t_response {1000 * limits.action:.0f}")
        self._write(f"#--t_hand {1000 * limits.hand:.0f}")
        self._write(f"#--t_per_hand {1000 * average:.0f}")

    def hand(self, hand: PlayedHand) -> None:
        """Write a hand; illegal actions stand before it as comments."""
        for name in hand.players:
            check_log_name(name)
        if not self._seats:
            players = len(hand.players)
            # In hand 0 positions are seats; then the button moves on by a seat a hand.
            first = [(seat - hand.number) % players for seat in range(players)]
            self._seats = tuple(hand.players[position] for position in first)
            self._totals = [0.0] * players
            if hand.game.unit != 1:
                self.comment(f"amounts are in 1/{hand.game.unit} chips")
        amounts = [chips * hand.game.unit for chips in hand.payoffs]
        for position, amount in enumerate(amounts):
            self._totals[self._seat(hand, position)] += amount
        for fault in hand.faults:
            self._write(
                f"# hand {hand.number} {hand.players[fault.position]} after {fault.betting!r}:"
                f" answered {fault.answer!r}, played {fault.action!r}: {fault.why}"
            )
        state = format_state(hand.final, hand.number)
        self._write(f"{state}:{_amounts(amounts)}:{'|'.join(hand.players)}")

    def score(self) -> None:
        """Write the totals of the match."""
        if self._seats:
            self._write(score_line(self._seats, self._totals))

    def comment(self, text: str) -> None:
        """Write a line for people."""
        self._write(f"# {' '.join(text.split())}")

    def _seat(self, hand: PlayedHand, position: int) -> int:
        """Whose total a position counts for: by name, or by the button where two share one."""
        if len(set(self._seats)) == len(self._seats) and hand.players[position] in self._seats:
            return self._seats.index(hand.players[position])
        return (position + hand.number) % len(self._seats)

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()


def score_line(names: Sequence[str], totals: Sequence[float]) -> str:
    """The last line of a log.

    Examples
    --------
    >>> score_line(["ann", "bob"], [-2.5, 2.5])
    'SCORE:-2.5|2.5:ann|bob'
    """
    return f"SCORE:{_amounts(totals)}:{'|'.join(names)}"


def check_log_name(name: str) -> None:
    """Raise a `ValueError` for the name of a player that cannot stand in a log.

    Examples
    --------
    >>> check_log_name("strategy:kuhn")
    Traceback (most recent call last):
    ValueError: bad name 'strategy:kuhn' of a player: logs have no room for ':', '|' or line ends
    """
    if not name or not name.isprintable() or ":" in name or "|" in name:
        raise ValueError(
            f"bad name {name!r} of a player: logs have no room for ':', '|' or line ends"
        )


def log_name(text: str) -> str:
    """Make a name for logs from any text, for example the text of a bot.

    Examples
    --------
    >>> log_name("random:1,2,1"), log_name("exec:./bot --fast")
    ('random-1,2,1', 'exec-./bot---fast')
    """
    return re.sub(r"[:|\s]+|[^\x20-\x7e]+", "-", text) or "-"


def _parse_hand(line: str, game: BettingGame) -> PlayedHand:
    parts = line.split(":")
    if len(parts) != 6:
        raise ValueError(
            f"{shorten(line)!r} is cut: a hand is STATE:hand:betting:cards:amounts:names"
        )
    number, state = parse_state(":".join(parts[:4]), game)
    if state.player != TERMINAL:
        raise ValueError(f"hand {number} is not over after {state.betting!r}")
    written = _parse_amounts(parts[4])
    players = tuple(parts[5].split("|"))
    if not len(written) == len(players) == game.players:
        raise ValueError(
            f"{len(written)} amounts and {len(players)} names, {game.name} has {game.players} seats"
        )
    payoffs = state.payoffs()
    for position, (chips, theirs) in enumerate(zip(payoffs, written, strict=True)):
        ours = chips * game.unit
        if abs(ours - theirs) > _ROUNDING:
            raise ValueError(
                f"hand {number} pays position {position} {_amount(ours)} by the rules of"
                f" {game.name}, not {_amount(theirs)}"
            )
    return PlayedHand(game, number, state.deal, players, state.betting, payoffs)


def _parse_score(line: str) -> tuple[tuple[str, float], ...]:
    parts = line.split(":")
    if len(parts) != 3:
        raise ValueError(f"{shorten(line)!r} is cut: a score is SCORE:amounts:names")
    amounts, names = _parse_amounts(parts[1]), parts[2].split("|")
    if len(amounts) != len(names):
        raise ValueError(f"{len(amounts)} amounts and {len(names)} names in {shorten(line)!r}")
    return tuple(zip(names, amounts, strict=True))


def _check_score(
    score: tuple[tuple[str, float], ...], totals: dict[str, float], players: int
) -> None:
    """Compare totals by name; where two seats share a name, there is nothing to compare."""
    if len(score) != players:
        raise ValueError(f"the score has {len(score)} seats, the game {players}")
    if totals and set(totals) != {name for name, _ in score}:
        names = "|".join(name for name, _ in score)
        raise ValueError(f"the score is that of {names}, the hands before are of others")
    if len(totals) != players:
        return
    for name, amount in score:
        if abs(totals.get(name, 0.0) - amount) > _ROUNDING:
            raise ValueError(
                f"the score of {name} is {_amount(amount)}, the hands before sum up to"
                f" {_amount(totals.get(name, 0.0))}: hands are missing"
            )


def _parse_amounts(text: str) -> list[float]:
    if not _AMOUNTS.fullmatch(text):
        raise ValueError(f"{shorten(text)!r} are not amounts, for example 10|-10")
    return [float(amount) for amount in text.split("|")]


def _amounts(amounts: Sequence[float]) -> str:
    return "|".join(map(_amount, amounts))


def _amount(amount: float) -> str:
    text = f"{amount:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _name_and_lines(source: Path | str) -> tuple[str, Iterable[str]]:
    if isinstance(source, str) and "\n" in source:
        return "log", source.splitlines(keepends=True)
    return str(source), text_lines(source)
