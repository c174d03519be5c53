"""What no minor version of the vectors may change: a digest for each group of cases.

`python -m tests.oracle.released` writes released.json when a version is released, and not in between.
"""

import hashlib
import json
from pathlib import Path

from lda_reference import oracle

PATH = Path(__file__).parent / "released.json"


def promised_parts(case):
    """What may not change: the question without its equations, the expected answer and the tolerances."""
    question = {field: field_content for field, field_content in oracle.question(case).items() if field != "tags"}
    tolerances = {field: tolerance_entry["absolute"] for field, tolerance_entry in case.get("tolerance", {}).items()}
    return [question, case.get("expected", case.get("together")), tolerances]


def groups():
    """The cases of each algorithm and operation, or of each start, in the order of their numbers."""
    cases_of_group = {}
    for case in (*oracle.cases(), *oracle.sampler_cases()):
        cases_of_group.setdefault(case["id"].rpartition("/")[0], []).append(case)
    return {group: sorted(cases, key=lambda case: int(case["id"].rpartition("/")[2])) for group, cases in cases_of_group.items()}


def digest(cases):
    """The beginning of the SHA-256 of what is promised about some cases."""
    promised_json = json.dumps([[case["id"], promised_parts(case)] for case in cases], sort_keys=True)
    return hashlib.sha256(promised_json.encode()).hexdigest()[:16]


if __name__ == "__main__":
    version = json.loads((Path(oracle.__file__).parent / "vectors" / "manifest.json").read_text("utf-8"))["version"]
    lines = [f"  {json.dumps(group)}: {json.dumps([len(cases), digest(cases)])}" for group, cases in groups().items()]
    PATH.write_text(f'{{\n "version": "{version}",\n "groups": {{\n' + ",\n".join(lines) + "\n }\n}\n", "utf-8")
