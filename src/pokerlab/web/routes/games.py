"""Small games: trees, strategies, exact values, and races of update rules.

Solvers are imported with the first request that needs them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import anyio
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from pokerlab.runtime.errors import one_line
from pokerlab.web.answers import FieldError, json_answer, json_bytes, whole_number

if TYPE_CHECKING:
    from pokerlab.solvers import RacePoint

_MOST_RULES = 8
_MOST_ITERATIONS = 100_000
_MOST_SECONDS = 30.0
_SECONDS_BETWEEN_LOOKS = 0.1
_races = threading.BoundedSemaphore(2)
"""The number of races that run at a time."""


def _list(request: Request) -> Response:
    from pokerlab.web.pages.game_views import list_games

    return json_answer({"games": list_games()})


def _show(request: Request) -> Response:
    from pokerlab.web.pages.game_views import game_data

    return json_answer(game_data(request.path_params["name"]))


def _solve(request: Request) -> Response:
    from pokerlab.web.pages.game_views import check_rule, solution_data

    rule = check_rule(request.query_params.get("rule", "lp"))
    name = request.path_params["name"]
    return json_answer(solution_data(name, rule, _iterations(request, 1000)))


def _draw(request: Request) -> Response:
    from pokerlab.web.pages.game_views import check_rule, draw_game

    query = request.query_params
    depth = None if not query.get("depth") else whole_number(query["depth"], "depth", 60)
    rule = query.get("rule", "")
    show = tuple(word for word in query.get("show", "").split(",") if word)
    return json_answer(
        draw_game(
            request.path_params["name"],
            query.get("view", "game"),
            depth=depth,
            path=query.get("path", ""),
            solved=(check_rule(rule), _iterations(request, 1000)) if rule else None,
            show=show,
        )
    )


def _iterations(request: Request, otherwise: int) -> int:
    text = request.query_params.get("iterations", str(otherwise))
    return whole_number(text, "iterations", _MOST_ITERATIONS, least=1)


class _Race(threading.Thread):
    """A race in a thread of its own; its kernels leave the other threads alone."""

    def __init__(self, name: str, rules: list[str], iterations: int, seconds: float) -> None:
        from pokerlab.solvers import run_side_by_side
        from pokerlab.web.pages.game_views import check_rule, tree_of_game

        super().__init__(daemon=True)
        rules = [check_rule(rule) for rule in rules]
        if not 1 <= len(rules) <= _MOST_RULES or "lp" in rules:
            raise FieldError("rules", f"rules: 1 to {_MOST_RULES} update rules can race")
        self.stop = threading.Event()
        self.points: deque[RacePoint] = deque()
        self.problem = ""
        self._run = run_side_by_side(
            tree_of_game(name), rules, iterations=iterations, seconds=seconds, stop=self.stop
        )

    def run(self) -> None:
        try:
            self.points.extend(self._run)
        except Exception as error:  # whatever it is, somebody waits for the end
            self.problem = one_line(str(error) or type(error).__name__)
        finally:
            _races.release()

    def news(self) -> list[list[Any]]:
        """The measurements since the last call."""
        found = []
        while self.points:
            point = self.points.popleft()
            found.append([point.rule, point.iteration, point.seconds, point.exploitability])
        return found


async def _race(request: Request) -> Response:
    query = request.query_params
    rules = _split_rules(query.get("rules", "cfr,cfr+,dcfr"))
    seconds = whole_number(query.get("seconds", "10"), "seconds", int(_MOST_SECONDS), least=1)
    iterations = _iterations(request, 10_000)
    name = request.path_params["name"]
    if not _races.acquire(blocking=False):  # before a tree is built, which keeps all threads busy
        raise FieldError("race", "two races are under way already: wait for one of them")
    try:
        race = await anyio.to_thread.run_sync(_Race, name, rules, iterations, float(seconds))
        race.start()
    except BaseException:
        _races.release()
        raise

    async def stream() -> AsyncIterator[bytes]:
        try:
            while True:
                over = not race.is_alive()
                if points := race.news():
                    yield b"event: points\ndata: " + json_bytes(points) + b"\n\n"
                if over or await request.is_disconnected():
                    break
                await anyio.sleep(_SECONDS_BETWEEN_LOOKS)
            yield b"event: end\ndata: " + json_bytes({"error": race.problem}) + b"\n\n"
        finally:
            race.stop.set()

    return StreamingResponse(stream(), media_type="text/event-stream")


def _split_rules(text: str) -> list[str]:
    """Rules between commas, of which those in brackets belong to a rule."""
    parts, depth = [""], 0
    for char in text[:500]:
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


ROUTES = [
    Route("/api/games", _list),
    Route("/api/games/{name}", _show),
    Route("/api/games/{name}/solution", _solve),
    Route("/api/games/{name}/tree", _draw),
    Route("/api/games/{name}/race", _race),
]
