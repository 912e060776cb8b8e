#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every command of suite that a page shows, even in a block that no test runs, and that a script of ours gives, is one that the program knows, with
options that it takes.

    commands.py --source <repository> --suite <program>
"""
import argparse
import pathlib
import re
import subprocess
import sys

import blocks

SCRIPTS = ("tests/install/consume", "tests/install/packages", "tools/quickstart", "tools/gpu-check")
# Up to where a shell, or a comment behind it, goes on with something else.
COMMAND = re.compile(r"(?:^|[\s\"'(])(?:[\w.$~{}/-]*/)?suite[\"']? ([a-z]+)\b((?:[ \t]+[^\s|;&<>()#]+)*)")


def said(program, *words):
    return subprocess.run([program, *words], capture_output=True, text=True, check=True).stdout


def options_of(program):
    """The options of each verb, from the program's own help."""
    general = said(program, "help").partition("usage: suite")[2].partition("\napps\n")[0]
    verbs = re.findall(r"(?m)^  ([a-z]+)\b", general)
    return {v: set(re.findall(r"(?m)^  (--[a-z-]+)", said(program, v, "--help"))) for v in verbs}


def commands(text):
    """(line, verb, its options) of each command in a text of shell."""
    for number, line in enumerate(text.replace("\\\n", "  ").splitlines()):
        if not line.lstrip().startswith("#"):
            for verb, words in COMMAND.findall(line):
                yield number, verb, re.findall(r"(?:^|\s)(--[a-z-]+)", words)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "suite"):
        parser.add_argument(f"--{name}", required=True, type=lambda p: pathlib.Path(p).resolve())
    options = parser.parse_args()
    known, wrong, count = options_of(options.suite), [], 0
    texts = [(b.page, b.line + 1, b.text) for page in blocks.pages(options.source).values() for b in page if b.language in ("sh", "bash", "console")]
    texts += [(name, 1, (options.source / name).read_text()) for name in SCRIPTS]
    for name, first, text in texts:
        for number, verb, given in commands(text):
            count += 1
            where = f"{name}:{first + number}"
            if verb not in known and name not in SCRIPTS:  # where 'suite is not there' may be a message
                wrong.append(f"{where}: suite has no command '{verb}'")
            wrong += [f"{where}: 'suite {verb}' takes no option {o}" for o in given if verb in known and o not in known[verb]]
    print(f"{count} commands of suite")
    if wrong or count < 100:  # many more when this was written
        sys.exit("\n".join(wrong) or "the commands were not found")


if __name__ == "__main__":
    main()
