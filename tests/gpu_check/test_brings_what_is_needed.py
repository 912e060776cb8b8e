# SPDX-License-Identifier: BSD-3-Clause
"""tools/gpu-check --packages: with nothing but those packages cmake finds all that it finds here."""
import os
import re
import shutil
import subprocess
import sys
import unittest

from checked import SOURCE, InAFolder, check

sys.path.insert(0, str(SOURCE / "tools"))
import gpu_check_packages  # noqa: E402


def features(build):
    # Of libraries only that they were found: where they lie differs.
    return {line.split(": ")[0]: "found" if "/" in line else line.split(": ", 1)[1] for line in (build / "features.txt").read_text().splitlines()}


@unittest.skipUnless(shutil.which("dpkg") and shutil.which("ninja"), "packages are Debian's; ninja's files are read")
class BringsWhatIsNeeded(InAFolder):
    def test_cmake_finds_in_the_packages_alone_what_it_finds_here(self):
        build, prefix = self.folder / "build", self.folder / "prefix"
        done = check("--packages", "--build", str(build))
        self.assertEqual(done.returncode, 0, done.stderr)
        names = done.stdout.split()
        here = features(build / "gpu-check" / "packages")
        if here.get("app dfpt") == "yes":
            self.assertIn("libeigen3-dev", names)
        self.assertFalse([name for name in names if name.startswith(("libc6", "gcc", "g++", "libstdc++", "libgomp"))], names)
        # What the packages would unpack: links to the installed files.
        for name in names:
            for file in gpu_check_packages.output("dpkg", "-L", name).splitlines():
                at = prefix / ("usr" + file if file.startswith("/lib") else file[1:])
                if os.path.isfile(file) and not file.startswith("/usr/share/doc"):
                    at.parent.mkdir(parents=True, exist_ok=True)
                    if not at.exists() and not at.is_symlink():
                        at.symlink_to(os.readlink(file) if os.path.islink(file) else file)
        # What is loaded with a library is there too, or came with the compiler.
        there = {file.name for file in prefix.rglob("*.so*")}
        for package in ("libc6", "libgcc-s1", "libstdc++6", "libgomp1"):
            there |= {os.path.basename(file) for file in gpu_check_packages.output("dpkg", "-L", package).splitlines()}
        for file in prefix.rglob("*.so*"):
            wanted = re.findall(r"\(NEEDED\).*\[(.*)\]", gpu_check_packages.output("readelf", "-d", file))
            self.assertEqual([name for name in wanted if name not in there], [], file)
        hidden = self.folder / "hidden"
        env = dict(os.environ)
        gpu_check_packages.use(env, prefix, gpu_check_packages.output("c++", "-print-multiarch").strip())
        tools = {"CMAKE_C_COMPILER": "cc", "CMAKE_CXX_COMPILER": "c++", "CMAKE_MAKE_PROGRAM": "ninja", "Python3_EXECUTABLE": "python3"}
        done = subprocess.run(["cmake", "-S", SOURCE, "-B", hidden, "-G", "Ninja", *gpu_check_packages.CONFIGURE, "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF",
                               "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF", *(f"-D{key}={shutil.which(name)}" for key, name in tools.items())],
                              capture_output=True, text=True, env=env)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
        found = features(hidden)
        self.assertEqual(found, here)
        cache = (hidden / "CMakeCache.txt").read_text()
        self.assertIn(f"fmt_DIR:PATH={prefix}/", cache)


if __name__ == "__main__":
    unittest.main()
