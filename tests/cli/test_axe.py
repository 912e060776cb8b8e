# SPDX-License-Identifier: BSD-3-Clause
"""Pages are accessible: axe-core (WCAG 2.1 A and AA, and best practices) finds nothing in headless Chromium, in light and dark."""
import html
import json
import re
import sys
import unittest

import test_report
from suite_program import Case, HERE, suite

sys.path.append(str(HERE.parent / "docs"))
import browser

RESULTS = HERE.parent / "fuzz" / "results"
AXE = browser.axe_script()
RUN = """<script>
axe.run().then(found => { document.title = JSON.stringify(
  {passes: found.passes.length, violations: found.violations.map(v => v.id + ': ' + v.help + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' '))}); });
</script>"""


@unittest.skipUnless(test_report.CHROMIUM, "NOT CHECKED: no Chromium here (apt install chromium)")
@unittest.skipUnless(AXE, "NOT CHECKED: no axe-core here (pip install axe-core-python)")
class Accessible(Case):
    chromium = test_report.Browser.chromium

    def check(self, page, what):
        probed = self.folder / "probed.html"
        probed.write_text(re.sub(r"<meta http-equiv[^>]*>", "", page).replace("</body>", f"<script>{AXE}</script>{RUN}</body>"))
        for scheme in ("light", "dark"):
            dom = self.chromium("--window-size=1280,900", f"--blink-settings=preferredColorScheme={0 if scheme == 'dark' else 1}",
                                "--virtual-time-budget=30000", "--dump-dom", f"file://{probed}")
            title = re.search(r"<title>(\{.*?\})</title>", dom, re.DOTALL)
            self.assertTrue(title, f"axe has not finished with {what}")
            found = json.loads(html.unescape(title.group(1)))
            self.assertGreater(found["passes"], 10)
            self.assertEqual(found["violations"], [], f"{what}, {scheme}")

    def test_pages_of_results(self):
        for name in sorted(path.name for path in RESULTS.glob("*.json")):
            with self.subTest(name):
                done = suite("report", RESULTS / name, "--output", name + ".html", folder=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.check((self.folder / (name + ".html")).read_text(), name)

    def test_page_of_a_history(self):
        for name in ("bench", "compare", "ladder"):
            self.write(f"results/{name}/result.json", (RESULTS / f"{name}.json").read_bytes())
        done = suite("history", "--output", "history.html", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.check((self.folder / "history.html").read_text(), "the history")


if __name__ == "__main__":
    unittest.main()
