"""Tables of text: columns as wide as what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sixtysix.text import harmless

__all__ = ["named", "table"]

GAP = "  "


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows under a header; a header that begins with `>` is of a column set to the right."""
    titles = [title.removeprefix(">") for title in header]
    to_right = [title.startswith(">") for title in header]
    lines = [titles, *([harmless(str(cell)) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    return "\n".join(
        GAP.join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, to_right, strict=True)
        ).rstrip()
        for line in lines
    )


def named(pairs: Iterable[tuple[str, object]]) -> str:
    """Names and their values, one a line; those without a value are left out."""
    shown = [(name, harmless(str(value))) for name, value in pairs if value not in ("", None)]
    width = max(len(name) for name, _ in shown)
    return "\n".join(f"{name.ljust(width)}{GAP}{value}" for name, value in shown)
