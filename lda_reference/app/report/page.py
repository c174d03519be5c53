"""The HTML of a report: one file with its style and its script, readable without the script."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np

from ...fitting import Fit
from ...storage_schema import FOREIGN
from ..groups import Groups
from ..tour import brief
from . import drawing
from .documents import LONGEST_TEXT, Coloured, Piece
from .findings import Chart, Findings, Topic

LONGEST_LIST = 600  # rows of a list of words that are shown
MOST = 100  # groups or years that are shown
CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(
    f: Fit, findings: Findings, charts: Sequence[Chart], N: int | None, folder: str, n_words_shown: int,
    reading_text: str | None = None, groupings: Sequence[Groups] = (),
) -> str:  # fmt: skip
    """The page. N is the number of tokens, if it is known; `n_words_shown` words of a topic are shown at a time."""
    K, model_name = len(findings.topics), Path(folder).resolve().name
    title = escape(f"{model_name}: {K} topic{'s' * (K > 1)}")
    D, W = len(f.theta_jk), len(f.phi_wk)
    token_count_text = f", {N:,} words in all, not counting words left out" if N else ""
    size_text = f"{D:,} documents with {W:,} different words{token_count_text}"
    warning_html = "".join(f"<li>{escape(warning)}</li>" for warning in findings.warnings)
    sweeps_text = f"in {f.sweeps:,} sweeps: in each sweep it goes through all words once"
    made_by = "another program" if f.algorithm is FOREIGN else f"the algorithm {escape(f.algorithm.name)} {sweeps_text}"
    html_parts = [
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        f'<meta http-equiv="Content-Security-Policy" content="{CONTENT_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>{_file_text('page.css')}</style></head>",
        f'<body><main><h1>{title}</h1><p class="soft">{size_text}. The topics were found by {made_by}.</p>',
        f'<ul class="warnings">{warning_html}</ul>' if warning_html else "",
        _overview(findings),
        _topics(findings, n_words_shown, f.vocab is not None),
        *(of_groups(grouping, [topic.number for topic in findings.topics]) for grouping in groupings),
        document(findings.coloured, f.algorithm.is_sampler),
        course(charts),
        record(f, findings, charts, reading_text),
        f"</main><script>{_file_text('page.js')}</script></body></html>\n",
    ]
    return "\n".join(x for x in html_parts if x).encode("utf-8", "replace").decode()  # a text may have a lone surrogate


def _file_text(file_name: str) -> str:
    return files(__package__).joinpath(file_name).read_text(encoding="utf-8")


def _overview(findings: Findings) -> str:
    html_rows = []
    for t in findings.topics:
        words_text = " ".join(word.word for word in t.words[:5]) or "(no word of its own)"
        nearest_text = "" if t.nearest is None else f"{t.nearest[0]} at {t.nearest[1]:.2f}"
        html_rows.append(
            f'<tr><td class="n"><a href="#topic-{t.number}">{t.number}</a></td><td class="n">{t.share:.1%}</td>'
            f'<td class="top">{drawing.dot(t.number)}{escape(words_text)}</td><td class="n">{nearest_text}</td></tr>'
        )
    return f"""<section><h2>Sizes</h2><table><thead><tr><th class="n">topic</th><th class="n">share</th>
<th>most probable words</th><th class="n">nearest</th></tr></thead><tbody>{"".join(html_rows)}</tbody></table>
<p class="soft">The share is how much of a document belongs to the topic, on average over the documents that
have words. The nearest topic is the one that gives the most similar probabilities to the same words. Its distance is 0
if the two are equal, and 0.83 if they have no word in common.</p></section>"""


def _topics(findings: Findings, n_words_shown: int, has_words: bool) -> str:
    no_words_note = "" if has_words else " The model has no vocabulary, so words are numbers from 0."
    slider_html = """<div class="control"><label for="weight">Order of the words</label>
<span class="ends"><span>special to the topic</span>
<input id="weight" type="range" min="0" max="1" step="0.1" value="1"><span>most probable</span></span>
<span class="soft">lambda = <output id="weight-value" for="weight">1.0</output> (advised: 0.6)</span></div>"""
    cards_html = "".join(_card(topic, n_words_shown) for topic in findings.topics)
    return f"""<section><h2>Topics</h2><p>The bar and <b class="head">p(w|k)</b> are the probability of the word in the
