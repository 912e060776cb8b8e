#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Follows docs/add-a-family.md, add-a-kernel.md and add-a-backend.md to the letter: writes each block that has a file name above it into that
file, and runs each block of commands, in the order of the pages and in one folder. A reader has suite in $HOME/suite; so has this one.

    follow_pages.py --source <repository> --prefix <installed suite> --work <folder to be made anew>

A block is named by a paragraph that begins with its file in backquotes: "`heat/heat.hpp`:" or "`heat/cpu/step.cpp`, which replaces ...:".
Commands are blocks of the language sh.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

PAGES = ("add-a-family", "add-a-kernel", "add-a-backend")
LANGUAGES = ("cpp", "cmake", "yaml")
# What a reader must see of a page's commands in the end, in any of their outputs.
EXPECTED = {
    "add-a-family": [r"(?m)^heat\.step: a time step of the heat equation", r"rate +real64 +scalar +in, optional +1 +a dt / dx\^2; unset: 0\.25",
                     r"(?m)^ +cpu .*\bverified"],
    "add-a-kernel": [r"(?m)^ +suite_gpp_mine\.so .*\bverified", r"(?m)^ +ring +", r"V100 0\.0008 to 0\.00084 s; A100 1\.4 to 1\.5 times as fast",
                     r"(?m)^ +cpu single .*\bverified", r"so that the\s+compiler\s+makes\s+vectors"],
    "add-a-backend": [r"tin +a device that the CPU simulates", r"(?m)^ +tin .*\bverified"],
}


def blocks(page):
    """(file or None, language, text) of each fenced block."""
    paragraph, blank, fence, lines, named = "", True, None, [], None
    for line in page.splitlines():
        if fence is None and line.startswith("```"):
            fence, lines = line[3:].strip(), []
            found = re.match(r"`([^`]+)`(, .*)?:$", paragraph)
            named = found[1] if found else None
        elif fence is not None and line == "```":
            yield named, fence, "\n".join(lines) + "\n"
            fence, paragraph = None, ""
        elif fence is not None:
            lines.append(line)
        else:
            if line:
                paragraph = line if blank else f"{paragraph} {line}"
            blank = not line


def run(commands, folder, environment):
    """The output, and the environment behind the last command: what a reader exported stays."""
    script = f"set -euo pipefail\n{commands}\nenv -0 >\"$FOLLOW_ENVIRONMENT\"\n"
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    print(done.stdout)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode} of:\n{commands}")
    pairs = pathlib.Path(environment["FOLLOW_ENVIRONMENT"]).read_bytes().split(b"\0")
    return done.stdout, dict(p.decode().split("=", 1) for p in pairs if b"=" in p)


def follow(name, page, folder, environment):
    said = ""
    for file, language, text in blocks(page):
        if language == "sh":
            print(f"-- {name}: {text}", flush=True)
            output, environment = run(text, folder, environment)
            said += output
        elif language in LANGUAGES:
            if file is None:
                if "<family>" in text:  # a pattern for readers inside the source tree
                    continue
                sys.exit(f"{name}: a block of {language} has no file name above it:\n{text}")
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
    for pattern in EXPECTED[name]:
        if not re.search(pattern, said):
            sys.exit(f"{name}: expected in the output of its commands: {pattern}")
    return environment


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "prefix", "work"):
        parser.add_argument(f"--{name}", required=True, type=lambda p: pathlib.Path(p).absolute())
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    folder, home = options.work / "heat_project", options.work / "home"
    folder.mkdir(parents=True)
    home.mkdir()
    (home / "suite").symlink_to(options.prefix)
    (folder / "examples").symlink_to(options.source / "examples")  # what add-a-kernel.md builds lies in the source tree
    environment = {**os.environ, "HOME": str(home), "FOLLOW_ENVIRONMENT": str(options.work / "environment"), "SUITE_TUNED": "/nonexistent/tuned.json"}
    environment.pop("SUITE_PLUGIN_PATH", None)
    for name in PAGES:
        environment = follow(name, (options.source / "docs" / f"{name}.md").read_text(), folder, environment)


if __name__ == "__main__":
    main()
