"""Who may ask: a pure ASGI layer around the application.

- The token of the printed address becomes a cookie that scripts cannot read and that other sites'
  requests do not carry; nothing is answered without it.
- The name that a request calls this machine by must be one that we know: a stranger's name that
  was made to lead here (DNS rebinding) is refused.
- What another site's page sends is refused: by ``Origin`` and ``Sec-Fetch-Site``, on every request
  that changes something and on the whole API.
- A page loads nothing from elsewhere, and runs no script that is not a file of ours.
- A body has a limit, and a time in which it must arrive.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import socket
import time
from hashlib import sha256
from html import escape
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pokerlab.web.answers import error_answer

MAX_BODY = 4_000_000
"""Bytes of a request; the longest that a page sends is a spot with many locks."""

MAX_UPLOAD = 64_000_000_000
"""Bytes of a file that is dropped into the Library."""

UPLOAD = "/api/library/upload"
_YEAR = 365 * 24 * 3600
"""Seconds that a browser keeps the cookie: bookmarks outlive it and the server."""

BODY_SECONDS = 30.0
"""The seconds within which a request must arrive; an upload must not pause for longer."""

_HEADERS = {
    "content-security-policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Security:
    """Wraps an application.

    Parameters
    ----------
    app
        The application.
    token
        What a request must show.
    host
        The name or address that the server listens on.
    """

    def __init__(self, app: ASGIApp, token: str, host: str = "127.0.0.1") -> None:
        self.app = app
        self.token = token
        self.host = host
        # Cookies do not tell ports apart, so each server has a name of its own for it.
        self.cookie = f"pokerlab-{sha256(token.encode()).hexdigest()[:8]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        sending = _with_headers(send, scope["path"])
        limit = MAX_UPLOAD if scope["path"] == UPLOAD else MAX_BODY
        refusal = self._refusal(scope, headers, limit)
        if refusal is not None:
            await refusal(scope, receive, sending)
            return
        whole = scope["path"] != UPLOAD
        await self.app(scope, _limited(receive, limit, whole=whole), sending)

    def _refusal(self, scope: Scope, headers: Headers, limit: int) -> Response | None:
        """The answer to a request that is not passed on."""
        host = headers.get("host", "")
        if not self._is_our_name(host):
            return error_answer("this name is not one of this server's", 421)
        if not _from_our_pages(scope, headers, host):
            return error_answer("a page of another site must not ask this server", 403)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and len(length) < 20):
            return error_answer("Content-Length is not a number of bytes", 400)
        if int(length) > limit:
            return error_answer(_too_large(limit), 413)
        cookies = cookie_parser(headers.get("cookie", ""))
        if _same(cookies.get(self.cookie, ""), self.token):
            return None
        return self._admit(scope)

    def _admit(self, scope: Scope) -> Response:
        """The first request, which shows the token in its address, or one without a token."""
        query = scope.get("query_string", b"").decode("latin-1")
        pairs = parse_qsl(query, keep_blank_values=True)
        shown = dict(pairs).get("token", "")
        if scope["method"] != "GET" or not _same(shown, self.token):
            if scope["path"].startswith("/api/"):
                return error_answer("open the address that `pokerlab web` printed first", 403)
            return HTMLResponse(_NO_TOKEN, 403)
        rest = urlencode([pair for pair in pairs if pair[0] != "token"])
        # Exactly one slash at the start: two would name another host.
        path = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{rest}" if rest else "")
        # A page that leads on, and no redirection: after a link on another site a browser would
        # not send the cookie to where a redirection leads.
        answer = HTMLResponse(_LEAD_ON.format(address=escape(path, quote=True)))
        answer.set_cookie(
            self.cookie, self.token, _YEAR, httponly=True, samesite="strict", path="/"
        )
        return answer

    def _is_our_name(self, host: str) -> bool:
        """Whether a Host header names this machine.

        Addresses in numbers cannot be made to lead elsewhere; names can, so that they are listed.
        """
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        port = host[len(name) + 1 :]
        if port and not (port.isascii() and port.isdecimal()):
            return False
        name = name.lower()
        if name in ("localhost", self.host.lower()):
            return True
        try:
            address = ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return not is_local(self.host) and name == socket.gethostname().lower()
        return address.is_loopback or not is_local(self.host)


def is_local(host: str) -> bool:
    """Whether a server on this name or address can be reached from this machine alone.

    Examples
    --------
    >>> is_local("127.0.0.1"), is_local("::1"), is_local("0.0.0.0"), is_local("example.org")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _from_our_pages(scope: Scope, headers: Headers, host: str) -> bool:
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.lower() != f"http://{host}".lower():
        return False
    changes = scope["method"] not in ("GET", "HEAD")
    if not changes and not scope["path"].startswith("/api/"):
        return True  # a link on another site may lead to a page; it shows nothing without a cookie
    if site is None:  # no browser
        return True
    return site == "same-origin" or (site == "none" and not changes)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def _too_large(limit: int) -> str:
    from pokerlab.runtime.machine import size_text

    return f"the request is larger than {size_text(limit)}"


def _limited(receive: Receive, limit: int, *, whole: bool) -> Receive:
    """Count what is received, as a request need not say how long it is, and the time it takes.

    `whole`: the time is that of the whole body, and not that of a part.
    """
    received, arrives, began = 0, True, time.monotonic()

    async def counting() -> Message:
        nonlocal received, arrives
        if arrives:
            spent = time.monotonic() - began if whole else 0.0
            try:
                message = await asyncio.wait_for(receive(), max(BODY_SECONDS - spent, 0.0))
            except TimeoutError:
                raise HTTPException(408, "the request did not arrive in time") from None
        else:  # nothing comes any more but the end of the connection
            message = await receive()
        received += len(message.get("body", b""))
        arrives = bool(message.get("more_body", False))
        if received > limit:
            raise HTTPException(413, _too_large(limit))
        return message

    return counting


def _with_headers(send: Send, path: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            caching = "no-cache" if path.startswith("/static/") else "no-store"
            headers.setdefault("cache-control", caching)
        await send(message)

    return sending


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>pokerlab</title>{head}</head>
<body><p>{text}</p></body></html>
"""
_NO_TOKEN = _PAGE.format(
    head="",
    text="This needs the address that <code>pokerlab web</code> printed: it holds a token, "
    "which is kept in the folder that is served.",
)
_LEAD_ON = _PAGE.format(
    head='<meta http-equiv="refresh" content="0; url={address}">',
    text='<a href="{address}">Go on</a>',
)
