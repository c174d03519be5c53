"""Ports that are programs: how they are started, asked, stopped and restarted."""

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import Any

from ..cases.loading import Case
from .written import PortError, ending, parse, said, shown

TIMEOUT, MAX_TIMEOUT = 10.0, 1e5  # seconds for a case
BUDGET = 600.0  # seconds for all cases together
KEPT_BYTES = 2**16  # bytes of stderr


def startable(command: Sequence[str]) -> list[str]:
    """The command, or a ValueError if its program cannot be run."""
    program_name = command[0] if command else "an empty command"
    if not command or shutil.which(program_name) is None:
        is_file = command and os.path.isfile(program_name)
        advice_text = f"not executable; if it is a script, name its language first, as in `python {program_name}`"
        raise ValueError(f"{program_name}: {advice_text if is_file else 'no program with this name can be run'}")
    return list(command)


class _Process:
    """A running program. Threads read its stdout and stderr and write its stdin, so that a full pipe blocks nothing."""

    def __init__(self, command: Sequence[str], byte_limit: int) -> None:
        session_option: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
        pipe = subprocess.PIPE
        self.popen = subprocess.Popen(list(command), stdin=pipe, stdout=pipe, stderr=pipe, **session_option)
        self.bytes_left, self.has_overrun = byte_limit, False  # the bytes that it may still write before the next case
        self.n_asked = 0
        self.lines: queue.Queue[bytes | None] = queue.Queue()  # None is the end of its output
        self.unsent_lines: queue.Queue[bytes | None] = queue.Queue()
        self.line_start = bytearray()  # the beginning of an unfinished line
        self.stderr = bytearray()  # the end of what it wrote to stderr
        thread_methods = (self._read, self._read_stderr, self._write)
        self.threads = [threading.Thread(target=thread_method, daemon=True) for thread_method in thread_methods]
        for thread in self.threads:
            thread.start()

    def _read(self) -> None:
        for chunk in _chunks(self.popen.stdout):
            self.bytes_left -= len(chunk)
            *whole_lines, line_start = chunk.split(b"\n")
            for output_line in whole_lines:
                self.lines.put(bytes(self.line_start) + output_line)
                self.line_start.clear()
            self.line_start += line_start
            if self.bytes_left < 0:
                self.has_overrun = True
                break
        self.lines.put(None)

    def _read_stderr(self) -> None:
        for chunk in _chunks(self.popen.stderr):
            self.stderr += chunk
            del self.stderr[:-KEPT_BYTES]

    def _write(self) -> None:
        assert self.popen.stdin is not None
        with suppress(OSError, ValueError), self.popen.stdin as stdin_pipe:
            while (case_line := self.unsent_lines.get()) is not None:
                stdin_pipe.write(case_line)
                stdin_pipe.flush()

    def status(self, max_seconds: float) -> int | None:
        """The exit status; None if it is still running after `max_seconds`."""
        with suppress(subprocess.TimeoutExpired):
            return self.popen.wait(max_seconds)
        return None

    def last_words(self) -> str:
        """What its stderr says of its end, after it was stopped, for the end of a reason."""
        return said(bytes(self.stderr).decode("utf-8", "replace"))

    def stop(self, max_seconds: float) -> int | None:
        """Close its input; after `max_seconds` kill it and its children. The exit status, or None if killed."""
        self.unsent_lines.put(None)
        exit_status = self.status(max_seconds)
        if sys.platform == "win32":
            self.popen.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
        self.status(5)
        for thread in self.threads:
            thread.join(1)
        return exit_status


def _chunks(output_pipe: Any) -> Iterator[bytes]:
    """What a program writes to a pipe, until it ends or is stopped."""
    with suppress(OSError, ValueError), output_pipe:
        while chunk := output_pipe.read1(2**16):
            yield chunk


