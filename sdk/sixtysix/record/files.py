"""Records in files, packed with gzip or plain."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from sixtysix.record.chain import MAX_LINE_BYTES
from sixtysix.record.deals import RecordError

__all__ = ["open_record", "record_in", "save_record"]

_GZIP = b"\x1f\x8b"


@contextmanager
def open_record(path: Path) -> Iterator[Iterator[bytes]]:
    """The lines of the record in a file, whether it is packed or not.

    Raises RecordError, also while they are read, if that is not possible.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    with file:
        yield record_in(file, str(path))


def record_in(stream: BinaryIO, name: str = "the record") -> Iterator[bytes]:
    """The lines of the record in a buffered stream, packed or not; `name` is what errors call it.

    Raises RecordError while they are read, if that is not possible.
    """
    try:
        if stream.peek(2)[:2] == _GZIP:  # type: ignore[attr-defined]
            stream = cast(BinaryIO, gzip.GzipFile(fileobj=stream))
        while line := stream.readline(MAX_LINE_BYTES):
            yield line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise RecordError(f"{name} is damaged: it cannot be unpacked: {error}") from error
    except OSError as error:
        raise RecordError(f"{name} cannot be read: {error.strerror or error}") from error


def save_record(lines: Iterable[str], path: Path) -> None:
    """Writes a record into a file, packed if its name ends with `.gz`.

    The file is there once it is complete, and the same record always gives
    the same bytes. Raises RecordError if it cannot be written.
    """
    draft = path.with_name(path.name + ".part")
    try:
        try:
            with draft.open("wb") as file:
                _write(lines, file, packed=path.suffix == ".gz")
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from error


def _write(lines: Iterable[str], file: BinaryIO, *, packed: bool) -> None:
    if not packed:
        file.writelines(line.encode() for line in lines)
        return
    with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as pack:
        for line in lines:
            pack.write(line.encode())
