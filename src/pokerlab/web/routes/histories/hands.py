"""The Hands pages: the hands of histories as a list, each one by itself, players and models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.arena.logs.hand_query import (
    HandQuery,
    played_statistics,
    rows_of,
    select,
    totals,
)
from pokerlab.arena.logs.histories import POTS, FoundHand, HandFilter, hand_at
from pokerlab.holdem.charts import SIX_MAX
from pokerlab.holdem.spots.question.preflop_story import POSITIONS
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.web.answers import (
    FieldError,
    field_named,
    flag_of,
    json_answer,
    text_of,
    whole_number,
)
from pokerlab.web.files.library import check_name, free_path
from pokerlab.web.files.saved_files import list_stories
from pokerlab.web.routes.tasks import begin_task
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.arena.logs.hand_spot import HandSpot
    from pokerlab.arena.logs.history_hand import HistoryHand
    from pokerlab.web.files.histories import OpenHands

_MOST_ROWS = 300
_MOST_PLAYERS = 200
_MOST_FILES = 500
_MODEL_BYTES = 300_000_000
_EVERYBODY = "*"
"""The player of a list that is nobody's in particular."""


def open_hands(site: Site, asked: Mapping[str, str]) -> OpenHands:
    """The hands of the files that a request names; of all histories if it names none."""
    ids = [id_ for id_ in asked.get("files", "").split(",") if id_][:_MOST_FILES]
    return site.histories.open(ids)


def query_of(asked: Mapping[str, str], opened: OpenHands) -> HandQuery:
    """The filters of a request; if it names no player, whose histories these are."""
    given = dict(asked)
    given["player"] = given.get("player") or opened.hands.hero()
    if given["player"] == _EVERYBODY:
        given["player"] = ""
    try:
        query = HandQuery.of(given)
    except ValueError as error:
        field = str(error).partition(":")[0].split(" ")[0]
        raise FieldError(field, str(error)) from None
    if query.player and query.player not in opened.hands.names and not opened.reading:
        raise FieldError("player", f"player: {shorten(query.player)} plays no hand of these files")
    return query


def _list(request: Request) -> Response:
    """A part of a list, and what a page needs around it."""
    site, asked = site_of(request), dict(request.query_params)
    first = whole_number(asked.pop("first", "0"), "first", 10**9)
    count = whole_number(asked.pop("count", "100"), "count", _MOST_ROWS)
    opened = open_hands(site, asked)
    query = query_of(asked, opened)
    index = opened.hands
    chosen = select(index, query)
    rows = rows_of(index, chosen[first : first + count], query.player)
    for row in rows:
        row["id"] = opened.files[row["file"]].id
    return json_answer(
        {
            "files": [{"id": each.id, "name": each.name} for each in site.histories.files()],
            "reading": opened.reading,
            "faults": opened.faults,
            "all": len(index),
            "left_out": index.left_out,
            "other_games": index.other_games,
            "player": query.player,
            "players": _most_often(opened),
            "stakes": _stakes(opened),
            "positions": POSITIONS,
            "pots": POTS,
            "totals": totals(index, chosen, query.player),
            "first": first,
            "rows": rows,
        }
    )


def _most_often(opened: OpenHands) -> list[str]:
    return [each.player for each in played_statistics(opened.hands, most=_MOST_PLAYERS)]


def _stakes(opened: OpenHands) -> list[str]:
    """The stakes that there are, the smallest first."""
    hands = opened.hands.hands
    pairs = sorted(set(zip(hands["big"].tolist(), hands["small"].tolist(), strict=True)))
    return [f"{small:g}/{big:g}" if small else f"{big:g}" for big, small in pairs][:100]


def _unread(request: Request) -> Response:
    """The hands that could not be read, a line each."""
    opened = open_hands(site_of(request), request.query_params)
    index = opened.hands
    return json_answer(
        {
            "left_out": index.left_out,
            "hands": [
                {"file": index.files[file], "place": place, "reason": reason}
                for file, place, reason in index.unread
            ],
        }
    )


def _players(request: Request) -> Response:
    """How the players of the chosen hands play."""
    opened = open_hands(site_of(request), request.query_params)
    query = query_of(request.query_params, opened)
    chosen = select(opened.hands, query)
    found = played_statistics(opened.hands, chosen, _MOST_PLAYERS)
    return json_answer(
        {
            "hands": len(chosen),
            "players": [
                {
                    "player": each.player,
                    "hands": each.hands,
                    "vpip": each.vpip,
                    "pfr": each.pfr,
                    "aggression": each.aggression,
                    "showdown": each.showdowns / each.hands,
                    "won_there": each.won_there,
                    "per_hundred": 100 * each.mean,
                    "error": 100 * each.stderr,
                }
                for each in found
            ],
        }
    )


def find_hand(site: Site, file: str, place: str) -> tuple[str, int, HistoryHand]:
    """A hand by the id of its file and its place; the name of the file, the place and the hand."""
    listed = site.library.find(file, "history")
    number = whole_number(place, "place", 10**9, 1)
    with field_named("place"):
        found = hand_at(listed.path, number)
    if not isinstance(found, FoundHand):
        raise ValueError(f"{listed.name}: hand {number} cannot be read: {found.reason}")
    return listed.name, number, found.hand


