"""Ways to damage a file: seeded, so that a failure can be looked at again."""

from __future__ import annotations

import json
import random
import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from hypothesis import settings

from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_header, read_tensors

__all__ = ["check_all", "damaged_bytes", "damaged_tensors", "damaged_text", "resealed"]

DEEP = 20_000
"""Brackets in brackets: more than Python's parsers can follow."""
STRANGE: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2,
    1e308,
    -1e308,
    10**30,
    float("nan"),
    float("inf"),
    "",
    "x",
    "x" * 5000,
    "two\nlines\r\nand\x00more\x1b[31m",
    [],
    [0],
    [[]],
    {},
    {"x": 1},
    [1, "a", None],
]
"""What stands in the place of something else; every JSON type, and more than is good."""


def check_all(
    file: Path, contents: Iterator[bytes], load: Callable[[Path], object]
) -> tuple[float, float]:
    """Write contents to a file and load it; which share was refused and which was not.

    What is refused must be a `ValueError` that names the file in a few short lines; nothing else
    may happen, not even a warning. All contents are tried where every test is run.
    """
    refused = loaded = 0
    every = max(100 // settings().max_examples, 1)
    for number, content in islice(enumerate(contents), 0, None, every):
        file.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                load(file)
                loaded += 1
            except ValueError as error:
                refused += 1
                message = str(error)
                told = f"content {number}: {message[:2000]!r}"
                assert file.name in message, told
                assert len(message.splitlines()) <= 3, told
                assert len(message.replace(str(file), "")) <= 500, told
                assert all(each.isprintable() or each == "\n" for each in message), told
            except BaseException as error:
                raise AssertionError(f"content {number}: {error!r} of {content[:500]!r}") from error
    return refused / (refused + loaded), loaded / (refused + loaded)


def damaged_bytes(good: bytes, seed: int, count: int) -> Iterator[bytes]:
    """Flipped bits, other bytes, and parts that are cut out, put in, doubled or moved."""
    rng = random.Random(seed)
    for _ in range(count):
        found = bytearray(good)
        for _ in range(rng.choice([1, 1, 1, 2, 5])):
            place = rng.randrange(len(found) + 1)
            if rng.random() < 0.7:  # near the beginning, where the structure is
                place = min(place, rng.randrange(2000))
            length = rng.choice([1, 1, 2, 8, 100])
            kind = rng.randrange(7)
            if kind == 0 and place < len(found):
                found[place] ^= 1 << rng.randrange(8)
            elif kind == 1:
                found[place : place + length] = rng.randbytes(len(found[place : place + length]))
            elif kind == 2:
                del found[place : place + length]
            elif kind == 3:
                found[place:place] = rng.randbytes(length)
            elif kind == 4:
                found[place:place] = found[place : place + length]
            elif kind == 5:
                found[place : place + length] = found[: len(found[place : place + length])]
            else:
                del found[place:]
        yield bytes(found)


def damaged_text(good: str, seed: int, count: int) -> Iterator[bytes]:
    """Lines and values of a text file that are changed; some are no text any more."""
    rng = random.Random(seed)
    values = [json.dumps(value) for value in STRANGE]
    values += ["[" * DEEP, "{" * DEEP, "{x=" * DEEP, "9" * 5000, "0x" + "f" * 100, "1979-05-27"]
    values += ["''", "'''x'''", '"\\ud800"', "1_0", "+1", "-nan", ".5", "٣", "1e400", "inf"]
    for _ in range(count):
        lines = good.split("\n")
        for _ in range(rng.choice([1, 1, 2, 4])):
            place = rng.randrange(len(lines))
            kind = rng.randrange(6)
            if kind <= 2 and "=" in lines[place]:
                name = lines[place].split("=")[0]
                lines[place] = f"{name}= {rng.choice(values)}"
            elif kind <= 2 or kind == 3:
                lines[place] = lines[place].replace(
                    rng.choice([",", ":", '"', "1", "0", "a", "["]), rng.choice(values)[:300], 1
                )
            elif kind == 4:
                lines.insert(place, rng.choice(lines))
            else:
                del lines[place]
                lines = lines or [""]
        text = "\n".join(lines).encode("utf-8", "surrogatepass")
        yield next(damaged_bytes(text, rng.randrange(2**32), 1)) if rng.random() < 0.2 else text


def damaged_tensors(
    good: bytes, seed: int, count: int, seal: Callable[[bytes], bytes] | None = None
) -> Iterator[bytes]:
    """Headers of tensor files that are changed; with `seal`, hashes are made to fit again."""
    rng = random.Random(seed)
    length = int.from_bytes(good[:8], "little")
    data = good[8 + length :]
    for _ in range(count):
        header = json.loads(good[8 : 8 + length])
        for _ in range(rng.choice([1, 1, 1, 2, 4])):
            _change_header(header, rng)
        text = json.dumps(header)
        if rng.random() < 0.05:
            text = text.replace("[", "[" * DEEP, 1)
        encoded = text.encode("utf-8", "surrogatepass")
        numbers = bytearray(data)
        if numbers and rng.random() < 0.5:
            place = rng.randrange(len(numbers))
            numbers[place : place + 8] = rng.choice(
                [b"\xff" * 8, bytes(8), rng.randbytes(8), b"\x00\x7c" * 4, b"\x00\x80\xff\xff" * 2]
            )[: len(numbers) - place]
        found = len(encoded).to_bytes(8, "little") + encoded + bytes(numbers)
        yield seal(found) if seal else found


def _change_header(header: dict[str, Any], rng: random.Random) -> None:
    names = [name for name in header if name != "__metadata__"]
    metadata = header.get("__metadata__")
    if isinstance(metadata, dict) and metadata and rng.random() < 0.6:
        name = rng.choice(sorted(metadata))
        kind = rng.randrange(5)
        if kind == 0:
            del metadata[name]
        elif kind == 1:
            metadata[name] = rng.choice(STRANGE)
        elif kind == 2:
            metadata[name] = json.dumps(rng.choice(STRANGE))
        elif kind == 3:
            metadata[name] = rng.choice(["[" * DEEP, "9" * 5000, "NaN", "1e999", "-1", "[1, 2]"])
        else:
            text = str(metadata[name])
            place = rng.randrange(len(text) + 1)
            inserted = rng.choice(["", "9", '"', "\n", "[", "x" * 500])
            metadata[name] = text[:place] + inserted + text[place + 1 :]
        return
    if not names or rng.random() < 0.05:
        header[rng.choice(["__metadata__", "strange", "x" * 500])] = rng.choice(STRANGE)
        return
    name = rng.choice(names)
    entry = header[name]
    kind = rng.randrange(8)
    if kind == 0:
        del header[name]
    elif kind == 1 or not isinstance(entry, dict):
        header[name] = rng.choice(STRANGE)
    elif kind == 2:
        header[rng.choice(["strange", "two\nlines", rng.choice(names)])] = header.pop(name)
    elif kind == 3:
        entry["dtype"] = rng.choice(["F16", "F32", "F64", "U8", "I64", "BOOL", "BF16", *STRANGE])
    elif kind == 4 and isinstance(entry.get("shape"), list) and entry["shape"]:
        shape = entry["shape"]
        shape[rng.randrange(len(shape))] = rng.choice([0, 1, -1, 2**40, 2**63, True, 1.0, "1"])
    elif kind == 5:
        entry["shape"] = rng.choice(STRANGE)
    elif kind == 6:
        entry["data_offsets"] = rng.choice([[0, 8], [8, 0], [0, 2**63], [-8, 0], *STRANGE])
    else:
        entry.pop(rng.choice(sorted(entry)), None) if entry else None


def resealed(folder: Path, entry: str, digest: Callable[..., str]) -> Callable[[bytes], bytes]:
    """What makes the digest in the metadata fit again, as somebody who means harm would."""
    file = folder / "sealed"

    def seal(content: bytes) -> bytes:
        file.write_bytes(content)
        try:
            metadata = read_header(file).metadata
            tensors, _ = read_tensors(file, metadata["format"])
        except (ValueError, KeyError):
            return content
        arguments = (tensors, metadata) if entry == "hash" else (tensors,)
        write_tensors(file, tensors, {**metadata, entry: digest(*arguments)})
        return file.read_bytes()

    return seal
