"""`python -m sixtysix` is the command `sixtysix`."""

from __future__ import annotations

import sys

from sixtysix.cli import main

if __name__ == "__main__":
    sys.exit(main())
