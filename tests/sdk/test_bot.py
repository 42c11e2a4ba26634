"""Bots are found wherever an author may put them, and what is wrong is said in a sentence."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sixtysix import bot as bots
from sixtysix.bot import Bot, BotError, answer_code, as_bot, load_bot
from sixtysix.rules import RULESETS, Deal, View

VIEW = Deal(RULESETS["doubling"], range(24), dealer=0).view(1)
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Writes a bot file and returns its path; what loading it changed is undone."""
    modules, search_path = set(sys.modules), sys.path.copy()

    def write(text: str, name: str = "my_bot.py") -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return str(path)

    yield write
    sys.path[:] = search_path
    for name in set(sys.modules) - modules:
        if name.startswith(("sixtysix_bot_", "neighbour")):
            del sys.modules[name]


def choose_first(view: View) -> int:
    return view.legal[0]


@pytest.mark.parametrize(
    "text",
    [
        "def choose(view): return view.legal[0]",
        "class Bot:\n    def choose(self, view): return view.legal[0]",
        "class Mine:\n    def choose(self, view): return view.legal[0]\nbot = Mine()",
        "bot = lambda view: view.legal[0]",
        "class Mine:\n    def __call__(self, view): return view.legal[0]\nbot = Mine()",
        "class Bot:\n    def choose_batch(self, views): return [v.legal[0] for v in views]",
        "import sixtysix.bot\nbot = sixtysix.bot.as_bot(lambda view: view.legal[0])",
        "from sixtysix.bot import Bot\ndef choose(view): return view.legal[0]",
    ],
)
def test_a_bot_is_found_in_a_file(write: Write, text: str) -> None:
    bot = load_bot(write(text))
    assert bot.choose(VIEW) == VIEW.legal[0]
    assert bot.label.endswith("my_bot.py")
    assert bot.version == ""
    assert bot.rulesets == tuple(RULESETS)
    assert not bot.close_on_opponents_lead


def test_what_is_explicit_counts_before_a_function_that_is_called_choose(write: Write) -> None:
    bot = load_bot(write("def choose(view): return 1\nclass Bot:\n  def choose(self, v): return 2"))
    assert bot.choose(VIEW) == 2


@pytest.mark.parametrize("body", ["def choose(view): return 0", "bot = lambda view: 0"])
def test_a_file_says_what_its_bot_is_like(write: Write, body: str) -> None:
    text = "version = '2.1'\nrulesets = ['classic']\nclose_on_opponents_lead = True\n" + body
    bot = load_bot(write(text))
    assert bot.version == "2.1"
    assert bot.rulesets == ("classic",)
    assert bot.close_on_opponents_lead


def test_a_bot_says_more_than_its_file(write: Write) -> None:
    text = "version = '1'\nclass Bot:\n    version = '2'\n    def choose(self, view): return 0"
    assert load_bot(write(text)).version == "2"


def test_dunder_version_counts_too(write: Write) -> None:
    text = "from importlib.metadata import version\n__version__ = '3'\ndef choose(view): return 0"
    assert load_bot(write(text)).version == "3"


def test_an_object_has_its_batch_and_its_hooks() -> None:
    class Whole:
        def choose(self, view: View) -> int:
            return 0

        def choose_batch(self, views: list[View]) -> list[int]:
            return [1 for _ in views]

        def game_over(self, over: bots.GameOver) -> None: ...

    bot = as_bot(Whole)
    assert bot.choose_batch is not None
    assert bot.choose_batch([VIEW, VIEW]) == [1, 1]
    assert bot.choose(VIEW) == 0
    assert bot.game_over is not None
    assert bot.game_started is None


def test_functions_of_every_kind_are_bots() -> None:
    def with_more(view: View, depth: int) -> int:
        return depth

    assert as_bot(choose_first).choose(VIEW) == VIEW.legal[0]
    assert as_bot(functools.partial(with_more, depth=3)).choose(VIEW) == 3
    assert as_bot(max).choose is not None  # It does not tell what it can be called with.
    bot = as_bot(choose_first)
    assert as_bot(bot) is bot


def test_a_file_may_import_its_neighbours_and_define_dataclasses(write: Write) -> None:
    write("answer = 7", "neighbour_a.py")
    text = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from neighbour_a import answer\n"
        "@dataclass\nclass Bot:\n"
        "    depth: int = 1\n"
        "    def choose(self, view):\n"
        "        import neighbour_a\n"
        "        return neighbour_a.answer\n"
    )
    assert load_bot(write(text)).choose(VIEW) == 7


def test_two_files_of_one_name_are_two_bots(write: Write) -> None:
    one = load_bot(write("x = 1\ndef choose(view): return x", "a/bot.py"))
    two = load_bot(write("x = 2\ndef choose(view): return x", "b/bot.py"))
    assert (one.choose(VIEW), two.choose(VIEW)) == (1, 2)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(BotError, match=r"^there is no file gone\.py$"):
        load_bot("gone.py")


