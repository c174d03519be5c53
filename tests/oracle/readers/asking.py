"""Ports with a reader's mistake, and what the oracle says of them: `python -m tests.oracle.readers.asking LIST [NAME ...]`.

Each list in this folder has a hundred mistakes that one reader of the papers wrote without having seen the known
mistakes: edits of the ports `sequential` and `arrays`. The output has a line of JSON for each.
"""

import json
import resource
import sys
import time
from pathlib import Path

from lda_reference import oracle
from lda_reference.oracle.asking.written import as_json

HERE = Path(__file__).parent
__all__ = ["LISTS", "as_json", "cases", "mistakes", "port", "report", "summary"]

LISTS = ("of_updates", "of_devices", "of_libraries")
ROWS = 1000  # larger cases take the ports long


def mistakes(name):
    """The mistakes of a list."""
    return json.loads((HERE / f"{name}.json").read_text("utf-8"))


def port(mistake, single=False):
    """The function of a port with a mistake: from a case to its answer."""
    code = (HERE / f"{mistake['port']}.py").read_text("utf-8")
    for old, new in mistake["edits"]:
        assert code.count(old) == 1, (mistake["name"], old)
        code = code.replace(old, new)
    if single:
        code = code.replace("DTYPE = np.float64", "DTYPE = np.float32")
    names = {}
    exec(compile(code, mistake["name"], "exec"), names)
    return names["answer"]


def cases():
    """The cases with a legal input that are not large."""
    return [case for case in oracle.cases() if len(case["corpus"]["n"]) <= ROWS and case["operation"] != "reject"]


def report(mistake, precision="double"):
    """The report of a port with a mistake."""
    return oracle.check(port(mistake, precision == "single"), given=cases(), precision=precision)


def summary(mistake, precision="double"):
    """What a report says, and what it cost."""
    begin = time.process_time()
    r = report(mistake, precision)
    failed = r.of("failed")
    return {
        "name": mistake["name"], "mistake": mistake["mistake"], "failed": len(failed),
        "named": {x: sum(y.mistake == x for y in failed) for x in dict.fromkeys(y.mistake for y in failed if y.mistake)},
        "composed": [(x.text, len(x.ids)) for x in r.composed], "shared": [x.text for x in r.shared],
        "seconds": round(time.process_time() - begin, 1),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }  # fmt: skip


if __name__ == "__main__":
    for mistake in mistakes(sys.argv[1]):
        if mistake["name"] in sys.argv[2:] or len(sys.argv) == 2:
            print(json.dumps(summary(mistake), ensure_ascii=False), flush=True)
