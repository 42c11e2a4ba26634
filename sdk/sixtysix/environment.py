"""What variables of the environment may say."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["TRUTH"]

TRUTH: Mapping[str, bool] = {
    "1": True,
    "true": True,
    "yes": True,
    "0": False,
    "false": False,
    "no": False,
    "": False,
}
"""What a variable that switches something can be, in lower case."""
