#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site of the documentation: cmake --build build --target docs calls this, and so does its test.

    build.py --source <repository> --suite <program> --version <version> --fortran <folder>... --doxygen <program> --sphinx <program> --output <folder>

Leaves the pages in <output>/html. A warning of Sphinx or Doxygen is an error. Uses no network.
"""
import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


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
    print(f"{output}/html/index.html")


if __name__ == "__main__":
    main()
