#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plants one error at a time into the cpu kernels' sources, builds each as a plugin of its own and shows that the
generic test (test_plugins) refuses it. The unchanged source, built in the same way, has to pass.

    mutate.py --source <repository> --build <build tree> --test <build>/bin/test_plugins [--compiler c++] [--jobs N]
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# name, file, text that occurs exactly once, what replaces it
GPP = [
    ("dropped conjugate", "cpu/tile.hpp", "p[1] = im * m[0] - re * m[1];", "p[1] = im * m[0] + re * m[1];"),
    ("swapped index: column number for G'", "cpu/fast.cpp", "+ plan.owned[c].g) *", "+ plan.owned[c].igp) *"),
    ("swapped index: v of the column number", "cpu/sigma.cpp", "call.vcoul[g - 1]", "call.vcoul[igp]"),
    ("wrong array: M_n for M_m", "cpu/fast.cpp", "call.aqsm +", "call.aqsn +"),
    ("wrong sign of SX", "cpu/fast.cpp", "{-from[2], -from[3]}", "{from[2], from[3]}"),
    ("wrong sign of the imaginary part of CH", "cpu/fast.cpp", "iw + i] = {0.5 * from[0], 0.5 * from[1]}", "iw + i] = {0.5 * from[0], -0.5 * from[1]}"),
    ("factor 1/2 lost", "cpu/fast.cpp", "iw + i] = {0.5 * from[0], 0.5 * from[1]}", "iw + i] = {from[0], from[1]}"),
    ("off by one: last band of a chunk", "cpu/fast.cpp", "bands.count = static_cast<int>(k1 - k0);", "bands.count = static_cast<int>(k1 - k0) - 1;"),
    ("off by one: first occupied band counted as empty", "cpu/tile.hpp", "for (int n1 = 0; n1 < bands.occupied; ++n1)", "for (int n1 = 1; n1 < bands.occupied; ++n1)"),
    ("skipped rows: the last partial vector", "cpu/fast.cpp", "ceil_div(call.ncouls, lanes)", "std::max<int64_t>(1, call.ncouls / lanes)"),
    ("skipped columns: the last tile", "cpu/fast.cpp", "t1 = std::min(t0 + plan.task_tiles, panel.tiles)", "t1 = std::min(t0 + plan.task_tiles, panel.tiles - 1)"),
    ("wrong energy: the first for all", "cpu/fast.cpp", "*to++ = call.x(i, o.band[k], e);", "*to++ = call.x(iw, o.band[k], e);"),
    ("wrong energy: outer ones of three exchanged", "cpu/tile.hpp", "ch[c][0][p] += s[c][1][p] + bands.spacing", "ch[c][0][p] += s[c][1][p] - bands.spacing"),
    ("wrong external band", "cpu/fast.cpp", "Order& order = plan.order[e];", "Order& order = plan.order[0];"),
    ("single precision of v", "cpu/fast.cpp", "const double v = there ? plan.owned[column].v : 0;", "const double v = there ? static_cast<float>(plan.owned[column].v) : 0;"),
    ("null kernel", "cpu/sigma.cpp", "check_columns(arguments);\n    const Call", "if (arguments) return;\n    const Call"),
    ("occupation ignored", "cpu/tile.hpp", "sx_factor *= bands.f[n1];", ""),
    ("sexcut ignored", "cpu/tile.hpp", "if (x < 0) {", "if (x < -1e300) {"),
    ("gamma for gamma squared", "cpu/fast.cpp", "fill(call.gamma * call.gamma)", "fill(call.gamma)"),
    ("branch B with the sign of A", "cpu/tile.hpp", "fill(-0.5)", "fill(0.5)"),
    ("no test for branch A", "cpu/fast.cpp", "const double safe = reach", "const double safe = 1e30 + reach"),
    ("complex w taken for real", "cpu/sigma.cpp", "real = real && im == 0", "real = real && im == im"),
    ("invalid columns not skipped: padding shifts the rest", "cpu/sigma.cpp", "owned.push_back({igp, g - 1,", "owned.push_back({std::ssize(owned), g - 1,"),
    ("band-resolved CH in the kernel's order of bands", "cpu/fast.cpp", "call.ntband + plan.order[e].band[k]) * call.nw + iw]", "call.ntband + k) * call.nw + iw]"),
    ("complex w: band-resolved CH without the second energy", "cpu/general.cpp", "if (call.ach_n1) call.ach_n1[at] = band;", "if (call.ach_n1) call.ach_n1[at - iw] = band;"),
    ("complex w: an imaginary part with the wrong sign", "cpu/general.cpp", "A ? (w_im * d_re + w_re * w_im) * r : 0.0", "A ? (w_im * d_re - w_re * w_im) * r : 0.0"),
    ("static CH counts two energies' groups", "cpu/fast.cpp", "call.ach_static && iw == 0;", "call.ach_static && iw == 3;"),
]
FLAGS = ["-std=c++20", "-O1", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-fvisibility=hidden",
         "-fvisibility-inlines-hidden", "-fopenmp", "-w"]
