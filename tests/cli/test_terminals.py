# SPDX-License-Identifier: BSD-3-Clause
"""On terminals: no line of a table is longer than the terminal is wide, and what there is no room for is named; progress is told."""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

from small_inputs import APPS
from suite_program import Case, PROGRAM, SMALL_KERNEL, suite


class Terminals(Case):
    def lines(self, columns, *arguments):
        """Standard output on a terminal of so many columns."""
        terminal, its_end = pty.openpty()
        self.addCleanup(os.close, terminal)
        fcntl.ioctl(its_end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        running = subprocess.Popen([str(PROGRAM), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=its_end, stderr=subprocess.PIPE,
                                   env=dict(os.environ, NO_COLOR="1", SUITE_TUNED="/nonexistent/tuned.json"))
        os.close(its_end)
        text = self.all_of(terminal)
        _, said = running.communicate(timeout=60)
        self.assertEqual(running.returncode, 0, said)
        return text.replace("\r\n", "\n").splitlines()

    def test_progress_begins_with_the_verification(self):
        self.write("k.yaml", SMALL_KERNEL)
        terminal, its_end = pty.openpty()
        self.addCleanup(os.close, terminal)
        running = subprocess.Popen([str(PROGRAM), "compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "6"], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its_end)
        os.close(its_end)
        said = self.all_of(terminal)
        self.assertEqual(running.wait(timeout=60), 0, said)
        self.assertRegex(said, r"^\r verified  \[-{20}\]  0/2")
        self.assertRegex(said, r"verified  \[#{20}\]  2/2.*samples  \[-{20}\]  0/6")

    def test_progress_in_the_log_of_a_batch_job(self):
        """Where there is no terminal: lines, never a bar, and none of a run that is shorter than their interval."""
        app = sorted(APPS)[-1]  # of those that are built
        self.write("job.yaml", APPS[app])
        said = {interval: suite("run", "job.yaml", folder=self.folder, environment={"SUITE_PROGRESS_INTERVAL": interval})
                for interval in ("1e-9", "0", "60", "often")}
        self.assertEqual([said["0"].stderr, said["60"].stderr], ["", ""])
        lines = said["1e-9"].stderr.splitlines()
        self.assertTrue(any("   ETA " in line for line in lines), lines)
        for line in lines:
            self.assertRegex(line, r"^ [\w -]+  (\d+/\d+|iteration \d+   error \S+ \(tolerance \S+\))   \d+ s(   ETA \d+ s)?(   E = .* Ha)?$")
        self.assertEqual(said["often"].returncode, 2)
        self.assertIn("SUITE_PROGRESS_INTERVAL must be a number of seconds, 0 or more, but is 'often'", said["often"].stderr)

    @staticmethod
    def all_of(terminal):
        text = b""
        try:
            while block := os.read(terminal, 4096):
                text += block
        except OSError:  # Linux says so at the end
            pass
        return text.decode()

    def table(self, columns, *arguments):
        """The lines from that of the heads on, and what there was no room for."""
        lines = self.lines(columns, *arguments)
        (first,) = [i for i, line in enumerate(lines) if re.match(r"  (implementation|row|step) ", line)]
        said = " ".join("\n".join(lines).partition("\n  columns hidden in this narrow terminal: ")[2].split("\n  !")[0].split("\n\n")[0].split())
        return lines[first:], said.split(", ") if said else []

    def test_help(self):
        for columns, command in ((80, ["help"]), (80, ["run", "--help"]), (80, ["compare", "--help"]), (80, ["bench", "--help"]),
                                 *((90, ["help", app]) for app in json.loads(suite("version", "--json").stdout)["apps"])):
            with self.subTest(command):
                wide, narrow = self.lines(400, *command), self.lines(columns, *command)
                self.assertLessEqual(max(map(len, narrow)), columns)
                self.assertEqual(" ".join(narrow).split(), " ".join(wide).split())

    def test_a_comparison(self):
        self.write("k.yaml", SMALL_KERNEL)
        command = ["compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "6"]
        wide, gone = self.table(400, *command)
        self.assertEqual(gone, [])
        heads = re.split(r"\s\s+", wide[0].strip())
        for columns in (120, 100, 80):
            with self.subTest(columns):
                narrow, gone = self.table(columns, *command)
                self.assertLessEqual(max(map(len, narrow[:3])), columns)
                left = re.split(r"\s\s+", narrow[0].strip())
                # Where it takes a microsecond, and where other programs have the cores.
                may_be = {"prepare", "FMA by CPU time"}
                self.assertEqual(set(left + gone) - may_be, set(heads) - may_be)
                self.assertLessEqual({"implementation", "time", "ratio", "verdict"}, set(left))
        self.assertNotEqual(gone, [])

    def test_lists(self):
        """Also where they are piped: what is read fits 80 columns but for paths."""
        for command in (["list"], ["list", "--all"], *(["list", kernel] for kernel in ("gpp.sigma", "lfd.propagate", "qmc.sweep", "dfpt.sum_up"))):
            with self.subTest(command):
                done = suite(*command)
                if done.returncode == 3:  # a family that is not in this build
                    continue
                for line in done.stdout.splitlines():
                    self.assertTrue(len(line) <= 80 or len(line.split()) == 1, line)
                self.assertEqual(max(map(len, self.lines(60, *command))) > 60, any(len(word) > 54 for word in done.stdout.split()))
        used = [p for p in json.loads(suite("list", "--json").stdout)["plugins"] if p["used"]]
        rows = suite("list").stdout.partition("\nimplementations\n")[2].partition("\n\n")[0].splitlines()[1:]
        found = [tuple(row.split()) for row in rows if not row.endswith("suite list --all")]
        self.assertEqual(sorted(found), sorted((p["family"], p["implementation"], p["level"], str(len(p["kernels"]))) for p in used))

    def test_numbers_are_never_broken(self):
        """Whatever the width: the words of the output are those of a wide terminal."""
        for app in sorted({"gw", "vmc"} & set(APPS)):
            self.write(app + ".yaml", APPS[app])
            words = None
            for columns in (400, 60, 33):
                lines = self.lines(columns, "run", app + ".yaml", "--output", f"{app}-{columns}")
                # Energies rather than times, which differ from run to run.
                found = [word for line in lines for word in line.split() if re.fullmatch(r"-?\d+\.\d{4,}(\(\d+\))?", word)]
                self.assertGreater(len(found), 5)
                words = words or found
                self.assertEqual(found, words, (app, columns))
                for line in lines:
                    self.assertTrue(len(line) <= columns or len(line.split()) == 1, (app, columns, line))

    def test_two_results(self):
        for name in ("old", "new"):
            self.lines(80, "bench", "gpp.sigma", "--size", "test:1", "--implementations", "cpu", "--repeat", "6", "--output", name)
        wide, gone = self.table(400, "compare", "old", "new")
        self.assertEqual((re.split(r"\s\s+", wide[0].strip()), gone), (["row", "old", "new", "ratio", "95 % interval", "p", "verdict"], []))
        narrow, gone = self.table(80, "compare", "old", "new")
        self.assertLessEqual(max(map(len, narrow[:2])), 80)
