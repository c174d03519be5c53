"""The oracle: test vectors with which a port of LDA inference, in any language, can be checked.

`check` asks a port every case. The port is a callable, or the command of a program that reads one JSON case per line
and writes one JSON answer per line. The report says which cases failed, by how much, and which known mistake gives the
wrong answer. GUIDE.md is for those who write a port; `lda-reference oracle` offers the same as commands.

All of it but the pytest plugin uses the standard library alone, so that a port can be checked where NumPy is not
installed.
"""

from .asking.program import Program
from .asking.runner import check, judge
from .asking.written import PortError
from .cases.loading import OPERATIONS, cases, mistakes, question, sampler_cases
from .fresh.making import fresh
from .grading import grade
from .judging.comparing import Result, compare
from .judging.reporting import Report, table, text, to_json

__all__ = [
    "OPERATIONS", "PortError", "Program", "Report", "Result", "cases", "check", "compare", "fresh", "grade",
    "judge", "mistakes", "question", "sampler_cases", "table", "text", "to_json",
]  # fmt: skip
