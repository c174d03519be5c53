"""The directive `checks`: what a chapter's checks printed, as a list; an argument folds it under its words."""

import re
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive


class details(nodes.General, nodes.Element):
    """A fold in HTML with the attribute `summary`."""


class Checks(Directive):
    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict] = {}

    def run(self) -> list[nodes.Node]:
        lines = [re.sub(r"(\de-)(\d)", "\\1\u2060\\2", line) for line in self.content]  # no break within 1e-10
        list_items = [nodes.list_item("", nodes.paragraph(line, line)) for line in lines]
        body = nodes.bullet_list("", *list_items, classes=["checks"])
        return [details("", body, summary=self.arguments[0])] if self.arguments else [body]


def visit(self, node: details) -> None:
    self.body.append(f'<details class="checks"><summary>{self.encode(node["summary"])}</summary>')


def depart(self, node: details) -> None:
    self.body.append("</details>\n")
