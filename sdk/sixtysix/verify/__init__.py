"""Checking a record: dealt, refereed and rated again, from the record alone."""

from __future__ import annotations

from sixtysix.verify.rating import Rater, installed_rater
from sixtysix.verify.record import verify
from sixtysix.verify.verdict import Difference, Verdict

__all__ = ["Difference", "Rater", "Verdict", "installed_rater", "verify"]
