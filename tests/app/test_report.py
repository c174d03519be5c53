"""The page of a model: every number on it against plain loops over the model and its corpus."""

import csv
import gzip
import json
import math
import os
import re
import shutil
import threading
from html.parser import HTMLParser

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.app.report import drawing, findings
from lda_reference.evaluation.matching import jensen_shannon
from lda_reference.formats.text import tokenise
from lda_reference.storage import load

from ..browser import CHROMIUM, Browser
from ..helpers import write_corpus
from .helpers import run, write_bars

WORDS = ("a&b", "</script><b>", '"quoted"', "öl", "five", "six", "seven", "eight", "nine")


def bars():
    return lda.synthetic.bars(np.random.default_rng(0), side=3, D=30, length=20).corpus.types()


@pytest.fixture
def corpus(tmp_path):
    c = bars()
    c = lda.Corpus(c.j, c.w, c.n, c.D, c.W, WORDS)
    write_corpus(c, tmp_path / "docword.txt", vocab=tmp_path / "vocab.txt")
    return c


@pytest.fixture
def model(tmp_path, corpus):
    f = lda.fit(corpus, 4, "cvb0", sweeps=12, seed=1, stop=1e-12)
    lda.save(f, tmp_path / "m", WORDS)
    return f


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.text, self.children = tag, dict(attributes), "", []

    def all(self, tag=None, **attributes):
        """The elements within, in order, of a tag and with attributes (`cls` is the class)."""
        for child in self.children:
            wanted = {"class" if name == "cls" else name: x for name, x in attributes.items()}
            if tag in (None, child.tag) and all(child.attributes.get(name) == x for name, x in wanted.items()):
                yield child
            yield from child.all(tag, **attributes)


class Page(HTMLParser):
    """A page as a tree. Every element must be closed, in order."""

    EMPTY = ("meta", "br", "input", "path", "circle", "polyline")

    def __init__(self, text):
        super().__init__()
        self.root = Element("root", [])
        self.within = [self.root]
        self.feed(text)
        assert self.within == [self.root]

    def handle_starttag(self, tag, attributes):
        element = Element(tag, attributes)
        self.within[-1].children.append(element)
        if tag not in self.EMPTY:
            self.within.append(element)

    def handle_endtag(self, tag):
        if tag not in self.EMPTY:
            assert self.within.pop().tag == tag

    def handle_data(self, data):
        for element in self.within:
            element.text += data


def report(folder, *options):
    """The text of the page and its tree."""
    assert run("report", folder / "m", *options, "--out", folder / "report.html") == 0
    text = (folder / "report.html").read_text("utf-8")
    return text, Page(text).root


def with_corpus(folder):
    return "--corpus", folder / "docword.txt"


def shares(f):
    return [sum(row[k] for row in f.theta_jk) / len(f.theta_jk) for k in range(f.phi_wk.shape[1])]


def relevance(f, k, weight):
    """The relevance of each word to a topic, by its formula."""
    p_k = shares(f)
    p_w = [sum(p * x for p, x in zip(p_k, row, strict=True)) for row in f.phi_wk]
    pairs = zip(f.phi_wk[:, k], p_w, strict=True)
    return [weight * math.log(x) + (1 - weight) * math.log(x / p) for x, p in pairs]


