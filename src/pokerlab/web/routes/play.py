"""The Play page: any game of the catalogue, or a spot of the folder, against any bots."""

from __future__ import annotations

import io
import re
import secrets
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

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
    from pokerlab.drills import Judgement
    from pokerlab.games import BettingGame
    from pokerlab.players.bots import Bot
    from pokerlab.players.bots.nolimit.bot import NolimitBot
    from pokerlab.players.bots.nolimit.why import ExplainedDecision
    from pokerlab.runtime.files.job_stores import LineStore

_FILE = "file:"
_SOLUTION = "solution"
_NOT_HERE = ("cases", "exec", "parrot", "strategy")
"""Bots that run a program or read any file; a solution of the folder plays as ``solution``."""
_WITH_FILES = ("limit2", "limit3", "adam", "hybrid")
_BOT = re.compile(r"([a-z0-9-]{1,40})(:[a-z0-9_.,=-]{0,100})?")
_NOLIMIT = re.compile(r"(seconds|iterations|gadget|threshold|threads)=[a-z0-9.]{1,20}")
"""What may be said of `nolimit`: nothing that names a file."""
_MOST_PLAYERS = 6
_STACKS = (5, 250)
"""Big blinds that may be chosen."""
_PATIENCE = 0.25
"""Seconds that an answer waits for a bot that thinks."""
_WHOLE = "holdem.nolimit.2p"
"""The game of whole hands that are practised."""
_THINKING = threading.Lock()
"""Bots think one after the other: each of them uses all cores, and they share their solves."""
_LARGEST_SEED = 2**62
_CURVE = 500


@dataclass
class PlayTable:
    """A table, its settings, and the file of its hands.

    A bot that solves what it plays thinks in a thread; meanwhile the table is shown as it was when
    it began.
    """

    asked: Mapping[str, Any]
    table: PersonTable
    store: LineStore[PlayedHand]
    explained_from: int = 0
    """Hands before this one were played by a server that is gone, with its solves."""
    thread: threading.Thread | None = None
    shown: dict[str, Any] = field(default_factory=dict)

    @property
    def solver(self) -> NolimitBot | None:
        """The bot that can explain hands, where the person plays against it."""
        from pokerlab.players.bots.nolimit.bot import NolimitBot

        bot = self.table.bots[0]
        return bot if isinstance(bot, NolimitBot) and len(self.table.bots) == 1 else None

    @property
    def thinking(self) -> bool:
        """Whether the bot is at it."""
        return self.thread is not None and self.thread.is_alive()

    def data(self, id_: str) -> dict[str, Any]:
        """The data that the page draws."""
        from pokerlab.views.payloads.person_payload import table_data

        thinking = self.thinking
        found = self.shown if thinking else table_data(self.table)
        known = self.solver is not None and len(self.table.hands) > self.explained_from
        more = {"thinking": thinking, "explains": known and not thinking}
        return {"table": id_, "asked": self.asked, **found, **more}

    def check_free(self) -> None:
        """`ValueError` while the bot thinks."""
        if self.thinking:
            raise ValueError("the bot is thinking")

    def think(self) -> None:
        """Let the bots act; after a moment the answer does not wait for them any more."""
        from pokerlab.views.payloads.person_payload import table_data

        if self.solver is None or self.table.waiting or self.table.over:
            self.table.go_on()
            _keep(self)
            return
        self.shown = table_data(self.table)

        def work() -> None:
            with _THINKING:
                self.table.go_on()
            _keep(self)

        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()
        self.thread.join(_PATIENCE)


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
        "stack": number_of(data, "stack", None, low=_STACKS[0], high=_STACKS[1]),
        "blinds": text_of(data, "blinds", ""),
        "seed": secrets.randbelow(_LARGEST_SEED) if seed is None else seed,
    }
    play, id_ = _add_table(site, asked)
    return play.data(id_)


def _add_table(site: Site, asked: Mapping[str, Any]) -> tuple[PlayTable, str]:
    id_ = site.play.new_id()
    play = _make_table(site, asked, id_)
    site.play.add(play, asked, id_)
    return play, id_


