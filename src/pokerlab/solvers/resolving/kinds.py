"""The kinds of gadgets, the same for explicit trees and for spots.

The *hero* is the player whose strategy is found anew; the *opponent* comes into the subgame with
one of some hands. Each hand was worth something to them before:

``unsafe``
    The opponent holds each hand as often as the strategy says. Against an opponent who plays
    otherwise, the hero may lose more than before.
``resolve``
    With each hand the opponent may stop for what it was worth, or play on ("Solving imperfect
    information games using decomposition", 2014). No hand gains.
``maxmargin``
    The opponent chooses the hand: the least that any of them loses is as much as can be
    ("Refining subgames in large imperfect information games", 2016).
``combined``
    As ``unsafe``; a fifth more weight goes to hands that are rarer than the likeliest, and these
    may stop. It promises nothing: some hand may gain.

Before each of them, ``reach-`` makes hands worth more by what the opponent gave away on the way
("Safe and nested subgame solving for imperfect-information games", 2017).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

KINDS: Final = ("unsafe", "resolve", "maxmargin", "combined")
"""The gadgets."""
REACH: Final = "reach-"
"""Stands before a kind whose hands are worth more by what the opponent gave away before."""
_FREE_SHARE: Final = 0.2
"""What the hands that may stop weigh in ``combined``, against those that must play on."""


def check_kind(gadget: str) -> str:
    """The kind of a gadget without ``reach-``; `ValueError` for an unknown one.

    Examples
    --------
    >>> check_kind("reach-maxmargin")
    'maxmargin'
    """
    kind = gadget.removeprefix(REACH)
    if kind not in KINDS:
        raise ValueError(
            f"no gadget {shorten(gadget)!r} (it is {', '.join(KINDS)}, also with {REACH} before it)"
        )
    return kind


def entry_weights(kind: str, prior: Floats, mass: Floats) -> tuple[Floats, Floats]:
    """How often each hand of the opponent must play on, and how often it may stop.

    Parameters
    ----------
    kind
        ``unsafe``, ``resolve`` or ``combined``: in ``maxmargin`` the opponent chooses the hand.
    prior
        How likely the opponent's own play makes each hand, up to a factor.
    mass
        How likely the hero's play and the cards make each hand, up to a factor.

    Examples
    --------
    >>> entry_weights("combined", np.array([0.5, 0.0, 0.25]), np.array([1.0, 1.0, 1.0]))
    (array([1. , 0. , 0.5]), array([0. , 0.2, 0.1]))
    """
    held = prior / prior.max() if prior.any() else prior
    none = np.zeros(len(prior))
    if kind == "unsafe":
        return held, none
    if kind == "resolve":
        return none, np.ones(len(prior))
    rare, most = 1 - held, _FREE_SHARE * float(mass @ held)
    return held, rare * min(1.0, most / max(float(mass @ rare), most, 1e-300))
