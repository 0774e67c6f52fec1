"""A headless Chromium, driven by ChromeDriver: W3C's WebDriver over HTTP."""

import base64
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Home": "\ue011", "End": "\ue010"}


class Failed(Exception):
    """What the browser refused."""


class Browser:
    def __init__(self, dark=False, width=1280, height=900):
        self.folder = tempfile.mkdtemp()
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        port = next(line.rsplit(" ", 1)[1].strip().rstrip(".") for line in self.driver.stdout if "successfully on port" in line)
        self.root = f"http://127.0.0.1:{port}"
        # Headless Chromium has no window of less than 500 pixels: a narrower page is that of a phone.
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage", "--disable-background-networking",
                 f"--user-data-dir={self.folder}", f"--window-size={max(width, 500)},{height}", "--hide-scrollbars",
                 f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
        options = {"args": words, "prefs": {"download.default_directory": self.folder}}
        if width < 500:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1}}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = ""
        self.session = "/session/" + self.send("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + self.session + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=150) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Failed(f"{path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def open(self, address):
        self.send("POST", "/url", {"url": address})

    def before(self, script):
        """Runs a script before those of each page."""
        self.send("POST", "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": script}})

    def run(self, script, *arguments):
        """Runs the body of a function, and returns what it returns."""
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments, seconds=30):
        """Waits until the body of a function returns what is true, and returns it."""
        end = time.monotonic() + seconds
        while True:
            found = self.run(script, *arguments)
            if found or time.monotonic() > end:
                break
            time.sleep(0.02)
        if not found:
            raise Failed(f"waited in vain for: {script} {arguments}")
        return found

    def element(self, query):
        return self.send("POST", "/element", {"using": "css selector", "value": query})[ELEMENT]

    def click(self, query):
        self.send("POST", f"/element/{self.element(query)}/click", {})

    def type(self, query, text):
        self.send("POST", f"/element/{self.element(query)}/value", {"text": text})

    def press(self, *keys, shift=False):
        """Presses keys, one after the other, in the element that has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            held = [("keyDown", "\ue008")] if shift else []
            actions += [*held, ("keyDown", value), ("keyUp", value), *[("keyUp", held[0][1]) for _ in held]]
        actions = [{"type": kind, "value": value} for kind, value in actions]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def point(self, query):
        """Moves the pointer over an element."""
        origin = {ELEMENT: self.element(query)}
        moves = [{"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}, {"type": "pointerMove", "duration": 0, "x": 1, "y": 1, "origin": origin}]
        self.send("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}]})

    def frame(self, query):
        """Goes into a frame; None: back to the page."""
        self.send("POST", "/frame", {"id": None if query is None else {ELEMENT: self.element(query)}})

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.send("GET", "/screenshot")))

    def messages(self):
        """What was written to the console since the last time."""
        return [entry["message"] for entry in self.send("POST", "/se/log", {"type": "browser"})]

    def close(self):
        try:
            self.send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            shutil.rmtree(self.folder, ignore_errors=True)


def is_here():
    """Whether there are Chromium and its driver."""
    there = [any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")), shutil.which("chromedriver")]
    if not all(there):
        print("  left out: there is no Chromium with its driver here (Debian: apt-get install chromium chromium-driver)", file=sys.stderr)
    return all(there)