def test_topics_are_in_order_of_their_numbers_with_their_words(tmp_path, model):
    _, root = report(tmp_path, "--words", 3)
    p_k = shares(model)
    cards = list(root.all("article", cls="card"))
    order = [int(card.attributes["id"].removeprefix("topic-")) for card in cards]
    assert order == list(range(4))
    for k, card in zip(order, cards, strict=True):
        assert f"{p_k[k]:.1%}" in card.text
        rows = list(card.all("li"))
        p = [float(row.attributes["data-p"]) for row in rows]
        names = [next(row.all("span")).text for row in rows]
        assert p == [model.phi_wk[WORDS.index(name), k] for name in names] == sorted(p, reverse=True)
        assert [i for i, row in enumerate(rows) if "hidden" not in row.attributes] == [0, 1, 2]
        assert set(names[:3]) == {WORDS[w] for w in sorted(range(9), key=lambda w: -model.phi_wk[w, k])[:3]}
        expected = {w for i in range(11) for w in sorted(range(9), key=lambda w: -relevance(model, k, i / 10)[w])[:3]}
        assert set(names) == {WORDS[w] for w in expected}
        for name, row in zip(names, rows, strict=True):
            w = WORDS.index(name)
            p_w = sum(p_k[m] * model.phi_wk[w, m] for m in range(4))
            assert float(row.attributes["data-lift"]) == pytest.approx(model.phi_wk[w, k] / p_w)
            width = float(next(row.all("i")).attributes["style"].removeprefix("width:").removesuffix("%"))
            assert width == pytest.approx(100 * model.phi_wk[w, k] / max(model.phi_wk[:, k]), abs=0.006)
            shown = [x.text for x in row.all("span", cls="n")]
            assert shown == [f"{model.phi_wk[w, k]:.4f}", f"{p_k[k] * model.phi_wk[w, k] / p_w:.0%}"]
        (heads,) = card.all("div", cls="heads")
        assert [x.text for x in heads.all("span")] == ["word", "p(w|k)", "p(k|w)"]


def test_the_table_has_the_sizes_and_the_nearest_topics(tmp_path, model):
    _, root = report(tmp_path)
    p_k, distance = shares(model), jensen_shannon(model.phi_wk)
    rows = [[cell.text for cell in row.all("td")] for row in root.all("tr")][1:]
    for row in rows:
        k = int(row[0])
        m = min((m for m in range(4) if m != k), key=lambda m: distance[k, m])
        assert (row[1], row[3]) == (f"{p_k[k]:.1%}", f"{m} at {distance[k, m]:.2f}")
        first = sorted(range(9), key=lambda w: -model.phi_wk[w, k])[:5]
        assert row[2] == " ".join(WORDS[w] for w in first)


def test_the_documents_are_the_most_typical_ones(tmp_path, model, corpus):
    _, root = report(tmp_path, *with_corpus(tmp_path))
    N_j = [sum(n for j, n in zip(corpus.j, corpus.n, strict=True) if j == d) for d in range(30)]
    for card in root.all("article", cls="card"):
        k = int(card.attributes["id"].removeprefix("topic-"))
        best = sorted(range(30), key=lambda d: (-model.theta_jk[d, k], -N_j[d], d))[:3]
        (docs,) = card.all("ul", cls="docs")
        lines = [x.text for x in docs.all("li")]
        for d, line in zip(best, lines, strict=True):
            tokens = [0.0] * 9
            for i in range(corpus.M):
                if corpus.j[i] == d:
                    tokens[corpus.w[i]] += corpus.n[i] * model.state.gamma[i, k]
            first = [w for w in sorted(range(9), key=lambda w: -tokens[w])[:6] if tokens[w] > 0]
            words = " ".join(WORDS[w] for w in first)
            assert line == f"document {d} (from 0) {model.theta_jk[d, k]:.0%} of {N_j[d]} words {words}"


def test_one_document_is_in_the_colours_of_its_topics(tmp_path, model, corpus):
    _, root = report(tmp_path, *with_corpus(tmp_path), "--document", 7)
    assert "One document: document 7 (from 0)" in root.text
    assert "The running text is not shown: the corpus has counts of words and no text." in " ".join(root.text.split())
    (paragraph,) = root.all("p", cls="coloured")
    spans = list(paragraph.all("span"))
    rows = [i for i in range(corpus.M) if corpus.j[i] == 7]
    for i, span in zip(rows, spans, strict=True):
        k = max(range(4), key=lambda k: model.state.gamma[i, k])
        times = f" ×{corpus.n[i]}" if corpus.n[i] > 1 else ""
        assert span.text == f"{WORDS[corpus.w[i]]}{times} {k}"
        assert span.attributes["title"] == f"topic {k}, {model.state.gamma[i, k]:.0%}"
        assert span.attributes["style"].startswith(f"{drawing.colour(k)};")