def _make_table(site: Site, asked: Mapping[str, Any], id_: str) -> PlayTable:
    """A table as it was asked for, with the hands that were played at it."""
    from pokerlab.arena.logs.acpc_log import log_name
    from pokerlab.arena.matches import different_names
    from pokerlab.arena.person_table import PersonTable

    texts = list(asked["bots"])
    game = _game(site, asked["game"], texts, asked.get("stack"), asked.get("blinds", ""))
    seat, store = asked["seat"], _store(site, game, id_)
    if seat is not None and not 0 <= seat < game.players:
        raise FieldError("seat", f"seat {seat}: {game.name} has the seats 0 to {game.players - 1}")
    with field_named("bots"):
        bots = [_bot(site, asked["game"], text) for text in texts]
        names = asked.get("names") or different_names([log_name(text) for text in texts])
        table = PersonTable(game, bots, names, seat, asked["seed"], store.all().values())
    explained_from = len(table.hands)
    table.deal()
    play = PlayTable(asked, table, store, explained_from)
    _keep(play)
    return play


def _game(
    site: Site,
    name: str,
    bots: list[str] | None = None,
    stack: float | None = None,
    blinds: str = "",
) -> BettingGame:
    from pokerlab.arena.matches import seat_players
    from pokerlab.games.loading import load_betting_game, with_blinds
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
    if stack is not None:
        with field_named("stack"):
            if name.startswith(_FILE) or game.betting != "no-limit" or not any(game.blinds):
                raise ValueError("stack: it can be chosen in no-limit games of the catalogue")
            game = load_betting_game(f"{name}.{stack:g}bb")
    if blinds:
        with field_named("blinds"):
            game = with_blinds(game, blinds)
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
    if name == "nolimit":
        return _nolimit(found[2] or "")
    return make_bot(text)


def _nolimit(settings: str) -> NolimitBot:
    """The bot; those with the same settings share their solves, so that many tables are cheap."""
    from pokerlab.players.bots.nolimit.bot import NolimitBot

    for each in settings.removeprefix(":").split(",") if len(settings) > 1 else ():
        if not _NOLIMIT.fullmatch(each):
            raise ValueError(
                f"bots: nolimit:{shorten(each)} must be seconds=, iterations=, gadget=, threshold="
                " or threads= on this page"
            )
    bot, shared = _make_nolimit(settings), _shared_nolimit(settings)
    assert isinstance(bot, NolimitBot)
    bot.play = shared.play
    return bot


def _make_nolimit(settings: str) -> Any:
    from pokerlab.players.bots import make_bot

    return make_bot(f"nolimit{settings}")


@lru_cache(maxsize=2)
def _shared_nolimit(settings: str) -> Any:
    return _make_nolimit(settings)


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
    with _use(site, id_) as play:
        play.check_free()
        table = play.table
        if (table.view.betting, len(table.hands) + 1) != (betting, number):
            raise ValueError("this decision has been made already")
        with field_named("answer"):
            table.take(answer)
        play.think()
        return play.data(id_)


