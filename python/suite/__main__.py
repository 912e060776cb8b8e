# SPDX-License-Identifier: BSD-3-Clause
"""``python -m suite`` and the command ``suite`` of an installed package: the program itself."""

from __future__ import annotations

import os
import sys

from ._library import program
from .errors import LibraryNotFound


def main() -> None:
    try:
        path = program()
    except LibraryNotFound as e:
        sys.exit(f"suite: {e}")
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
