# SPDX-License-Identifier: BSD-3-Clause
"""pip installs the package from the source tree: with the library that it builds, and without, for one that is there."""
import os
import pathlib
import subprocess
import sys
import unittest

from support import SMALL, SOURCE, Case, needs

TRY = f"""
import sys, suite
assert suite.__file__.startswith(sys.argv[1]), suite.__file__
k = suite.open("gpp.sigma", "cpu")
print(suite.__version__, suite.root(), k(**k.generate({SMALL!r})).asxtemp.shape)
print(suite.run({{"kernel": "gpp.sigma", "size": {SMALL!r}}}, threads=1).status)
"""


@needs("scikit_build_core", "pip")
class Pip(Case):
    def install(self, *settings):
        """Into a folder, by the tools that this Python has: nothing is downloaded. Returns the folder."""
        target = self.folder / "site"
        words = [word for setting in settings for word in ("-C", setting)]
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--target", target, *words, SOURCE],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return target

    def use(self, target, **environment):
        bare = {k: v for k, v in os.environ.items() if k not in ("SUITE_ROOT", "PYTHONPATH")}
        done = subprocess.run([sys.executable, "-c", TRY, target], env={**bare, "PYTHONPATH": str(target), **environment}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def test_the_package_alone_uses_a_suite_that_is_there(self):
        target = self.install("wheel.cmake=false")
        said = self.use(target, SUITE_ROOT=os.environ["SUITE_ROOT"])
        self.assertEqual((said[1], said[-1]), (os.environ["SUITE_ROOT"], "ok"))

    def test_library_plugins_and_program_are_built_and_installed(self):
        """Without the devices of other tests, which take most of the time. A compiler cache is used where the environment names one."""
        off = [f"cmake.define.SUITE_WITH_{x}=OFF" for x in ("CUDA", "HIP", "OPENCL", "EMULATED", "MPI")]
        target = self.install(*off, "cmake.define.SUITE_ONLY_APPS=vmc")
        said = self.use(target)
        self.assertEqual(pathlib.Path(said[1]), target / "suite" / "_installed")
        self.assertEqual(said[-1], "ok")
        version = subprocess.run([target / "bin" / "suite", "--version"], env={**os.environ, "PYTHONPATH": str(target)}, capture_output=True, text=True)
        self.assertIn(said[0], version.stdout, version.stderr)


if __name__ == "__main__":
    unittest.main()
