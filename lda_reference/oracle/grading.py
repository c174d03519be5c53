"""Grading an exercise: a function that computes one quantity is asked inputs of the vectors, and its error is named."""

import itertools
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any, NamedTuple

from .. import plain
from .asking.written import as_json
from .cases.closeness import cut
from .cases.loading import Case, cases, mistakes
from .changes.change import TERMS, Change, Method, changed, share, softmax
from .diagnosing.naming import Asked, named
from .diagnosing.search import search
from .judging.comparing import compared

ACCURACY = 1e-9  # relative, because log Gamma and digamma may come from any library
LONGEST = 12  # probabilities of an input of `exact_cvb`: the sum over all outcomes is then quick, too
MADE = ("E_log", "alpha")  # the fields of cases in which an algorithm is changed to ask for one quantity alone
FEWEST = 3  # right results that share a property
Row = list[Any]
Arguments = dict[str, Any]  # by their names
Inputs = Iterator[tuple[Case, Row]]  # cases, and the arguments that each is asked with


def _of_update(variances: bool = False, token: bool = False) -> Callable[[Case], Inputs]:
    """The sums and the prior of an update. With the token, the sums contain its gamma, which comes first."""

    def inputs(case: Case) -> Inputs:
        run: Any = plain.algorithm(case)
        i = run.token() if "z" in case["state"] else case["row"]
        run.excludes = "nothing" if token else run.excludes
        kinds = (run.N, run.V) if variances else (run.N,)
        sums = [[f(part, run.gamma, i, k) for k in range(run.K)] for part in TERMS for f in kinds]
        yield case, [*[run.gamma[i]] * token, *sums, run.alpha, run.eta_of(i, 0), run.W_eta(i, 0)]

    return inputs


def _of_counts(case: Case) -> Inputs:
    run: Any = plain.algorithm(case)
    yield case, [*run.counts_of_topics(range(run.D)), run.alpha, run.column(run.eta, 0)]


def _of_alpha(case: Case) -> Inputs:
    """The case with a vector for alpha and no prior on it, and with one word: its eta stays 1."""
    run: Any = plain.algorithm(case)
    made = {"corpus": case["corpus"] | {"w": [0] * len(case["corpus"]["w"]), "W": 1}}
    made |= {"prior": {"alpha": run.alpha, "eta": 1.0}, "gamma_prior": {"shape": 1.0, "rate": 0.0}}
    yield case | made | {"expected": _answer(case | made)}, [run.counts_of_topics(range(run.D))[0], run.alpha]


def _of_tokens(case: Case) -> Inputs:
    """The probabilities that other tokens of a document, a word or all have a topic, and the prior of their count."""
    run: Any = plain.algorithm(case)
    i = case["row"]
    for k in range(run.K):
        for part, a in zip(TERMS, (run.alpha[k], run.eta_of(i, k), run.W_eta(i, k)), strict=True):
            p = [run.gamma[r][k] for r, n in run.left(part, i) for _ in range(n)]
            made = case | {"id": f"{case['id']}, {part} {k}", "place": (part, a, run.gamma, i, k)}
            if len(p) <= LONGEST:
                yield made | {"expected": _answer(made)}, [p, a]


def _of_test(case: Case) -> Inputs:
    yield case, [*plain.algorithm(case).estimate().values(), *(case["test"][name] for name in "jwn")]


def _answer(case: Case, *changes: Change) -> dict[str, Any]:
    """The answer of the plain text with some changes; of a made case with a place, E[log(a + n)] there."""
    run: Any = changed(case, plain.Floats(), changes)
    return {"E_log": run.E_log(*case["place"])} if "place" in case else run.answer()


# Errors ---------------------------------------------------------------------------------------------------------------

