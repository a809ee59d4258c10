"""The data files of studies, such as the numbers that a thesis prints."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from pokerlab.runtime.files.toml_text import parse_toml


def read_data(study: str, name: str) -> dict[str, Any]:
    """Read a TOML file of a study: lists as tuples, keys that are whole numbers as numbers.

    Examples
    --------
    >>> thesis = read_data("mapping", "thesis.toml")
    >>> thesis["hands"][11], thesis["nearest_counts"]
    (3000, (1, 2, 5, 10, 15))
    """
    text = (files("pokerlab.studies") / study / name).read_text("utf-8")
    table: dict[str, Any] = _frozen(parse_toml(text))
    return table


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {int(key) if key.isdigit() else key: _frozen(each) for key, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
