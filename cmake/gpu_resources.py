#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Registers, spills, shared memory and occupancy of every GPU kernel, as reported by the compilers.

gpu_resources.py --output FILE --include FOLDER... [--nvcc NVCC --cuda sm_80,sm_90]
                 [--hip CLANG --hip-flags "..." --hip-architectures gfx90a,gfx1030] SOURCE...
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def readable(symbol):
    name = subprocess.run(["c++filt", symbol], capture_output=True, text=True).stdout.strip()
    name = re.sub(r"\(anonymous namespace\)::|suite::\w+::", "", name)
    name = re.sub(r"^void ", "", name)
    # Arguments tell nothing here; those of templates do.
    depth = 0
    for place, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0 and place > 0:
            return name[:place]
    return name


def nvidia_rows(text):
    pattern = re.compile(
        r"Compiling entry function '(?P<symbol>\S+)' for '(?P<target>\w+)'.*?"
        r"(?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?Used (?P<registers>\d+) registers(?P<rest>[^\n]*)",
        re.S)
    for found in pattern.finditer(text):
        shared = re.search(r"(\d+) bytes smem", found["rest"])
        spilled = int(found["stores"]) + int(found["loads"])
        yield readable(found["symbol"]), found["registers"], str(spilled), shared[1] if shared else "0", ""


def amd_rows(text):
    for part in text.split("Function Name: ")[1:]:
        def number(key):
            found = re.search(key + r": (\d+)", part)
            return found[1] if found else "0"
        spilled = int(number("VGPRs Spill")) + int(number("SGPRs Spill"))
        registers = f"{number('VGPRs')}v {number('SGPRs')}s"
        yield (readable(part.split()[0]), registers, str(spilled), number(r"LDS Size \[bytes/block\]"),
               number(r"Occupancy \[waves/SIMD\]"))


def first_line(command):
    said = subprocess.run(command, capture_output=True, text=True).stdout.strip().splitlines()
    return next((line for line in said if "release" in line or "version" in line), "")


def heading(given, rows):
    spilling = sum(row[3] != "0" for row in rows)
    folder = pathlib.Path(given.sources[0]).parent
    commit = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    compilers = [first_line([compiler, "--version"]) for compiler in (given.nvcc, given.hip) if compiler]
    return f"""# Registers, spills and shared memory of the GPU kernels

As reported by the compilers ({"; ".join(compilers)}); nothing here was run on a GPU.
Made at commit {commit or "unknown"} by `ninja gpu-resources`. {spilling} of {len(rows)} kernels spill. Registers of AMD GPUs: vector (v) and scalar (s).
"""


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--output", required=True)
    arguments.add_argument("--include", action="append", default=[])
    arguments.add_argument("--nvcc")
    arguments.add_argument("--cuda", default="")
    arguments.add_argument("--hip")
    arguments.add_argument("--hip-flags", default="")
    arguments.add_argument("--hip-architectures", default="")
    arguments.add_argument("sources", nargs="*")
    given = arguments.parse_args()
    includes = [f"-I{folder}" for folder in given.include]
    jobs = []  # source, target, command, how its output is read
    for source in given.sources:
        for target in filter(None, given.cuda.split(",")) if given.nvcc else []:
            jobs.append((source, target, [given.nvcc, "-std=c++20", "-O3", "-DNDEBUG", "--expt-relaxed-constexpr", "-cubin",
                                          f"-arch={target}", "-Xptxas", "-v", *includes, source], nvidia_rows))
        for target in filter(None, given.hip_architectures.split(",")) if given.hip else []:
            jobs.append((source, target, [given.hip, *shlex.split(given.hip_flags), "-std=c++20", "-O3", "-DNDEBUG", "-x", "hip",
                                          f"--offload-arch={target}", "--offload-device-only", "-c",
                                          "-Rpass-analysis=kernel-resource-usage", *includes, source], amd_rows))

    def rows_of(number):
        source, target, command, read = jobs[number]
        print(f"compiling {source} for {target}", file=sys.stderr, flush=True)
        place = "/".join(pathlib.Path(source).parts[-3:])
        return [(place, target, *row) for row in read(run([*command, "-o", f"{folder}/code{number}"]))]

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [row for some in pool.map(rows_of, range(len(jobs))) for row in some]
    page = heading(given, [row[1:] for row in rows])
    for place in dict.fromkeys(row[0] for row in rows):
        page += (f"\n## {place}\n\n| target | kernel | registers | spilled (NVIDIA: bytes, AMD: registers) | "
                 "static shared memory (bytes) | waves per SIMD |\n|---|---|---|---|---|---|\n")
        page += "".join("| " + " | ".join(row[1:]) + " |\n" for row in rows if row[0] == place)
    pathlib.Path(given.output).write_text(page)
    print(page, end="")


main()
