#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the reference pages of the site from the program's own tables and the sources of the Fortran modules.

    reference.py --suite <program> --fortran <folder>... --output <folder>

One page for each kernel (`suite list KERNEL --json`), each app's keys (`suite help APP`), each command (`suite help COMMAND`) and each Fortran
module (what stands in its source); docs/site/reference/ holds the pages of C and C++, which Doxygen fills.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def cell(text):
    return str(text).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_").replace("\n", " ")


def code(text):
    return f"`{text}`" if text else ""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def toctree(entries, depth=1):
    return "\n".join(["```{toctree}", f":maxdepth: {depth}", "", *entries, "```", ""])


class Program:
    def __init__(self, program):
        self.program = program

    def text(self, *arguments):
        done = subprocess.run([self.program, *arguments], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{self.program} {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def json(self, *arguments):
        return json.loads(self.text(*arguments, "--json"))


def number(value):
    return f"{value:.4g}"


def argument_rows(arguments):
    for a in arguments:
        meaning = cell(a["meaning"])
        if a["when_unset"] is not None:
            meaning += f". If it is not set: {cell(a['when_unset'])}"
        if a["intent"].startswith(("out", "inout")):
            meaning += f". Tolerance {number(a['tolerance'])}"
        yield [code(a["name"]), cell(a["type"]) + "<br>" + (code(a["shape"]) or "scalar"), cell(a["intent"]), cell(a["unit"]), meaning]


def parameter_text(parameter, level):
    lines = [f"{level} `{parameter['name']}`", "", cell(parameter["meaning"]) + ("" if not parameter["changes_result"] else
             ". It changes what is computed, so every implementation has it."), ""]
    choices = parameter["choices"]
    if not choices:
        lines.append(f"A number from {parameter['low']} to {parameter['high']}" + (f" {parameter['unit']}" if parameter["unit"] != "1" else "") +
                     f"; default {parameter['value']}.\n")
        return "\n".join(lines)
    rows = []
    for at, choice in enumerate(choices):
        published = "; ".join(
            f"{p['device']} {number(p['low'])}{'' if p['low'] == p['high'] else ' to ' + number(p['high'])} {p['unit']}"
            + (f" ({p['of']})" if p["of"] else "") + f", {p['source']}" for p in choice["published"])
        rows.append([code(choice["name"]) + (" (default)" if at == parameter["value"] else ""), cell(choice["meaning"]),
                     choice["expected"], number(choice["tolerance"]) if choice["tolerance"] else "", cell(published)])
    kept = [i for i in range(5) if i < 2 or any(row[i] for row in rows)]
    head = ["choice", "meaning", "expected, against the one before", "tolerance", "published"]
    lines.append(table([head[i] for i in kept], [[row[i] for i in kept] for row in rows]))
    return "\n".join(lines)


def kernel_page(kernel):
    merit = kernel["merit"]
    # Not in the navigation, which every page repeats: kernels/index.md leads here.
    lines = ["---", "orphan: true", "---", f"# {kernel['kernel']}", "", "[All kernels](index.md)", "", cell(kernel["summary"])[:1].upper() + cell(kernel["summary"])[1:] + ".", ""]
    if merit and merit.get("unit"):
        lines += [f"Figure of merit: {cell(merit['unit'])} per second; a run has `{merit['formula']}` of them.", ""]
    lines += ["## Arguments", "", "Indices count from 1 and the first is the fastest. Extents of the same name are equal; what stands in brackets may be left out. The tolerance of a result is relative to its largest element.", "",
              table(["argument", "type and shape", "intent", "unit", "meaning"], argument_rows(kernel["arguments"]))]
    lines += ["", "## Implementations", ""]
    alike = collections.OrderedDict()  # implementations with the same parameters, described once
    for i in kernel["implementations"]:
        alike.setdefault(json.dumps(i["parameters"]), []).append(i)
    for parameters, implementations in alike.items():
        names = ", ".join(code(i["implementation"]) for i in implementations)
        lines += [f"### {names}", "", "Runs on " + ", ".join(dict.fromkeys(code(i["backend"]) for i in implementations)) + ".", ""]
        parameters = json.loads(parameters)
        if not parameters:
            lines += ["No variants or parameters.", ""]
        lines += [parameter_text(p, "####") for p in parameters]
    return "\n".join(lines) + "\n"


def write_kernels(program, output):
    listed = program.json("list")
    kernels = sorted({k for p in listed["plugins"] for k in p["kernels"]})
    families = collections.OrderedDict()
    (output / "kernels").mkdir(parents=True)
    for name in kernels:
        kernel = program.json("list", name)
        (output / "kernels" / f"{name}.md").write_text(kernel_page(kernel))
        families.setdefault(name.split(".")[0], []).append((name, kernel))
    text = ["# Kernels", "", "Written from the tables of the plugins, as `suite list KERNEL` prints them. Implementations are those of the build that made this site.", ""]
    for family, members in families.items():
        text += [f"## {family}", "", table(["kernel", "computes", "implementations"], [
            [f"[{name}]({name}.md)", cell(k["summary"]), ", ".join(dict.fromkeys(i["implementation"] for i in k["implementations"]))] for name, k in members])]
    (output / "kernels" / "index.md").write_text("\n".join(text))


def write_program(program, output):
    """Commands, and the keys of the apps' inputs."""
    for folder in ("commands", "keys"):
        (output / folder).mkdir()
    top = program.text("help")
    verbs = [v for v in re.findall(r"(?m)^  ([a-z]+) ", top.partition("\napps\n")[0]) if v != "help"]
    for verb in verbs:
        (output / "commands" / f"{verb}.md").write_text(f"# suite {verb}\n\n```text\n{program.text('help', verb)}```\n")
    (output / "commands" / "index.md").write_text(f"# Commands\n\nThe text of `suite help`.\n\n```text\n{top}```\n\n" + toctree(verbs))
    apps = program.json("version")["apps"]
    for app in apps:
        (output / "keys" / f"{app}.md").write_text(f"# Keys of {app}\n\n```text\n{program.text('help', app)}```\n")
    (output / "keys" / "index.md").write_text("# Keys of the inputs\n\nThe text of `suite help APP`: each key with its default, unit and meaning.\n\n" + toctree(apps))


def module_head(text):
    """The !> lines in front of `module`."""
    head = []
    for line in text.splitlines():
        if re.match(r"module \w", line):
            break
        if line.startswith("!>"):
            head.append(line[3:] if len(line) > 2 else "")
    return head


def head_as_markdown(head):
    """Indented rows of names, types, shapes, units and meanings become tables; other indented lines are code."""
    out, block = [], []

    def close():
        if not block:
            return
        rows = [re.split(r" {2,}", line.strip()) for line in block]
        if all(len(r) >= 4 or line.startswith(" " * 12) for r, line in zip(rows, block)) and len(rows[0]) >= 4:
            merged = []
            for r, line in zip(rows, block):
                if line.startswith(" " * 12) and len(r) == 1:
                    merged[-1][-1] += " " + r[0]
                else:
                    merged.append(r)
            full = []
            for r in merged:
                shape = r[2] if len(r) > 4 or r[2].startswith("(") else ""
                rest = r[3:] if shape else r[2:]
                full.append([code(r[0]), cell(r[1]), code(shape) or "scalar", cell(rest[0]), cell(" ".join(rest[1:]))])
            out.append("\n" + table(["argument", "type", "shape", "unit", "meaning"], full))
        else:
            out.append("\n```fortran\n" + "\n".join(line[4:] for line in block) + "\n```\n")
        block.clear()

    for line in head:
        if line.startswith("    "):
            block.append(line)
        else:
            close()
            out.append(line.replace("<", "&lt;"))
    close()
    return "\n".join(out)


def procedures(text):
    """The public procedures of a module: (name, comment, interface with the declarations of its arguments)."""
    public = set(re.findall(r"\w+", " ".join(re.findall(r"(?m)^  public :: ((?:.*&\n)*.*)", text))))
    generic, comments = {}, {}
    for comment, name, body in re.findall(r"(?m)^((?:  !> .*\n)*)  interface (\w+)\n((?:.*\n)*?)  end interface", text):
        comments[name] = comment
        for member in re.findall(r"\w+", " ".join(re.findall(r"procedure(?: ::)? (.*)", body))):
            generic[member] = name
    found = collections.OrderedDict()
    lines = text.splitlines()
    for at, line in enumerate(lines):
        start = re.match(r"  (?:(?:pure|elemental|recursive|logical|integer\(\w+\)|type\(\w+\)) )*(subroutine|function) (\w+)\(", line)
        if not start:
            continue
        name = generic.get(start[2], start[2])
        if name not in public:
            continue
        first = at
        while lines[first - 1].startswith("  !>"):
            first -= 1
        comment = " ".join(c[5:] for c in lines[first:at]) or " ".join(c[5:] for c in comments.get(name, "").splitlines())
        statement = [line]
        after = at + 1
        while statement[-1].endswith("&"):
            statement.append(lines[after])
            after += 1
        names = set(re.findall(r"\w+", "".join(statement).split("(", 1)[1]))
        while after < len(lines) and lines[after].startswith("    ") and "::" in lines[after]:
            if names & set(re.findall(r"\w+", lines[after].split("::")[1].split("!")[0])):
                statement.append(lines[after])
            after += 1
        entry = found.setdefault(name, [comment, []])
        entry[0] = entry[0] or comment
        entry[1].append("\n".join(s[2:] for s in statement))
    return found


def write_fortran(folders, output):
    there = output / "fortran"
    there.mkdir()
    sources = {p.stem: p for f in folders for p in sorted(f.rglob("*.f90"))}
    families = sorted(n for n in sources if re.fullmatch(r"suite_[a-z]+", n) and any(m.startswith(n + "_") and m.endswith("_calls") for m in sources))
    pages = ["suite"]
    base = ["# Module suite", "", head_as_markdown(module_head(sources["suite"].read_text())), ""]
    for part in ("suite_devices", "suite_calls"):
        text = sources[part].read_text()
        base += ["## " + module_head(text)[0].split(":")[0].rstrip("."), ""]
        for name, (comment, interfaces) in procedures(text).items():
            if name in ("suite_bind", "suite_fetch", "suite_own_result", "suite_refuse", "suite_settle", "suite_set_described", "suite_get_described"):
                continue
            base += [f"### {name}", "", comment.replace("<", "&lt;"), "", "```fortran", "\n".join(interfaces), "```", ""]
    (there / "suite.md").write_text("\n".join(base))
    for family in families:
        text = [f"# Module {family}", "", head_as_markdown(module_head(sources[family].read_text())), ""]
        for name in sorted(n for n in sources if n.startswith(family + "_") and n.endswith("_calls")):
            kernel = name[len("suite_"):-len("_calls")].replace("_", ".", 1)
            text += [f"## {kernel}", "", head_as_markdown(module_head(sources[name].read_text())), ""]
        (there / f"{family}.md").write_text("\n".join(text))
        pages.append(family)
    (there / "index.md").write_text("# Fortran\n\nThe modules, with every procedure, argument, shape and unit, from their sources, most of which are written from "
                                    "the tables of the kernels when suite is built.\n[Call from Fortran](../../call-from-fortran.md) shows how to use them.\n\n" + toctree(pages))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--fortran", required=True, nargs="+", type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    options = parser.parse_args()
    shutil.rmtree(options.output, ignore_errors=True)
    shutil.copytree(HERE / "reference", options.output)
    program = Program(options.suite)
    write_kernels(program, options.output)
    write_program(program, options.output)
    write_fortran(options.fortran, options.output)


if __name__ == "__main__":
    main()
