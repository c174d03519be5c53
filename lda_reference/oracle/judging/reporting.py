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
SWEPT_FIELDS = (("sweep", "gamma"), ("sweep", "z"))  # whose first wrong row can be shown
MAX_SHOWN = 3  # the groups of failed cases shown, unless all cases are asked for


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
        return [result for result in self.results if result.status == status]

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
    seen_operations = {r.operation for r in report.results} - set(MORE_OPERATIONS) | {"total"}
    headers = [column_name for column_name in (*OPERATIONS, "total") if column_name in seen_operations]
    row_groups = grouped(report.results, lambda r: r.algorithm + f"/{r.operation}" * (r.operation in MORE_OPERATIONS))

    def line(row_name: str, results: Sequence[Result]) -> list[str]:
        status_cells = [[r.status for r in results if column_name in ("total", r.operation)] for column_name in headers]
        return [row_name, *("/".join(str(cell.count(s)) for s in statuses) if cell else "-" for cell in status_cells)]

    cells = [["", *headers], *itertools.starmap(line, row_groups.items())]
    cells += [line("total", report.results)] if len(row_groups) > 1 else []
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned_rows = ("  ".join((row[0].ljust(max(9, widths[0])), *map(str.rjust, row[1:], widths[1:]))) for row in cells)
    return "\n".join(("/".join(STATUSES[status] for status in statuses), *aligned_rows))


def _statuses(report: Report) -> list[str]:
    """The statuses that the table counts: the last two only if a case has them."""
    return [status for status in STATUSES if status not in ("undecidable", "expected") or report.of(status)]


def text(report: Report, everything: bool = False, texts: Mapping[str, str] | None = None) -> str:
    """The table, the verdict, and at most three groups of failed cases, each with what to do next.

    With `everything`, all groups are shown and then all failed cases, and the skipped and undecidable cases are counted
    by their reasons. `texts` says what each known mistake gets wrong; by default, `mistakes` does.
    """
    texts = mistakes() if texts is None else texts
    blocks = [[table(report), *report.notes], [verdict(report)]]
    failed_groups = groups(report, texts)
    n_shown = len(failed_groups) if everything else MAX_SHOWN
    blocks += [[f"{rank}. {block[0]}", *block[1:]] for rank, (block, _) in enumerate(failed_groups[:n_shown], 1)]
    if everything:
        blocks += [lines(r, texts) for r in report.of("failed")]
    else:
        unshown_results = [r for _, results in failed_groups[n_shown:] for r in results]
        blocks += [[f"and {_count_text(unshown_results, ' more')}, shown with --all"]] if unshown_results else []
        first_algorithms = {r.algorithm for r in failed_groups[0][1] if r.mistake} if failed_groups else set()
        if first_algorithms & {r.algorithm for _, results in failed_groups[1:] for r in results}:
            blocks.append(["Mend 1 first and run again: the other groups may have the same cause."])
    for status in ("skipped", "undecidable", "expected") if everything else ("expected",):
        reasons = Counter(r.reason for r in report.of(status)).most_common()
        if reasons:
            blocks.append([f"{STATUSES[status].capitalize()}:", *(f"  {n:>3}  {reason}" for reason, n in reasons)])
    if report.ending:
        blocks.append([f"After its last answer the program ended {report.ending}."])
    if report.levels:
        blocks.append(["Levels reached:", *level_lines(report.levels)])
    return "\n\n".join(map("\n".join, blocks))


def verdict(report: Report) -> str:
    """The result of a run in a sentence."""
    n_failed, n_passed = len(report.of("failed")), len(report.of("passed"))
    if n_failed:
        return f"{n_failed} of {n_failed + n_passed} case{'s' * (n_failed + n_passed > 1)} failed."
    if not n_passed:
        return "No case passed. A run in which nothing passes is a failure."
    skipped_text = f", {len(report.of('skipped'))} skipped" if report.of("skipped") else ""
    return f"All {n_passed} cases passed{skipped_text}." if n_passed > 1 else f"The case passed{skipped_text}."


