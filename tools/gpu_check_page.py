#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what tools/gpu-check found as one JSON and one Markdown page. Invents nothing: what is not there is said so."""
import argparse
import csv
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys


def said(*command):
    """The first line of a command's output, or ''."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines[0].strip() if done.returncode == 0 and lines else ""


def version_of(command, pattern):
    try:
        text = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(pattern, text)
    return match.group(1) if match else ""


def machine():
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "compiler": said("c++", "--version"),
        "cmake": version_of("cmake", r"version (\S+)"),
        "nvcc": version_of("nvcc", r"release (\S+),"),
        "nvidia_smi": said("nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,power.limit", "--format=csv,noheader"),
        "commit": said("git", "describe", "--always", "--dirty"),
    }


def device_of(suite, backend):
    """What `suite list` says of the device that was checked."""
    if not suite:
        return {"name": backend, "device": "", "problem": "the program was not built"}
    done = subprocess.run([suite, "list", "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return {"name": backend, "device": "", "problem": done.stderr.strip()}
    name, _, part = backend.partition(":")
    rows = [b for b in json.loads(done.stdout)["backends"] if b["name"].split(":")[0] == name]
    for row in rows:
        if part and not (row["name"].endswith(":" + part) or part.lower() in row["device"].lower()) and len(rows) > 1:
            continue
        return {key: row[key] for key in ("name", "device", "memory_B", "problem")}
    return {"name": backend, "device": "", "problem": "no such backend in this build"}


def end_of(file, lines=40):
    """The last lines of a log: what it takes to see why a step failed on a machine that is gone by then."""
    try:
        return "\n".join(line[:300] for line in file.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""


def sanitizer_summaries(found):
    """What compute-sanitizer said last of each kernel, by tool."""
    rows = []
    for file in sorted(found.glob("sanitizer-*.log")):
        tool, kernel = file.stem[len("sanitizer-"):].split("-", 1)
        said = [line.lstrip("= ").strip() for line in file.read_text(errors="replace").splitlines() if "SUMMARY" in line]
        rows.append({"tool": tool, "kernel": kernel, "said": said[-1] if said else "no summary"})
    return rows


def states(found, steps):
    rows = []
    for step in steps:
        file = found / (step + ".state")
        if file.exists():
            state, seconds = file.read_text().rsplit("\n", 2)[:2]
            rows.append({"step": step, "state": state, "seconds": int(seconds)})
            if state.startswith(("failed", "stopped")):
                rows[-1]["end_of_log"] = end_of(found / (step + ".log"))
        else:
            rows.append({"step": step, "state": "not tried", "seconds": 0})
    return rows


def read(file):
    """A JSON file that a step left, or nothing where the step ended before it was complete."""
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError):
        return None


def profile(file):
    """The longest launch of each kernel in ncu's table: flops with FMA = 2, bytes of device memory, seconds."""
    if not file.exists():
        return []
    lines = file.read_text(errors="replace").splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    table = list(csv.DictReader(lines[start:]))
    units = table[0] if table else {}

    def number(row, key):
        scale = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6,
                 "msecond": 1e-3, "ms": 1e-3, "second": 1, "s": 1, "inst": 1, "": 1}
        return float(row[key].replace(",", "")) * scale.get(units.get(key, ""), 1)

    longest = {}
    for row in table[1:]:
        try:
            op = lambda name: number(row, f"sm__sass_thread_inst_executed_op_{name}_pred_on.sum")
            found = {"kernel": row["Kernel Name"], "seconds": number(row, "gpu__time_duration.sum"), "bytes": number(row, "dram__bytes.sum"),
                     "flops": op("dadd") + op("dmul") + 2 * op("dfma")}
        except (KeyError, ValueError):
            continue
        if found["seconds"] > longest.get(found["kernel"], found)["seconds"] or found["kernel"] not in longest:
            longest[found["kernel"]] = found
    return sorted(longest.values(), key=lambda row: -row["seconds"])


def seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 0.9995:
            return f"{value * scale:.3g} {unit}"
    return f"{value * 1e9:.0f} ns"


def rate(merit):
    """The figure of merit: 19.2 G terms/s."""
    if not merit or not merit["per_s"] > 0:
        return "-"
    value, letters = merit["per_s"], ["", " k", " M", " G", " T", " P"]
    while value >= 999.5 and len(letters) > 1:
        value, letters = value / 1000, letters[1:]
    return f"{value:.3g}{letters[0]} {merit['unit']}/s"


def percent(fraction):
    return "-" if fraction is None else f"{100 * fraction:.0f} %"


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
    return lines + [""]


def bench_rows(benches):
    for result in benches:
        if "error" in result:
            yield [result["kernel"], result["size"], "-", "-", "-", "-", "-", result["error"]]
            continue
        for block in result["blocks"]:
            for row in block["contenders"]:
                label = row["implementation"] + (" " + row["variant"] if row.get("variant") else "")
                verdict = row["verification"]["status"] + ("" if block["verified_at"] == block["size"] else f" at {block['verified_at']}")
                if "median_s" not in row:
                    yield [block["kernel"], block["size"], label, "-", "-", "-", "-", f"{verdict}: {row['verification']['detail']}"]
                    continue
                yield [block["kernel"], block["size"], label, seconds(row["median_s"]), f"{row['flop_per_s'] * 1e-9:.1f}", percent(row.get("fma_fraction")),
                       rate(row["merit"]), verdict]


