"""`pokerlab evaluate`, `equity` and `range`: cards without a game around them."""

from __future__ import annotations

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
