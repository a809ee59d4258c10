"""Draw ``docs/prizes/calls.svg``."""

from pathlib import Path

import matplotlib.pyplot as plt

from pokerlab.holdem.pushfold import PushFoldRules, solve_push_fold_table

STACKS = [3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20]
KINDS = {
    "chips": ((), ()),
    "prizes 50, 30, 20; a third player has 10": ((50, 30, 20), (10,)),
    "two equal prizes; a third player has 10": ((50, 50), (10,)),
}


def main() -> None:
    """Solve each depth for chips and for prizes, and draw how much is played."""
    plt.rcParams["svg.hashsalt"] = "pokerlab"
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), sharey=True)
    for name, (payouts, others) in KINDS.items():
        found = [
            solve_push_fold_table(PushFoldRules((stack, stack), payouts, others))
            for stack in STACKS
        ]
        for node, axis in enumerate(axes):
            axis.plot(STACKS, [100 * each.share(node) for each in found], label=name)
    for axis, title in zip(axes, ("small blind: all-in", "big blind: call"), strict=True):
        axis.set_title(title)
        axis.set_xlabel("big blinds of both players")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("percent of hands")
    axes[0].set_ylim(0, 102)
    axes[1].legend(frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(Path(__file__).with_name("calls.svg"), metadata={"Date": None})


main()
