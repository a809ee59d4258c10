"""The Play page: any game of the catalogue, or a spot of the folder, against any bots."""

from __future__ import annotations

import io
import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    field_named,
    file_answer,
    json_answer,
    number_of,
    text_of,
    whole_of,
)
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.arena.hands import PlayedHand
    from pokerlab.arena.person_table import PersonTable
    from pokerlab.games import BettingGame
    from pokerlab.players.bots import Bot
    from pokerlab.runtime.files.job_stores import LineStore

_FILE = "file:"
_SOLUTION = "solution"
_NOT_HERE = ("cases", "exec", "parrot", "strategy")
"""Bots that run a program or read any file; a solution of the folder plays as ``solution``."""
_WITH_FILES = ("limit2", "limit3", "adam", "hybrid")
_BOT = re.compile(r"([a-z0-9-]{1,40})(:[a-z0-9_.,=-]{0,100})?")
_MOST_PLAYERS = 6
_LARGEST_SEED = 2**62
_CURVE = 500


@dataclass(frozen=True)
class PlayTable:
    """A table, its settings, and the file of its hands."""

    asked: Mapping[str, Any]
    table: PersonTable
    store: LineStore[PlayedHand]

    def data(self, id_: str) -> dict[str, Any]:
        """The data that the page draws."""
        from pokerlab.views.payloads.person_payload import table_data

        return {"table": id_, "asked": self.asked, **table_data(self.table)}


def _choices(request: Request) -> Response:
    """Games and bots to choose from."""
    from pokerlab.players.bots.catalogue import bot_names

    site = site_of(request)
    files = [entry for entry in site.library.listing() if entry["kind"] in ("solution", "spot")]
    return json_answer(
        {
            "games": [*_catalogue()],
            "files": [
                {"name": f"{_FILE}{entry['id']}", "words": entry["name"], "board": entry["board"]}
                for entry in files
                if not entry["error"] and not entry.get("missing")
            ],
            "bots": {
                name: text.split(";")[0]  # what follows is how a command line sets it up
                for name, text in bot_names().items()
                if name not in _NOT_HERE
            },
        }
    )


@lru_cache(maxsize=1)
def _catalogue() -> tuple[dict[str, Any], ...]:
    from pokerlab.games import BettingGame, game_names, load_game

    found = []
    for name, description in game_names().items():
        game = load_game(name)
        if isinstance(game, BettingGame):
            found.append({"name": name, "words": description, "players": game.players})
    return tuple(found)


def _bots(request: Request) -> Response:
    """Who can play a game."""
    site, name = site_of(request), request.query_params.get("game", "")
    game = _game(site, name)
    if name.startswith(_FILE):
        kind = site.library.summary(site.library.find(name.removeprefix(_FILE)))["kind"]
        own = [_SOLUTION] if kind == "solution" else []
        return json_answer({"players": game.players, "bots": [*own, *_fitting(game)]})
    return json_answer({"players": game.players, "bots": _fitting_by_name(name)})


@lru_cache(maxsize=100)
def _fitting_by_name(name: str) -> list[str]:
    from pokerlab.games import load_betting_game

    return _fitting(load_betting_game(name))


def _fitting(game: BettingGame) -> list[str]:
    """The bots of the catalogue that can play a game."""
    import numpy as np

    from pokerlab.players.bots import make_bot
    from pokerlab.players.bots.catalogue import bot_names

    found = []
    for name in bot_names():
        if name in _NOT_HERE:
            continue
        try:
            bot = make_bot(name)
            bot.reset(game, np.random.default_rng(0))
        except ValueError:
            continue
        bot.close()
        found.append(name)
    return found


