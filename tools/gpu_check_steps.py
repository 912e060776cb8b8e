# SPDX-License-Identifier: BSD-3-Clause
"""The steps of tools/gpu-check: what each looks at, in tasks of one kernel or one figure. A step is a function that returns its tasks, or
raises Absent where this machine or build lacks what the step needs."""
import json
import os
import pathlib
import re
import shutil
import time

import gpu_check_ncu
from gpu_check_tasks import Absent, Failed, OutOfTime, Runner, Task, end_of, last_line

ROOT = pathlib.Path(__file__).resolve().parents[1]
NVIDIA = ("cuda",)
# A tool of NVIDIA's that cannot look at this machine's GPU at all says nothing about our kernels.
CANNOT_LOOK = re.compile(r".*(?:Device not supported|ERR_NVGPUCTRPERM|LibraryNotLoaded|is not supported on (?:this|the)|insufficient permissions|No supported GPU).*")


class Check:
    """What is checked, and where its parts lie."""

    def __init__(self, given, environment):
        self.given, self.environment = given, environment
        self.backend, self.name = given.backend, given.backend.split(":")[0]
        self.build, self.dry = given.build, given.dry_run
        self.folder = self.build / "gpu-check"
        self.suite, self.launcher, self.tests = (self.build / "bin" / name for name in ("suite", "launch_kernels", "test_plugins"))
        self.figures = json.loads((ROOT / "tools/gpu_figures.json").read_text())
        self._kernels, self._starts = {}, {}

    def need(self, program, why):
        if not os.access(program, os.X_OK):
            raise Absent(f"{program.name} is not in this build: {why}")
        if program not in self._starts:
            self._starts[program] = self.quick([program, "--help"])
        status, said = self._starts[program]
        if status == 127:  # the loader's, where a library is missing
            raise Absent(f"{program.name} cannot be started: {last_line(said)}")

    def quick(self, words):
        try:
            return Runner(self.folder / "quick.log", time.monotonic() + 60).run(words, env=self.environment, fails=False)
        except OutOfTime:
            raise Failed(f"{words[0].name} {words[1]} did not end within 60 s") from None

    def need_suite(self):
        self.need(self.suite, "it needs fmt, yaml-cpp and nlohmann-json, which may come with --prefix")

    def need_launcher(self):
        self.need(self.launcher, "it was not compiled")

    def need_tests(self):
        self.need(self.tests, "it needs Boost.Test, which may come with --prefix")

    def kernels(self, name=None, ceilings=False):
        """{kernel: its named sizes} of an implementation."""
        name = name or self.name
        if name not in self._kernels:
            self.need_launcher()
            _, said = self.quick([self.launcher, "--list", name])
            rows = [line.split() for line in said.splitlines() if re.match(r"[a-z0-9_]+\.", line)]
            self._kernels[name] = {row[0]: row[1:] for row in rows}
        found = {kernel: sizes for kernel, sizes in self._kernels[name].items()
                 if (ceilings or not kernel.startswith("ceilings.")) and (not self.given.kernels or kernel in self.given.kernels)}
        if not found:
            raise Absent(f"no kernel of this build runs on backend {name}" + (", of those asked for" if self.given.kernels else ""))
        return found

    def tool(self, name):
        if self.name not in NVIDIA:
            raise Absent(f"{name} looks at NVIDIA's GPUs; the backend is {self.name}")
        if not shutil.which(name, path=self.environment["PATH"]):
            raise Absent(f"{name} is not on this machine")
        return name

    def targets(self, runner):
        _, said = runner.run(["cmake", "--build", self.build, "--target", "help"], env=self.environment)
        return set(re.findall(r"^(?:\.\.\. )?([\w.+-]+)(?::|$)", said, re.MULTILINE))

    def compile(self, runner, targets):
        """As much as compiles: one error does not keep the others from being built."""
        more = ["-k", "0"] if (self.build / "build.ninja").exists() else ["-k"]
        words = ["cmake", "--build", self.build, "--parallel", self.given.jobs] + (["--target", *targets] if targets else [])
        status, said = runner.run([*words, "--", *more], env=self.environment, fails=False)
        if status != 0:
            errors = [line for line in said.splitlines() if re.search(r"FAILED:|error:|fatal", line)]
            raise Failed(f"exit status {status}: {(errors or said.splitlines() or ['no output'])[0][:300]}")


