#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Looks at an installed tree as a packager would.

    installed_tree.py complete|runpaths|links|versions --prefix <tree> --libdir <lib> --source <repository> --build <build folder>
"""
import argparse
import datetime
import pathlib
import re
import subprocess
import sys

# What every build installs, and what only one with that file in it does.
EXPECTED = """
{lib}/libsuite.so {lib}/suite/suite_backend_cpu.so {lib}/suite/suite_gpp_reference.so {lib}/suite/suite_gpp_cpu.so
{lib}/libsuite_gpp.a {lib}/cmake/suite/suiteConfig.cmake {lib}/cmake/suite/suiteConfigVersion.cmake {lib}/pkgconfig/suite.pc
bin/suite-seal share/man/man1/suite-seal.1
include/suite/suite.h include/suite/suite.hpp include/suite/abi.h include/suite/plugin.hpp include/suite/cpu/levels.hpp include/suite/gpp/gpp.hpp
share/suite/fortran/order share/suite/fortran/suite.f90 share/suite/fortran/suite_gpp.f90
share/doc/suite/LICENSE share/doc/suite/README.md share/doc/suite/CHANGELOG.md share/doc/suite/CITATION.cff share/doc/suite/docs/index.md
share/doc/suite/docs/install.md share/doc/suite/examples/out_of_tree_plugin/mine.cpp share/doc/suite/examples/out_of_tree_plugin/CMakeLists.txt
share/doc/suite/fortran/examples/berkeleygw_style/CMakeLists.txt share/doc/suite/fortran/hosts/berkeleygw/README.md
"""
WITH_PROGRAM = """
share/man/man1/suite.1 share/bash-completion/completions/suite share/zsh/site-functions/_suite share/fish/vendor_completions.d/suite.fish
share/suite/schema/suite-result-1.schema.json share/suite/schema/suite-bench-1.schema.json share/suite/schema/suite-compare-1.schema.json
share/suite/inputs/gpp.yaml share/suite/inputs/data/silicon/WFN_inner.h5 share/suite/inputs/data/README.md
"""


def files(prefix):
    return [path for path in sorted(prefix.rglob("*")) if path.is_file()]


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def complete(prefix, arguments):
    expected = EXPECTED + (WITH_PROGRAM if (prefix / "bin/suite").exists() else "")
    wrong = [f"not installed: {name}" for name in expected.format(lib=arguments.libdir).split() if not (prefix / name).exists()]
    # Nothing may point back into the tree that it was made from.
    places = [str(arguments.source).encode(), str(arguments.build).encode()]
    for path in files(prefix):
        if path.suffix != ".a" and not is_elf(path) and any(place in path.read_bytes() for place in places):
            wrong.append(f"names the tree that it was built in: {path.relative_to(prefix)}")
    return wrong


def runpaths(prefix, arguments):
    """Whoever moves the tree takes all of its libraries with it; a path to elsewhere is one that the linker was given."""
    wrong, count = [], 0
    for path in files(prefix):
        if path.suffix in (".a", ".o") or path.is_symlink() or not is_elf(path):
            continue
        count += 1
        said = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
        where = path.relative_to(prefix)
        if "(RPATH)" in said:
            wrong.append(f"{where} has RPATH, which LD_LIBRARY_PATH does not override, instead of RUNPATH")
        needed = re.findall(r"\(NEEDED\).*\[(.+)\]", said)
        own = [name for name in needed if name.startswith("libsuite")]
        found = set()
        for entry in ":".join(re.findall(r"\(RUNPATH\).*\[(.*)\]", said)).split(":"):
            if not entry:
                continue
            if entry.startswith("$ORIGIN"):
                folder = pathlib.Path(entry.replace("$ORIGIN", str(path.parent))).resolve()
                if not folder.is_dir() or not folder.is_relative_to(prefix.resolve()):
                    wrong.append(f"{where}: its RUNPATH {entry} leads out of the tree, to {folder}")
                found.update(name for name in own if (folder / name).exists())
            elif any(pathlib.Path(entry).is_relative_to(place) for place in (arguments.source, arguments.build, prefix)):
                wrong.append(f"{where}: its RUNPATH {entry} holds only where it was built")
            elif entry in ("/lib", "/usr/lib", "/lib64", "/usr/lib64"):
                wrong.append(f"{where}: its RUNPATH {entry} is where the loader looks anyway, and packages of Debian may not have it")
            elif not pathlib.Path(entry).is_dir():
                wrong.append(f"{where}: its RUNPATH {entry} is no folder")
        wrong += [f"{where} needs {name} and has no RUNPATH to it" for name in own if name not in found]
    print(f"{count} programs and libraries")
    return wrong if count else ["no program and no library is installed"]


def links(prefix, arguments):
    pages = [path for path in (prefix / "share/doc/suite").rglob("*.md")]
    wrong, count = [], 0
    for page in pages:
        for target in re.findall(r"\[[^\]\[]*\]\(([^)\s#:]+)(?:#[^)]*)?\)", page.read_text()):
            count += 1
            if not (page.parent / target).exists() and (arguments.source / page.relative_to(prefix / "share/doc/suite").parent / target).exists():
                wrong.append(f"{page.relative_to(prefix)} links to {target}, which is not installed")
    print(f"{count} links of {len(pages)} pages")
    return wrong if count > 100 else wrong + ["hardly a link was found"]


def versions(prefix, arguments):
    """The version is that of project() in CMakeLists.txt, and the date of the release that of CHANGELOG.md."""
    source, wrong = arguments.source, []

    def said(name, pattern, path):
        found = re.search(pattern, path.read_text(), re.MULTILINE)
        if not found:
            wrong.append(f"{path} says no {name}")
        return found[1] if found else None

    version = said("version", r"^project\(suite VERSION ([0-9.]+)", source / "CMakeLists.txt")
    released = said("date", rf"^## {re.escape(version)} - (\d{{4}}-\d\d-\d\d)$", source / "CHANGELOG.md")
    minor = ".".join(version.split(".")[:2])
    soname = re.search(r"\(SONAME\).*\[(.+)\]", subprocess.run(["readelf", "-dW", prefix / arguments.libdir / "libsuite.so"], capture_output=True, text=True,
                                                                check=True).stdout)[1]
    stated = [(said("version", r"^version: (.+)$", source / "CITATION.cff"), version, "CITATION.cff"),
              (said("date", r"^date-released: (.+)$", source / "CITATION.cff"), released, "date-released of CITATION.cff"),
              (said("version", r"^Version: (.+)$", prefix / arguments.libdir / "pkgconfig/suite.pc"), version, "suite.pc"),
              (said("version", r'^set\(PACKAGE_VERSION "(.+)"\)$', prefix / arguments.libdir / "cmake/suite/suiteConfigVersion.cmake"), version,
               "suiteConfigVersion.cmake"),
              (soname, "libsuite.so." + (minor if version.startswith("0.") else version.split(".")[0]), "the soname of libsuite")]
    if (prefix / "bin/suite").exists():
        page = prefix / "share/man/man1/suite.1"
        stated.append((said("version", r'^\.TH SUITE 1 "" "suite (.+?)"', page), version, "suite(1)"))
        shown = subprocess.run([prefix / "bin/suite", "version"], capture_output=True, text=True, check=True).stdout
        stated.append((shown.split()[1], version, "'suite version'"))
    wrong += [f"{where}: {is_!r} instead of {should!r}" for is_, should, where in stated if is_ != should]
    if released and datetime.date.fromisoformat(released) > datetime.date.today():
        wrong.append(f"{version} is released in the future, {released}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("complete", "runpaths", "links", "versions"))
    for name in ("prefix", "source", "build"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--libdir", required=True)
    arguments = parser.parse_args()
    wrong = globals()[arguments.what](arguments.prefix, arguments)
    sys.exit("\n".join(wrong) if wrong else 0)


main()
