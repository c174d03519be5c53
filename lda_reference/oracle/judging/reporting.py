"""The results of a run: a table, the failures, and JSON."""

import itertools
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..cases.closeness import grouped, number
from ..cases.loading import MORE_OPERATIONS, OPERATIONS, mistakes
from .comparing import Result, lines
from .levels import Reached
from .levels import lines as level_lines

STATUSES = {
    "passed": "passed", "failed": "failed", "skipped": "skipped", "undecidable": "undecidable",
    "expected": "failed as expected",
}  # fmt: skip
STEPS = ("update", "draw", "sweep", "ten_sweeps", "converged", "summary")  # one is made of those before it
SHOWN = 3  # the groups of failed cases shown, unless all cases are asked for


class Said(NamedTuple):
    """A sentence about failed cases, and their ids."""

    text: str
    ids: tuple[str, ...]


class Report(NamedTuple):
    """The results of a run."""

    results: tuple[Result, ...]  # in the order of the cases
    notes: tuple[str, ...] = ()  # what the reader must know of the run: sentences without their full stop
    levels: tuple[Reached, ...] = ()  # how far the port has come with each algorithm
    composed: tuple[Said, ...] = ()  # changes of the plain text that give answers of failed cases without a mistake
    shared: tuple[Said, ...] = ()  # what the other failed cases share, in words
    ending: str = ""  # how a program ended after its last answer, if not with exit status 0

    @property
    def ok(self) -> bool:
        """Whether some case passed and none failed: skipped cases show nothing."""
        return bool(self.of("passed")) and not self.of("failed")

    def of(self, status: str) -> list[Result]:
        """The results of one status: "passed", "failed", "skipped", "undecidable" or "expected"."""
        return [r for r in self.results if r.status == status]

    def __str__(self) -> str:
        return text(self)


def table(report: Report) -> str:
    """How many cases of each algorithm and operation passed, failed and were skipped, or have another status.

    Operations that are not steps of a sweep have rows of their own instead of columns.

    >>> r = Result("cvb0/update/001", "cvb0", "update", "passed")
    >>> print(table(Report((r, r._replace(status="failed"), r._replace(operation="bound", status="skipped")))))
    passed/failed/skipped
               update  bound  total
    cvb0        1/1/0  0/0/1  1/1/1
    """
    statuses = _statuses(report)
    seen = {r.operation for r in report.results} - set(MORE_OPERATIONS) | {"total"}
    columns = [name for name in (*OPERATIONS, "total") if name in seen]
    rows = grouped(report.results, lambda r: r.algorithm + f"/{r.operation}" * (r.operation in MORE_OPERATIONS))

    def line(name: str, results: Sequence[Result]) -> list[str]:
        of_columns = [[r.status for r in results if column in ("total", r.operation)] for column in columns]
        return [name, *("/".join(str(cell.count(s)) for s in statuses) if cell else "-" for cell in of_columns)]

    cells = [["", *columns], *itertools.starmap(line, rows.items())]
    cells += [line("total", report.results)] if len(rows) > 1 else []
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = ("  ".join((row[0].ljust(max(9, widths[0])), *map(str.rjust, row[1:], widths[1:]))) for row in cells)
    return "\n".join(("/".join(STATUSES[s] for s in statuses), *aligned))


def _statuses(report: Report) -> list[str]:
    """The statuses that the table counts: the last two only if a case has them."""
    return [s for s in STATUSES if s not in ("undecidable", "expected") or report.of(s)]


def text(report: Report, everything: bool = False, texts: Mapping[str, str] | None = None) -> str:
    """The table, the verdict, and at most three groups of failed cases, each with what to do next.

    With `everything`, all failed cases are shown instead, and the skipped and undecidable cases are counted by their
    reasons. `texts` says what each known mistake gets wrong; by default, `mistakes` does.
    """
    texts = mistakes() if texts is None else texts
    parts = [[table(report), *report.notes], [verdict(report)]]
    failed_groups = groups(report, texts)
    if everything:
        parts += [lines(r, texts) for r in report.of("failed")]
    else:
        parts += [[f"{number}. {words[0]}", *words[1:]] for number, (words, _) in enumerate(failed_groups[:SHOWN], 1)]
        left = [r for _, results in failed_groups[SHOWN:] for r in results]
        parts += [[f"and {_named(left, ' more')}, shown with --all"]] if left else []
        first = {r.algorithm for r in failed_groups[0][1] if r.mistake} if failed_groups else set()
        if first & {r.algorithm for _, results in failed_groups[1:] for r in results}:
            parts.append(["Mend 1 first and run again: the other groups may have the same cause."])
    for status in ("skipped", "undecidable", "expected") if everything else ("expected",):
        reasons = Counter(r.reason for r in report.of(status)).most_common()
        if reasons:
            parts.append([f"{STATUSES[status].capitalize()}:", *(f"  {n:>3}  {reason}" for reason, n in reasons)])
    if report.ending:
        parts.append([f"After its last answer the program ended {report.ending}."])
    if report.levels:
        parts.append(["Levels reached:", *level_lines(report.levels)])
    return "\n\n".join(map("\n".join, parts))


