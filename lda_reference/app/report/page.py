"""The HTML of a report: one file with its style and its script, readable without the script."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from ...fitting import Fit
from . import drawing
from .coloured import document
from .findings import Chart, Findings, Topic
from .record import course, record

ALLOWED = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(
    f: Fit, found: Findings, charts: Sequence[Chart], N: int | None, folder: str, count: int, reading: str | None = None
) -> str:
    """The page. N is the number of tokens, if it is known; `count` words of a topic are shown at a time."""
    K, name = len(found.topics), Path(folder).resolve().name
    title = escape(f"{name}: {K} topic{'s' * (K > 1)}")
    D, W = len(f.theta_jk), len(f.phi_wk)
    kept = f", {N:,} words in all, not counting words left out" if N else ""
    size = f"{D:,} documents with {W:,} different words{kept}"
    warned = "".join(f"<li>{escape(x)}</li>" for x in found.warnings)
    parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{ALLOWED}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_part('page.css')}</style></head>",
        f'<body><main><h1>{title}</h1><p class="soft">{size}. The topics were found by the algorithm'
        f" {escape(f.algorithm.name)} in {f.sweeps:,} sweeps: in each sweep it goes through all words once.</p>",
        f'<ul class="warnings">{warned}</ul>' if warned else "",
        _overview(found),
        _topics(found, count, f.vocab is not None),
        document(found.coloured, f.algorithm.is_sampler),
        course(charts),
        record(f, found, charts, reading),
        f"</main><script>{_part('page.js')}</script></body></html>\n",
    ]
    return "\n".join(x for x in parts if x).encode("utf-8", "replace").decode()  # a text may have a lone surrogate


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _first(t: Topic, count: int) -> str:
    return " ".join(x.word for x in t.words[:count])


def _overview(found: Findings) -> str:
    rows = []
    for t in found.topics:
        near = "" if t.nearest is None else f"{t.nearest[0]} at {t.nearest[1]:.2f}"
        rows.append(
            f'<tr><td class="n"><a href="#topic-{t.number}">{t.number}</a></td><td class="n">{t.share:.1%}</td>'
            f'<td class="top">{drawing.dot(t.number)}{escape(_first(t, 5))}</td><td class="n">{near}</td></tr>'
        )
    circles = [(t.number, t.share, f"topic {t.number}, {t.share:.1%}: {_first(t, 8)}") for t in found.topics]
    picture, absent = drawing.topic_map(found.points, circles)
    without = f" There is no room for the numbers of {len(absent)} of them: point at a circle." if absent else ""
    return f"""<section class="two"><figure><h2>Map</h2>{picture}
<figcaption>Each circle is a topic, and its area is the topic's share. Topics that give similar probabilities to the
same words are close: at distance 0 they are equal and stand at one place, and at distance 0.83 they have no word in
common. A flat map cannot keep all distances, so topics that are close here may be
far apart. The table has each topic's nearest one by the true distance.{without}</figcaption></figure>
<div><h2>Sizes</h2><table><thead><tr><th class="n">topic</th><th class="n">share</th><th>most probable words</th>
<th class="n">nearest</th></tr></thead><tbody>{"".join(rows)}</tbody></table>
<p class="soft">The share is how much of a document belongs to the topic, on average over the documents. The nearest
topic is given with its distance.</p></div></section>"""


def _topics(found: Findings, count: int, has_words: bool) -> str:
    unnamed = "" if has_words else " The model has no vocabulary, so words are numbers from 0."
    steps = """<div class="control"><label for="weight">Order of the words</label>
<span class="ends"><span>special to the topic</span>
<input id="weight" type="range" min="0" max="1" step="0.1" value="1"><span>most probable</span></span>
<span class="soft">lambda = <output id="weight-value" for="weight">1.0</output> (advised: 0.6)</span></div>"""
    cards = "".join(_card(t, count) for t in found.topics)
    return f"""<section><h2>Topics</h2><p>The bar and <b class="head">p(w|k)</b> are the probability of the word in the
topic: how often the topic uses it. <b class="head">p(k|w)</b> is the share of the word's occurrences that belong to the
topic, if documents are equally long: at 100% hardly any other topic uses it.{unnamed}</p>{steps}
<div class="cards">{cards}</div></section>"""


def _card(t: Topic, count: int) -> str:
    longest = t.words[0].probability
    rows = []
    for i, x in enumerate(t.words):
        rows.append(
            f'<li data-p="{x.probability!r}" data-lift="{x.lift!r}"{" hidden" * (i >= count)}>'
            f'<span>{escape(x.word)}</span><i style="width:{x.probability / longest:.2%}"></i>'
            f'<span class="n">{_decimals(x.probability)}</span><span class="n">{x.share:.0%}</span></li>'
        )
    heads = """<div class="heads"><span>word</span><i></i><span class="n" title="probability of the word in the topic"
>p(w|k)</span><span class="n" title="the share of the word that belongs to the topic">p(k|w)</span></div>"""
    documents = "".join(
        f"<li><b>{escape(d.name)}</b> <span class='soft'>{d.theta:.0%} of {d.tokens:,} words</span>"
        f' <span class="begins" dir="auto">{escape(d.beginning or " ".join(d.words))}</span></li>'
        for d in t.documents
    )
    return (
        f'<article class="card" style="{drawing.colour(t.number)}" id="topic-{t.number}"><header>'
        f'<h3>Topic {t.number}</h3><span class="soft">{t.share:.1%}</span></header>'
        f'{heads}<ol class="words" data-count="{count}">{"".join(rows)}</ol>'
        + (f'<h4>Most typical documents</h4><ul class="docs">{documents}</ul>' if documents else "")
        + "</article>"
    )


def _decimals(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}"
