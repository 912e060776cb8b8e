# SPDX-License-Identifier: BSD-3-Clause
"""The fenced blocks of the Markdown files, with what the comments in front of them say.

A block is named by a paragraph that begins with its file in backquotes, "`heat/heat.hpp`:" or "`heat/cpu/step.cpp`, which replaces ...:", or ends with it:
"An input for the same gas, `gas.yaml`:".
Comments in the lines just above a block are invisible on a forge:

    <!-- not run: reason -->              shown, never run
    <!-- costly: 90 s -->                 run by ctest -C validation only
    <!-- needs: opencl -->                run where this build, or this machine, has it (pypi: reached by pip)
    <!-- in the source tree -->           run in the root of the source tree (a folder of links to it, so that nothing is written there)
    <!-- exit code: 2 -->                 of the command
    <!-- output of the block before -->   what its commands print
    <!-- from: folder -->                 its lines stand in the Fortran sources of that folder, which are built and tested
    <!-- added to: file.yaml -->          the sections of an input that an earlier block of the page has written
    <!-- script -->                       bash checks its syntax
    <!-- given: a = file, b = file -->    files of the repository that lie in the folder
    <!-- tested by: test -->              by a test of its own
    <!-- compiled: name -->               compiled with the declarations of that name in declarations.f90
"""
import dataclasses
import re
import subprocess

MARKS = ("not run", "costly", "needs", "in the source tree", "exit code", "output of the block before", "from", "added to", "script", "compiled", "given", "tested by")


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    file: str | None
    marks: dict
    section: str

    def __str__(self):
        return f"{self.page}:{self.line}"


def blocks(page, text):
    paragraph, blank, fence, lines, named, marks, section = "", True, None, [], None, {}, ""
    for number, line in enumerate(text.splitlines(), 1):
        if fence is None and re.match(r"```", line):
            fence, lines, start = line[3:].strip(), [], number
            found = re.match(r"`([^`\s]+)`(?:, .*)?:$", paragraph) or re.search(r"`([^`\s/]+\.(?:yaml|c|txt|sh))`:$", paragraph)
            named = found[1] if found else None
        elif fence is not None and line == "```":
            yield Block(page, start, fence, "\n".join(lines) + "\n", named, marks, section)
            fence, paragraph, marks = None, "", {}
        elif fence is not None:
            lines.append(line)
        elif line.startswith("## "):
            section, paragraph, blank, marks = line[3:], "", True, {}
        elif comment := re.fullmatch(r"<!-- ([a-z ]+?)(?:: (.*?))? -->", line):
            marks[comment[1]] = comment[2] or ""
        else:
            if line:
                paragraph = line if blank else f"{paragraph} {line}"
                marks = {}
            blank = not line


def pages(source):
    """Every Markdown file of the repository, but for those that describe no more than the past."""
    done = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], cwd=source, capture_output=True, check=True)
    names = sorted(n for n in done.stdout.decode().split("\0") if n and not n.startswith("docs/site/"))
    return {n: list(blocks(n, (source / n).read_text())) for n in names if (source / n).is_file()}


def mistakes(block):
    """What keeps a block from being run, checked, compiled or excused."""
    unknown = [m for m in block.marks if m not in MARKS]
    if unknown:
        return f"a comment says '{unknown[0]}', which means nothing here"
    if "not run" in block.marks:
        return "" if block.marks["not run"] else "'not run' needs a reason"
    if "script" in block.marks and not block.file:
        return "no file name stands above it"
    if any(m in block.marks for m in ("from", "compiled", "tested by", "output of the block before", "script", "added to")):
        return ""
    if block.language in ("sh", "console"):
        return ""
    if block.language == "yaml":
        return "" if re.search(r"(?m)^(app|kernel):", block.text) or block.file else "a part of an input: 'added to: file.yaml'"
    if block.language in ("c", "cpp", "cmake", "fortran", "python", "bash"):
        return "" if block.file or block.language == "python" else "no file name stands above it, and no comment says how it is tested"
    return f"a block of {block.language or 'no language'} that nothing runs, and no comment says why"
