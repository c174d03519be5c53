"""What texts say of the vectors: the version, the algorithms, how many cases there are and how many ports skip."""

import json
import re

import lda_reference
from lda_reference import oracle
from lda_reference.oracle.asking.answers import batches
from lda_reference.oracle.cases.loading import at_precision, cases_to_ask
from lda_reference.oracle.fresh.problems import kinds
from lda_reference.plain.updates import ALGORITHMS, COLLAPSED, UNCOLLAPSED

from .plan import CHANGES, VERSION
from .released import VECTORS

NUMBER = r"\d+\.\d+\.\d+"


def schema(text, total):
    """schema.json with the version and the names of the algorithms."""
    annealed = [name for name in (*UNCOLLAPSED, *COLLAPSED) if name != "cvb1s"]  # whose samples a start does not have
    for field, names in (('"algorithm": {\n   ', ALGORITHMS), ('"of": {', annealed)):
        text = re.sub(
            rf'({re.escape(field)}"enum": \[)([^\]]*?)(\s*\])',
            lambda m, names=names: m[1] + re.match(r"\s*", m[2])[0] + json.dumps(list(names))[1:-1] + m[3],
            text,
        )
    return re.sub(rf'"version": "{NUMBER}"', f'"version": "{VERSION}"', text)


def changelog(text, total):
    """CHANGELOG.md with an entry of this version."""
    first = re.search(rf"^## {NUMBER}$", text, re.MULTILINE)
    new = "" if first[0] == f"## {VERSION}" else f"## {VERSION}\n\n{CHANGES}\n\n"
    return text[: first.start()] + new + text[first.start() :]


def skipped(text, total):
    """PORTS.md and the badge of GUIDE.md: ports that fail nothing skip what they do not pass."""
    text = re.sub(r"\| (\d+) \| \d+ \| (?=\d \(|\d in)", lambda m: f"| {m[1]} | {total - int(m[1])} | ", text)
    text = re.sub(rf"with version {NUMBER} of", f"with version {VERSION} of", text)
    badge = rf'"message": "{NUMBER}: (\d+) passed, 0 failed, \d+ skipped"'
    return re.sub(
        badge, lambda m: f'"message": "{VERSION}: {m[1]} passed, 0 failed, {total - int(m[1])} skipped"', text
    )


def guide(text, total):
    """GUIDE.md with every algorithm in its tables of exclusions and of weights."""
    for excludes, row in (("nothing", "nothing"), ("token", "a token"), ("type", "the type")):
        names = " ".join(name for name, A in ALGORITHMS.items() if A.excludes == excludes)
        text = re.sub(rf"^\| {row} \| [\w ]+ \|", f"| {row} | {names} |", text, flags=re.MULTILINE)
    before, heading, table = text.partition("| algorithm | weight of topic k | equation |\n")
    end = table.index("\n\n") + 1
    for name, A in ALGORITHMS.items():
        if f"`{name}`" not in table[:end]:
            weight, equations = re.match(r"(.*?), ([A-Z]+\d\d .*)\.$", " ".join(A.__doc__.split())).groups()
            row = f"| `{name}` | {weight} | {equations} |\n"
            table, end = table[:end] + row + table[end:], end + len(row)
    text = before + heading + table
    for pattern, number in numbers_of_guide().items():
        text, replacements = re.subn(pattern, f"{number:,}", text)
        assert replacements == 1, pattern
    return skipped(text, total)


def numbers_of_guide():
    """The numbers of cases in GUIDE.md, by patterns of theirs: in batches, of a fresh run, and decidable ones."""
    questions = [oracle.question(case) for case in oracle.cases() if case["operation"] != "reject"]
    legal = [case for case in cases_to_ask(None, large=False) if "error" not in case["expected"]]
    numbers = {
        r"(?<=: the )[\d,]+(?= cases that are not `reject`)": len(questions),
        r"(?<=that are not `reject` are )[\d,]+": len(batches(questions)),
        r"(?<=^Each run of )\d+": len(kinds()),
        r"(?<=^Of the )[\d,]+(?= cases with a legal)": len(legal),
    }
    for precision in ("half", "tf32", "bfloat16"):
        decidable = sum("undecidable" not in at_precision(precision, case) for case in legal)
        numbers[rf"\d+(?= (?:can be decided )?in `{precision}`)"] = decidable
    return {f"(?m){pattern}": number for pattern, number in numbers.items()}


def counts(text, total):
    """README.md and the paper with the numbers of algorithms and of vectors."""
    text = re.sub(r"\b\d+ algorithms\b", f"{len(lda_reference.ALGORITHMS)} algorithms", text)
    return re.sub(r"[\d,]+ ((?:certified )?test vectors)", rf"{total:,} \1", text)


ORACLE, ROOT = VECTORS.parent, VECTORS.parents[2]
TEXTS = {
    ORACLE / "schema.json": schema, ORACLE / "CHANGELOG.md": changelog, ORACLE / "PORTS.md": skipped,
    ORACLE / "GUIDE.md": guide, ROOT / "README.md": counts, ROOT / "figures" / "paper" / "paper.md": counts,
}  # fmt: skip


def total_cases():
    """The number of cases in the files of vectors."""
    names = json.loads((VECTORS / "manifest.json").read_text("utf-8"))["files"].items()
    return sum(about.get("cases", 0) for name, about in names if name != "samplers.json")


def write():
    """Write the texts again."""
    for path, text_of in TEXTS.items():
        path.write_text(text_of(path.read_text("utf-8"), total_cases()), "utf-8", newline="\n")


if __name__ == "__main__":
    write()
