#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one error at a time (mutants.py) into a copy of the core, builds it with its tests and shows that these refuse it. Those that
do not even compile count as refused where a static assertion says so. The unchanged copy has to pass.

    plant.py --source <repository> --work <folder to be made anew> [--cmake cmake] [--generator Ninja] [--launcher ccache] [--only ERROR...]
    plant.py --source <repository> --only-look      whether each error could still be planted; seconds instead of minutes
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

from mutants import MUTANTS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from planting import places, planted  # noqa: E402

# What is copied: enough of the tree for these tests.
PARTS = ("CMakeLists.txt", "cmake", "core", "plugins/CMakeLists.txt", "plugins/backends/cpu", "tests/CMakeLists.txt", "tests/main.cpp", "tests/common", "tests/core",
         "tests/abi")
TESTS = ("test_core", "test_abi")


def obstacle(source, mutant):
    """Why an error cannot be planted into the sources as they are, or None."""
    _, file, old, _ = mutant
    times = len(places((source / file).read_text(), old))
    return None if times == 1 else f"cannot be planted: '{old}' occurs {times} times in {file}"


def run(*words, **more):
    return subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **more)


def verdict(cmake, build):
    """caught, MISSED or what is in the way."""
    built = run(cmake, "--build", build, "--parallel", "2", "--target", *TESTS)
    if built.returncode != 0:
        refused = "static assertion failed" in built.stdout or "static_assert" in built.stdout
        return "caught" if refused else "does not compile:\n" + built.stdout[-3000:]
    for test in TESTS:
        try:
            if run(build / "bin" / test, "--report_level=no", timeout=120, env={**os.environ, "OMP_WAIT_POLICY": "passive"}).returncode != 0:
                return "caught"
        except subprocess.TimeoutExpired:
            return "caught"
    return "MISSED"


def copy_tree(source, to):
    for part in PARTS:
        (to / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (source / part).is_dir() else shutil.copy2)(source / part, to / part)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--launcher", default="")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--only-look", action="store_true")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.only or m[0] in options.only]
    chosen.sort(key=lambda m: options.only.index(m[0]) if options.only else 0)
    if obstacles := [f"{m[0]}: {obstacle(options.source, m)}" for m in chosen if obstacle(options.source, m)]:
        sys.exit("\n".join(obstacles))
    if options.only_look:
        return print(f"all {len(chosen)} errors could be planted")
    tree, build = options.work / "tree", options.work / "build"
    shutil.rmtree(options.work, ignore_errors=True)
    copy_tree(options.source, tree)
    configured = run(options.cmake, "-S", tree, "-B", build, "-G", options.generator, "-DCMAKE_BUILD_TYPE=Release",
                     *(f"-DSUITE_WITH_{part}=OFF" for part in ("CUDA", "HIP", "EMULATED", "OPENCL", "FORTRAN", "HDF5")), f"-DCMAKE_CXX_COMPILER_LAUNCHER={options.launcher}")
    if configured.returncode != 0:
        sys.exit(configured.stdout)
    if (unchanged := verdict(options.cmake, build)) != "MISSED":
        sys.exit(f"the unchanged source does not pass: nothing can be said about errors planted in it\n{unchanged}")
    failed = 0
    for name, file, old, new in chosen:
        text = (tree / file).read_text()
        (tree / file).write_text(planted(text, old, new))
        result = verdict(options.cmake, build)
        (tree / file).write_text(text)
        failed += result != "caught"
        print(f"{result:8}  {name}", flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} planted errors caught; the unchanged source passes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
