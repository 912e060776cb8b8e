# SPDX-License-Identifier: BSD-3-Clause
"""Completion in shells and the manual page. Shells that are not installed are skipped aloud."""
import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from suite_program import Case, PROGRAM, suite

VERBS = [line.split()[0] for line in suite("help").stdout.split("\n\n")[2].splitlines()]
SHELLS = ("bash", "zsh", "fish")


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"SKIPPED: no {program} here")


def typed(command, keys, until, folder):
    """What a shell at a terminal shows after the keys; waits for a pattern, at most a minute."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb", PATH=f"{PROGRAM.parent}:{os.environ['PATH']}", PS1="$ ", HISTFILE="/dev/null")
        os.execvp(command[0], command)
    seen = ""
    try:
        for text in keys:
            os.write(terminal, text.encode())
            time.sleep(0.3)
        limit = time.monotonic() + 60
        while not re.search(until, seen) and time.monotonic() < limit:
            if select.select([terminal], [], [], 0.5)[0]:
                seen += os.read(terminal, 65536).decode(errors="replace")
    except OSError:
        pass  # the shell has ended
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)
    return seen


class Completion(Case):
    def setUp(self):
        super().setUp()
        self.scripts = {}
        for shell in SHELLS:
            done = suite("completion", shell)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.scripts[shell] = self.folder / f"suite.{shell}"
            self.scripts[shell].write_text(done.stdout)

    def in_bash(self, *words):
        """What bash would offer for the last word."""
        code = (f'source {self.scripts["bash"]}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _suite; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", code, "bash", str(PROGRAM), *words], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_the_installed_scripts_are_those_that_the_program_writes(self):
        share = PROGRAM.parent.parent / "share"
        for shell, file in (("bash", "bash-completion/completions/suite"), ("zsh", "zsh/site-functions/_suite"),
                            ("fish", "fish/vendor_completions.d/suite.fish")):
            self.assertEqual((share / file).read_text(), self.scripts[shell].read_text())

    def test_bash_reads_the_script(self):
        done = subprocess.run(["bash", "-n", self.scripts["bash"]], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_verbs(self):
        self.assertEqual(self.in_bash(""), VERBS)
        self.assertEqual(self.in_bash("compl"), ["completion"])

    def test_options_are_those_of_the_verb(self):
        for verb in VERBS:
            listed = re.findall(r"^  (--[a-z-]+)", suite(verb, "--help").stdout, re.MULTILINE)
            self.assertEqual(self.in_bash(verb, "-"), listed, verb)

    def test_names_come_from_what_is_installed(self):
        kernels = suite("completion", "kernels").stdout.split()
        self.assertIn("gpp.sigma", kernels)
        self.assertEqual(self.in_bash("bench", "gpp.sigma"), [k for k in kernels if k.startswith("gpp.sigma")])
        self.assertIn("reference", self.in_bash("run", "--implementation", ""))
        self.assertEqual(self.in_bash("run", "--backend", "cp"), ["cpu"])
        self.assertIn("gpp", self.in_bash("ladder", "g"))
        self.assertIn("gpp.yaml", self.in_bash("run", "gpp."))

    def test_names_depend_on_the_line(self):
        keys = self.in_bash("run", "gpp.yaml", "--set", "")
        self.assertIn("system.nbands=", keys)
        self.assertNotIn("system.rs=", keys)
        self.assertIn("system.rs=", self.in_bash("check", "heg14.yaml", "--set", "system."))
        self.assertEqual(self.in_bash("check", "heg14.yaml", "--set", "system.rs"), ["system.rs="])
        self.assertEqual(self.in_bash("run", "gpp.yaml", "--set", "sigma.model", "=", ""),
                         ["gpp", "godby_needs", "cohsex", "contour_deformation", "multipole"])
        self.assertEqual(self.in_bash("run", "gpp.yaml", "--set", "=", "sigma.model", "=", "co"), ["cohsex", "contour_deformation"])
        self.assertEqual(self.in_bash("run", "gpp.yaml", "--set", "sigma.symmetry", "="), ["true", "false"])
        self.assertEqual(self.in_bash("run", "nothing.yaml", "--set", ""), [])
        (self.folder / "k.yaml").write_text("kernel: gpp.sigma\n")
        self.assertIn("repeat=", self.in_bash("run", "k.yaml", "--set", ""))

    def test_variants_parameters_sizes_and_presets(self):
        self.assertIn("v9", self.in_bash("bench", "gpp.sigma", "--variants", ""))
        self.assertNotIn("v9", self.in_bash("bench", "gw.mtxel", "--variants", ""))
        (self.folder / "k.yaml").write_text("kernel: gpp.sigma\n")
        self.assertIn("v9", self.in_bash("run", "k.yaml", "--implementation", "cpu", "--variant", ""))
        self.assertIn("precision=", self.in_bash("bench", "gpp.sigma", "--parameter", ""))
        self.assertEqual(self.in_bash("bench", "gpp.sigma", "--parameter", "precision", "=", "m"), ["mixed"])
        self.assertLessEqual({"small", "standard"}, set(self.in_bash("bench", "gpp.sigma", "--size", "")))
        self.assertEqual(self.in_bash("bench", "--preset", ""), ["smoke", "standard", "full"])

    def test_validate_offers_what_is_valid(self):
        (self.folder / "list.yaml").write_text("")
        (self.folder / "notes.txt").write_text("")
        known = re.search(r"\(there are: (.*)\)", suite("validate", "nothing").stderr)[1].split(", ")
        self.assertEqual(self.in_bash("validate", ""), ["list.yaml", *known])

    def test_values(self):
        self.assertEqual(self.in_bash("completion", ""), list(SHELLS))
        self.assertEqual(self.in_bash("compare", "--variants", "a"), ["all"])
        self.assertEqual(self.in_bash("compare", "--implementations", "cpu,refer"), ["cpu,reference"])
        self.assertEqual(self.in_bash("run", "--implementation", "=", "refer"), ["reference"])
        self.assertEqual(self.in_bash("run", "--seed", ""), self.in_bash("run", ""))  # no option of that verb

    def test_files_and_folders(self):
        (self.folder / "with space.yaml").write_text("")
        (self.folder / "results here").mkdir()
        code = f'source {self.scripts["bash"]}; COMP_WORDS=(suite run with); COMP_CWORD=2; _suite; printf "%s\\n" "${{COMPREPLY[@]}}"'
        done = subprocess.run(["bash", "--norc", "-c", code], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "with space.yaml\n")
        self.assertEqual(self.in_bash("run", "--output", ""), ["results", "here"])

    def test_in_a_bash_at_a_terminal(self):
        seen = typed(["bash", "--norc", "--noprofile", "-i"], [f"source {self.scripts['bash']}\n", "suite vers\t", "--js\t\n"], r'"version"', self.folder)
        self.assertIn("suite version --json", seen)

    @needs("zsh")
    def test_in_a_zsh_at_a_terminal(self):
        done = subprocess.run(["zsh", "-n", self.scripts["zsh"]], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        keys = [f"autoload -U compinit; compinit -D -u; source {self.scripts['zsh']}\n", "suite vers\t", "--js\t\n"]
        self.assertIn('"version"', typed(["zsh", "-f", "-i"], keys, r'"version"', self.folder))
        keys[1:] = ["suite run gpp.yaml --set=sigma.mod\t", "coh\t", "#\n"]
        self.assertIn("--set=sigma.model=cohsex", typed(["zsh", "-f", "-i"], keys, r"cohsex", self.folder))
        keys[1:] = ["suite run --implementation=refer\t", " --qui\t", "#\n"]
        self.assertRegex(typed(["zsh", "-f", "-i"], keys, r"reference.*--quiet", self.folder), "--implementation=reference[ \b]+--quiet")

    @needs("fish")
    def test_in_fish(self):
        def offered(line):
            environment = dict(os.environ, PATH=f"{PROGRAM.parent}:{os.environ['PATH']}", HOME=str(self.folder))
            done = subprocess.run(["fish", "--no-config", "-c", f"source {self.scripts['fish']}; complete -C '{line}'"], cwd=self.folder,
                                  env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return [entry.split("\t")[0] for entry in done.stdout.splitlines()]
        self.assertEqual(sorted(offered("suite ")), sorted(VERBS))
        self.assertEqual(offered("suite compare --vari"), ["--variants"])
        self.assertIn("gpp.sigma", offered("suite bench gpp."))
        self.assertIn("reference", offered("suite run --implementation "))
        self.assertIn("system.nbands=", offered("suite run gpp.yaml --set system."))
        self.assertEqual(offered("suite run gpp.yaml --set sigma.model=co"), ["sigma.model=cohsex", "sigma.model=contour_deformation"])
        self.assertIn("v9", offered("suite bench gpp.sigma --variants v"))

    def test_another_shell_is_refused(self):
        done = suite("completion", "fish2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no shell 'fish2'; did you mean 'fish'? (there are: bash, zsh, fish)", done.stderr)


class ManualPage(Case):
    def setUp(self):
        super().setUp()
        self.page = suite("help", "--man").stdout

    def test_every_verb_and_option_is_in_it(self):
        text = self.page.replace("\\-", "-")
        for verb in VERBS:
            self.assertIn(f".SS suite {verb}", text)
            for option in re.findall(r"^  (--[a-z-]+)", suite(verb, "--help").stdout, re.MULTILINE):
                self.assertIn(f".TP\n\\fB{option}\\fR", text)

    def test_it_is_the_installed_one(self):
        self.assertEqual((PROGRAM.parent.parent / "share/man/man1/suite.1").read_text(), self.page)

    @needs("groff")
    def test_groff_has_nothing_to_say(self):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-z"], input=self.page, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    @needs("man")
    def test_man_shows_it(self):
        page = self.folder / "suite.1"
        page.write_text(self.page)
        done = subprocess.run(["man", "--warnings", "-l", page], env=dict(os.environ, MANWIDTH="100", LC_ALL="C.UTF-8", PAGER="cat"),
                              capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("--implementations A,B,...", re.sub(".\b", "", done.stdout))

    @needs("mandoc")
    def test_mandoc_finds_no_errors(self):
        done = subprocess.run(["mandoc", "-Tlint", "-Werror"], input=self.page, capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
