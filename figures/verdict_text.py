"""The evidence of a verdict as text: a sentence with the counts, and a table with a line for each comparison."""

from collections.abc import Sequence

from figures.common import keyed
from figures.verdicts import DEPENDS, LEAST_UNITS, Question, Tested, Verdict, counting, levels_of

HEAD = ["comparison", "number", "units", "mean (95% interval)", "verdict", "units that would decide"]
WORDS = {1: "agrees", -1: "contradicts", 0: "undecided"}


def graded(verdict: Verdict) -> str:
    """The status of a claim, with its grade if it is reproduced."""
    return ", ".join(filter(None, (verdict.status, verdict.grade)))


def plural(n: int, unit: str) -> str:
    return f"{n:,} {unit}" if n == 1 else f"{n:,} {'corpora' if unit == 'corpus' else unit + 's'}"


def span(x: Sequence[float], form: str) -> str:
    """The least and the largest of some numbers: "3 to 20"."""
    return " to ".join(dict.fromkeys(format(y, form) for y in (min(x), max(x)))) if x else "-"


def sentence(verdict: Verdict, q: Question) -> str:
    """How many comparisons are decided, for and against, and what would decide the others."""
    tested = verdict.tested
    if not tested:
        return q.reason or "Not run."
    agree, contradict, open_ = ([t for t in tested if t.sign == sign] for sign in (1, -1, 0))
    parts = [f"Comparisons that agree: {len(agree)}; that contradict: {len(contradict)}; undecided: {len(open_)}."]
    decided = counting(tested)
    if len(decided) < len(agree) + len(contradict):
        parts.append(f"Those in the paper's own schedule count ({len(decided)} of the decided ones).")
    parts += separated(verdict, decided)
    if corpora := deciding_corpora(tested):
        parts.append(f"They are decided on {', '.join(corpora)} alone.")
    if verdict.printed:
        parts.append(f"As printed the claim would be “{verdict.printed}”; its other form is reproduced.")
    largest = max(t.units for t in tested)
    if largest < LEAST_UNITS and not decided:
        parts.append(f"None has more than {plural(largest, q.unit)}, and fewer than {LEAST_UNITS} decide nothing.")
    if would := [t.needed for t in open_ if t.needed]:
        parts.append(f"What is undecided would be decided, at its mean and deviation, by {span(would, ',d')} units")
        parts[-1] += "." if len(would) == len(open_) else f" ({len(would)} of {len(open_)}; by 1,000 none of the rest)."
    return " ".join(parts)


def deciding_corpora(tested: Sequence[Tested]) -> list[str]:
    """The corpora of the comparisons that count; [] if none count, or if no other corpus was tried."""
    tried, deciding = ({t.comparison.levels.get("corpus", "") for t in x} for x in (tested, counting(tested)))
    return sorted(deciding) if deciding != tried else []


def separated(verdict: Verdict, decided: Sequence[Tested]) -> list[str]:
    """If the claim depends on one factor, a sentence with its levels."""
    name = (verdict.printed or verdict.status).removeprefix(DEPENDS).strip()
    if not any(name in t.comparison.levels for t in decided) or {t.sign for t in decided} != {1, -1}:
        return []
    agree, contradict = (", ".join(x for (x,) in sorted(levels)) for levels in levels_of(decided, [name]))
    return [f"By {name}: they agree for {agree}; they contradict for {contradict}."]


def rows(tested: Sequence[Tested], form: str = "+.3g") -> list[list[str]]:
    """A line for each name: comparisons, units, mean and 95% interval, verdict, and what would decide."""
    groups = keyed(tested, lambda t: t.comparison.name)
    return [_row(name, group, form) for name, group in groups.items()]


def _row(name: str, group: Sequence[Tested], form: str) -> list[str]:
    t = group[0]
    if len(group) > 1:  # the range of the means, and a count for each verdict
        size = span([x.mean for x in group], form)
        signs = [x.sign for x in group]
        verdict = ", ".join(f"{word}: {signs.count(sign)}" for sign, word in WORDS.items() if sign in signs)
    else:
        size, verdict = format(t.mean, form), WORDS[t.sign]
        size += f" ({t.low:{form}} to {t.high:{form}})" if t.low < t.high else ""
    numbers = [x.needed for x in group if x.needed]
    would = span(numbers, ",d") if any(x.sign == 0 for x in group) else ""
    return [name, str(len(group)), span([x.units for x in group], "d"), size, verdict, would]
