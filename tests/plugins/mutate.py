#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one error at a time into the sources of a family's plugin, builds each as a plugin of its own and shows that
the generic test (test_plugins) refuses it. The unchanged source, built in the same way, has to pass. The errors are listed
in mutants/<list>.py, which is named after the family, for its cpu kernels, or says what to build: FAMILY, FOLDER, FLAGS,
LIBRARIES. A fifth word of an error is the kernel that has to refuse it, with a choice of a parameter where the error is
in another than the default one ("dfpt.h variant=naive"); without it all kernels are tried, with their default choices.
WIDE of a list names the errors in code for AVX-512: there the whole plugin is compiled for it; a CPU without it leaves them out, aloud.
SMALLER of a list are replacements (file, text, new text) for the unchanged source too: portions of work so small that the
sizes of the tests have several of them.

    mutate.py --list gpp_gpu --source <repository> --build <build tree> --test <build>/bin/test_plugins [--compiler c++] [--jobs N]
    mutate.py --list gpp_gpu --source <repository> --only-look      whether each error could still be planted; seconds instead of minutes
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "common"))
from planting import places, planted  # noqa: E402

FLAGS = ["-std=c++20", "-O1", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-fvisibility=hidden",
         "-fvisibility-inlines-hidden", "-fopenmp", "-w"]


def sources_of(options, family):
    """What the plugin is made of, as paths in the family's folder."""
    folders = [family, family / options.folder] + ([family / "device"] if options.folder != "cpu" else [])
    return sorted(str(p.relative_to(family)) for folder in folders for end in ("*.cpp", "*.cu") for p in folder.glob(end))


def compile_one(options, family, source, output, *more):
    """A header with the OpenCL sources, where there are any, is made beside the output."""
    subprocess.run([options.compiler, *FLAGS, *options.flags, *more, f"-I{options.source}/core/include", f"-I{output.parent}", "-c", str(family / source),
                    "-o", str(output)], check=True)


def embed(options, family, folder):
    files = sorted(map(str, [*(family / options.folder).glob("*.cl"), *family.glob("*.h")]))
    if files:
        subprocess.run(["cmake", f"-DHEADER={folder}/sources.hpp", f"-DFILES={';'.join(files)}", "-P",
                        str(options.source / "cmake" / "SuiteEmbed.cmake")], check=True)


def link(options, objects, library):
    subprocess.run([options.compiler, "-shared", "-fopenmp", "-o", str(library), *map(str, objects), *options.libraries], check=True)


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


def users(options, family, changed):
    """The sources to compile again: the changed one, or all that include a changed header."""
    if changed.endswith((".cpp", ".cu")):
        return [changed]
    known = {}
    if changed.endswith(".cl"):  # a text is in the objects of those that use it, also through a header
        text = re.compile(rf"\b{pathlib.Path(changed).stem}_cl\b")
        return [s for s in sources_of(options, family)
                if any(text.search((family / file).read_text()) for file in {s} | includes(family, s, known))]
    return [s for s in sources_of(options, family) if changed in includes(family, s, known)]


def with_smaller_portions(options, chosen, work):
    """The family's folder with SMALLER done."""
    source = options.source / "plugins" / options.family
    if not hasattr(chosen, "SMALLER"):
        return source
    folder = work / "unchanged" / options.family
    shutil.copytree(source, folder)
    for file, old, new in chosen.SMALLER:
        text = (folder / file).read_text()
        if len(places(text, old)) != 1:
            sys.exit(f"SMALLER: '{old}' occurs {len(places(text, old))} times in {file}")
        (folder / file).write_text(planted(text, old, new))
    return folder


def obstacle(options, mutant):
    """Why an error cannot be planted into the sources as they are, or None."""
    _, file, old, _, *kernel = mutant
    family = options.family_folder
    times = len(places((family / file).read_text(), old))
    if times != 1:
        return f"cannot be planted: '{old}' occurs {times} times in {file}"
    if kernel and f'"{kernel[0].split()[0]}"' not in (family / f"{options.family}.hpp").read_text():
        return f"cannot be planted: the family has no kernel {kernel[0]}"
    return None


