# SPDX-License-Identifier: BSD-3-Clause
"""suite bench: what is planned is what runs, what ended early goes on, a setting is kept only when it is right and faster."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

from schemas import problems
from suite_program import Case, PROGRAM, suite

KNOBS = os.environ["SUITE_KNOBS"]
MPIEXEC = os.environ.get("SUITE_MPIEXEC", "")
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
WORK = ("bench", "knobs.work", "--plugin", KNOBS)


class BenchCase(Case):
    def run_bench(self, *arguments, code=0, environment=None):
        done = suite(*WORK, *arguments, folder=self.folder, environment={"SUITE_TUNED": str(self.folder / "tuned.json"), **(environment or {})})
        if code is not None:
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def result(self, *arguments, **options):
        return json.loads(self.run_bench(*arguments, "--json", **options).stdout)

    def refuse(self, arguments, code, sentence):
        done = suite(*arguments, folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (code, ""), done.stderr)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(list(self.folder.glob("results/*")), [])


class Plans(BenchCase):
    def sizes(self, *arguments):
        return [(b["size"], b["threads"]) for b in self.result("--dry-run", "--threads", "1", *arguments)["blocks"]]

    def test_sizes_are_lists_and_ranges(self):
        self.assertEqual(self.sizes("--size", "n=10/20"), [("n=10", 1), ("n=20", 1)])
        self.assertEqual(self.sizes("--size", "n=1..3"), [("n=1", 1), ("n=2", 1), ("n=3", 1)])
        self.assertEqual(self.sizes("--size", "n=1..9223372036854775807+9223372036854775807"), [("n=1", 1)])
        self.assertEqual(self.sizes("--size", "n=2..9x2", "--size", "small"), [("n=2", 1), ("n=4", 1), ("n=8", 1), ("small", 1)])
        self.assertEqual(self.sizes("--size", "small/standard,n=5..15+10"),
                         [("small,n=5", 1), ("small,n=15", 1), ("standard,n=5", 1), ("standard,n=15", 1)])
        plan = self.result("--dry-run", "--size", "n=7", "--threads", "1,2..8x2")
        self.assertEqual([b["threads"] for b in plan["blocks"]], [1, 2, 4, 8])
        self.assertEqual(plan["blocks"][0]["extents"], {"n": 7})
        self.assertEqual(plan["memory_B"], 2 * 7 * 8)
        self.assertEqual(plan["blocks"][0]["flops"], 2 * 200 * 7)
        self.assertEqual(list(self.folder.glob("results/*")), [])

    def test_mistakes_are_told_before_anything_runs(self):
        for arguments, sentence in ((["--size", "n=9..1"], "the range '9..1' is empty or never ends"),
                                    (["--size", "n=0..8x2"], "the range '0..8x2' is empty or never ends"),
                                    (["--size", "n=1..8x1"], "the range '1..8x1' is empty or never ends"),
                                    (["--size", "n=1..99999"], "the range '1..99999' has more than 1000 values"),
                                    (["--size", "n=1..b"], "the range '1..b' must be written A..B, A..B+STEP or A..BxFACTOR with whole numbers"),
                                    (["--size", "n=1//2"], "--size 'n=1//2' has an empty value"),
                                    (["--size", "large"], "unknown size 'large'"),
                                    (["--threads", "0"], "option --threads must be numbers from 1 to 4096 such as 1,2 or 1..8x2; got '0'"),
                                    (["--preset", "standart"], "--preset: no preset 'standart'; did you mean 'standard'? (there are: smoke, standard, full)"),
                                    (["--retune"], "--retune needs --tune"),
                                    (["--ranks", "1,2"], "--ranks needs --scaling strong or weak"),
                                    (["--tune", "--dry-run"], "--tune and --dry-run exclude each other"),
                                    (["--tune", "--time-limit", "5"], "--time-limit does not apply to --tune, which tries all settings"),
                                    (["--scaling", "weak", "--tune"], "--scaling and --tune exclude each other"),
                                    (["gpp.yaml"], "'gpp.yaml' is an input, which 'suite bench' accepts only with --scaling; to compare its kernel: suite compare gpp.yaml"),
                                    (["--scaling", "sideways"], "--scaling must be strong or weak; got 'sideways'"),
                                    (["--time-limit", "0"], "option --time-limit must be an integer")):
            with self.subTest(arguments):
                self.refuse([*WORK, *arguments], 2, sentence)

    def test_a_preset_is_a_set_of_options_that_can_be_overridden(self):
        plan = self.result("--preset", "smoke", "--dry-run", "--size", "n=3")
        self.assertEqual([b["size"] for b in plan["blocks"]], ["n=3"])
        self.assertEqual([b["size"] for b in self.result("--preset", "full", "--dry-run")["blocks"]], ["small", "standard"])
        # Without a kernel: all that have a reference, one of each family in turn.
        done = suite("bench", "--preset", "smoke", "--implementations", "cpu", "--dry-run", "--json", "--plugin", KNOBS, folder=self.folder)
        families = [b["kernel"].split(".")[0] for b in json.loads(done.stdout)["blocks"]]
        count = len(set(families))
        self.assertIn("knobs", families)
        self.assertEqual(len(set(families[:count])), count, families)

    def test_a_forecast_comes_from_an_earlier_run(self):
        counted = self.result("--dry-run", "--size", "n=500", "--threads", "1")["blocks"][0]
        self.assertEqual(counted["from"], "counted" if counted["about_s"] else "")  # "": there are no ceilings here
        done = self.result("--size", "n=500", "--threads", "1", "--repeat", "6")
        told = self.result("--dry-run", "--size", "n=500", "--threads", "1")["blocks"][0]
        self.assertEqual((told["from"], told["about_s"]), (done["folder"], done["blocks"][0]["wall_s"]))


class GoingOn(BenchCase):
    def test_a_time_limit_says_what_was_left_out(self):
        sizes = "n=" + "/".join(str(n) for n in (100, 200, 500000000))
        done = self.run_bench("--size", sizes, "--repeat", "6", "--time-limit", "5")
        self.assertIn("not run:\n  knobs.work n=500000000: ", done.stdout)
        result = json.loads((self.folder / "results" / "last" / "result.json").read_text())
        self.assertEqual([b["size"] for b in result["blocks"]], ["n=100", "n=200"])
        self.assertEqual([b["size"] for b in result["not_run"]], ["n=500000000"])
        self.assertEqual(result["status"], "ok")

    def test_the_limit_cuts_a_block_off_between_samples(self):
        # The kernel takes twenty times as long as its counted work would: the forecast lets it begin.
        done = self.run_bench("--size", "n=20000/1000", "--parameter", "waste=20", "--threads", "1", "--repeat", "100", "--time-limit", "4", "--output", "out")
        cut = self.cut_block()
        self.assertIn("  " + cut["ended_early"] + "\n", done.stdout)
        self.assertIn("not run:\n  knobs.work n=1000, 1 thread: no time left\n", done.stdout)
        # Going on measures it again.
        done = suite("bench", "--resume", "out", "--time-limit", "4", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        again = self.cut_block()
        self.assertNotEqual(again["contenders"][0]["samples_s"], cut["contenders"][0]["samples_s"])

    def cut_block(self):
        """The only block of the result, with the samples that there was time for."""
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual(problems(result), [])
        (block,) = result["blocks"]
        self.assertEqual(block["size"], "n=20000")
        rounds = int(re.fullmatch(r"the time limit was reached after (\d+) of 100 rounds", block["ended_early"])[1])
        self.assertTrue(0 < rounds < 100)
        self.assertEqual(len(block["contenders"][0]["samples_s"]), rounds)
        return block

    def test_going_on_keeps_the_options_wherever_they_stood(self):
        done = suite("bench", "--output", "results/mine", *WORK[1:], "--size", "n=10/20", "--repeat", "6", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        path = self.folder / "results" / "mine" / "result.json"
        whole = json.loads(path.read_text())
        # As if it had ended after the first of them.
        self.write(path, json.dumps(dict(whole, status="interrupted", blocks=whole["blocks"][:1])))
        done = suite("bench", "--resume", "last", "--json", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = json.loads(done.stdout)
        self.assertEqual([b["size"] for b in after["blocks"]], ["n=10", "n=20"])
        self.assertEqual(after["provenance"]["command_line"], ["suite", "bench", *WORK[1:], "--size", "n=10/20", "--repeat", "6", "--json"])
        self.assertEqual(after["folder"], "results/mine")
        self.assertEqual(os.readlink(self.folder / "results" / "last"), "mine")

    def test_going_on_takes_as_many_threads_as_before(self):
        self.run_bench("--size", "n=10/20", "--repeat", "6", "--output", "out", environment={"OMP_NUM_THREADS": "1"})
        path = self.folder / "out" / "result.json"
        whole = json.loads(path.read_text())
        self.write(path, json.dumps(dict(whole, status="interrupted", blocks=whole["blocks"][:1])))
        done = suite("bench", "--resume", "out", "--json", folder=self.folder, environment={"OMP_NUM_THREADS": "2"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(b["size"], b["threads"]) for b in json.loads(done.stdout)["blocks"]], [("n=10", 1), ("n=20", 1)])

    def test_a_wrong_answer_is_told_where_time_was_short(self):
        # The second candidate's first run takes longer than the limit; the first one has been found wrong by then.
        # On a busy machine the forecast alone may exceed it: then a longer one, as everything takes longer.
        for limit in ("2", "4", "8"):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            done = self.run_bench("--size", "n=600000", "--parameter", "way=wrong,right", "--parameter", "waste=20", "--threads", "1",
                                  "--time-limit", limit, "--output", "out", code=None)
            if "would take about" not in done.stdout:
                break
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        sentence = r"the time limit was reached during verification; cpu way=wrong waste=20 FAILED: result\b"
        self.assertRegex(done.stdout, r"not run:\n  knobs.work n=600000, 1 thread: " + sentence)
        result = json.loads((self.folder / "out" / "result.json").read_text())
        self.assertEqual((problems(result), result["status"], result["blocks"]), ([], "failed", []))
        self.assertRegex(result["not_run"][0]["why"], sentence)

    def interrupted(self, how):
        """A run of 11 blocks, the last of which takes seconds, that got a signal after a few."""
        process = subprocess.Popen([str(PROGRAM), *WORK, "--size", "n=1000..1009/8000", "--repeat", "30", "--threads", "1", "--output", "out", "--quiet"], cwd=self.folder,
                                   env=dict(os.environ, SUITE_TUNED=str(self.folder / "tuned.json")), stderr=subprocess.DEVNULL)
        path = self.folder / "out" / "result.json"
        while process.poll() is None and not (path.exists() and len(json.loads(path.read_text())["blocks"]) >= 3):
            time.sleep(0.02)
        process.send_signal(how)
        return process.wait(), json.loads(path.read_text())

    def test_a_killed_run_goes_on_where_it_ended(self):
        for how, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            with self.subTest(how):
                ended, before = self.interrupted(how)
                self.assertEqual(ended, code)
                self.assertEqual(before["status"], "interrupted")
                self.assertEqual(problems(before), [])
                self.assertTrue(3 <= len(before["blocks"]) < 11)
                done = suite("bench", "--resume", "out", "--json", folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                after = json.loads(done.stdout)
                self.assertEqual(after["blocks"][:len(before["blocks"])], before["blocks"])
                self.assertEqual([b["size"] for b in after["blocks"]], [f"n={n}" for n in (*range(1000, 1010), 8000)])
                self.assertEqual((after["status"], len(after["resumed"]), after["provenance"]["utc"]), ("ok", 1, before["provenance"]["utc"]))
                (self.folder / "out").rename(self.folder / str(how))

    def test_what_cannot_go_on_is_refused(self):
        self.run_bench("--size", "n=10", "--repeat", "6", "--output", "out")
        result = json.loads((self.folder / "out" / "result.json").read_text())

        def refused(sentence, *more, **changes):
            changed = json.loads(json.dumps(result))
            changed["provenance"].update(changes)
            self.write("changed/result.json", json.dumps(changed))
            done = suite("bench", "--resume", "changed", *more, folder=self.folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(json.loads((self.folder / "changed" / "result.json").read_text()), changed)

        refused("it may be combined only with --time-limit, --json, --csv, --junit and --quiet", "--repeat", "6")
        refused("is of elsewhere (", host=dict(result["provenance"]["host"], name="elsewhere"))
        refused("has changed since the run in 'changed'", plugins=[dict(p, sha256="0" * 64) for p in result["provenance"]["plugins"]])
        refused("is not a command line of 'suite bench'", command_line=["suite", "run", "in.yaml"])
        del result["blocks"][0]["threads"]
        refused("changed/result.json: /blocks/0/threads is missing; it must be a number")


class Tuning(BenchCase):
    def test_only_what_is_right_and_faster_is_kept(self):
        result = self.result("--tune", "--size", "n=1000", "--threads", "1", "--parameter", "way=right")
        (tuning,) = result["tunings"]
        self.assertEqual([r["knob"] for r in tuning["rounds"]], ["waste", "idle", ""])  # way was named, loose has a tolerance of its own
        waste = [c.get("parameters", {}).get("waste") for c in tuning["rounds"][0]["contenders"]]
        self.assertEqual(waste, [None, "4", "8"])
        self.assertIn(tuning["kept"]["parameters"].get("waste"), ("4", "8"))  # 0.29 and 0.53 of the work
        self.assertLess(tuning["kept"]["ratio"]["high"], 1)
        self.assertEqual(problems(json.loads((self.folder / "tuned.json").read_text())), [])

    def test_a_wrong_setting_is_never_kept(self):
        result = self.result("--tune", "--size", "n=1000", "--threads", "1", "--parameter", "waste=16", "--parameter", "idle=8", code=1)
        (tuning,) = result["tunings"]
        self.assertEqual([r["knob"] for r in tuning["rounds"]], ["way"])
        self.assertEqual([c["verification"]["status"] for c in tuning["rounds"][0]["contenders"]], ["verified", "failed"])
        self.assertNotIn("kept", tuning)
        self.assertFalse((self.folder / "tuned.json").exists())

    def keep(self, **changes):
        """A file of settings as --tune writes it, for this size."""
        self.result("--tune", "--size", "n=1000", "--threads", "1", "--parameter", "way=right")
        path = self.folder / "tuned.json"
        kept = json.loads(path.read_text())
        kept["settings"][0]["parameters"] = {"waste": "4"}
        kept["settings"][0].update(changes)
        path.write_text(json.dumps(kept))
        return path.read_text()

    def test_settings_serve_later_runs_and_say_so(self):
        before = self.keep()
        here = {"--size": "n=1000", "--threads": "1", "--repeat": "6"}

        def row(**changes):
            words = [word for name, value in {**here, **changes}.items() for word in ((name, value) if value else (name,))]
            return self.result(*words)["blocks"][0]["contenders"][0]

        self.assertEqual((row()["tuned"], row().get("parameters")), ({"waste": "4"}, None))
        self.assertEqual(row(**{"--size": "n=1200"})["tuned"], {"waste": "4"})  # of the same class
        self.assertEqual(row(**{"--parameter": "idle=2"})["tuned"], {"waste": "4"})
        for without in ({"--no-tuned": ""}, {"--parameter": "waste=2"}, {"--size": "n=10000"}, {"--threads": "2"}):
            with self.subTest(without):
                self.assertNotIn("tuned", row(**without))
        self.write("k.yaml", "kernel: knobs.work\nsize: n=1000\nrepeat: 6\n")
        environment = {"SUITE_TUNED": str(self.folder / "tuned.json")}
        done = suite("run", "k.yaml", "--plugin", KNOBS, "--threads", "1", "--json", folder=self.folder, environment=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kernels"][0]["tuned"], {"waste": "4"})
        done = suite("compare", "k.yaml", "--plugin", KNOBS, "--threads", "1", "--repeat", "6", folder=self.folder, environment=environment)
        self.assertIn("cpu waste=4 (tuned)", done.stdout)
        # A known setting is shown and left alone; --retune looks again.
        shown = self.run_bench("--tune", "--size", "n=1000", "--threads", "1", "--parameter", "way=right").stdout
        self.assertRegex(shown, r"  stored on 20.*: waste=4, .* of the default time; --retune looks again")
        self.assertEqual((self.folder / "tuned.json").read_text(), before)
        again = self.result("--tune", "--retune", "--size", "n=1000", "--threads", "1", "--parameter", "way=right")
        self.assertIn("kept", again["tunings"][0])

    def test_settings_of_another_build_or_device_do_not_serve(self):
        for changes in ({"plugin_sha256": "0" * 64}, {"device": "another"}, {"implementation": "other"}, {"shape": "n 2^3"}):
            with self.subTest(changes):
                self.keep(**changes)
                result = self.result("--size", "n=1000", "--threads", "1", "--repeat", "6")
                self.assertNotIn("tuned", result["blocks"][0]["contenders"][0])
                (self.folder / "tuned.json").unlink()

    def test_a_damaged_file_is_named(self):
        for damage in ("{", '{"schema": "suite-tuned-2", "settings": []}', '{"schema": "suite-tuned-1", "settings": [{}]}'):
            self.write("tuned.json", damage)
            done = self.run_bench("--size", "n=10", "--repeat", "6", code=2)
            self.assertIn(f"the file of tuned settings '{self.folder}/tuned.json' is damaged (", done.stderr)
            self.run_bench("--size", "n=10", "--repeat", "6", "--no-tuned")


class Scaling(BenchCase):
    def test_without_a_launcher_it_says_so(self):
        self.refuse([*WORK, "--scaling", "weak", "--ranks", "1,2", "--launcher", "no-such-program -n"], 3,
                    "there is no program 'no-such-program' in PATH; --launcher \"srun -n\" selects another")

    def test_one_rank_measures_itself(self):
        result = self.result("--scaling", "strong", "--along", "n", "--size", "n=1001", "--threads", "1")
        self.assertEqual((result["schema"], result["ranks"], result["size"], result["wrong_ranks"]), ("suite-ranks-1", 1, "n=1001,n=1001", 0))
        done = self.run_bench("--scaling", "strong", "--size", "n=1001", code=2)
        self.assertIn("--scaling strong needs --along KEY, the size's key that is divided over the ranks (extents of knobs.work: n 1001)", done.stderr)

    def test_the_input_of_one_kernel_stands_for_the_kernel(self):
        self.write("k.yaml", "kernel: knobs.work\nsize: n=1001\nimplementation: cpu\n")
        scaled = ["bench", "k.yaml", "--plugin", KNOBS, "--scaling", "strong", "--along", "n", "--threads", "1", "--json"]
        done = suite(*scaled, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        self.assertEqual((result["schema"], result["kernel"], result["size"], result["implementation"]), ("suite-ranks-1", "knobs.work", "n=1001,n=1001", "cpu"))
        done = suite(*scaled, "--ranks", "1,2", "--repeat", "1", *self.launched(), folder=self.folder, environment=RANKS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["ranks"] for row in json.loads(done.stdout)["rows"]], [1, 2])
        self.write("k.yaml", "kernel: knobs.work\nsize: m=1\n")
        self.assertEqual(suite(*scaled, folder=self.folder).returncode, 2)

    def test_a_terminated_benchmark_ends_its_ranks(self):
        self.launched()
        self.write("slow", '#!/bin/sh\necho $$ > its_pid\nexec sleep 100\n').chmod(0o755)
        running = subprocess.Popen([str(PROGRAM), *WORK, "--scaling", "weak", "--ranks", "1", "--launcher", "./slow", "--quiet"], cwd=self.folder,
                                   stderr=subprocess.PIPE, text=True)
        path = self.folder / "its_pid"
        while not (path.exists() and path.read_text()) or self.state(running.pid) != "S":  # it waits for the launcher
            self.assertIsNone(running.poll())
            time.sleep(0.02)
        running.terminate()
        _, said = running.communicate(timeout=60)
        self.assertEqual((running.returncode, said), (143, "\nsuite: interrupted; there are no results yet\n"))
        launcher = int(path.read_text())
        for _ in range(500):
            if self.state(launcher) in ("", "Z"):
                break
            time.sleep(0.02)
        self.assertIn(self.state(launcher), ("", "Z"))

    @staticmethod
    def state(pid):
        """Of a process, as Linux has it: "S" waits, "Z" has ended; "" where it is gone."""
        try:
            return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return ""

    def launched(self):
        if not MPIEXEC or not json.loads(suite("version", "--json").stdout)["mpi"]:
            self.skipTest("this build has no MPI")
        return ["--launcher", MPIEXEC + " -n"]

    def test_a_kernel_on_more_ranks(self):
        launcher = self.launched()
        result = self.result("--scaling", "strong", "--along", "n", "--size", "n=1001", "--ranks", "1,2", "--repeat", "1", *launcher, environment=RANKS)
        self.assertEqual([(r["ranks"], len(r["samples_s"])) for r in result["rows"]], [(1, 1), (2, 1)])
        self.assertEqual(result["rows"][0]["efficiency"], {"median": 1.0, "low": 1.0, "high": 1.0})
        first, second = result["rows"]
        self.assertAlmostEqual(second["speed_up"]["median"], first["median_s"] / second["median_s"])
        self.assertAlmostEqual(second["efficiency"]["median"], first["median_s"] / second["median_s"] / 2)
        ranks = json.loads((self.folder / result["folder"] / "ranks-2" / "1" / "result.json").read_text())
        self.assertEqual((ranks["ranks"], ranks["size"]), (2, "n=1001,n=501"))
        done = suite(*WORK, "--scaling", "strong", "--along", "n", "--size", "n=1", "--ranks", "1,2", *launcher, folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--along n: 1 are too few for 2 ranks", done.stderr)

    def test_an_input_that_grows_with_the_ranks(self):
        launcher = self.launched()
        if "vmc" not in json.loads(suite("version", "--json").stdout)["apps"]:
            self.skipTest("the vmc app is not in this build")
        arguments = ["bench", "heg14.yaml", "--set", "vmc.steps=20", "--set", "vmc.walkers=3", "--scaling", "weak", "--ranks", "1,2", "--repeat", "1", *launcher]
        done = suite(*arguments, "--along", "vmc.walkers", "--json", folder=self.folder, environment=RANKS)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = json.loads(done.stdout)
        of = lambda ranks: json.loads((self.folder / result["folder"] / f"ranks-{ranks}" / "1" / "result.json").read_text())
        self.assertEqual([of(n)["provenance"]["overrides"][-1] for n in (1, 2)], ["vmc.walkers=3", "vmc.walkers=6"])
        self.assertEqual([of(n)["provenance"]["ranks"] for n in (1, 2)], [1, 2])
        self.assertEqual(result["rows"][1]["samples_s"], [of(2)["times"]["app_s"]])
        self.assertAlmostEqual(result["rows"][1]["efficiency"]["median"], of(1)["times"]["app_s"] / of(2)["times"]["app_s"])


if __name__ == "__main__":
    unittest.main()
