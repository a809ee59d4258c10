from .curves import curves_svg
from .grids import heat_svg, matrix_svg
from .palette import (
    PALETTES,
    Colour,
    Palette,
    action_colours,
    action_slots,
    heat_colour,
    ink_on,
    mix,
    palettes_css,
)
from .tables import block_html, number_text, percent_text, row_html, table_html

__all__ = [
    "PALETTES",
    "Colour",
    "Palette",
    "action_colours",
    "action_slots",
    "block_html",
    "curves_svg",
    "heat_colour",
    "heat_svg",
    "ink_on",
    "matrix_svg",
    "mix",
    "number_text",
    "palettes_css",
    "percent_text",
    "row_html",
    "table_html",
]