def try_mutant(options, work, objects, number, mutant):
    name, file, old, new, *kernel = mutant
    if obstacle(options, mutant):
        return name, obstacle(options, mutant)
    folder = work / f"mutant{number}"
    family = folder / options.family
    shutil.copytree(options.family_folder, family)
    (family / file).write_text(planted((family / file).read_text(), old, new))
    wide = name in options.wide
    if wide and "avx512f" not in pathlib.Path("/proc/cpuinfo").read_text():
        return name, "left out: this CPU has no AVX-512"
    mine = dict(objects)
    embed(options, family, folder)
    for source in objects if wide else users(options, family, file):
        mine[source] = folder / (source.replace("/", "_") + ".o")
        try:
            compile_one(options, family, source, mine[source], *(["-march=x86-64-v4"] if wide else []))
        except subprocess.CalledProcessError:
            return name, f"cannot be planted: {source} does not compile"
    library = folder / f"suite_{options.family}_mutant.so"
    link(options, mine.values(), library)
    try:
        code = compare(options, library, *kernel).returncode
    except subprocess.TimeoutExpired:
        return name, "caught"  # it does not end
    return name, {0: "MISSED", 200: "cannot be tested: no comparison was begun"}.get(code, "caught")  # 200: Boost's set-up error


def compare(options, library, kernel=None):
    """Of a kernel with a choice the default ones are left out, which are all that is tried of one without."""
    choices = ["--choices"] if kernel and "=" in kernel else []
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="2", SUITE_OPENCL_CACHE="0", POCL_CACHE_DIR=str(options.caches))
    chosen = [f"--run_test=* {kernel} *"] if kernel else []
    return subprocess.run([str(options.test), "--report_level=no", *chosen, "--", "--first", *choices, str(library)], env=environment, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--test", type=pathlib.Path)
    parser.add_argument("--only-look", action="store_true")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()
    if not options.only_look and not (options.build and options.test):
        parser.error("--build and --test are needed to plant the errors")
    chosen = importlib.import_module(f"mutants.{options.list}")
    options.family = getattr(chosen, "FAMILY", options.list)
    options.folder = getattr(chosen, "FOLDER", "cpu")
    options.flags, options.libraries = getattr(chosen, "FLAGS", []), getattr(chosen, "LIBRARIES", [])
    if options.folder == "opencl":
        options.flags = [*options.flags, "-DSUITE_DEVICE_OPENCL"]
    mutants, options.wide = chosen.MUTANTS, getattr(chosen, "WIDE", ())
    if unknown := set(options.wide) - {mutant[0] for mutant in mutants}:
        sys.exit(f"WIDE names no error of the list: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="mutants", dir=options.build) as name:
        work = pathlib.Path(name)
        family = options.family_folder = with_smaller_portions(options, chosen, work)
        if options.only_look:
            obstacles = [f"{mutant[0]}: {obstacle(options, mutant)}" for mutant in mutants if obstacle(options, mutant)]
            print("\n".join(obstacles) or f"all {len(mutants)} errors could be planted")
            sys.exit(1 if obstacles else 0)
        objects = {s: work / (s.replace("/", "_") + ".o") for s in sources_of(options, family)}
        options.caches = work / "caches"
        options.caches.mkdir()
        embed(options, family, work)
        control = work / f"suite_{options.family}_control.so"
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda s: compile_one(options, family, s, objects[s]), objects))
            link(options, objects.values(), control)
            # A comparison for each kernel, as its errors will have it: one of all kernels takes OpenCL longer than an error may.
            asked = {m[4] if len(m) > 4 else None for m in mutants}
            asked = sorted(k for k in asked if k and "=" in k) + [None] if None in asked else sorted(asked)
            unchanged = list(pool.map(lambda kernel: compare(options, control, kernel), asked))
            if options.folder == "opencl" and "no OpenCL platform" in unchanged[0].stdout:
                print("SKIPPED: there is no OpenCL device")
                sys.exit(77)
            if wrong := [kernel or "any kernel" for kernel, ended in zip(asked, unchanged) if ended.returncode != 0]:
                sys.exit(f"the unchanged source does not pass ({', '.join(wrong)}): nothing can be said about errors planted in it")
            results = list(pool.map(lambda m: try_mutant(options, work, objects, *m), enumerate(mutants)))
    for mutant, result in results:
        print(f"{result:8}  {mutant}")
    failed = [mutant for mutant, result in results if result != "caught" and not result.startswith("left out")]
    print(f"{len(results) - len(failed)} of {len(results)} planted errors caught; the unchanged source passes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