def _hand(request: Request) -> Response:
    """A hand for its page: the table step by step, its spot, and the solutions that fit."""
    from pokerlab.views.payloads.history_payload import history_hand_data

    site, place = site_of(request), request.path_params
    name, number, hand = find_hand(site, place["file"], place["place"])
    data = history_hand_data(hand)
    note, reason = "", ""
    try:
        note = spot_of_hand(site, hand, request.query_params.get("ranges", "")).note
    except FieldError:
        raise
    except ValueError as error:
        reason = str(error)
    return json_answer(
        data
        | {
            "file": place["file"],
            "name": name,
            "place": number,
            "two": hand.two_on_flop,
            "note": note,
            "no_spot": one_line(reason, 300),
            "ranges": [SIX_MAX, *(each["file"] for each in list_stories(site.folder))],
            "solutions": _solutions(site, hand),
        }
    )


def spot_of_hand(site: Site, hand: HistoryHand, ranges: str) -> HandSpot:
    """The spot of a hand with the bet sizes that were used; `ranges` is a file of the folder."""
    from pokerlab.arena.logs.hand_spot import spot_of_history

    return spot_of_history(hand, ranges=ranges_file(site, ranges), played_sizes=True)


def ranges_file(site: Site, name: str) -> str | None:
    """The path of a file of ranges that is listed, or ``six-max``; None for what fits the table."""
    if not name or name == SIX_MAX:
        return name or None
    if all(name != each["file"] for each in list_stories(site.folder)):
        raise FieldError("ranges", f"ranges: there is no file of ranges {shorten(name)!r}")
    return str(site.folder / name)


def _solutions(site: Site, hand: HistoryHand) -> list[dict[str, Any]]:
    """The solutions of the folder with the board and the stack-to-pot ratio of a hand."""
    from pokerlab.drills.played.played_hands import fits

    if not hand.two_on_flop:
        return []
    found = []
    for entry in site.library.listing():
        board = entry.get("board") or ""
        if entry["kind"] != "solution" or entry["error"] or board[:2] not in hand.board:
            continue
        if {*_cards(board)[:3]} != {*_cards(hand.board)[:3]}:
            continue
        spot = site.opened.solution(site.library.find(entry["id"]).path).spot
        if fits(hand, spot):
            found.append({"id": entry["id"], "name": entry["name"], "reached": entry["reached"]})
    return found


def _cards(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def _judge(site: Site, data: dict[str, Any], file: str, place: str) -> dict[str, Any]:
    """Judge the decisions of a hand by a solution of the folder."""
    from pokerlab.drills.played.played_hands import judge_played, keep_decisions
    from pokerlab.views.payloads.drill_payload import judgement_data
    from pokerlab.web.pages.money import money_of

    name, number, hand = find_hand(site, file, place)
    listed = site.library.find(text_of(data, "solution"), "solution")
    solution = site.opened.solution(listed.path)
    with field_named("solution"):
        found = judge_played(hand, solution)
    if flag_of(data, "keep_mistakes"):
        keep_decisions(listed.path, Path(name).name, number, found.moves)
    return {
        "solution": listed.id,
        "money": money_of(solution.spot),
        "decisions": [
            {
                "player": hand.players[each.seat],
                "move": each.move,
                "size": each.done,
                **judgement_data(each.judgement),
            }
            for each in found.moves
        ],
        "reason": found.reason,
    }


def _model(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """Begin to count how a player plays, for a model in the folder."""
    asked = {name: text_of(data, name, "") for name in _MODEL}
    opened = open_hands(site, asked)
    if opened.reading or not opened.files:
        raise FieldError("files", "files: there are no histories that have been read")
    player = asked["player"] if asked["player"] != _EVERYBODY else ""
    if player and player not in opened.hands.names:
        raise FieldError("player", f"player: {shorten(player)} plays no hand of these files")
    chosen = {name: asked[name].strip() or None for name in ("stakes", "seats", "pot")}
    try:
        HandFilter.parse(**chosen)
    except ValueError as error:
        raise FieldError(str(error).split(" ")[0], str(error)) from None
    stem = check_name(asked["name"] or "pool")
    path = free_path(site.folder / f"{stem}.toml")
    return begin_task(
        site,
        "model",
        f"{path.stem}, model",
        {
            "files": [str(each.path) for each in opened.files],
            "filter": chosen,
            "player": player or None,
            "output": str(path),
        },
        needed=_MODEL_BYTES,
        address="/hands?tab=players&model=JOB",
    )


_MODEL = ("files", "player", "stakes", "seats", "pot", "name")

ROUTES = [
    Route("/api/hands", _list),
    Route("/api/hands/unread", _unread),
    Route("/api/hands/players", _players),
    Route("/api/hands/model", posting(_model, *_MODEL), methods=["POST"]),
    Route("/api/hands/of/{file}/{place}", _hand),
    Route(
        "/api/hands/of/{file}/{place}/judge",
        posting(_judge, "solution", "keep_mistakes"),
        methods=["POST"],
    ),
]
