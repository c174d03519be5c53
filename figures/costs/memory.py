"""Peak memory of a call, from the operating system: NumPy's arrays and other packages' own memory count alike."""

import contextlib
import resource
import sys
from collections.abc import Callable
from pathlib import Path


def peak_increase(call: Callable[[], object]) -> float:
    """By how many bytes a call raises the peak of the resident memory above what is resident before it.

    Linux can reset the peak. Elsewhere an earlier peak of the process can hide a part of the increase.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # sets the peak to the present size
    before = _peak()
    call()
    return _peak() - before


def _peak() -> float:
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
        return float(line.split()[1]) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)
