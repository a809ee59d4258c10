"""The best response of limit hold'em on a GPU: turn and river; see `gpu_best_response`."""

from pokerlab.runtime.gpu.sources import register_kernels

_TREE = "types", "device", "street_tree"

register_kernels(
    __name__,
    {
        "respond_on_rivers": (*_TREE, "rivers"),
        "enter_rivers": (*_TREE, "turns"),
        "respond_on_turns": (*_TREE, "turns"),
        "add_turns": (*_TREE, "turns"),
    },
)