def ladder_rows(block):
    for step in block["steps"]:
        published = "; ".join(p["text"] for p in step["published"]) or "-"
        if "median_s" not in step:
            yield [step["step"], step["sentence"], "-", "-", "-", "-", published, step["expected"] or "-", "FAILED: " + step["verification"]["detail"]]
            continue
        here = step.get("verdict", "-") + (f", {step['met']}" if step["met"] in ("met", "not met") else "")
        ratio = f"{step['ratio']['median']:.2f} to {step['after']}" if "ratio" in step else "-"
        yield [step["step"], step["sentence"], seconds(step["median_s"]), ratio, f"{step['flop_per_s'] * 1e-9:.1f}", percent(step.get("fma_fraction")), published,
               step["expected"] or "-", here]


def markdown(report):
    m, device = report["machine"], report["device"]
    title = f"{device['name']}: {device['device'] or device['problem']}"
    lines = [f"# gpu-check on {title}", ""]
    if report["dry_run"]:
        lines += ["**A dry run of tools/gpu-check on tiny sizes: it shows that the check works. Its numbers say nothing about any device.**", ""]
    lines += [f"Commit {m['commit'] or 'unknown'}, {report['date']}. Written by `tools/gpu-check --backend {report['backend']}`.", "", "## Machine", ""]
    lines += table(["what", "is"], [["device", device["device"] or "-"], ["device memory", f"{device.get('memory_B', 0) / 2**30:.1f} GiB"],
                                    ["nvidia-smi", m["nvidia_smi"] or "not there"], ["CPU", f"{m['cpu']}, {m['cores']} cores"], ["system", m["system"]],
                                    ["compilers", ", ".join(x for x in (m["compiler"], m["nvcc"] and f"nvcc {m['nvcc']}") if x)]])
    lines += ["## Steps", ""] + table(["step", "result", "time"], [[s["step"], s["state"], f"{s['seconds']} s"] for s in report["steps"]])
    for step in report["steps"]:
        if step.get("end_of_log"):
            lines += [f"The end of the log of {step['step']}:", "", "```", *step["end_of_log"].splitlines(), "```", ""]
    if report["sanitizer"]:
        lines += ["## compute-sanitizer", ""] + table(["tool", "kernel", "said"], [[r["tool"], r["kernel"], r["said"]] for r in report["sanitizer"]])
    lines += ["## Benchmarks", ""]
    rows = list(bench_rows(report["bench"]))
    lines += table(["kernel", "size", "implementation", "time", "GFLOP/s", "of the FMA ceiling", "figure of merit", "verified"], rows) if rows else ["None was run.", ""]
    lines += ["## Ladder", ""]
    for block in (report["ladder"] or {}).get("blocks", []):
        ceiling = f", FMA ceiling {block['fma_flop_per_s'] * 1e-9:.1f} GFLOP/s" if block["fma_flop_per_s"] > 0 else ", no FMA ceiling was measured on this backend"
        lines += [f"{block['kernel']} on {block['implementation']}, size {block['size']}{ceiling}.", ""]
        lines += table(["step", "what changes", "time", "ratio", "GFLOP/s", "FMA", "published", "expected", "here"], ladder_rows(block))
    if not (report["ladder"] or {}).get("blocks"):
        lines += ["None was run.", ""]
    lines += ["## Profile", ""]
    if report["ncu"]:
        lines += table(["kernel", "time", "GFLOP/s", "GB/s", "flop/byte"],
                       [[r["kernel"][:80], seconds(r["seconds"]), f"{r['flops'] / r['seconds'] * 1e-9:.0f}", f"{r['bytes'] / r['seconds'] * 1e-9:.0f}",
                         f"{r['flops'] / r['bytes']:.1f}" if r["bytes"] else "-"] for r in report["ncu"]])
    else:
        lines += ["None: " + next(s["state"] for s in report["steps"] if s["step"] == "ncu") + ".", ""]
    lines += ["## Registers, spills, shared memory", ""]
    lines += ["```", *report["resources"].splitlines(), "```", ""] if report["resources"] else ["Not reported.", ""]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--found", type=pathlib.Path, required=True)
    arguments.add_argument("--output", type=pathlib.Path, required=True)
    arguments.add_argument("--backend", required=True)
    arguments.add_argument("--steps", required=True)
    arguments.add_argument("--suite")
    arguments.add_argument("--dry-run", action="store_true")
    a = arguments.parse_args()
    now = datetime.datetime.now(datetime.timezone.utc)
    benches = []
    for file in sorted(a.found.glob("bench-*.json")):
        result = read(file)
        kernel, size = file.stem[len("bench-"):].rsplit("-", 1)
        if result is None:
            benches.append({"kernel": kernel, "size": size, "error": "the benchmark left no result"})
        elif result.get("status") == "error":
            benches.append({"kernel": kernel, "size": size, "error": result["error"]["message"]})
        else:
            benches.append(result)
    resources = a.found / "gpu-resources.txt"
    report = {
        "schema": "suite-gpu-check-1", "date": now.strftime("%Y-%m-%dT%H:%M:%SZ"), "dry_run": a.dry_run, "backend": a.backend,
        "device": device_of(a.suite, a.backend), "machine": machine(), "steps": states(a.found, a.steps.split()),
        "sanitizer": sanitizer_summaries(a.found), "bench": benches,
        "ladder": read(a.found / "ladder.json"), "ncu": profile(a.found / "ncu.csv"), "resources": resources.read_text() if resources.exists() else "",
    }
    slug = re.sub(r"[^a-z0-9]+", "-", (report["device"]["device"] or a.backend).split(",")[0].lower()).strip("-")
    a.output.mkdir(parents=True, exist_ok=True)
    stem = a.output / f"gpu-check-{slug}-{now:%Y-%m-%d}"
    stem.with_name(stem.name + ".json").write_text(json.dumps(report, indent=1) + "\n")
    stem.with_name(stem.name + ".md").write_text(markdown(report))
    print(f"written: {stem}.json and {stem}.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
