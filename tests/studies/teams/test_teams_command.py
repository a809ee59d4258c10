import json

import pytest

from pokerlab.cli.main import main


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        main([*map(str, arguments)])
    printed = capsys.readouterr()
    return stop.value.code, printed.out, printed.err


@pytest.mark.slow
def test_the_quick_form(capsys, tmp_path):
    arguments = ("reproduce", "mapping", "teams", "--quick", "-o", tmp_path, "--json")
    code, out, _ = run(capsys, *arguments)
    found = json.loads(out)
    assert code == 0
    assert found["verdicts"] == []
    assert "Nothing is judged" in (tmp_path / "teams" / "summary.md").read_text("utf-8")


def test_the_best_response_of_a_team(capsys, tmp_path):
    file = tmp_path / "kuhn.safetensors"
    run(capsys, "solve", "kuhn.3p", "--iterations", 200, "-o", file, "--json")
    code, out, _ = run(capsys, "best-response", file, "--team", "2,0", "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["team"], found["player"]) == ([0, 2], 1)
    assert found["cards"] <= found["plan"] <= found["alone"] <= found["value"]
    code, out, _ = run(capsys, "best-response", file, "--team", "0,1")
    assert "share their cards" in out
    for team, message in (("0,x", "it takes seats"), ("0,3", "all seats of kuhn.3p but one")):
        code, out, err = run(capsys, "best-response", file, "--team", team)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
