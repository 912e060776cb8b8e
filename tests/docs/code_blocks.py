#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs what the Markdown files show, as a reader would: the blocks of a page in their order and in one folder, with suite in $HOME/suite and on the PATH.

    code_blocks.py --source <repository> --list
    code_blocks.py --source <repository> --build <its build> --prefix <installed suite> --work <folder to be made from scratch> [--costly] [page ...]

--list runs nothing: it counts the blocks that are run, checked and compiled, names those that are not with their reasons, and fails where a block has neither.
Blocks of `sh` are commands; those of `console` begin with "$ " and show the output; one with a file name above it is written into that file, and an input
is checked by `suite check`. blocks.py says what comments can add. --costly runs the pages with blocks of that mark, the others are run without.
"""
import argparse
import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

import blocks
import output

# Followed one after the other in one folder: each continues what the page before has left.
CHAIN = ("docs/add-a-family.md", "docs/add-a-kernel.md", "docs/add-a-backend.md")
# What newcomers come for, a section each, in so many commands at most. A test of its own runs the page.
TASKS = "docs/tasks.md"
MOST_COMMANDS = 10
# What a reader must see of a page's commands in the end, in any of their outputs.
EXPECTED = {
    "docs/add-a-family.md": [r"(?m)^heat\.step: a time step of the heat equation", r"rate +real64, in, optional\s+a dt / dx\^2; unset: 0\.25",
                             r"(?m)^ +cpu .*\bverified"],
    "docs/add-a-kernel.md": [r"(?m)^ +suite_gpp_mine\.so .*\bverified", r"(?m)^ +ring +", r"V100\s+0\.0008\s+to\s+0\.00084\s+s;\s+A100\s+1\.4\s+to\s+1\.5\s+times\s+as\s+fast",
                             r"(?m)^ +cpu single .*\bverified", r"so that the\s+compiler\s+makes\s+vectors"],
    TASKS: [r"gap 1\.3482 eV", r"lines closer than", r"angstrom\^3", r"(?s)CH = .*CH = ", r"suite_gpp_mine\.so .*\bverified",
            r"suite_gpp_mine_emulated\.so .*\bverified", r"gpp\.sigma-4\.h5", r"(?m)^old +before", r"quasiparticle\.svg"],
    "docs/add-a-backend.md": [r"tin\b.*\s+a\s+device\s+that\s+the\s+CPU\s+simulates", r"(?m)^ +tin .*\bverified"],
}
# Pages whose Python is run by tests/python.
PYTHON = ("docs/python.md",)
LINKS = ("examples", "fortran", "inputs", "plugins", "tests", "tools", "docs", "CMakeLists.txt")


def kind(block):
    """How a block is tested, for the count."""
    marks = block.marks
    if "not run" in marks:
        return "not run"
    if "costly" in marks:
        return "costly"
    if "tested by" in marks or block.language == "python" and block.page in PYTHON:
        return "run by other tests"
    if "from" in marks:
        return "found in tested sources"
    if "compiled" in marks or block.language in ("c", "cpp", "cmake", "fortran"):
        return "compiled"
    if "output of the block before" in marks:
        return "compared with output"
    if block.language == "yaml":
        return "checked inputs"
    return "run"


def commands(found):
    """How many commands each section of a page shows; a line of Python counts as one."""
    count = collections.Counter()
    for block in found:
        if block.language in ("sh", "console", "python"):
            text = block.text.replace("\\\n", "")
            count[block.section] += sum(1 for line in text.splitlines() if line.startswith("$ ") or block.language != "console" and line and line[0] not in "# )")
    return count


def listing(pages):
    wrong = [f"{b}: {why}" for found in pages.values() for b in found if (why := blocks.mistakes(b))]
    for section, many in commands(pages[TASKS]).items():
        if many > MOST_COMMANDS:
            wrong.append(f"{TASKS}: {section}: {many} commands, at most {MOST_COMMANDS}")
    counts = collections.Counter(kind(b) for found in pages.values() for b in found)
    print("blocks: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()))
    for found in pages.values():
        for b in found:
            if "not run" in b.marks:
                print(f"  {b}: not run: {b.marks['not run']}")
            elif "costly" in b.marks:
                print(f"  {b}: in -C validation, {b.marks['costly']}")
    if wrong:
        sys.exit("\n".join(wrong))


def reachable(address):
    try:
        with urllib.request.urlopen(address, timeout=20):
            return True
    except OSError:
        return False


class Reader:
    """One who follows the pages."""

    def __init__(self, options):
        self.options, self.skipped, self.done = options, [], collections.Counter()
        self.home = options.work / "home"
        self.home.mkdir(parents=True)
        for name in ("suite", "suite-new"):
            (self.home / name).symlink_to(options.prefix)
        self.features = self.installed_features()

    def installed_features(self):
        there = set()
        text = (self.options.build / "features.txt").read_text() if self.options.build else ""
        for name, pattern in (("opencl", r"(?m)^OpenCL: \d"), ("mpi", r"(?m)^MPI: yes"), ("fortran", r"(?m)^Fortran: (?!not)"), ("capture", r"(?m)^capture of calls: yes"),
                              ("emulated", r"(?m)^emulated: GPU")):
            if re.search(pattern, text):
                there.add(name)
        if pathlib.Path("/usr/share/espresso/pseudo").is_dir():  # Debian's quantum-espresso-data
            there.add("quantum-espresso-data")
        if self.options.costly and reachable("https://pypi.org/simple/pip/"):
            there.add("pypi")
        for module in ("h5py", "jsonschema", "ase"):
            if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0:
                there.add(module)
        return there

    def environment(self):
        env = {**os.environ, "HOME": str(self.home), "FOLLOW_ENVIRONMENT": str(self.options.work / "environment"), "SUITE_TUNED": "/nonexistent/tuned.json",
               "PATH": f"{self.options.prefix}/bin:{os.environ['PATH']}", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        env.update(PYTHONPATH=str(self.options.source / "python"), SUITE_ROOT=f"{self.home}/suite")  # as an installed package
        env["PKG_CONFIG_PATH"] = f"{self.home}/suite/lib/pkgconfig"  # docs/install.md
        for name in ("SUITE_PLUGIN_PATH", "LD_LIBRARY_PATH"):
            env.pop(name, None)
        return env

    def run(self, block, commands, folder, expect=0):
        """The output of commands; the environment behind the last one stays, as what a reader exports does."""
        script = f"set -euo pipefail\n{commands}\nenv -0 >\"$FOLLOW_ENVIRONMENT\"\n"
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        print(done.stdout)
        if done.returncode != expect:
            sys.exit(f"{block}: exit code {done.returncode} of:\n{commands}")
        if expect == 0:
            pairs = pathlib.Path(self.env["FOLLOW_ENVIRONMENT"]).read_bytes().split(b"\0")
            self.env = dict(p.decode().split("=", 1) for p in pairs if b"=" in p)
        return done.stdout

    def tree(self, folder):
        """Links to what is in the root of the source tree, and to its build."""
        there = folder / "source-tree"
        if not there.exists():
            there.mkdir()
            for name in LINKS:
                (there / name).symlink_to(self.options.source / name)
            (there / "build").symlink_to(self.options.build)
        return there

    def console(self, block, folder):
        """Commands behind "$ ", each with the output that is shown below it."""
        said = ""
        expect = int(block.marks.get("exit code", 0))
        for part in re.split(r"(?m)^\$ ", block.text)[1:]:
            command, _, shown = part.partition("\n")
            printed = self.run(block, command, folder, expect)
            lost = output.missing(shown, printed)
            if lost is not None:
                sys.exit(f"{block}: '{command}' does not print:\n{lost}")
            said += printed
        return said

    def from_sources(self, block):
        """Each line, but for comments and white space, stands in a source of the folder."""
        strip = lambda line: re.sub(r"\s+", "", re.sub(r"\s!( .*)?$|\s+//.*$", "", line))
        files = (self.options.source / block.marks["from"]).glob("*.f90")
        text = {strip(line) for file in files for line in file.read_text().splitlines()}
        for line in block.text.splitlines():
            if block.language == "diff":
                if not line.startswith("+"):
                    continue
                line = line[1:]
            if strip(line) and strip(line) not in text:
                sys.exit(f"{block}: not in {block.marks['from']}: {line}")

    def compile_fragment(self, block, folder):
        """A fragment of Fortran behind the declarations of declarations.f90 that its comment names."""
        declared = (pathlib.Path(__file__).parent / "declarations.f90").read_text()
        found = re.search(rf"(?ms)^! {re.escape(block.marks['compiled'])}\n(.*?)(?=^! |\Z)", declared)
        if not found:
            sys.exit(f"{block}: no declarations named '{block.marks['compiled']}'")
        file = folder / f"fragment_{block.line}.f90"
        file.write_text(f"subroutine fragment\n{found[1]}block\n{block.text}end block\nend subroutine\n")
        self.run(block, f"${{FC:-gfortran}} -fsyntax-only -ffree-line-length-none -fopenmp -fopenacc -I {self.options.prefix}/{self.options.modules} {file.name}", folder)

    def input(self, block, folder, number):
        file = folder / (block.file or f"input_{number}.yaml")
        if "added to" in block.marks:
            sections = lambda text: dict(re.findall(r"(?m)^(\w+)(:.*\n(?:(?:[ #].*)?\n)*)", text))
            base = sections((folder / block.marks["added to"]).read_text())
            base.update(sections(block.text))
            file = folder / f"added_{number}.yaml"
            file.write_text("".join(k + v for k, v in base.items()))
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.text)
        self.run(block, f"suite check {file.name} >/dev/null", file.parent, int(block.marks.get("exit code", 0)))

    def follow(self, name, found, folder):
        said, before = "", ""
        for number, block in enumerate(found):
            marks = block.marks
            if "not run" in marks or "tested by" in marks or ("costly" in marks and not self.options.costly):
                continue
            missing = [n for n in marks.get("needs", "").replace(",", " ").split() if n not in self.features]
            if missing:
                self.skipped.append(f"{block}: needs {', '.join(missing)}")
                continue
            here = self.tree(folder) if "in the source tree" in marks else folder
            for there, given in re.findall(r"(\S+) = ([^\s,]+)", marks.get("given", "")):
                (folder / there).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(self.options.source / given, folder / there)
            self.done[kind(block)] += 1
            print(f"-- {block}", flush=True)
            if "from" in marks:
                self.from_sources(block)
            elif "compiled" in marks:
                if "fortran" in self.features:
                    self.compile_fragment(block, folder)
                else:
                    self.skipped.append(f"{block}: needs fortran")
            elif "output of the block before" in marks:
                lost = output.missing(block.text, before)
                if lost is not None:
                    sys.exit(f"{block}: the block before does not print:\n{lost}")
            elif block.language == "console":
                before = self.console(block, here)
                said += before
            elif block.language == "sh":
                before = self.run(block, block.text, here, int(marks.get("exit code", 0)))
                said += before
            elif block.language == "python" and name in PYTHON:
                continue
            elif block.language == "python" and not block.file:
                (here / "block.py").write_text(block.text)
                before = self.run(block, f"{sys.executable} block.py", here)
                said += before
            elif "added to" in marks or block.language == "yaml" and name not in CHAIN:  # those of the chain run what they build later
                self.input(block, here, number)
            else:
                (here / block.file).parent.mkdir(parents=True, exist_ok=True)
                (here / block.file).write_text(block.text)
                if "script" in marks:
                    self.run(block, f"bash -n {block.file}", here)
        whole = not any(sentence.startswith(f"{name}:") for sentence in self.skipped)
        for pattern in EXPECTED.get(name, ()):
            if not re.search(pattern, said) and whole:
                sys.exit(f"{name}: expected in the output of its commands: {pattern}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "build", "prefix", "work"):
        parser.add_argument(f"--{name}", type=lambda p: pathlib.Path(p).absolute())
    parser.add_argument("--modules", default="include/suite/fortran", help="the folder of the Fortran modules below the prefix")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--costly", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    pages = blocks.pages(options.source)
    if options.list:
        return listing(pages)
    unknown = [p for p in options.pages if p not in pages]
    if unknown:
        sys.exit(f"no page {unknown[0]}")
    shutil.rmtree(options.work, ignore_errors=True)
    reader = Reader(options)
    chosen = options.pages or [p for p in pages if pages[p] and p not in (*CHAIN, TASKS) and (not options.costly or any("costly" in b.marks for b in pages[p]))]
    chain = None
    for name in chosen:
        folder = options.work / re.sub(r"\W", "_", name.removesuffix(".md"))
        if name in CHAIN:
            folder = chain = chain or folder
        if not folder.exists():
            folder.mkdir()
            reader.env = reader.environment()
            if name in CHAIN:
                (folder / "examples").symlink_to(options.source / "examples")  # what add-a-kernel.md builds lies in the source tree
        reader.follow(name, pages[name], folder)
    print("done: " + ", ".join(f"{n} {what}" for what, n in reader.done.most_common()))
    for sentence in reader.skipped:
        print(f"NOT RUN HERE: {sentence}")


if __name__ == "__main__":
    main()
