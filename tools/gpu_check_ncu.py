# SPDX-License-Identifier: BSD-3-Clause
"""What Nsight Compute is asked, and what its table says of each kernel's longest launch."""
import csv
import re

# Flops and bytes are the metrics that `suite roofline --counters` reads.
METRICS = ["gpu__time_duration.sum", "dram__bytes.sum", "lts__t_bytes.sum", "l1tex__t_bytes.sum",
           *(f"sm__sass_thread_inst_executed_op_{op}_pred_on.sum" for op in ("dadd", "dmul", "dfma", "fadd", "fmul", "ffma")),
           "sm__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
           "sm__warps_active.avg.pct_of_peak_sustained_active", "launch__registers_per_thread"]
SCALE = {"byte": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9, "nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3}
STALL = re.compile(r"smsp__average_warps_issue_stalled_(\w+?)_per_issue_active\.ratio$")


def options(table):
    # WarpStateStats has the reasons why warps wait. Clocks are left as they are.
    return ["--csv", "--page", "raw", "--log-file", table, "--target-processes", "all", "--clock-control", "none", "--launch-count", "40",
            "--section", "WarpStateStats", "--metrics", ",".join(METRICS)]


def longest_launches(text):
    """Rows of the page, longest first: flops with FMA = 2, bytes of device memory, seconds, percentages, what warps wait for."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        return []
    table = list(csv.DictReader(lines[start:]))
    units = table[0] if table else {}

    def number(row, key):
        return float(row[key].replace(",", "")) * SCALE.get(units.get(key, ""), 1)

    def optional(row, key):
        try:
            return number(row, key)
        except (KeyError, ValueError, AttributeError):
            return None

    longest = {}
    for row in table[1:]:
        try:
            dadd, dmul, dfma = (number(row, f"sm__sass_thread_inst_executed_op_{op}_pred_on.sum") for op in ("dadd", "dmul", "dfma"))
            found = {"kernel": row["Kernel Name"], "seconds": number(row, "gpu__time_duration.sum"), "bytes": number(row, "dram__bytes.sum"),
                     "flops": dadd + dmul + 2 * dfma}
        except (KeyError, ValueError):
            continue
        for name, key in (("sm_percent", METRICS[-4]), ("memory_percent", METRICS[-3]), ("warps_percent", METRICS[-2]), ("registers", METRICS[-1])):
            found[name] = optional(row, key)
        stalls = {match[1]: value for key in row if (match := STALL.match(key or "")) and (value := optional(row, key)) and not match[1].endswith("not_issued")}
        found["stalls"] = dict(sorted(stalls.items(), key=lambda item: -item[1])[:4])
        if found["kernel"] not in longest or found["seconds"] > longest[found["kernel"]]["seconds"]:
            longest[found["kernel"]] = found
    return sorted(longest.values(), key=lambda row: -row["seconds"])
