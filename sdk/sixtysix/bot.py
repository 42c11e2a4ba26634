"""What a bot is, and how one is found in a file.

A bot is a function `choose(view)` that returns one of `view.legal`, or an
object with such a method. Everything else is optional, as an attribute of the
object or of the module that it comes from:

    choose_batch(views)        answers many views at once, in their order
    version                    the bot's own version, at most 40 bytes (or `__version__`)
    rulesets                   names of the rule sets that it plays; all four without it
    close_on_opponents_lead    whether it wants classic's question before an opponent's lead
    game_started(start)        told of each game that begins
    game_over(over)            told of each game that is over
"""

from __future__ import annotations

import importlib.util
import inspect
import itertools
import operator
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sixtysix.clock import Clock
from sixtysix.limits import MAX_VERSION_BYTES
from sixtysix.names import HOUSE, HOUSE_BOTS
from sixtysix.outcome import Fault, GameEnd
from sixtysix.rules import RULESETS, Ruleset, SixtySixError, View

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec
    from importlib.metadata import EntryPoint

__all__ = [
    "Bot",
    "BotError",
    "GameOver",
    "GameStart",
    "NoSuchBot",
    "answer_code",
    "as_bot",
    "find_bot",
    "house_bots",
    "is_loading",
    "load_bot",
]

MAX_ANSWER = 2**32 - 1
"""The largest number that an answer can carry."""

_NAMES_IN_A_FILE = ("bot", "Bot", "choose")
"""Where a file has its bot; the first one that is there counts."""


class BotError(SixtySixError):
    """A bot that cannot be loaded, or that answered with something that is no move."""


class NoSuchBot(BotError):
    """What was named is no file with Python in it, and no house bot: nothing was loaded."""


@dataclass(frozen=True, slots=True)
class GameStart:
    """A game begins, or goes on after a reconnect."""

    game: str
    """The public id of the game."""
    ruleset: Ruleset
    clock: Clock
    seat: int
    """The bot's seat."""
    opponent: str
    """The opponent's id."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game is over. `winner` is a seat, or None if the game was drawn or void."""

    game: str
    """The public id of the game."""
    seat: int
    """The bot's seat."""
    opponent: str
    """The opponent's id."""
    end: GameEnd
    winner: int | None
    score: tuple[int, int]
    """Game points by seat."""
    fault: Fault | None = None
    """The loser's fault, if that decided the game."""
    reason: str = ""
    """The reason of a forfeit or a void game, in one sentence."""

    @property
    def won(self) -> bool:
        """Whether the bot won."""
        return self.winner == self.seat

    @property
    def lost(self) -> bool:
        """Whether the opponent won."""
        return self.winner == 1 - self.seat


@dataclass(frozen=True, slots=True)
class Bot:
    """Any bot, in one form for all who play with it; `as_bot` makes it."""

    label: str
    """What messages call it: its file, or `house:` and its name."""
    choose: Callable[[View], object]
    """What the author wrote; `answer_code` checks what it returns."""
    choose_batch: Callable[[Sequence[View]], object] | None = None
    version: str = ""
    rulesets: tuple[str, ...] = tuple(RULESETS)
    close_on_opponents_lead: bool = False
    game_started: Callable[[GameStart], object] | None = None
    game_over: Callable[[GameOver], object] | None = None

    def saying(
        self,
        rulesets: Sequence[str] | None = None,
        version: str | None = None,
        close_on_opponents_lead: bool | None = None,
    ) -> Bot:
        """The same bot, saying something else of itself. Raises BotError for the impossible."""
        return replace(
            self,
            rulesets=self.rulesets if rulesets is None else _rulesets(rulesets, self.label),
            version=self.version if version is None else _version(version, None, self.label),
            close_on_opponents_lead=(
                self.close_on_opponents_lead
                if close_on_opponents_lead is None
                else close_on_opponents_lead
            ),
        )


