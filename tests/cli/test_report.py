# SPDX-License-Identifier: BSD-3-Clause
"""suite report: the page is right, valid, safe, and fits on a screen, a telephone and paper."""
import html
import json
import re
import shutil
import subprocess
import unittest

from suite_program import Case, HERE, SMALL_KERNEL, WRONG_PLUGIN, suite

try:
    import html5lib
except ImportError:
    html5lib = None
TIDY = shutil.which("tidy")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZE = ["--size", "ntband=4,ngpown=8,ncouls=32,nw=2"]
EVIL = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>\u202e\u0007]]>--><style>"


def text_of(page):
    return html.unescape(re.sub(r"<[^>]*>", " ", page))


class Report(Case):
    def result(self, name, *arguments):
        """A result of the program itself, as an object."""
        suite(*arguments, "--output", name, "--quiet", folder=self.folder)
        return json.loads((self.folder / name / "result.json").read_text())

    def page(self, *results, expect=0):
        done = suite("report", *results, "--output", "page.html", folder=self.folder)
        self.assertEqual(done.returncode, expect, done.stderr)
        page = (self.folder / "page.html").read_text()
        (self.folder / "page.html").unlink()
        self.check(page)
        return page

    def check(self, page):
        """Nothing that acts, nothing from elsewhere; valid where a checker is installed."""
        self.assertIn("default-src 'none'", html.unescape(page))
        self.assertNotRegex(page.lower(), r"<script|<iframe|<object|<embed|<link|<base|<form|javascript:")
        bare = re.sub(r'"[^"]*"', '""', re.sub(r">[^<]*<", "><", page))  # elements and names of attributes only
        self.assertNotRegex(bare, r"\son\w+\s*=")
        for attribute, value in re.findall(r"\b(href|src)=\"([^\"]*)\"", page):
            self.assertTrue(value.startswith("#") or value.startswith("data:image/svg+xml;base64,"), f"{attribute}={value[:60]}")
        self.assertNotRegex(page, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
        if html5lib:
            parser = html5lib.HTMLParser(namespaceHTMLElements=False)
            tree = parser.parse(page)
            # A slash at the end of an empty element is allowed in HTML, if of no use.
            errors = [e for e in parser.errors if e[1] != "non-void-element-with-trailing-solidus"]
            self.assertEqual(errors, [])
            ids = [e.get("id") for e in tree.iter() if e.get("id")]
            self.assertEqual(len(ids), len(set(ids)))
            for link in tree.iter():
                if (link.get("href") or "").startswith("#"):
                    self.assertIn(link.get("href")[1:], ids)
            for picture in tree.iter("img"):
                self.assertTrue(picture.get("alt"))

    def kernel_run(self, name="run"):
        self.write("k.yaml", SMALL_KERNEL)
        return self.result(name, "run", "k.yaml")

    def test_the_rate_of_a_kernel_in_a_run_is_that_of_all_its_calls(self):
        run = HERE.parent / "fuzz" / "results" / "gw.json"
        row = json.loads(run.read_text())["kernels"][0]
        self.assertIn(f"G terms/s</td><td class=\"n\">{row['flops'] / sum(row['samples_s']) / 1e9:.3g}</td>", self.page(run))

    def test_a_wrong_answer_has_no_time(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.result("both", "compare", "k.yaml", "--implementations", f"reference,cpu,{WRONG_PLUGIN}")
        page = self.page("both")
        text = text_of(page)
        self.assertIn("No: 1 wrong", text)
        self.assertIn("FAILED, not ranked", text)
        wrong = [row for row in re.findall(r"<tr>.*?</tr>", page) if WRONG_PLUGIN.name in row]
        self.assertTrue(wrong)
        for row in wrong:
            self.assertNotRegex(text_of(row), r"\d (s|ms|µs|ns)\b")

    def test_every_kind_of_result_has_its_sections(self):
        run = self.kernel_run()
        self.result("ladder", "ladder", "gpp.sigma", *SIZE, "--repeat", "6")
        self.result("bench", "bench", "gpp.sigma", *SIZE, "--repeat", "6", "--implementations", "reference,cpu")
        for name in ("run", "ladder", "bench"):
            page = self.page(name)
            for section in ("right", "fastest", "limit", "measured"):
                self.assertIn(f'<section id="{section}">', page, name)
        self.assertIn("V100", text_of(self.page("ladder")))
        page = text_of(self.page("run"))
        for wanted in (run["provenance"]["host"]["cpu"], run["provenance"]["utc"], run["provenance"]["input"]["sha256"][:16], "verified", "suite run k.yaml"):
            self.assertIn(wanted, page)
        # Several results make one page, each with its mark.
        page = self.page("run", "ladder", "bench")
        self.assertIn('<span class="mark">C</span>', page)

    def test_numbers_are_those_of_the_file(self):
        found = self.kernel_run()
        # A whole number of milliseconds each, so that the page has to say exactly these.
        found["kernels"][0]["samples_s"] = [0.011, 0.012, 0.013, 0.014, 0.015, 0.016, 0.017]
        self.write("planted.json", json.dumps(found))
        page = text_of(self.page("planted.json"))
        self.assertIn("14.0 ms", page)
        self.assertIn("11.0 ms – 17.0 ms", page)
        self.assertIn("0.011 0.012 0.013 0.014 0.015 0.016 0.017", page)

    def test_the_lead_of_a_ladder_is_over_its_first_step(self):
        found = self.result("ladder", "ladder", "gpp.sigma", *SIZE, "--repeat", "6")
        steps = {step["step"]: step for step in found["blocks"][0]["steps"]}
        for name, step in steps.items():
            seconds = {"v1": 0.08, "best": 0.01}.get(name, 0.02)
            step.update(samples_s=[seconds] * 6, median_s=seconds, low_s=seconds, high_s=seconds)
        steps["best"]["ratio"].update(median=0.5, low=0.5, high=0.5)
        self.write("planted.json", json.dumps(found))
        self.assertIn("8.00 times as fast as v1", text_of(self.page("planted.json")))

    def test_the_closest_to_the_roof_is_that_of_all_results(self):
        found = self.result("bench", "bench", "gpp.sigma", *SIZE, "--repeat", "6", "--implementations", "cpu")
        (row,) = found["blocks"][0]["contenders"]
        for name, rate in (("far.json", 1e10), ("near.json", 6e10)):
            found["blocks"][0]["fma_flop_per_s"] = row["fma_flop_per_s"] = 1e11
            row.update(samples_s=[1.0] * 6, median_s=1.0, low_s=1.0, high_s=1.0, flops=6 * rate)
            self.write(name, json.dumps(found))
        page = text_of(self.page("far.json", "near.json"))
        self.assertRegex(page, r"60 %\s+· of the measured FMA roof: gpp\.sigma on cpu[^.]*, result B, the closest on this page\.")
        self.assertRegex(text_of(self.page("near.json", "far.json")), r"60 %\s+· of the measured FMA roof: gpp\.sigma on cpu[^.]*, result A, the closest on this page\.")

    def test_no_lead_over_the_reference(self):
        """It is a specification; a lead is over another implementation."""
        found = self.result("bench", "bench", "gpp.sigma", *SIZE, "--repeat", "6", "--implementations", "reference,cpu")
        for row, seconds in zip(found["blocks"][0]["contenders"], (0.08, 0.02)):
            row.update(samples_s=[seconds] * 6, median_s=seconds, low_s=seconds, high_s=seconds)
        self.write("beside_reference.json", json.dumps(found))
        self.assertNotIn("times as fast", text_of(self.page("beside_reference.json")))
        found["blocks"][0]["contenders"][0]["implementation"] = "mine"
        found["blocks"][0]["contenders"][1]["ratio"].update(median=0.25, low=0.25, high=0.25)
        self.write("beside_mine.json", json.dumps(found))
        self.assertIn("4.00 times as fast as mine", text_of(self.page("beside_mine.json")))

    def test_names_are_text(self):
        def poison(value, key=""):
            if isinstance(value, dict):
                return {k: poison(v, k) for k, v in value.items()}
            if isinstance(value, list):
                return [poison(v, key) for v in value]
            return EVIL if isinstance(value, str) and key not in ("schema", "status", "app", "unit", "better") else value

        self.write("evil.json", json.dumps(poison(self.kernel_run())))
        page = self.page("evil.json")
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", page)
        self.assertNotIn("<img src=x", page)

    def app_run(self, files):
        found = self.kernel_run()
        found["app"], found["title"] = "vmc", "a planted run"
        found["results"] = {"energy_Ha": -1.0992142, "error_Ha": 0.00030597, "peaks": [{"energy_eV": 2.081, "strength": 0.64}],
                            "polarizability_bohr3": [[1.5, 0, 0], [0, 1.5, 0], [0, 0, 2.5]], "grid": {"points": [4, 5, 6]}, "files": files}
        (self.folder / "run" / "result.json").write_text(json.dumps(found))

    def test_an_apps_numbers_and_figures_are_there(self):
        self.app_run(["good.svg", "acts.svg", "../run/good.svg", "missing.svg", "numbers.csv"])
        good = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10"><title>a &lt;line&gt;</title><path d="M0 0h9"/></svg>\n'
        (self.folder / "run" / "good.svg").write_text(good)
        (self.folder / "run" / "acts.svg").write_text(good.replace("<path", "<script>alert(1)</script><path"))
        page = self.page("run")
        text = text_of(page)
        self.assertEqual(page.count("<img "), 1)
        self.assertIn('alt="a &lt;line&gt;"', page)
        for wanted in ("-1.09921 ± 0.00031 Ha", "2.0810", "4, 5, 6", "figure acts.svg is omitted", "figure missing.svg is omitted", "figure ../run/good.svg is omitted"):
            self.assertIn(wanted, text)

    def test_laws_are_counted(self):
        self.app_run([])
        found = json.loads((self.folder / "run" / "result.json").read_text())
        law = {"name": "norm", "deviation": 0.0, "bound": 1e-9, "unit": "1", "verdict": "holds", "meaning": "electrons are lost"}
        found["consistency"] = [law, {**law, "name": "energy", "deviation": 1.0, "verdict": "broken"},
                                {**law, "name": "Hermiticity of eps^-1", "deviation": 2.5e-15, "unit": ""}]
        (self.folder / "run" / "result.json").write_text(json.dumps(found))
        text = text_of(self.page("run"))
        for wanted in ("2 of 3 conservation laws, sum rules and symmetries hold.", "Hermiticity of ε⁻¹", "2.5·10⁻¹⁵", "1·10⁻⁹ 1"):
            self.assertIn(wanted, text)

    def test_pages_are_never_written_over(self):
        self.kernel_run()
        first = suite("report", "run", folder=self.folder)
        self.assertIn("report in run/report.html", first.stdout)
        self.assertIn("already", suite("report", "run", folder=self.folder).stdout)
        (self.folder / "run" / "report.html").write_text("mine")
        self.assertIn("run/report-2.html", suite("report", "run", folder=self.folder).stdout)
        self.assertEqual((self.folder / "run" / "report.html").read_text(), "mine")
        refused = suite("report", "run", "--output", "k.yaml", folder=self.folder)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("never written over", refused.stderr)

    def test_what_is_no_result_is_refused(self):
        self.write("no.json", "{\"schema\": \"suite-result-9\"}")
        for name, code in (("no.json", 2), ("missing.json", 6), (".", 6), ("last", 6)):
            done = suite("report", name, folder=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertFalse(list(self.folder.glob("*.html")))
        self.assertEqual(suite("report", folder=self.folder).returncode, 2)

    @unittest.skipUnless(TIDY, "NOT CHECKED: no 'tidy' here (apt install tidy)")
    def test_tidy_has_nothing_to_say(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.result("both", "compare", "k.yaml", "--implementations", f"reference,cpu,{WRONG_PLUGIN}")
        suite("report", "both", folder=self.folder)
        done = subprocess.run([TIDY, "-quiet", "-errors", str(self.folder / "both" / "report.html")], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


# Looks at the page from inside: how wide it is, and what of the figures lies outside of the window.
PROBE = """<script>
const w = innerWidth, out = [...document.querySelectorAll('svg.chart text, svg.chart rect')].filter(e => {
  const b = e.getBoundingClientRect(); return b.width > 0 && (b.right > w + 1 || b.left < -1); });
const drawn = [...document.querySelectorAll('svg.chart')].filter(e => e.getBoundingClientRect().height > 50);
document.title = JSON.stringify({window: w, page: document.documentElement.scrollWidth, outside: out.map(e => e.textContent), drawn: drawn.length});
</script>"""


@unittest.skipUnless(CHROMIUM, "NOT RENDERED: no Chromium here (apt install chromium)")
class Browser(Case):
    result = Report.result

    def setUp(self):
        super().setUp()
        self.write("k.yaml", SMALL_KERNEL)
        self.result("both", "compare", "k.yaml", "--implementations", f"reference,cpu,{WRONG_PLUGIN}")
        suite("report", "both", folder=self.folder)
        self.file = self.folder / "both" / "report.html"

    def chromium(self, *options):
        done = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                               f"--user-data-dir={self.folder / 'profile'}", *options], capture_output=True, text=True, timeout=180)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout

    def test_nothing_is_cut_off(self):
        page = self.file.read_text()
        probed = self.folder / "probed.html"
        probed.write_text(re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</body>", PROBE + "</body>"))
        for width in (400, 1100):
            dom = self.chromium(f"--window-size={width},900", "--dump-dom", f"file://{probed}")
            found = json.loads(html.unescape(re.search(r"<title>(\{.*?\})</title>", dom).group(1)))
            self.assertLessEqual(found["page"], found["window"], width)
            self.assertEqual(found["outside"], [], width)
            self.assertEqual(found["drawn"], 3)

    def test_it_is_drawn_and_printed(self):
        picture, paper = self.folder / "page.png", self.folder / "page.pdf"
        self.chromium("--window-size=1100,1600", f"--screenshot={picture}", f"file://{self.file}")
        self.assertGreater(picture.stat().st_size, 40000)  # an empty page has 10 kB
        self.chromium("--no-pdf-header-footer", f"--print-to-pdf={paper}", f"file://{self.file}")
        self.assertTrue(paper.read_bytes().startswith(b"%PDF"))
        self.assertGreater(paper.stat().st_size, 20000)


if __name__ == "__main__":
    unittest.main()
