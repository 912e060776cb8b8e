# SPDX-License-Identifier: BSD-3-Clause
"""What SUITE_TRACE leaves behind, and what a profiler is told."""
import collections
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

HOST = os.environ["TRACED_HOST"]


class Case(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="suite-trace-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.trace = self.folder / "trace.json"

    def host(self, what, code=0, trace=None, prepare=None, **environment):
        env = {name: value for name, value in os.environ.items()
               if not name.startswith(("OMPI_", "PMI", "SLURM_", "NVTX_", "HSA_", "ROCP"))}
        env.update(environment, SUITE_TRACE=str(trace or self.trace))
        done = subprocess.run([HOST, what], cwd=self.folder, env=env, capture_output=True, text=True, timeout=120, preexec_fn=prepare)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def events(self, file=None):
        events = json.loads((file or self.trace).read_text())
        self.check(events)
        return events

    def check(self, events):
        """What every reader of the format relies on."""
        spans = collections.defaultdict(list)
        for event in events:
            self.assertIn(event["ph"], ("M", "X"))
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
                spans[event["pid"], event["tid"]].append((event["ts"], -event["dur"], event["name"]))
        for line, found in spans.items():
            open_ends = []  # events of one line lie beside or inside each other
            for begin, length, name in sorted(found):
                while open_ends and open_ends[-1] <= begin:
                    open_ends.pop()
                end = begin - length
                if open_ends:
                    self.assertLessEqual(end, open_ends[-1] + 0.002, f"{name} on line {line}")
                open_ends.append(end)

    def of_kind(self, events, kind):
        return [event for event in events if event.get("cat") == kind]


class Trace(Case):
    def test_every_step_of_a_call_is_an_event(self):
        self.host("whole")
        events = self.events()
        self.assertEqual(collections.Counter(e["cat"] for e in events if e["ph"] == "X"),
                         {"open": 2, "prepare": 2, "run": 2, "device": 2, "upload": 3, "download": 2})
        opened = self.of_kind(events, "open")[1]
        self.assertEqual(opened["name"], "suite/probe.sum/remote open")
        self.assertEqual(opened["args"]["device"], "remote:0")
        self.assertIn("suite_probe_remote", opened["args"]["plugin"])

    def downloads(self, events):
        return [(e["args"]["argument"], e["args"]["bytes"]) for e in self.of_kind(events, "download")]

    def test_a_run_says_what_ran_and_what_it_did(self):
        self.host("whole")
        events = self.events()
        host, device = self.of_kind(events, "run")[1], self.of_kind(events, "device")[1]
        # 3 * 2 * 1 terms of 2 flops and 8 bytes; the pretended clock says 0.25 s.
        counted = {"kernel": "probe.sum", "implementation": "remote", "variant": "doubled", "device": "remote:0", "flops": 12, "bytes": 48}
        self.assertEqual(device["args"], counted)
        self.assertEqual(host["args"], counted | {"device_s": 0.25})
        self.assertAlmostEqual(device["dur"], 0.25e6)
        self.assertNotEqual(device["tid"], host["tid"])
        self.assertGreaterEqual(device["ts"], host["ts"])
        for event in (host, device):
            self.assertEqual(event["name"], "suite/probe.sum/doubled")
        lines = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertEqual(lines[device["tid"]], "device remote:0")

    def test_preparing_lies_inside_the_run(self):
        self.host("whole")
        events = self.events()
        for run, prepare in zip(self.of_kind(events, "run"), self.of_kind(events, "prepare")):
            self.assertLessEqual(run["ts"], prepare["ts"])
            self.assertLessEqual(prepare["ts"] + prepare["dur"], run["ts"] + run["dur"] + 0.002)

    def test_transfers_name_their_argument_and_bytes(self):
        self.host("whole")
        events = self.events()
        self.assertEqual({e["args"]["argument"]: e["args"]["bytes"] for e in self.of_kind(events, "upload")},
                         {"weight": 24, "values": 48, "state": 24})
        # By the run, to the arrays that were set; to get one of them again moves nothing.
        self.assertEqual(self.downloads(events), [("state", 24), ("total", 16)])

    def test_what_is_kept_is_brought_by_get_alone(self):
        self.host("keeping")  # ten runs, then one suite_get of the state
        self.assertEqual(self.downloads(self.events()), 10 * [("total", 16)] + [("state", 24)])

    def test_runs_under_way_at_once_have_lines_of_their_own(self):
        self.host("overlapping")
        events = self.events()
        device = self.of_kind(events, "device")
        self.assertEqual(len({e["tid"] for e in device}), 2)
        self.assertEqual([len(self.of_kind(events, kind)) for kind in ("start", "wait", "run")], [2, 2, 0])

    def test_a_run_that_fails_ends_too(self):
        self.host("failing")
        events = self.events()
        self.assertEqual(len(self.of_kind(events, "run")), 1)
        self.assertEqual(len(self.of_kind(events, "device")), 0)

    def test_threads_do_not_mix_their_events(self):
        self.host("threads")
        runs = self.of_kind(self.events(), "run")
        self.assertEqual(set(collections.Counter(e["tid"] for e in runs).values()), {1000})
        self.assertEqual(len(runs), 4000)

    def test_a_killed_process_leaves_its_events(self):
        self.host("killed", code=-signal.SIGKILL)
        text = self.trace.read_text()
        self.assertRaises(json.JSONDecodeError, json.loads, text)
        events = json.loads(text.rstrip() + "]")
        self.check(events)
        self.assertEqual(len(self.of_kind(events, "download")), 2)

    def test_a_child_adds_nothing(self):
        self.host("forking", code=-signal.SIGKILL)
        events = json.loads(self.trace.read_text().rstrip() + "]")
        self.assertEqual(len(self.of_kind(events, "run")), 1)

    def test_children_come_to_their_end_whatever_the_threads_of_their_parent_do(self):
        self.host("forking_beside_threads")
        self.events()

    def test_ranks_have_files_and_numbers(self):
        for rank in (0, 3):
            self.host("whole", OMPI_COMM_WORLD_RANK=str(rank))
            events = self.events(self.folder / f"trace.rank{rank}.json")
            self.assertEqual({e["pid"] for e in events}, {rank})
            self.assertIn(f"rank {rank}", events[0]["args"]["name"])
        self.assertFalse(self.trace.exists())

    def test_nothing_is_overwritten(self):
        self.host("whole")
        before = self.trace.read_bytes()
        said = self.host("whole")
        self.assertEqual(self.trace.read_bytes(), before)
        self.assertIn("trace-2.json", said)
        self.events(self.folder / "trace-2.json")

    def test_names_without_an_ending_and_with_points_in_folders(self):
        folder = self.folder / "a.b"
        folder.mkdir()
        for _ in range(2):
            self.host("whole", trace=folder / "trace")
        self.assertEqual(sorted(p.name for p in folder.iterdir()), ["trace", "trace-2"])

    def test_a_folder_that_is_missing_is_told_and_the_host_goes_on(self):
        said = self.host("whole", trace=self.folder / "none" / "trace.json")
        self.assertRegex(said, "SUITE_TRACE: cannot create .*none/trace.json: No such file or directory")

    def test_a_full_disk_is_told_and_the_host_goes_on(self):
        limit = 2 << 20  # bytes of a file; the events of four threads need more
        said = self.host("full_disk", prepare=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertRegex(said, "SUITE_TRACE: the trace ends early: File too large")
        self.assertGreater(len(self.events()), 1000)

    def test_no_trace_is_made_where_none_is_wanted(self):
        subprocess.run([HOST, "whole"], cwd=self.folder, check=True, timeout=120)
        self.assertEqual(list(self.folder.iterdir()), [])


class Ranges(Case):
    EXPECTED = ["push suite/probe.sum/cpu open", "pop", "push suite/probe.sum/plain", "push suite/probe.sum/plain prepare", "pop", "pop"]

    def told(self, program, **environment):
        log = self.folder / "log"
        done = subprocess.run(program, env=dict(os.environ, RANGES_LOG=str(log), **environment), capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return lines

    def test_the_pretended_profiler_is_one_for_the_real_header(self):
        client = os.environ["NVTX_CLIENT"]
        if not client:
            self.skipTest("SKIPPED: no nvtx3/nvToolsExt.h here")
        self.assertEqual(self.told([client], NVTX_INJECTION64_PATH=os.environ["PRETENDED_NVTX"]),
                         ["push outer", "push inner", "pop", "pop"])

    def test_nvtx_ranges(self):
        lines = self.told([HOST, "whole"], NVTX_INJECTION64_PATH=os.environ["PRETENDED_NVTX"])
        self.assertEqual(lines[:6], self.EXPECTED)
        self.assertIn("push suite/probe.sum/doubled", lines)
        self.assertEqual(lines.count("pop"), len(lines) / 2)

    def test_roctx_ranges(self):
        lines = self.told([HOST, "whole"], LD_LIBRARY_PATH=os.environ["PRETENDED_ROCTX"], SUITE_ROCTX="1")
        self.assertEqual(lines[:6], self.EXPECTED)

    def test_a_range_of_a_run_that_fails_is_popped(self):
        lines = self.told([HOST, "failing"], NVTX_INJECTION64_PATH=os.environ["PRETENDED_NVTX"])
        self.assertEqual(lines.count("pop"), len(lines) / 2)

    def test_no_profiler_no_ranges(self):
        self.assertEqual(self.told([HOST, "whole"], LD_LIBRARY_PATH=os.environ["PRETENDED_ROCTX"]), [])

    def test_a_profiler_that_cannot_be_loaded_stops_nobody(self):
        for tool in ("/nonexistent.so", os.environ["PRETENDED_ROCTX"] + "/libroctx64.so.4"):
            self.assertEqual(self.told([HOST, "whole"], NVTX_INJECTION64_PATH=tool), [])


if __name__ == "__main__":
    unittest.main()
