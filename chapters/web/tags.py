"""Tags as links: `TNW06 (4)(5)` in text, and in the comments of code, leads to the entries on the page of the paper.

The second bold mention of a tag in a chapter, the one beside its formula, is the target `derivation-04-tnw06-4`.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

from lda_reference.app.where import KEY, LABEL, NAMED_PAPERS, TAG, listed, read_equations, tags_in_comment

EQUATIONS = read_equations()
OTHERS = "papers/others"  # the page of the sources that are not among the five papers
PLAIN = (nodes.literal, nodes.FixedTextElement, nodes.math, nodes.math_block, nodes.reference, nodes.title, nodes.raw)
IN_COMMENT = re.compile(r'(?<=<span class="(?:c1|sd)">)[^<]*')


def slug(tag: str) -> str:
    """The id of an entry: `BOO16 Fig. 2 [D]` is `eq-boo16-fig-2-d-upper`, unlike `[d]`; `SN12 §10` unlike `(10)`."""
    text = re.sub(r"\[(\w+)\]", lambda m: m[1] + ("-upper" if m[1].isupper() else ""), tag.replace("§", "section-"))
    return "eq-" + re.sub(r"[\W_]+", "-", text).strip("-").lower()


def page_of(tag: str) -> str:
    """The page with the entry of a tag, as Sphinx names pages.

    Examples
    --------
    >>> page_of("TNW06 (4)"), page_of("ML02 [moments]")
    ('papers/tnw06', 'papers/others')
    """
    key = tag.split(" ")[0]
    return OTHERS if key in NAMED_PAPERS else f"papers/{key.lower()}"


def derivation(number: str, tag: str) -> str:
    """The id of the place in chapter `number` that derives an equation."""
    return f"derivation-{number.lower()}-{slug(tag).removeprefix('eq-')}"


def pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """The text in pieces, each with the tag that it names or None; together they are the text."""
    end = 0
    for match in TAG.finditer(text):
        yield from _piece(text[end : match.start()])
        key, place, restored = match.groups()
        figure = place[: place.index("[")] if place.startswith("Fig.") else ""
        start, whole_tag = 0, listed(f"{key} {place}", EQUATIONS)
        parts = [] if whole_tag else list(re.finditer(LABEL if figure else r"\(\d+\)", place))
        if not parts:
            yield f"{key} {place}", whole_tag
        for part in parts:
            yield from _piece(place[start : part.start()] if start else "")
            is_first = part is parts[0]
            yield (f"{key} {figure}" if is_first else "") + part[0], listed(f"{key} {figure}{part[0]}", EQUATIONS)
            start = part.end()
        yield from _piece((place[start:] if parts else "") + (restored or ""))
        end = match.end()
    yield from _piece(text[end:])


def _piece(text: str) -> Iterator[tuple[str, None]]:
    if text:
        yield text, None


def linked_comments(html: str, root: str) -> str:
    """Highlighted code with the tags of its comments linked; `root` is the path from there to the root of the site."""

    def linked(match: re.Match[str]) -> str:
        return "".join(
            f'<a class="tag" href="{root}{page_of(tag)}.html#{slug(tag)}">{text}</a>' if tag else text
            for text, tag in pieces(match[0])
        )

    return IN_COMMENT.sub(linked, html)


class LinkTags(SphinxTransform):
    """Makes each tag in a page's text a link, and the second bold mention in a chapter a target."""

    default_priority = 700

    def apply(self) -> None:
        for parent in {id(text.parent): text.parent for text in self.document.findall(nodes.Text)}.values():
            _join(parent)
        if chapter := re.fullmatch(r"chapters/([\dA]\d)_.*", self.env.docname):
            self.mark_derivations(chapter[1])
        for text in list(self.document.findall(nodes.Text)):
            if not self.is_plain(text):
                self.link(text)

    def mark_derivations(self, number: str) -> None:
        mentions: dict[str, int] = {}
        for strong in self.document.findall(nodes.strong):
            for tag in tags_in_comment(f"# {strong.astext()}") if TAG.match(strong.astext()) else {}:
                mentions[tag] = mentions.get(tag, 0) + 1
                if mentions[tag] == 2:
                    target = nodes.target("", "", ids=[], names=[derivation(number, tag)])
                    self.document.note_explicit_target(target)
                    strong.parent.insert(strong.parent.index(strong), target)

    def is_plain(self, text: nodes.Node) -> bool:
        """Whether a text keeps its tags as they are: code, formulas, titles, and what is a link already."""
        if isinstance(text.parent, nodes.literal) and listed(text.astext(), EQUATIONS):
            text = text.parent
        node = text.parent
        while isinstance(node, nodes.Element):
            if "verbatim" in node.get("classes", []):
                return False
            if isinstance(node, (*PLAIN, addnodes.pending_xref, addnodes.desc_signature)):
                return True
            node = node.parent
        return False

    def link(self, text: nodes.Text) -> None:
        parts = list(pieces(text.astext()))
        if not any(tag for _, tag in parts):
            return
        new_nodes: list[nodes.Node] = []
        for words, tag in parts:
            node: nodes.Node = nodes.Text(words)
            if tag:
                inner_node = nodes.inline(words, words)
                node = addnodes.pending_xref(
                    "", inner_node, refdomain="std", reftype="ref", reftarget=slug(tag), refexplicit=True,
                    refwarn=True, refdoc=self.env.docname,
                )  # fmt: skip
                node = nodes.inline("", "", node, classes=["tag"])
            new_nodes.append(node)
        text.parent.replace(text, new_nodes)


def _join(parent: nodes.Element) -> None:
    """Join texts that follow one another, in which a tag may be broken over two lines."""
    if isinstance(parent, nodes.FixedTextElement) or not any(isinstance(x, nodes.Text) for x in parent.children):
        return
    children: list[nodes.Node] = []
    for child in parent.children:
        if isinstance(child, nodes.Text) and children and isinstance(children[-1], nodes.Text):
            children[-1] = nodes.Text(children[-1].astext() + child.astext())
        else:
            children.append(child)
    children = [
        nodes.Text(re.sub(rf"({KEY})\n", r"\1 ", x.astext())) if isinstance(x, nodes.Text) else x for x in children
    ]
    parent.children = []
    parent.extend(children)
