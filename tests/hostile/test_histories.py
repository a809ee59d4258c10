"""Damaged and hostile histories: hands are read, or left out with one line, and nothing else."""

import random
import time
import warnings
from pathlib import Path

import pytest

from pokerlab.arena.logs.counting import HandCounts
from pokerlab.arena.logs.hand_spot import spot_of_history
from pokerlab.arena.logs.histories import FoundHand, is_history, read_hands

from .mutations import damaged_bytes

DATA = Path(__file__).parents[1] / "data" / "histories"
FILES = sorted(file for file in DATA.iterdir() if file.suffix != ".md")
ALL = 10_000
SOME = 300
NUMBERS = ["0", "-1", "9" * 20, "9" * 5000, "1e999", "1e-999999999", "nan", "inf", "-0", "1.2.3"]
NUMBERS += [".", "", "1,000,000", "0.00000001", "٣", "1_0", "$", "99999999999999999999.99"]
STRANGE = [
    "'" * 50,
    "[" * 3_000,
    "\x00",
    "p99 cbr 5",
    "d db",
    "?" * 200,
    "{",
    "=",
    '"""',
    "😀",
    "p1",
]
STRANGE += ["p1", "0x10", "0x" + "f" * 5_000, "1979-01-01", "\x1b[31m", "[bold]"]
ENCODINGS = ["utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "utf-8-sig"]


def damaged(seed):
    """One damaged file: bytes, lines, words, numbers, or the encoding."""
    rng = random.Random(seed)
    file = rng.choice(FILES)
    content = file.read_bytes()
    kind = rng.randrange(8)
    if kind == 0:
        return file, next(damaged_bytes(content, seed, 1))
    lines = content.decode().split("\n")
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        place = rng.randrange(len(lines))
        if kind == 1:
            del lines[place]
            lines = lines or [""]
        elif kind == 2:
            lines.insert(rng.randrange(len(lines)), lines[place])
        elif kind == 3:
            lines[place] = with_number(lines[place], rng)
        elif kind == 4:
            other = rng.choice(rng.choice(FILES).read_text(encoding="utf-8").split("\n"))
            lines[place] = other
        elif kind == 6:
            cut = rng.randrange(len(lines[place]) + 1)
            lines[place] = lines[place][:cut] + rng.choice(STRANGE) + lines[place][cut:]
        elif kind == 7:
            words = lines[place].split(" ")
            rng.shuffle(words)
            lines[place] = " ".join(words)
        else:
            lines[place] = lines[place].replace("ann", rng.choice(["", "a" * 500, "é€\u2028", "["]))
    text = "\n".join(lines)
    if kind == 5:
        return file, text.encode(rng.choice(ENCODINGS), "replace")
    return file, text[
        : rng.randrange(len(text) + 1)
    ].encode() if rng.random() < 0.1 else text.encode()


def with_number(line, rng):
    """A line with another number in the place of one of its numbers."""
    places = [at for at, letter in enumerate(line) if letter.isdigit()]
    if not places:
        return line
    at = rng.choice(places)
    end = at
    while end < len(line) and (line[end].isdigit() or line[end] == "."):
        end += 1
    return line[:at] + rng.choice(NUMBERS) + line[end:]


def read_all(path):
    """What the pages and the commands do with a file; how many hands it has, and how many not."""
    counts = HandCounts(lines=True)
    found = unread = 0
    for each in read_hands(path):
        if not isinstance(each, FoundHand):
            unread += 1
            assert each.reason and len(each.reason) <= 400, each
            assert each.reason.isprintable(), each
            counts.leave_out(each.reason, f"hand {each.number}", each.variant)
            continue
        found += 1
        counts.add(each.hand)
        assert abs(sum(each.hand.payoffs or (0,))) <= each.hand.pot + 1e-9
        try:
            spot_of_history(each.hand)
        except ValueError as error:
            assert len(str(error)) <= 500
    counts.statistics()
    return found, unread


def check(folder, seeds):
    """Read damaged files of seeds."""
    found = unread = refused = 0
    for seed in seeds:
        file, content = damaged(seed)
        path = folder / f"damaged{file.suffix}"
        path.write_bytes(content)
        began = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                is_history(path)
                here, not_here = read_all(path)
                found, unread = found + here, unread + not_here
            except ValueError as error:
                refused += 1
                assert path.name in str(error) and len(str(error).splitlines()) == 1, (seed, error)
            except BaseException as error:
                raise AssertionError(f"seed {seed}, {file.name}: {error!r}") from error
        assert time.perf_counter() - began < 20, seed
    return found, unread, refused


def test_damaged_histories_are_read_as_far_as_they_can_be(tmp_path):
    found, unread, refused = check(tmp_path, range(SOME))
    assert found > SOME and unread > SOME / 10 and refused > 0


@pytest.mark.slow
def test_ten_thousand_damaged_histories(tmp_path):
    found, unread, refused = check(tmp_path, range(ALL))
    assert found > ALL and unread > ALL / 10 and refused > 0
