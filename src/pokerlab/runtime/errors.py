"""Two kinds of errors, and how a message quotes the text that it complains about.

Bad input is a plain `ValueError` whose one line names the text, what is wrong with it and what is
accepted. A file that is not as it was written is a `DamagedFileError`, which is a `ValueError`
too: the command line prints either, and code that can make the file again catches the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class DamagedFileError(ValueError):
    """A file whose content is not what a program of this version would have written.

    Parameters
    ----------
    path
        The file.
    reason
        What is wrong with it.
    verdict
        What is said between the two, where "is damaged" says too much.

    Examples
    --------
    >>> raise DamagedFileError("a.safetensors", "tensor 'sums' is cut off")
    Traceback (most recent call last):
    pokerlab.runtime.errors.DamagedFileError: 'a.safetensors' is damaged: tensor 'sums' is cut off
    """

    def __init__(self, path: object, reason: str, verdict: str = "is damaged") -> None:
        super().__init__(f"{str(path)!r} {verdict}: {one_line(reason, 300)}")
        self._parts = (path, reason, verdict)

    def __reduce__(self) -> tuple[type[DamagedFileError], tuple[object, str, str]]:
        """How worker processes send it."""
        return type(self), self._parts


@contextmanager
def damage_named(path: object) -> Iterator[None]:
    """Turn each `ValueError` in here into a `DamagedFileError` of this file.

    Code that checks what a file holds says what is wrong, and need not know the file's name.

    Examples
    --------
    >>> with damage_named("a.safetensors"):
    ...     raise ValueError("iterations is -1")
    Traceback (most recent call last):
    pokerlab.runtime.errors.DamagedFileError: 'a.safetensors' is damaged: iterations is -1
    """
    try:
        yield
    except DamagedFileError:
        raise
    except ValueError as error:
        raise DamagedFileError(path, str(error)) from None
    except RecursionError:
        raise DamagedFileError(path, "its text is nested too deeply") from None


@contextmanager
def source_named(source: object) -> Iterator[None]:
    """Begin the line of each `ValueError` in here with where its text stands: a file, a field.

    Examples
    --------
    >>> with source_named("mine.toml"):
    ...     raise ValueError("players: 1 is not a number of seats")
    Traceback (most recent call last):
    ValueError: mine.toml: players: 1 is not a number of seats
    """
    try:
        yield
    except DamagedFileError:
        raise
    except ValueError as error:
        raise ValueError(f"{source}: {one_line(str(error), 400)}") from None


def shorten(text: str, length: int = 60) -> str:
    """Bad text as an error message quotes it: on one line, at most `length` characters.

    Examples
    --------
    >>> shorten("9" * 1_000_000, length=12)
    '999999999...'
    >>> shorten("two   spaced words")
    'two spaced words'
    """
    return _cut(" ".join(text.split()), length)


def one_line(text: str, length: int = 200) -> str:
    r"""The same for text that is not quoted: what cannot be printed is written as an escape.

    Examples
    --------
    >>> print(one_line("two\nlines"))
    two\nlines
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in _cut(text, length))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."
