"""Groups of commands."""

from __future__ import annotations

import click

__all__ = ["InOrder"]


class InOrder(click.Group):
    """A group whose help lists commands as they stand in the source, not by the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)