def build(check):
    if check.dry:
        raise Absent("dry run: the build is there")

    def configure(runner):
        words = ["cmake", "-S", ROOT, "-B", check.build, "-DCMAKE_BUILD_TYPE=Release", "-DSUITE_WITH_MPI=OFF", "-DSUITE_WITH_FORTRAN=OFF", "-DSUITE_WERROR=OFF"]
        if not (check.build / "CMakeCache.txt").exists() and shutil.which("ninja"):
            words += ["-G", "Ninja"]
        if check.given.prefix and check.given.multiarch:
            words.append(f"-DCMAKE_LIBRARY_ARCHITECTURE={check.given.multiarch}")
        words += [f"-DSUITE_WITH_{x.upper()}={'ON' if x == check.name else 'OFF'}" for x in ("cuda", "hip", "emulated")]
        if check.name == "cuda":  # code for this GPU only
            _, said = runner.run(["sh", "-c", "nvidia-smi --query-gpu=compute_cap --format=csv,noheader || true"], env=check.environment)
            capabilities = sorted(set(re.findall(r"^(\d+)\.(\d+)$", said, re.MULTILINE)))
            if capabilities:
                words.append("-DCMAKE_CUDA_ARCHITECTURES=" + ";".join(f"{a}{b}" for a, b in capabilities))
        runner.run([*words, *check.given.cmake], env=check.environment)

    def program_and_plugins(runner):
        wanted = rf"suite_program|launch_kernels|test_plugins|suite_(backend|gpp|gw|lfd|qmc|dfpt|ceilings)_({check.name}|reference|cpu(\..*)?)"
        check.compile(runner, sorted(target for target in check.targets(runner) if re.fullmatch(wanted, target)))

    def opencl(runner):
        targets = sorted(target for target in check.targets(runner) if re.fullmatch(r"suite_\w+_opencl", target))
        if not targets:
            raise Absent("the plugins for OpenCL are not in this build: its headers and loader were not found")
        check.compile(runner, targets)

    return [Task("configure", configure, 240), Task("program and plugins", program_and_plugins, 480), Task("plugins for OpenCL", opencl, 240)]


def launches(check):
    """One launch of every kernel at every named size, smaller sizes of all kernels first."""
    kernels = check.kernels(ceilings=True)
    if check.dry:
        cases = [(kernel, "test:1") for kernel in kernels if not kernel.startswith("ceilings.")]
    else:
        wanted = check.given.sizes
        cases = [(i, kernel, size) for kernel, sizes in kernels.items() for i, size in enumerate(sizes) if not wanted or size in wanted]
        last = ("headline", "rbd")  # minutes go into their arguments
        cases = [case[1:] for case in sorted(cases, key=lambda case: (case[2] in last, case[0]))]

    def task(kernel, size):
        def work(runner):
            status, said = runner.run([check.launcher, check.backend, kernel, size], env=check.environment, fails=False)
            lines = [line for line in said.splitlines() if line.startswith(("ran ", "too_large ", "failed "))]
            if status != 0 or not lines:
                raise Failed((lines or [f"exit status {status}: " + (said.splitlines() or ["it printed nothing"])[-1]])[0][:300])
            return {"seconds": float(lines[0].split()[-3])} if lines[0].startswith("ran ") else {"too_large": lines[0].split(": ", 1)[-1]}
        return Task(f"{kernel} {size}", work, 150)

    return [task(*case) for case in cases]


def agreement_task(check, kernel, plugin, environment=None, key=None):
    """All that test_plugins has on a kernel of one plugin."""
    def work(runner):
        if check.dry:
            wanted = f"*{plugin} {kernel} agrees"
        else:
            wanted = f"*{plugin} {kernel} *"
        status, said = runner.run([check.tests, f"--run_test={wanted}", "--color_output=no"], env={**check.environment, **(environment or {})}, fails=False)
        compared = [int(n) for n in re.findall(r"(\d+) arrays compared", said)]
        skipped = re.findall(r"SKIPPED .* in .*?: (.*)", said)
        if not compared and skipped:
            raise Absent(skipped[0][:300])
        if status != 0:
            wrong = re.findall(r"error: in [^:]*: (.*)", said) or re.findall(r".*error.*", said)
            raise Failed(f"exit status {status}: {(wrong or ['no reason given'])[0][:300]}")
        if not compared:
            raise Failed("nothing was compared")
        return {"cases": int((re.findall(r"Running (\d+) test case", said) or [0])[0]), "arrays": sum(compared)}
    return Task(key or kernel, work, 240)


