"""What the fuzz tests share: how many cases each has, and a count of those that ran, which the end of the run prints."""

import os
from collections import Counter

ALL = bool(os.environ.get("LDA_TEST_ALL"))
RAN = Counter()  # cases that ended as they should, by what they tried


def cases(few, many):
    """The number of cases: few in `make test`, many in `make test-all`."""
    return many if ALL else few


def ran(case_kind):
    """Count a case that ended as it should."""
    RAN[case_kind] += 1


def summary():
    counts_text = ", ".join(f"{case_kind} {count:,}" for case_kind, count in sorted(RAN.items()))
    return f"fuzz: {sum(RAN.values()):,} cases without a failure: {counts_text}"
