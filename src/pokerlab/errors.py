"""What goes wrong, told apart for those who catch it.

Bad input is a plain `ValueError` whose one line names the text, what is wrong with it and what is
accepted. A file that is not as it was written is a `DamagedFileError`, which is one too: the
command line prints either, and code that can make the file again catches the second.
"""

from __future__ import annotations

__all__ = ["DamagedFileError", "shorten"]


class DamagedFileError(ValueError):
    """A file whose content is not what a program of this version would have written.

    Examples
    --------
    >>> raise DamagedFileError("a.safetensors", "tensor 'sums.0' is not complete")
    Traceback (most recent call last):
    pokerlab.errors.DamagedFileError: 'a.safetensors' is damaged: tensor 'sums.0' is not complete
    """

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"{str(path)!r} is damaged: {reason}")


def shorten(text: str, length: int = 60) -> str:
    """Bad text as an error message quotes it: on one line, at most `length` characters.

    Examples
    --------
    >>> shorten("9" * 1_000_000, length=12)
    '999999999...'
    >>> shorten("two   spaced words")
    'two spaced words'
    """
    text = " ".join(text.split())
    return text if len(text) <= length else text[: length - 3] + "..."
