"""The golden oracle: test vectors that a port of LDA inference in any language is held to.

`check` holds a port to the vectors: a callable, or the command of a program that reads one JSON case a line and writes
one JSON answer a line. Its report says which cases failed, by what, and where the wrong answer is that of a known
mistake, by which. GUIDE.md is for those who write the port; `lda-reference oracle` is the same as commands.
"""

from .comparing import Result, compare
from .loading import OPERATIONS, cases, mistakes, question, sampler_cases
from .program import PortError, Program
from .reporting import Report, table, text, to_json, to_junit
from .runner import check, judge, parametrize

__all__ = [
    "OPERATIONS",
    "PortError",
    "Program",
    "Report",
    "Result",
    "cases",
    "check",
    "compare",
    "judge",
    "mistakes",
    "parametrize",
    "question",
    "sampler_cases",
    "table",
    "text",
    "to_json",
    "to_junit",
]
