"""Hands as text in the PHH format (Poker Hand History, version 1: phh.readthedocs.io).

A hand is a TOML document: the variant (``FT`` limit and ``NT`` no-limit hold'em are those that
pokerlab also plays), blinds, stacks, and every deal and action in order::

    variant = 'NT'
    antes = [0, 0]
    blinds_or_straddles = [50, 100]
    min_bet = 100
    starting_stacks = [20000, 20000]
    actions = ['d dh p1 AsKd', 'd dh p2 QhQc', 'p2 cbr 300', 'p1 f']

Player 1 is seat 0. As in PokerKit, blinds are named small blind first also for two players,
where player 2 has the button and pays it. ``cbr`` names what a player has bet on the street.
Games in fractions of a chip are read in hundredths (or what it takes), with `BettingGame.unit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.errors import one_line, shorten, source_named
from pokerlab.files.toml_text import parse_toml
from pokerlab.games.betting import split_betting
from pokerlab.games.deal import make_deal
from pokerlab.games.dealt import DealtState
from pokerlab.games.definition import BettingGame
from pokerlab.games.loading import game_names, load_game
from pokerlab.games.protocol import TERMINAL
from pokerlab.games.rules import GameRules, Street

VARIANTS = {"FT": "limit", "NT": "no-limit"}
_BOARD = (0, 3, 1, 1)
_HIDDEN = "????"
_DEAL_HOLE = re.compile(r"d dh p(\d{1,2}) (\S+)", re.ASCII)
_DEAL_BOARD = re.compile(r"d db (\S+)")
_SHOW = re.compile(r"p(\d{1,2}) sm(?: (\S+))?", re.ASCII)
_PLAY = re.compile(r"p(\d{1,2}) (f|cc|cbr (\d{1,15}(?:\.\d{1,6})?))", re.ASCII)


class HandRecord(NamedTuple):
    """The content of a hand history.

    Attributes
    ----------
    final
        The state at the end, with all cards that are known.
    players
        Who sat at each position.
    number
        The number of the hand; None if there is none.
    payoffs
        What each position won or lost.
    """

    final: DealtState
    players: tuple[str, ...]
    number: int | None
    payoffs: tuple[float, ...]


def format_hand_history(
    final: DealtState, players: Sequence[str] = (), number: int | None = None
) -> str:
    """Write a hand that is over; `ValueError` for a game without a variant of its own in PHH.

    Examples
    --------
    >>> game = load_game("holdem.nolimit.2p")
    >>> print(format_hand_history(game.replay("r300f", game.make_deal(["AsKd", "QhQc"]))))
    variant = 'NT'
    antes = [0, 0]
    blinds_or_straddles = [50, 100]
    min_bet = 100
    starting_stacks = [20000, 20000]
    actions = ['d dh p1 AsKd', 'd dh p2 QhQc', 'p2 cbr 300', 'p1 f']
    finishing_stacks = [19900, 20100]
    <BLANKLINE>
    """
    game = final.game
    check_phh_game(game)
    if final.player != TERMINAL:
        raise ValueError(f"the hand is not over after {final.betting!r}: PHH has whole hands")
    blinds = _swap_two(game.blinds or (0,) * game.players)
    stacks = game.stacks or (_enough(game),) * game.players
    lines = [
        f"variant = '{'FT' if game.betting == 'limit' else 'NT'}'",
        f"antes = {_amounts([game.ante] * game.players, game.unit)}",
        f"blinds_or_straddles = {_amounts(blinds, game.unit)}",
    ]
    if game.betting == "limit":
        lines.append(f"small_bet = {_amount(game.streets[0].bet, game.unit)}")
        lines.append(f"big_bet = {_amount(game.streets[2].bet, game.unit)}")
    else:
        lines.append(f"min_bet = {_amount(game.smallest_bet(0), game.unit)}")
    lines.append(f"starting_stacks = {_amounts(stacks, game.unit)}")
    lines.append(f"actions = [{', '.join(map(repr, _actions(final)))}]")
    if number is not None:
        lines.append(f"hand = {number}")
    if players:
        lines.append(f"players = [{', '.join(map(_toml_text, players))}]")
    ends = [had + won * game.unit for had, won in zip(stacks, final.payoffs(), strict=True)]
    lines.append(f"finishing_stacks = {_amounts(ends, game.unit)}")
    return "\n".join(lines) + "\n"


def parse_hand_histories(text: str) -> Iterator[HandRecord]:
    r"""Read one hand, or many (tables ``[1]``, ``[2]``, …); `ValueError` says where it is wrong.

    Examples
    --------
    >>> game = load_game("holdem.limit.2p")
    >>> text = format_hand_history(game.replay("rf", game.make_deal(["AsKd", "QhQc"])))
    >>> [record.payoffs for record in parse_hand_histories(f"[1]\n{text}[2]\n{text}")]
    [(-10.0, 10.0), (-10.0, 10.0)]
    """
    with source_named("not a hand history, or cut in the middle"):
        document = parse_toml(text, Decimal)
    if "variant" in document or not document:
        yield parse_hand_history(document)
        return
    for name, table in document.items():
        if not isinstance(table, dict):
            raise ValueError(
                f"not a hand history: {shorten(name)} is not a hand, and there is no variant"
            )
        with source_named(f"hand [{shorten(name)}]"):
            record = parse_hand_history(table)
        yield record


def parse_hand_history(table: Mapping[str, Any]) -> HandRecord:
    """Read one hand from a TOML table."""
    game = _parse_game(table)
    actions = _texts(table, "actions")
    actions = [action.partition("#")[0].strip() for action in actions]
    holes, board = _parse_cards(actions, game)
    state = game.start(make_deal(game, holes, board))
    price = game.ante
    for action in actions:
        match = _PLAY.fullmatch(action)
        if match is None:
            continue  # a deal or a comment: `_parse_cards` has checked it
        if int(match.group(1)) != state.player + 1:
            turn = f"player {state.player + 1} acts" if state.player >= 0 else "the hand is over"
            played = shorten(state.betting)
            raise ValueError(f"action {shorten(action)!r} is out of turn: {turn} after {played!r}")
        street = state.street
        if match.group(3):
            total = price + _chips(Decimal(match.group(3)), game.unit)
            word = "r" if game.betting == "limit" else f"r{total}"
            after = state.apply(word)
            if after.spent[state.player] != total:
                raise ValueError(f"action {shorten(action)!r} is not the bet of {game.name}")
            state = after
        else:
            state = state.apply("f" if match.group(2) == "f" else "c")
        if state.street != street:
            price = state.node.price
    if state.player != TERMINAL:
        raise ValueError(f"the hand is cut: it is not over after {shorten(state.betting)!r}")
    players = _texts(table, "players") if "players" in table else None
    if players is not None and len(players) != game.players:
        raise ValueError(f"{len(players)} players named, {game.players} have stacks")
    number = table.get("hand")
    return HandRecord(
        state,
        tuple(players or (f"p{seat + 1}" for seat in range(game.players))),
        number if isinstance(number, int) else None,
        _payoffs(state, table),
    )


@lru_cache(maxsize=64)
def check_phh_game(game: BettingGame) -> None:
    """Raise a `ValueError` if PHH has no variant for a game."""
    first = _first_seat(game.blinds, game.players)
    shape = [(street.hole, street.board, street.draw, street.first) for street in game.streets]
    holdem = [(2, 0, 0, first), (0, 3, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0)]
    bets = [game.smallest_bet(street) for street in range(len(game.streets))]
    fits = shape == holdem and len(game.deck) == 52 and game.showdown == "five-card"
    if fits and game.betting == "limit":
        fits = bets[0] == bets[1] and bets[2] == bets[3]
    elif fits:
        fits = game.betting == "no-limit" and len(set(bets)) == 1
    if not fits:
        raise ValueError(
            f"PHH has no variant for {game.name}: of the games of pokerlab it knows limit (FT) and"
            " no-limit (NT) hold'em; a .log file takes any game"
        )


def _actions(final: DealtState) -> Iterator[str]:
    """Deals and actions in order; where all are all-in, hands are shown before the last cards."""
    game, deal = final.game, final.deal
    for seat, hole in enumerate(deal.holes):
        yield f"d dh p{seat + 1} {format_cards(hole) or _HIDDEN}"
    state = DealtState.first(game, deal)
    price = game.ante
    shown = 0
    for action in split_betting(final.betting):
        seat, street = state.player, state.street
        state = state.apply(action)
        if action == "f":
            yield f"p{seat + 1} f"
        elif action == "c":
            yield f"p{seat + 1} cc"
        else:
            yield f"p{seat + 1} cbr {_amount(state.spent[seat] - price, game.unit)}"
        if state.street != street:
            price = state.node.price
            if state.player >= 0:
                shown = game.board_cards[state.street]
                yield f"d db {format_cards(deal.board[game.board_cards[street] : shown])}"
    live = final.node.live
    if len(live) > 1:
        for seat in live:
            yield f"p{seat + 1} sm {format_cards(deal.holes[seat])}"
        for count in game.board_cards:
            if count > shown:
                yield f"d db {format_cards(deal.board[shown:count])}"
                shown = count


def _parse_game(table: Mapping[str, Any]) -> BettingGame:
    variant = table.get("variant")
    if not isinstance(variant, str) or variant not in VARIANTS:
        raise ValueError(f"variant: {_shown(variant)!r} is not one that pokerlab plays (FT or NT)")
    stacks = _decimals(table, "starting_stacks")
    antes = _decimals(table, "antes")
    blinds = _decimals(table, "blinds_or_straddles")
    names = ("small_bet", "big_bet") if variant == "FT" else ("min_bet",)
    bets = [_decimals({name: [table.get(name)]}, name)[0] for name in names]
    if not len(stacks) == len(antes) == len(blinds):
        raise ValueError(
            f"{len(antes)} antes, {len(blinds)} blinds_or_straddles and {len(stacks)}"
            " starting_stacks: there must be one for each player"
        )
    if len(set(antes)) > 1:
        raise ValueError("antes: they differ, and pokerlab plays games where all pay the same")
    amounts = _texts(table, "actions")
    played = [
        Decimal(bet) for bet in re.findall(r"cbr ([0-9]{1,15}\.[0-9]{1,6})\b", " ".join(amounts))
    ]
    unit = 1
    while any(amount * unit % 1 for amount in (*stacks, *antes, *blinds, *bets, *played)):
        unit *= 10
    seats = _swap_two([_chips(blind, unit) for blind in blinds])
    first = _first_seat(tuple(seats), len(stacks))
    raises = _raises_by_street(amounts)
    streets = []
    for street, board in enumerate(_BOARD):
        usual = 3 if street == 0 and any(seats) else 4  # a blind counts as the first bet
        streets.append(
            Street(
                hole=2 if street == 0 else 0,
                board=board,
                first=first if street == 0 else 0,
                bet=_chips(bets[street // 2 if variant == "FT" else 0], unit),
                max_raises=max(usual, raises[street]) if variant == "FT" else None,
            )
        )
    game = BettingGame(
        name="holdem",
        players=len(stacks),
        betting=VARIANTS[variant],
        streets=tuple(streets),
        ante=_chips(antes[0], unit),
        blinds=tuple(seats) if any(seats) else (),
        stacks=tuple(_chips(stack, unit) for stack in stacks),
        unit=unit,
    )
    return _known(game)


def _known(game: BettingGame) -> BettingGame:
    """The game of the catalogue that has the same rules, if there is one."""
    if game.betting == "limit" and all(stack >= _enough(game) for stack in game.stacks):
        game = replace(game, stacks=())  # stacks that cannot run out
    if game.betting != "limit" and game.smallest_bet(0) == game.big_blind:
        game = replace(game, streets=tuple(replace(street, bet=0) for street in game.streets))
    return next(
        (known for known in _holdem_games() if replace(game, name=known.name) == known), game
    )


@lru_cache(maxsize=1)
def _holdem_games() -> tuple[BettingGame, ...]:
    games = (load_game(name) for name in game_names() if name.startswith("holdem."))
    return tuple(game for game in games if isinstance(game, BettingGame))


def _parse_cards(actions: Sequence[str], game: BettingGame) -> tuple[list[str], str]:
    """The private cards of each seat, empty where they are hidden, and the board."""
    holes = [""] * game.players
    board = ""
    for action in actions:
        if (match := _DEAL_HOLE.fullmatch(action)) or (match := _SHOW.fullmatch(action)):
            seat, cards = int(match.group(1)) - 1, match.group(2) or ""
            if not 0 <= seat < game.players:
                raise ValueError(
                    f"action {shorten(action)!r}: there are players 1 to {game.players}"
                )
            if cards and "?" not in cards and cards != "-":
                holes[seat] = cards
        elif match := _DEAL_BOARD.fullmatch(action):
            board += match.group(1)
        elif action and not _PLAY.fullmatch(action):
            raise ValueError(
                f"bad action {shorten(action)!r}: hold'em has d dh, d db, f, cc, cbr AMOUNT and sm"
            )
    if "?" in board:
        raise ValueError(f"board {shorten(board)}: its cards are not known")
    if len(parse_cards(board)) not in (0, 3, 4, 5):
        raise ValueError(f"board {shorten(board)}: hold'em has 0, 3, 4 or 5 public cards")
    return holes, board


def _payoffs(state: DealtState, table: Mapping[str, Any]) -> tuple[float, ...]:
    """By the rules; from the stacks of the file where the cards are not known."""
    live = state.node.live
    if len(live) == 1 or (
        all(state.holes[seat] for seat in live) and len(state.board) == len(state.deal.board) == 5
    ):
        return state.payoffs()
    if "finishing_stacks" not in table:
        raise ValueError("nobody knows who won: the cards are hidden, finishing_stacks are missing")
    ends, starts = _decimals(table, "finishing_stacks"), _decimals(table, "starting_stacks")
    if len(ends) != len(starts):
        raise ValueError(f"{len(ends)} finishing_stacks, {len(starts)} starting_stacks")
    return tuple(float(end - start) for end, start in zip(ends, starts, strict=True))


def _first_seat(blinds: tuple[int, ...], players: int) -> int:
    """Who acts first before the flop: left of the last blind."""
    paying = [seat for seat, blind in enumerate(blinds) if blind]
    if not paying:
        return 0
    return 1 if players == 2 else (paying[-1] + 1) % players


def _raises_by_street(actions: Sequence[str]) -> list[int]:
    counts = [0]
    for action in actions:
        if action.startswith("d db"):
            counts.append(0)
        elif " cbr " in action:
            counts[-1] += 1
    return (counts + [0] * 4)[:4]


def _enough(game: GameRules) -> int:
    """A stack that cannot run out in a limit game."""
    bets = sum(street.bet * (street.max_raises or 100) for street in game.streets)
    return 2 * (game.ante + max(game.blinds, default=0) + bets)


def _swap_two(amounts: Sequence[int]) -> list[int]:
    return list(amounts[::-1] if len(amounts) == 2 else amounts)


def _texts(table: Mapping[str, Any], name: str) -> list[str]:
    values = table.get(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ValueError(f"{name}: {_shown(values)} is not a list of texts")
    return values


def _decimals(table: Mapping[str, Any], name: str) -> list[Decimal]:
    values = table.get(name)
    if not isinstance(values, list) or not values:
        raise ValueError(f"{name}: {_shown(values)} is not a list of amounts")
    amounts = []
    for value in values:
        known = isinstance(value, int | Decimal) and not isinstance(value, bool)
        amount = Decimal(value) if known else Decimal("nan")
        if not amount.is_finite() or not 0 <= amount <= 10**12 or amount * 10**6 % 1:
            raise ValueError(f"{name}: {_shown(value)} is not an amount of chips")
        amounts.append(amount)
    return amounts


def _chips(amount: Decimal, unit: int) -> int:
    return int(amount * unit)


def _amounts(amounts: Sequence[float], unit: int) -> str:
    return f"[{', '.join(_amount(amount, unit) for amount in amounts)}]"


def _amount(amount: float, unit: int) -> str:
    value = amount / unit
    return str(int(value)) if value == int(value) else f"{value:.6f}".rstrip("0")


def _toml_text(text: str) -> str:
    """A text between double quotes, with all that TOML wants escaped."""
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return character if character.isprintable() else f"\\U{ord(character):08x}"


def _shown(value: object) -> str:
    return one_line("nothing" if value is None else str(value), 60)
