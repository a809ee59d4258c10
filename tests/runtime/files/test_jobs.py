import json
import os
import subprocess
import sys
import time
from threading import Event

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files import jobs as runner
from pokerlab.runtime.files.job_stores import FolderStore, LineStore
from pokerlab.runtime.files.jobs import JobProgress, run_jobs

JOBS = {str(number): number for number in range(1, 6)}


def square(number):
    return [number, number * number]


def checked(data):
    if not (isinstance(data, list) and len(data) == 2 and data[1] == data[0] ** 2):
        raise ValueError("no square")
    return data


def line_store(path):
    return LineStore(path, lambda result: result, checked, lambda result: str(result[0]))


def folder_store(path):
    return FolderStore(path, from_json=checked)


@pytest.fixture(params=["line", "folder"])
def make_store(request, tmp_path):
    """Opens the same store again and again, as another process would."""
    if request.param == "line":
        return lambda: line_store(tmp_path / "results.jsonl")
    return lambda: folder_store(tmp_path / "results")


class Counted:
    """Does jobs and remembers which."""

    def __init__(self, fail=None):
        self.done = []
        self.fail = fail

    def __call__(self, number):
        if self.fail is not None and number == self.fail[0]:
            raise self.fail[1]
        self.done.append(number)
        return square(number)


def squares(numbers):
    """Does jobs together; a result says among how many."""
    return [[number, number * number, len(numbers)] for number in numbers]


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("workers", [1, 2])
def test_several_jobs_may_be_done_together(workers):
    found = dict(run_jobs(JOBS, square, workers=workers, many=squares, at_once=2))
    assert found == {
        "1": [1, 1, 2],
        "2": [2, 4, 2],
        "3": [3, 9, 2],
        "4": [4, 16, 2],
        "5": [5, 25],  # one is done as if alone
    }


def test_jobs_done_together_are_reported_together():
    """After the first of 48, a rate would be 48 times too low."""
    told = []
    run = run_jobs(JOBS, square, many=squares, at_once=2, report=told.append)
    next(run)
    assert [each.done for each in told] == [2]
    assert len(list(run)) == 4
    assert [each.done for each in told] == [2, 4, 5]


def test_jobs_done_together_are_all_kept_before_the_first_is_given(make_store):
    run = run_jobs(
        JOBS, square, make_store(), many=lambda all_: [square(n) for n in all_], at_once=3
    )
    next(run)
    run.close()
    rest = Counted()
    assert len(dict(run_jobs(JOBS, rest, make_store()))) == 5
    assert rest.done == [4, 5]


@pytest.mark.parametrize("workers", [1, 2])
def test_all_jobs_are_done_once(make_store, workers):
    everything = {key: square(number) for key, number in JOBS.items()}
    assert dict(run_jobs(JOBS, square, make_store(), workers=workers)) == everything
    again = Counted()
    assert dict(run_jobs(JOBS, again, make_store())) == everything
    assert again.done == []
    more = {**JOBS, "9": 9}
    assert dict(run_jobs(more, again, make_store())) == {**everything, "9": [9, 81]}
    assert again.done == [9]


def test_without_a_store_nothing_is_kept():
    assert dict(run_jobs(JOBS, square)) == {key: square(number) for key, number in JOBS.items()}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no")])
def test_what_was_finished_when_a_run_broke_off_is_kept(make_store, error):
    with pytest.raises(type(error)):
        list(run_jobs(JOBS, Counted(fail=(4, error)), make_store()))
    rest = Counted()
    assert len(dict(run_jobs(JOBS, rest, make_store()))) == 5
    assert rest.done == [4, 5]


def test_two_runs_share_the_work_and_both_get_everything(make_store):
    others = run_jobs(JOBS, other := Counted(), make_store())
    of_other = []

    def meanwhile(number):
        if number == 2:  # the other run begins, and leaves the job that is claimed alone
            of_other.extend(next(others) for _ in range(3))
        return square(number)

    found = list(run_jobs(JOBS, meanwhile, make_store()))
    assert sorted(of_other) == [("1", [1, 1]), ("3", [3, 9]), ("4", [4, 16])]
    assert sorted(key for key, _ in found) == list(JOBS)
    assert other.done == [3, 4]
    assert [key for key, _ in others] == ["2", "5"]
    assert other.done == [3, 4]


def test_a_run_waits_for_others_and_does_what_they_give_up(make_store, monkeypatch):
    monkeypatch.setattr(runner, "_SECONDS_BETWEEN_LOOKS", 0.001)
    claim = make_store().claim("3")
    looked = []

    class Watched(Event().__class__):
        def wait(self, timeout=None):
            looked.append(timeout)
            if len(looked) == 3:
                claim.release()
            return False

    own = Counted()
    assert len(list(run_jobs(JOBS, own, make_store(), stop=Watched()))) == 5
    assert own.done == [1, 2, 4, 5, 3]
    assert len(looked) == 3