def test_the_document_shown_by_default_has_median_length():
    c = lda.Corpus.from_documents([[0], [1] * 9, [], [2] * 3, [0] * 4], W=9).types()
    f = lda.fit(c, 2, sweeps=2)
    assert findings.findings(f, c).coloured.name == "document 4 (from 0)"  # the lengths above 0 are 1, 3, 4 and 9


def test_without_a_corpus_there_are_no_documents(tmp_path, model):
    _, root = report(tmp_path)
    assert list(root.all("ul", cls="docs")) == list(root.all("p", cls="coloured")) == []
    assert "made without the corpus" in root.text
    assert "log p(x | alpha, eta), in nats\n" in f"{next(x.text for x in root.all('dd') if 'nats' in x.text)}\n"  # not per token
    lda.save(model._replace(vocab=None), tmp_path / "m")
    assert "words are numbers from 0" in " ".join(report(tmp_path)[1].text.split())
    names = [next(x.all("span")).text for card in report(tmp_path)[1].all("article") for x in card.all("li")]
    assert set(names) <= {str(w) for w in range(9)}


def test_the_courses_of_the_run_are_those_of_the_history(tmp_path, model, corpus):
    charts = findings.charts(model, corpus.N)
    exact = ["mean absolute change of gamma", "lower bound on log p(x | alpha, eta), in nats per token"]
    assert [chart.exact for chart in charts] == exact
    for name, scale, chart in zip(("change", "bound"), (1, corpus.N), charts, strict=True):
        assert chart.sweeps == [h["sweep"] for h in model.history]
        assert chart.values == pytest.approx([h[name] / scale for h in model.history])
    _, root = report(tmp_path, *with_corpus(tmp_path))
    for chart in charts:
        assert f"{chart.title}: {chart.values[-1]:.6g} at the end. {chart.note}" in root.text
    record = root.text[root.text.index("Technical record") :]
    assert all(x in record for x in exact)
    for fact in ("block", "cvb0", "topics", model.corpus):
        assert fact in root.text


def test_numbers_that_are_not_finite_are_left_out_of_a_course(corpus):
    f = lda.fit(corpus, 2, "ml", sweeps=3, stop=1e-12, monitor=lambda f: {"held": math.inf if f.sweeps == 2 else 3.0, "note": "x"})
    found = {chart.title: (chart.sweeps, chart.values) for chart in findings.charts(f, None)}
    assert found["held"] == ([1, 3], [3.0, 3.0])
    assert "Objective of the algorithm, for all words" in found
    assert "note" not in found


@pytest.mark.parametrize("values", [[3.0], [2.0, 2.0], [1.0, 1e-9], [-5.0, -4.0, -4.5], [0.0, 0.0], [5, 0.0, 80]])
def test_a_line_stays_in_its_picture_and_keeps_the_order(values):
    root = Page(drawing.line("<t>", list(range(1, len(values) + 1)), values)).root
    marks = [(float(x.attributes["cx"]), float(x.attributes["cy"])) for x in root.all("circle")]
    for x in root.all("polyline"):
        marks = [tuple(map(float, pair.split(","))) for pair in x.attributes["points"].split()]
    assert len(marks) == len(values)
    assert all(0 <= x <= 400 and 0 <= y <= 190 for x, y in marks)
    for (_, y), value in zip(marks, values, strict=True):
        assert [y < z for _, z in marks] == [value > other for other in values]


def test_tick_labels_stand_at_their_values():
    def labels(values):
        root = Page(drawing.line("t", [1, 2], values)).root
        return {float(x.text): float(x.attributes["y"]) - 4 for x in root.all("text") if x.attributes["text-anchor"] == "end"}

    assert labels([0.0, 10.0]) == {0: 150, 2: pytest.approx(122.4), 4: pytest.approx(94.8), 6: pytest.approx(67.2), 8: pytest.approx(39.6), 10: 12}
    assert labels([1e-3, 10.0]) == {1e-3: 150, 1e-2: 115.5, 0.1: 81, 1: 46.5, 10: 12}
    assert list(labels([1e-12, 10.0])) == [1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2, 1]


# Warnings ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def settled():
    """A run of three topics that has settled."""
    return lda.fit(bars(), 3, sweeps=400)


