"""The listing of a folder, and ids."""

import os
import shutil
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.histories import NIGHT

from pokerlab.cards import Range
from pokerlab.web import make_app
from pokerlab.web.answers import UnknownIdError
from pokerlab.web.files.library import Library
from pokerlab.web.files.receiving import UPLOADS

from .conftest import RIVER

HISTORIES = Path(__file__).parents[1] / "data" / "histories"


def test_the_listing_says_what_is_there(client, folder):
    files = {entry["name"]: entry for entry in client.get("/api/library").json()["files"]}
    assert set(files) == {"river.toml", "river.safetensors", "damaged.safetensors"}
    solution = files["river.safetensors"]
    assert solution["kind"] == "solution"
    assert solution["board"] == "QhJh2c4d7h"
    assert solution["exploitability"]["percent"] <= 0.2
    assert solution["bytes"] == (folder / "river.safetensors").stat().st_size
    assert len(solution["ranges"][0]) == 169
    assert files["river.toml"]["kind"] == "spot"
    damaged = files["damaged.safetensors"]
    assert "damaged" in damaged["error"]
    assert str(folder) not in damaged["error"]


def test_ids_are_no_paths_and_links_out_are_not_seen(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "deep" / ".hidden").mkdir(parents=True)
    outside.mkdir()
    for place in (outside, inside / "deep", inside / "deep" / ".hidden"):
        (place / "spot.toml").write_text('board = "QhJh2c"', encoding="utf-8")
    (inside / "link.toml").symlink_to(outside / "spot.toml")
    (inside / "circle.toml").symlink_to(inside / "circle.toml")
    (inside / "folder").symlink_to(outside, target_is_directory=True)
    library = Library(inside)
    (entry,) = library.listing()
    assert entry["name"] == "deep/spot.toml"
    assert library.find(entry["id"]).path == inside / "deep" / "spot.toml"
    for other in ("../outside/spot.toml", "", "deep/spot.toml", entry["id"].upper() + "0"):
        with pytest.raises(UnknownIdError):
            library.find(other)
    Path(inside / "deep" / "spot.toml").unlink()
    with pytest.raises(UnknownIdError):
        library.find(entry["id"])


