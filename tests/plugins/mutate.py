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
    ("dropped conjugate", "cpu/tile.hpp", "to[1] += a[1] * re - a[0] * im;", "to[1] += a[1] * re + a[0] * im;"),
    ("swapped index: column number for G'", "cpu/fast.cpp", "vector, column[c].g, next - c", "vector, column[c].igp, next - c"),
    ("swapped index: column number for G' where one array holds both", "cpu/fast.cpp", "const int64_t g = plan.owned[column].g;", "const int64_t g = plan.owned[column].igp;"),
    ("swapped index: v of the column number", "cpu/sigma.cpp", "call.vcoul[g - 1]", "call.vcoul[igp]"),
    ("wrong array: M_n for M_m", "cpu/fast.cpp", "plan.call.aqsm, vector", "plan.call.aqsn, vector"),
    ("wrong sign of SX", "cpu/fast.cpp", "{-sx[2 * i], -sx[2 * i + 1]}", "{sx[2 * i], sx[2 * i + 1]}"),
    ("wrong sign of the imaginary part of CH", "cpu/fast.cpp", "value{0.5 * from[0], 0.5 * from[1]}", "value{0.5 * from[0], -0.5 * from[1]}"),
    ("factor 1/2 lost", "cpu/fast.cpp", "value{0.5 * from[0], 0.5 * from[1]}", "value{from[0], from[1]}"),
    ("off by one: last band", "cpu/bands.hpp", "n1 < call.ntband; ++n1) {\n      Band", "n1 < call.ntband - 1; ++n1) {\n      Band"),
    ("off by one: first mode of a list", "cpu/tile.hpp", "reciprocal_of<Plus>(x[v], *mode, q[v]", "reciprocal_of<Plus>(x[v], mode[mode + 1 != end], q[v]"),
    ("off by one: each mode with the pole of the one before", "cpu/tile.hpp", "reciprocal_of<Plus>(x[v], mode[1]", "reciprocal_of<Plus>(x[v], mode[0]"),
    ("skipped rows: the last partial vector", "cpu/fast.cpp", "  for (; j < count; ++j)\n    for (int l", "  for (; j < count / lanes * lanes; ++j)\n    for (int l"),
    ("skipped columns: the last of a task", "cpu/fast.cpp", "c1 = std::min(c0 + plan.task_columns,", "c1 = std::min(c0 + plan.task_columns - 1,"),
    ("wrong energy: the first for all", "cpu/bands.hpp", "o.x.push_back(x(i, band));", "o.x.push_back(x(iw, band));"),
    ("wrong energy: outer ones of three exchanged", "cpu/tile.hpp", "sums[v][0][p] += U[v][2][p] + d2", "sums[v][0][p] += U[v][2][p] + d0"),
    ("wrong energy: the middle of uneven ones", "cpu/tile.hpp", "(d0 + d2) * U[v][1][p]", "(d0 - d0) * U[v][1][p]"),
    ("wrong external band", "cpu/fast.cpp", "m + ((band.e * plan.call.ntband + band.n1)", "m + ((0 * plan.call.ntband + band.n1)"),
    ("single precision of v", "cpu/fast.cpp", "plan.owned[c].v,", "static_cast<float>(plan.owned[c].v),"),
    ("null kernel", "cpu/sigma.cpp", "check_columns(arguments);\n    const Call", "if (arguments) return;\n    const Call"),
    ("occupation ignored", "cpu/fast.cpp", "sx[i] += band.occupation * sums", "sx[i] += sums"),
    ("sexcut ignored", "cpu/bands.hpp", "negative = negative || o.x.back() < 0;", ""),
    ("sexcut ignored far from the poles", "cpu/bands.hpp", ": 2 * largest_w);", ": 0.0);"),
    ("gamma for gamma squared", "cpu/tile.hpp", "limit = std::max(work.gamma * work.gamma, w * w * (1 / limit_one));\n      for (int v = 0; v < Vectors; ++v) {\n        const Product<Real> P(work.rows + mode->row + v * work.rows_stride, *mode);\n        Vector", "limit = std::max(work.gamma, w * w * (1 / limit_one));\n      for (int v = 0; v < Vectors; ++v) {\n        const Product<Real> P(work.rows + mode->row + v * work.rows_stride, *mode);\n        Vector"),
    ("branch B with the sign of A", "cpu/tile.hpp", "fill(-0.5)", "fill(0.5)"),
    ("far from the poles: 1/(x+w) with the wrong sign", "cpu/tile.hpp", "0.5 * (ch[v][i][p] - sx[v][i][p])", "0.5 * (ch[v][i][p] + sx[v][i][p])"),
    ("no test for branch A", "cpu/bands.hpp", "return static_cast<int>(std::lower_bound(", "return 0 * static_cast<int>(std::lower_bound("),
    ("modes in too high a bin", "cpu/modes.hpp", "kind += w > from.edges[b];", "kind += w > from.edges[b] - 3;"),
    ("infinite modes skipped", "cpu/fast.cpp", "const Vector infinite = sums[4 * nw + i % 2];", "const Vector infinite{};"),
    ("infinite modes with the wrong sign", "cpu/fast.cpp", "sums[i] += load(plan.bands.ch_limit", "sums[i] -= load(plan.bands.ch_limit"),
    ("infinite modes without SX", "cpu/fast.cpp", "if (occupied) sums[2 * nw + i] +=", "if (plan.parts < 0) sums[2 * nw + i] +="),
    ("infinite modes not cut by sexcut", "cpu/bands.hpp", "if (x < 0 && std::abs(sx) > call.sexcut) sx = 0;", ""),
    ("infinite modes: the last of a list lost", "cpu/modes.hpp", "modes.infinite = at - to;", "at -= at - to > modes.finite;\n  modes.infinite = at - to;"),
    ("no pole taken for an infinite one", "cpu/modes.hpp", "kind = infinite ? bins : none ?", "kind = infinite | none ? bins : none ?"),
    ("no pole: lost in static CH", "cpu/modes.hpp", "if (!from.with_static) end", "end"),
    ("wrong list entry: the row of the mode before", "cpu/modes.hpp", "std::bit_cast<double>(g * from.row_size)", "std::bit_cast<double>((g - (g > 0)) * from.row_size)"),
    ("wrong list entry: I w for I in static CH", "cpu/modes.hpp", "finite & !from.with_static ? w : 1.0", "finite ? w : 1.0"),
    ("complex w taken for real", "cpu/sigma.cpp", "real = real && im == 0", "real = real && im == im"),
    ("invalid columns not skipped: padding shifts the rest", "cpu/sigma.cpp", "owned.push_back({igp, g - 1,", "owned.push_back({std::ssize(owned), g - 1,"),
    ("band-resolved CH in the kernel's order of bands", "cpu/fast.cpp", "call.ach_n1[(band.e * call.ntband + band.n1) * call.nw + iw]", "call.ach_n1[k % (call.ntband * call.nex) * call.nw + iw]"),
    ("complex w: band-resolved CH without the second energy", "cpu/general.cpp", "if (call.ach_n1) call.ach_n1[at] = band;", "if (call.ach_n1) call.ach_n1[at - iw] = band;"),
    ("complex w: an imaginary part with the wrong sign", "cpu/general.cpp", "A ? (w_im * d_re + w_re * w_im) * r : 0.0", "A ? (w_im * d_re - w_re * w_im) * r : 0.0"),
    ("static CH counts every group of energies", "cpu/fast.cpp", "work.first = iw == 0;", "work.first = true;"),
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