def verdict(report: Report) -> str:
    """The result of a run in a sentence."""
    failed, passed = len(report.of("failed")), len(report.of("passed"))
    if failed:
        return f"{failed} of {failed + passed} case{'s' * (failed + passed > 1)} failed."
    if not passed:
        return "No case passed. A run in which nothing passes is a failure."
    return f"All {passed} cases passed." if passed > 1 else "The case passed."


def groups(report: Report, texts: Mapping[str, str]) -> list[tuple[list[str], list[Result]]]:
    """The failed cases in groups that have one explanation, each with its lines.

    Groups with a failed update come first, because what is wrong there is wrong in sweeps too; then the largest. The
    explanation is a known mistake, a composition of changes, a shared property, the same reason, or none.
    """
    explained = {id: ("shared", x.text) for x in reversed(report.shared) for id in x.ids}
    explained |= {id: ("composed", x.text) for x in report.composed for id in x.ids}
    explained |= {r.id: ("mistake", r.mistake) for r in report.results if r.mistake}

    def explanation(r: Result) -> tuple[str, str]:
        kind = "steps" if r.operation in STEPS else r.operation
        return explained.get(r.id, ("numbers", kind) if r.field else ("reason", r.reason))

    failed = grouped(report.of("failed"), explanation)
    ordered = sorted(failed.items(), key=lambda x: (all(r.operation not in STEPS[:2] for r in x[1]), -len(x[1])))
    return [(_group(*key, results, texts, report.shared), results) for key, results in ordered]


def _group(
    kind: str, what: str, results: Sequence[Result], texts: Mapping[str, str], shared: Sequence[Said]
) -> list[str]:
    """The lines of a group: how many cases, the explanation, the simplest case and what to do next."""
    out = [_named(results)]
    sampled = all(r.operation == "sample" for r in results)
    if kind in ("mistake", "composed"):
        how = "The draws are such as one gets" if sampled else "The answers are those that one gets"
        out.append(f"   {how} when {texts.get(what, what)}" + (f" [{what}]" if kind == "mistake" else ""))
    elif kind == "shared":
        out += [f"   {sentence.text}" for sentence in shared if {r.id for r in results} & {*sentence.ids}]
    first = min(results, key=lambda r: STEPS.index(r.operation) if r.operation in STEPS else len(STEPS))
    out.append(f"   {', '.join((first.id, *first.tags))}: {first.reason}")
    if first.field and not sampled:
        out.append(f"   Next: `lda-reference oracle explain {first.id}` shows the right numbers on the way")
    return out


def _named(results: Sequence[Result], after: str = "") -> str:
    """How many failed cases there are, and of which algorithms and operations."""
    n = Counter(f"{r.algorithm}/{r.operation}" for r in results)
    names = ", ".join(f"{name} {c}" for name, c in n.most_common(4)) + (" and others" if len(n) > 4 else "")
    return f"{len(results)}{after} failed case{'s' * (len(results) > 1)} ({names})"


def to_json(report: Report) -> str:
    """The report as JSON: how many cases passed, failed and were skipped, and each result."""
    content: dict[str, Any] = {"format": "lda_reference oracle report 1"}
    content |= {status: len(report.of(status)) for status in _statuses(report)}
    content |= {"notes": report.notes} if report.notes else {}
    content |= {"levels": {r.algorithm: r.level for r in report.levels}}
    content |= {"levels_in_order": {r.algorithm: r.in_order for r in report.levels if r.in_order}}
    content |= {"composed": [s._asdict() for s in report.composed], "shared": [s.text for s in report.shared]}
    content |= {"ending": report.ending} if report.ending else {}
    content["results"] = [
        {name: _spelled(x) for name, x in r._asdict().items() if x is not None and x != ""} for r in report.results
    ]
    return json.dumps(content, indent=1) + "\n"


def badge(report: Report, asked: str) -> str:
    """The counts as an endpoint of shields.io, which draws a badge; `asked` is the version of the vectors."""
    counts = ", ".join(f"{len(report.of(status))} {STATUSES[status]}" for status in _statuses(report))
    color = "green" if report.ok else "red"
    content = {"schemaVersion": 1, "label": "LDA vectors", "message": f"{asked}: {counts}", "color": color}
    return json.dumps(content) + "\n"


def _spelled(x: Any) -> Any:
    unreadable = not math.isfinite(x) if isinstance(x, float) else isinstance(x, int) and x.bit_length() > 1024
    return number(x) if unreadable else x
