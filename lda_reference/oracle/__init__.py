"""The oracle: test vectors with which a port of LDA inference, in any language, can be checked.

`check` asks a port every case. The port is a callable, or the command of a program that reads one JSON case per line
and writes one JSON answer per line. The report says which cases failed, by how much, and which known mistake gives the
wrong answer. GUIDE.md is for those who write a port; `lda-reference oracle` offers the same as commands.

A name is imported when it is first used. `asking`, `judging` and `diagnosing` use the standard library alone, so that a
port can be checked where NumPy is not installed. The package's own answers, in `package`, and fresh cases need it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .asking.loading import OPERATIONS, cases, mistakes, question, sampler_cases
    from .asking.program import PortError, Program
    from .asking.runner import check, judge, parametrize
    from .fresh_cases import fresh
    from .judging.comparing import Result, compare
    from .judging.reporting import Report, table, text, to_json, to_junit

__all__ = [
    "OPERATIONS",
    "PortError",
    "Program",
    "Report",
    "Result",
    "cases",
    "check",
    "compare",
    "fresh",
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

_MODULES = {
    "asking.loading": ["OPERATIONS", "cases", "mistakes", "question", "sampler_cases"],
    "asking.program": ["PortError", "Program"],
    "asking.runner": ["check", "judge", "parametrize"],
    "fresh_cases": ["fresh"],
    "judging.comparing": ["Result", "compare"],
    "judging.reporting": ["Report", "table", "text", "to_json", "to_junit"],
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first used."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
