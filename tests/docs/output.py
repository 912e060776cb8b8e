# SPDX-License-Identifier: BSD-3-Clause
"""Whether commands print what a page shows: words as they stand, paths as such, numbers of four and more decimals to their last digit but one, other numbers,
units of time and size, and verdicts as such. A line of "..." stands for any lines, at the end of a line for the rest of it; lines before the first one shown and after the last do not matter."""
import re

NUMBER = r"[-+]?\d[\d.,e+-]*"
UNITS = {"ns", "us", "ms", "s", "B", "KiB", "MiB", "GiB", "MB/s", "GB/s", "GFLOP/s", "k", "M", "G", "T"}
VERDICTS = {"FASTER", "SLOWER", "same", "unclear", "FASTER,", "SLOWER,"}


def token(word):
    if word in UNITS:
        return "unit"
    if word in VERDICTS:
        return "verdict"
    if re.fullmatch(r"[-+]?\d+\.\d{4,}", word) and abs(float(word)) >= 0.1:  # below: ratios of times
        return float(word), 2.0 * 10.0 ** -len(word.split(".")[1])
    if word.count("/") >= 3:
        return "path"
    if re.search(r"\d", word):
        # With digits anything varies: 2x, AVX-512, gpp-20261123T194922Z, sha256 sums; but the words in front of them stay.
        return "number"
    return word


def line_of(text):
    return [token(w) for w in text.split()]


def alike(shown, printed):
    if isinstance(shown, tuple) and isinstance(printed, tuple):
        return abs(shown[0] - printed[0]) <= max(shown[1], printed[1])
    if isinstance(shown, tuple) or isinstance(printed, tuple):
        return "number" in (shown, printed)
    return shown == printed


def same(shown, printed):
    """In their order; what else is printed between them are columns that a table has on a busy machine only, or a time where the page shows an empty cell ("-")."""
    if shown[-1:] == ["..."]:
        shown = shown[:-1]
    shown = [word for word in shown if word != "-"]
    rest = iter(printed)
    return all(any(alike(word, other) for other in rest) for word in shown)


def missing(shown, printed):
    """The first line that is shown but not printed at its place; None: all are."""
    printed = [line for line in printed.splitlines() if not line.lstrip().startswith("!")]  # remarks about a busy machine
    there = [line_of(line) for line in printed]
    at, free = 0, True
    for text in shown.splitlines():
        if text.strip() == "...":
            free = True
            continue
        wanted = line_of(text)
        if not wanted:
            continue
        while at < len(there) and not there[at]:
            at += 1
        if free:
            while at < len(there) and not same(wanted, there[at]):
                at += 1
            free = False
        if at >= len(there) or not same(wanted, there[at]):
            return text + (f"\nthere it prints:  {printed[at]}" if at < len(there) else "")
        at += 1
    return None
