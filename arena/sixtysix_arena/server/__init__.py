"""The gRPC side of the arena: translate, call, translate back."""

from sixtysix_arena.server.serve import Server

__all__ = ["Server"]
