"""The sentences that a report may say of failed cases, each with its test.

- `CASES` completes "all are cases ...": what is true of a case. So do sizes: "with more than ...", or "fewer than ...".
- `NUMBERS`: what is true of all numbers of an answer.
- `PLACES` completes "only ... wrong": which numbers of an answer are meant.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ...plain import SCHEDULES, class_of
from ..cases.loading import Case
from ..cases.noise import flat
from ..judging.reporting import STEPS
from .numbers import Entry, Numbers, factor


def idle(case: Case) -> bool:
    """Whether a step of this case has the same answer with most mistakes: there is one topic."""
    return case["operation"] in STEPS and case.get("K") == 1


def _flag(flag_name: str) -> Callable[[Case], bool]:
    return lambda case: flag_name in case.get("flags", ())


def _schedule(schedule: str) -> Callable[[Case], bool]:
    return lambda case: case["operation"] not in ("update", "draw") and case.get("schedule") == schedule


def _rows(case: Case) -> list[tuple[int, int]]:
    return list(zip(case["corpus"]["j"], case["corpus"]["w"], strict=True))


def _certain(case: Case) -> bool:
    gamma = case.get("state", {}).get("gamma", [])
    return bool(gamma) and case["K"] > 1 and {*flat(gamma)} <= {0, 1}


CASES: dict[str, Callable[[Case], bool]] = {
    "with an asymmetric alpha": lambda case: isinstance(case["prior"]["alpha"], list),
    "with an asymmetric eta": lambda case: isinstance(case["prior"]["eta"], list),
    "with a number for alpha": lambda case: not isinstance(case["prior"]["alpha"], list),
    "with a number for eta": lambda case: not isinstance(case["prior"]["eta"], list),
    "with counts above 1": lambda case: max(case["corpus"]["n"], default=0) > 1,
    "without counts above 1": lambda case: max(case["corpus"]["n"], default=0) <= 1,
    "with a word that has two rows in a document": lambda case: len({*_rows(case)}) < len(_rows(case)),
    "that update a row of count above 1": lambda case: "row" in case and case["corpus"]["n"][case["row"]] > 1,
    "that update a row of count 1": lambda case: "row" in case and case["corpus"]["n"][case["row"]] == 1,
    "that update one of two rows of a word in a document": (
        lambda case: "row" in case and _rows(case).count(_rows(case)[case["row"]]) > 1
    ),
    **{f"with the schedule {schedule}": _schedule(schedule) for schedule in SCHEDULES},
    "with an empty document": _flag("empty_document"),
    "with a word that does not occur": _flag("unseen_word"),
    "with one topic": lambda case: case["K"] == 1,
    "with more than two topics": lambda case: case["K"] > 2,
    "with one token in all": _flag("one_token"),
    "with a prior of about 0.001 (1.001 for map)": _flag("tiny_prior"),
    "with a prior above 1": (  # for map, above 2
        lambda case: max(flat([case["prior"]["alpha"], case["prior"]["eta"]])) > 1 + class_of(case).prior_offset
    ),
    "with rows that are certain of their topics": _certain,
    "with u on a boundary between topics": _flag("tie"),
    "with a row of 10^8 tokens or more": _flag("many_tokens"),
    "that draw for a later token of a row": lambda case: case.get("token", 0) > 0,
    "that predict a document or a word without training tokens": (
        lambda case: "test" in case and any({*case["test"][axis]} - {*case["corpus"][axis]} for axis in ("j", "w"))
    ),
}

# What a case can have more of, or less, than a port can bear; it completes "more than ..."
SIZES: dict[str, Callable[[Case], int]] = {
    "topics": lambda case: case["K"],
    "documents": lambda case: case["corpus"]["D"],
    "words in the vocabulary": lambda case: case["corpus"]["W"],
    "rows": lambda case: len(case["corpus"]["n"]),
    "tokens": lambda case: sum(case["corpus"]["n"]),
    "rows in a document": lambda case: max(Counter(case["corpus"]["j"]).values(), default=0),
    "tokens in a row": lambda case: max(case["corpus"]["n"], default=0),
}


def limits_of_sizes(failed_cases: Sequence[Case], passed_cases: Sequence[Case]) -> Iterator[str]:
    """The sizes that are larger, or smaller, in all failed cases than in every passed one."""
    for size_name, size_of in SIZES.items():
        wrong, right = sorted(map(size_of, failed_cases)), sorted(map(size_of, passed_cases))
        limit_of_word = {"more": (right[-1], wrong[0] > right[-1]), "fewer": (right[0], wrong[-1] < right[0])}
        for comparison, (limit, is_beyond) in limit_of_word.items():
            if is_beyond:
                yield f"with {comparison} than {limit} {size_name.replace('s', '', 1) if limit == 1 else size_name}"


def _rows_are(holds_for_row: Callable[[Sequence[Entry]], bool]) -> Callable[[Numbers], bool]:
    """Whether something is true of all rows of gamma, which is wrong."""
    return lambda nums: _is_wrong(nums.rows("gamma")) and all(map(holds_for_row, nums.rows("gamma")))


def _is_wrong(rows: Sequence[Sequence[Entry]]) -> bool:
    return any(entry.wrong for row in rows for entry in row)


def _answered(row: Sequence[Entry], state_row: Sequence[float]) -> bool:
    return all(abs(entry.got - x) <= entry.tolerance for entry, x in zip(row, state_row, strict=True))


def _of_state(nums: Numbers, all_rows: bool) -> bool:
    """Whether the wrong rows of gamma, or all rows, are those of the state."""
    gamma = nums.case.get("state", {}).get("gamma", ())
    pairs = zip(nums.rows("gamma"), [gamma[nums.case["row"]]] if gamma and "row" in nums.case else gamma, strict=False)
    row_fits = [_answered(row, old_row) for row, old_row in pairs if all_rows or any(entry.wrong for entry in row)]
    return _is_wrong(nums.rows("gamma")) and bool(row_fits) and all(row_fits)


def _scaled(nums: Numbers, field: str, by_columns: bool = False) -> bool:
    """Whether each wrong row, or column, of a table is the expected one times a number."""
    wrong_rows = [row for row in nums.rows(field, by_columns) if any(entry.wrong for entry in row)]
    return bool(wrong_rows) and all(factor(row) and sum(entry.expected != 0 for entry in row) > 1 for row in wrong_rows)


NUMBERS: dict[str, Callable[[Numbers], bool]] = {
    "gamma is that of the state: nothing was updated": lambda x: _of_state(x, all_rows=True),
    "gamma has the expected numbers in another order of topics": _rows_are(
        lambda row: len(row) > 1 and _answered(sorted(row, key=lambda e: e.got), sorted(e.expected for e in row))
    ),
    "each wrong row of gamma is that of the state": lambda x: _of_state(x, all_rows=False),
    "gamma is 0 or 1, as where the largest topic is taken, or a topic is drawn": _rows_are(
        lambda row: {entry.got for entry in row} <= {0, 1}
    ),
    "every wrong number is 0": lambda x: all(entry.got == 0 for entry in x.entries if entry.wrong),
    "each row of theta_jk is the expected one times a number: look at its divisor": lambda x: _scaled(x, "theta_jk"),
    "each column of phi_wk is the expected one times a number: look at its divisor": (
        lambda x: _scaled(x, "phi_wk", by_columns=True)
    ),
    "each row of gamma is the expected one times a number: look at its divisor": lambda x: _scaled(x, "gamma"),
    "gamma does not sum to 1 over topics": lambda x: any(
        abs(sum(e.got for e in row) - 1) > max(1e-6, sum(e.tolerance for e in row)) for row in x.rows("gamma")
    ),
}


def _row(entry: Entry) -> int:
    """The row of an entry of gamma; -1 for other entries."""
    return entry.index[0] if entry.field == "gamma" and len(entry.index) == 2 else -1


def _of_axis(case: Case, entry: Entry, axis: str) -> int:
    """The document of an entry on the axis "j", its word on the axis "w"; -1 if it has none."""
    if entry.field == {"j": "theta_jk", "w": "phi_wk"}[axis]:
        return entry.index[0]
    if entry.field == "token_probability":
        return case["test"][axis][entry.index[0]]
    return case["corpus"]["j"][_row(entry)] if axis == "j" and _row(entry) >= 0 else -1


PLACES: dict[str, Callable[[Case, Entry], bool]] = {
    "theta_jk of documents without tokens is": (
        lambda case, e: e.field == "theta_jk" and e.index[0] not in case["corpus"]["j"]
    ),
    "the numbers of documents without tokens are": (
        lambda case, e: _of_axis(case, e, "j") not in (-1, *case["corpus"]["j"])
    ),
    "phi_wk of words that do not occur is": (
        lambda case, e: e.field == "phi_wk" and e.index[0] not in case["corpus"]["w"]
    ),
    "the numbers of words that do not occur are": lambda case, e: (
        _of_axis(case, e, "w") not in (-1, *case["corpus"]["w"])
    ),
    "the perplexity is": lambda case, e: e.field == "perplexity",
    "alpha is": lambda case, e: e.field == "alpha",
    "eta is": lambda case, e: e.field == "eta",
    "the last topic's numbers are": lambda case, e: len(e.index) > 1 and e.index[-1] == case["K"] - 1,
    "gamma of the last row is": lambda case, e: _row(e) == len(case["corpus"]["n"]) - 1,
    "gamma of the last document's rows is": (
        lambda case, e: _row(e) >= 0 and _of_axis(case, e, "j") == case["corpus"]["j"][-1]
    ),
    "gamma of rows of count above 1 is": lambda case, e: _row(e) >= 0 and case["corpus"]["n"][_row(e)] > 1,
    "gamma of the rows after the first document's is": (
        lambda case, e: _row(e) >= 0 and _of_axis(case, e, "j") > case["corpus"]["j"][0]
    ),
    "gamma of the rows after the first is": lambda case, e: _row(e) > 0,
    "theta_jk is": lambda case, e: e.field == "theta_jk",
    "phi_wk is": lambda case, e: e.field == "phi_wk",
}