def warned(f):
    return findings.warnings(f, findings.duplicates(f, jensen_shannon(f.phi_wk)))


def test_a_run_that_still_moves_is_named(corpus, settled):
    moving = lda.fit(corpus, 3, sweeps=2)
    assert settled.history[-1]["change"] < 1e-4 < moving.history[-1]["change"]
    assert f"changed the probability of a topic for a word by {moving.history[-1]['change']:.2g} on average" in warned(moving)[0]
    assert warned(settled) == []
    assert "no sweep" in warned(lda.fit(corpus, 3, sweeps=0))[0]
    chain = lda.fit(corpus, 3, "cgs", sweeps=4, burn_in=4)
    assert "no sweep after burn-in was averaged" in warned(chain)[0]
    assert not any("converged" in x or "burn-in" in x for x in warned(lda.fit(corpus, 3, "cgs", sweeps=4, burn_in=2)))


def test_empty_topics_and_duplicates_are_named(corpus, settled):
    f, phi_wk = settled, settled.phi_wk.copy()
    phi_wk[:, 2] = phi_wk[:, 0] * 0.99 + 0.01 / 9
    gamma = np.column_stack([f.state.gamma[:, 0] + f.state.gamma[:, 2], f.state.gamma[:, 1], np.zeros(corpus.M)])
    g = f._replace(phi_wk=phi_wk, state=f.state._replace(gamma=gamma))
    empty, pair = warned(g)
    assert empty.startswith("Topic 2 is empty, ")
    assert f": 0 and 2 (distance {jensen_shannon(phi_wk)[0, 2]:.2f})." in pair
    distance = np.array([[0, 0.2, 0.1], [0.2, 0, 0.25], [0.1, 0.25, 0]])
    assert findings.duplicates(g, distance) == ((0, 2, 0.1), (0, 1, 0.2))  # the closest first, and 0.25 is not close


def test_many_empty_topics_and_duplicates_are_two_sentences(corpus, settled):
    f, phi_wk = settled, np.column_stack([settled.phi_wk[:, 0]] * 6 + [settled.phi_wk[:, 1]])
    gamma = np.zeros((corpus.M, 7))
    gamma[: corpus.M // 2, 0], gamma[corpus.M // 2 :, 6] = 1, 1
    empty, pairs = warned(f._replace(phi_wk=phi_wk, state=f.state._replace(gamma=gamma)))
    assert empty.startswith("Topics 1, 2, 3, 4, 5 are empty")
    named = [f"0 and {m} (distance 0.00)" for m in range(1, 6)]  # pairs of empty topics are left out
    assert f": {'; '.join(named)}. Fewer" in pairs
    gamma = np.eye(7)[np.arange(corpus.M) % 7]
    (pairs,) = warned(f._replace(phi_wk=phi_wk, state=f.state._replace(gamma=gamma)))
    assert (pairs.count(" and "), pairs.count("; and 7 further pairs")) == (9, 1)


# Refusals and safety -------------------------------------------------------------------------------------------------


def test_words_are_escaped_and_nothing_is_fetched(tmp_path, model):
    text, root = report(tmp_path, *with_corpus(tmp_path), "--words", 9)
    assert "<b>a" not in text
    assert "</script><b>" not in text
    assert "&lt;/script&gt;&lt;b&gt;" in text
    assert not re.search(r"https?:|src=|@import|url\(", text)
    (policy,) = (x.attributes["content"] for x in root.all("meta") if "content-security-policy" in str(x.attributes).lower())
    assert policy.startswith("default-src 'none'")
    ids = {x.attributes["id"] for x in root.all() if "id" in x.attributes}
    assert {x.attributes["href"].removeprefix("#") for x in root.all("a")} <= ids


def test_a_topic_without_a_share_and_words_that_never_occur(tmp_path):
    c = lda.Corpus.from_documents([[0, 1], [1, 0]], W=4)
    f = lda.fit(c, 2, "ml", sweeps=3)
    theta_jk, phi_wk = np.array([[1.0, 0], [1, 0]]), np.array([[0.5, 0.25], [0.5, 0.25], [0, 0.25], [0, 0.25]])
    lda.save(f._replace(theta_jk=theta_jk, phi_wk=phi_wk), tmp_path / "m")
    _, root = report(tmp_path)
    cards = {x.attributes["id"]: [next(row.all("span")).text for row in x.all("li")] for x in root.all("article")}
    assert cards == {"topic-0": ["0", "1"], "topic-1": []}


@pytest.mark.parametrize(("name", "topics"), [("cvb0", "1 topic"), *((name, "2 topics") for name in lda.ALGORITHMS)])
def test_every_algorithm_and_one_topic_have_a_page(tmp_path, name, topics):
    c, K = write_bars(tmp_path, 6, 8), int(topics[0])
    lda.save(lda.fit(lda.ALGORITHMS[name].arranged(c), K, name, sweeps=2), tmp_path / "m", c.vocab)
    text, root = report(tmp_path, *with_corpus(tmp_path))
    assert f"{topics}<" in text
    assert len(list(root.all("article", cls="card"))) == K
    assert "One document" in root.text


# Texts ---------------------------------------------------------------------------------------------------------------

TEXTS = [
    "Nut, BOLT! <script>nut</script>  It isn't a bolt.\nNut & bolt;",
    "Apple pear: the APPLE.",
    "pear Plum été \"Apple\"",
    "Bolt nut",
    "",
]


def texts_as(kind, folder):
    """The texts in a file or folder, and the options that read it."""
    path = folder / f"texts.{kind}"
    lines = [" ".join(x.split("\n")) for x in TEXTS]
    if kind == "folder":
        path.mkdir()
        for i, x in enumerate(TEXTS):
            (path / f"{i}.txt").write_bytes(x.encode("cp1252"))
        return path, TEXTS, ("--encoding", "cp1252")
    if kind == "gz":
        path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode()))
        return path, lines, ("--format", "text")
    if kind == "csv":
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, delimiter=";").writerows([["id", "body"], *enumerate(TEXTS)])
    else:
        path.write_text("".join(json.dumps({"body": x}) + "\n" for x in TEXTS))
    return path, TEXTS, ("--column", "body")


