"""Print how much a hand ahead changes push or fold: the table of ``docs/prizes.md``."""

from pokerlab.holdem.pushfold import HandTables, PushFoldRules, PushFoldSolution, solve_ahead

TABLES = [
    ((10, 10), (), (0, 1, 2, 3)),
    ((5, 5, 5), (50, 30, 20), (0, 1)),
    ((5, 5, 5), (50, 50), (0, 1)),
    ((10, 8, 12), (50, 30, 20), (0, 1)),
    ((5, 5, 5, 5), (50, 30, 20), (0, 1)),
]


def main() -> None:
    """Solve each table and print its row."""
    tables = HandTables.load(3)
    for stacks, payouts, choices in TABLES:
        for ahead in choices:
            found = solve_ahead(PushFoldRules(stacks, payouts), ahead, tables=tables)
            print(row(found, ahead), flush=True)


def row(found: PushFoldSolution, ahead: int) -> str:
    """Stacks, prizes, hands ahead; what each player is worth; how often they go all-in or call."""
    rules = found.rules
    worths = ", ".join(f"{value:.2f}" for value in found.values)
    shares = []
    for node, (player, before) in enumerate(rules.nodes):
        if len(before) < 2:
            after = f":{rules.positions[before[0]]}" if before else ""
            shares.append(f"{rules.positions[player]}{after} {found.share(node):.1%}")
    prizes = ", ".join(map(str, rules.payouts)) or "chips"
    stacks = ", ".join(f"{stack:g}" for stack in rules.stacks)
    return f"| {stacks} | {prizes} | {ahead} | {worths} | {', '.join(shares)} |"


main()
