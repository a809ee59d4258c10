"""The listing of a folder, and ids."""

import os
from pathlib import Path

import pytest

from pokerlab.web.answers import UnknownIdError
from pokerlab.web.library import Library


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
