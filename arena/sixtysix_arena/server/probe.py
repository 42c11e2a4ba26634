"""Asking an arena on this machine how it is."""

from __future__ import annotations

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from sixtysix.api import ArenaUnreachable

__all__ = ["is_serving"]

TIMEOUT_S = 5.0
"""An arena that does not answer a question on its own machine for so long is not well."""


def is_serving(address: str) -> bool:
    """Whether the arena at an address can play now. Raises ArenaUnreachable if none answers."""
    with grpc.insecure_channel(address, options=(("grpc.enable_http_proxy", 0),)) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_S)
        except grpc.RpcError as error:
            raise ArenaUnreachable(f"{address} does not answer ({error.code().name})") from error
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