SOURCES = ["cpu/sigma.cpp", "cpu/sigma_offdiag.cpp", "cpu/fast.cpp", "cpu/general.cpp", "cpu/ladder.cpp", "generate.cpp"]


def compile_one(compiler, family, source, output, include):
    subprocess.run([compiler, *FLAGS, f"-I{include}", "-c", str(family / source), "-o", str(output)], check=True)


def link(compiler, objects, library):
    subprocess.run([compiler, "-shared", "-fopenmp", "-o", str(library), *map(str, objects)], check=True)


def users(family, changed):
    """The sources to compile again: the changed one, or all that may include a changed header."""
    return [changed] if changed.endswith(".cpp") else [s for s in SOURCES if pathlib.Path(changed).name in (family / s).read_text()]


def try_mutant(options, work, objects, number, mutant):
    name, file, old, new = mutant
    folder = work / f"mutant{number}"
    shutil.copytree(options.source / "plugins" / "gpp", folder / "gpp")
    text = (folder / "gpp" / file).read_text()
    if text.count(old) != 1:
        return name, f"cannot be planted: '{old}' occurs {text.count(old)} times in {file}"
    (folder / "gpp" / file).write_text(text.replace(old, new))
    mine = dict(objects)
    for source in users(folder / "gpp", file):
        mine[source] = folder / (source.replace("/", "_") + ".o")
        compile_one(options.compiler, folder / "gpp", source, mine[source], options.source / "core" / "include")
    library = folder / "suite_gpp_mutant.so"
    link(options.compiler, mine.values(), library)
    return name, "caught" if not passes(options, library) else "MISSED"


def passes(options, library):
    environment = dict(os.environ, OMP_WAIT_POLICY="passive", OMP_NUM_THREADS="2")
    ran = subprocess.run([str(options.test), "--log_level=nothing", "--report_level=no", "--", str(library)], env=environment,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    return ran.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--test", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants", dir=options.build) as name:
        work = pathlib.Path(name)
        family = options.source / "plugins" / "gpp"
        objects = {s: work / (s.replace("/", "_") + ".o") for s in SOURCES}
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda s: compile_one(options.compiler, family, s, objects[s], options.source / "core" / "include"), SOURCES))
            link(options.compiler, objects.values(), work / "suite_gpp_control.so")
            if not passes(options, work / "suite_gpp_control.so"):
                sys.exit("the unchanged source does not pass: nothing can be said about errors planted in it")
            results = list(pool.map(lambda m: try_mutant(options, work, objects, *m), enumerate(GPP)))
    for mutant, result in results:
        print(f"{result:8}  {mutant}")
    failed = [mutant for mutant, result in results if result != "caught"]
    print(f"{len(results) - len(failed)} of {len(results)} planted errors caught; the unchanged source passes")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
