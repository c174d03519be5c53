"""The working of a case: the numbers of the plain text on the way to its answer, line by line.

A porter prints the same numbers of the port, and sees where the two part.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ...plain import algorithm, class_of, is_large
from ..cases.loading import Case
from ..cases.noise import Logarithms, steps_by_logarithms
from ..changes.change import layer

INDEX_OF_SUM = {"document": "jk", "word": "wk", "topic": "k"}
MAX_ROWS = 12  # the most rows of a table that are shown
WHOLE_NAMES = {  # the methods whose last values are shown, and what the values are
    "counts": ("N_jk", "N_wk", "N_k"), "constant_of_theta": ("the constant of p(theta | alpha)",),
    "constant_of_phi": ("the constant of p(phi | eta)",), "entropy": ("the entropy of q(z)",),
    "estimate": ("theta_jk", "phi_wk"), "scale": ("the factor of the batch's counts",), "rho": ("the step size",),
    "E_log_phi": ("E[log phi_wk]",), "E_log_theta": ("the last E[log theta_jk]",),
    "responsibilities": ("the last gamma",), "of_tokens": ("E[log p(x, z | theta, phi)] and the entropy of q(z)",),
    "of_theta": ("E[log p(theta) - log q(theta)]",), "of_phi": ("E[log p(phi) - log q(phi)]",),
    "parameters": ("q_k", "q_wk"), "cavity": ("cavity_k", "cavity_wk"), "matched": ("matched_k", "matched_wk"),
    "theta_and_phi": ("theta_jk", "phi_wk"),
}  # fmt: skip
NOTED_NAMES = {  # those of a row and a topic; {} stands for an index of INDEX_OF_SUM
    "N": "N_{}", "V": "V_{}", "E_log": "E[log(a + n_{})]", "E_inverse": "E[1/(a + n_{})]",
    "document": "document's term", "word": "word's term", "topic": "topic's term", "weight": "weight",
}  # fmt: skip
Line = tuple[str, Sequence[Any]]
Noted = dict[tuple[int, str, int], Any]  # the first value of each row, quantity and topic


def working(case: Case, row: int | None = None) -> list[str]:
    """The lines that explain a case: what is asked, the numbers on the way to a row, by default the first, the answer.

    It is a ValueError if the case has no working: its input must be refused, its law is tested, or it is too large.
    """
    is_refused = case["operation"] == "reject" and "error" in case["expected"]
    if is_refused or case["operation"] == "sample" or is_large(case):
        reason_text = "its input must be refused" if is_refused else "" if is_large(case) else "its draws are tested"
        raise ValueError(f"{case['id']}: has no working: {reason_text or 'it is large; take a smaller case'}")
    noted_terms: Noted = {}
    whole_quantities: dict[str, Any] = {}
    for layers in ((), (Logarithms,)):  # where all weights of a row are 0 as floats, their logarithms are not
        noted_terms.clear()
        noting_layer = layer(_noting(noted_terms, whole_quantities))
        noted_run = algorithm(case, float, *layers, noting_layer, *steps_by_logarithms(case))
        with suppress(ZeroDivisionError):
            answer_fields = noted_run.answer()
            break
    else:
        raise ValueError(f"{case['id']}: has no working: all weights of a row are 0 as floats")
    operation_method = getattr(noted_run, case["operation"], None) if whole_quantities and not noted_terms else None
    docstring = getattr(operation_method, "__doc__", "") or class_of(case).__doc__ or ""
    case_text = "  ".join((case["id"], ", ".join(case.get("tags", ())))).rstrip()
    lines = [f"{case_text}: {case['note']}" if case.get("note") else case_text, " ".join(docstring.split()), ""]
    lines += _inputs(case)
    updated_rows, unit = dict.fromkeys(i for i, _, _ in noted_terms), "token" if "z" in case.get("state", ()) else "row"
    if row is not None and row not in updated_rows:
        row_text = f"one of {', '.join(map(str, [*updated_rows][:MAX_ROWS]))}" if updated_rows else "left out"
        raise ValueError(f"{case['id']}: shows no update of {unit} {row}, expected --row to be {row_text}")
    if noted_terms:
        row = next(iter(updated_rows)) if row is None else row
        lines += ["", f"The update of {unit} {row}, topic by topic:", *_table(_of_row(noted_terms, row, case["K"]))]
    for quantity, table_or_number in (whole_quantities | answer_fields).items():
        lines += ["", f"{quantity}:", *_table(_lines(table_or_number))]
    return lines


def _noting(noted_terms: Noted, whole_quantities: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Methods that note what they return, also for a row and a topic, their last two arguments."""

    def note_whole(method_name: str, self: Any, right: Any, *arguments: Any) -> Any:
        output = right(*arguments)
        quantities = output.values() if isinstance(output, dict) else output if isinstance(output, tuple) else (output,)
        whole_quantities.update(zip(WHOLE_NAMES[method_name], quantities, strict=True))
        return output

    def note(term_name: str, self: Any, right: Any, *arguments: Any) -> Any:
        noted_term = right(*arguments)
        subscript = INDEX_OF_SUM[arguments[0]] if "{}" in term_name else ""
        noted_terms.setdefault((arguments[-2], term_name.format(subscript), arguments[-1]), noted_term)
        return noted_term

    topic_methods = {method_name: partial(note, term_name) for method_name, term_name in NOTED_NAMES.items()}
    return {**topic_methods, **{method_name: partial(note_whole, method_name) for method_name in WHOLE_NAMES}}


def _inputs(case: Case) -> Iterator[str]:
    """The numbers of a case that every update needs."""
    corpus, prior = case["corpus"], case["prior"]
    yield f"D = {corpus['D']}, W = {corpus['W']}, K = {case['K']}, alpha = {prior['alpha']}, eta = {prior['eta']}"
    for i, (j, w, n) in enumerate(zip(corpus["j"], corpus["w"], corpus["n"], strict=True)):
        if i == MAX_ROWS:
            yield f"and {len(corpus['n']) - MAX_ROWS} more rows"
            return
        gamma = case.get("state", {}).get("gamma")
        yield f"row {i}: document {j}, word {w}, count {n}" + (f", gamma = {gamma[i]}" if gamma else "")


def _of_row(noted_terms: Noted, row_index: int, K: int) -> Iterator[Line]:
    """The quantities of the first update of a row, and the shares of its weights."""
    for quantity in dict.fromkeys(quantity for i, quantity, _ in noted_terms if i == row_index):
        yield quantity, [noted_terms.get((row_index, quantity, k), "") for k in range(K)]
    weights = [noted_terms[row_index, "weight", k] for k in range(K) if (row_index, "weight", k) in noted_terms]
    if len(weights) == K:
        yield "weight / sum", [weight / sum(weights) for weight in weights]


def _lines(table_or_number: Any) -> Iterator[Line]:
    if isinstance(table_or_number, list) and table_or_number and isinstance(table_or_number[0], list):
        yield from ((str(i), row) for i, row in enumerate(table_or_number[:MAX_ROWS]))
        if len(table_or_number) > MAX_ROWS:
            yield f"and {len(table_or_number) - MAX_ROWS} more rows", []
    else:
        yield "", table_or_number if isinstance(table_or_number, list) else [table_or_number]


def _table(lines: Iterator[Line]) -> list[str]:
    return [f"  {quantity:<18}" + "".join(f"  {number!s:>22}" for number in numbers) for quantity, numbers in lines]
