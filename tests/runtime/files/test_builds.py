import os
import threading
from pathlib import Path

import pytest

from pokerlab.runtime import file_locks
from pokerlab.runtime.files.atomic import atomic_file
from pokerlab.runtime.files.builds import (
    Meter,
    build_once,
    cached,
    check_room,
    one_builder,
    reporter,
    watching_builds,
)


def test_who_is_named_is_told_before_who_watches():
    named, watching = [], []
    with watching_builds(lambda *told: watching.append(told)):
        reporter(None)("boards", 1, 2)
        reporter(lambda *told: named.append(told))("boards", 2, 2)
    reporter(None)("boards", 3, 3)
    assert watching == [("boards", 1, 2)]
    assert named == [("boards", 2, 2)]


def test_watching_ends_with_an_error():
    told = []
    with pytest.raises(RuntimeError), watching_builds(lambda *report: told.append(report)):
        raise RuntimeError
    reporter(None)("boards", 1, 2)
    assert not told


def test_a_meter_adds_up_what_threads_do_and_comes_to_the_end():
    told = []
    meter = Meter(lambda *report: told.append(report), "the buckets", 3 * 0.7)
    ticks = [meter.ticks(0.7) for _ in range(3)]

    def work(tick):
        for _ in range(500):
            tick(1 / 500)

    threads = [threading.Thread(target=work, args=(tick,)) for tick in ticks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = [done for _, done, _ in told]
    assert counts == sorted(set(counts))
    assert counts[0] == 0
    assert counts[-1] == 1000
    assert {(what, total) for what, _, total in told} == {("parts of the buckets", 1000)}


def test_too_little_room_is_said_with_how_much_is_needed(tmp_path):
    check_room(tmp_path, 1, "the buckets")
    message = r"the buckets need 1,000,000,000 MB in .*, and [\d,]+ MB are free"
    with pytest.raises(ValueError, match=message):
        check_room(tmp_path, 10**15, "the buckets")


def test_one_builder_at_a_time_and_no_lock_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr(file_locks, "_SECONDS_BETWEEN_LOOKS", 0.001)
    path = tmp_path / "tables.safetensors"
    inside, most, waited = [], [], []

    def build(name):
        for _ in range(20):
            with one_builder(path, lambda *told: waited.append(told)):
                inside.append(name)
                most.append(len(inside))
                threading.Event().wait(0.002)
                inside.remove(name)

    threads = [threading.Thread(target=build, args=(name,)) for name in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(most) == 60
    assert set(most) == {1}
    assert set(waited) == {("builds by another pokerlab", done, 1) for done in (0, 1)}
    assert list(Path(tmp_path).iterdir()) == []


def test_what_a_killed_builder_left_half_written_is_removed(tmp_path):
    with atomic_file(tmp_path / "tables") as ours, atomic_file(tmp_path / "other") as others:
        pass_for_killed = {
            file: file.name.replace(f"-{os.getpid()}.", f"-{2**30}.") for file in (ours, others)
        }
        for name in pass_for_killed.values():
            (tmp_path / name).touch()
        ours.touch()
        others.touch()
    with one_builder(tmp_path / "tables", reporter(None)):
        pass
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {"tables", "other", pass_for_killed[others]}


def test_the_next_builder_comes_in_after_an_error(tmp_path):
    path = tmp_path / "tables.safetensors"
    with pytest.raises(RuntimeError), one_builder(path, reporter(None)):
        raise RuntimeError
    with one_builder(path, reporter(None)):
        assert [file.name for file in tmp_path.iterdir()] == [".tables.safetensors.lock"]


def test_a_cached_file_is_made_once_and_damage_says_how_to_make_it_again(tmp_path):
    path, made = tmp_path / "new" / "number", []

    def make(report):
        report("numbers", 1, 1)
        made.append(path.write_text("7"))

    def load(path):
        return int(path.read_text())

    told = []
    assert [cached(path, make, load, lambda *each: told.append(each)) for _ in range(2)] == [7, 7]
    build_once(path, make)
    assert (len(made), told) == (1, [("numbers", 1, 1)])
    path.write_text("x")
    with pytest.raises(ValueError, match="'x'; remove it, and it is counted again"):
        cached(path, make, load, again="counted")