def _sit_down(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    seed = whole_of(data, "seed", None, low=0, high=_LARGEST_SEED)
    seat = whole_of(data, "seat", None, low=0, high=_MOST_PLAYERS - 1)
    bots = data.get("bots", [])
    if not isinstance(bots, list) or not all(isinstance(each, str) for each in bots):
        raise FieldError("bots", "bots: name one for each other seat")
    asked = {
        "game": text_of(data, "game"),
        "bots": bots,
        "seat": seat,
        "seed": secrets.randbelow(_LARGEST_SEED) if seed is None else seed,
    }
    id_ = site.play.new_id()
    play = _make_table(site, asked, id_)
    site.play.add(play, asked, id_)
    return play.data(id_)


def _make_table(site: Site, asked: Mapping[str, Any], id_: str) -> PlayTable:
    """A table as it was asked for, with the hands that were played at it."""
    from pokerlab.arena.logs.acpc_log import log_name
    from pokerlab.arena.matches import different_names
    from pokerlab.arena.person_table import PersonTable

    texts = list(asked["bots"])
    game = _game(site, asked["game"], texts)
    seat, store = asked["seat"], _store(site, game, id_)
    if seat is not None and not 0 <= seat < game.players:
        raise FieldError("seat", f"seat {seat}: {game.name} has the seats 0 to {game.players - 1}")
    with field_named("bots"):
        bots = [_bot(site, asked["game"], text) for text in texts]
        names = different_names([log_name(text) for text in texts])
        table = PersonTable(game, bots, names, seat, asked["seed"], store.all().values())
    table.deal()
    play = PlayTable(asked, table, store)
    _keep(play)
    return play


def _game(site: Site, name: str, bots: list[str] | None = None) -> BettingGame:
    from pokerlab.arena.matches import seat_players
    from pokerlab.games import load_betting_game
    from pokerlab.players.strategies import load_table_game

    with field_named("game"):
        if name.startswith(_FILE):
            listed = site.library.find(name.removeprefix(_FILE))
            if site.library.summary(listed)["kind"] not in ("solution", "spot"):
                raise UnknownIdError(f"{listed.name} is no spot and no solution")
            game = load_table_game(listed.path)
        elif name not in [game["name"] for game in _catalogue()]:
            raise ValueError(f"there is no card game {shorten(name)!r} in the catalogue")
        else:
            game = load_betting_game(name)
    if bots is None:
        return game
    with field_named("bots"):
        if not 1 <= len(bots) < _MOST_PLAYERS:
            raise ValueError(f"bots: 1 to {_MOST_PLAYERS - 1} can play against you")
        return seat_players(game, len(bots) + 1)


def _bot(site: Site, game: str, text: str) -> Bot:
    from pokerlab.players.bots import StrategyBot, make_bot
    from pokerlab.players.bots.catalogue import bot_names

    if text == _SOLUTION and game.startswith(_FILE):
        listed = site.library.find(game.removeprefix(_FILE), "solution")
        return StrategyBot(site.opened.solution(listed.path))
    found = _BOT.fullmatch(text)
    name = found[1] if found else ""
    if not found or name not in bot_names() or name in _NOT_HERE:
        raise ValueError(f"bots: there is no bot {shorten(text)!r} for this page")
    if found[2] and (name in _WITH_FILES or name.startswith("map-")):
        raise ValueError(f"bots: {name} takes no file on this page")
    return make_bot(text)


def _store(site: Site, game: BettingGame, id_: str) -> LineStore[PlayedHand]:
    """The hands of a table in a file, a line of a match log each."""
    from pokerlab.arena.logs.acpc_log import AcpcLogWriter, read_acpc_log
    from pokerlab.runtime.files.job_stores import LineStore

    def to_json(hand: PlayedHand) -> str:
        text = io.StringIO()
        AcpcLogWriter(text).hand(hand)
        return text.getvalue().splitlines()[-1]

    def from_json(line: Any) -> PlayedHand:
        if not isinstance(line, str):
            raise ValueError(f"{shorten(repr(line))} is not a hand")
        return next(read_acpc_log(f"{line}\n", game))

    site.play.folder.mkdir(parents=True, exist_ok=True)
    return LineStore(site.play.results(id_), to_json, from_json, lambda hand: str(hand.number))


def _keep(play: PlayTable) -> None:
    """Write the hands that are over and not in the file."""
    for hand in play.table.hands[len(play.store.all()) :]:
        play.store.add(str(hand.number), hand)


def _use(site: Site, id_: str) -> AbstractContextManager[PlayTable]:
    """A table, opened again if the server was started anew."""

    def restore(state: dict[str, Any]) -> PlayTable:
        try:
            return _make_table(site, state, id_)
        except (KeyError, TypeError):
            raise UnknownIdError("this table is gone; sit down at a new one") from None

    return site.play.use(id_, restore)


def _look(request: Request) -> Response:
    id_ = request.path_params["table"]
    with _use(site_of(request), id_) as play:
        return json_answer(play.data(id_))


def _act(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    answer, betting = text_of(data, "answer"), text_of(data, "betting")
    number = number_of(data, "number")

    def take(table: PersonTable) -> None:
        if (table.view.betting, len(table.hands) + 1) != (betting, number):
            raise ValueError("this decision has been made already")
        with field_named("answer"):
            table.act(answer)

    return _change(site, id_, take)


def _next(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    return _change(site, id_, lambda table: table.deal())


def _change(site: Site, id_: str, step: Callable[[PersonTable], object]) -> dict[str, Any]:
    with _use(site, id_) as play:
        step(play.table)
        _keep(play)
        return play.data(id_)


def _statistics(request: Request) -> Response:
    """How everybody played so far, and what the person has won after each hand."""
    import numpy as np

    from pokerlab.arena.logs.statistics import play_statistics

    with _use(site_of(request), request.path_params["table"]) as play:
        table = play.table
        hands, scores = list(table.hands), dict(zip(table.names, table.scores, strict=True))
        own = [table.won(hand)[hand.players.index("you")] for hand in hands]
    unit, factor = _unit(table.game)
    found = play_statistics(hands)
    won = np.cumsum(own)
    shown = np.unique(np.linspace(0, len(won) - 1, _CURVE).astype(int)) if hands else np.array([])
    return json_answer(
        {
            "mbb": table.game.mbb,
            "unit": unit,
            "players": {
                name: each.to_json() | {"a_hand": factor * scores[name] / each.hands}
                for name, each in found.items()
            },
            "curve": [[int(place) + 1, float(won[place])] for place in shown.tolist()],
        }
    )


def _unit(game: BettingGame) -> tuple[str, float]:
    """What results are counted in, and how many of it a chip is: of a spot its own big blind."""
    from pokerlab.players.strategies import SpotGame

    if isinstance(game, SpotGame) and not game.spot.has_big_blind:
        return "chips", 1.0
    return "mbb", game.mbb


def _log(request: Request) -> Response:
    """The hands as a file: PHH where it has the game, else a match log."""
    from pokerlab.arena.logs.acpc_log import AcpcLogWriter
    from pokerlab.games.formats.phh import check_phh_game, format_hand_history

    with _use(site_of(request), request.path_params["table"]) as play:
        hands, game, seed = list(play.table.hands), play.table.game, play.table.seed
    if not hands:
        raise UnknownIdError("no hand has been played to its end")
    try:
        check_phh_game(game)
        parts = [
            f"[{place}]\n{format_hand_history(hand.final, hand.players, hand.number)}\n"
            for place, hand in enumerate(hands, 1)
        ]
        text, name = "".join(parts), f"{game.name}.phhs"
    except ValueError:
        file = io.StringIO()
        writer = AcpcLogWriter(file)
        writer.header("table", game.name, len(hands), seed)
        for hand in hands:
            writer.hand(hand)
        writer.score()
        text, name = file.getvalue(), f"{game.name}.log"
    return file_answer(text, name, "text/plain; charset=utf-8")


ROUTES = [
    Route("/api/play", _choices),
    Route("/api/play", posting(_sit_down, "game", "bots", "seat", "seed"), methods=["POST"]),
    Route("/api/play/bots", _bots),
    Route("/api/play/tables/{table}", _look),
    Route(
        "/api/play/tables/{table}/act",
        posting(_act, "answer", "betting", "number"),
        methods=["POST"],
    ),
    Route("/api/play/tables/{table}/next", posting(_next), methods=["POST"]),
    Route("/api/play/tables/{table}/statistics", _statistics),
    Route("/api/play/tables/{table}/log", _log),
]
