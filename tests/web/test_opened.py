"""Open files and kept answers, by many threads at once."""

import sys
import threading
from collections import Counter

from pokerlab.web.files.opened import Opened

THREADS, KEYS = 8, 300


def test_each_answer_is_made_once(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"a")
    opened, made = Opened(), Counter()
    begin = threading.Barrier(THREADS)

    def ask():
        for key in range(KEYS):
            begin.wait()
            opened.answer(path, key, lambda key=key: made.update([key]) or b"made")

    threads = [threading.Thread(target=ask) for _ in range(THREADS)]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert made == dict.fromkeys(range(KEYS), 1)
    assert opened._answers._held == 4 * KEYS


def test_what_failed_is_tried_again(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"a")
    opened = Opened()

    def fail():
        raise ValueError("not now")

    for _ in range(2):
        try:
            opened.answer(path, "key", fail)
        except ValueError as error:
            assert str(error) == "not now"
    assert opened.answer(path, "key", lambda: b"made") == b"made"