CLAIMER = """
import sys
from pokerlab.runtime.files.job_stores import LineStore
claim = LineStore(sys.argv[1], list, list, str).claim("3")
print("claimed" if claim else "taken", flush=True)
sys.stdin.read()
"""


def test_a_claim_ends_with_its_process(tmp_path):
    path = tmp_path / "results.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", CLAIMER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "claimed\n"
    assert line_store(path).claim("3") is None
    assert line_store(path).claim("4") is not None
    process.kill()
    process.communicate()
    assert line_store(path).claim("3") is not None


SHARING = """
import os, sys
sys.path.insert(0, os.path.dirname(sys.argv[1]))
from pathlib import Path
from test_jobs import line_store, square
from pokerlab.runtime.files.jobs import run_jobs

def work(number):
    with open(sys.argv[1] + ".done", "a") as file:
        file.write(f"{number}\\n")
    return square(number)

sys.stdin.read()  # until all have started
print(len(dict(run_jobs({str(n): n for n in range(60)}, work, line_store(sys.argv[1])))))
"""


def test_three_processes_lose_nothing_and_do_nothing_twice(tmp_path):
    path = tmp_path / "results.jsonl"
    (tmp_path / "test_jobs.py").symlink_to(__file__)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SHARING, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for process in processes:
        process.stdin.close()
        process.stdin = None
    outputs = [process.communicate(timeout=300)[0] for process in processes]
    assert outputs == ["60\n"] * 3
    numbers = list(map(str, range(60)))
    assert sorted((tmp_path / "results.jsonl.done").read_text().split()) == sorted(numbers)
    lines = path.read_text().splitlines()
    assert sorted(str(json.loads(line)[0]) for line in lines) == sorted(numbers)
    assert not list(tmp_path.glob(".*.claim"))


PARENT = """
import os, sys, threading
from pathlib import Path
from pokerlab.runtime.files.jobs import run_jobs

def work(number):
    Path(sys.argv[1] if len(sys.argv) > 1 else number).with_suffix(f".{os.getpid()}").touch()
    threading.Event().wait()

class Long:
    def __reduce__(self):
        return work, (sys.argv[1],)

if __name__ == "__main__":
    task = Long() if "reading" in sys.argv else sys.argv[1]
    list(run_jobs({"1": task, "2": task}, work, workers=3))
"""


@pytest.mark.parametrize("when", ["working", "reading"])
def test_workers_end_when_their_parent_is_killed(tmp_path, when):
    """Also those that have no job, or read one, which may import and compile for long."""
    mark = tmp_path / "worker.begun"
    process = subprocess.Popen([sys.executable, "-c", PARENT, str(mark), when])
    wait_for(lambda: len(list(tmp_path.iterdir())) == 2)
    workers = [psutil.Process(int(file.suffix[1:])) for file in tmp_path.iterdir()]
    children = psutil.Process(process.pid).children(recursive=True)
    assert len(children) > 2 and set(workers) < set(children)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=120)
    assert not alive


def test_ctrl_c_ends_the_workers(tmp_path):
    mark = tmp_path / "worker.begun"
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(mark)], stderr=subprocess.DEVNULL, start_new_session=True
    )
    wait_for(lambda: len(list(tmp_path.iterdir())) == 2)
    workers = [psutil.Process(int(file.suffix[1:])) for file in tmp_path.iterdir()]
    os.killpg(process.pid, 2)
    process.wait(timeout=120)
    _, alive = psutil.wait_procs(workers, timeout=120)
    assert not alive


def killed(number):
    if number == 3:
        os.kill(os.getpid(), 9)
    return square(number)


def test_a_killed_worker_is_one_line_and_the_rest_goes_on(tmp_path):
    with pytest.raises(ValueError, match="a worker process was killed, perhaps for want of memory"):
        list(run_jobs(JOBS, killed, folder_store(tmp_path), workers=2))
    assert len(dict(run_jobs(JOBS, square, folder_store(tmp_path), workers=2))) == 5


@pytest.mark.parametrize("workers", [1, 2])
def test_stopping_finishes_what_has_begun(make_store, workers):
    stop = Event()
    found = []
    for result in run_jobs(JOBS, square, make_store(), workers=workers, stop=stop):
        found.append(result)
        stop.set()
    # Other processes do not wait until somebody has looked at a result.
    assert len(found) == 1 if workers == 1 else 1 <= len(found) <= 5
    assert list(run_jobs({"7": 7}, square, make_store(), workers=workers, stop=stop)) == []
    kept = make_store()
    assert sum(kept.get(key) is not None for key in JOBS) == len(found)


def test_progress():
    told = []
    list(run_jobs(JOBS, square, report=told.append))
    assert [each.done for each in told] == [1, 2, 3, 4, 5]
    assert {(each.total, each.known) for each in told} == {(5, 0)}
    assert JobProgress(5, 5, 0, 2.0).seconds_left == 0.0
    assert JobProgress(2, 5, 2, 2.0).seconds_left is None


