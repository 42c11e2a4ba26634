"""What `import sixtysix` gives, and what it does not bring along."""

from __future__ import annotations

import dataclasses
import inspect
import re
import subprocess
import sys

import sixtysix
from sixtysix import client, rules

ERRORS = {
    "AlreadyExists",
    "ApiError",
    "ArenaUnreachable",
    "BotError",
    "IllegalMove",
    "InvalidOption",
    "InvalidRequest",
    "JoinRefused",
    "NotAllowed",
    "NotFound",
    "NotationError",
    "RecordError",
    "ReplayMismatch",
    "SixtySixError",
    "UnknownRuleset",
    "WrongState",
}


def test_the_kit_has_these_names_and_no_others() -> None:
    assert set(sixtysix.__all__) == ERRORS | {"Card", "Move", "View", "join", "main"}
    assert sorted(sixtysix.__all__) == sixtysix.__all__
    for name in ERRORS:
        assert issubclass(getattr(sixtysix, name), sixtysix.SixtySixError)
    assert sixtysix.View is rules.View
    assert sixtysix.join is client.join


def test_importing_the_kit_is_light() -> None:
    heavy = "grpc", "google.protobuf", "click", "asyncio", "sqlalchemy", "importlib.metadata"
    code = f"import sys, sixtysix; print([name for name in {heavy} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"


def test_help_of_a_view_has_every_field() -> None:
    told = inspect.getdoc(sixtysix.View) or ""
    for field in dataclasses.fields(sixtysix.View):
        assert re.search(rf"^{field.name}  +\S", told, re.MULTILINE), field.name
    properties = [name for name, _ in inspect.getmembers(sixtysix.View, inspect.isdatadescriptor)]
    for name in properties:
        assert name.startswith("_") or name in told, name
