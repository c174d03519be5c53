"""The HTML of a report: one file with its style and its script, readable without the script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np

from ...fitting import Fit
from ..tour import brief
from . import drawing
from .documents import LONGEST_TEXT, Coloured
from .findings import Findings, Topic

LONGEST = 600  # rows of the document in colours that are shown
ALLOWED = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(
    f: Fit,
    found: Findings,
    charts: Sequence[tuple[str, list[int], list[float]]],
    N: int | None,
    has_words: bool,
    folder: str,
    count: int,
) -> str:
    """The page.

    Parameters
    ----------
    f : Fit
    found : Findings
    charts : sequence of (title, sweeps, values)
    N : int, optional
        The number of tokens, if the corpus is known.
    has_words : bool
        Whether the model has a vocabulary.
    folder : str
        The model's folder, for the title.
    count : int
        How many words of a topic are shown at a time.
    """
    K, name = len(found.topics), Path(folder).resolve().name
    title = escape(f"{name}: {K} topic{'s' * (K > 1)}")
    D, W = len(f.theta_jk), len(f.phi_wk)
    size = f"{D:,} documents, {W:,} words" + (f", {N:,} tokens" if N else "")
    warned = "".join(f"<li>{escape(x)}</li>" for x in found.warnings)
    rank = {t.number: i for i, t in enumerate(found.topics)}
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{ALLOWED}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_part('page.css')}</style></head>",
        f'<body><h1>{title}</h1><p class="soft">{escape(f.algorithm.name)} after {f.sweeps} sweeps on {size}.</p>',
        f'<ul class="warnings">{warned}</ul>' if warned else "",
        _overview(found, rank),
        _topics(found, rank, count, has_words),
        _document(found.coloured, rank, f.algorithm.is_sampler) if found.coloured else "",
        _run(f, charts),
        f"<script>{_part('page.js')}</script></body></html>\n",
    ]
    return "\n".join(x for x in parts if x).encode("utf-8", "replace").decode()  # a text may have a lone surrogate


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _dot(rank: int) -> str:
    return f'<span class="dot" style="--c:{drawing.colour(rank)}"></span>'


def _first(t: Topic, count: int) -> str:
    return " ".join(x.word for x in t.words[:count])


def _overview(found: Findings, rank: dict[int, int]) -> str:
    rows = []
    for t in found.topics:
        near = "" if t.nearest is None else f"{t.nearest[0]} at {t.nearest[1]:.2f}"
        rows.append(
            f'<tr><td class="n"><a href="#topic-{t.number}">{t.number}</a></td><td class="n">{t.share:.1%}</td>'
            f'<td class="top">{_dot(rank[t.number])}{escape(_first(t, 5))}</td><td class="n">{near}</td></tr>'
        )
    circles = [(t.number, t.share, f"topic {t.number}, {t.share:.1%}: {_first(t, 8)}") for t in found.topics]
    return f"""<section class="two"><figure><h2>Map</h2>{drawing.topic_map(found.points, circles)}
<figcaption>The area of a circle is the topic's share. The distances are Jensen-Shannon distances between topics: 0 for
equal topics, 0.83 for topics without a common word. The map has two dimensions, chosen by classical multidimensional
scaling, and shows {found.drawn:.0%} of the sum of the eigenvalues: topics that are close here may be far apart, so the
table has each topic's nearest one.</figcaption></figure>
<div><h2>Sizes</h2><table><thead><tr><th class="n">topic</th><th class="n">share</th><th>most probable words</th>
<th class="n">nearest</th></tr></thead><tbody>{"".join(rows)}</tbody></table>
<p class="soft">The share is the mean of theta over the documents.</p></div></section>"""


def _topics(found: Findings, rank: dict[int, int], count: int, has_words: bool) -> str:
    unnamed = "" if has_words else " The model has no vocabulary, so words are numbers from 0."
    steps = """<div class="control"><label for="weight">relevance, lambda =</label>
<input id="weight" type="range" min="0" max="1" step="0.1" value="1"><output id="weight-value" for="weight">1.0</output>
<span class="soft">1: the most probable words; 0: the words that set a topic apart; Sievert and Shirley advise
0.6</span></div>"""
    cards = "".join(_card(t, rank[t.number], count) for t in found.topics)
    return f"""<section><h2>Topics</h2>{steps}<p>The bar and the first number are the probability of the word in the
