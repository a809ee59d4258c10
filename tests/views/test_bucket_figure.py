import numpy as np

from pokerlab.holdem.limit.buckets.survey import StreetSurvey
from pokerlab.views.bucket_figure import draw_buckets


def survey(street, count):
    histograms = np.full((count, 20), 0.05)
    shares = np.full(count, 1 / count)
    examples = tuple(("AsKd",) for _ in range(count))
    return StreetSurvey(street, shares, np.full(count, 0.5), histograms, examples, 0.1)


def test_a_panel_for_each_chosen_bucket():
    surveys = [survey("pre-flop", 2), survey("flop", 40)]
    chosen = {"pre-flop": [0, 1], "flop": [0, 20, 39]}
    text = draw_buckets(surveys, chosen, title="some buckets").decode()
    for part in ("some buckets", "pre-flop", "flop", "0 (50.0%)", "39 (2.5%)"):
        assert part in text
    assert draw_buckets(surveys, chosen, title="x", kind="png")[:4] == b"\x89PNG"
