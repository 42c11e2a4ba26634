"""Where an author's machine keeps the tokens of its bots: one private file a bot."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sixtysix.api import NotAllowed
from sixtysix.tournament_file import BOT_NAME

__all__ = ["TOKEN_VARIABLE", "checked_token", "find_token", "save_token", "token_path"]

TOKEN_VARIABLE = "SIXTYSIX_TOKEN"
"""The environment variable that may hold a token; it counts before any file."""

_ENDING = ".token"


def token_path(name: str) -> Path:
    """The file for the token of the bot called `name`, whether it exists or not.

    It lies in `sixtysix/tokens` of the user's configuration folder, which is
    XDG_CONFIG_HOME or else `~/.config`. Raises NotAllowed if no bot can be
    called that.
    """
    if not re.fullmatch(BOT_NAME, name):
        raise NotAllowed(
            f"{name!r} is no bot's name: expected 1 to 32 of a-z, 0-9, _ and -,"
            " with a letter or digit first"
        )
    return _folder() / f"{name}{_ENDING}"


def save_token(name: str, token: str) -> Path:
    """Keeps a bot's token in its file, readable by the user alone; returns the file."""
    path = token_path(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.touch(mode=0o600, exist_ok=False)
        beside.write_text(f"{token}\n")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def find_token(name: str | None = None) -> str:
    """The token to join with.

    It is in the environment variable SIXTYSIX_TOKEN; else in the file of the
    bot called `name`; else, without a name, in the only file that there is.
    Raises NotAllowed if there is none.
    """
    if token := os.environ.get(TOKEN_VARIABLE):
        return checked_token(token, f"the variable {TOKEN_VARIABLE}")
    if name is not None:
        return _read(token_path(name))
    kept = sorted(_folder().glob(f"[!.]*{_ENDING}"))
    if len(kept) > 1:
        names = ", ".join(path.name.removesuffix(_ENDING) for path in kept)
        raise NotAllowed(f"there are tokens of several bots, so name one of them: {names}")
    return _read(kept[0] if kept else _folder() / f"NAME{_ENDING}")


def checked_token(token: str, source: str) -> str:
    """A token without the white space around it. Raises NotAllowed if it cannot be one."""
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise NotAllowed(f"what {source} holds is no token: expected one word of ASCII characters")
    return token


def _read(path: Path) -> str:
    try:
        return checked_token(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise NotAllowed(
            f"there is no token: expected one in the variable {TOKEN_VARIABLE} or in {path},"
            " as the arena gave it out when the bot was submitted"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise NotAllowed(f"the token in {path} cannot be read: {error}") from error


def _folder() -> Path:
    config = os.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else Path.home() / ".config") / "sixtysix" / "tokens"