class Program(AbstractContextManager["Program"]):
    """A port that is a program: it reads one JSON case per line on stdin and writes one JSON answer per line on stdout.

    The program is started with the first case. It is started again after a case in which it ended, gave no answer in
    time or wrote something else, because its answers might no longer match the cases. Use it in a `with` block, which
    stops it at the end. It runs in a session of its own, and the programs that it started are killed with it, except
    those that have begun another session or process group (on Windows, only the program itself is killed).

    If a program that has never answered ends on its first case three times in a row, it is started once without a case.
    If it ends again, or gives no answer to ten cases, no more cases are sent.

    It has `timeout` seconds for a case, including the start, and may write `limit` bytes for it. A ValueError says if
    `command`, the program and its arguments, is a string or empty, or `timeout` is out of range.

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
        if not 0 < timeout <= MAX_TIMEOUT:
            raise ValueError(f"timeout is {timeout}, expected seconds, above 0 and at most {MAX_TIMEOUT:g}")
        self.command, self.timeout, self.limit = list(command), timeout, limit
        self._process: _Process | None = None
        self._deaths = self._silences = 0
        self._starts_well = False
        self._given_up = ""
        self.ending = ""  # how it ended when its input was closed, if not with exit status 0
        self.strays: list[str] = []  # why lines that it wrote in a batch answer no case

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self, patience: float = 1.0) -> None:
        """Stop the program; `ending` then says how it ended."""
        process, self._process = self._process, None
        if process is not None:
            exit_status = process.stop(patience)
            self.ending = f"{ending(exit_status)}{process.last_words()}" if patience and exit_status else ""

    def __call__(self, case: Case, timeout: float | None = None) -> Any:
        """The answer to a case; if there is none, a PortError says why."""
        process = self._started()
        process.bytes_left = self.limit
        process.n_asked += 1
        process.unsent_lines.put(_line(case))
        max_seconds = self.timeout if timeout is None else timeout
        try:
            answer_line = process.lines.get(timeout=max_seconds)
        except queue.Empty:
            raise self._silent(process, max_seconds) from None
        if answer_line is None:
            raise self._ended(process, f"{self.limit} bytes for one case")
        self._deaths = 0
        try:
            answer = parse(answer_line)
        except PortError as error:
            self.close(0)
            raise PortError(f"{error}{process.last_words()}") from None
        self._starts_well = True
        if not isinstance(answer, dict) or answer.get("id") != case.get("id"):
            self.close(0)  # its answers no longer match the cases
        return answer

    def batch(self, cases: Sequence[Case], seconds: float) -> dict[str, Any]:
        """The answers to cases that are all sent before the first answer is read, by the ids of the cases.

        The input is closed after the last case, and the program may answer in any order. It has `seconds` for all cases
        together. A case that is not answered once has a PortError that says why.
        """
        process = self._started()
        process.bytes_left = byte_limit = self.limit + len(cases) * 2**16
        for question_line in (*map(_line, cases), None):
            process.unsent_lines.put(question_line)
        open_ids, deadline, max_wait = {case["id"] for case in cases}, time.monotonic() + seconds, seconds
        answer_of_id: dict[str, Any] = {}
        answer_line: bytes | None = b""
        with suppress(queue.Empty):
            while (answer_line := process.lines.get(timeout=max_wait)) is not None:
                self._sort(answer_line, answer_of_id, open_ids)
                max_wait = max(0.0, deadline - time.monotonic()) if open_ids else 1.0  # for a line too many, or the end
        if not open_ids:
            self.close()
            return answer_of_id
        at_end = answer_line is None
        error = self._ended(process, f"{byte_limit} bytes for all cases") if at_end else self._silent(process, seconds)
        return answer_of_id | dict.fromkeys(open_ids, error)

    def _sort(self, answer_line: bytes, answer_of_id: dict[str, Any], open_ids: set[str]) -> None:
        """Put the answer that a line of a batch holds with the others, or note why it answers no case."""
        try:
            answer = parse(answer_line)
            id = answer.get("id") if isinstance(answer, dict) else None
            if not isinstance(id, str) or id not in answer_of_id.keys() | open_ids:
                raise PortError(f"no case has its id: {shown(answer_line)}")
        except PortError as error:
            self.strays.append(str(error))
        else:
            answer_of_id[id] = answer if id in open_ids else PortError("answered more than once")
            open_ids.discard(id)
            self._starts_well = True

    def _started(self) -> _Process:
        if self._given_up:
            raise PortError(self._given_up)
        if self._process is not None:
            return self._process
        try:
            process = self._process = _Process(self.command, self.limit)
        except OSError as error:
            self._deaths += 1
            if self._deaths >= self.DEATHS:
                self._given_up = f"not asked: cannot be started: {error}, {self._deaths} times"
            raise PortError(f"cannot be started: {error}") from None
        if self._deaths >= self.DEATHS and not self._starts_well:
            exit_status = process.status(min(1.0, self.timeout))
            self._starts_well = exit_status is None  # the cases end it
            if exit_status is not None:
                self.close(0)
                times_text = f"{self._deaths + 1} times, the last time {ending(exit_status)}{process.last_words()}"
                self._given_up = f"not asked: the program ended at its start {times_text}"
                raise PortError(self._given_up)
        return process

    def _ended(self, process: _Process, limit_text: str) -> PortError:
        self._deaths = self._deaths + 1 if process.n_asked == 1 else 0
        line_start = bytes(process.line_start)
        if process.has_overrun:
            reason = f"wrote more than {limit_text}; it begins: {shown(line_start)}"
        else:
            exit_status = process.status(0.5)
            reason = "kept running but closed its output" if exit_status is None else f"ended {ending(exit_status)}"
            reason += f", in the middle of a line: {shown(line_start)}" if line_start else " without an answer"
        self.close(0)
        return PortError(reason + process.last_words())

    def _silent(self, process: _Process, seconds: float) -> PortError:
        reason = f"no answer in {seconds:g} s"
        if process.line_start:
            reason += f", only the beginning of a line: {shown(bytes(process.line_start))}"
        elif not self._starts_well:
            reason += " (is its output flushed after every line?)"
        self.close(0)
        self._deaths, self._silences = 0, self._silences + 1
        if self._silences >= self.SILENCES and not self._starts_well:
            self._given_up = f"not asked: the program was silent on its first {self._silences} cases"
        return PortError(reason + process.last_words())


def _line(case: Case) -> bytes:
    return json.dumps(case, allow_nan=False, separators=(",", ":")).encode() + b"\n"