@pytest.mark.parametrize("name", ["cvb0", "cgs"])
@pytest.mark.parametrize("kind", ["folder", "gz", "csv", "jsonl"])
def test_a_text_is_shown_as_it_is_in_the_colours_of_its_topics(tmp_path, kind, name):
    path, texts, options = texts_as(kind, tmp_path)
    (tmp_path / "stop").write_text("it\nthe\na\n")
    fitted(tmp_path, "--corpus", path, *options, "--stop-words", tmp_path / "stop", "--algorithm", name)
    f = load(tmp_path / "m")
    read = {x.strip("-"): y for x, y in zip(options[::2], options[1::2], strict=True)}
    c = f.algorithm.arranged(lda.read_corpus(path, words=f.vocab, **read))
    for j, text in enumerate(texts[:4]):
        page, root = report(tmp_path, "--corpus", path, *options, "--document", j)
        (shown,) = root.all("div", cls="text")
        assert shown.text == text
        assert "<script>nut" not in page
        marks = list(shown.all("mark"))
        known = [word for word in tokenise(text) if word not in ("it", "the", "a")]
        assert [x.text.lower() for x in marks] == known
        for mark, word in zip(marks, known, strict=True):
            rows = [i for i in range(c.M) if c.j[i] == j and f.vocab[c.w[i]] == word]
            gamma = sum(c.n[i] * f.state.gamma[i] for i in rows) / sum(c.n[i] for i in rows)
            k = int(np.argmax(gamma))
            assert mark.attributes["title"] == f"topic {k}, {gamma[k]:.0%}"
        best = [x.attributes["title"].split(",")[0].removeprefix("topic ") for x in marks]
        turns = [k if i == 0 or k != best[i - 1] else None for i, k in enumerate(best)]
        assert [x.attributes.get("data-k") for x in marks] == turns
    assert not list(report(tmp_path, "--corpus", path, *options, "--document", 4)[1].all("mark"))