def agreement(check):
    check.need_tests()
    return [agreement_task(check, kernel, f"suite_{kernel.split('.')[0]}_{check.name}.so") for kernel in check.kernels()]


def bench(check, runner, words):
    """The rows of `suite bench`, as the page shows them."""
    status, _ = runner.run([check.suite, "bench", *words, "--no-tuned", "--json", "--output", fresh(check.folder / "results")], env=check.environment,
                           cwd=check.folder, fails=False, to=check.folder / "bench.json")
    try:
        result = json.loads((check.folder / "bench.json").read_text())
    except ValueError:
        raise Failed(f"exit status {status}, and no result: {last_line(end_of(runner.log))}") from None
    if "error" in result:
        raise (Absent if status == 4 else Failed)(f"exit status {status}: {result['error']['message']}")
    rows = []
    for block in result["blocks"]:
        for row in block["contenders"]:
            rows.append({"implementation": row["implementation"], "variant": row.get("variant", ""), "size": block["size"], "verified_at": block["verified_at"],
                         "verification": row["verification"], **{key: row[key] for key in ("median_s", "flop_per_s", "fma_fraction", "merit") if key in row}})
    if not rows:
        raise Failed("no row: " + "; ".join(block["why"] for block in result.get("not_run", [])))
    wrong = [row for row in rows if "median_s" not in row or row["verification"]["status"] not in ("verified", "not verified")]
    if wrong:
        raise Failed(f"{wrong[0]['implementation']} {wrong[0]['variant']}: {wrong[0]['verification']['status']}: {wrong[0]['verification']['detail']}")
    return rows


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def figures(check):
    """The figures of tools/gpu_figures.json, and the time of one core beside those that ask for it."""
    check.need_suite()
    kernels = check.kernels(ceilings=True)
    found = [figure for figure in check.figures["figures"] if figure["kernel"] in kernels]
    if not found:
        raise Absent(f"no figure is of a kernel of backend {check.name}")
    if check.given.sizes:
        found = [figure for figure in found if figure["size"].split(",")[0] in check.given.sizes]

    def task(figure, on_core):
        kernel, size = figure["kernel"], figure["size"]
        parameters = figure.get("parameters", [])
        if check.dry:
            size = "small" if kernel.startswith("ceilings.") else "test:3"

        def work(runner):
            words = [kernel, "--size", size] + [word for parameter in parameters for word in ("--parameter", parameter)]
            if kernel.startswith("ceilings."):
                return ceiling(check, runner, kernel, size)
            words += ["--backend", "cpu", "--threads", "1"] if on_core else ["--backend", check.backend]
            rows = bench(check, runner, words + (["--repeat", "6"] if check.dry or on_core else []))
            best = min(rows, key=lambda row: row["median_s"])
            goal = 0 if check.dry or on_core else figure.get("goal_s", 0) * figure.get("per", 1)
            met = "" if not goal else f", goal {1e3 * goal:.4g} ms: {'met' if best['median_s'] <= goal else 'not met'}"
            return {"rows": rows, "median_s": best["median_s"], "goal_s": goal, "line": f"{1e3 * best['median_s']:.4g} ms{met}"}
        name = " ".join([kernel, figure["size"], *parameters]) + (" on one core" if on_core else "") + (f" at {size}" if check.dry else "")
        return Task(name, work, figure.get("limit", 120))

    return [task(figure, on_core) for figure in found for on_core in ((False, True) if figure.get("core") and not check.given.sizes else (False,))]


def ceiling(check, runner, kernel, size):
    """Ceilings have no reference, and `suite bench` ranks nothing that it cannot verify: three runs of the kernel."""
    runs = 1 if check.dry else 3
    _, said = runner.run([check.launcher, check.backend, kernel] + runs * [size], env=check.environment)
    seconds, flops, moved = min(tuple(map(float, line.split()[-3:])) for line in said.splitlines() if line.startswith("ran "))
    rate = f"{moved / seconds * 1e-9:.4g} GB/s" if moved else f"{flops / seconds * 1e-9:.5g} GFLOP/s"
    return {"rows": [], "median_s": seconds, "goal_s": 0, "rate": rate, "line": f"{rate}, the best of {runs}"}


