"""What the tests of the pages share: one small solved river, a folder, a client with its cookie."""

import shutil

import pytest

from pokerlab.holdem.spots import Spot, solve_spot

pytest.importorskip("starlette")

TOKEN = "the-token-of-the-tests"

RIVER = Spot(
    "QhJh2c4d7h",
    "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 8c7c:0.64, 5h4h:0.71, AcKc, 6d5d:0.37",
    "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs, TdTs, AcQs, AsAd",
    pot=101,
    stack=260,
    bet="50%, a",
    raise_="60%, a",
)


@pytest.fixture(scope="session")
def river_file(tmp_path_factory):
    """The file of a solved river; copy it, do not change it."""
    path = tmp_path_factory.mktemp("solved") / "river.safetensors"
    solve_spot(RIVER, target="0.2%", threads=1).save(path)
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory, river_file):
    """A folder with a spot, its solution, and a file that is damaged."""
    place = tmp_path_factory.mktemp("folder")
    (place / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    shutil.copy(river_file, place / "river.safetensors")
    (place / "damaged.safetensors").write_bytes(river_file.read_bytes()[:-40])
    return place


@pytest.fixture(scope="module")
def client(folder):
    """A client that has opened the printed address."""
    from starlette.testclient import TestClient

    from pokerlab.web import make_app

    with TestClient(make_app(folder, token=TOKEN), base_url="http://127.0.0.1:8642") as client:
        assert client.get(f"/?token={TOKEN}").status_code == 200
        yield client


@pytest.fixture(scope="module")
def ids(client):
    """The id of each file of the folder, by name."""
    return {entry["name"]: entry["id"] for entry in client.get("/api/library").json()["files"]}
