"""A headless Chromium that tests drive over the pipe of its DevTools protocol, without a package for it."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

CHROMIUM = shutil.which("chromium")
CHROMIUM_OPTIONS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-zygote", "--no-first-run", "--disable-sync", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe",
]  # fmt: skip
CONTRASTS_CODE = """(selector) => {
  const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const light = (...colours) => {  // of colours painted one over another
    for (const x of colours) { paint.fillStyle = x; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).map(x => x / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  };
  const paper = getComputedStyle(document.body).backgroundColor, texts = [];
  for (const x of document.querySelectorAll(selector)) {
    if (![...x.childNodes].some(y => y.nodeType === 3 && y.data.trim()) || !x.getClientRects().length) continue;
    const under = [paper];
    for (let y = x; y; y = y.parentElement) under.splice(1, 0, getComputedStyle(y).backgroundColor);
    const style = getComputedStyle(x), text = x instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(...under, text), light(...under)].sort((p, q) => q - p);
    texts.push([(a + 0.05) / (b + 0.05), parseFloat(style.fontSize), x.textContent]);
  }
  return texts;
}"""
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "Tab": 9, "Enter": 13, " ": 32}


class Browser:
    """One page. `errors` are what its console complained of, `asked` the addresses that it loaded."""

    def __init__(self, folder: Path):
        read_end, self._write = os.pipe()
        self._read, write_end = os.pipe()

        def set_up_pipes():  # Chromium reads from 3 and writes to 4
            pipe_ends = os.dup(read_end), os.dup(write_end)
            for pipe_fd, new_fd in zip(pipe_ends, (3, 4), strict=True):
                os.dup2(pipe_fd, new_fd)

        self._process = subprocess.Popen(
            [CHROMIUM, *CHROMIUM_OPTIONS, f"--user-data-dir={folder}", "about:blank"],
            preexec_fn=set_up_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(read_end)
        os.close(write_end)
        self._left, self._number, self._session = b"", 0, None
        self.errors, self.asked, self._loaded = [], [], False
        (page_target,) = (target for target in self("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self._session = self("Target.attachToTarget", targetId=page_target["targetId"], flatten=True)["sessionId"]
        for protocol_domain in ("Page", "Runtime", "Log", "Network"):
            self(f"{protocol_domain}.enable")

    def __call__(self, method_name, **params):
        """The result of a command of the protocol."""
        self._number += 1
        request = {"id": self._number, "method": method_name, "params": params}
        if self._session:
            request["sessionId"] = self._session
        os.write(self._write, json.dumps(request).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._number:
                assert "error" not in reply, f"{method_name}: {reply['error']}"
                return reply["result"]

    def _next(self):
        while b"\0" not in self._left:
            chunk_bytes = os.read(self._read, 1 << 20)
            assert chunk_bytes, "Chromium ended"
            self._left += chunk_bytes
        message_bytes, self._left = self._left.split(b"\0", 1)
        message = json.loads(message_bytes)
        method_name, params = message.get("method"), message.get("params", {})
        if method_name == "Runtime.exceptionThrown":
            exception_details = params["exceptionDetails"]
            self.errors.append(exception_details.get("exception", {}).get("description", exception_details["text"]))
        elif method_name == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(console_argument.get("description", console_argument.get("value"))) for console_argument in params["args"]))
        elif method_name == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method_name == "Network.requestWillBeSent":
            self.asked.append(params["request"]["url"])
        elif method_name == "Page.loadEventFired":
            self._loaded = True
        return message

    def open(self, url):
        """Open an address, and wait until it is loaded."""
        self._loaded = False
        self("Page.navigate", url=url)
        while not self._loaded:
            self._next()

    def run(self, js_expression):
        """The value of an expression of JavaScript; a promise is awaited."""
        evaluation = self("Runtime.evaluate", expression=js_expression, returnByValue=True, awaitPromise=True, userGesture=True)
        assert "exceptionDetails" not in evaluation, evaluation["exceptionDetails"]
        return evaluation["result"].get("value")

    def waited(self, js_expression, seconds=20):
        """The value of an expression as soon as it is true, or when the time is over."""
        end_time = time.monotonic() + seconds
        while not (js_value := self.run(js_expression)) and time.monotonic() < end_time:
            time.sleep(0.05)
        return js_value

    def contrasts(self, selector):
        """Of each text that is shown in elements of a selector: its contrast to what is under it, its size, and itself."""
        return self.run(f"({CONTRASTS_CODE})({json.dumps(selector)})")

    def click(self, element_js):
        """Click in the middle of an element, which is given as an expression."""
        scroll_js = f"(() => {{ const x = {element_js}; x.scrollIntoView({{block: 'center', behavior: 'instant'}});"
        click_xy = self.run(f"{scroll_js} const b = x.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()")
        for event_type in ("mousePressed", "mouseReleased"):
            self("Input.dispatchMouseEvent", type=event_type, x=click_xy[0], y=click_xy[1], button="left", clickCount=1)

    def press(self, key, n_presses=1):
        """Press a key, with the focus where it is."""
        typed_text_field = {"text": "\r"} if key == "Enter" else {"text": " "} if key == " " else {}
        for _ in range(n_presses):
            for event_type in ("keyDown" if typed_text_field else "rawKeyDown", "keyUp"):
                event_fields = typed_text_field if event_type == "keyDown" else {}
                self("Input.dispatchKeyEvent", type=event_type, key=key, code=key, windowsVirtualKeyCode=KEYS[key], **event_fields)

    def size(self, width, height=1000):
        self("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, media="", **features):
        """Emulate a medium, such as print, and features, such as prefers_color_scheme='dark'."""
        feature_list = [{"name": feature_name.replace("_", "-"), "value": feature_value} for feature_name, feature_value in features.items()]
        self("Emulation.setEmulatedMedia", media=media, features=feature_list)

    def close(self):
        self._session = None
        self("Browser.close")
        self._process.wait(20)
        os.close(self._read)
        os.close(self._write)
