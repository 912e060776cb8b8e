# SPDX-License-Identifier: BSD-3-Clause
"""How often are verdicts wrong on this machine? The same implementation against itself, and one with a planted slow-down.

The numbers of docs/measuring.md come from here. Not a test of every day: it takes minutes, and a machine may be too busy
for any method."""
import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile


def burn():
    while True:
        pass


class Measurement:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def pair(self, *words):
        """The two rows of a benchmark of two contenders."""
        done = subprocess.run([self.arguments.program, "bench", *words, "--threads", str(self.arguments.threads), "--repeat", str(self.arguments.repeat),
                               "--json"], cwd=self.folder, capture_output=True, text=True, check=True)
        (block,) = json.loads(done.stdout)["blocks"]
        return block["contenders"]

    def same(self):
        return self.pair("gpp.sigma", "--size", "small", "--implementations", "cpu,cpu")

    def planted(self):
        return self.pair("planted.work", "--plugin", self.arguments.plugins, "--implementations", "cpu", "--size", "small", "--parameter",
                         f"percent=0,{self.arguments.percent}")


def mean(samples):
    return sum(samples) / len(samples)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--plugins", required=True)
    parser.add_argument("--pairs", type=int, default=60, help="of the same implementation against itself")
    parser.add_argument("--tries", type=int, default=40, help="to find the planted slow-down")
    parser.add_argument("--repeat", type=int, default=30, help="samples of each contender")
    parser.add_argument("--percent", type=int, default=10, help="more work in the slow one")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--load", type=int, default=2 * (os.cpu_count() or 1), help="other processes that want the cores all the time")
    arguments = parser.parse_args()
    others = [multiprocessing.Process(target=burn, daemon=True) for _ in range(arguments.load)]
    for other in others:
        other.start()
    with tempfile.TemporaryDirectory() as folder:
        measurement = Measurement(arguments, folder)
        same = [measurement.same() for _ in range(arguments.pairs)]
        planted = [measurement.planted() for _ in range(arguments.tries)]
    load = os.getloadavg()[0]
    for other in others:
        other.terminate()
    wrong = [rows[1]["verdict"] for rows in same if rows[1]["verdict"] in ("FASTER", "SLOWER")]
    by_means = sum(abs(mean(b["samples_s"]) / mean(a["samples_s"]) - 1) > 0.02 for a, b in same)
    found = sum(rows[1]["verdict"] == "SLOWER" for rows in planted)
    ratios = sorted(rows[1]["ratio"]["median"] for rows in planted)
    print(f"{arguments.load} other processes, load {load:.1f}, {arguments.repeat} samples of each, {arguments.threads} thread(s)")
    print(f"same implementation: {len(wrong)} of {len(same)} pairs called different; means more than 2 % apart: {by_means}")
    print(f"{arguments.percent} % more work: found in {found} of {len(planted)} tries; ratios {ratios[0]:.3f} to {ratios[-1]:.3f}, median {ratios[len(ratios) // 2]:.3f}"
          if planted else "")
    return 0 if len(wrong) <= 0.05 * len(same) and found >= 0.9 * len(planted) else 1


if __name__ == "__main__":
    sys.exit(main())
