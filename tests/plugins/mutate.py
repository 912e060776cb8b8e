#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one error at a time into the cpu kernels' sources of a family, builds each as a plugin of its own and shows that
the generic test (test_plugins) refuses it. The unchanged source, built in the same way, has to pass. The errors are listed
in mutants/<family>.py.

    mutate.py --family gpp --source <repository> --build <build tree> --test <build>/bin/test_plugins [--compiler c++] [--jobs N]
"""
import argparse
import concurrent.futures
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-O1", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-fvisibility=hidden",
         "-fvisibility-inlines-hidden", "-fopenmp", "-w"]


def sources_of(family):
    """What suite_<family>_cpu is made of, as paths in the family's folder."""
    return sorted(str(p.relative_to(family)) for folder in (family, family / "cpu") for p in folder.glob("*.cpp"))


def compile_one(compiler, family, source, output, include):
    subprocess.run([compiler, *FLAGS, f"-I{include}", "-c", str(family / source), "-o", str(output)], check=True)


def link(compiler, objects, library):
    subprocess.run([compiler, "-shared", "-fopenmp", "-o", str(library), *map(str, objects)], check=True)


def includes(family, source, known):
    """All files of the family that a source includes, on whatever way."""
    if source not in known:
        known[source] = set()
        folder = (family / source).parent
        for name in re.findall(r'^#include "([^"]+)"', (family / source).read_text(), re.MULTILINE):
            file = os.path.normpath(folder / name)
            if os.path.exists(file):
                inner = os.path.relpath(file, family)
                known[source] |= {inner} | includes(family, inner, known)
    return known[source]


def users(family, changed):
    """The sources to compile again: the changed one, or all that include a changed header."""
    known = {}
    return [changed] if changed.endswith(".cpp") else [s for s in sources_of(family) if changed in includes(family, s, known)]


def try_mutant(options, work, objects, number, mutant):
    name, file, old, new = mutant
    folder = work / f"mutant{number}"
    family = folder / options.family
    shutil.copytree(options.source / "plugins" / options.family, family)
    text = (family / file).read_text()
    if text.count(old) != 1:
        return name, f"cannot be planted: '{old}' occurs {text.count(old)} times in {file}"
    (family / file).write_text(text.replace(old, new))
    mine = dict(objects)
    for source in users(family, file):
        mine[source] = folder / (source.replace("/", "_") + ".o")
        compile_one(options.compiler, family, source, mine[source], options.source / "core" / "include")
    library = folder / f"suite_{options.family}_mutant.so"
    link(options.compiler, mine.values(), library)
    return name, "caught" if not passes(options, library) else "MISSED"


def passes(options, library):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="2")
    ran = subprocess.run([str(options.test), "--log_level=nothing", "--report_level=no", "--", str(library)], env=environment,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    return ran.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--test", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()
    mutants = importlib.import_module(f"mutants.{options.family}").MUTANTS
    with tempfile.TemporaryDirectory(prefix="mutants", dir=options.build) as name:
        work = pathlib.Path(name)
        family = options.source / "plugins" / options.family
        objects = {s: work / (s.replace("/", "_") + ".o") for s in sources_of(family)}
        control = work / f"suite_{options.family}_control.so"
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda s: compile_one(options.compiler, family, s, objects[s], options.source / "core" / "include"), objects))
            link(options.compiler, objects.values(), control)
            if not passes(options, control):
                sys.exit("the unchanged source does not pass: nothing can be said about errors planted in it")
            results = list(pool.map(lambda m: try_mutant(options, work, objects, *m), enumerate(mutants)))
    for mutant, result in results:
        print(f"{result:8}  {mutant}")
    failed = [mutant for mutant, result in results if result != "caught"]
    print(f"{len(results) - len(failed)} of {len(results)} planted errors caught; the unchanged source passes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
