# SPDX-License-Identifier: BSD-3-Clause
"""docs/python.md, the examples in the sources, the types and the notebooks are right."""
import doctest
import importlib
import importlib.util
import io
import pathlib
import pkgutil
import re
import subprocess
import sys
import unittest

import suite
from support import SOURCE, Case, needs

NOTEBOOKS = SOURCE / "docs" / "notebooks"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Page(Case):
    def test_every_block_of_python(self):
        """In one namespace, as a reader has it. Blocks whose packages are missing are left out, and named."""
        text = (SOURCE / "docs" / "python.md").read_text()
        blocks = list(re.finditer(r"(?:<!-- needs: ([^\n]*) -->\n)?```python\n(.*?)```", text, re.DOTALL))
        self.assertGreater(len(blocks), 12)
        namespace, left_out = {}, set()
        for block in blocks:
            missing = {m for m in (block[1] or "").split() if importlib.util.find_spec(m) is None}
            if missing:
                left_out |= missing
                continue
            line = text.count("\n", 0, block.start()) + 1
            with self.subTest(f"docs/python.md:{line}"):
                if block[2].startswith(">>>"):
                    self.check_session(block[2], namespace, line)
                else:
                    exec(compile(block[2], f"docs/python.md:{line}", "exec"), namespace)
        if left_out:
            print(f"blocks left out, since these packages are not installed: {', '.join(sorted(left_out))}")

    def check_session(self, source, namespace, line):
        session = doctest.DocTestParser().get_doctest(source, namespace, f"python.md:{line}", "docs/python.md", line)
        report = io.StringIO()
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        runner.run(session, out=report.write, clear_globs=False)
        namespace.update(session.globs)
        self.assertEqual(runner.failures, 0, report.getvalue())


class Doctests(Case):
    def test_examples_of_the_modules(self):
        tried = 0
        for module in pkgutil.iter_modules(suite.__path__):
            if module.name in ("ase", "__main__"):
                continue
            results = doctest.testmod(importlib.import_module(f"suite.{module.name}"), optionflags=FLAGS)
            self.assertEqual(results.failed, 0, module.name)
            tried += results.attempted
        self.assertGreater(tried, 3)


class Types(Case):
    @needs("mypy")
    def test_mypy_is_content(self):
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", self.folder], cwd=SOURCE, capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_package_says_that_it_has_types(self):
        self.assertTrue((pathlib.Path(suite.__file__).parent / "py.typed").exists())


class Notebooks(Case):
    def run_notebook(self, name):
        """The text that its cells print or show."""
        import nbclient
        import nbformat

        notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
        for cell in notebook.cells:
            self.assertFalse(cell.get("outputs"), "notebooks are stored without outputs")
        nbclient.NotebookClient(notebook, timeout=3000, resources={"metadata": {"path": str(self.folder)}}, kernel_name="python3").execute()
        shown = []
        for cell in notebook.cells:
            for output in cell.get("outputs", []):
                shown.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
        return "\n".join(shown)


@needs("nbclient", "ipykernel")
class ShortNotebooks(Notebooks):
    @needs("ase", "pandas", "matplotlib")
    def test_polarizabilities_with_ase(self):
        shown = self.run_notebook("polarizability_ase.ipynb")
        self.assertIn("energy -75.9098 Ha", shown)  # as inputs/h2o.yaml states
        self.assertIn("9.512 8.491 9.025 bohr^3", shown)

    def test_a_kernel_of_ones_own(self):
        shown = self.run_notebook("own_kernel.ipynb")
        self.assertRegex(shown, r"mine +verified, max rel")
        self.assertRegex(shown, r"hasty +FAILED")


@needs("nbclient", "ipykernel", "ase", "pandas", "matplotlib")
class LongNotebooks(Notebooks):
    def test_silicon_from_files(self):
        self.assertIn("gap 1.2072 eV", self.run_notebook("silicon_gw.ipynb"))

    def test_absorption_of_a_molecule(self):
        self.assertIn("lines at 2.08 and 2.71 eV", self.run_notebook("absorption.ipynb"))


class Stored(Case):
    def test_all_notebooks_are_run(self):
        source = pathlib.Path(__file__).read_text()
        for notebook in NOTEBOOKS.glob("*.ipynb"):
            self.assertIn(notebook.name, source)


if __name__ == "__main__":
    unittest.main()
