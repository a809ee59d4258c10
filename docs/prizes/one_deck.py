"""Print what three players lose of exactness if hands count as independent, as with four players.

The rows are those of a table of ``docs/prizes.md``.
"""

from pokerlab.holdem.pushfold import HandTables, PushFoldRules, solve_push_fold_table

TABLES = [((10, 10, 10), ()), ((10, 8, 12), (50, 30, 20)), ((5, 5, 5), (50, 50))]


def main() -> None:
    """Solve each table in both ways."""
    tables = HandTables.load(3)
    for stacks, payouts in TABLES:
        rules = PushFoldRules(stacks, payouts)
        for hands in ("one deck", "independent"):
            found = solve_push_fold_table(
                rules, tables=tables, independent=hands == "independent", target=1e-4
            )
            worths = ", ".join(f"{value:.3f}" for value in found.values)
            shares = ", ".join(f"{found.share(node):.1%}" for node in range(len(rules.nodes)))
            sizes = ", ".join(map(str, stacks))
            prizes = ", ".join(map(str, payouts)) or "chips"
            print(f"| {sizes} | {prizes} | {hands} | {worths} | {shares} |", flush=True)


main()
