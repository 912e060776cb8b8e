#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Collects the pages of the site: copies Markdown into the folder that Sphinx reads, and gives the site its structure.

    stage.py --source <repository> [--generated <folder of generated pages>] --output <folder to be made from scratch>

The Markdown files are written for a forge, with links relative to the file. Here every link is resolved:
- to a page: to where it stands in the site; docs/x.md becomes x.md, another folder's README.md becomes source/<folder>/README.md;
- to another file of the repository, such as a header: to a copy that the reader can open;
- to a folder without README.md: to a page that lists its files.
The navigation comes from docs/index.md: each of its sections is a part, and the pages that it links to, in that order, are its entries.
A link to nothing, a page of docs/ that docs/index.md does not name, and a heading two levels below the one before are errors.
Without --generated only this is checked.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^ *(```+|~~~+)")
LINK = re.compile(r"(!?\[(?:[^\]\[`]|`[^`]*`|\[[^\]]*\])*\]\()([^()\s]+)(\))")
EXTERNAL = re.compile(r"^[a-z][a-z0-9+.-]*:")
# Parts of docs/index.md that are text and not navigation.
TEXT = ("Where the code is", "Four terms")


def outside_of_code(text, change):
    """The text with `change` applied to what is not in a fenced block or between backquotes."""
    out, plain, fence = [], [], None

    def close():
        if plain:
            parts = re.split(r"((?<!`)(`+)(?!`).*?(?<!`)\2(?!`))", "".join(plain), flags=re.S)
            # re.split yields text, span, delimiter in turn; a link whose text is code must be seen whole, so spans are put back first
            spans, joined = [], ""
            for i in range(0, len(parts), 3):
                joined += parts[i]
                if i + 1 < len(parts):
                    joined += f"`\0{len(spans)}\0`"
                    spans.append(parts[i + 1])
            out.append(re.sub("`\0(\\d+)\0`", lambda m: spans[int(m[1])], change(joined)))
            plain.clear()

    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence is None and mark:
            close()
            fence = mark[1]
        elif fence is not None:
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                out.append(line)
                fence = None
                continue
        if fence is None:
            plain.append(line)
        else:
            out.append(line)
    close()
    return "".join(out)


def headings(text):
    """(level, title) of each heading."""
    fence = None
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark and (fence is None or line.strip() == fence):
            fence = mark[1] if fence is None else None
        elif fence is None and (heading := re.match(r"(#{1,6}) +(.*)", line)):
            yield len(heading[1]), heading[2]


def anchors(text):
    """What a forge, and MyST, make of the headings."""
    found = set()
    for _, heading in headings(text):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        found.add(re.sub(r"[^\w\- ]", "", title.strip().lower().replace(" ", "-")))
    return found


class Site:
    def __init__(self, source, output):
        self.source, self.output = source, output
        listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=source, capture_output=True)
        names = listed.stdout.decode().split("\0") if listed.returncode == 0 else [
            str(p.relative_to(source)) for p in source.rglob("*") if p.is_file() and not p.is_relative_to(output.parent)]
        self.files = {n for n in names if n and (source / n).is_file()}
        self.waiting, self.done, self.errors = [], set(), []
        self.external = {}

    def staged(self, name):
        """Where a file of the repository stands in the site."""
        return name[len("docs/"):] if name.startswith("docs/") else f"source/{name}"

    def resolve(self, page, target):
        """The link as it stands in the site."""
        if target.startswith("#"):
            target = os.path.basename(page) + target
        if EXTERNAL.match(target):
            self.external.setdefault(target, page)
            return target
        path, hash_mark, anchor = target.partition("#")
        name = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if name.startswith(".."):
            self.errors.append(f"{page}: '{target}' leads out of the repository")
            return target
        if name in self.files:
            if name.endswith(".md"):
                self.want(name)
                if anchor and anchor not in anchors((self.source / name).read_text()):
                    self.errors.append(f"{page}: '{target}': {name} has no heading '#{anchor}'")
            else:
                self.copy(name)
            there = self.staged(name)
        elif any(n.startswith(name + "/") for n in self.files):
            readme = f"{name}/README.md"
            if readme in self.files:
                self.want(readme)
                there = self.staged(readme)
            else:
                there = self.list_folder(name)
        else:
            self.errors.append(f"{page}: the link '{target}' leads to nothing: there is no '{name}'")
            return target
        return os.path.relpath(there, os.path.dirname(self.staged(page)) or ".") + hash_mark + anchor

    def want(self, name):
        if name not in self.done:
            self.done.add(name)
            self.waiting.append(name)

    def copy(self, name):
        there = self.output / self.staged(name)
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.source / name, there)

    def list_folder(self, name):
        there = f"source/{name}/files.md"
        if not (self.output / there).exists():
            lines = ["---", "orphan: true", "---", f"# {name}", "", "| file |", "|---|"]
            for file in sorted(n for n in self.files if n.startswith(name + "/")):
                self.copy(file) if not file.endswith(".md") else self.want(file)
                lines.append(f"| [{file[len(name) + 1:]}]({os.path.relpath(self.staged(file), os.path.dirname(there))}) |")
            (self.output / there).parent.mkdir(parents=True, exist_ok=True)
            (self.output / there).write_text("\n".join(lines) + "\n")
        return there

    def write(self, name, text):
        there = self.output / self.staged(name)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_text(text)

    def page(self, name, before="", after=""):
        text = (self.source / name).read_text()
        above = 0
        for level, title in headings(text):
            if level > above + 1:  # Sphinx warns of it, and a reader of headings takes it for a part that is missing
                self.errors.append(f"{name}: the heading '{title}' is of level {level} below one of level {above}")
            above = level

        def link(found):
            target = self.resolve(name, found[2])
            # A link that names the file shows the title of the page instead.
            named = found[1] == f"[{found[2]}](" and target.endswith(".md")
            return ("[](" if named else found[1]) + target + found[3]

        rewritten = outside_of_code(text, lambda t: LINK.sub(link, t))
        self.write(name, before + rewritten + after)


