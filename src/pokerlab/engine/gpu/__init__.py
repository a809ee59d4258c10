"""The engine on a GPU: see `walker`."""

from pokerlab.runtime.gpu.sources import register_kernels

register_kernels(
    __name__,
    {
        "walk": ("types", "device", "rows", "program", "nodes", "groups", "leaves", "walk"),
        "build_tables": ("types", "device", "board_tables"),
        "rank_hands": ("types", "device", "all_ins"),
        "count_margins": ("types", "device", "all_ins"),
        "evaluate_all_ins": ("types", "device", "all_ins"),
        "evaluate_all_ins_2": ("types", "device", "all_ins"),
        "evaluate_all_ins_4": ("types", "device", "all_ins"),
        "add_boards": ("types", "device", "street_sums"),
        "find_missed": ("types", "device", "street_sums"),
        "scale_rows": ("types", "device", "street_sums"),
        "write_probabilities": ("types", "device", "rows", "probabilities"),
    },
)
