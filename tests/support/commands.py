"""The command as a user runs it, in a folder of the test's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Workplace", "wait_for"]

TIMEOUT_S = 90
PATIENCE_S = 60.0


def wait_for(found: Any, what: str) -> Any:
    """Polls until `found()` returns something; fails with `what` after a while."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        result = found()
        if result:
            return result
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what}")


class Workplace:
    """A folder to run `sixtysix` in, with no settings from outside."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("SIXTYSIX_")}
        # Pages only where a test asks for them, at an address of its own.
        self.env["SIXTYSIX_WEB"] = "off"

    def command(self, *arguments: str) -> list[str]:
        """The command line, run by this Python."""
        return [sys.executable, "-m", "sixtysix", *arguments]

    def run(self, *arguments: str, code: int = 0) -> str:
        """Runs to the end; returns what was printed on stdout."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def error(self, *arguments: str, code: int) -> str:
        """Runs what has to fail with `code`; returns its one line on stderr."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, lines
        return lines[0]

    def json(self, *arguments: str) -> Any:
        """Runs with --json; returns what that holds."""
        return json.loads(self.run(*arguments, "--json"))

    @contextmanager
    def running(self, *command: str, **env: str) -> Iterator[subprocess.Popen[str]]:
        """Runs beside the test; killed at the end if it still runs."""
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.env | env,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()

    def write(self, name: str, text: str) -> Path:
        """Writes a file."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path