def answer_code(answer: object) -> int:
    """The number that a bot answered, legal or not. Raises BotError if it is none."""
    try:
        code = operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        code = None
    if code is None or isinstance(answer, bool):
        raise BotError(f"the bot answered {answer!r}: expected one of view.legal, a number")
    if not 0 <= code <= MAX_ANSWER:
        raise BotError(f"the bot answered {code}: expected one of view.legal, numbers of 0 to 35")
    return int(code)


def as_bot(thing: object, label: str | None = None) -> Bot:
    """The bot that `thing` is: a function, an object, a class without arguments, or a module.

    Raises BotError if it is none of these, or says something impossible of itself.
    """
    if isinstance(thing, Bot):
        return thing
    # Attributes are the author's code too: they may be properties.
    return _run(lambda: _as_bot(thing, label), f"looking at {label or 'the bot'}")  # type: ignore[no-any-return]


def _as_bot(thing: object, label: str | None) -> Bot:
    module = thing if isinstance(thing, ModuleType) else None
    if module is not None:
        thing = _bot_in(module, label or module.__name__)
    if isinstance(thing, type):
        label = label or thing.__name__
        thing = _made(thing, label)
    home = module or sys.modules.get(_module_name(thing))
    label = label or str(getattr(thing, "__qualname__", type(thing).__qualname__))
    choose, choose_batch = _choosers(thing, label)

    def said(name: str) -> Any:
        return getattr(thing, name, getattr(home, name, None))

    return Bot(
        label=label,
        choose=choose,
        choose_batch=choose_batch,
        version=_version(said("version"), said("__version__"), label),
        rulesets=_rulesets(said("rulesets"), label),
        close_on_opponents_lead=bool(said("close_on_opponents_lead")),
        game_started=_hook(said("game_started"), f"game_started of {label}"),
        game_over=_hook(said("game_over"), f"game_over of {label}"),
    )


def load_bot(spec: str) -> Bot:
    """The bot in a file, given by its path, or a house bot, `greedy` or `house:greedy`.

    The file's folder is searched first for what it imports, as if Python had
    been started with it. Raises NoSuchBot, or BotError, with the traceback if the
    bot's own code failed.
    """
    return find_bot(spec)()


def find_bot(spec: str) -> Callable[[], Bot]:
    """What loads the bot; nothing of it runs before. Raises NoSuchBot."""
    if not spec.startswith(HOUSE) and (spec.endswith(".py") or Path(spec).name != spec):
        return _find_file(Path(spec))
    name = spec.removeprefix(HOUSE)
    for point in _entry_points():
        if point.name == name:
            label = HOUSE + name
            return lambda: as_bot(_run(point.load, f"loading {label}"), label)
    known = ", ".join(house_bots()) or "none installed"
    hint = f", and a file is given by its path: ./{name}" if Path(spec).exists() else ""
    raise NoSuchBot(
        f"there is no house bot {name!r}: house bots are {known}{hint or ', bot files end in .py'}"
    )


def house_bots() -> tuple[str, ...]:
    """The names of the house bots that are installed, sorted."""
    return tuple(sorted({point.name for point in _entry_points()}))


def is_loading() -> bool:
    """Whether a bot's file is being loaded now."""
    return _loading > 0


def _entry_points() -> Iterable[EntryPoint]:
    # This is half of what importing the kit would cost, and seldom needed.
    from importlib.metadata import entry_points

    return entry_points(group=HOUSE_BOTS)


_loading = 0
_file_numbers = itertools.count(1)


def _find_file(path: Path) -> Callable[[], Bot]:
    if not path.exists():
        raise NoSuchBot(f"there is no file {path}")
    if not path.is_file():
        raise NoSuchBot(f"{path} is not a file: expected a .py file with a bot in it")
    # Two files may have the same name, and other modules must not be hidden by a bot's.
    name = f"sixtysix_bot_{next(_file_numbers)}_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path.resolve())
    if found is None or found.loader is None:
        raise NoSuchBot(f"{path} is not a Python file: expected a name that ends in .py")
    return partial(_load_file, path, found, found.loader)


def _load_file(path: Path, found: ModuleSpec, loader: Loader) -> Bot:
    module = importlib.util.module_from_spec(found)
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    sys.modules[found.name] = module
    try:
        _run(lambda: loader.exec_module(module), f"importing {path}")
    except BotError:
        del sys.modules[found.name]
        raise
    return as_bot(module, str(path))


