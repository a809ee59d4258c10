"""Why a solve ended above its target, and what to try, for the command line and the pages."""

from __future__ import annotations

_BY_GROUPS = (
    "stopped before the target: inside the groups ε is an eighth of it; the rest comes from "
    "grouping hands, and more iterations will not remove it; try no groups"
)


def stop_text(
    stopped: str,
    rule: str,
    *,
    precision: int = 64,
    groups: str | None = None,
    most_bits: int = 64,
) -> str:
    """One line about a solve that cannot reach its target as it is; empty for all others.

    Parameters
    ----------
    stopped, rule
        Those of the solution.
    precision, most_bits
        Bits of the stored numbers, and the most that there could be.
    groups
        Groups of hands, if there are any.

    Examples
    --------
    >>> stop_text("stalled", "cfr+(1)")
    'stalled: the exploitability ... while the iterations grew fivefold; try another rule (dcfr)'
    >>> stop_text("stalled", "dcfr(1.5,0,2)", precision=16, groups="view/river")[-52:]
    'try no groups, more bits (32) or another rule (cfr+)'
    >>> stop_text("target", "cfr+(1)")
    ''
    """
    if stopped == "groups":
        return _BY_GROUPS
    if stopped != "stalled":
        return ""
    ways = ["no groups"] if groups is not None else []
    if precision < most_bits:
        ways.append(f"more bits ({2 * precision})")
    ways.append(f"another rule ({'cfr+' if rule.startswith('dcfr') else 'dcfr'})")
    choice = " or ".join(filter(None, (", ".join(ways[:-1]), ways[-1])))
    return (
        "stalled: the exploitability has not fallen by a tenth while the iterations grew fivefold; "
        f"try {choice}"
    )
