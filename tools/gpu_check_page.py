# SPDX-License-Identifier: BSD-3-Clause
"""The page of tools/gpu-check: what its tasks found, as one JSON and one Markdown file. Invents nothing: what is not there is said so."""
import json
import os
import platform
import re
import shutil
import subprocess
import time

WARNING = "**A dry run of tools/gpu-check on tiny sizes: it shows that the check works. Its numbers say nothing about any device.**"


def first_line(*command, env=None):
    """The first line of a command's output, or ''."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines[0].strip() if done.returncode == 0 and lines else ""


def version_of(command, pattern, env):
    try:
        text = subprocess.run([command, "--version"], capture_output=True, text=True, timeout=60, env=env).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    match = re.search(pattern, text)
    return match.group(1) if match else ""


def machine(env):
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
    return {
        "cpu": cpu,
        "cores": len(os.sched_getaffinity(0)),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "compiler": first_line("c++", "--version", env=env),
        "cmake": version_of("cmake", r"version (\S+)", env),
        "nvcc": version_of("nvcc", r"release (\S+),", env),
        "nvidia_smi": first_line("nvidia-smi", "--query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem,power.limit",
                                 "--format=csv,noheader", env=env),
        "commit": first_line("git", "describe", "--always", "--dirty", env=env),
    }


def device_of(suite, backend, env):
    """What `suite list` says of the device that is checked."""
    nothing = {"name": backend, "device": "", "memory_B": 0}
    if not os.access(suite, os.X_OK):
        return dict(nothing, problem="the program suite is not in this build")
    done = subprocess.run([suite, "list", "--json"], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        return dict(nothing, problem=done.stderr.strip()[:200])
    name, _, part = backend.partition(":")
    rows = [row for row in json.loads(done.stdout)["backends"] if row["name"].split(":")[0] == name]
    for row in rows:
        if part and not (row["name"].endswith(":" + part) or part.lower() in row["device"].lower()) and len(rows) > 1:
            continue
        return {key: row[key] for key in ("name", "device", "memory_B", "problem")}
    return dict(nothing, problem="no such backend in this build")


def absent_here(build, name, env):
    """What the machine or the build lacks: tools, and features that cmake did not find."""
    tools = {"cuda": ("nvcc", "nvidia-smi", "compute-sanitizer", "ncu", "cuobjdump", "nvdisasm")}.get(name, ())
    rows = [(tool, "not on this machine") for tool in tools if not shutil.which(tool, path=env["PATH"])]
    features = build / "features.txt"
    for line in features.read_text().splitlines() if features.exists() else []:
        feature, _, state = line.partition(": ")
        if re.match(r"(?:no\b|not |off\b|headers|.*not found)", state):
            rows.append((feature, state))
    vendors = os.path.join(env.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"))
    if not os.path.isdir(vendors) or not [file for file in os.listdir(vendors) if file.endswith(".icd")]:
        rows.append(("OpenCL platform", f"no driver is named in {vendors}"))
    return rows


def seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if value * scale >= 0.9995:
            return f"{value * scale:.4g} {unit}"
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
    rows = list(rows)
    if not rows:
        return ["None.", ""]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    return lines + [""]


def step_rows(store, steps):
    for step in steps:
        plan, tasks = store.plans.get(step), store.of(step)
        if plan is None:
            yield [step, "not tried", "", ""]
            continue
        states = [record["state"] if record else "to do" for _, record in tasks]
        counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
        reason = f"left out: {plan['absent']}" if plan["absent"] else plan["left"]
        yield [step, counts or "-", reason, f"{plan['seconds']:.0f} s"]


def measured(row):
    verdict = row["verification"]["status"] + ("" if row["verified_at"] == row["size"] else f" at {row['verified_at']}")
    return [row["implementation"] + (" " + row["variant"] if row["variant"] else ""), seconds(row["median_s"]), f"{row['flop_per_s'] * 1e-9:.1f}",
            percent(row.get("fma_fraction")), rate(row.get("merit")), verdict]


def predictions(store, figures):
    """Seconds on an H200, by the name of a figure, where the model of the compiled code was made."""
    seconds_of = {}
    for _, record in store.of("code"):
        found = (record or {}).get("found") or {}
        for row in found.get("loops", []):
            if "seconds" in row["devices"].get("H200", {}):
                seconds_of[row["kernel"], row["size"]] = row["devices"]["H200"]["seconds"]
        for row in found.get("totals", []):
            seconds_of[row["kernel"], row["size"]] = row["seconds"]["H200"]
    return {f"{figure['kernel']} {figure['size']}": seconds_of[figure["model"], figure["size"]]
            for figure in figures if (figure.get("model"), figure["size"]) in seconds_of}


def figure_rows(store, figures):
    predicted = predictions(store, figures)
    for key, record in store.of("figures"):
        found = (record or {}).get("found")
        if not found:
            continue
        goal = "-" if not found["goal_s"] else seconds(found["goal_s"])
        model = seconds(predicted[key]) if key in predicted else "-"
        if not found["rows"]:
            yield [key, "-", seconds(found["median_s"]), goal, "-", model, "-", "-", found.get("rate", "-"), "-"]
        for row in found["rows"]:
            met = "-" if goal == "-" else "met" if row["median_s"] <= found["goal_s"] else "not met"
            cells = measured(row)
            yield [key, cells[0], cells[1], goal, met, model, *cells[2:]]


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


def stalls(row):
    return ", ".join(f"{name.replace('_', ' ')} {value:.2f}" for name, value in row["stalls"].items()) or "-"


def done(store, step):
    return [(key, record["found"]) for key, record in store.of(step) if record and record.get("found")]


def markdown(report, store, steps, figures):
    m, device = report["machine"], report["device"]
    title = f"{device['name']}: {device['device'] or device['problem']}"
    lines = [f"# gpu-check on {title}", ""]
    if report["dry_run"]:
        lines += [WARNING, ""]
    lines += [f"Commit {m['commit'] or 'unknown'}, sources {store.identity['sources'][:12]}, begun {store.begun}, last changed {report['date']}. "
              f"Written by `tools/gpu-check --backend {report['backend']}`.", ""]
    if store.discarded:
        lines += [store.discarded + ".", ""]
    lines += ["## Machine", ""]
    lines += table(["what", "is"], [["device", device["device"] or device["problem"]], ["device memory", f"{device['memory_B'] / 2**30:.1f} GiB"],
                                    ["nvidia-smi", m["nvidia_smi"] or "not there"], ["CPU", f"{m['cpu']}, {m['cores']} cores"], ["system", m["system"]],
                                    ["compilers", ", ".join(x for x in (m["compiler"], m["nvcc"] and f"nvcc {m['nvcc']}") if x)]])
    lines += ["## Absent here", ""] + table(["what", "state"], report["absent"])
    lines += ["## Steps", "", "Stopped: a task took longer than it may. Cut, to do: left for another call.", ""]
    lines += table(["step", "tasks", "reason", "time"], step_rows(store, steps))
    bad = [(step, key, record) for step in steps for key, record in store.of(step) if record and record["state"] != "ok"]
    lines += ["## What failed, was stopped or left out", ""] + table(["step", "task", "state", "why"], ([s, k, r["state"], r["why"]] for s, k, r in bad))
    for step, key, record in bad:
        if record["state"] == "failed" and record.get("end_of_log"):
            lines += [f"The end of the log of {step}, {key}:", "", "```", *record["end_of_log"].splitlines(), "```", ""]
    lines += ["## Figures", "", "The goals are for an H200. Predicted: the hot loop alone, on an H200, by `tools/gpu-model` from the code compiled here.", ""]
    lines += table(["figure", "implementation", "time", "goal", "goal is", "predicted", "GFLOP/s", "of the FMA ceiling", "rate", "verified"], figure_rows(store, figures))
    lines += ["## Launches", "", "Each kernel once at each named size; all results were finite. Whether they are right: agreement.", ""]
    by_kernel = {}
    for key, found in done(store, "launches"):
        kernel, size = key.split(" ", 1)
        by_kernel.setdefault(kernel, []).append(f"{size} {'too large: ' + found['too_large'] if 'too_large' in found else seconds(found['seconds'])}")
    lines += table(["kernel", "sizes"], ([kernel, ", ".join(sizes)] for kernel, sizes in by_kernel.items()))
    for step, what in (("agreement", "The kernels against `reference`, over all sizes for tests and all choices."),
                       ("hip", "The HIP source, compiled for NVIDIA by nvcc, in the same way."), ("opencl", "The OpenCL source on this GPU, in the same way.")):
        lines += [f"## {step.capitalize() if step == 'agreement' else {'hip': 'HIP', 'opencl': 'OpenCL'}[step]}", "", what, ""]
        lines += table(["kernel", "cases", "arrays compared"], ([key, found["cases"], found["arrays"]] for key, found in done(store, step) if "cases" in found))
    lines += ["## compute-sanitizer", ""] + table(["tool and kernel", "said"], ([key, found["said"]] for key, found in done(store, "sanitizer")))
    lines += ["## Profile", "", "The longest launch of each device function. Warps: of what a multiprocessor can hold. Stalls: warps that wait for this, per issued "
              "instruction.", ""]
    lines += table(["kernel", "device function", "time", "GFLOP/s", "GB/s", "SM", "memory", "warps", "registers", "stalls"], (
        [key, row["kernel"][:60], seconds(row["seconds"]), f"{row['flops'] / row['seconds'] * 1e-9:.0f}", f"{row['bytes'] / row['seconds'] * 1e-9:.0f}",
         *("-" if row[part] is None else f"{row[part]:.0f} %" for part in ("sm_percent", "memory_percent", "warps_percent")),
         "-" if row["registers"] is None else f"{row['registers']:.0f}", stalls(row)] for key, found in done(store, "profile") for row in found["rows"]))
    lines += ["## Ladders", ""]
    for _, found in done(store, "ladder"):
        for block in found["blocks"]:
            ceiling = f", FMA ceiling {block['fma_flop_per_s'] * 1e-9:.1f} GFLOP/s" if block["fma_flop_per_s"] > 0 else ", no FMA ceiling was measured on this backend"
            lines += [f"{block['kernel']} on {block['implementation']}, size {block['size']}{ceiling}.", ""]
            lines += table(["step", "what changes", "time", "ratio", "GFLOP/s", "FMA", "published", "expected", "here"], ladder_rows(block))
    lines += ["## Other benchmarks", ""]
    lines += table(["kernel and size", "implementation", "time", "GFLOP/s", "of the FMA ceiling", "figure of merit", "verified"],
                   ([key, *measured(row)] for key, found in done(store, "benchmarks") for row in found["rows"]))
    lines += ["## Other tests", ""]
    lines += table(["folder", "tests", "skipped"], ([key, found["tests"], found["skipped"]] for key, found in done(store, "tests") if "tests" in found))
    lines += ["## Registers, spills, shared memory", ""]
    resources = [found["text"] for _, found in done(store, "code") if "text" in found]
    lines += ["```", *resources[0].splitlines(), "```", ""] if resources else ["Not reported.", ""]
    return "\n".join(lines)


class Page:
    """Written again after every task, so that it is complete whenever the check ends."""

    def __init__(self, check, store, steps):
        self.check, self.store, self.steps = check, store, steps
        self.machine = machine(check.environment)
        self.device, self.asked, self.written = None, None, ()

    def files(self):
        # The program is asked once it is there, and again when it is another.
        suite = self.check.suite
        built = suite.stat().st_mtime if suite.exists() else 0
        if self.asked != built:
            self.device, self.asked = device_of(suite, self.check.backend, self.check.environment), built
        slug = re.sub(r"[^a-z0-9]+", "-", (self.device["device"] or self.machine["nvidia_smi"] or self.check.backend).split(",")[0].lower()).strip("-")
        stem = self.check.given.output / f"gpu-check-{slug}-{self.store.begun[:10]}"
        return stem.with_name(stem.name + ".json"), stem.with_name(stem.name + ".md")

    def write(self):
        page, text = self.files()
        page.parent.mkdir(parents=True, exist_ok=True)
        report = {"schema": "suite-gpu-check-2", "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "dry_run": self.check.dry, "backend": self.check.backend,
                  "device": self.device, "machine": self.machine, "absent": absent_here(self.check.build, self.check.name, self.check.environment),
                  **self.store.content()}
        for file, content in ((page, json.dumps(report, indent=1) + "\n"), (text, markdown(report, self.store, self.steps, self.check.figures["figures"]) + "\n")):
            temporary = file.with_name(file.name + ".new")
            temporary.write_text(content)
            temporary.replace(file)
        for file in self.written:  # under the name of before the device was known
            if file not in (page, text):
                file.unlink(missing_ok=True)
        self.written = (page, text)
        return page, text
