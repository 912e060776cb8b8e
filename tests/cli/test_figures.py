# SPDX-License-Identifier: BSD-3-Clause
"""Figures with their data and scripts, and densities, as other programs read them."""
import csv
import json
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from small_inputs import APPS
from suite_program import Case, HERE, suite

try:
    import matplotlib
except ImportError:
    matplotlib = None
try:
    import ase.io.cube
except ImportError:
    ase = None
BOHR = 0.52917721092
CONVERTER = next((p for p in ("rsvg-convert", "cairosvg", "chromium", "chromium-browser", "google-chrome") if shutil.which(p)), None)


def read_cube(path):
    """Electrons, atoms as (number, charge, position) and the grid, in bohr."""
    lines = path.read_text().splitlines()
    count, *origin = [float(word) for word in lines[2].split()]
    axes = [[float(word) for word in line.split()] for line in lines[3:6]]
    atoms = [[float(word) for word in line.split()] for line in lines[6:6 + int(count)]]
    values = [float(word) for line in lines[6 + int(count):] for word in line.split()]
    points = [int(axis[0]) for axis in axes]
    assert len(values) == points[0] * points[1] * points[2]
    volume = axes[0][1] * axes[1][2] * axes[2][3]
    return {"electrons": sum(values) * volume, "atoms": atoms, "points": points, "origin": origin, "values": values}


PICTURES = HERE.parents[1] / "docs/pictures"


def labels(svg):
    """What has a unit, or another word in brackets, in a figure."""
    texts = ("".join(t.itertext()) for t in ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text"))
    return {text for text in texts if "(" in text}


class Figures(Case):
    def run_app(self, app, *arguments):
        self.write(app + ".yaml", APPS[app])
        done = suite("run", app + ".yaml", "--output", app, "--quiet", *arguments, folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads((self.folder / app / "result.json").read_text())["results"]

    def export(self, app, *arguments, code=0):
        done = suite("report", app, "--figures", "figures", *arguments, folder=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        return sorted(path.name for path in (self.folder / "figures").iterdir())

    def test_the_pages_show_the_figures_of_today(self):
        """docs/pictures/make draws them again."""
        seen = set()
        for app in APPS:
            for name in self.run_app(app)["files"]:
                if name.endswith(".svg") and (PICTURES / name).is_file():
                    seen.add(name)
                    with self.subTest(name):
                        # A small run may lack a panel.
                        self.assertEqual(labels(self.folder / app / name) - labels(PICTURES / name), set())
        self.assertTrue(seen or not APPS)

    @unittest.skipUnless("vmc" in APPS, "the vmc app is not in this build")
    def test_each_figure_has_its_data_and_a_script(self):
        files = self.run_app("vmc")["files"]
        drawings = sorted(name[:-4] for name in files if name.endswith(".svg"))
        self.assertIn("pairs", drawings)
        self.assertEqual(self.export("vmc"), sorted(name + end for name in drawings for end in (".csv", ".py", ".svg")))
        # g(r) of the figure is that of the app's own file, with its error.
        with open(self.folder / "figures" / "pairs.csv", newline="") as file:
            drawn = [row for row in csv.DictReader(file) if (row["panel"], row["series"]) == ("1", "1 total")]
        own = [line.split(",") for line in (self.folder / "vmc" / "pair_correlation.csv").read_text().splitlines() if line[0].isdigit()]
        self.assertEqual(len(drawn), len(own))
        for row, (r, g, error, *_) in zip(drawn, own):
            self.assertAlmostEqual(float(row["x"]), float(r), delta=1e-5)
            self.assertAlmostEqual(float(row["y"]), float(g), delta=1e-5)
            self.assertAlmostEqual(float(row["high"]) - float(row["y"]), float(error), delta=6e-3 * abs(float(error)) + 1e-6)
        for name in drawings:
            compile((self.folder / "figures" / (name + ".py")).read_text(), name, "exec")
        self.refused(["report", "vmc", "--figures", "figures"], 2,
                     "suite: error: --figures 'figures' is not empty; figures are never overwritten\nsee: suite report --help\n")
        self.refused(["report", "vmc", "--figures", "f", "--format", "pgn"], 2,
                     "suite: error: --format has 'pgn'; it takes svg, pdf and png, separated by commas; did you mean 'png'?\nsee: suite report --help\n")

    @unittest.skipUnless("tddft" in APPS, "the tddft app is not in this build")
    @unittest.skipUnless(matplotlib, "NOT DRAWN: no matplotlib here (apt install python3-matplotlib)")
    def test_the_scripts_draw(self):
        self.run_app("tddft")
        for script in [name for name in self.export("tddft") if name.endswith(".py")]:
            picture = self.folder / (script + ".png")
            subprocess.run([sys.executable, str(self.folder / "figures" / script), str(picture)], check=True, timeout=300,
                           env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "MPLBACKEND": "Agg"})
            self.assertGreater(picture.stat().st_size, 5000)

    @unittest.skipUnless("dfpt" in APPS, "the dfpt app is not in this build")
    @unittest.skipUnless(CONVERTER, "NOT CONVERTED: no rsvg-convert, cairosvg or Chromium here (apt install librsvg2-bin)")
    def test_pdf_and_png(self):
        self.run_app("dfpt")
        self.export("dfpt", "--format", "pdf,png")
        self.assertTrue((self.folder / "figures" / "convergence.pdf").read_bytes().startswith(b"%PDF"))
        self.assertTrue((self.folder / "figures" / "convergence.png").read_bytes().startswith(b"\x89PNG"))
        self.assertFalse([path for path in (self.folder / "figures").iterdir() if ".part" in path.name])

    @unittest.skipUnless("dfpt" in APPS, "the dfpt app is not in this build")
    def test_without_a_converter_the_rest_is_written(self):
        self.run_app("dfpt")
        (self.folder / "empty").mkdir()
        done = suite("report", "dfpt", "--figures", "figures", "--format", "pdf", folder=self.folder, environment={"PATH": str(self.folder / "empty")})
        self.assertEqual(done.returncode, 3)
        self.assertIn("install rsvg-convert (Debian: librsvg2-bin)", done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "figures").iterdir()), ["convergence.csv", "convergence.py", "convergence.svg"])

    def test_drawings_are_whole(self):
        """Well formed, every line named where there are several, and dark for who reads in the dark."""
        for app in sorted(APPS):
            with self.subTest(app):
                files = self.run_app(app)["files"]
                for name in (n for n in files if n.endswith(".svg")):
                    text = (self.folder / app / name).read_text()
                    root = ElementTree.fromstring(text)
                    self.assertIn("prefers-color-scheme:dark", text)
                    data = json.loads(root.find("{http://www.w3.org/2000/svg}metadata").text)
                    for panel in data["panels"]:
                        self.assertTrue(all(series["name"] for series in panel["series"]), (name, panel["title"]))
                        for label in (panel["x_label"], panel["y_label"]):
                            self.assertNotRegex(label, r"\^\d|1/[a-zA-Z]|hbar|alpha|eps\b", name)