def groups(report: Report, mistake_texts: Mapping[str, str]) -> list[tuple[list[str], list[Result]]]:
    """The failed cases in groups that have one explanation, each with its lines.

    Groups with a failed update come first, because what is wrong there is wrong in sweeps too; then the largest; last
    those that were not asked after others had failed. The explanation is a known mistake, a composition of changes, a
    shared property, the same reason, or none.
    """
    explanation_of_id = {id: ("shared", sentence.text) for sentence in reversed(report.shared) for id in sentence.ids}
    explanation_of_id |= {id: ("composed", sentence.text) for sentence in report.composed for id in sentence.ids}
    explanation_of_id |= {r.id: ("mistake", r.mistake) for r in report.results if r.mistake}

    def explanation(result: Result) -> tuple[str, str]:
        operation_kind = "steps" if result.operation in STEPS else result.operation
        reason = result.reason.partition(" as JSON")[0]  # without the line, which differs from case to case
        return explanation_of_id.get(result.id, ("numbers", operation_kind) if result.field else ("reason", reason))

    def rank(results: Sequence[Result]) -> tuple[bool, bool, int]:
        is_unasked = all(result.reason.startswith("not asked") for result in results)
        return is_unasked, all(result.operation not in STEPS[:2] for result in results), -len(results)

    results_of_explanation = grouped(report.of("failed"), explanation)
    ranked_groups = sorted(results_of_explanation.items(), key=lambda group: rank(group[1]))
    return [(_group(*key, results, mistake_texts, report.shared), results) for key, results in ranked_groups]


def _group(
    kind: str, cause: str, results: Sequence[Result], texts: Mapping[str, str], sentences: Sequence[Said]
) -> list[str]:
    """The lines of a group: how many cases, the explanation, the simplest case and what to do next."""
    group_lines = [_count_text(results)]
    is_sampled = all(r.operation == "sample" for r in results)
    if kind in ("mistake", "composed"):
        intro = "The draws are such as one gets" if is_sampled else "The answers are those that one gets"
        group_lines.append(f"   {intro} when {texts.get(cause, cause)}" + (f" [{cause}]" if kind == "mistake" else ""))
    elif kind == "shared":
        group_lines += [f"   {sentence.text}" for sentence in sentences if {r.id for r in results} & {*sentence.ids}]
    example = min(results, key=lambda r: STEPS.index(r.operation) if r.operation in STEPS else len(STEPS))
    group_lines.append(f"   {', '.join((example.id, *example.tags))}: {example.reason}")
    if example.field and not is_sampled:
        row_option = f" --row {example.index[0]}" if (example.operation, example.field) in SWEPT_FIELDS else ""
        command = f"lda-reference oracle explain {example.id}{row_option}"
        group_lines.append(f"   Next: `{command}` shows the right numbers on the way")
    return group_lines


def _count_text(results: Sequence[Result], number_suffix: str = "") -> str:
    """How many failed cases there are, and of which algorithms and operations."""
    counts = Counter(f"{r.algorithm}/{r.operation}" for r in results)
    summary = ", ".join(f"{name} {n}" for name, n in counts.most_common(4)) + (" and others" if len(counts) > 4 else "")
    return f"{len(results)}{number_suffix} failed case{'s' * (len(results) > 1)} ({summary})"


def to_json(report: Report) -> str:
    """The report as JSON: how many cases passed, failed and were skipped, and each result."""
    report_fields: dict[str, Any] = {"format": "lda_reference oracle report 1"}
    report_fields |= {status: len(report.of(status)) for status in _statuses(report)}
    report_fields |= {"notes": report.notes} if report.notes else {}
    report_fields |= {"levels": {r.algorithm: r.level for r in report.levels}}
    report_fields |= {"levels_in_order": {r.algorithm: r.in_order for r in report.levels if r.in_order}}
    report_fields |= {"composed": [s._asdict() for s in report.composed], "shared": [s.text for s in report.shared]}
    report_fields |= {"ending": report.ending} if report.ending else {}
    report_fields["results"] = [
        {field: _spelled(x) for field, x in r._asdict().items() if x is not None and x != ""} for r in report.results
    ]
    return json.dumps(report_fields, indent=1) + "\n"


def badge(report: Report, vectors_name: str) -> str:
    """The counts as an endpoint of shields.io, which draws a badge; `vectors_name` has their version."""
    summary = ", ".join(f"{len(report.of(status))} {STATUSES[status]}" for status in _statuses(report))
    color = "green" if report.ok else "red"
    badge_fields = {"schemaVersion": 1, "label": "LDA vectors", "message": f"{vectors_name}: {summary}", "color": color}
    return json.dumps(badge_fields) + "\n"


def _spelled(x: Any) -> Any:
    is_unreadable = not math.isfinite(x) if isinstance(x, float) else isinstance(x, int) and x.bit_length() > 1024
    return number(x) if is_unreadable else x
