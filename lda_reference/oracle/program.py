"""A port that is a program: run, asked, and restarted whatever it does."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from io import BufferedReader
from typing import Any, NamedTuple, cast

from .comparing import cut
from .loading import Case

TIMEOUT, LONGEST = 10.0, 1e5  # seconds for a case


class PortError(Exception):
    """What a port did in the place of an answer."""


class End(NamedTuple):
    """The end of a program's output: what was left of a line, and whether it had written too much."""

    rest: bytes = b""
    too_much: bool = False


class _Process:
    """A started program: threads read its stdout and stderr and write its stdin, so that no full pipe blocks."""

    def __init__(self, command: Sequence[str], limit: int) -> None:
        group: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
        pipe = subprocess.PIPE
        self.popen = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, stderr=pipe, **group)
        self.room = limit  # bytes that it may still write before the next case
        self.asked = 0
        self.events: queue.Queue[bytes | End] = queue.Queue()
        self.unsent: queue.Queue[bytes | None] = queue.Queue()
        self.begun = bytearray()  # of a line
        self.stderr = bytearray()  # its end
        self.threads = [
            threading.Thread(target=work, daemon=True) for work in (self._read, self._read_stderr, self._write)
        ]
        for thread in self.threads:
            thread.start()

    def _read(self) -> None:
        assert self.popen.stdout is not None
        too_much = False
        with suppress(OSError, ValueError), cast(BufferedReader, self.popen.stdout) as pipe:
            while not too_much and (chunk := pipe.read1(2**16)):
                self.room -= len(chunk)
                too_much = self.room < 0
                *whole, rest = chunk.split(b"\n")
                for line in whole:
                    self.events.put(bytes(self.begun) + line)
                    self.begun.clear()
                self.begun += rest
        self.events.put(End(bytes(self.begun[:200]), too_much))

    def _read_stderr(self) -> None:
        assert self.popen.stderr is not None
        with suppress(OSError, ValueError), cast(BufferedReader, self.popen.stderr) as pipe:
            while chunk := pipe.read1(2**16):
                self.stderr += chunk
                del self.stderr[:-4096]

    def _write(self) -> None:
        assert self.popen.stdin is not None
        with suppress(OSError, ValueError), self.popen.stdin as pipe:
            while (line := self.unsent.get()) is not None:
                pipe.write(line)
                pipe.flush()

    def status(self) -> int | None:
        """The exit status; None while it runs on, its output closed."""
        try:
            return self.popen.wait(0.5)
        except subprocess.TimeoutExpired:
            return None

    def last_words(self) -> str:
        """The last lines of its stderr, once stopped, as an addition to a reason."""
        lines = [line.strip() for line in bytes(self.stderr).decode("utf-8", "replace").splitlines() if line.strip()]
        return f"; stderr ends: {cut(' | '.join(lines[-3:])[-300:], 300)}" if lines else ""

    def stop(self, patience: float) -> None:
        """End it: by the end of its input, and after `patience` seconds, with all its children, by force."""
        self.unsent.put(None)
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(patience)
        if sys.platform == "win32":
            self.popen.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.popen.wait(5)
        for thread in self.threads:
            thread.join(1)


