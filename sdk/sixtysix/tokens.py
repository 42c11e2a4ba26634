"""Where a bot's token is found: a file, or a variable, but never an argument."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from sixtysix.api import InvalidRequest, NotAllowed

__all__ = ["TOKEN_VARIABLE", "checked_token", "find_token", "is_token_file", "token_file"]

TOKEN_VARIABLE = "SIXTYSIX_TOKEN"
"""The environment variable that may hold a token."""
ENDING = ".token"
MAX_TOKEN_BYTES = 1_000
_TOKEN = re.compile(rb"[A-Za-z0-9_-]{32,}\n?")
"""As an arena makes them; it need not be one of this arena."""


def find_token(name: str | None = None, file: Path | None = None) -> str:
    """The token to join with.

    It is in `file`; else in the environment variable SIXTYSIX_TOKEN; else in
    the file `NAME.token` here, of the bot called `name`; else, without a name,
    in the only such file. Raises NotAllowed if there is none, InvalidRequest if
    `file` is not there.
    """
    if file is not None:
        return _read(file)
    if token := os.environ.get(TOKEN_VARIABLE):
        return checked_token(token, f"the variable {TOKEN_VARIABLE}")
    kept = _token_files() if name is None else [token_file(name)]
    if len(kept) > 1:
        listed = ", ".join(map(str, kept))
        raise NotAllowed(
            f"there are several tokens here, {listed}: name the bot with"
            " sixtysix.main(choose, name=NAME), or put its token into the variable"
            f" {TOKEN_VARIABLE}"
        )
    if not kept or not kept[0].exists():
        expected = kept[0] if kept else f"NAME{ENDING}"
        here = ", ".join(map(str, _token_files()))
        others = f"; what is here is {here}" if here else ""
        raise NotAllowed(
            f"there is no token: expected one in the variable {TOKEN_VARIABLE} or in the file"
            f" {expected} here, as the arena gave it out when the bot was submitted{others}"
        )
    return _read(kept[0])


def token_file(name: str) -> Path:
    """The file here that holds the token of the bot `name`."""
    return Path(f"{name}{ENDING}")


def _token_files() -> list[Path]:
    """What is called like a token's file here."""
    return sorted(Path().glob(f"*{ENDING}"))


def is_token_file(path: Path) -> bool:
    """Whether a file, and no link to one, holds what looks like a token and nothing else."""
    try:
        mode = path.lstat().st_mode
        if not stat.S_ISREG(mode):
            return False
        with path.open("rb") as file:
            return _TOKEN.fullmatch(file.read(MAX_TOKEN_BYTES)) is not None
    except OSError:
        return False


def checked_token(token: str, source: str) -> str:
    """A token without the white space around it. Raises NotAllowed if it cannot be one."""
    token = token.strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise NotAllowed(f"what {source} holds is no token: expected one word of ASCII characters")
    return token


def _read(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return checked_token(file.read(MAX_TOKEN_BYTES), str(path))
    except FileNotFoundError as error:
        raise InvalidRequest(f"there is no token file {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        raise NotAllowed(f"the token file {path} cannot be read: {reason}") from error
