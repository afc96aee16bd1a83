"""A headless Chromium that is driven over a pipe by its DevTools protocol, with Python alone.

`Browser` starts it with a profile of its own, `Page` is a tab: it loads an address, evaluates JavaScript, sends real
mouse and key events, changes the size of its screen, takes pictures, and keeps what the console said and every address
that was asked for.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import tempfile
import time

KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, "Home": 36, "End": 35}


def chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    sys.exit("no Chromium: install it (Debian: apt install chromium)")


class Browser:
    def __init__(self, *more):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self.out = os.pipe()
        self.inp, from_child = os.pipe()

        def pipes():
            # DevTools reads descriptor 3 and writes descriptor 4; copies out of the way come first.
            read, write = os.dup(to_child), os.dup(from_child)
            read, write = os.dup2(read, 60), os.dup2(write, 61)
            os.dup2(read, 3)
            os.dup2(write, 4)

        command = [chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.profile.name}", *more, "about:blank"]
        self.process = subprocess.Popen(command, close_fds=False, preexec_fn=pipes, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.rest, self.number, self.replies, self.listeners = b"", 0, {}, []

    def read(self, seconds):
        """Hears messages for so long, or until there was one."""
        if not select.select([self.inp], [], [], seconds)[0]:
            return
        data = os.read(self.inp, 1 << 20)
        if not data:
            sys.exit("Chromium has ended")
        *whole, self.rest = (self.rest + data).split(b"\0")
        for text in whole:
            message = json.loads(text)
            if "id" in message:
                self.replies[message["id"]] = message
            else:
                for listener in self.listeners:
                    listener(message)

    def call(self, method, session=None, **params):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self.out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + 60
        while number not in self.replies:
            if time.monotonic() > end:
                sys.exit(f"Chromium does not answer {method}")
            self.read(1)
        reply = self.replies.pop(number)
        if "error" in reply:
            sys.exit(f"{method}: {reply['error']}")
        return reply["result"]

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.profile.cleanup()


class Page:
    def __init__(self, browser):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.console, self.asked = [], []
        browser.listeners.append(self.hear)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def hear(self, message):
        if message.get("sessionId") != self.session:
            return
        params, method = message.get("params", {}), message["method"]
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.console.append(" ".join(str(each.get("value", each.get("description"))) for each in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.console.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.asked.append(params["url"])

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def load(self, url):
        self.call("Page.navigate", url=url)

    def run(self, script):
        """The value of an expression."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script, what, seconds=120):
        """Waits until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"!!({script})"):
            if time.monotonic() > end:
                said = "['state', 'status', 'boards', 'log'].map(id => document.getElementById(id)?.textContent).join(' | ')"
                sys.exit(f"waited {seconds} s in vain for this: {what}; the console says {self.console}; the page says: {self.run(said)}")
            self.browser.read(0.03)

    def screen(self, width, height, dark=False, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def mouse(self, kind, x, y):
        buttons = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, buttons=0 if kind == "mouseReleased" else 1, **buttons)

    def click(self, x, y):
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        code = KEYS.get(key, ord(key[0].upper()))
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))
