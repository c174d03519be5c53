"""The working of a case: the numbers of the plain text on the way to its answer, line by line.

A porter prints the same numbers of the port, and sees where the two part.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from ...plain import algorithm, class_of, is_large
from ..cases.loading import Case
from ..changes.change import layer

SUMS = {"document": "jk", "word": "wk", "topic": "k"}
ROWS = 12  # the most rows of a table that are shown
WHOLE = {  # the methods without arguments whose values are shown, and what the values are
    "counts": ("N_jk", "N_wk", "N_k"), "constant_of_theta": ("the constant of p(theta | alpha)",),
    "constant_of_phi": ("the constant of p(phi | eta)",), "entropy": ("the entropy of q(z)",),
    "estimate": ("theta_jk", "phi_wk"), "scale": ("the factor of the batch's counts",), "rho": ("the step size",),
}  # fmt: skip
NOTED = {  # those of a row and a topic; {} stands for an index of SUMS
    "N": "N_{}", "V": "V_{}", "E_log": "E[log(a + n_{})]", "E_inverse": "E[1/(a + n_{})]",
    "document": "document's term", "word": "word's term", "topic": "topic's term", "weight": "weight",
}  # fmt: skip
Line = tuple[str, Sequence[Any]]
Noted = dict[tuple[int, str, int], Any]  # the first value of each row, quantity and topic


def working(case: Case) -> list[str]:
    """The lines that explain a case: what is asked, the numbers on the way, and the answer.

    It is a ValueError if the case has no working: its input must be refused, its law is tested, or it is too large.
    """
    if case["operation"] in ("reject", "sample") or is_large(case):
        why = {"reject": "its input must be refused", "sample": "its draws are tested"}.get(case["operation"])
        raise ValueError(f"{case['id']}: has no working: {why or 'it is large; take a smaller case'}")
    noted: Noted = {}
    wholes: dict[str, Any] = {}
    run = algorithm(case, float, layer(_noting(noted, wholes)))
    try:
        answer = run.answer()
    except ZeroDivisionError:
        raise ValueError(f"{case['id']}: has no working: all weights of a row are 0 as floats") from None
    of_operation = getattr(run, case["operation"], None) if wholes and not noted else None
    about = (of_operation or class_of(case)).__doc__ or ""
    out = ["  ".join((case["id"], ", ".join(case.get("tags", ())))).rstrip(), " ".join(about.split()), ""]
    out += _given(case)
    if noted:
        row, what = next(iter(noted))[0], "token" if "z" in case.get("state", ()) else "row"
        out += ["", f"The update of {what} {row}, topic by topic:", *_table(_of_row(noted, row, case["K"]))]
    for name, x in (wholes | answer).items():
        out += ["", f"{name}:", *_table(_lines(x))]
    return out


def _noting(noted: Noted, wholes: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    """Methods that note what they return, also for a row and a topic, their last two arguments."""

    def note_whole(name: str, self: Any, right: Any) -> Any:
        x = right()
        values = x.values() if isinstance(x, dict) else x if isinstance(x, tuple) else (x,)
        wholes.update(zip(WHOLE[name], values, strict=True))
        return x

    def note(name: str, self: Any, right: Any, *arguments: Any) -> Any:
        value = right(*arguments)
        part = SUMS[arguments[0]] if "{}" in name else ""
        noted.setdefault((arguments[-2], name.format(part), arguments[-1]), value)
        return value

    of_topics = {method: partial(note, name) for method, name in NOTED.items()}
    return {**of_topics, **{method: partial(note_whole, method) for method in WHOLE}}


def _given(case: Case) -> Iterator[str]:
    """The numbers of a case that every update needs."""
    c, p = case["corpus"], case["prior"]
    yield f"D = {c['D']}, W = {c['W']}, K = {case['K']}, alpha = {p['alpha']}, eta = {p['eta']}"
    for i, (j, w, n) in enumerate(zip(c["j"], c["w"], c["n"], strict=True)):
        if i == ROWS:
            yield f"and {len(c['n']) - ROWS} more rows"
            return
        gamma = case.get("state", {}).get("gamma")
        yield f"row {i}: document {j}, word {w}, count {n}" + (f", gamma = {gamma[i]}" if gamma else "")


def _of_row(noted: Noted, row: int, K: int) -> Iterator[Line]:
    """The quantities of the first update of a row, and the shares of its weights."""
    for name in dict.fromkeys(name for i, name, _ in noted if i == row):
        yield name, [noted.get((row, name, k), "") for k in range(K)]
    weights = [noted[row, "weight", k] for k in range(K) if (row, "weight", k) in noted]
    if len(weights) == K:
        yield "weight / sum", [x / sum(weights) for x in weights]


def _lines(x: Any) -> Iterator[Line]:
    if isinstance(x, list) and x and isinstance(x[0], list):
        yield from ((str(i), row) for i, row in enumerate(x[:ROWS]))
        if len(x) > ROWS:
            yield f"and {len(x) - ROWS} more rows", []
    else:
        yield "", x if isinstance(x, list) else [x]


def _table(lines: Iterator[Line]) -> list[str]:
    return [f"  {name:<18}" + "".join(f"  {v!s:>22}" for v in values) for name, values in lines]
