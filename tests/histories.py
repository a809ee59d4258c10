"""Hand histories that tests make: a night of two players, hand by hand."""

__all__ = ["NIGHT", "played_hand"]


def played_hand(number, actions, players=("ann", "bob"), stacks=(2000, 2000), day=1):
    """A hand of two players in PHH; the second has the button."""
    acts = ", ".join(f"'{action}'" for action in actions)
    return f"""variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [{stacks[0]}, {stacks[1]}]
actions = [{acts}]
year = 2024
month = 1
day = {day}
time = 20:15:00
hand = {number}
players = ['{players[0]}', '{players[1]}']
"""


_SINGLE_RAISED = ["p2 cbr 250", "p1 cc", "d db Kh7d2c", "p1 cc", "p2 cbr 250", "p1 cc"]
_TO_RIVER = [*_SINGLE_RAISED, "d db 2s", "p1 cc", "p2 cc", "d db 9h"]
_HANDS = [
    ["d dh p1 8s7s", "d dh p2 ????", *_TO_RIVER, "p1 cbr 1500", "p2 f"],
    ["d dh p1 AcQd", "d dh p2 ????", "p2 f"],
    ["d dh p1 ????", "d dh p2 ????", *_SINGLE_RAISED, "d db Ts", "p1 cc", "p2 cbr 500", "p1 f"],
    ["d dh p1 KsQs", "d dh p2 ????", *_TO_RIVER, "p1 cc", "p2 cbr 400", "p1 f"],
    ["d dh p1 AsAd", "d dh p2 KdQd", "p2 cc", "p1 cbr 400", "p2 f"],
]
NIGHT = "\n".join(
    f"[{number}]\n{played_hand(4710 + number, actions, day=number)}"
    for number, actions in enumerate(_HANDS, 1)
)
"""Five hands, two of which ann plays to the river with cards that are known."""