def _run(author_code: Callable[[], Any], doing: str) -> Any:
    """Runs code of the author's; whatever it raises becomes a BotError with the traceback."""
    global _loading
    _loading += 1
    try:
        return author_code()
    except BotError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        what = traceback.format_exception_only(error)[-1].strip()
        raise BotError(f"{doing} failed: {what}\n\n{_author_traceback(error)}") from error
    finally:
        _loading -= 1


def _author_traceback(error: BaseException) -> str:
    """The traceback without the frames of this file and of the import system."""
    trace = error.__traceback__
    while trace is not None and (
        trace.tb_frame.f_code.co_filename == __file__
        or trace.tb_frame.f_code.co_filename.startswith("<frozen importlib")
    ):
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()


def _bot_in(module: ModuleType, label: str) -> object:
    for name in _NAMES_IN_A_FILE:
        thing = getattr(module, name, None)
        if thing is not None and thing is not Bot and not isinstance(thing, ModuleType):
            return thing
    raise BotError(
        f"there is no bot in {label}: expected a function choose(view), an object bot,"
        " or a class Bot"
    )


def _made(bot_class: type, label: str) -> object:
    return _run(bot_class, f"making {bot_class.__name__}() of {label}")


def _module_name(thing: object) -> str:
    """The module that a function, or the class of an object, was defined in."""
    named = thing if inspect.isroutine(thing) else type(thing)
    return getattr(named, "__module__", None) or ""


def _choosers(
    thing: object, label: str
) -> tuple[Callable[[View], object], Callable[[Sequence[View]], object] | None]:
    batch = getattr(thing, "choose_batch", None)
    choose = getattr(thing, "choose", None)
    if choose is None and batch is None and callable(thing):
        choose = thing
    if choose is None and batch is None:
        raise BotError(f"the bot of {label} has no method choose(view), and is no function")
    if batch is not None:
        _check_callable(batch, f"choose_batch of {label}", "the views")
    if choose is None:
        return _one_by_batch(batch), batch
    _check_callable(choose, f"choose of {label}", "the view")
    return choose, batch


def _one_by_batch(batch: Any) -> Callable[[View], object]:
    return lambda view: batch([view])[0]


def _check_callable(function: object, label: str, argument: str) -> None:
    if not callable(function):
        raise BotError(f"{label} is not a function: it is {function!r}")
    if inspect.iscoroutinefunction(function):
        raise BotError(f"{label} is a coroutine: expected an ordinary function")
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return  # Some built-in functions do not tell.
    try:
        signature.bind(None)
    except TypeError:
        raise BotError(
            f"{label} cannot be called with {argument} alone: it takes {signature}"
        ) from None


def _hook(hook: Any, label: str) -> Callable[[Any], object] | None:
    if hook is not None:
        _check_callable(hook, label, "one argument")
    return hook  # type: ignore[no-any-return]


def _version(own: object, dunder: object, label: str) -> str:
    version = own if isinstance(own, str) else dunder if isinstance(dunder, str) else ""
    try:
        size = len(version.encode())
    except UnicodeEncodeError:
        raise BotError(
            f"the version of {label} cannot be {version!a}: expected text that has a UTF-8 form"
        ) from None
    if size > MAX_VERSION_BYTES:
        raise BotError(
            f"the version of {label} has {size} bytes: at most {MAX_VERSION_BYTES} are allowed"
        )
    return version


def _rulesets(names: object, label: str) -> tuple[str, ...]:
    if names is None:
        return tuple(RULESETS)
    listed = (names,) if isinstance(names, str) or not isinstance(names, Iterable) else names
    chosen = tuple(listed)
    for name in chosen:
        if name not in tuple(RULESETS):
            known = ", ".join(RULESETS)
            raise BotError(f"{label} says it plays {name!r}: rule sets are {known}")
    if not chosen:
        raise BotError(f"{label} says it plays no rule set: rule sets are {', '.join(RULESETS)}")
    return chosen