topic. The second number is the topic's share of all occurrences of the word, if documents are equally
long.{unnamed}</p>
<div class="cards">{cards}</div></section>"""


def _card(t: Topic, rank: int, count: int) -> str:
    longest = t.words[0].probability
    rows = []
    for i, x in enumerate(t.words):
        rows.append(
            f'<li data-p="{x.probability!r}" data-lift="{x.lift!r}"{" hidden" * (i >= count)}>'
            f'<span>{escape(x.word)}</span><i style="width:{x.probability / longest:.2%}"></i>'
            f'<span class="n">{_decimals(x.probability)}</span><span class="n">{x.share:.0%}</span></li>'
        )
    documents = "".join(
        f"<li><b>{escape(d.name)}</b> <span class='soft'>{d.theta:.0%} of {d.tokens} tokens</span>"
        f" {escape(' '.join(d.words))}</li>"
        for d in t.documents
    )
    return (
        f'<article class="card" id="topic-{t.number}" style="--c:{drawing.colour(rank)}"><header>'
        f'<h3>Topic {t.number}</h3><span class="soft">{t.share:.1%}</span></header>'
        f'<ol class="words" data-count="{count}">{"".join(rows)}</ol>'
        + (f'<ul class="docs"><li class="soft">Most typical documents</li>{documents}</ul>' if documents else "")
        + "</article>"
    )


def _decimals(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}"


def _document(d: Coloured, rank: dict[int, int], is_sampler: bool) -> str:
    shown = [k for k in np.argsort(-d.theta, kind="stable").tolist() if d.theta[k] >= 0.01]
    mix = "".join(f'<span style="--c:{drawing.colour(rank[k])};width:{d.theta[k]:.2%}"></span>' for k in shown)
    key = "".join(f'<li>{_dot(rank[k])}<a href="#topic-{k}">topic {k}</a> {d.theta[k]:.0%}</li>' for k in shown)
    told = _text(d, rank, is_sampler) if d.pieces else _list(d, rank, is_sampler)
    return f"""<section><h2>One document: {escape(d.name)}</h2>
<div class="mix">{mix}</div><ul class="key">{key}</ul>{told}</section>"""


def _state(is_sampler: bool) -> str:
    return " in the sampler's last state" if is_sampler else ""


def _text(d: Coloured, rank: dict[int, int], is_sampler: bool) -> str:
    """The text itself."""
    marked = "".join(
        f'<mark {_of_topic(k, p, rank)}>{escape(piece)}</mark>' if k is not None else escape(piece)
        for piece, k, p in d.pieces
    )
    more = f'<p class="soft">The text is cut after its first {LONGEST_TEXT:,} words.</p>' if d.is_cut else ""
    return f"""<p>Each word that the model knows has the colour of its most probable topic{_state(is_sampler)}; the
colour is stronger where that topic is more probable. Point at a word to see its topic. Words in grey were left out of
the model.</p><div class="text" dir="auto">{marked}</div>{more}"""


def _list(d: Coloured, rank: dict[int, int], is_sampler: bool) -> str:
    """The words with their counts, for a corpus that has no more."""
    words = " ".join(
        f'<span {_of_topic(k, p, rank)}>{escape(word)}{f" ×{n}" if n > 1 else ""}<sub> {k}</sub></span>'
        for word, n, k, p in d.words[:LONGEST]
    )
    rest = len(d.words) - LONGEST
    more = f'<p class="soft">{rest} further entries are left out.</p>' if rest > 0 else ""
    return f"""<p>Each word has the colour and the number of its most probable topic{_state(is_sampler)}; the colour is
stronger where that topic is more probable. The order of the words is that of the corpus, which need not be that of the
text.</p><p class="coloured">{words}</p>{more}"""


def _of_topic(k: int, p: float, rank: dict[int, int]) -> str:
    return f'style="--c:{drawing.colour(rank[k])};--a:{15 + 65 * p:.0f}%" title="topic {k}, {p:.0%}"'


def _run(f: Fit, charts: Sequence[tuple[str, list[int], list[float]]]) -> str:
    figures = "".join(
        f"<figure><figcaption>{escape(title)}: {values[-1]:.6g} at the end</figcaption>"
        f"{drawing.line(title, sweeps, values)}</figure>"
        for title, sweeps, values in charts
    )
    learned = f", learned ({f.learn}) after {f.learn_after} sweeps" if f.learn else ""
    facts = {
        "algorithm": f.algorithm.name,
        "schedule": f.schedule,
        "start": f.start or "the algorithm's own",
        "seed": str(f.seed),
        "sweeps": str(f.sweeps),
        "averaged": f"{f.samples} sweeps: every one after {f.burn_in}" + f", in steps of {f.thin}" * (f.thin > 1),
        "seconds": f"{f.history[-1]['seconds']:.1f}" if f.history else "0",
        "alpha": brief(f.prior.alpha) + learned * ("alpha" in f.learn),
        "eta": brief(f.prior.eta) + learned * ("eta" in f.learn),
        "corpus": f"digest {f.corpus}",
    }
    if not f.samples:
        del facts["averaged"]
    listed = "".join(f"<dt>{name}</dt><dd>{escape(x)}</dd>" for name, x in facts.items())
    return f"""<section><h2>The run</h2><div class="charts"><dl>{listed}</dl>{figures}</div></section>
<section><h2>How to read this page</h2><p>Relevance is lambda log phi<sub>wk</sub> + (1 - lambda) log(phi<sub>wk</sub> /
p<sub>w</sub>), with phi<sub>wk</sub> the probability of word w in topic k and p<sub>w</sub> its probability in a
document taken at random (Sievert and Shirley, LDAvis, 2014). The numbers of the topics are those of the model. Another
seed, start or schedule can give other topics.</p></section>"""
