"""Tables as columns by name, for other programs: CSV, Parquet (with pyarrow) and pandas.

A column holds texts or numbers; None is a number or a text that is not known.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pokerlab.runtime.files.atomic import write_bytes

Columns: TypeAlias = Mapping[str, Sequence[Any]]


def make_frame(columns: Columns) -> Any:
    """The same as a ``pandas.DataFrame``; `ValueError` if the package pandas is not installed.

    Examples
    --------
    >>> make_frame({"hand": ["AsKs", "AsQs"], "ev": [1.5, None]})["ev"].tolist()
    [1.5, nan]
    """
    try:
        pandas = import_module("pandas")  # by name: it is nobody's dependency here
    except ImportError:
        raise ValueError("a table for pandas needs the package: pip install pandas") from None
    return pandas.DataFrame(
        {
            # A column of which nothing is known would be one of objects.
            name: np.full(len(values), np.nan) if set(values) == {None} else list(values)
            for name, values in columns.items()
        }
    )


def write_csv(columns: Columns, path: str | Path) -> None:
    """Write a CSV file with a line of names; unknown values are empty.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_csv({"hand": ["AsKs", "AsQs"], "ev": [1.5, None]}, Path(folder, "a.csv"))
    ...     print(Path(folder, "a.csv").read_text(encoding="utf-8"), end="")
    hand,ev
    AsKs,1.5
    AsQs,
    """
    write_bytes(path, csv_text(columns).encode())


def csv_text(columns: Columns) -> str:
    """The text that `write_csv` writes."""
    return csv_rows(columns, zip(*columns.values(), strict=True))


def csv_rows(
    heads: Iterable[str],
    rows: Iterable[Iterable[Any]],
    digits: int | None = None,
    unknown: str = "",
) -> str:
    """Rows as CSV, None as an empty cell.

    With `digits`, floats have this number of significant ones, and NaN is `unknown`.

    Examples
    --------
    >>> print(csv_rows(["bot", "mbb"], [["a", 1 / 3], ["b", float("nan")]], 3, "none"), end="")
    bot,mbb
    a,0.333
    b,none
    """

    def written(cell: Any) -> Any:
        if digits is None or not isinstance(cell, float):
            return cell
        return unknown if cell != cell else f"{cell:.{digits}g}"

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(map(written, row) for row in rows)
    return text.getvalue()


def write_parquet(columns: Columns, path: str | Path) -> None:
    """Write the same as a Parquet file; `ValueError` if the package pyarrow is not installed."""
    try:
        # By name, because the package is nobody's dependency here.
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ValueError(
            "a Parquet file needs the package pyarrow: pip install pyarrow, or write CSV"
        ) from None
    table = pyarrow.table(
        {
            name: pyarrow.array(
                values,
                pyarrow.string()
                if any(isinstance(value, str) for value in values)
                else pyarrow.float64(),
            )
            for name, values in columns.items()
        }
    )
    content = io.BytesIO()
    parquet.write_table(table, content)
    write_bytes(path, content.getvalue())