def toctree(entries, caption=None, base=""):
    lines = ["", "```{toctree}", ":hidden:"] + ([f":caption: {caption}"] if caption else [])
    return "\n".join(lines + [""] + [os.path.relpath(e, base or ".").removesuffix(".md") for e in entries] + ["```", ""])


def parts_of(site, index):
    """(title, pages) of each part of docs/index.md, in its order."""
    parts = []
    for section in re.split(r"(?m)^## ", (site.source / index).read_text())[1:]:
        title = section.splitlines()[0].strip()
        if title in TEXT:
            continue
        pages = []
        for target in re.findall(r"\]\(([^()\s#]+)[^()\s]*\)", section):
            if EXTERNAL.match(target):
                continue
            name = os.path.normpath(os.path.join("docs", target))
            name = f"{name}/README.md" if f"{name}/README.md" in site.files else name
            if name.endswith(".md") and name in site.files and not any(name in p for _, p in parts) and name not in pages:
                pages.append(name)
        parts.append((title, pages))
    return parts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "generated", "output"):
        parser.add_argument(f"--{name}", required=name != "generated", type=lambda p: pathlib.Path(p).resolve())
    options = parser.parse_args()
    shutil.rmtree(options.output, ignore_errors=True)
    options.output.mkdir(parents=True)
    site = Site(options.source, options.output)

    parts = parts_of(site, "docs/index.md")
    named = [page for _, pages in parts for page in pages]
    below = {}  # a folder's README.md is the entry of the other pages of that folder
    for page in named:
        if page.endswith("/README.md") and page.startswith("docs/"):
            folder = os.path.dirname(page)
            below[page] = sorted(n for n in site.files if n.endswith(".md") and os.path.dirname(n) == folder and n != page and n not in named)
    known = {"docs/index.md", *named, *(n for pages in below.values() for n in pages)}
    for name in sorted(site.files):
        if name.startswith("docs/") and not name.startswith("docs/site/") and name.endswith(".md") and name not in known:
            site.errors.append(f"docs/index.md names no page that leads to {name}")

    if options.generated:
        shutil.copytree(options.generated, options.output / "reference")
    trees = ""
    for title, pages in parts:
        entries = [site.staged(p) for p in pages]
        if title == "Reference":
            entries += ["reference/index.md"]
        trees += toctree(entries, title)
    site.done |= known
    site.page("docs/index.md", after=trees)
    for name in named:
        children = [site.staged(n) for n in below.get(name, [])]
        site.page(name, after=toctree(children, base=os.path.dirname(site.staged(name))) if children else "")
        for child in below.get(name, []):
            site.page(child)
    while site.waiting:
        site.page(site.waiting.pop(), before="---\norphan: true\n---\n")
    (options.output / "external_links.txt").write_text("".join(f"{link}  {page}\n" for link, page in sorted(site.external.items())))
    if site.errors:
        sys.exit("\n".join(site.errors))


if __name__ == "__main__":
    main()