def test_a_file_that_changes_is_read_again(tmp_path):
    path = tmp_path / "spot.toml"
    text = 'board="QhJh2c4d7h"\noop="KK"\nip="AA"\npot=1\nstack=1'
    path.write_text(text, encoding="utf-8")
    library = Library(tmp_path)
    assert library.listing()[0]["board"] == "QhJh2c4d7h"
    path.write_text(text.replace("7h", "8h"), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert library.listing()[0]["board"] == "QhJh2c4d8h"


def test_a_spot_that_is_not_finished_is_no_error(client, folder):
    fields = 'oop = "AA"\nip = "KK"\npot = "5.5bb"\nstack = 90\n'
    spots = {
        "flops.toml": f'{fields}[textures.monotone]\nbet = "33%"',  # as `pokerlab batch` takes it
        "chips.toml": 'board = "QhJh2c"\noop = "AA"\nip = "KK"',
        "bad.toml": f"{fields}rake = 7",
    }
    for name, text in spots.items():
        (folder / name).write_text(text, encoding="utf-8")
    try:
        files = {entry["name"]: entry for entry in client.get("/api/library").json()["files"]}
        found = {name: files[name] for name in spots}
        assert [each["kind"] for each in found.values()] == ["spot"] * 3
        assert found["flops.toml"]["missing"] == ["board"]
        assert (found["flops.toml"]["error"], found["flops.toml"]["pot"]) == (None, "5.5bb")
        assert found["chips.toml"]["missing"] == ["pot", "stack"]
        assert found["chips.toml"]["board"] == "QhJh2c"
        assert found["bad.toml"]["error"].startswith("rake: ")
        offered = {each["name"] for each in client.get("/api/batches").json()["spots"]}
        assert offered & spots.keys() == {"flops.toml"}
        assert not {each["words"] for each in client.get("/api/play").json()["files"]} & set(spots)
        id_ = found["flops.toml"]["id"]
        assert client.get(f"/api/spots/{id_}").json()["fields"]["pot"] == "5.5bb"
    finally:
        for name in spots:
            (folder / name).unlink()


def test_a_toml_file_that_cannot_be_read_is_named_with_its_line(tmp_path):
    texts = {
        "typo.toml": b'board = "QhJh2c\npot = 2',
        "empty.toml": b" \n",
        "binary.toml": bytes(range(128, 256)),
        "deep.toml": b"pot = " + b"[" * 50_000,
        "game.toml": b'name = "kuhn"',
        "spot.toml": b'board = "QhJh2c"',
    }
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    found = {entry["name"]: entry for entry in Library(tmp_path).listing()}
    assert {entry["kind"] for entry in found.values()} == {"spot"} and "game.toml" not in found
    assert {name: entry["error"] for name, entry in found.items()} == {
        "typo.toml": "not a TOML file: Illegal character '\\n' (at line 1, column 16)",
        "empty.toml": "it is empty",
        "binary.toml": "it is not a text file in UTF-8",
        "deep.toml": "not a TOML file: its brackets are nested too deeply",
        "spot.toml": None,
    }


def test_what_a_killed_server_left_of_an_upload_is_removed_at_the_next_start(tmp_path):
    place = tmp_path / UPLOADS
    place.mkdir(parents=True)
    for name, seconds in (("old", 3600), ("new", 5)):
        (place / f"{name}.toml").write_text("x", encoding="utf-8")
        os.utime(place / f"{name}.toml", (time.time() - seconds,) * 2)
    make_app(tmp_path)
    assert [path.name for path in place.iterdir()] == ["new.toml"]


@pytest.fixture
def own(tmp_path, river_file):
    """A client over a folder of its own, which tests may change."""
    (tmp_path / "river.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    shutil.copy(river_file, tmp_path / "river.safetensors")
    with TestClient(make_app(tmp_path, token="t"), base_url="http://127.0.0.1") as client:
        client.get("/?token=t")
        client.folder = tmp_path
        yield client


def test_a_folder_that_is_gone_is_said(own):
    id_ = listed(own)["river.toml"]["id"]
    form = own.get("/api/spots/new").json()["fields"]
    shutil.rmtree(own.folder)
    for answer in (
        own.get("/api/library"),
        own.post("/api/spots", json={"name": "new", "spot": form}),
        own.post("/api/library/upload?name=a.toml", content=b"pot = 1"),
    ):
        assert answer.status_code == 404
        assert answer.json()["error"].startswith(f"the folder {own.folder.name} is gone")
    assert own.get(f"/api/spots/{id_}").status_code == 404
    assert not own.folder.exists()


def listed(client):
    return {entry["name"]: entry for entry in client.get("/api/library").json()["files"]}


def names(folder):
    """All files of a folder, those of uploads that are not over included."""
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_rename_duplicate_delete(own):
    id_ = listed(own)["river.safetensors"]["id"]

    def post(action, **data):
        return own.post(f"/api/library/{action}", json=data)

    renamed = post("rename", id=id_, name="my river").json()
    assert renamed["name"] == "my river.safetensors"
    assert post("rename", id=id_, name="other").status_code == 404
    id_ = renamed["id"]
    assert post("rename", id=id_, name="my river").json()["id"] == id_
    twin = post("duplicate", id=id_).json()
    assert twin["name"] == "my river-2.safetensors"
    taken = post("rename", id=id_, name="my river-2")
    assert taken.status_code == 400
    assert taken.json()["field"] == "name"
    assert post("delete", id=id_).json() == {"deleted": "my river.safetensors"}
    assert set(listed(own)) == {"my river-2.safetensors", "river.toml"}
    for action in ("rename", "duplicate", "delete"):
        name = {"name": "x"} if action == "rename" else {}
        assert post(action, id="../river.toml", **name).status_code == 404
        assert post(action, id=3, name="x").status_code == 400
        assert post(action).status_code == 400


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", "a\\b", ".hidden", "con", "NUL.txt", "x" * 200, "a\0b"]
)
def test_names_that_are_none(own, name):
    id_ = listed(own)["river.toml"]["id"]
    answer = own.post("/api/library/rename", json={"id": id_, "name": name})
    assert answer.status_code == 400
    assert answer.json()["field"] == "name"
    assert names(own.folder) == ["river.safetensors", "river.toml"]


def drop(client, name, content):
    return client.post("/api/library/upload", params={"name": name}, content=content)


def test_what_is_dropped_in(own, river_file):
    solution = drop(own, "river.safetensors", river_file.read_bytes()).json()
    assert (solution["kind"], solution["name"]) == ("solution", "river-2.safetensors")
    spot = drop(own, "spot.toml", RIVER.to_toml().encode()).json()
    assert spot["kind"] == "spot"
    weights = Range("AA, KK:0.5").weights
    pio = drop(own, "button.txt", " ".join(f"{weight:g}" for weight in weights).encode()).json()
    assert (pio["kind"], pio["combos"]) == ("range", [9.0])
    text = drop(own, "blind.txt", b"AA, KQs:0.5").json()
    assert text["combos"] == [8.0]


def test_hand_histories_are_told_by_their_content_and_kept(own):
    night = NIGHT.encode()
    found = drop(own, "night.phhs", night).json()
    assert (found["kind"], found["name"], found["site"]) == ("history", "hands/night.phhs", "PHH")
    assert drop(own, "night.phhs", night).json()["name"] == "hands/night.phhs"
    longer = night + b"\n[6]\n" + night[4:]
    assert drop(own, "night.phhs", longer).json()["name"] == "hands/night.phhs"
    assert (own.folder / "hands" / "night.phhs").read_bytes() == longer
    assert drop(own, "night.phhs", night).json()["name"] == "hands/night-2.phhs"
    stars = (HISTORIES / "stars.txt").read_bytes()
    found = drop(own, "table 7.txt", stars).json()
    assert (found["kind"], found["site"]) == ("history", "PokerStars")
    found = drop(own, "ipoker.xml", (HISTORIES / "ipoker.xml").read_bytes()).json()
    assert (found["kind"], found["site"]) == ("history", "iPoker")
    answer = drop(own, "w.txt", b"Winamax Poker - CashGame - HandId: #1\nSeat 1: a (2)\n").json()
    assert "Winamax" in answer["error"] and "not read" in answer["error"]
    neither = drop(own, "n.txt", b"once upon a time").json()["error"]
    assert neither.startswith("neither a hand history nor a range")


def test_a_history_may_be_long_and_other_texts_may_not(own):
    stars = (HISTORIES / "stars.txt").read_bytes()
    assert drop(own, "long.txt", stars + b"\n" * 5_000_000).json()["kind"] == "history"
    answer = drop(own, "range.txt", b"AA" + b" " * 5_000_000)
    assert answer.status_code == 400 and "too long" in answer.json()["error"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.exe", b"MZ"),
        ("x", b""),
        ("", b""),
        ("../x.toml", b"board = 3"),
        ("x.toml", b"\xff\xfe"),
        ("x.toml", b'name = "a game"'),
        ("x.toml", b'board = "QhJh2c"\noop = "@/etc/passwd"'),
        ("x.safetensors", b"nonsense"),
        ("x.txt", b"any text at all"),
        ("x.txt", b"5" * 5_000_000),
        ("x.txt", b""),
        ("x.phh", b"nonsense"),
        ("x.phhs", b"[1]\nvariant = 'PO'\n"),
        ("x.xml", b"<session><a/></session>"),
        ("x.xml", b"<html></html>"),
        ("x.phh", b""),
    ],
)
def test_what_is_not_ours_is_refused_and_leaves_nothing(own, name, content):
    before = names(own.folder)
    answer = drop(own, name, content)
    assert answer.status_code in (400, 413)
    assert str(own.folder) not in answer.json()["error"]
    assert "root" not in answer.json()["error"]
    assert names(own.folder) == before


