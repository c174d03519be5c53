"""A list of the cases that a port is known to fail, so that a run fails only if something changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from ..judging.reporting import Report
from .loading import Case, matches


def read(path: str | Path) -> dict[str, str]:
    """The names in a file, each with its reason.

    A line holds an algorithm or the beginning of an id and, after `#`, the reason. Empty lines and lines that begin
    with `#` are ignored. It is a ValueError if a line has no reason or more than one name, or a name occurs twice.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        name, _, reason = (part.strip() for part in line.partition("#"))
        if not name:
            continue
        if not reason:
            raise ValueError(f"{path}, line {number}: {name!r} has no reason, expected `{name}  # why it fails`")
        if len(name.split()) > 1:
            raise ValueError(f"{path}, line {number}: {name!r} is no name, expected the beginning of an id")
        if name in found:
            raise ValueError(f"{path}, line {number}: {name!r} stands there twice")
        found[name] = reason
    return found


def reasons(listed: Mapping[str, str], cases: Iterable[Case]) -> dict[str, str]:
    """The reason for each case that is listed, by its id; the longest name that fits a case decides.

    A name that fits no case is a ValueError.

    Examples
    --------
    >>> reasons({"cvb0": "not ready"}, [{"id": "cvb0/update/001", "algorithm": "cvb0"}])
    {'cvb0/update/001': 'not ready'}
    """
    found: dict[str, str] = {}
    given = list(cases)
    for name in sorted(listed, key=len):
        fitting = [case["id"] for case in given if matches(case, name)]
        if not fitting:
            raise ValueError(f"expected failures: {name!r} is neither an algorithm nor the beginning of an id")
        found |= dict.fromkeys(fitting, listed[name])
    return found


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
