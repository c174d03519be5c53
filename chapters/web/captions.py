"""What a picture shows, read from the code that draws it: the titles, axes and labels that it gives to Matplotlib."""

import ast
import re

TITLES = {"title": "title", "suptitle": "title", "xlabel": "xlabel", "ylabel": "ylabel", "label": "label"}
SETTERS = {"set_title": "title", "suptitle": "title", "set_xlabel": "xlabel", "set_ylabel": "ylabel"}


def words_of(source: str, heading: str) -> tuple[str, str]:
    """A caption and an alt text for the picture that a cell draws; `heading` is that of its section."""
    found: dict[str, list[str]] = {"title": [], "xlabel": [], "ylabel": [], "label": []}
    heading, knob = heading.rstrip("."), ""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for keyword in node.keywords:
            if keyword.arg in TITLES:
                _add(found[TITLES[keyword.arg]], keyword.value)
        if called in SETTERS and node.args:
            _add(found[SETTERS[called]], node.args[0])
        if called == "knob" and len(node.args) > 1 and (name := _text(node.args[1])):
            knob = name
    across, up = (" / ".join(found[x]) for x in ("xlabel", "ylabel"))
    axes = f"{up} against {across}" if across and up else across or up
    title = "; ".join(x for x in found["title"] if "…" not in x)
    panels = f" One panel for each value of {knob}." if knob else ""
    caption = ": ".join(x for x in (heading, title or axes) if x) + "." + panels
    alt = ": ".join(x for x in (heading, title) if x) + "."
    alt += f" Axes: {axes}." if axes else ""
    alt += f" Shown: {', '.join(found['label'])}." if found["label"] else ""
    return caption, (alt + panels).replace("$", "").replace("\\", "")


def _add(words: list[str], node: ast.expr) -> None:
    text = _text(node)
    if text and text not in words:
        words.append(text)


def _text(node: ast.expr) -> str:
    """The words of a string in the code, without line ends; a value put into it is an ellipsis. Otherwise nothing."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(x.value if isinstance(x, ast.Constant) else "…" for x in node.values)
    elif isinstance(node, ast.IfExp):
        text = _text(node.body) or _text(node.orelse)
    else:
        text = ""
    text = " ".join(text.split()).rstrip(".")
    return text if re.search(r"\w", text.replace("…", "")) else ""