def test_a_folder_is_no_bot(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="is not a file"):
        load_bot(str(tmp_path))


def test_a_file_that_is_not_python_is_refused(write: Write) -> None:
    with pytest.raises(BotError, match=r"expected a name that ends in \.py"):
        load_bot(write("", "bot.txt"))


def test_a_file_without_a_bot_is_told_what_was_expected(write: Write) -> None:
    with pytest.raises(BotError, match=r"no bot in .*my_bot\.py: expected a function choose"):
        load_bot(write("x = 1"))


def test_an_unknown_house_bot_is_told_which_there_are() -> None:
    with pytest.raises(BotError, match="no house bot 'gredy': house bots are "):
        load_bot("house:gredy")


def test_a_file_without_its_ending_is_recognised(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("", "mine")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError, match=r"given by its path: \./mine"):
        load_bot("mine")


def test_a_file_that_raises_shows_where(write: Write) -> None:
    path = write("import os\n\ndef depth():\n    return 1 / 0\n\ndepth()\n")
    with pytest.raises(BotError) as caught:
        load_bot(path)
    text = str(caught.value)
    first, _, rest = text.partition("\n")
    assert first == f"importing {path} failed: ZeroDivisionError: division by zero"
    assert "line 4, in depth" in rest
    assert "importlib" not in rest
    assert "sixtysix/bot.py" not in rest


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("def choose(view)\n", "SyntaxError"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("class Bot:\n    def __init__(self): raise KeyError('x')", "KeyError: 'x'"),
        ("class Bot:\n    def __init__(self, depth): pass", "TypeError"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("class Whim(BaseException): pass\nraise Whim('no')", "Whim: no"),
        (
            "class Bot:\n    def choose(self, view): return 0\n"
            "    @property\n    def version(self): return 1 / 0",
            "ZeroDivisionError",
        ),
        (
            "def choose(view): return 0\ndef rulesets():\n    yield 1 / 0\nrulesets = rulesets()",
            "Zero",
        ),
    ],
)
def test_whatever_a_file_raises_is_a_bot_error(write: Write, text: str, wrong: str) -> None:
    with pytest.raises(BotError, match=wrong):
        load_bot(write(text))


def test_a_file_that_failed_leaves_no_module(write: Write) -> None:
    before = set(sys.modules)
    with pytest.raises(BotError):
        load_bot(write("1 / 0"))
    assert set(sys.modules) == before


def test_loading_is_known_while_it_lasts(write: Write) -> None:
    text = "from sixtysix.bot import is_loading\nseen = is_loading()\ndef choose(view): return seen"
    assert load_bot(write(text)).choose(VIEW) is True
    assert not bots.is_loading()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("choose = 3", "is no function"),
        ("def choose(): return 0", "cannot be called with the view alone"),
        ("def choose(view, depth): return 0", "cannot be called with the view alone"),
        ("async def choose(view): return 0", "is a coroutine"),
        ("class Bot:\n    pass", r"no method choose\(view\)"),
        ("class Bot:\n    choose = 3", "is not a function: it is 3"),
        ("def choose(view): return 0\nrulesets = ['klassik']", "plays 'klassik': rule sets are"),
        ("def choose(view): return 0\nrulesets = []", "plays no rule set"),
        ("def choose(view): return 0\nrulesets = 3", "plays 3"),
        ("def choose(view): return 0\nversion = 'x' * 41", "has 41 bytes: at most 40"),
        (
            r"""def choose(view): return 0
version = '\udcff'""",
            r"cannot be '\\udcff': expected text",
        ),
        ("def choose(view): return 0\ndef game_over(): pass", "game_over of .* cannot be called"),
    ],
)
def test_what_cannot_be_a_bot_is_said_in_a_sentence(write: Write, text: str, wrong: str) -> None:
    with pytest.raises(BotError, match=wrong) as caught:
        load_bot(write(text))
    assert "\n" not in str(caught.value)


class _Index:
    def __index__(self) -> int:
        return 5


@pytest.mark.parametrize(("answer", "code"), [(0, 0), (VIEW.legal[0], 0), (_Index(), 5), (99, 99)])
def test_whole_numbers_are_answers_legal_or_not(answer: object, code: int) -> None:
    assert answer_code(answer) == code
    assert type(answer_code(answer)) is int


@pytest.mark.parametrize("answer", [None, "TH", 1.0, True, [3]])
def test_anything_else_is_no_answer(answer: object) -> None:
    with pytest.raises(BotError, match=r"expected one of view\.legal, a number"):
        answer_code(answer)


@pytest.mark.parametrize("answer", [-1, 2**32])
def test_what_the_wire_cannot_carry_is_no_answer(answer: int) -> None:
    with pytest.raises(BotError, match=f"answered {answer}: expected one of"):
        answer_code(answer)


def test_the_public_form_is_the_documented_one() -> None:
    assert Bot("x", choose_first) == Bot("x", choose_first, None, "", tuple(RULESETS), False)
