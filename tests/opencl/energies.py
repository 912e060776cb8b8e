# SPDX-License-Identifier: BSD-3-Clause
"""Runs an input with the implementations cpu and opencl: all numbers of the results agree to 1e-9 eV."""
import json
import pathlib
import subprocess
import sys
import tempfile

TOLERANCE = 1e-9


def run(program, source, implementation, folder):
    done = subprocess.run([program, "run", source, "--implementation", implementation, "--quiet"], cwd=folder, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        if "no OpenCL platform" in done.stderr or "has no device" in done.stderr:
            print("SKIPPED: " + done.stderr.strip())
            sys.exit(77)
        sys.exit(f"{implementation}: exit {done.returncode}: {done.stderr}")
    (result,) = (f for f in pathlib.Path(folder).glob("results/*/result.json") if not f.parent.is_symlink())
    return json.loads(result.read_text())


def numbers(value, path=""):
    """All floating-point numbers of the physical results, with their paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from numbers(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from numbers(inner, f"{path}[{index}]")
    elif isinstance(value, float):
        yield path, value


def main():
    program, source = sys.argv[1:]
    found = {}
    for implementation in ("opencl", "cpu"):
        with tempfile.TemporaryDirectory(prefix="suite-opencl-") as folder:
            found[implementation] = dict(numbers(run(program, source, implementation, folder)["results"]))
    if not found["cpu"] or found["cpu"].keys() != found["opencl"].keys():
        sys.exit("the results have not the same entries")
    worst = max(found["cpu"], key=lambda path: abs(found["cpu"][path] - found["opencl"][path]))
    difference = abs(found["cpu"][worst] - found["opencl"][worst])
    print(f"{len(found['cpu'])} numbers compared; largest difference {difference:.1e} eV at {worst}")
    if not difference <= TOLERANCE:
        sys.exit(f"more than {TOLERANCE} eV")


if __name__ == "__main__":
    main()
