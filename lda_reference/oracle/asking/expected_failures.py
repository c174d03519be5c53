"""A list of the cases that a port is known to fail, so that a run fails only if something changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..judging.reporting import Report
from .loading import Case, matches


def read(path: str | Path | None, cases: Sequence[Case]) -> dict[str, str]:
    """The reason for each case that a file lists, by its id; the longest name that fits a case decides.

    A line holds an algorithm or the beginning of an id and, after `#`, the reason. Empty lines and lines that begin
    with `#` are ignored. It is a ValueError if a line has no reason or more than one name, or a name occurs twice or
    fits no case.
    """
    listed: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines() if path else (), 1):
        name, _, reason = (part.strip() for part in line.partition("#"))
        faults = {
            f"has no reason, expected `{name}  # why it fails`": not reason,
            "is no name, expected the beginning of an id": len(name.split()) > 1,
            "stands there twice": name in listed,
            "is neither an algorithm nor the beginning of an id": not any(matches(case, name) for case in cases),
        }
        for fault in (fault for fault, found in faults.items() if name and found):
            raise ValueError(f"{path}, line {number}: {name!r} {fault}")
        listed |= {name: reason} if name else {}
    return {case["id"]: listed[name] for name in sorted(listed, key=len) for case in cases if matches(case, name)}


def expecting(report: Report, expected: Mapping[str, str]) -> Report:
    """The report when some cases are expected to fail; `expected` has the reason for each, by its id.

    A listed case that failed has the status "expected". A listed case that passed has failed: it must be taken off the
    list. Skipped cases stay as they are.

    Examples
    --------
    >>> from lda_reference.oracle import Result
    >>> r = Result("cvb0/update/001", "cvb0", "update", "passed")
    >>> print(expecting(Report((r,)), {r.id: "not ready"}).results[0].reason)
    passed, but is expected to fail (not ready): take it off the list of expected failures
    """
    results = []
    for r in report.results:
        reason = expected.get(r.id)
        if reason is not None and r.status == "failed":
            r = r._replace(status="expected", reason=reason)
        elif reason is not None and r.status == "passed":
            text = f"passed, but is expected to fail ({reason}): take it off the list of expected failures"
            r = r._replace(status="failed", reason=text)
        results.append(r)
    return report._replace(results=tuple(results))
