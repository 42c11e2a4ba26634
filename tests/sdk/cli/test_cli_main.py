"""The command as a whole: help, usage, exit codes, what goes where."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, version
from pathlib import Path

import click
import pytest

import sixtysix.rules.errors
from sixtysix import api, cli
from sixtysix.bot import BotError, NoSuchBot
from sixtysix.cli import failures, main
from sixtysix.cli.failures import EXIT_CODES, MissingArena, arena_installed, tell
from sixtysix.record import RecordError
from sixtysix.rules import SixtySixError

Golden = Callable[[str, str], None]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], int]:
    """Runs `sixtysix fail`, a command that raises."""

    def run(error: BaseException) -> int:
        def fail() -> None:
            raise error

        class Point:
            def load(self) -> click.Command:
                return click.Command("fail", callback=fail)

        monkeypatch.setattr(cli, "_added", lambda: {"fail": Point()})
        return main(["fail"])

    return run


def _subclasses(error_class: type[BaseException]) -> Iterator[type[BaseException]]:
    for each in error_class.__subclasses__():
        yield each
        yield from _subclasses(each)


# Help


def _helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    settings = command.context_settings
    context = click.Context(command, parent, name, terminal_width=80, **settings)
    yield f"$ {context.command_path} --help\n{command.get_help(context)}\n"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            assert found is not None
            yield from _helps(found, each, context)


def test_help(golden: Golden) -> None:
    golden("cli/help.txt", "\n".join(_helps(cli.sixtysix, "sixtysix", None)))


def test_every_command_has_help_in_a_line() -> None:
    context = click.Context(cli.sixtysix)
    for name in cli.sixtysix.list_commands(context):
        command = cli.sixtysix.get_command(context, name)
        assert command is not None
        short = command.get_short_help_str(limit=60)
        assert short.endswith("."), name
        assert "..." not in short, name


def test_version(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"sixtysix {version('sixtysix')}\n"


def test_without_a_command_there_is_help(capsys: Capture) -> None:
    for argv in ([], ["bot"]):
        assert main(argv) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Usage: sixtysix" in captured.err


HEAVY = ("asyncio", "grpc", "google", "numpy", "sqlalchemy", "alembic", "trueskill")


def _python(code: str, *, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_imports_nothing_heavy() -> None:
    code = f"""
import sys
from sixtysix.cli import main
assert main(["--help"]) == 0
print([name for name in {HEAVY} if name in sys.modules])
"""
    assert _python(code).stdout.splitlines()[-1] == "[]"


# Usage


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["leaderbord"], "there is no command 'leaderbord', did you mean 'leaderboard'?"),
        (["xyzzy"], "there is no command 'xyzzy'"),
        (["--frobnicate"], "no such option"),
        (["bot", "submit"], "missing argument 'NAME' (see 'sixtysix bot submit --help')"),
        (["log", "cup.1", "--deal", "-1"], "invalid value for '--deal'"),
        (["leaderboard", "--rules", "clasic"], "'clasic' is not one of 'classic'"),
        (["leaderboard", "cup", "--rules", "classic"], "give either SLUG or --rules"),
        (["games", "cup", "--data", ".", "--arena", "x:1"], "give either --data or --arena"),
        (["join", "x.py", "--games-at-once", "257"], "invalid value for '--games-at-once'"),
    ],
)
def test_wrong_usage_is_told_in_a_line(argv: list[str], told: str, capsys: Capture) -> None:
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("sixtysix: ")
    assert captured.err.count("\n") == 1
    assert told.lower() in captured.err.lower()


# Exit codes


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SixtySixError("x"), 1),
        (RecordError("x"), 1),
        (api.ApiError("x"), 1),
        (api.WrongState("x"), 1),
        (api.AlreadyExists("x"), 2),
        (api.NotAllowed("x"), 1),
        (api.JoinRefused("x"), 1),
        (MissingArena("x"), 1),
        (click.ClickException("x"), 1),
        (api.InvalidRequest("x"), 2),
        (click.UsageError("x"), 2),
        (api.NotFound("x"), 3),
        (NoSuchBot("x"), 2),
        (BotError("x"), 4),
        (api.ArenaUnreachable("x"), 6),
    ],
)
def test_every_error_has_its_exit_code(
    error: Exception, code: int, failing: Callable[[BaseException], int], capsys: Capture
) -> None:
    assert failing(error) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("sixtysix: x")
    assert captured.err.count("\n") == 1


def test_no_error_of_ours_is_without_an_exit_code() -> None:
    errors: list[type[BaseException]] = [SixtySixError, *_subclasses(SixtySixError)]
    for error_class in errors:
        assert any(each in EXIT_CODES for each in error_class.__mro__), error_class
    assert issubclass(sixtysix.rules.errors.IllegalMove, SixtySixError)


def test_ctrl_c(failing: Callable[[BaseException], int], capsys: Capture) -> None:
    assert failing(KeyboardInterrupt()) == failures.INTERRUPTED == 130
    assert "Traceback" not in capsys.readouterr().err


def test_what_nobody_foresaw_keeps_its_traceback(failing: Callable[[BaseException], int]) -> None:
    assert tell(ZeroDivisionError()) is None
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError())
    with pytest.raises(OSError, match="something else"):
        failing(OSError("something else"))


def test_threat_28_errors_of_strangers_are_harmless(
    failing: Callable[[BaseException], int], capsys: Capture
) -> None:
    failing(api.ApiError("red \x1b[31m and \u202e turned"))
    assert capsys.readouterr().err == "sixtysix: red  [31m and   turned\n"


def test_an_authors_traceback_keeps_its_lines(
    failing: Callable[[BaseException], int], capsys: Capture
) -> None:
    failing(BotError("bot.py failed\n\nTraceback:\n  x"))
    assert capsys.readouterr().err == "sixtysix: bot.py failed\n\nTraceback:\n  x\n"


def test_a_reader_who_has_seen_enough() -> None:
    code = """
