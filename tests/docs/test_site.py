#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site as the target docs does, with warnings as errors, and looks at what comes out.

    test_site.py <folder> <the command that builds it>...
"""
import pathlib
import re
import shutil
import subprocess
import sys

import browser

# What a page of each part has when it was made from the tables, headers and sources, and not only from its frame.
EXPECTED = {
    "index.html": ["Tutorials", "How-to guides", "Reference", "Explanation"],
    "reference/kernels/gpp.sigma.html": ["wtilde_array", "ncouls,ngpown", "V100 1.63 s", "arXiv"],
    "reference/keys/gw.html": ["system.wavefunctions"],
    "reference/commands/run.html": ["--implementation"],
    "reference/c.html": ["suite_device_open", "local rank modulo number of devices", "SUITE_INOUT"],
    "reference/cpp.html": ["Extents extents", "keep"],
    "reference/plugin.html": ["SUITE_PLUGIN", "consteval int suite::rank_of"],
    "reference/fortran/suite.html": ["subroutine suite_open"],
    "reference/fortran/suite_dfpt.html": ["partition_tab", "bohr^3"],
}


def main():
    folder = pathlib.Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run(sys.argv[2:] + [folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode:
        sys.exit("the site does not build")
    html = folder / "html"
    wrong = []
    for page, wanted in EXPECTED.items():
        text = re.sub(r"<[^>]*>", "", (html / page).read_text()) if (html / page).is_file() else ""
        wrong += [f"{page}: no '{w}'" for w in wanted if w not in text]
    pages = sorted(html.rglob("*.html"))
    # Nothing is fetched from elsewhere; links to elsewhere are only listed.
    for page in pages:
        for found in re.findall(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"(https?:[^\"]*)\"", page.read_text()):
            wrong.append(f"{page.relative_to(html)}: loads {found}")
    for style in html.rglob("*.css"):
        for found in re.findall(r"url\(['\"]?([^)'\"]*)", style.read_text()):
            if not found.startswith("data:") and (found.startswith("/") or not (style.parent / found.split("?")[0]).is_file()):
                wrong.append(f"{style.relative_to(html)}: takes {found}, which is not in the site")
    tidy = shutil.which("tidy")
    if tidy:
        for page in pages:
            said = subprocess.run([tidy, "-quiet", "-errors", "--drop-empty-elements", "no", page], capture_output=True, text=True).stderr
            wrong += [f"{page.relative_to(html)}: {line}" for line in said.splitlines() if "Error:" in line]
    else:
        print("NOT CHECKED: the pages are valid HTML: no 'tidy' here (apt install tidy)")
    if browser.CHROMIUM:
        wrong += browser.visit(html, [str(page.relative_to(html)) for page in pages])
    else:
        print("NOT CHECKED: the pages fit a phone and are accessible: no Chromium here (apt install chromium)")
    print(f"{len(pages)} pages; links to elsewhere, which are not followed:\n{(folder / 'pages/external_links.txt').read_text()}")
    if wrong:
        sys.exit("\n".join(wrong[:50]))


if __name__ == "__main__":
    main()
