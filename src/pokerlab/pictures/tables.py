"""Tables and blocks as HTML for notebooks.

A block carries a few rules of style that hold inside of it alone; where they are taken off (as some
sites do with notebooks) a plain table is left. A click on the head of a column sorts by it where
scripts may run; nothing else needs one.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from pokerlab.pictures.palette import Colour, css

_STYLE = (
    ".pokerlab{font:13px/1.4 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;"
    "font-variant-numeric:tabular-nums}"
    ".pokerlab h4{margin:.2em 0 .5em;font-size:15px}"
    ".pokerlab p{margin:.2em 0 .6em}.pokerlab .quiet{opacity:.65}"
    ".pokerlab .row{display:flex;flex-wrap:wrap;gap:12px 28px;align-items:flex-start}"
    ".pokerlab table{color:inherit;border-collapse:collapse;margin:0 0 .6em;font-size:12px}"
    ".pokerlab th,.pokerlab td{padding:2px 9px;text-align:right;white-space:nowrap;"
    "border:0;background:none;color:inherit}"
    ".pokerlab th{font-weight:600;border-bottom:1px solid rgba(128,136,144,.6)}"
    ".pokerlab tbody tr:nth-child(even){background:rgba(128,136,144,.1)}"
    ".pokerlab th:first-child,.pokerlab td:first-child{text-align:left}"
    ".pokerlab tfoot td{border-top:1px solid rgba(128,136,144,.6);font-weight:600}"
)

_SORT = (
    "var h=event.target.closest('th'),b=this.parentNode.tBodies[0],n=h.cellIndex,"
    "v=function(r){var t=r.cells[n].textContent.replace(/[,%+]/g,''),x=parseFloat(t);"
    "return isNaN(x)?t:x},d=h.dataset.d=h.dataset.d==='1'?'-1':'1';"
    "Array.from(b.rows).sort(function(p,q){var x=v(p),y=v(q);"
    "return (typeof x===typeof y?(x<y?1:x>y?-1:0):typeof x==='number'?-1:1)*d})"
    ".forEach(function(r){b.appendChild(r)})"
)


class Markup(str):
    """Text that is HTML already; a table escapes every other text."""

    __slots__ = ()


def block_html(title: str, *parts: str) -> str:
    """A block for notebooks; the title is HTML, and so are the parts.

    Examples
    --------
    >>> block_html("A title", "<p>a part</p>").startswith('<div class="pokerlab"><style>')
    True
    """
    return f'<div class="pokerlab"><style>{_STYLE}</style><h4>{title}</h4>{"".join(parts)}</div>'


def row_html(*parts: str) -> str:
    """Parts side by side, where there is room, without empty ones."""
    return f'<div class="row">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>'


def table_html(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    last: Sequence[str] | None = None,
    left: int = 0,
    more: str = "",
) -> str:
    """A table of texts, the first column to the left and the others to the right.

    Parameters
    ----------
    headings, rows
        The texts; what is not `Markup` is escaped.
    last
        A row that stands below the others, such as their mean.
    left
        How many rows are not shown; `more` says then where they are.

    Examples
    --------
    >>> print(table_html(["hand", "EV"], [["AA <b>", "1.00"]]).partition("<tbody>")[2])
    <tr><td>AA &lt;b&gt;</td><td>1.00</td></tr></tbody></table>
    """
    head = "".join(f"<th>{_text(name)}</th>" for name in headings)
    body = "".join(_row(row) for row in rows)
    foot = "" if last is None else f"<tfoot>{_row(last)}</tfoot>"
    note = f'<p class="quiet">{left:,} more{escape(more)}</p>' if left else ""
    sorts = f' style="cursor:pointer" onclick="{escape(_SORT)}"' if len(rows) > 1 else ""
    return f"<table><thead{sorts}><tr>{head}</tr></thead><tbody>{body}</tbody>{foot}</table>{note}"


def swatch(colour: Colour, text: str) -> Markup:
    """A text with a small field of colour before it."""
    style = (
        "display:inline-block;width:.8em;height:.8em;margin-right:.5em;border-radius:2px;"
        f"background:{css(colour)}"
    )
    return Markup(f'<span style="{style}"></span>{escape(text)}')


def number_text(value: float | None, digits: int = 2) -> str:
    """A number for people; a dash if it is not known.

    Examples
    --------
    >>> number_text(1234.5), number_text(-0.001), number_text(None)
    ('1,234.50', '0.00', '–')
    """
    if value is None or value != value:
        return "–"
    # Adding zero takes the sign off what rounds to nothing.
    return f"{round(value, digits) + 0.0:,.{digits}f}"


def percent_text(value: float | None, digits: int = 1) -> str:
    """A share in percent; a dash if it is not known."""
    return "–" if value is None or value != value else f"{value:.{digits}%}"


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in cells)}</tr>"


def _text(cell: str) -> str:
    return cell if isinstance(cell, Markup) else escape(cell)
