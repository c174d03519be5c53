"""Ports with a reader's mistake.

Each list in this folder has a hundred mistakes that one reader of the papers wrote without having seen the known
mistakes: edits of the ports `sequential` and `arrays`. `named`, where it is, has the known mistakes
that the reader's mistake is, or none. A port is `slow` that takes more than ten seconds to answer, or fifty.
"""

import json
from pathlib import Path

from ..helpers import cases

HERE = Path(__file__).parent
LISTS = ("of_updates", "of_devices", "of_libraries")
ROWS = 1000  # larger cases take the ports long


def mistakes(list_name):
    return json.loads((HERE / f"{list_name}.json").read_text("utf-8"))


def port(mistake, is_single=False):
    """The function of a port with a mistake: from a case to its answer."""
    edits, float32_edit = mistake["edits"], ["DTYPE = np.float64", "DTYPE = np.float32"]
    return edited(mistake["port"], [*edits, float32_edit] if is_single and float32_edit not in edits else edits)


def edited(port_name, edits=()):
    """The function of a port some of whose text is replaced."""
    port_code = (HERE / f"{port_name}.py").read_text("utf-8")
    for old_text, new_text in edits:
        assert port_code.count(old_text) == 1, old_text
        port_code = port_code.replace(old_text, new_text)
    port_namespace = {}
    exec(compile(port_code, port_name, "exec"), port_namespace)
    return port_namespace["answer"]


def legal_cases(max_rows):
    """The cases with a legal input of at most so many rows; in those of samplers, a token is a row."""

    def size(case):
        return sum(case["corpus"]["n"]) if "z" in case.get("state", ()) else len(case["corpus"]["n"])

    cases_of_legal_input = (case for case in cases() if not {case["operation"], *case["flags"]} & {"reject", "many_tokens"})
    return [case for case in cases_of_legal_input if size(case) <= max_rows]
