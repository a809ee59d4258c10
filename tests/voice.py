"""Words that our text must not have, and the files that they are looked for in."""

import re
from pathlib import Path

__all__ = ["SOURCES", "banned_words"]

SOURCES = [
    path
    for path in sorted((Path(__file__).parents[1] / "src").rglob("*"))
    if path.suffix in (".py", ".pyi", ".js", ".html", ".css", ".toml", ".cu")
    and "vendor" not in path.parts
]
"""All that we have written in the package: docstrings, comments, messages, pages and rules."""

BANNED = {
    "the player, they": "he, she, his, him, himself, her, hers, herself",
    "this number of, n": "so many",
    "in the same way, isomorphic": "actions alike, all alike, are alike, be alike, fall alike, "
    "group alike, hands alike, is alike, makes alike, play alike, played alike, rows alike, "
    "spots alike, two alike",
    "CFR and its variants": "of the laboratory, from the laboratory",
    "must be": "it is a number, it is a whole number, is none of",
    "applies only to, is for": "goes with, go with",
    "not X": "which is no, which are no, which are none, that are no, that is no",
    "the noun": "that of those, those of those, that of the ones, those of the ones",
    "a verb that does something": "is told, are told",
    "saved, cached, reserved": "is kept for, are kept for, was kept for",
    "aborted, interrupted": "broken off",
    "continued, resumed": "gone on with, go on with, goes on with",
    "the GPU": "graphics card, graphics cards, video card",
    "a spot, a batch, settings": "a question, another question, its question, next question, "
    "one question, same question, the question, whole question",
    "nothing: do it": "todo",
}
"""What to say, and the expressions instead of which to say it."""

_EXPRESSIONS = [f" {each} " for listed in BANNED.values() for each in listed.split(", ")]


def banned_words(text):
    """Every banned expression in a text, with some words around it.

    Line ends, quotes and the marks of comments separate words; commas and the ends of sentences,
    and brackets and operators of code, stand between them.
    """
    words = f" {' '.join(re.findall('[a-z]+|[,.;:?=(){}[]|]', text.lower()))} "
    found = []
    for each in _EXPRESSIONS:
        place = words.find(each)
        while place >= 0:
            found.append(words[max(place - 40, 0) : place + len(each) + 40])
            place = words.find(each, place + 1)
    return found