def _next(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    with _use(site, id_) as play:
        play.check_free()
        play.table.deal()
        _keep(play)
        return play.data(id_)


def _explained(play: PlayTable) -> tuple[ExplainedDecision, ...]:
    """The decisions of the last hand; `ValueError` where nobody can tell."""
    from pokerlab.players.bots.nolimit.why import explain

    play.check_free()
    bot, hands = play.solver, play.table.hands
    if bot is None:
        raise ValueError("only hands against nolimit can be explained")
    if len(hands) <= play.explained_from:
        raise ValueError("no hand has been played since the server was started")
    hand = hands[-1]
    with _THINKING:
        return explain(bot, hand.final, 1 - hand.players.index("you"))


def _why(request: Request) -> Response:
    """Why the last hand went as it did: ranges, frequencies and EVs of each decision."""
    from pokerlab.views.payloads.why_payload import why_data

    with _use(site_of(request), request.path_params["table"]) as play:
        decisions = _explained(play)
        hand, game = play.table.hands[-1], play.table.game
    told = why_data(decisions, hand.players)
    blind = game.big_blind / game.unit
    return json_answer({"number": hand.number + 1, "big_blind": blind, "decisions": told})


def keep_solve(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Keep the solve of a decision of the last hand as a solution of the folder."""
    from pokerlab.cards.codes import format_cards
    from pokerlab.web.files.library import free_path

    with _use(site, id_) as play:
        decisions = _explained(play)
        decision = decisions[whole_of(data, "decision", low=1, high=len(decisions)) - 1]
        board = format_cards(decision.solved_cards[0])
        path = free_path(site.folder / f"nolimit-{board}.safetensors")
        with field_named("decision"):
            decision.keep(path)
    return {"id": site.library.id_of(path), "name": path.name, "line": decision.line}


class JudgedWholeHand(NamedTuple):
    """A whole hand, as far as nothing but its solves can judge it.

    Attributes
    ----------
    judged
        The decisions by number, those of the bot counted.
    unjudged
        How many decisions of the person nothing can judge.
    line, won
        The betting, and the chips that the person won.
    note
        Why none is judged; empty if some are, or there were none.
    """

    judged: list[tuple[int, Judgement]]
    unjudged: int
    line: str
    won: float
    note: str


def check_whole_hands(asked: Mapping[str, Any]) -> None:
    """`ValueError` if whole hands cannot be played as asked: the bot, the stack or the blinds."""
    from pokerlab.games.loading import load_betting_game, with_blinds

    if asked["bot"].partition(":")[0] != "nolimit" or not _BOT.fullmatch(asked["bot"]):
        raise ValueError(f"bot: {shorten(asked['bot'])}: only nolimit says what hands were worth")
    _nolimit(asked["bot"].removeprefix("nolimit"))
    stack, blinds = asked["stack"], asked["blinds"]
    game = load_betting_game(_WHOLE if stack is None else f"{_WHOLE}.{stack:g}bb")
    if blinds:
        with_blinds(game, blinds)


def deal_whole_hand(site: Site, asked: Mapping[str, Any]) -> str:
    """Deal the next hand at the table of whole hands, made with the first; gives its id."""
    id_ = asked["play"]
    if id_ is not None:
        try:
            with _use(site, id_) as play:
                play.check_free()
                if play.table.over:
                    play.table.deal()
                    _keep(play)
            return str(id_)
        except UnknownIdError:
            pass  # it was removed: the oldest tables are
    table = {
        "game": _WHOLE,
        "bots": [asked["bot"]],
        "names": ["nolimit"],
        "seat": None,
        "stack": asked["stack"],
        "blinds": asked["blinds"],
        "seed": secrets.randbelow(_LARGEST_SEED),
    }
    return _add_table(site, table)[1]


def judged_hand(site: Site, id_: str) -> JudgedWholeHand:
    """Judge the hand that was just played at a table against `nolimit`."""
    from pokerlab.drills.whole_hands import judge_decisions

    with _use(site, id_) as play:
        play.check_free()
        if not play.table.over or not play.table.hands:
            raise ValueError("this hand is not over")
        hand = play.table.hands[-1]
        won = play.table.won(hand)[hand.players.index("you")]
        try:
            explained = _explained(play)
        except ValueError:
            note = "the server was started anew meanwhile: nothing says what this hand was worth"
            return JudgedWholeHand([], 0, hand.betting, won, note)
    judged = [(told.number, each) for told, each in judge_decisions(explained)]
    unjudged = sum(not each.own for each in explained) - len(judged)
    return JudgedWholeHand(judged, unjudged, hand.betting, won, "")


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
    Route(
        "/api/play",
        posting(_sit_down, "game", "bots", "seat", "stack", "blinds", "seed"),
        methods=["POST"],
    ),
    Route("/api/play/bots", _bots),
    Route("/api/play/tables/{table}", _look),
    Route(
        "/api/play/tables/{table}/act",
        posting(_act, "answer", "betting", "number"),
        methods=["POST"],
    ),
    Route("/api/play/tables/{table}/next", posting(_next), methods=["POST"]),
    Route("/api/play/tables/{table}/why", _why),
    Route("/api/play/tables/{table}/keep", posting(keep_solve, "decision"), methods=["POST"]),
    Route("/api/play/tables/{table}/statistics", _statistics),
    Route("/api/play/tables/{table}/log", _log),
]
