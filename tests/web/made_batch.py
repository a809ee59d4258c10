"""A batch whose rows are made up: 1,755 flops in a second, without a solve."""

import json

import numpy as np

from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.batches import Batch, BatchQuestion, BoardRow
from pokerlab.holdem.batches.folder import row_digest
from pokerlab.holdem.spots import Spot

SPOT = Spot("QhJh2c", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80, bet="33%, a", raise_="")


def make_batch(folder, flops="25", *, without=0):
    """Rows that depend on the flop in a known way; the last `without` flops are not solved."""
    chosen = parse_flops(flops)
    question = BatchQuestion.of(
        SPOT, {flop.name: flop.weight for flop in chosen}, up_to_suits=True, keep="root"
    )
    batch = Batch.begin(folder, question)
    rng = np.random.default_rng(1)
    for flop in chosen[: len(chosen) - without]:
        bet = (1 + flop.texture.high) / 20 + 0.1 * rng.random()
        row = BoardRow(
            flop.name, flop.weight, 100.0, (40 + 20 * bet, 60 - 20 * bet), (0.45, 0.55), 0.1, 0.1,
            50, "target", 1.0, 1.5, 9, {"x": 1 - bet, "b33": 0.75 * bet, "a": 0.25 * bet},
            {"x": 40.0, "b33": 50.0, "a": None},
        )  # fmt: skip
        batch.solution_path(flop.name).write_bytes(b"123456789")
        data = {"question": question.solve_digest, "target": question.target, **row.to_json()}
        data["digest"] = row_digest(data)
        batch.solution_path(flop.name).with_suffix(".json").write_text(json.dumps(data))
    return batch
