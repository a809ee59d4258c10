"""Tables of pages say what the published files say."""

import csv
from math import exp, log

import pytest
from tests.docs.snippets import ROOT

DOCS = ROOT / "docs"
OPTIONS = ("32 bits", "16 bits", "view", "view, 16 bits", "strength", "kmeans 100", "rank")
RULES = {
    ("cfr", "plain mean"): "CFR, plain mean (algorithm 3)",
    ("cfr", "own reach"): "CFR, average by own reach",
    ("cfr-return", "own reach"): "CFR that hands up the new value, own reach",
    ("cgh(0.2)", "last"): "CGH(0.2), old value handed up",
    ("cgh-return(0.2)", "last"): "CGH(0.2), new value handed up",
    ("dcfr(1.5,0.25,3)", "own reach"): "dcfr(1.5,0.25,3)",
}


def rows_of(name):
    with (DOCS / "abstraction" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def page(name):
    """The lines of a page, without what makes text bold or slanted."""
    return (DOCS / f"{name}.md").read_text("utf-8").replace("*", "").split("\n")


def table_row(lines, label, number=0):
    """The cells of a row after its label; the first such row unless a number is given."""
    found = [line for line in lines if line.startswith(f"| {label} |")]
    return [cell.strip() for cell in found[number].strip("| ").split("|")][1:]


def minus(text):
    return text.replace("-", "−")


@pytest.mark.parametrize("rule", ["cgh-return(0.175)", "dcfr(1.5,0.25,3)"])
def test_tables_6_and_7(rule):
    lines = page("abstraction")
    shown = [line for line in lines if line.startswith("| DCFR, ")]
    begin = lines.index(shown[0]) if rule.startswith("dcfr") else 0
    cells = {}
    for row in rows_of("tables-06-07"):
        if row["rule"] == rule:
            texts = [
                f"{float(row[name]):.2f}"
                + (f" ({float(row['thesis_' + name]):.2f})" if row["thesis_" + name] else "")
                for name in ("abstract", "real")
            ]
            cells.setdefault(row["abstraction"], []).extend(texts)
    on_page = [line for line in lines[begin:] if line.startswith("| ")]
    assert cells
    for groups, texts in cells.items():
        label = f"DCFR, {groups}" if begin and groups == "rank/river" else groups
        assert table_row(on_page, label)[:4] == texts


def test_figure_18():
    lines, rows = page("race"), rows_of("figure-18")
    games = list(dict.fromkeys(row["game"] for row in rows))
    for (rule, answer), label in RULES.items():
        found = [
            float(row["real"])
            for game in games
            for row in rows
            if (row["game"], row["rule"], row["answer"]) == (game, rule, answer)
            and row["groups"] == "every hand"
        ]
        shown = [float(cell) for cell in table_row(lines, label)]
        assert shown == pytest.approx(found, rel=0.01, abs=0.05)


def test_figure_19():
    text = " ".join(page("abstraction"))
    last = {
        float(row["constant"]): float(row["abstract"])
        for row in rows_of("figure-19")
        if row["game"] == "stacks 5, all-in" and row["iteration"] == "400"
    }
    assert (
        f"after 400 iterations {last[0.0]:.2f} for c = 0, {last[0.2]:.2f} for 0.2,"
        f" {last[0.3]:.2f} for 0.3" in text
    )


def test_table_8():
    lines = page("abstraction")
    rows = {
        (row["strategy"], row["seat"]): {
            name: float(row[name]) for name in ("guaranteed", "won", "stderr", "exact")
        }
        for row in rows_of("table-08")
    }
    sure = minus(f"{rows['cgh', 'sum']['guaranteed']:.2f} (-3.09)")
    assert table_row(lines, "CGH (thesis)")[0] == sure
    for strategy, label in (
        ("cfr, plain mean", "CFR, plain mean (thesis)"),
        ("cfr, own reach", "CFR, own reach"),
    ):
        found = rows[strategy, "sum"]
        shown = table_row(lines, label)
        assert shown[0].startswith(minus(f"{found['guaranteed']:.1f}"))
        assert shown[1].startswith(minus(f"{found['won']:.1f} ± {found['stderr']:.1f}"))
        assert shown[2] == minus(f"{found['exact']:.1f}")
    (game,) = (
        row
        for row in rows_of("table-08-game")
        if (row["hands"], row["stack"], row["menu"]) == ("all hands", "49", "a")
    )
    value = minus(f"{float(game['value']):.1f} ± {float(game['error']):.1f}")
    assert f"stacks of 49 has {value}" in " ".join(lines)


def test_the_appendix():
    text = " ".join(page("abstraction"))
    (means,) = (row for row in rows_of("appendix") if row["line"] == "all lines")
    assert f"KhJh bets the river {float(means['bluffs']):.0%} of the time" in text
    folds = [float(means[f"{hand}_folds_to_all_in"]) for hand in ("AcAs", "AcAd")]
    assert f"({folds[0]:.0%} against {folds[1]:.0%})" in text


def test_groups():
    text, rows = " ".join(page("abstraction")), rows_of("flop-groups")
    total = sum(int(row["times"]) for row in rows)
    for measure in ("rank", "strength", "view"):
        columns = (f"{measure}_river", f"{measure}_turn_river", f"{measure}_board")
        means = [
            sum(int(row["times"]) * float(row[column]) for row in rows) / total
            for column in columns
        ]
        assert "{:.1f}, {:.1f} and {:.1f}".format(*means) in text
    # The most that three flops of three suits and four of two can have.
    by_suits = {2: [], 3: []}
    for row in rows:
        suits = len(set(row["flop"][1::2]))
        if suits > 1:
            by_suits[suits].append(int(row["rank_hierarchical"]))
    most = sum(sorted(by_suits[3])[-3:] + sorted(by_suits[2])[-4:]) / 7
    assert f"at most {most:.1f}" in text
    most_of = {
        (row["abstraction"], row["street"]): float(row["sample_most"])
        for row in rows_of("table-04")
    }
    turn, river = (most_of["view/river", street] for street in ("turn", "river"))
    assert f"({turn:.1f} and {river:.1f}," in text


def test_what_groups_cost():
    lines, rows = page("abstraction"), rows_of("cost")
    cells = {(row["ranges"], row["flop"], row["option"]): row for row in rows}
    for option in OPTIONS:
        label = option.replace("kmeans 100", "k-means, 100 groups")
        texts = []
        for ranges in ("20%", "all hands"):
            flops = [flop for of, flop, name in cells if (of, name) == (ranges, option)]
            pairs = [
                (cells[ranges, flop, option], cells[ranges, flop, "32 bits"]) for flop in flops
            ]
            memory = _geometric([float(one["bytes"]) / float(two["bytes"]) for one, two in pairs])
            ratios = [float(one["real"]) / float(two["real"]) for one, two in pairs]
            texts += [
                f"1/{1 / memory:.1f}",
                f"{_geometric(ratios):.2f} ({min(ratios):.2f} – {max(ratios):.2f})",
            ]
        expected = ["1"] * 4 if option == "32 bits" else texts
        assert table_row(lines, label) == expected


def _geometric(values):
    return exp(sum(map(log, values)) / len(values))


def mapping_rows(name):
    with (DOCS / "mapping" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_experts():
    labels = {
        "HBB5": "HBB5",
        "HBB5,bias": "HBB5, bias by hand (the thesis's)",
        "HBB5,folds": "HBB5, bias by hand and betting",
        "HBB5,folds,postflop": "HBB5, the same after the flop too",
        "hybrid HBB5,preflop": "fair, HBB5 after a fold before the flop",
        "dpp+experts": "fair, experts after a fold before the flop",
        "HBB7": "HBB7",
        "HBB7+experts": "HBB7 with experts",
        "CFR3": "CFR3",
        "CFR3+experts": "CFR3 with experts",
    }
    cells = {}
    for row in mapping_rows("experts/experts-everybody"):
        text = f"{float(row['mbb']):+.0f} ± {float(row['stderr']):.0f}"
        cells.setdefault(labels[row["row"]], []).append(minus(text))
    lines = page("mapping")
    assert len(cells) == len(labels)
    for label, texts in cells.items():
        assert table_row(lines, label) == texts


def test_two_against_the_third():
    lines = page("mapping")
    for column, label in {
        "value": "equilibrium with β = 0, if all keep to it",
        "alone": "one other plays for nothing but this seat's loss",
        "plan": "two agree on a plan before the deal",
        "cards": "two share their cards",
    }.items():
        found = [
            minus(f"{float(row[column]):+.4f}")
            for row in mapping_rows("teams/responses")
            if row["strategy"] == "β = 0"
        ]
        assert table_row(lines, label) == found
    certain = [row for row in mapping_rows("teams/certain") if row["game"] == "kuhn.3p"]
    plans = [minus(f"{float(row['plan']):+.4f}") for row in certain]
    assert table_row(lines, "the most to be sure of, against plans drawn at random") == plans


def test_what_few_bet_sizes_cost():
    lines = page("bets")
    with (DOCS / "bets" / "menus.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cells = {}
    for row in rows:
        percent = (float(row["least_percent"]) + float(row["most_percent"])) / 2
        cells.setdefault((row["street"], row["sizes"]), {}).setdefault(row["answer"], []).append(
            percent
        )
    assert len(cells) == 8
    for (street, sizes), by_answer in cells.items():
        (line,) = [each for each in lines if each.startswith(f"| {street} | {sizes} |")]
        for found in by_answer.values():
            mean = sum(found) / len(found)
            assert f"| {mean:.2f} ({min(found):.2f} – {max(found):.2f}) |" in line


def resolving_rows(name):
    with (DOCS / "resolving" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_lead_of_reach_maxmargin():
    leads = []
    for row in resolving_rows("rivers"):
        if row["solved to"] == "0.5%":
            best, following = sorted(float(each) for each in list(row.values())[2:])[:2]
            assert best == float(row["reach-maxmargin response"])
            leads.append(following - best)
    assert f"by {min(leads):.3f} to {max(leads):.3f}% of the pot" in " ".join(page("resolving"))


def test_gadgets_on_cpu_and_gpu():
    lines, rows = page("resolving"), resolving_rows("gpu-turns")
    for device, label in (("cpu", "five cores"), ("gpu", "H200")):
        cells = []
        for street in ("river", "turn"):
            for plain in (True, False):
                found = [
                    float(row["ms"])
                    for row in rows
                    if row["device"] == device
                    and row["spot"].startswith(street)
                    and (row["kind"] == "none") == plain
                ]
                cells.append(f"{min(found):.2f} – {max(found):.2f}")
        assert table_row(lines, label) == cells
    margins = {}
    for row in rows:
        what = tuple(row[name] for name in ("kind", "spot", "values", "bits"))
        if row["least_margin"]:
            margins.setdefault(what, []).append(float(row["least_margin"]))
    apart = {
        kind: max(abs(one - other) for what, (one, other) in margins.items() if what[0] == kind)
        for kind in ("maxmargin", "resolve")
    }
    least = min(
        min(both) for what, both in margins.items() if what[::2] == ("maxmargin", "response")
    )
    text = " ".join(lines)
    assert f"at most {apart['maxmargin']:.3f} chips for `maxmargin`" in text
    assert f"at most {apart['resolve']:.3f} for `resolve`" in text
    assert f"every hand lose at least {least:.2f} chips" in text
