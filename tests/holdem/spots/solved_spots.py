"""Small spots, solved once for the tests that judge, play and compare solutions."""

from __future__ import annotations

from functools import cache

from pokerlab.holdem.spots import PostflopSolution, Spot, solve_spot

__all__ = ["SPOTS", "solved"]

SPOTS = {
    "river": Spot(
        "QhJh2c4d7h",
        "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 8c7c:0.64, 5h4h:0.71, AcKc, 6d5d:0.37",
        "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs, TdTs, AcQs, AsAd",
        pot=101,
        stack=260,
        bet="50%, a",
        raise_="60%, a",
    ),
    "river, rake": Spot(
        "Ts9s8d3c3h",
        "AsTc:0.61, JhTh:0.83, QdJd, 7d6d:0.45, AhAd:0.77, 5s4s, KsQs:0.39",
        "JcJs:0.47, ThTd, 9c9d:0.35, AcKc:0.94, 8s7s, QhJs:0.58, AhTc",
        pot=61,
        stack=(300, 150),
        bet="30%, 75%, a",
        raise_="50%, a",
        max_bets=3,
        rake=0.05,
        rake_cap=7.5,
    ),
    "turn": Spot(
        "QhJh2c4d",
        "AsAd:0.83, KhQd:0.61, 9h8h",
        "JsJd:0.37, 5c5s, AhKh:0.72, QsTs",
        pot=100,
        stack=300,
        bet="turn: 50%, a; river: 75%",
        raise_="turn: a; river:",
    ),
    "turn, rake, all-in": Spot(
        "Kc9d5s5h",
        "AsKd:0.81, 7h6h:0.53",
        "QsQc:0.67, Th9h, JsTs:0.45",
        pot=90,
        stack=45,
        bet="a",
        raise_="a",
        donk="river:",
        rake=0.1,
        rake_cap=11,
    ),
    "turn, one suit": Spot(
        "AhKh7h2h",
        "JcJd:0.7, JcJs:0.7, JdJs:0.7, 9h8h:0.55",
        "6c6d:0.9, 6c6s:0.9, 6d6s:0.9, QhTc:0.8, QhTd:0.8, QhTs:0.8",
        pot=100,
        stack=150,
        bet="turn: 50%; river: a",
        raise_="",
    ),
    "flop, one suit, rake": Spot(
        "AhKh7h",
        "QhJc:0.8, QhJd:0.8, QhJs:0.8",
        "5h4h, 8c8d, 8c8s, 8d8s",
        pot=30,
        stack=60,
        bet="flop: 50%, a; turn: ; river: a",
        raise_="",
        rake=0.03,
        rake_cap=2,
    ),
    "no chips behind": Spot("QhJh2c4d", "AsAd, KhQd:0.6", "JsJd, 9c8c", pot=20, stack=0),
}


@cache
def solved(name: str, isomorphism: bool = True) -> PostflopSolution:
    """The solution of a spot, to 0.2% of the pot."""
    return solve_spot(SPOTS[name], target="0.2%", threads=1, isomorphism=isomorphism)