def hip(check):
    """The HIP source, compiled for an NVIDIA GPU by nvcc."""
    if check.name != "cuda":
        raise Absent("only where the backend is cuda")
    if check.dry:
        raise Absent("dry run")

    def compile_all(runner):
        if "hip_on_nvidia" not in check.targets(runner):
            raise Absent("the build has no target hip_on_nvidia")
        check.compile(runner, ["hip_on_nvidia"])

    plugins = {"SUITE_PLUGIN_PATH": str(check.build / "hip_on_nvidia")}
    # Only these files: what was compiled for an AMD GPU may lie beside them.
    return [Task("compile", compile_all, 480)] + [
        agreement_task(check, kernel, f"hip_on_nvidia_suite_{kernel.split('.')[0]}_hip.so", plugins) for kernel in check.kernels()]


def opencl(check):
    """The OpenCL source on this GPU, where its driver has OpenCL."""
    if check.name != "cuda":
        raise Absent("only where the backend is cuda; --backend opencl checks OpenCL's first device")
    places = [pathlib.Path(place) for place in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/local/nvidia/lib64", "/usr/local/nvidia/lib")]
    drivers = sorted(file for place in places for file in place.glob("libnvidia-opencl.so*"))
    if not drivers:
        raise Absent("libnvidia-opencl.so is not on this machine")
    vendors = check.folder / "vendors"
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "nvidia.icd").write_text(f"{drivers[0]}\n")
    check.need_tests()
    kernels = check.kernels("opencl")
    where = {"OCL_ICD_VENDORS": f"{vendors}/"}
    return [agreement_task(check, kernel, f"suite_{kernel.split('.')[0]}_opencl.so", where) for kernel in kernels]


def sanitizer(check):
    """compute-sanitizer, a tool and a kernel at a time. memcheck and racecheck with each choice of each parameter."""
    program = check.tool("compute-sanitizer")
    kernels = check.kernels()

    def task(tool, kernel):
        def work(runner):
            words = [program, "--tool", tool, "--error-exitcode", "99", check.launcher] + (["--choices"] if tool in ("memcheck", "racecheck") else [])
            status, said = runner.run([*words, check.backend, kernel, "test:1" if check.dry else "test:3"], env=check.environment, fails=False)
            summary = [line.lstrip("= ").strip() for line in said.splitlines() if "SUMMARY" in line]
            if status != 0:
                if cannot := CANNOT_LOOK.search(said):
                    raise Absent(f"compute-sanitizer cannot look at this GPU: {cannot[0]}")
                raise Failed(f"exit status {status}: {(summary or said.splitlines() or ['it printed nothing'])[-1]}")
            return {"said": summary[-1] if summary else "no summary"}
        return Task(f"{tool} {kernel}", work, 90)

    return [task(tool, kernel) for tool in ("memcheck", "racecheck", "synccheck", "initcheck") for kernel in kernels]


def profile(check):
    """Nsight Compute on one kernel of each family: rates, occupancy and what the warps wait for."""
    program = check.tool("ncu")
    kernels = check.kernels()

    def task(kernel, size):
        def work(runner):
            table = check.folder / f"ncu-{kernel}.csv"
            table.unlink(missing_ok=True)
            status, said = runner.run([program, *gpu_check_ncu.options(table), check.launcher, check.backend, kernel, size], env=check.environment, fails=False)
            text = table.read_text(errors="replace") if table.exists() else ""
            if cannot := CANNOT_LOOK.search(text + said):
                raise Absent(f"ncu cannot read the counters of this GPU (perhaps they are for administrators only): {cannot[0]}")
            rows = gpu_check_ncu.longest_launches(text)
            if not rows:
                raise Failed(f"exit status {status}, and no table: {((text or said).splitlines() or ['it printed nothing'])[-1][:200]}")
            return {"rows": rows[:6]}
        return Task(f"{kernel} {size}", work, 120)

    return [task(one["kernel"], "test:3" if check.dry else one["size"]) for one in check.figures["profiles"] if one["kernel"] in kernels]


