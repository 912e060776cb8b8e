#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A filter of Doxygen's input: our headers have plain comments; this marks those that document something, line for line.

A comment alone on its lines documents what follows (/* -> /**, // -> ///), one behind a declaration documents that (/**<, ///<).
The licence line and what stands inside of function bodies are left alone by Doxygen itself."""
import re
import sys


def prose(comment):
    """What looks like a tag of HTML or a command of Doxygen is neither in our comments."""
    return re.sub(r"<(?=\w)", "&lt;", comment).replace("@", "\\@")


def marked(text):
    out, inside = [], False
    for line in text.splitlines():
        if inside:
            inside = "*/" not in line
            out.append(prose(line))
        elif re.match(r"\s*/\*(?!\*)", line):
            out.append(prose(line.replace("/*", "/**", 1)))
            inside = "*/" not in line
        elif re.match(r"\s*//(?!/)", line):
            out.append(prose(line.replace("//", "///", 1)))
        elif re.search(r"[;,{}]\s*/\*", line) or re.search(r"^\s*\w+ = \w+\s+/\*", line):
            at = line.index("/*")
            out.append(line[:at] + "/**<" + prose(line[at + 2:]))
            inside = "*/" not in line[at:]
        elif re.search(r"[;,]\s*//", line):
            out.append(re.sub(r"([;,]\s*)//", r"\1///<", line, count=1))
        else:
            out.append(line)
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write(marked(open(sys.argv[1]).read()))
