"""The HTML of one document, in the colours of its topics."""

from html import escape

import numpy as np

from . import drawing
from .documents import LONGEST_TEXT, Coloured, Piece

LONGEST = 600  # rows of a list of words that are shown


def document(d: Coloured | None, is_sampler: bool) -> str:
    """The section of one document, or why there is none."""
    if d is None:
        return """<section><h2>Documents</h2><p>The page has no documents, because it was made without the corpus. The
option --corpus, with the file or folder that the model was trained on, adds the most typical documents of each topic
and one document in the colours of its topics.</p></section>"""
    shown = [k for k in np.argsort(-d.theta, kind="stable").tolist() if d.theta[k] >= 0.01]
    mix = "".join(
        f'<span style="{drawing.colour(k)};width:{d.theta[k]:.2%}">{k if d.theta[k] >= 0.06 else ""}</span>'
        for k in shown
    )
    key = "".join(f'<li>{drawing.dot(k)}<a href="#topic-{k}">topic {k}</a> {d.theta[k]:.0%}</li>' for k in shown)
    told = _list(d, is_sampler) if d.pieces is None else _text(d.pieces, d.is_cut, is_sampler)
    return f"""<section><h2>One document: {escape(d.name)}</h2>
<div class="mix" aria-hidden="true">{mix}</div><ul class="key">{key}</ul>{told}</section>"""


def _state(is_sampler: bool) -> str:
    return " in the sampler's last state" if is_sampler else ""


def _text(pieces: tuple[Piece, ...], is_cut: bool, is_sampler: bool) -> str:
    """The text itself. The number of a topic stands at each word whose topic is not that of the word before."""
    parts, last = [], None
    for piece, k, p in pieces:
        if k is None:
            parts.append(escape(piece))
            continue
        number = f' data-k="{k}"' if k != last else ""
        parts.append(f"<mark {_of_topic(k, p)}{number}>{escape(piece)}</mark>")
        last = k
    more = f'<p class="soft">The text is cut after its first {LONGEST_TEXT:,} words.</p>' if is_cut else ""
    return f"""<p>Each word that the model knows has the colour of its most probable topic{_state(is_sampler)}, the same
wherever it occurs in this document. The colour is stronger where that topic is more probable. The small number is the
topic of its word and of the coloured words after it, up to the next number. Words in grey were left out of the
model.</p><div class="text" dir="auto">{"".join(parts)}</div>{more}"""


def _list(d: Coloured, is_sampler: bool) -> str:
    """The words with their counts, for a corpus without texts."""
    words = " ".join(
        f"<span {_of_topic(k, p)}>{escape(word)}{f' ×{n}' if n > 1 else ''}<sub> {k}</sub></span>"
        for word, n, k, p in d.words[:LONGEST]
    )
    rest = len(d.words) - LONGEST
    more = f'<p class="soft">{rest} further entries are left out.</p>' if rest > 0 else ""
    return f"""<p>The running text is not shown: {escape(d.reason)}. These are the words of the document, in the order
of the corpus. Each has the colour and the number of its most probable topic{_state(is_sampler)}; the colour is stronger
where that topic is more probable.</p><p class="coloured">{words}</p>{more}"""


def _of_topic(k: int, p: float) -> str:
    return f'style="{drawing.colour(k)};--a:{15 + 65 * p:.0f}%" title="topic {k}, {p:.0%}"'