def fitted(folder, *options, topics=2):
    fit = ("--topics", topics, "--sweeps", 3, "--out", folder / "m", "--quiet")
    assert run("fit", *options, *fit) == 0
    return options


def test_typical_documents_show_how_their_texts_begin(tmp_path):
    long = "Nut <script>bolt</script> & nut,\n\tbolt " + "nut bolt screw " * 50
    (tmp_path / "t.jsonl").write_text("".join(json.dumps({"x": x}) + "\n" for x in (long, "Nut\nbolt.", "")))
    page, root = report(tmp_path, *fitted(tmp_path, "--corpus", tmp_path / "t.jsonl", "--column", "x"))
    assert "<script>bolt" not in page
    assert "&lt;script&gt;bolt&lt;/script&gt; &amp; nut" in page
    for card in root.all("article", cls="card"):
        shown = {next(x.all("b")).text: next(x.all("span", cls="begins")).text for x in card.all("li") if list(x.all("b"))}
        assert shown["document 1 (from 0)"] == "Nut bolt."
        begins = shown["document 0 (from 0)"].removesuffix("\xa0…")
        assert " ".join(long.split()).startswith(begins + " ")
        assert 190 < len(begins) <= 200


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (["nut nut bolt", "bolt"], "the text of document 0 has changed since the model was trained"),
        (FileNotFoundError(2, "No such file", "t"), "the texts could not be read a second time ([Errno 2] No such file: 't')"),
        (ValueError("t: 0 documents"), "the texts could not be read a second time (t: 0 documents)"),
    ],
)
def test_a_text_that_is_no_longer_there_is_not_shown(tmp_path, monkeypatch, second, reason):
    def read(path, documents, *options):
        if isinstance(second, Exception):
            raise second
        return second

    (tmp_path / "t").write_text("nut bolt\nbolt bolt nut\n")
    options = fitted(tmp_path, "--corpus", tmp_path / "t", "--format", "text")
    monkeypatch.setattr("lda_reference.app.report.command.read_texts", read)
    _, root = report(tmp_path, *options)
    assert f"The running text is not shown: {reason}." in " ".join(root.text.split())
    assert {x.text.partition(" ")[0] for p in root.all("p", cls="coloured") for x in p.all("span")} == {"bolt", "nut"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_read_once(tmp_path):
    (tmp_path / "t").write_text("nut bolt\nbolt bolt nut\n")
    fitted(tmp_path, "--corpus", tmp_path / "t", "--format", "text")
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_text, args=("nut bolt\nbolt bolt nut\n",))
    writer.start()
    _, root = report(tmp_path, "--corpus", tmp_path / "pipe", "--format", "text")
    writer.join()
    assert "neither a file nor a folder" in root.text


def test_a_topic_has_one_colour_on_the_whole_page(tmp_path):
    path, _, options = texts_as("jsonl", tmp_path)
    fitted(tmp_path, "--corpus", path, *options, topics=3)
    _, root = report(tmp_path, "--corpus", path, *options, "--document", 0)
    hue = {}
    for card in root.all("article", cls="card"):
        hue[card.attributes["id"].removeprefix("topic-")] = card.attributes["style"]
    assert hue == {str(k): drawing.colour(k) for k in range(3)}  # by number, so that a resumed run keeps the colours
    assert len(set(hue.values())) == 3
    for mark in root.all("mark"):
        k = mark.attributes["title"].split(",")[0].removeprefix("topic ")
        assert mark.attributes["style"].split(";")[0] == hue[k]
    for row in list(root.all("tr"))[1:]:
        assert next(row.all("span", cls="dot")).attributes["style"] == hue[next(row.all("a")).text]


def test_the_page_of_a_long_text_says_that_it_is_cut(tmp_path):
    (tmp_path / "t").write_text("nut bolt\n" + "Nut, bolt. " * 3000 + "\n")
    options = fitted(tmp_path, "--corpus", tmp_path / "t")
    _, root = report(tmp_path, *options, "--document", 1)
    (shown,) = root.all("div", cls="text")
    assert shown.text == "Nut, bolt. " * 2500
    assert "The text is cut after its first 5,000 words." in root.text
    assert "The text is cut" not in report(tmp_path, *options, "--document", 0)[1].text


