"""What a caller may hear of an error: one table from our errors to gRPC status codes."""

from __future__ import annotations

import logging
import secrets

import grpc

from sixtysix import api
from sixtysix_arena import errors

__all__ = ["STATUS_CODES", "status_of"]

STATUS_CODES: dict[type[api.ApiError], grpc.StatusCode] = {
    api.NotFound: grpc.StatusCode.NOT_FOUND,
    api.AlreadyExists: grpc.StatusCode.ALREADY_EXISTS,
    api.WrongState: grpc.StatusCode.FAILED_PRECONDITION,
    api.InvalidRequest: grpc.StatusCode.INVALID_ARGUMENT,
    api.NotAllowed: grpc.StatusCode.UNAUTHENTICATED,
    errors.NotYours: grpc.StatusCode.PERMISSION_DENIED,
    errors.TooOften: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.Unavailable: grpc.StatusCode.UNAVAILABLE,
}
"""An error has the code of the first of its base classes that is in here."""

MAX_TEXT_LENGTH = 1_000

log = logging.getLogger(__name__)


def _short(text: str) -> str:
    """A text that may repeat what somebody sent, cut to what fits into a status."""
    return text if len(text) <= MAX_TEXT_LENGTH else f"{text[:MAX_TEXT_LENGTH]}..."


def status_of(error: Exception) -> tuple[grpc.StatusCode, str]:
    """The status code and the text that a caller gets for `error`.

    Errors of the table are told as they are. Any other is a mistake of ours: it
    is logged with an id, and the caller hears of that id and nothing else.
    """
    for error_class in type(error).__mro__:
        if error_class in STATUS_CODES:
            return STATUS_CODES[error_class], _short(str(error))
    error_id = secrets.token_hex(4)
    log.error("internal error", exc_info=error, extra={"error_id": error_id})
    return grpc.StatusCode.INTERNAL, f"internal error (the arena's log has it as {error_id})"
