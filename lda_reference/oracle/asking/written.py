"""What a port has answered, or why it ended."""

import json
import signal
from contextlib import suppress
from typing import Any

from ..cases.closeness import cut
from ..changes.trying import spelled


class PortError(Exception):
    """What a port did instead of answering."""


def parse(answer_line: bytes) -> Any:
    """The answer that a line holds; a PortError if it is not JSON in UTF-8."""
    try:
        return json.loads(answer_line.decode("utf-8"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        first_shown = max(getattr(error, "pos", 0) - 40, 0)  # the characters around the wrong one
        excerpt = "... " * (first_shown > 0) + shown(answer_line.decode("utf-8", "replace")[first_shown:].encode())
        raise PortError(f"the answer cannot be read as JSON ({cut(str(error), 80)}): {excerpt}") from None


def _object(object_pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which each name occurs once."""
    object_fields = dict(object_pairs)
    if len(object_fields) < len(object_pairs):
        repeated_name = next(name for i, (name, _) in enumerate(object_pairs) if name in dict(object_pairs[:i]))
        raise ValueError(f"the name {cut(json.dumps(repeated_name), 30)} occurs twice in an object")
    return object_fields


def as_json(x: Any) -> Any:
    """What a callable answers, in the types of JSON that has been read."""
    if isinstance(x, dict):
        return {field: as_json(content) for field, content in x.items()}
    if isinstance(x, (list, tuple)):
        return [as_json(content) for content in x]
    if hasattr(x, "tolist"):  # an array or a number of NumPy
        return as_json(x.tolist())
    return spelled(x) if isinstance(x, float) else x


def ending(exit_status: int) -> str:
    """How a program ended, by its exit status."""
    if exit_status >= 0:
        return f"with exit status {exit_status}"
    with suppress(ValueError):
        return f"by signal {-exit_status} ({signal.Signals(-exit_status).name})"
    return f"by signal {-exit_status}"


def said(stderr_text: str) -> str:
    """The first and the last lines of stderr: the message of a crash comes before its trace or after it."""
    stderr_lines = [stderr_line for stderr_line in stderr_text.splitlines() if stderr_line.strip()]
    shown_lines = [*stderr_lines[:4], "...", *stderr_lines[-4:]] if len(stderr_lines) > 8 else stderr_lines
    return f"; stderr: {' | '.join(cut(stderr_line, 100) for stderr_line in shown_lines)}" if stderr_lines else ""


def shown(line: bytes) -> str:
    """The beginning of a line that is no answer."""
    return repr(cut(line[:100].decode("utf-8", "replace"), 80)) if line.strip() else "an empty line"