def test_a_disk_without_room_is_a_message(own, monkeypatch):
    usage = shutil.disk_usage(own.folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    answer = drop(own, "a.toml", RIVER.to_toml().encode())
    assert answer.status_code == 400
    assert "the disk is full" in answer.json()["error"]


def test_five_gigabytes_are_listed_without_being_read(tmp_path, river_file):
    import json

    import psutil

    from pokerlab.runtime.files.tensor_map import read_header

    size = 5_000_000_000
    tensor = {"dtype": "F16", "shape": [size // 2], "data_offsets": [0, size]}
    header = json.dumps({"__metadata__": read_header(river_file).metadata, "strategy": tensor})
    with (tmp_path / "large.safetensors").open("wb") as file:
        file.write(len(header.encode()).to_bytes(8, "little") + header.encode())
        try:
            file.truncate(8 + len(header.encode()) + size)  # all zeros, which take no room
        except OSError:
            pytest.skip("this disk has no room for a file of 5 GB with nothing in it")
    Library(tmp_path).listing()  # what is imported does not count
    before = psutil.Process().memory_info().rss
    (entry,) = Library(tmp_path).listing()
    assert (entry["kind"], entry["error"], entry["size"]) == ("solution", None, "5.0 GB")
    assert psutil.Process().memory_info().rss - before < 20_000_000


def test_a_large_tree_of_folders_is_cut(tmp_path, monkeypatch):
    deep = tmp_path / "/".join("abcdefgh")
    deep.mkdir(parents=True)
    for place in (tmp_path / "a", deep):
        (place / "spot.toml").write_text(RIVER.to_toml(), encoding="utf-8")
    library = Library(tmp_path)
    assert [entry["name"] for entry in library.listing()] == ["a/spot.toml"]
    assert library.cut
    library = Library(tmp_path / "a")
    library.listing()
    assert library.cut
    assert not Library(deep).cut


def test_files_move_between_folders(own, tmp_path_factory):
    folder = own.folder

    def move(name, place):
        id_ = listed(own)[name]["id"]
        return own.post("/api/library/move", json={"id": id_, "folder": place})

    log = folder / "river.training.jsonl"
    log.write_text("{}\n", encoding="utf-8")
    assert move("river.safetensors", " study/turns/ ").json()["name"] == (
        "study/turns/river.safetensors"
    )
    assert (folder / "study" / "turns" / log.name).is_file() and not log.exists()
    assert move("study/turns/river.safetensors", "study").json()["kind"] == "solution"
    (folder / "study" / "river.toml").write_text("", encoding="utf-8")
    taken = move("river.toml", "study")
    assert (taken.status_code, taken.json()["field"]) == (400, "folder")
    assert "already in that folder" in taken.json()["error"]
    for place in ("..", "a/../../b", ".hidden", "con", "a//b", "a/b/c/d/e/f", "x\0y", "river.toml"):
        answer = move("river.toml", place)
        assert (answer.status_code, answer.json()["field"]) == (400, "folder"), place
    (folder / "named.toml").write_text('oop = "@own.txt"\nip = "AA"\n', encoding="utf-8")
    assert "ranges beside it" in move("named.toml", "study").json()["error"]
    (folder / "out").symlink_to(tmp_path_factory.mktemp("outside"), target_is_directory=True)
    assert "leads to another folder" in move("river.toml", "out").json()["error"]
    assert move("study/river.safetensors", "").json()["name"] == "river.safetensors"
    assert own.post("/api/library/move", json={"id": "0" * 12, "folder": ""}).status_code == 404