class Program:
    """A port that is a program: one JSON case a line on its stdin, one JSON answer a line on its stdout.

    It is started with the first case and again after every case in which it ended, gave no answer in time or wrote what
    is no answer: afterwards it would be out of step. Used in a `with` block, at whose end it is stopped.

    A program that ends on its first case three times in a row, never having answered, is started once without a case.
    Where it ends even so, it is given up; so is one that was silent ten times and never answered.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    timeout : float
        Seconds for a case, the start included.
    limit : int
        Bytes that it may write a case.

    Examples
    --------
    >>> import sys
    >>> code = "import json, sys; [print(json.dumps({'id': json.loads(x)['id']}), flush=True) for x in sys.stdin]"
    >>> with Program([sys.executable, "-c", code]) as ask:
    ...     ask({"id": "cvb0/update/000"})
    {'id': 'cvb0/update/000'}
    """

    DEATHS, SILENCES = 3, 10

    def __init__(self, command: Sequence[str], timeout: float = TIMEOUT, limit: int = 2**24) -> None:
        if isinstance(command, str) or not command:
            raise ValueError(f"command is {command!r}, expected the program and its arguments")
        if not 0 < timeout <= LONGEST:
            raise ValueError(f"timeout is {timeout}, expected seconds, above 0 and at most {LONGEST:g}")
        self.command, self.timeout, self.limit = list(command), timeout, limit
        self._process: _Process | None = None
        self._deaths = self._silences = 0
        self._starts_well = False
        self._given_up = ""

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self, patience: float = 1.0) -> None:
        """Stop the program."""
        if self._process is not None:
            self._process.stop(patience)
            self._process = None

    def __call__(self, case: Case, timeout: float | None = None) -> Any:
        """The answer to a case.

        Raises
        ------
        PortError
            Where there is none, with the reason.
        """
        process = self._started()
        process.room = self.limit
        process.asked += 1
        process.unsent.put(json.dumps(case, allow_nan=False, separators=(",", ":")).encode() + b"\n")
        seconds = self.timeout if timeout is None else timeout
        try:
            event = process.events.get(timeout=seconds)
        except queue.Empty:
            raise self._silent(process, seconds) from None
        if isinstance(event, End):
            raise self._ended(process, event)
        self._deaths = 0
        try:
            answer = parse(event)
        except PortError as error:
            self.close(0)
            raise PortError(f"{error}{process.last_words()}") from None
        self._starts_well = True
        if not isinstance(answer, dict) or answer.get("id") != case.get("id"):
            self.close(0)  # out of step
        return answer

    def _started(self) -> _Process:
        if self._given_up:
            raise PortError(self._given_up)
        if self._process is not None:
            return self._process
        try:
            process = _Process(self.command, self.limit)
        except OSError as error:
            reason = f"cannot be started: {error}"
            self._deaths += 1
            if self._deaths >= self.DEATHS:
                self._given_up = f"not asked: {reason}, {self._deaths} times"
            raise PortError(reason) from None
        self._process = process
        if self._deaths >= self.DEATHS and not self._starts_well:
            try:
                code = process.popen.wait(min(1.0, self.timeout))
            except subprocess.TimeoutExpired:
                self._starts_well = True  # it is the cases that it dies of
            else:
                self.close(0)
                how = _ending(code) + process.last_words()
                self._given_up = f"not asked: the program ended at its start {self._deaths + 1} times, last {how}"
                raise PortError(self._given_up)
        return process

    def _ended(self, process: _Process, end: End) -> PortError:
        self._deaths = self._deaths + 1 if process.asked == 1 else 0
        if end.too_much:
            reason = f"wrote more than {self.limit} bytes for one case; it begins: {_shown(end.rest)}"
        else:
            code = process.status()
            reason = "closed its output and ran on" if code is None else f"ended {_ending(code)}"
            reason += f", in the middle of a line: {_shown(end.rest)}" if end.rest else " without an answer"
        self.close(0)
        return PortError(reason + process.last_words())

    def _silent(self, process: _Process, seconds: float) -> PortError:
        begun = bytes(process.begun[:200])
        reason = f"no answer in {seconds:g} s"
        if begun:
            reason += f", only half a line: {_shown(begun)}"
        elif not self._starts_well:
            reason += " (is its output flushed after every line?)"
        self.close(0)
        reason += process.last_words()
        self._deaths, self._silences = 0, self._silences + 1
        if self._silences >= self.SILENCES and not self._starts_well:
            self._given_up = f"not asked: the program was silent on its first {self._silences} cases"
        return PortError(reason)


def parse(line: bytes) -> Any:
    """An answer from its line.

    Examples
    --------
    >>> parse(b'{"id": "cvb0/update/000", "gamma_k": [0.5, 0.5]}')["gamma_k"]
    [0.5, 0.5]
    """
    try:
        return json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise PortError(f"the answer is not UTF-8: {_shown(line)}") from None
    except RecursionError:
        raise PortError(f"the answer is nested too deeply: {_shown(line)}") from None
    except json.JSONDecodeError as error:
        raise PortError(f"the answer is not JSON ({error.msg}, column {error.colno}): {_shown(line)}") from None
    except ValueError as error:  # an integer of thousands of digits
        raise PortError(f"the answer cannot be read ({cut(str(error), 60)}): {_shown(line)}") from None


def _shown(line: bytes) -> str:
    return repr(cut(line[:100].decode("utf-8", "replace"), 80)) if line.strip() else "an empty line"


def _ending(code: int) -> str:
    if code >= 0:
        return f"with exit status {code}"
    try:
        return f"by signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"by signal {-code}"