class Densities(Case):
    run_app = Figures.run_app

    @unittest.skipUnless("tddft" in APPS, "the tddft app is not in this build")
    def test_of_a_crystal(self):
        found = self.run_app("tddft", "--set", "output.density=cube")
        self.assertLessEqual({"density.cube", "density_end.cube"}, set(found["files"]))
        for name in ("density.cube", "density_end.cube"):
            cube = read_cube(self.folder / "tddft" / name)
            self.assertAlmostEqual(cube["electrons"], 4, delta=1e-4)
            self.assertEqual(cube["points"], [14, 14, 16])
            self.assertEqual(cube["atoms"], [[14, 4, 0.3, 0.2, 0.1]])
            self.assertEqual(cube["origin"], [-3, -3, -3.4])

    @unittest.skipUnless("tddft" in APPS, "the tddft app is not in this build")
    def test_xsf_holds_the_same(self):
        self.run_app("tddft", "--set", "output.density=cube")
        cube = read_cube(self.folder / "tddft" / "density.cube")
        shutil.rmtree(self.folder / "tddft")
        self.run_app("tddft", "--set", "output.density=xsf")
        text = (self.folder / "tddft" / "density.xsf").read_text()
        cell = [[float(word) for word in line.split()] for line in text.partition("PRIMVEC\n")[2].splitlines()[:3]]
        self.assertEqual([round(cell[d][d] / BOHR, 5) for d in range(3)], [6, 6, 6.8])
        grid = text.partition("BEGIN_DATAGRID_3D_density\n")[2].partition("END_DATAGRID_3D")[0].splitlines()
        nx, ny, nz = (int(word) for word in grid[0].split())
        self.assertEqual((nx, ny, nz), (15, 15, 17))
        values = [float(word) for line in grid[5:] for word in line.split()]
        for x, y, z in ((0, 0, 0), (3, 7, 5), (13, 13, 15)):
            self.assertEqual(values[x + nx * (y + ny * z)], cube["values"][(x * 14 + y) * 16 + z])
        self.assertEqual(values[14], values[0])  # the last plane is the first

    @unittest.skipUnless("tddft" in APPS, "the tddft app is not in this build")
    def test_a_molecule_has_no_xsf(self):
        self.write("tddft.yaml", re.sub(r"  boundary: periodic\n|  kpoints: .*\n", "", APPS["tddft"]))
        done = suite("check", "tddft.yaml", "--set", "output.density=xsf", folder=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("'xsf' is a format for crystals; a molecule has 'cube'", done.stderr)

    @unittest.skipUnless("dfpt" in APPS, "the dfpt app is not in this build")
    def test_of_a_molecule(self):
        self.run_app("dfpt", "--set", "output.density=cube", "--set", "output.spacing=0.25 bohr")
        cube = read_cube(self.folder / "dfpt" / "density.cube")
        # The sum over a grid that does not know the nuclei: a cusp of hydrogen is worth a thousandth.
        self.assertAlmostEqual(cube["electrons"], 2, delta=0.01)
        self.assertEqual([atom[0] for atom in cube["atoms"]], [1, 1])
        self.assertEqual(sorted(atom[4] for atom in cube["atoms"]), [-0.7, 0.7])

    @unittest.skipUnless("dfpt" in APPS, "the dfpt app is not in this build")
    @unittest.skipUnless(ase, "NOT READ BY ASE: it is not installed here (apt install python3-ase)")
    def test_ase_reads_it(self):
        self.run_app("dfpt", "--set", "output.density=cube", "--set", "output.spacing=0.4 bohr")
        with open(self.folder / "dfpt" / "density.cube") as file:
            read = ase.io.cube.read_cube(file)
        self.assertEqual(read["atoms"].get_chemical_symbols(), ["H", "H"])
        self.assertAlmostEqual(read["atoms"].get_distance(0, 1), 1.4 * BOHR, places=4)
        self.assertEqual(list(read["data"].shape), read_cube(self.folder / "dfpt" / "density.cube")["points"])


if __name__ == "__main__":
    unittest.main()