EXCHANGED = {"document": "word", "word": "document", "topic": "topic"}
# By the field: what completes "when", and the methods of the plain text that have this error
ERRORS: Mapping[str, Mapping[str, Mapping[str, Method]]] = {
    "log_joint": {
        "the constants of the prior are added once, and not for each document and each topic": {
            "constant_of_theta": lambda self, right: right() / self.D,
            "constant_of_phi": lambda self, right: right() / self.K,
        },
        "K times the first eta stands for the sum of eta, TNW06 (7)": {
            "sums_of_prior": lambda self, right: (self.sum_alpha, [self.K * e for e in self.eta[0]])
        },
        "the totals of words stand for those of topics, TNW06 (7)": {
            "log_joint": lambda self, right: right() + sum(
                sign * (self.log_gamma(self.sum_eta[0] + sum(row)) - self.log_gamma(self.sum_eta[0]))
                for table in [self.counts_of_topics(range(self.D))[1]]
                for sign, rows in ((1, zip(*table, strict=True)), (-1, table)) for row in rows
            )
        },
    },
    "gamma_k": {
        "the counts, or the priors, of the document and of the word are exchanged": dict.fromkeys(
            "NV", lambda self, right, part, *x: right(EXCHANGED[part], *x))
    },
    "E_log": {
        "the logarithm of the expected count is taken: TNW06 (15) has the expectation of the logarithm": {
            "expectation": lambda self, right, f, p: f(right(lambda n: n, p))
        },
        "the expectation is taken to second order, TNW06 (17), and not exactly, TNW06 (15)": {
            "E_log": lambda self, right, part, a, *x: (
                self.log(a + self.N(part, *x)) - self.V(part, *x) / (2 * (a + self.N(part, *x)) ** 2))
        },
        "all variables have the mean of the probabilities, so that n is binomial": {
            "distribution": lambda self, right, pairs: right(
                [(sum(g * n for g, n in pairs) / (sum(n for _, n in pairs) or 1), sum(n for _, n in pairs))])
        },
        "the first probability is left out": {
            "distribution": lambda self, right, pairs: right(
                [(g, n - (i == 0)) for i, (g, n) in enumerate(pair for pair in pairs if pair[1])])
        },
        "alpha is left out, and n = 0 with it": {
            "E_log": lambda self, right, part, a, *x: self.expectation(lambda n: self.log(n or 1), self.count(part, *x))
        },
    },
    "alpha": {
        "Ψ of the sum of alpha is not subtracted in the denominator": {
            "total_rise": lambda self, right, N, a: sum(self.digamma(sum(a) + x) for x in N)
        },
        "Ψ(alpha_k) and Ψ of the sum of alpha are subtracted once, and not for each document": {
            "rise": lambda self, right, N, a: self.digamma(N + a) - self.digamma(a) / self.D
        },
        "Ψ of the sum of alpha is subtracted once, and not for each document": {
            "total_rise": lambda self, right, N, a: sum(self.digamma(sum(a) + x) for x in N) - self.digamma(sum(a))
        },
        "the denominator has the tokens of each topic, and not those of each document": {
            "total_rise": lambda self, right, N, a: (
                right([sum(x) for x in zip(*self.counts_of_topics(range(self.D))[0], strict=True)], a))
        },
        "the numerator is the sum over documents and topics, and not over documents alone": {
            "new_vector": lambda self, right, shape, rate, a, rises, total: (
                right(shape, rate, a, [sum(rises)] * len(a), total))
        },
        "the result is divided by its sum": {"new_vector": lambda self, right, *x: share(right(*x))},
    },
}  # fmt: skip
USES: Mapping[str, Callable[[Row], Row]] = {  # what makes the right numbers of those that are given
    "the result is not divided by its sum": share,
    "the exponential is missing, so that the result is its logarithm": lambda x: [math.exp(v) for v in x],
    "the exponential and the division by the sum are missing": softmax,
    "the logarithms are to base 2": lambda x: [v * math.log(2) for v in x],
    "the result has the other sign": lambda x: [-v for v in x],
}
PROPERTIES: Mapping[str, Callable[[Row], bool]] = {
    "all entries of {} are equal": lambda x: len({*x}) == 1,
    "the entries of {} are not all equal": lambda x: len({*x}) > 1,
    "all entries of {} are 0": lambda x: not any(x),
}


