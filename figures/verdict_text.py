"""The evidence of a verdict as text: a sentence with the counts, and a table with a line for each comparison."""

from collections.abc import Sequence

from figures.common import keyed
from figures.verdicts import DEPENDS, LEAST_UNITS, Question, Tested, Verdict, counting, levels_of

HEAD = ["comparison", "number", "units", "mean (95% interval)", "verdict", "units that would decide"]
SIGN_WORDS = {1: "agrees", -1: "contradicts", 0: "undecided"}


def graded(verdict: Verdict) -> str:
    """The status of a claim, with its grade if it is reproduced."""
    return ", ".join(filter(None, (verdict.status, verdict.grade)))


def plural(n: int, unit: str) -> str:
    return f"{n:,} {unit}" if n == 1 else f"{n:,} {'corpora' if unit == 'corpus' else unit + 's'}"


def span(numbers: Sequence[float], form: str) -> str:
    """The least and the largest of some numbers: "3 to 20"."""
    return " to ".join(dict.fromkeys(format(bound, form) for bound in (min(numbers), max(numbers)))) if numbers else "-"


def sentence(verdict: Verdict, q: Question) -> str:
    """How many comparisons are decided, for and against, and what would decide the others."""
    tests = verdict.tested
    if not tests:
        return q.reason or "Not run."
    agreeing, against, open_ = ([test for test in tests if test.sign == sign] for sign in (1, -1, 0))
    parts = [f"Comparisons that agree: {len(agreeing)}; that contradict: {len(against)}; undecided: {len(open_)}."]
    decided_tests = counting(tests)
    if len(decided_tests) < len(agreeing) + len(against):
        parts.append(f"Those in the paper's own schedule count ({len(decided_tests)} of the decided ones).")
    parts += separated(verdict, decided_tests)
    if corpora := deciding_corpora(tests):
        parts.append(f"They are decided on {', '.join(corpora)} alone.")
    if verdict.printed:
        parts.append(f"As printed the claim would be “{verdict.printed}”; its other form is reproduced.")
    most_units = max(test.units for test in tests)
    if most_units < LEAST_UNITS and not decided_tests:
        parts.append(f"None has more than {plural(most_units, q.unit)}, and fewer than {LEAST_UNITS} decide nothing.")
    if units := [test.needed for test in open_ if test.needed]:
        parts.append(f"What is undecided would be decided, at its mean and deviation, by {span(units, ',d')} units")
        parts[-1] += "." if len(units) == len(open_) else f" ({len(units)} of {len(open_)}; by 1,000 none of the rest)."
    return " ".join(parts)


def deciding_corpora(tests: Sequence[Tested]) -> list[str]:
    """The corpora of the comparisons that count; [] if none count, or if no other corpus was tried."""
    tried_corpora, decided_on = ({t.comparison.levels.get("corpus", "") for t in x} for x in (tests, counting(tests)))
    return sorted(decided_on) if decided_on != tried_corpora else []


def separated(verdict: Verdict, decided_tests: Sequence[Tested]) -> list[str]:
    """If the claim depends on one factor, a sentence with its levels."""
    factor = (verdict.printed or verdict.status).removeprefix(DEPENDS).strip()
    if not any(factor in t.comparison.levels for t in decided_tests) or {t.sign for t in decided_tests} != {1, -1}:
        return []
    agreeing, against = (", ".join(x for (x,) in sorted(levels)) for levels in levels_of(decided_tests, [factor]))
    return [f"By {factor}: they agree for {agreeing}; they contradict for {against}."]


def rows(tests: Sequence[Tested], form: str = "+.3g") -> list[list[str]]:
    """A line for each name: comparisons, units, mean and 95% interval, verdict, and what would decide."""
    tests_of_name = keyed(tests, lambda t_test: t_test.comparison.name)
    return [_row(name, row_tests, form) for name, row_tests in tests_of_name.items()]


def _row(name: str, tests: Sequence[Tested], form: str) -> list[str]:
    lone_test = tests[0]
    if len(tests) > 1:  # the range of the means, and a count for each verdict
        mean_text = span([test.mean for test in tests], form)
        signs = [test.sign for test in tests]
        verdict_text = ", ".join(f"{word}: {signs.count(sign)}" for sign, word in SIGN_WORDS.items() if sign in signs)
    else:
        mean_text, verdict_text = format(lone_test.mean, form), SIGN_WORDS[lone_test.sign]
        mean_text += f" ({lone_test.low:{form}} to {lone_test.high:{form}})" if lone_test.low < lone_test.high else ""
    needed_units = [test.needed for test in tests if test.needed]
    needed_text = span(needed_units, ",d") if any(test.sign == 0 for test in tests) else ""
    return [name, str(len(tests)), span([test.units for test in tests], "d"), mean_text, verdict_text, needed_text]
