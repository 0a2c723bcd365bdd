"""A real Chromium, without a window, driven over a pipe in its DevTools protocol."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    "--headless",
    "--no-sandbox",  # CI runs as root in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--no-first-run",
    "--remote-debugging-pipe",
)


def find_chromium() -> str | None:
    """Return the path of a Chromium, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One page of a Chromium, and everything that it said and asked for.

    Attributes:
        requests: addresses that the page asked for, but its own.
        messages: what appeared on its console, violations of its policy included.
        dialogs: dialogs that a script opened.
    """

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = os.fdopen(reader, "rb"), os.fdopen(writer, "wb")
        self._last, self._session = 0, ""
        self._rest = b""
        self.requests: list[str] = []
        self.messages: list[str] = []
        self.dialogs: list[str] = []
        self._loaded = False

    def open(self, path: Path, **media: str) -> None:
        """Show a file in a fresh page and wait until it is painted; ``media`` are features."""
        made = self.call("Target.createTarget", url="about:blank")
        attached = self.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.emulate(**media)
        self.requests, self.messages, self.dialogs, self._loaded = [], [], [], False
        self.call("Page.navigate", url=path.as_uri())
        while not self._loaded:
            self._note(self._receive())
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")
        self.requests = [url for url in self.requests if url.split("#")[0] != path.as_uri()]

    def emulate(self, media: str = "", **features: str) -> None:
        """Set the medium (``print``) and media features (``prefers_color_scheme="dark"``)."""
        listed = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=listed)

    def resize(self, width: int, height: int) -> None:
        """Give the page a size in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page, promises awaited."""
        told = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """Write what is in sight as a PNG."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def pdf(self, path: Path) -> None:
        """Print the page into a PDF."""
        data = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result, noting what happens meanwhile."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self._session and not method.startswith("Target."):
            message["sessionId"] = self._session
        self._writer.write(json.dumps(message).encode() + b"\0")
        self._writer.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            chunk = self._reader.read1(1 << 16)
            assert chunk, "Chromium went away"
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\0")
        return json.loads(line)

    def _note(self, event: dict[str, Any]) -> None:
        told = event.get("params", {})
        match event.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Network.requestWillBeSent":
                self.requests.append(told["request"]["url"])
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown":
                self.messages.append(json.dumps(told))
            case "Log.entryAdded":
                self.messages.append(told["entry"]["text"])
            case "Page.javascriptDialogOpening":
                self.dialogs.append(told["message"])
                self.call("Page.handleJavaScriptDialog", accept=True)
            case _:
                pass


@contextmanager
def chromium(path: str, profile: Path) -> Iterator[Browser]:
    """Start a Chromium with a profile of its own; it is gone at the end."""
    to_browser, ours_out = os.pipe()
    ours_in, from_browser = os.pipe()
    redirect = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser} 2>/dev/null'
    process = subprocess.Popen(
        ["/bin/bash", "-c", redirect, path, *_FLAGS, f"--user-data-dir={profile}"],
        pass_fds=(to_browser, from_browser),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        yield Browser(ours_in, ours_out)
    finally:
        process.terminate()
        process.wait(20)
