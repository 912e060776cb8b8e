#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site of the documentation: cmake --build build --target docs calls this, and so does its test.

    build.py --source <repository> --suite <program> --version <version> --fortran <folder>... --doxygen <program> --sphinx <program> --output <folder>

Leaves the pages in <output>/html. A warning of Sphinx or Doxygen is an error. Uses no network.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


# What Debian's furo imports by the address that it has on a web server of Debian; a page there would show it with the browser's own margins.
IMPORTED = re.compile(r"@import url\(/javascript/([^)]*)\);")
WEB_SERVER = pathlib.Path("/usr/share/javascript")


def complete_theme(style):
    """Mends Debian's furo: brings in what it imports, and gives the colours of the dark theme to a reader whose system asks for dark pages, which its
    compiler has dropped. Does nothing to a theme that is complete."""
    text = IMPORTED.sub(lambda found: (WEB_SERVER / found[1]).read_text(), style.read_text())
    colours = re.search(r'body\[data-theme="?dark"?\] *\{([^{}]*--color-background-primary[^{}]*)\}', text)
    if colours and not re.search(r"prefers-color-scheme: *dark", text):
        text += f"\n@media (prefers-color-scheme: dark) {{ @media not print {{ body:not([data-theme=light]) {{{colours[1]}}} }} }}\n"
    style.write_text(text)


# What Sphinx and furo leave out that a screen reader or a keyboard needs.
ACCESSIBLE = (
    ('<p class="caption" role="heading">', '<p class="caption" role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="This page" class="toc-drawer'),
    # What closes a drawer by a click beside it; the buttons do so as well.
    ('<label class="overlay ', '<label aria-hidden="true" class="overlay '),
    # What may be wider than its place is scrolled by the keyboard, too.
    ('<div class="table-wrapper ', '<div tabindex="0" class="table-wrapper '),
    ("<pre>", '<pre tabindex="0">'),
    ('<div id="search-results">', '<h1>Search</h1><div id="search-results">'),
)


def make_accessible(html):
    for page in html.rglob("*.html"):
        text = page.read_text()
        for plain, better in ACCESSIBLE:
            text = text.replace(plain, better)
        # Breathe gives the parts of every struct the same name; nothing leads there.
        text = re.sub(r'(<p class="breathe-sectiondef-title rubric") id="[^"]*"', r"\1", text)
        page.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("source", "suite", "version", "doxygen", "sphinx", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--fortran", required=True, nargs="+")
    options = parser.parse_args()
    output = pathlib.Path(options.output).resolve()
    output.mkdir(parents=True, exist_ok=True)
    headers = [f'"{options.source}/core/include/suite/{name}"' for name in ("abi.h", "suite.h", "suite.hpp", "plugin.hpp", "arguments.hpp")]
    settings = (HERE / "Doxyfile").read_text()
    settings += f'INPUT = {" ".join(headers)}\nOUTPUT_DIRECTORY = "{output}/doxygen"\nINPUT_FILTER = "{sys.executable} {HERE}/comments.py"\n'
    environment = {**os.environ, "SUITE_VERSION": options.version, "DOXYGEN_XML": f"{output}/doxygen/xml", "PYTHONDONTWRITEBYTECODE": "1"}

    def run(*command, **more):
        if (code := subprocess.run(command, env=environment, **more).returncode) != 0:
            sys.exit(code)

    run(options.doxygen, "-", input=settings, text=True)
    run(sys.executable, HERE / "reference.py", "--suite", options.suite, "--fortran", *options.fortran, "--output", output / "reference")
    run(sys.executable, HERE / "stage.py", "--source", options.source, "--generated", output / "reference", "--output", output / "pages")
    run(options.sphinx, "-W", "--keep-going", "-q", "-j", "auto", "-c", HERE, "-d", output / "doctrees", output / "pages", output / "html")
    complete_theme(output / "html/_static/styles/furo.css")
    make_accessible(output / "html")
    print(f"{output}/html/index.html")


if __name__ == "__main__":
    main()
