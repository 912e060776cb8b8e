#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plans the launches of every GPU kernel at every named size against the limits of GPUs (tools/gpu_devices.json).

launches.py --plan PLAN --runtime LIBRARY --plugins FOLDER --scratch FOLDER [--kernels gpp.sigma,...] [--devices H200,...] [--sizes small,...]
            [--without rbd,...] [--forgetful] [--steps]

The host sides of the plugins for HIP run with a pretended runtime (pretended_gpu.cpp). Static shared memory, registers and the largest
block of each kernel are those that its compiler reported: for AMD's devices from the plugins for HIP, for NVIDIA's from the plugins
for CUDA where cuobjdump is there; else shared memory and blocks as AMD's compiler has them, and no registers.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import gpu_code  # noqa: E402

# A step launches what the step before it has launched: a thousand of them take a minute and show nothing more.
FEWER_STEPS = {"lfd.propagate": ",nsteps=5,field_steps=4"}
# How often the host may wait for the device within execute() of a repeated call: never (docs/decisions/0024-what-a-kernel-found-out-is-asked-for.md),
# but the published steps of lfd.propagate wait as they did.
WAITS_OF_CHOICES = {"lfd.propagate": 2}
FAMILIES = ("gpp", "gw", "lfd", "qmc", "dfpt", "ceilings")


def environment(given, limits, log):
    # Plugins ask for libamdhip64 of the version that they were compiled with.
    for version in range(4, 10):
        name = given.scratch / f"libamdhip64.so.{version}"
        if not name.is_symlink():
            name.symlink_to(given.runtime)
    changed = dict(os.environ, LD_PRELOAD=str(given.runtime), LD_LIBRARY_PATH=str(given.scratch), SUITE_PRETENDED_GPU=str(limits), SUITE_PRETENDED_LOG=str(log),
                   SUITE_PLUGIN_PATH=str(given.plugins), OMP_WAIT_POLICY="passive")
    if given.forgetful:
        changed["SUITE_PRETENDED_FORGETFUL"] = "1"
    return changed


def codes_of(given):
    """{symbol of the plugin for HIP: (AMD's Code, NVIDIA's or None)}"""
    codes = {}
    told = set()
    for family in FAMILIES:
        plugin = given.plugins / f"suite_{family}_hip.so"
        if not plugin.exists():
            continue
        amd = gpu_code.amd(plugin)
        first = amd[0].target if amd else ""
        for_cuda = given.plugins / f"suite_{family}_cuda.so"
        nvidia = (gpu_code.nvidia(for_cuda) or []) if for_cuda.exists() else []
        by_name = {code.name: code for code in nvidia}
        told |= {bool(nvidia)}
        for code in amd:
            if code.target == first:
                codes[code.symbol] = (code, by_name.get(code.name))
    return codes, told == {True}


def write_limits(path, device, codes):
    lines = [f"limit {key} {value}" for key, value in device.items() if isinstance(value, int)]
    is_amd = device["target"].startswith("gfx")
    for symbol, (amd, nvidia) in codes.items():
        shared = amd.shared_bytes if is_amd or not nvidia else nvidia.shared_bytes
        registers = amd.registers if is_amd else nvidia.registers if nvidia else 0
        lines.append(f"kernel {symbol} {shared} {registers} {amd.most_threads}")
    path.write_text("\n".join(lines) + "\n")


def sizes_of(given, kernel, limits, log):
    said = subprocess.run([given.plan, kernel, "?", limits], capture_output=True, text=True, env=environment(given, limits, log)).stdout
    known = re.search(r"\(known: (.*)\)", said)
    if not known:
        sys.exit(f"the sizes of {kernel} are not known: {said}")
    return [size for size in known[1].split(", ") if "=" not in size]  # "n=<1 to 1e15>" describes sizes without a name


def kernels_of(given):
    """The kernels that the plugins for HIP have."""
    said = json.loads(subprocess.run([given.suite, "list", "--json"], capture_output=True, text=True, check=True,
                                     env=dict(os.environ, SUITE_PLUGIN_PATH=str(given.plugins))).stdout)
    return sorted({kernel for plugin in said["plugins"] if plugin["implementation"] == "hip" for kernel in plugin["kernels"]})