def code(check):
    """What the compiled code says: the model of the hot loops, registers and spills."""
    if check.dry:
        raise Absent("dry run")
    if check.name not in ("cuda", "hip"):
        raise Absent(f"looks at code for GPUs; the backend is {check.name}")

    def model(runner):
        status, said = runner.run(["python3", ROOT / "tools/gpu-model", "--plugins", check.build / "lib/suite", "--json", check.folder / "model.json",
                                   "--output", check.folder / "model.md"], env=check.environment, fails=False)
        if status == 77:
            raise Absent(said.strip().splitlines()[-1])
        if status != 0:
            raise Failed(f"exit status {status}: {said.strip().splitlines()[-1]}")
        return {"loops": json.loads((check.folder / "model.json").read_text())["loops"]}

    def resources(runner):
        if "gpu-resources" not in check.targets(runner):
            raise Absent("the build has no target gpu-resources")
        runner.run(["cmake", "--build", check.build, "--target", "gpu-resources"], env=check.environment)
        return {"text": (check.build / "gpu-resources.txt").read_text()}

    return [Task("model", model, 240), Task("registers and spills", resources, 480)]


def ladder(check):
    """The published steps."""
    check.need_suite()

    def task(kernel, size):
        def work(runner):
            runner.run([check.suite, "ladder", kernel, "--backend", check.backend, "--size", size, "--json", "--output", fresh(check.folder / "results")]
                       + (["--repeat", "6"] if check.dry else []), env=check.environment, cwd=check.folder, to=check.folder / "ladder.json")
            return {"blocks": [without_samples(block) for block in json.loads((check.folder / "ladder.json").read_text())["blocks"]]}
        return Task(f"{kernel} {size}", work, 300)

    if check.dry or check.name not in ("cuda", "hip", "opencl"):
        return [task("gpp.sigma", "ntband=4,ngpown=8,ncouls=32,nw=2")]
    return [task("gpp.sigma", "published"), task("lfd.propagate", "standard"), task("dfpt.rho", "standard"), task("dfpt.sum_up", "standard")]


def without_samples(node):
    if isinstance(node, dict):
        return {key: without_samples(value) for key, value in node.items() if key not in ("samples_s", "cpu_samples_s")}
    return [without_samples(value) for value in node] if isinstance(node, list) else node


def benchmarks(check):
    """Every kernel at every other size that it has."""
    check.need_suite()
    kernels = check.kernels()
    timed = {(figure["kernel"], figure["size"]) for figure in check.figures["figures"] if not figure.get("parameters")}

    def task(kernel, size):
        def work(runner):
            rows = bench(check, runner, [kernel, "--size", size, "--backend", check.backend] + (["--repeat", "6"] if check.dry else []))
            return {"rows": rows, "kernel": kernel}
        return Task(f"{kernel} {size}", work, 150)

    if check.dry:
        return [task(kernel, "test:1") for kernel in list(kernels)[:3]]
    cases = [(i, kernel, size) for kernel, sizes in kernels.items() for i, size in enumerate(sizes)
             if (kernel, size) not in timed and (not check.given.sizes or size in check.given.sizes)]
    return [task(kernel, size) for _, kernel, size in sorted(cases)]


def tests(check):
    """All other tests, a folder of tests/ at a time."""
    if check.dry:
        raise Absent("dry run")
    check.need_tests()

    def compile_all(runner):
        check.compile(runner, [])

    def folder(name):
        def work(runner):
            status, said = runner.run(["ctest", "--test-dir", check.build, "--output-on-failure", "--timeout", "400", "--parallel", "4", "-R", rf"^{name}\.",
                                       "--label-exclude", "^(validation|mutation|gpu_check)$"],
                                      env={**check.environment, "OMP_NUM_THREADS": str(max(1, check.given.jobs // 4))}, fails=False)
            counted = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", said)
            if status != 0 or not counted:
                wrong = re.findall(r"^\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Subprocess aborted)\)", said, re.MULTILINE)
                raise Failed(f"exit status {status}: {', '.join(wrong) or said.strip().splitlines()[-1]}")
            return {"tests": int(counted[3]), "skipped": len(re.findall(r"\(Skipped\)$", said, re.MULTILINE))}
        return Task(name, work, 450)

    folders = sorted(path.parent.name for path in (ROOT / "tests").glob("*/CMakeLists.txt"))
    first = [name for name in ("devices", "plugins", "gpp_steps", "lfd", "qmc", "dfpt", "gw_kernels", "offdiag", "deterministic") if name in folders]
    return [Task("compile", compile_all, 480)] + [folder(name) for name in first + [name for name in folders if name not in first + ["gpu_check"]]]


# By value: what a machine that is lent for half an hour should be asked first.
ALL = {step.__name__: step for step in (build, launches, agreement, figures, hip, opencl, sanitizer, profile, code, ladder, benchmarks, tests)}
