import pytest

from pokerlab.players.bots import Caller, Raiser, RandomBot
from pokerlab.players.bots.catalogue import bot_aliases, bot_names, make_bot

OWN_BOT = """
from pathlib import Path
from pokerlab.players.bots import Bot, Caller

class Simple(Bot):
    def __init__(self, depth: int = 1, name: str = "", *, brave: bool = False, share: float = 0.5):
        self.depth, self.name, self.brave, self.share = depth, name, brave, share
    def act(self, view):
        return "c"

class WithFile(Caller):
    def __init__(self, path: str | Path, seat: int = 0):
        self.path, self.seat = path, seat

class Unfinished(Bot):
    pass
"""


@pytest.fixture
def own_file(tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text(OWN_BOT)
    return path


def test_names_have_descriptions():
    assert {"caller", "raiser", "folder", "fold-to-raise", "random"} <= set(bot_names())
    assert all(bot_names().values())


def test_arguments():
    assert type(make_bot("caller")) is Caller
    assert type(make_bot("raiser")) is Raiser
    assert not make_bot("raiser").all_in
    assert make_bot("raiser:all-in").all_in
    assert make_bot("raiser:all-in=yes").all_in
    assert not make_bot("raiser:all_in=no").all_in
    bot = make_bot("random:1,2")
    assert type(bot) is RandomBot
    assert (bot.fold, bot.call, bot.raise_) == (1.0, 2.0, 1.0)
    assert make_bot("random:call=0.5").call == 0.5
    assert make_bot("random:raise=3").raise_ == 3.0


def test_a_class_of_a_file(own_file):
    assert make_bot(f"{own_file}:Simple").depth == 1
    bot = make_bot(f"{own_file}:Simple:3,ann,brave,share=0.25")
    assert (bot.depth, bot.name, bot.brave, bot.share) == (3, "ann", True, 0.25)


def test_a_file_name_may_hold_commas_and_equal_signs(own_file):
    assert make_bot(f"{own_file}:WithFile:a,b=1.log").path == "a,b=1.log"
    bot = make_bot(f"{own_file}:WithFile:a,b.log,seat=2")
    assert (bot.path, bot.seat) == ("a,b.log", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no bot ''"),
        ("riser", "no bot 'riser', did you mean raiser?"),
        ("caller:1", "bot 'caller:1': '1' is too much, it takes no arguments"),
        ("random:1,2,3,4", "'4' is too much, it takes fold, call, raise"),
        ("random:1,x", "call takes a number, not 'x'"),
        ("random:1,,1", "call takes a number, not ''"),
        ("random:1,\u0663", "call takes a number, not '\u0663'"),
        ("random:0,0,0", "bad weights 0, 0, 0"),
        ("random:speed=3", "'speed' is not known, it takes fold, call, raise"),
        ("raiser:all-in=maybe", "all-in takes yes or no, not 'maybe'"),
        ("nowhere.py:Simple", "nowhere.py: there is no such file"),
        ("x" * 5000, "no bot 'xxx"),
    ],
)
def test_bad_texts(text, message):
    with pytest.raises(ValueError) as raised:
        make_bot(text)
    assert message in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Nobody", "Nobody is not a bot (its bots are Simple, WithFile, Unfinished)"),
        ("Path", "Path is not a bot"),
        ("Unfinished", "abstract"),
        ("WithFile", "path is missing, it takes path, seat"),
        ("Simple:depth=1.5", "depth takes a whole number, not '1.5'"),
    ],
)
def test_bad_classes_of_a_file(own_file, text, message):
    with pytest.raises(ValueError) as raised:
        make_bot(f"{own_file}:{text}")
    assert message in str(raised.value)


def test_a_file_that_does_not_run(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_this_name")
    with pytest.raises(ValueError, match=r"broken\.py:1: ModuleNotFoundError: No module named"):
        make_bot(f"{path}:Simple")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise KeyError('ace')", "my_bot.py:6: KeyError: 'ace'"),
        ("raise ValueError('no cards')", "my_bot.py:6: ValueError: no cards"),
        ("import sys; sys.exit('enough')", "my_bot.py:6: sys.exit('enough')"),
        ("open('/no/such/file')", "my_bot.py:6: FileNotFoundError: [Errno 2] No such file"),
    ],
)
def test_a_bot_that_cannot_be_made_is_one_line_with_its_place(tmp_path, body, message):
    path = tmp_path / "my_bot.py"
    path.write_text(
        "from pokerlab.players.bots import Caller\n\n"
        "class Broken(Caller):\n    def __init__(self):\n        super().__init__()\n"
        f"        {body}\n"
    )
    with pytest.raises(ValueError) as raised:
        make_bot(f"{path}:Broken")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_exits_is_one_line(tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text("import sys\nsys.exit()\n")
    with pytest.raises(ValueError, match=r"my_bot\.py:2: sys\.exit\(None\)"):
        make_bot(f"{path}:Simple")


def test_other_names_make_the_same_bots():
    assert bot_aliases() == {
        "cfr2": "limit2",
        "cfr3": "limit3",
        "hbb1": "map-streets",
        "hbb2": "map-nearest",
        "hbb3": "map-pot",
        "hbb4": "map-odds",
        "hbb5": "map-odds-pot",
        "hbb6": "map-stakes",
        "hbb7": "map-corrected",
    }
    assert not bot_aliases().keys() & bot_names().keys()
    for alias, name in bot_aliases().items():
        messages = []
        for text in (alias, name):
            with pytest.raises(ValueError) as raised:
                make_bot(f"{text}:/no/such/file")
            messages.append(str(raised.value).partition(": ")[2])
        assert messages[0] == messages[1]
    with pytest.raises(ValueError, match="did you mean hbb7"):
        make_bot("hbb8")
