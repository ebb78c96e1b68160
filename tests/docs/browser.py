#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""browser.py HTML [PICTURES] - searches the site in HTML in a headless browser and opens each of its pages.

A search types a word as a reader does and looks at the first results. A page must show its title and its pictures, must
not be wider than the window, may show no marks of Markdown in its text, and may write no error to the console. PICTURES
is a folder for a picture of each page. Exits 77 where there is no Chromium.
"""

import base64
import functools
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

SKIPPED = 77
# Word typed: page that must be among the first results. Names are C's, NumPy's, Julia's and Fortran's.
SEARCHES = {
    "arr_argsort": "docs/reference/sorting.html",
    "argmax": "docs/reference/sorting.html",
    "ARR_THREADS": "docs/environment.html",
    "launch kernel": "docs/reference/kernels.html",
    "numpy.concatenate": "docs/reference/manipulation.html",
    "permutedims": "docs/reference/manipulation.html",
    "sortperm": "docs/reference/sorting.html",
    "dot_product": "docs/reference/linalg.html",
    "eoshift": "docs/reference/manipulation.html",
    "maxloc": "docs/reference/sorting.html",
}
# Marks of bold text, links, tables and blocks of code: a page shows them if Markdown takes a line for something else.
LEFT_OVER = r"(^|[^\w)])\*\*\w[^*]*\*\*|\]\(|^\|.*\|$|```|^=== "
# The first such line of the article; code may contain anything.
MARKS = f"""(article => {{
  for (const code of article.querySelectorAll('pre, code, svg, script, style')) code.remove();
  return article.textContent.split('\\n').map(line => line.trim()).find(line => /{LEFT_OVER}/.test(line)) || '';
}})(document.querySelector('article').cloneNode(true))"""
PICTURES_MISSING = "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src).join(' ')"
# Lines of this many characters have room, in a window of 1280 pixels.
LINE = 100
CUT = f"""[...document.querySelectorAll('pre > code')].filter(code => code.scrollWidth > code.clientWidth)
  .map(code => code.textContent.split('\\n').reduce((a, b) => a.length > b.length ? a : b))
  .find(line => line.length <= {LINE}) || ''"""
TALLEST = 3000  # of a picture, in pixels


class Browser:
    """Chromium, driven by its DevTools protocol over a pair of pipes: messages of JSON that end with a NUL."""

    def __init__(self, program, profile):
        to_browser, self.writes = os.pipe()
        self.reads, from_browser = os.pipe()

        def pipes():  # the protocol asks for the numbers 3 and 4
            os.dup2(os.dup(to_browser), 3)
            os.dup2(os.dup(from_browser), 4)

        command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        command += [f"--user-data-dir={profile}", "--window-size=1280,900", "about:blank"]
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            command, preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.pending, self.session, self.errors = 0, b"", None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")

    def message(self):
        while b"\0" not in self.pending:
            chunk = os.read(self.reads, 1 << 16)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self.pending += chunk
        text, self.pending = self.pending.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writes, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"]["text"])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression, seconds=20):
        """The value of the expression when it is true in JavaScript's sense, or None after some time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.value(expression)
            if value:
                return value
            time.sleep(0.1)
        return None

    def open(self, address):
        self.call("Page.navigate", url=address)
        return self.until(f"location.href == {json.dumps(address)} && document.readyState == 'complete'")

    def close(self):
        self.process.kill()
        self.process.wait()


def search(browser, address, word):
    """The pages that the site's search lists first for a word."""
    browser.open(address + "index.html")
    browser.until("!!document.querySelector('.md-search__input')")
    # A change of the text is noticed at a key; the index is loaded when the field has the focus.
    browser.value(
        "(i => { i.focus(); i.value = " + json.dumps(word) + ";"
        " i.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true})) })(document.querySelector('.md-search__input'))"
    )
    links = "[...document.querySelectorAll('.md-search-result__link')].slice(0, 8).map(a => a.href).join(' ')"
    return (browser.until(links) or "").replace(address, "").split()


def picture(browser, path):
    """Writes what the page shows, from its top."""
    height = min(browser.value("document.documentElement.scrollHeight"), TALLEST)
    clip = {"x": 0, "y": 0, "width": 1280, "height": height, "scale": 1}
    shot = browser.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(shot["data"]))


def faults_of_page(browser, address, page):
    if not browser.open(address + page) or not browser.value("document.querySelector('h1')?.innerText"):
        yield f"{page}: has no title"
        return
    if browser.value("document.documentElement.scrollWidth > window.innerWidth"):
        yield f"{page}: is wider than the window"
    if missing := browser.value(PICTURES_MISSING):
        yield f"{page}: does not show {missing}"
    if line := browser.value(CUT):
        yield f"{page}: has no room for {line}"
    if marks := browser.value(MARKS):
        yield f"{page}: shows marks of Markdown: {marks[:120]}"


def faults_of(browser, address, pages, pictures):
    for word, page in SEARCHES.items():
        found = search(browser, address, word)
        if not any(link.startswith(page) for link in found):
            yield f"search for {word!r}: expected {page}, found {found}"
    for page in pages:
        yield from faults_of_page(browser, address, page)
        if pictures:
            picture(browser, pathlib.Path(pictures) / page.replace(".html", ".png"))
    yield from (f"JavaScript: {text}" for text in browser.errors)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass


def main(html, pictures=None):
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        print("skipped: Chromium is not installed (.ci/setup.sh installs it)")
        return SKIPPED
    if not (pathlib.Path(html) / "index.html").exists():
        print(f"skipped: {html} has no site (the test docs.site builds it)")
        return SKIPPED
    names = (p.relative_to(html).as_posix() for p in pathlib.Path(html).rglob("*.html"))
    pages = sorted(name for name in names if name != "404.html")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=html))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(program, profile)
        try:
            faults = list(faults_of(browser, f"http://127.0.0.1:{server.server_port}/", pages, pictures))
        finally:
            browser.close()
    print("\n".join(faults) or f"{len(SEARCHES)} searches and {len(pages)} pages: no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