topic: how often the topic uses it. <b class="head">p(k|w)</b> is the share of the word's occurrences that belong to the
topic, if documents are equally long: at 100% hardly any other topic uses it. A word is listed if the topic has half a
token of it or more.{no_words_note}</p>{slider_html}
<div class="cards">{cards_html}</div></section>"""


def _card(topic: Topic, n_words_shown: int) -> str:
    largest_p = max((word.probability for word in topic.words), default=1.0)
    html_rows = []
    for i, word in enumerate(topic.words):
        p_text = f"{word.probability:.4f}" if word.probability >= 0.0001 else f"{word.probability:.0e}"
        html_rows.append(
            f'<li data-p="{word.probability!r}" data-lift="{word.lift!r}"{" hidden" * (i >= n_words_shown)}>'
            f'<span>{escape(word.word)}</span><i style="width:{word.probability / largest_p:.2%}"></i>'
            f'<span class="n">{p_text}</span><span class="n">{word.share:.0%}</span></li>'
        )
    header = """<div class="heads"><span>word</span><i></i><span class="n" title="probability of the word in the topic"
>p(w|k)</span><span class="n" title="the share of the word that belongs to the topic">p(k|w)</span></div>"""
    documents_html = "".join(
        f"<li><b>{escape(d.name)}</b> <span class='soft'>{d.theta:.0%} of {d.tokens:,} words</span>"
        f' <span class="begins" dir="auto">{escape(d.beginning or " ".join(d.words))}</span></li>'
        for d in topic.documents
    )
    return (
        f'<article class="card" style="{drawing.colour(topic.number)}" id="topic-{topic.number}"><header>'
        f'<h3>Topic {topic.number}</h3><span class="soft">{topic.share:.1%}</span></header>'
        f'{header}<ol class="words" data-count="{n_words_shown}">{"".join(html_rows)}</ol>'
        + (f'<h4>Most typical documents</h4><ul class="docs">{documents_html}</ul>' if documents_html else "")
        + "</article>"
    )


def of_groups(by: Groups, topic_order: Sequence[int]) -> str:
    """The section of groups or years: a bar for each, in which the topics stand in one order."""
    html_rows = "".join(
        f'<tr><td>{escape(group)}</td><td class="n">{n_docs:,}</td><td class="n">{n_tokens:,}</td>'
        f"<td>{drawing.mix(theta_k, topic_order)}</td></tr>"
        for group, n_docs, n_tokens, theta_k in list(zip(by.names, *by.counts.values(), by.theta, strict=True))[:MOST]
    )
    hidden_note = f" The first {MOST} of {len(by.names):,} are shown." if len(by.names) > MOST else ""
    return f"""<section><h2>Topics by {by.kind}</h2><p>Each bar shows the shares of the topics in the documents of one
{by.kind}, in which longer documents count more. The topics stand in one order in all bars, with their
numbers; shares below 1% are grey.{hidden_note}</p><table class="groups"><thead><tr><th>{by.kind}</th>
<th class="n">documents</th><th class="n">words</th><th>topics</th></tr></thead>
<tbody>{html_rows}</tbody></table></section>"""


# One document, in the colours of its topics --------------------------------------------------------------------------


def document(d: Coloured | None, is_sampler: bool) -> str:
    """The section of one document, or why there is none."""
    if d is None:
        return """<section><h2>Documents</h2><p>The page has no documents, because it was made without the corpus. The
option --corpus, with the file or folder that the model was trained on, adds the most typical documents of each topic
and one document in the colours of its topics.</p></section>"""
    shown_ks = [k for k in np.argsort(-d.theta, kind="stable").tolist() if d.theta[k] >= 0.01]
    legend = "".join(f'<li>{drawing.dot(k)}<a href="#topic-{k}">topic {k}</a> {d.theta[k]:.0%}</li>' for k in shown_ks)
    state_text = " in the sampler's last state" if is_sampler else ""
    body_html = _list(d, d.text, state_text) if isinstance(d.text, str) else _text(*d.text, state_text)
    return f"""<section><h2>One document: {escape(d.name)}</h2>
{drawing.mix(d.theta, shown_ks)}<ul class="key">{legend}</ul>{body_html}</section>"""


def _text(pieces: tuple[Piece, ...], is_cut: bool, state_text: str) -> str:
    """The text itself. The number of a topic stands at each word whose topic is not that of the word before."""
    html_spans, last_k = [], None
    for piece, k, p in pieces:
        if k is None:
            html_spans.append(escape(piece))
            continue
        k_attribute = f' data-k="{k}"' if k != last_k else ""
        html_spans.append(f"<mark {_of_topic(k, p)}{k_attribute}>{escape(piece)}</mark>")
        last_k = k
    cut_note_html = f'<p class="soft">The text is cut after its first {LONGEST_TEXT:,} words.</p>' if is_cut else ""
    return f"""<p>Each word that the model knows has the colour of its most probable topic{state_text}, the same
