"""The Library: list the folder, and manage its files."""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import UnknownIdError, gone_text, json_answer, text_of
from pokerlab.web.files.receiving import receive
from pokerlab.web.site import Site, posting, site_of


def _list(request: Request) -> Response:
    site = site_of(request)
    if not site.folder.is_dir():
        raise UnknownIdError(gone_text(site.folder))
    files = site.library.listing()
    return json_answer({"folder": site.folder.name, "files": files, "cut": site.library.cut})


def _rename(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    id_ = text_of(data, "id")
    site.opened.forget(site.library.find(id_).path)
    listed = site.library.rename(id_, text_of(data, "name"))
    return site.library.summary(listed)


def _move(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    id_ = text_of(data, "id")
    site.opened.forget(site.library.find(id_).path)
    return site.library.summary(site.library.move(id_, text_of(data, "folder")))


def _duplicate(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    return site.library.summary(site.library.duplicate(text_of(data, "id")))


def _delete(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    id_ = text_of(data, "id")
    listed = site.library.find(id_)
    site.opened.forget(listed.path)
    site.library.delete(id_)
    return {"deleted": listed.name}


async def _upload(request: Request) -> Response:
    site = site_of(request)
    name = request.query_params.get("name", "")
    length = int(request.headers.get("content-length", "0"))
    path = await receive(site.folder, name, length, request.stream())
    listed = await run_in_threadpool(site.library.find, site.library.id_of(path))
    return json_answer(await run_in_threadpool(site.library.summary, listed))


ROUTES = [
    Route("/api/library", _list),
    Route("/api/library/upload", _upload, methods=["POST"]),
    Route("/api/library/rename", posting(_rename, "id", "name"), methods=["POST"]),
    Route("/api/library/move", posting(_move, "id", "folder"), methods=["POST"]),
    Route("/api/library/duplicate", posting(_duplicate, "id"), methods=["POST"]),
    Route("/api/library/delete", posting(_delete, "id"), methods=["POST"]),
]