class Exercise(NamedTuple):
    """What a function must compute: a field of the answer to the cases of some vectors."""

    vectors: str  # the beginning of their ids
    field: str
    chapter: str
    names: str  # of the arguments
    inputs: Callable[[Case], Inputs]


UPDATE = "alpha eta_w eta_sum"
EXERCISES = {
    "collapsed_joint": Exercise("lda/log_joint", "log_joint", "01_model", "n_jk n_wk alpha eta", _of_counts),
    "gibbs": Exercise("cgs/update", "gamma_k", "06_gibbs", f"n_jk n_wk n_k {UPDATE}", _of_update()),
    "vb": Exercise("vb/update", "gamma_k", "04_variational_bayes", f"N_jk N_wk N_k {UPDATE}", _of_update()),
    "exact_cvb": Exercise("cvb_exact/update", "E_log", "08_collapsed_vb", "probabilities alpha", _of_tokens),
    "gaussian_cvb": Exercise(
        "cvb/update", "gamma_k", "09_approximations",
        f"mean_jk variance_jk mean_wk variance_wk mean_k variance_k {UPDATE}", _of_update(variances=True)),
    "cvb0": Exercise(
        "cvb0/update", "gamma_k", "10_cvb0_schedules", f"gamma N_jk N_wk N_k {UPDATE}", _of_update(token=True)),
    "alpha": Exercise("cgs/hyperparameters", "alpha", "12_hyperparameters", "n_jk alpha", _of_alpha),
    "perplexity": Exercise("cvb0/predict", "perplexity", "14_prediction", "theta_jk phi_wk j w n", _of_test),
}  # fmt: skip

# Grading --------------------------------------------------------------------------------------------------------------


def grade(function: Callable[..., Any], idea: str) -> str:
    """Says whether a function computes the quantity of an exercise, or what its error is.

    `idea` is one of `EXERCISES`, which name the arguments. An explanation of wrong results leads to all results that
    are given, right and wrong. Without one, it is said what the error depends on, if anything.
    """
    if idea not in EXERCISES:
        raise ValueError(f"idea is {idea!r}, expected one of {', '.join(EXERCISES)}")
    exercise, name = EXERCISES[idea], getattr(function, "__name__", "the function")
    inputs, without, asked = _inputs(exercise), [], []
    for case, arguments in inputs:
        values = deepcopy([*arguments.values()])
        try:
            result = as_json(function(*values))
        except NotImplementedError:
            return f"Not written yet: {name} raises NotImplementedError."
        except Exception as error:
            without.append(f"{name} raised {type(error).__name__}: {cut(str(error))}\n{_shown(arguments)}")
            continue
        if any((isinstance(x, float) and math.isnan(x)) or x in ("inf", "-inf") for x in _numbers(result)):
            without.append(f"{name} returned {result}, which is not finite\n{_shown(arguments)}")
            continue
        if changed_names := [x for x, v in zip(arguments, values, strict=True) if as_json(v) != as_json(arguments[x])]:
            without.append(f"{name} changes {changed_names[0]}, which belongs to its caller\n{_shown(arguments)}")
            continue
        answer = case["expected"] | {"id": case["id"], exercise.field: result}
        asked.append((Asked(case, answer, compared(case, answer)), arguments))
    about = f"{', '.join(inputs[0][0]['tags'])}; chapter {exercise.chapter}"
    failed = [(a, arguments) for a, arguments in asked if not a.result.passed]
    if not failed and not without:
        return f"Right: {name} gives the expected result for all {len(inputs)} inputs ({about})."
    lines = [f"Wrong for {len(failed + without)} of {len(inputs)} inputs ({about})."]
    if without:
        lines.append(f"No comparison for {len(without)} of them: {without[0]}")
    if failed:
        why = _explanation(exercise, [a for a, _ in asked])
        others = "Its other results" if without else "Its results"
        lines.append(f"{others} are those that one gets when {why}." if why else _dependence(asked))
        lines.append(_difference(name, exercise.field, *failed[0]))
    return "\n".join(filter(None, lines))


