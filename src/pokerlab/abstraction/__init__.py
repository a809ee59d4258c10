"""Smaller games that stand for larger ones, and the way back: which size a bet stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.abstraction.bet_translation import pseudo_harmonic

__all__ = ["pseudo_harmonic"]

__getattr__ = lazy_names(__name__, {"bet_translation": ["pseudo_harmonic"]})