import os, sys
from sixtysix.cli import main
reading, writing = os.pipe()
os.dup2(writing, 1)
os.close(writing)
os.close(reading)
sys.exit(main(["--help"]))
"""
    finished = _python(code)
    assert (finished.returncode, finished.stderr) == (1, "")


# Where we run


@pytest.mark.parametrize(
    "argv", [["--help"], ["play", "greedy", "random", "-n", "2", "--json"]], ids=" ".join
)
def test_an_output_that_cannot_be_written_is_told_in_a_line(argv: list[str]) -> None:
    code = f"import sys\nfrom sixtysix.cli import main\nsys.exit(main({argv}))"
    with Path("/dev/full").open("w") as full:
        finished = _python(code, stdout=full.fileno())
    assert finished.returncode == 1
    assert finished.stderr == ("sixtysix: the output cannot be written: No space left on device\n")


def test_where_no_error_can_be_told_the_code_remains() -> None:
    with Path("/dev/full").open("w") as full:
        code = subprocess.run(
            [sys.executable, "-m", "sixtysix", "nonsense"], stderr=full, timeout=60, check=False
        ).returncode
    assert code != 0


def test_arguments_are_text(capsys: Capture) -> None:
    assert main(["bot", "submit", "a\udcff"]) == 2
    told = "sixtysix: the argument 'a\\udcff' is no text: expected UTF-8\n"
    assert capsys.readouterr().err == told


def test_text_that_an_output_cannot_carry(
    failing: Callable[[BaseException], int], capsys: Capture
) -> None:
    assert failing(UnicodeEncodeError("latin-1", "\u20ac", 0, 1, "no")) == 1
    told = capsys.readouterr().err
    assert told.startswith("sixtysix: some text cannot be written as latin-1: expected")
    assert told.count("\n") == 1


def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    code = f"""
import os, sys
from pathlib import Path
from sixtysix.cli import main
os.chdir({str(tmp_path)!r})
os.rmdir({str(tmp_path)!r})
sys.exit(main(["bot", "submit", "ada"]))
"""
    finished = _python(code)
    assert finished.returncode == 1
    assert finished.stderr == (
        "sixtysix: the working directory is gone: change to one that is there\n"
    )


def test_a_working_directory_that_is_closed(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root becomes somebody who may not enter where it is")
    code = f"""
import os, sys
from sixtysix.cli import main
import sixtysix.local, sixtysix.cli.play  # What is loaded as root need not be readable later.
os.chmod({str(tmp_path)!r}, 0o700)
os.chdir({str(tmp_path)!r})
os.seteuid(65534)
sys.exit(main(["play", "one.py", "other.py"]))
"""
    finished = _python(code)
    assert finished.returncode == 1
    assert finished.stderr == (
        "sixtysix: the working directory is closed to this user (one.py): change to another one,"
        " for example to /\n"
    )


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        ImportError("x.so: failed to map segment from shared object"),
    ],
)
def test_fault_row_45_too_little_memory_is_told_in_a_sentence(
    failing: Callable[[BaseException], int], capsys: Capture, error: Exception
) -> None:
    assert failing(error) == 1
    told = capsys.readouterr().err
    assert told.startswith("sixtysix: this machine gives the program no more memory, or no more")
    assert told.count("\n") == 1


def test_grpc_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)
    main(["--version"])
    assert os.environ["GRPC_VERBOSITY"] == "NONE"
    monkeypatch.setenv("GRPC_VERBOSITY", "INFO")
    main(["--version"])
    assert os.environ["GRPC_VERBOSITY"] == "INFO"


def test_python_m_sixtysix() -> None:
    finished = subprocess.run(
        [sys.executable, "-m", "sixtysix", "nonsense"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 2
    assert finished.stderr.startswith("sixtysix: there is no command 'nonsense'")


# Commands of others


def test_a_command_that_cannot_be_loaded_does_not_spoil_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    broken = EntryPoint("broken", "no.such.module:command", cli.ENTRY_POINTS)
    monkeypatch.setattr(cli, "_added", lambda: {"broken": broken})
    assert main(["--help"]) == 0
    assert "broken       (cannot be loaded)" in capsys.readouterr().out
    assert main(["broken"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("sixtysix: the command 'broken' cannot be loaded: ModuleNotFoundError")


# Without the arena


def test_what_needs_the_arena_says_how_to_install_it() -> None:
    code = """
import sys
for name in ("alembic", "sqlalchemy", "trueskill"):
    sys.modules[name] = None
from sixtysix.cli import main
assert main(["--help"]) == 0
for argv in (["serve"], ["run", "x.toml"], ["demo"], ["bot", "list", "--data", "."]):
    print(main(argv), file=sys.stderr)
"""
    finished = _python(code)
    assert finished.returncode == 0, finished.stderr
    lines = finished.stderr.splitlines()
    assert lines[1::2] == ["1"] * 4
    for line in lines[::2]:
        assert "is not installed: pip install 'sixtysix[arena]'" in line


def test_only_what_is_not_ours_can_be_missing() -> None:
    with pytest.raises(MissingArena, match="x needs the arena"), arena_installed("x"):
        raise ModuleNotFoundError(name="sqlalchemy.orm")
    with pytest.raises(ModuleNotFoundError), arena_installed("x"):
        raise ModuleNotFoundError(name="sixtysix.nonsense")