def _inputs(exercise: Exercise) -> list[tuple[Case, Arguments]]:
    """The cases and their arguments, the smallest first, without large cases, in which the oracle does not search."""
    inputs = []
    small = (case for case in cases(exercise.vectors) if not plain.is_large(case))
    for case, values in itertools.chain.from_iterable(map(exercise.inputs, small)):
        sizes = {field: max(1.0, *map(abs, _numbers(x))) for field, x in case["expected"].items()}
        tolerance = {field: {"absolute": ACCURACY * size} for field, size in sizes.items()}
        inputs.append((case | {"tolerance": tolerance}, dict(zip(exercise.names.split(), values, strict=True))))
    return sorted(inputs, key=lambda x: (x[0]["K"] == 1, len(_numbers([*x[1].values()]))))


def _numbers(x: Any) -> Row:
    return [v for part in x for v in _numbers(part)] if isinstance(x, list) else [x]


def _explanation(exercise: Exercise, asked: Sequence[Asked]) -> str | None:
    """What completes "when"."""
    field = exercise.field
    if any(a.result.field is None and not a.result.passed for a in asked):  # some cannot be compared
        return None
    names = {r.mistake for r in named(asked) if r.status == "failed"} if field != "E_log" else {None}
    if len(names) == 1 and (name := names.pop()):
        return mistakes()[name].partition("; as in")[0]
    for text, use in USES.items():
        if _agree((use(_numbers(a.answer[field])), a.case["expected"][field]) for a in asked):
            return text
    for changes in _changes(field, asked):
        if _agree((_answer(a.case, *changes)[field], a.answer[field]) for a in asked):
            return ", and ".join(change.text for change in changes)
    return None


def _changes(field: str, asked: Sequence[Asked]) -> Iterator[tuple[Change, ...]]:
    """The errors of a field, and what the oracle's search finds, which takes seconds."""
    yield from ((Change(text, field, methods),) for text, methods in ERRORS.get(field, {}).items())
    if field not in MADE:
        failed, right = ([a for a in asked if a.result.passed == passed] for passed in (False, True))
        yield from itertools.chain.from_iterable(x.compositions for x in search(failed, right))


def _agree(results: Iterator[tuple[Any, Any]]) -> bool:
    """Whether the two results in each pair agree; the second one is finite."""
    with suppress(ArithmeticError, LookupError, TypeError, ValueError):
        pairs = itertools.chain.from_iterable(zip(_numbers(x), _numbers(y), strict=True) for x, y in results)
        return all(abs(x - y) <= ACCURACY * max(1.0, abs(y)) for x, y in pairs)
    return False


def _dependence(asked: Sequence[tuple[Asked, Arguments]]) -> str:
    """A property of an argument with which all results are right, and without which most are wrong."""
    best = (0.5, "")
    for name in asked[0][1]:
        for text, has in PROPERTIES.items():
            told = [(bool((x := _numbers(arguments[name])) and has(x)), a.result.passed) for a, arguments in asked]
            right, wrong, others = told.count((True, True)), told.count((False, False)), told.count((False, True))
            if right >= FEWEST and (True, False) not in told and wrong / (wrong + others) > best[0]:
                where = f"in which {text.format(name)}, and wrong for {wrong} of the other {wrong + others}"
                best = wrong / (wrong + others), f"It is right for all {right} inputs {where}."
    return best[1]


def _difference(name: str, field: str, asked: Asked, arguments: Arguments) -> str:
    r = asked.result
    place = "".join(f"[{i}]" for i in r.index or ())
    what = f"{name}(...){place} is {r.got}, expected {r.expected}"
    fault = r.reason.replace(field, "the result", 1).replace("null", "None")
    return f"The first difference: {what if r.field else fault}\nArguments, to six digits:\n{_shown(arguments)}"


def _shown(arguments: Arguments) -> str:
    """Arguments line by line, with six digits."""
    rounded = json.loads(json.dumps(arguments), parse_float=lambda x: float(f"{float(x):.6g}"))
    return "\n".join(f"    {name} = {cut(str(x))}" for name, x in rounded.items())
