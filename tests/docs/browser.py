# SPDX-License-Identifier: BSD-3-Clause
"""Every page of a folder in one headless Chromium, in a frame as wide as a phone's screen: whether it is wider than that, and what axe-core (WCAG 2.1 A and AA,
and best practices) finds in it, in light and in dark. The system of its reader asks for dark pages."""
import functools
import http.server
import importlib.util
import json
import pathlib
import queue
import shutil
import subprocess
import tempfile
import threading

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PHONE = 390  # CSS pixels
PATIENCE = 120  # seconds for a page

# One frame after the other. A page of the theme furo is dark where its body says so.
HOST = """<iframe id="frame" style="width: %dpx; height: 800px; border: 0"></iframe><script>
const frame = document.getElementById('frame');
const tell = found => fetch('/found', {method: 'POST', body: JSON.stringify(found)});
const open_page = page => new Promise(done => { frame.onload = done; frame.src = page; });
async function visit(page) {
  await open_page(page);
  const there = frame.contentWindow, found = {page, wide: there.document.documentElement.scrollWidth, passes: 0, violations: []};
  const dressed = theme => { there.document.body.dataset.theme = theme; return there.getComputedStyle(there.document.body).backgroundColor; };
  found.dark = there.document.body.dataset.theme === undefined || dressed('auto') === dressed('dark') && dressed('dark') !== dressed('light');
  if (axe_source) {
    there.document.head.append(Object.assign(there.document.createElement('script'), {textContent: axe_source}));
    for (const theme of ['light', 'dark']) {
      there.document.body.dataset.theme = theme;
      const only = theme === 'dark' ? {runOnly: ['color-contrast', 'link-in-text-block']} : {};
      const axe = await there.axe.run(only);
      found.passes += axe.passes.length;
      for (const v of axe.violations) found.violations.push(`${theme}: ${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html).join(' ')}`);
    }
  }
  await tell(found);
}
(async () => { for (const page of pages) try { await visit(page); } catch (e) { await tell({page, trouble: String(e)}); } })();
</script>""" % PHONE


def axe_script():
    """axe.min.js as the Python package carries it; None without it."""
    package = importlib.util.find_spec("axe_core_python")
    path = pathlib.Path(package.origin).with_name("axe.min.js") if package else None
    return path.read_text() if path and path.exists() else None


class Server(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, host_page, found, **named):
        self.host_page, self.found = host_page.encode(), found
        super().__init__(*arguments, **named)

    def do_GET(self):
        if self.path != "/host":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.host_page)

    def do_POST(self):
        self.found.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def visit(folder, pages):
    """What is wrong with these pages of a folder, a sentence each."""
    found, axe = queue.Queue(), axe_script()
    # "</script>" in it would end the script that holds it.
    constants = f"const pages = {json.dumps(pages)}, axe_source = {json.dumps(axe)};".replace("</", "<\\/")
    handler = functools.partial(Server, directory=str(folder), host_page=f"<!DOCTYPE html><title>host</title><script>{constants}</script>{HOST}", found=found)
    wrong = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--blink-settings=preferredColorScheme=0", f"--user-data-dir={profile}",
                                    "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_address[1]}/host"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for page in pages:
                one = found.get(timeout=PATIENCE)
                if one.get("trouble"):
                    wrong.append(f"{page}: {one['trouble']}")
                    continue
                if one["wide"] > PHONE:
                    wrong.append(f"{page}: {one['wide']} pixels wide on a phone of {PHONE}")
                if not one["dark"]:
                    wrong.append(f"{page}: not dark where the system asks for dark pages")
                if axe and one["passes"] < 10:
                    wrong.append(f"{page}: axe has not looked at it")
                wrong += [f"{page}: {v}" for v in one["violations"]]
        except queue.Empty:
            wrong.append(f"{page}: Chromium says nothing about it for {PATIENCE} s")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    if not axe:
        print("NOT CHECKED: the pages are accessible: no axe-core here (pip install axe-core-python)")
    return wrong
