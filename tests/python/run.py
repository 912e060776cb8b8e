#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a test module or class. Exit code 77 if all of its cases were skipped; the reasons are printed.

    run.py test_kernels
"""
import sys
import unittest

tests = unittest.defaultTestLoader.loadTestsFromName(sys.argv[1])
result = unittest.TextTestRunner(verbosity=1).run(tests)
for case, reason in result.skipped:
    print(f"skipped: {case}: {reason}")
if not result.testsRun:
    sys.exit(f"{sys.argv[1]} has no cases")
sys.exit(1 if not result.wasSuccessful() else 77 if len(result.skipped) == result.testsRun else 0)
