"""Random requests: whatever is asked of any address, the answer is never a 500."""

import json
import re
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .conftest import RIVER
from .test_every_route import KNOWN, ROUTES, attacked, fields_of

__all__ = ["attacked"]

HOSTILE = ["", "..", "../../etc/passwd", "%2e%2e%2f", "\0", "x" * 300, "-1", "1e999", "é♠", "@/etc"]
LINES = ["", "x", "x/b51", "x/a/c", "b51/f", "x/x", "nonsense", "x/b51/Qc", "//", "x/b1e9", "b51/r"]
GOOD = ["0.3%", "AA, KK:0.5", "QhJh2c4d7h", "oop", "ip", "kuhn", "caller", "0", "1", "x", "full"]

TEXTS = st.sampled_from([*HOSTILE, *LINES, *GOOD]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
)
VALUES = TEXTS | st.integers() | st.floats() | st.integers(-2, 12) | st.none() | st.booleans()
NESTED = st.recursive(
    VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
SPOTS = st.dictionaries(
    st.sampled_from(sorted(RIVER.fields())), NESTED, min_size=1, max_size=2
).map(lambda changes: {**RIVER.fields(), **changes})
MOSTLY = st.sampled_from([True] * 7 + [False])
HEADERS = st.dictionaries(
    st.sampled_from(["host", "origin", "sec-fetch-site", "cookie", "content-length"]),
    st.sampled_from(["evil.example", "null", "x", "-1", "cross-site", "localhost"]),
    min_size=1,
    max_size=2,
)


def ask(data, attacked):
    """A request that is good but for a thing or two, which may be anything."""
    method, route, endpoint = data.draw(st.sampled_from(ROUTES))
    path = route
    for part in re.findall(r"{.*?}", route):
        likely = attacked.places[route[: route.index(part) + len(part)]]
        likely = likely if data.draw(MOSTLY) else [*attacked.ids.values(), *HOSTILE]
        chosen = data.draw(st.sampled_from(likely))
        path = path.replace(part, quote(chosen, safe="%") or "x", 1)
    good = attacked.filled(KNOWN[method][route] or {})
    own = sorted({*good, *fields_of(endpoint)}) or ["unknown"]
    good = {name: each for name, each in good.items() if data.draw(MOSTLY)}
    headers = {} if data.draw(MOSTLY) else data.draw(HEADERS)
    query, content = {}, b""
    if method == "GET":
        names = st.sampled_from([*own, "line", "hands"])
        query = good | data.draw(st.dictionaries(names, TEXTS, max_size=2))
    else:
        body = good | data.draw(st.dictionaries(st.sampled_from(own), NESTED, max_size=2))
        if "spot" in own and not data.draw(MOSTLY):
            body["spot"] = data.draw(SPOTS)
        content = json.dumps(body if data.draw(MOSTLY) else data.draw(NESTED)).encode()
        if not data.draw(MOSTLY):
            content = data.draw(st.binary(max_size=40))
    answer = attacked.client.request(method, path, params=query, headers=headers, content=content)
    attacked.restore()
    attacked.check(answer, (method, path, query, content))


FEW = settings(suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=1000, suppress_health_check=list(HealthCheck))


@FEW
@given(st.data())
def test_random_requests(attacked, data):
    ask(data, attacked)


@pytest.mark.slow
@MANY
@given(st.data())
def test_a_thousand_random_requests(attacked, data):
    ask(data, attacked)
