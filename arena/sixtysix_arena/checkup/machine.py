"""The machine and what is installed on it: Python, libraries, settings, open files, the clock."""

from __future__ import annotations

import platform
import re
import resource
import sqlite3
import time
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import psutil

from sixtysix_arena.checkup.findings import Finding, ok, problem, warning
from sixtysix_arena.config import ArenaSettings
from sixtysix_arena.errors import Invalid
from sixtysix_arena.times import utc_now

__all__ = ["clock", "files", "python", "settings"]

SHOWN = ("sixtysix", "grpcio", "protobuf", "sqlalchemy", "alembic", "trueskill")
"""Libraries whose versions are told; all that the arena needs are looked at."""
MIN_FILES = 512
"""A bot's stream takes one file, and the arena itself some dozens."""
MAX_FILES_SHARE = 0.8
CERTIFICATE_DAYS = 14
"""So long before its end a certificate should be renewed."""
DAY_S = 86_400
CLOCK_SLACK_S = 120
"""Clocks of disks and of machines may differ by so much."""

_REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:(?P<relation>>=|==)(?P<version>[0-9.]+))?")


def python() -> Finding:
    """The versions of Python and the libraries, and whether they are new enough."""
    wrong = list(_wrong_libraries())
    told = ", ".join(f"{name} {version(name)}" for name in SHOWN if _installed(name))
    text = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {told}"
    if wrong:
        return problem("python", "; ".join(wrong), "pip install 'sixtysix[arena]'")
    return ok("python", text)


def _wrong_libraries() -> Iterator[str]:
    for requirement in requires("sixtysix") or ():
        wanted, _, marker = requirement.partition(";")
        if "extra" in marker and "arena" not in marker:
            continue
        found = _REQUIREMENT.match(wanted)
        if found is None:
            continue
        name = found["name"]
        if not _installed(name):
            yield f"{name} is not installed"
        elif found["version"] and not _fits(version(name), found["relation"], found["version"]):
            yield f"{name} is {version(name)}, and {wanted.strip()} is needed"


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _fits(there: str, relation: str, wanted: str) -> bool:
    one, other = _numbers(there), _numbers(wanted)
    return one >= other if relation == ">=" else one[: len(other)] == other


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text.partition("+")[0]))


def settings(
    environment: Mapping[str, str], *, is_running: bool, **flags: Any
) -> Iterator[Finding]:
    """Whether an arena could start with these settings, and how long its certificate lasts.

    They are those of whoever asks: an arena that runs may have others, and they are left out.
    """
    try:
        found = ArenaSettings.of(environment, **flags)
    except Invalid as error:
        yield problem("settings", str(error))
        return
    if not is_running:
        how = "with TLS" if found.tls_cert else "without TLS"
        yield ok("settings", f"those given here are to serve at {found.grpc}, {how}")
    if found.tls_cert is not None and found.tls_key is not None:
        yield _certificate(found.tls_cert, found.tls_key)


def _certificate(chain: Path, key: Path) -> Finding:
    from sixtysix_arena.certificates import Certificate

    days = int((Certificate.read(chain, key).expires_at_s - time.time()) // DAY_S)
    text = f"{chain} is valid for {days} more days"
    if days < CERTIFICATE_DAYS:
        return warning("certificate", text, "renew it: a running arena takes the new one by itself")
    return ok("certificate", text)


def files(pid: int | None) -> Finding:
    """How many files, and so streams, the process of the arena may have open; or this one."""
    limit, used = _file_limit(pid)
    if limit == resource.RLIM_INFINITY:
        return ok("files", "as many open files as there is memory for")
    text = f"at most {limit} open files" + (f", {used} of them in use" if used is not None else "")
    advice = "raise it before the arena starts: ulimit -n 65536, or LimitNOFILE= of systemd"
    if used is not None and used >= limit * MAX_FILES_SHARE:
        return problem("files", f"{text}: soon no more bots can join", advice)
    if limit < MIN_FILES:
        return warning("files", f"{text}: a bot takes one", advice)
    return ok("files", text)


def _file_limit(pid: int | None) -> tuple[int, int | None]:
    if pid is not None:
        try:
            process = psutil.Process(pid)
            return process.rlimit(psutil.RLIMIT_NOFILE)[0], process.num_fds()
        except (psutil.Error, AttributeError):
            pass  # It is another user's, or this system does not tell.
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0], None


def clock(newest: str, touched_s: float | None) -> Finding:
    """Whether the time of day can be right: not before what has happened already.

    `newest` is the latest time that is stored, `touched_s` when a file there
    was changed last.
    """
    now, now_s = utc_now(), time.time()
    advice = (
        "set it, best by NTP: bots are timed by another clock, but what is stored is dated by it"
    )
    if newest > now:
        return warning("clock", f"it is {now}, and something was stored at {newest}", advice)
    if touched_s is not None and touched_s > now_s + CLOCK_SLACK_S:
        ahead_s = round(touched_s - now_s)
        return warning("clock", f"it is {now}, and a file was changed {ahead_s} s later", advice)
    return ok("clock", f"it is {now}")