wherever it occurs in this document. The colour is stronger where that topic is more probable. The small number is the
topic of its word and of the coloured words after it, up to the next number. Words in grey were left out of the
model.</p><div class="text" dir="auto">{"".join(html_spans)}</div>{cut_note_html}"""


def _list(d: Coloured, reason: str, state_text: str) -> str:
    """The words with their counts, and the reason why there is no text."""
    html_spans = " ".join(
        f"<span {_of_topic(k, p)}>{escape(word)}{f' ×{n}' if n > 1 else ''}<sub> {k}</sub></span>"
        for word, n, k, p in d.words[:LONGEST_LIST]
    )
    n_hidden = len(d.words) - LONGEST_LIST
    hidden_note = f'<p class="soft">{n_hidden} further entries are left out.</p>' if n_hidden > 0 else ""
    return f"""<p>The running text is not shown: {escape(reason)}. These are the words of the document, in the order
of the corpus. Each has the colour and the number of its most probable topic{state_text}; the colour is stronger
where that topic is more probable.</p><p class="coloured">{html_spans}</p>{hidden_note}"""


def _of_topic(k: int, p: float) -> str:
    return f'style="{drawing.colour(k)};--a:{15 + 65 * p:.0f}%" title="topic {k}, {p:.0%}"'


# The course of the run, and the record of it in the terms of the package ---------------------------------------------


def course(charts: Sequence[Chart]) -> str:
    """The pictures of the run."""
    figures_html = "".join(
        f"<figure><figcaption>{escape(plot.title)}: {plot.values[-1]:.6g} at the end. {escape(plot.note)}</figcaption>"
        f"{drawing.line(plot.title, plot.sweeps, plot.values)}</figure>"
        for plot in charts
    )
    return f'<section><h2>The run</h2><div class="charts">{figures_html}</div></section>' if figures_html else ""


def record(f: Fit, findings: Findings, charts: Sequence[Chart], reading: str | None) -> str:
    """The settings of the run, and what the numbers of the page are."""
    suffix = f", learned ({f.learn}) after {f.learn_after} sweeps" if f.learn else ""
    run_facts = {
        "algorithm": f.algorithm.name,
        "schedule": f.schedule,
        "start": f.start or "the algorithm's own",
        "seed": str(f.seed),
        "sweeps": str(f.sweeps),
        "seconds": f"{f.history[-1]['seconds']:.1f}" if f.history else "0",
    }
    foreign_facts = {"algorithm": "that of another program; schedule, start, seed and sweeps are not known"}
    facts = (foreign_facts if f.algorithm is FOREIGN else run_facts) | {
        "alpha": brief(f.prior.alpha) + suffix * ("alpha" in f.learn) + ": Dirichlet prior of each document's topics",
        "eta": brief(f.prior.eta) + suffix * ("eta" in f.learn) + ": Dirichlet prior of each topic's words",
        "corpus": (f"{reading}; " if reading else "") + f"digest {f.corpus}",
    }
    if f.samples:
        facts["averaged"] = f"{f.samples} sweeps, those after {f.burn_in}" + f", in steps of {f.thin}" * (f.thin > 1)
    facts |= {f"topics {k} and {m}": f"distance {d:.4f}" for k, m, d in findings.duplicates}
    facts |= {plot.title: plot.exact for plot in charts}
    facts_html = "".join(f"<dt>{escape(fact_name)}</dt><dd>{escape(text)}</dd>" for fact_name, text in facts.items())
    return f"""<section><h2>Technical record</h2><dl>{facts_html}</dl>
<p>The share of a topic is the mean of theta<sub>jk</sub> over the documents j that have words. p(w|k) is
phi<sub>wk</sub>, the probability of word w in topic k. p<sub>w</sub> is the sum over k of share<sub>k</sub>
phi<sub>wk</sub>, and p(k|w) is share<sub>k</sub> phi<sub>wk</sub> / p<sub>w</sub>. The slider orders words by
relevance, lambda log phi<sub>wk</sub> + (1 - lambda) log(phi<sub>wk</sub> / p<sub>w</sub>) (Sievert and Shirley,
LDAvis, 2014, who advise lambda = 0.6). The percentage of a typical document is theta<sub>jk</sub>. The topic of a word
in a document is the largest entry of the mean of gamma over the tokens of the word there. Distances are
Jensen-Shannon distances of topics, the square roots of the divergences in nats; the largest is the square root of log
2, 0.83. The digest is a checksum of the corpus.</p>
<p>The numbers of the topics are those of the model. Another seed, start or schedule can give other topics.</p>
</section>"""
