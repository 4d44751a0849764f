# SPDX-License-Identifier: GPL-2.0-only
"""Chromium without a window, by its DevTools protocol over a pipe"""
import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

# The longest time that a loaded machine may take for one answer, in seconds
PATIENCE = 120


class Browser:
    """One page in a browser that has no network"""

    def __init__(self):
        self.directory = tempfile.mkdtemp()
        self.number = 0
        self.buffer = b""
        self.session = None
        self.events = []
        commands, self.write = os.pipe()
        self.read, answers = os.pipe()

        def place():
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
             f"--user-data-dir={self.directory}", "about:blank"],
            preexec_fn=place, pass_fds=(3, 4), start_new_session=True,
            env={**os.environ, "TMPDIR": self.directory},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        target = self.call("Target.createTarget", url="about:blank")
        self.session = self.call("Target.attachToTarget", flatten=True,
                                 targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], end - time.monotonic())[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.read, 1 << 20)
            if not data:
                raise EOFError("the browser has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                break
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def open(self, url):
        """Load url, and forget what other pages have done."""
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired"
                      for event in self.events):
            self.events.append(self.message())

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def look(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, text="", shift=False):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                      modifiers=8 if shift else 0,
                      windowsVirtualKeyCode=13 if key == "Enter" else 0,
                      **({"text": text} if kind == "keyDown" and text else {}))

    def type(self, text):
        for letter in text:
            self.press(letter, letter)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        with open(path, "wb") as out:
            out.write(base64.b64decode(data["data"]))

    def errors(self):
        """Messages of the console, exceptions, and violations of the policy"""
        return [event for event in self.events if event.get("method") in (
            "Runtime.consoleAPICalled", "Runtime.exceptionThrown",
            "Log.entryAdded")]

    def requests(self):
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