def test_progress_counts_what_was_known(make_store):
    few = dict(list(JOBS.items())[:2])
    list(run_jobs(few, square, make_store()))
    told = []
    list(run_jobs(JOBS, square, make_store(), report=told.append))
    assert [(each.done, each.known) for each in told] == [(3, 2), (4, 2), (5, 2)]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_store_ends_the_run(tmp_path, workers):
    class Damaged(FolderStore):
        def claim(self, key):
            if key == "4":
                raise DamagedFileError(self.path, "no room")
            return super().claim(key)

    with pytest.raises(DamagedFileError, match="no room"):
        list(run_jobs(JOBS, square, Damaged(tmp_path), workers=workers))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.json", "2.json", "3.json"]


def test_bad_input(monkeypatch):
    with pytest.raises(ValueError, match="workers: -1 is not a number of jobs"):
        run_jobs(JOBS, square, workers=-1)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"ray: auto needs the extra cluster \(pip install"):
        list(run_jobs(JOBS, square, ray="auto"))


def test_every_cut_of_a_file_of_lines_is_survived(tmp_path):
    path = tmp_path / "results.jsonl"
    list(run_jobs(JOBS, square, line_store(path)))
    content = path.read_bytes()
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        whole = content[:length].count(b"\n")
        assert len(line_store(path).all()) == min(whole, 5)
        rest = Counted()
        list(run_jobs(JOBS, rest, line_store(path)))
        assert rest.done == list(range(1 + whole, 6))
        assert path.read_bytes() == content


@given(st.binary(max_size=60) | st.just(b"[" * 100_000) | st.just(b"7" * 5000))
def test_a_line_that_is_no_result_is_named_and_nothing_is_touched(tmp_path_factory, line):
    path = tmp_path_factory.mktemp("damaged") / "results.jsonl"
    content = b"[1, 1]\n" + line.replace(b"\n", b"") + b"\n"
    path.write_bytes(content)
    with pytest.raises(DamagedFileError, match=r"results\.jsonl' is damaged: line 2: ") as raised:
        list(run_jobs(JOBS, square, line_store(path)))
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 500
    assert path.read_bytes() == content


def test_files_without_end_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "results.jsonl"
    path.write_bytes(b"[1, 1]\n" + b" " * (1 << 21))
    with pytest.raises(DamagedFileError, match="line 2: more than 1,048,576 bytes"):
        line_store(path).get("1")
    with pytest.raises(ValueError, match="/dev/zero: this is not a file of results"):
        line_store("/dev/zero").get("1")


def test_results_may_be_longer_than_usual(tmp_path):
    path = tmp_path / "results.jsonl"
    for longest, good in ((1 << 22, True), (1 << 20, False)):
        store = LineStore(path, list, list, lambda result: str(result[0]), longest)
        store.add("1", [1, "x" * (1 << 21)])
        if good:
            assert store.get("1") == [1, "x" * (1 << 21)]
        else:
            with pytest.raises(DamagedFileError, match="line 1: more than 1,048,576 bytes"):
                store.get("1")


def test_another_file_in_the_place_of_the_first_is_read_anew(tmp_path):
    path = tmp_path / "results.jsonl"
    store = line_store(path)
    list(run_jobs(JOBS, square, store))
    path.write_text("[7, 49]\n")
    assert store.all() == {"7": [7, 49]}
    path.unlink()
    assert store.all() == {}


@pytest.mark.parametrize("content", [b"", b"[2, 4", b"[2, 5]", b"[" * 100_000, b"\xff"])
def test_a_damaged_file_of_a_folder_is_done_again(tmp_path, content):
    list(run_jobs(JOBS, square, folder_store(tmp_path)))
    folder_store(tmp_path).file("2").write_bytes(content)
    (tmp_path / ".2.json.123.tmp").touch()  # what a kill left
    again = Counted()
    assert dict(run_jobs(JOBS, again, folder_store(tmp_path)))["2"] == [2, 4]
    assert again.done == [2]
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"{key}.json" for key in JOBS]


def test_a_folder_of_other_settings_is_refused(tmp_path):
    folder = tmp_path / "flops"
    settings = {"pot": 10, "menu": ["33%", "a"], "target": None}
    FolderStore(folder, settings=settings)
    FolderStore(folder, settings=settings)
    for changed, message in [
        ({**settings, "menu": ["50%"]}, r'was begun with menu \["33%", "a"\], not \["50%"\]'),
        ({**settings, "rake": 0.05}, r"was begun with rake null, not 0\.05"),
        ({"pot": 10}, r'was begun with menu \["33%", "a"\], not null'),
    ]:
        with pytest.raises(ValueError, match=message):
            FolderStore(folder, settings=changed)
    (folder / "settings.json").write_text("[1")
    with pytest.raises(DamagedFileError, match="not the settings of a folder"):
        FolderStore(folder, settings=settings)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999"])
def test_an_address_where_nobody_answers(address):
    pytest.importorskip("ray")
    with pytest.raises(ValueError, match=f"ray: no cluster at {address}"):
        list(run_jobs(JOBS, square, ray=address))
