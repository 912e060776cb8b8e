# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share. $SUITE_ROOT and $PYTHONPATH are set by CMakeLists.txt."""
import importlib.util
import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
INPUTS = SOURCE / "inputs"

# gpp.sigma of this size takes milliseconds in Python too.
SMALL = "ncouls=40,ngpown=13,ntband=5"


def needs(*modules):
    """Skips a test where a package that is optional for users is missing, and says which."""
    missing = [m for m in modules if importlib.util.find_spec(m) is None]
    return unittest.skipIf(missing, f"not installed for this Python: {', '.join(missing)}")


class Case(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="suite-python-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)

    def fails(self, kind, sentence, function, *arguments, **named):
        """The exception, whose sentence is or contains the one expected."""
        with self.assertRaises(kind) as caught:
            function(*arguments, **named)
        self.assertIn(sentence, str(caught.exception))
        return caught.exception
