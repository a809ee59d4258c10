"""What simple strategies lose by their step, as docs/simple.md shows it: price.csv and price.svg.

Run it as ``python docs/simple/price.py``; it takes a few seconds.
"""

from pathlib import Path

from pokerlab.holdem.spots import Spot, simplify, solve_spot
from pokerlab.views.figure_file import COLOURS, figure_file, plain_axes
from pokerlab.views.table import Table

HERE = Path(__file__).parent
STEPS = (1, 2, 3, 4, 5, 10, 20)
SPOTS = {"river": ("QhJh2c4d7s", "75%"), "turn": ("QhJh2c4d", "75%")}


def main() -> None:
    """Solve both spots, simplify them in all ways, and write the table and the picture."""
    rows = []
    for name, (board, bet) in SPOTS.items():
        spot = Spot(
            board,
            "22+, A2s+, K9s+, QTs+, JTs, T9s, 98s, 87s, AJo+, KJo+",
            "22+, A2s+, K9s+, QTs+, JTs, T9s, 98s, 87s, ATo+, KTo+, QJo",
            pot=100,
            stack=200,
            bet=bet,
            raise_="a",
        )
        solution = solve_spot(spot, target="0.02%")
        for units in STEPS:
            for balanced in (True, False):
                found = simplify(solution, 1 / units, balanced=balanced, origins=False)
                kind = "balanced" if balanced else "nearest"
                rows.append((name, 100 / units, kind, found.loss.percent))
    heads = {"street": "text", "step": "chips.1", "rounding": "text", "loss": "chips.3"}
    (HERE / "price.csv").write_text(Table(heads, rows).csv(digits=4), encoding="utf-8")
    with figure_file(7.2, 3.2, "svg", title="Loss by step") as (figure, file):
        for axes, name in zip(figure.subplots(1, 2, sharey=True), SPOTS, strict=True):
            for number, kind in enumerate(("balanced", "nearest")):
                mine = [(row[1], row[3]) for row in rows if (row[0], row[2]) == (name, kind)]
                axes.plot(*zip(*mine, strict=True), "o-", color=COLOURS[number], label=kind)
            axes.set_title(name, loc="left", fontsize=10.5)
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.set_xticks([5, 10, 25, 50, 100], ["5%", "10%", "25%", "50%", "100%"])
            axes.minorticks_off()
            axes.set_xlabel("step")
            plain_axes(axes)
        figure.axes[0].set_ylabel("loss of both, % of the pot")
        figure.axes[0].legend(frameon=False)
        figure.subplots_adjust(left=0.1, right=0.98, top=0.9, bottom=0.16, wspace=0.08)
    (HERE / "price.svg").write_bytes(file.getvalue())


if __name__ == "__main__":
    main()