def steps(given, kernels, limits, log):
    """A step of kernels that make many is one launch of a graph: what three more steps add."""
    failures, cases = [], 0
    for kernel in kernels:
        for size in sizes_of(given, kernel, limits, log):
            if given.sizes and size not in given.sizes.split(","):
                continue
            counts = []
            for nsteps in (6, 9):
                done = subprocess.run([given.plan, kernel, f"{size},nsteps={nsteps},field_steps=4", limits], capture_output=True, text=True,
                                      env=environment(given, limits, log))
                counts.append({found[1]: (int(found[2]), int(found[3]))
                               for found in re.finditer(r"planned (.*) waits \d+ launches (\d+) graphs (\d+)", done.stdout)})
            for what in counts[0]:
                if what.startswith("variant=") and what != "variant=best":
                    continue
                cases += 1
                launches, graphs = (counts[1].get(what, (-1, -1))[i] - counts[0][what][i] for i in range(2))
                if (launches, graphs) != (0, 3):
                    failures.append(f"{kernel} {size}: {what}: three more steps take {launches} launches of kernels and {graphs} of graphs; "
                                    "they should take 3 graphs")
    print("\n".join(["FAILED " + line for line in failures] + [f"{cases} calls, {len(failures)} failures"]))
    return 1 if failures or not cases else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("plan", "runtime", "plugins", "scratch"):
        arguments.add_argument("--" + name, required=True, type=pathlib.Path)
    arguments.add_argument("--suite", type=pathlib.Path)
    arguments.add_argument("--kernels", default="")
    arguments.add_argument("--devices", default="")
    arguments.add_argument("--sizes", default="")
    arguments.add_argument("--without", default="", help="sizes to leave out")
    arguments.add_argument("--forgetful", action="store_true", help="the host does not see static shared memory: must fail")
    arguments.add_argument("--steps", action="store_true", help="only count the launches of a step")
    given = arguments.parse_args()
    devices = json.loads((ROOT / "tools/gpu_devices.json").read_text())["devices"]
    wanted = [name for name in given.devices.split(",") if name] or list(devices)
    codes, both = codes_of(given)
    given.scratch.mkdir(parents=True, exist_ok=True)
    kernels = [name for name in given.kernels.split(",") if name] or kernels_of(given)
    if not kernels or not codes:
        sys.exit("there are no kernels to plan")
    wanted.sort(key=lambda name: -devices[name]["memory"])
    files = []
    for name in wanted:
        files.append(given.scratch / f"{name}.limits")
        write_limits(files[-1], devices[name], codes)
    if given.steps:
        return steps(given, kernels, files[0], given.scratch / "launches.log")
    failures, waiting, too_large, cases, used = [], {}, [], 0, set()
    log = given.scratch / "launches.log"
    for kernel in kernels:
        for size in sizes_of(given, kernel, files[0], log):
            if given.sizes and size not in given.sizes.split(",") or size in given.without.split(","):
                continue
            done = subprocess.run([given.plan, kernel, size + FEWER_STEPS.get(kernel, ""), *files], capture_output=True, text=True, env=environment(given, files[0], log))
            device = wanted[0]
            for line in done.stdout.splitlines():
                where = f"{device} {kernel} {size}: "
                if line.startswith("device "):
                    device = pathlib.Path(line[7:]).stem
                elif line.startswith("failed "):
                    failures.append(where + line[7:])
                elif line.startswith("too_large "):
                    too_large.append(where + line[10:])
                elif waits := re.match(r"planned (.*) waits (\d+) ", line):
                    cases += 1
                    if int(waits[2]):
                        counts = waiting.setdefault(kernel, {})
                        counts[waits[1]] = max(counts.get(waits[1], 0), int(waits[2]))
                    most = 0 if waits[1] == "default" else WAITS_OF_CHOICES.get(kernel, 0)
                    if int(waits[2]) > most:
                        failures.append(f"{where}{waits[1]}: waits {waits[2]} times within execute() of a repeated call; at most {most} are known")
            if done.returncode not in (0, 1):
                failures.append(f"{device} {kernel} {size}: ended with {done.returncode}: {done.stderr[-300:]}")
            used |= {line.split(" ", 1)[0] for line in log.read_text().splitlines()} if log.exists() else set()
    for line in failures:
        print("FAILED", line)
    for line in too_large:
        print("too large:", line)
    for kernel, counts in sorted(waiting.items()):
        print(f"{kernel} waits within execute() of a repeated call:", ", ".join(f"{what} {count}" for what, count in counts.items()))
    print(f"{cases} calls, {len(used)} of {len(codes)} kernels launched, on {', '.join(wanted)}: {len(failures)} failures"
          + ("" if both else "; registers of NVIDIA's compiler are not known here (no cuobjdump, or no plugins for CUDA)"))
    return 1 if failures else 0


sys.exit(main())
