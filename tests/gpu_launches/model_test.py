#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-model: bounds and times of loops whose instructions are known, worked out by hand."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("gpu_model", str(ROOT / "tools/gpu-model"))
model = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_model", loader))
loader.exec_module(model)

COMMON = {"multiprocessors": 100, "clock_GHz": 2, "fp64_per_clock": 32, "fp64_matrix_per_clock": 0, "fp32_per_clock": 64, "special_per_clock": 16,
          "memory_GB_s": 1000, "blocks": 32, "threads": 2048, "registers": 65536, "registers_unit": 8, "shared_per_multiprocessor": 98304, "warp": 32}
DEVICES = {"A100": {**COMMON, "target": "sm_80", "l2_bytes_per_clock": 5000}, "MI250X": {**COMMON, "target": "gfx90a", "l2_bytes_per_clock": 0}}


def rows(loop, **entry):
    code = model.gpu_code.Code(**{field: 0 for field in model.gpu_code.Code.__dataclass_fields__})
    code.target, code.registers = "sm_80", 32
    entry = {"kernel": "k", "code": "c", "whole": True, **entry}
    return model.rows_of({"c": (code, [loop])}, DEVICES, [entry])


def loop(mix, shared=0, memory=0):
    return model.gpu_loops.Loop(mix, 0, 0, 0, shared, memory, None, True)


class Bounds(unittest.TestCase):
    def test_the_slowest_pipe_bounds(self):
        row = rows(loop({"FP64": 64, "integer": 192}, shared=512))[0]
        # FP64 64/32 = 2 clocks, issue 256/128 = 2, shared memory 512/128 = 4.
        for name in DEVICES:
            self.assertEqual(row["devices"][name]["limit"], "shared memory")
            self.assertEqual(row["devices"][name]["of_FP64_pipe"], 0.5)

    def test_time_of_a_loop(self):
        device = rows(loop({"FP64": 64}), size="s", count=1e9, per_iteration=2)[0]["devices"]["MI250X"]
        # 5e8 iterations of 2 clocks on 100 multiprocessors at 2 GHz.
        self.assertAlmostEqual(device["seconds"], 5e-3, delta=1e-15)
        self.assertEqual(device["limit"], "FP64 pipe")

    def test_a_loop_of_integers_has_no_bound_without_issue_slots(self):
        made = rows(loop({"integer": 128, "global": 4}, memory=32))
        self.assertNotIn("MI250X", made[0]["devices"])
        # 132/128 of a clock to issue, 32 100/5000 = 0.64 for L2.
        self.assertEqual(made[0]["devices"]["A100"]["limit"], "issue")
        self.assertEqual(model.cell(made[0], "MI250X"), "-")
        self.assertIn("| k |  | issue | - |", model.page(made, DEVICES, "none"))

    def test_memory_bounds_it_where_its_bytes_are_known(self):
        made = rows(loop({"integer": 128}), size="s", count=1000, per_iteration=1, memory_bytes=4e9)
        self.assertEqual(made[0]["devices"]["MI250X"], {"limit": "memory", "of_FP64_pipe": 0.0, "seconds": 4e-3})
        self.assertEqual(model.cell(made[0], "MI250X"), "4.0, memory")

    def test_a_time_that_is_not_known_is_in_no_total(self):
        made = rows(loop({"integer": 128}), size="s", count=1000, per_iteration=1, part_of="all")
        made += rows(loop({"FP64": 64}), size="s", count=1e9, per_iteration=2, part_of="all")
        self.assertNotIn("MI250X", model.totals_of(made)[("all", "s")])
        self.assertIn("A100", model.totals_of(made)[("all", "s")])


if __name__ == "__main__":
    unittest.main()
