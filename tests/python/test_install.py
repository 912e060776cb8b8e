# SPDX-License-Identifier: BSD-3-Clause
"""pip installs the package from the source tree into an environment of its own, as docs/python.md says: with the library that it builds, and without,
for one that is there. What pip needs for that comes from PyPI."""
import os
import pathlib
import subprocess
import sys
import unittest

from support import SMALL, SOURCE, Case, needs

TRY = f"""
import suite
k = suite.open("gpp.sigma", "cpu")
print(suite.__file__, suite.__version__, suite.root(), k(**k.generate({SMALL!r})).asxtemp.shape)
print(suite.run({{"kernel": "gpp.sigma", "size": {SMALL!r}}}, threads=1).status)
"""
OWN = {k: v for k, v in os.environ.items() if k not in ("SUITE_ROOT", "PYTHONPATH")}


@needs("venv", "ensurepip")
class Pip(Case):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "environment"
        subprocess.run([sys.executable, "-m", "venv", self.place], check=True)
        done = self.run_in("pip", "download", "--quiet", "--no-deps", "--dest", self.folder / "downloads", "scikit-build-core")
        if done.returncode:
            self.skipTest(f"pip cannot download scikit-build-core: {done.stderr.strip().splitlines()[-1]}")

    def run_in(self, program, *arguments, **environment):
        return subprocess.run([self.place / "bin" / program, *arguments], env={**OWN, **environment}, capture_output=True, text=True)

    def works(self, program, *arguments, **environment):
        done = self.run_in(program, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def use(self, **environment):
        """What is imported, and which suite it uses; a kernel and a run work with it."""
        *said, status = self.works("python", "-c", TRY, **environment).split()
        self.assertTrue(said[0].startswith(str(self.place)), said)
        self.assertEqual(status, "ok")
        self.works("pip", "check")
        return said

    def test_the_package_alone_uses_a_suite_that_is_there(self):
        self.works("pip", "install", SOURCE, "--config-settings", "wheel.cmake=false")
        self.assertEqual(self.use(SUITE_ROOT=os.environ["SUITE_ROOT"])[2], os.environ["SUITE_ROOT"])

    def test_library_plugins_and_program_are_built_and_installed(self):
        """Without the devices of other tests, which take most of the time. A compiler cache is used where the environment names one."""
        settings = [f"cmake.define.SUITE_WITH_{x}=OFF" for x in ("CUDA", "HIP", "OPENCL", "EMULATED", "MPI")] + ["cmake.define.SUITE_ONLY_APPS=vmc"]
        self.works("pip", "wheel", SOURCE, "--no-deps", "--wheel-dir", "wheels", *(word for s in settings for word in ("--config-settings", s)))
        (wheel,) = pathlib.Path("wheels").iterdir()
        self.assertRegex(wheel.name, r"^suite-[0-9.]+-py3-none-linux_\w+\.whl$")  # for any Python: ctypes needs no interface of one
        self.works("pip", "install", wheel)
        said = self.use()
        self.assertEqual(pathlib.Path(said[2]), pathlib.Path(said[0]).parent / "_installed")
        self.assertIn(said[1], self.works("suite", "--version"))


if __name__ == "__main__":
    unittest.main()