def test_a_lone_surrogate_is_replaced(tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps({"x": "nut \ud800 bolt"}))
    options = fitted(tmp_path, "--corpus", tmp_path / "t.jsonl", "--column", "x")
    (shown,) = report(tmp_path, *options)[1].all("div", cls="text")
    assert shown.text == "nut ? bolt"


# In a browser --------------------------------------------------------------------------------------------------------

CONTRAST = """(() => {
  const paint = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgb = (...colours) => {  // colours painted one over another
    paint.globalAlpha = 1;
    for (const x of colours) { paint.fillStyle = x; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3).map(x => x / 255);
  };
  const light = x => x.map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = getComputedStyle(document.body).backgroundColor;
  const found = {};
  for (const x of document.querySelectorAll("main *")) {
    const own = [...x.childNodes].some(y => y.nodeType === 3 && y.data.trim());
    if (!own || !x.getClientRects().length) continue;
    const under = [];
    for (let y = x; y; y = y.parentElement) under.unshift(getComputedStyle(y).backgroundColor);
    const style = getComputedStyle(x), text = x instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(rgb(paper, ...under, text)), light(rgb(paper, ...under))].sort((p, q) => q - p);
    const name = x.tagName + "." + x.className, ratio = (a + 0.05) / (b + 0.05);
    found[name] = Math.min(ratio, found[name] ?? 99);
  }
  return found;
})()"""


@pytest.fixture
def browser(tmp_path):
    if not CHROMIUM:
        pytest.skip("no chromium")
    opened = Browser(tmp_path / "profile")
    yield opened
    opened.close()


@pytest.mark.parametrize("is_text", [True, False])
def test_the_page_is_legible_at_every_width_in_light_and_dark(tmp_path, model, browser, is_text):
    options = with_corpus(tmp_path)
    if is_text:
        path, _, read = texts_as("jsonl", tmp_path)
        path.write_text(json.dumps({"body": "nut " + "x" * 300 + " " + "pear bolt " * 99}) + "\n" + path.read_text())
        options = ("--corpus", path, *read, "--document", 0)
        shutil.rmtree(tmp_path / "m")
        fitted(tmp_path, "--corpus", path, *read, topics=7)
    report(tmp_path, *options)
    browser.open(f"file://{tmp_path / 'report.html'}")
    papers = set()
    for scheme in ("light", "dark"):
        browser.media(prefers_color_scheme=scheme)
        papers.add(browser.run("getComputedStyle(document.body).backgroundColor"))
        found = browser.run(CONTRAST)
        assert len(found) > 10
        assert {name: x for name, x in found.items() if x < 4.5} == {}
        for width in (1400, 800, 400):
            browser.size(width)
            assert browser.run("document.documentElement.scrollWidth") <= width
    assert len(papers) == 2
    if is_text:
        content = browser.run("getComputedStyle(document.querySelector('mark[data-k]'), '::after').content")
        assert content.strip('"').isdigit()
    assert (browser.errors, [x for x in browser.asked if not x.startswith("file:")]) == ([], [])


def test_the_slider_orders_the_words_by_relevance(tmp_path, model, browser):
    report(tmp_path, "--words", 3)
    browser.open(f"file://{tmp_path / 'report.html'}#weight=0.3")
    root = Page("<html>" + browser.run("document.documentElement.innerHTML") + "</html>").root
    (shown,) = (x.text for x in root.all("output"))
    assert shown == "0.3"
    changed = 0
    for card in root.all("article", cls="card"):
        k = int(card.attributes["id"].removeprefix("topic-"))
        rows = [next(x.all("span")).text for x in card.all("li") if "hidden" not in x.attributes]
        value = relevance(model, k, 0.3)
        assert rows == [WORDS[w] for w in sorted(range(9), key=lambda w: -value[w])[:3]]
        changed += rows != [WORDS[w] for w in sorted(range(9), key=lambda w: -model.phi_wk[w, k])[:3]]
    assert changed > 0
