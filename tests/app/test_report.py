"""The page of a model: every number on it against plain loops over the model and its corpus."""

import json
import math
import re
import shutil

import numpy as np
import pytest
from bs4 import BeautifulSoup

import lda_reference as lda
from lda_reference.app.report import drawing, findings
from lda_reference.evaluation.matching import jensen_shannon
from lda_reference.formats.text import tokenise
from lda_reference.storage import load

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


def report(folder, *options):
    """The text of the page and its tree."""
    assert run("report", folder / "m", *options, "--out", folder / "report.html") == 0
    html_text = (folder / "report.html").read_text("utf-8")
    return html_text, BeautifulSoup(html_text, "html.parser")


def with_corpus(folder):
    return "--corpus", folder / "docword.txt"


def shares(f):
    return [sum(theta_row[k] for theta_row in f.theta_jk) / len(f.theta_jk) for k in range(f.phi_wk.shape[1])]


def relevance(f, k, weight):
    """The relevance of each word to a topic, by its formula."""
    p_k = shares(f)
    p_w = [sum(share * p_in_topic for share, p_in_topic in zip(p_k, phi_row, strict=True)) for phi_row in f.phi_wk]
    topic_and_overall_pairs = zip(f.phi_wk[:, k], p_w, strict=True)
    return [weight * math.log(p_in_topic) + (1 - weight) * math.log(p_in_topic / overall_p) for p_in_topic, overall_p in topic_and_overall_pairs]


def test_topics_are_in_order_of_their_numbers_with_their_words(tmp_path, model):
    _, page_root = report(tmp_path, "--words", 3)
    p_k = shares(model)
    cards = page_root.find_all("article", class_="card")
    topic_order = [int(card["id"].removeprefix("topic-")) for card in cards]
    assert topic_order == list(range(4))
    for k, card in zip(topic_order, cards, strict=True):
        assert f"{p_k[k]:.1%}" in card.text
        word_rows = card.find_all("li")
        probabilities, words = [float(row["data-p"]) for row in word_rows], [row.span.text for row in word_rows]
        assert probabilities == [model.phi_wk[WORDS.index(word), k] for word in words] == sorted(probabilities, reverse=True)
        assert [i for i, row in enumerate(word_rows) if "hidden" not in row.attrs] == [0, 1, 2]
        word_ids = {w for i in range(11) for w in sorted(range(9), key=lambda w: -relevance(model, k, i / 10)[w])[:3]}
        assert set(words) == {WORDS[w] for w in word_ids}
        for word, row in zip(words, word_rows, strict=True):
            w = WORDS.index(word)
            p_w = sum(p_k[topic] * model.phi_wk[w, topic] for topic in range(4))
            assert float(row["data-lift"]) == pytest.approx(model.phi_wk[w, k] / p_w)
            bar_width = float(row.i["style"].removeprefix("width:").removesuffix("%"))
            assert bar_width == pytest.approx(100 * model.phi_wk[w, k] / max(model.phi_wk[:, k]), abs=0.006)
            number_texts = [span.text for span in row.find_all("span", class_="n")]
            assert number_texts == [f"{model.phi_wk[w, k]:.4f}", f"{p_k[k] * model.phi_wk[w, k] / p_w:.0%}"]


def test_the_table_has_the_sizes_and_the_nearest_topics(tmp_path, model):
    _, page_root = report(tmp_path)
    p_k, distances = shares(model), jensen_shannon(model.phi_wk)
    table_rows = [[cell.text for cell in row.find_all("td")] for row in page_root.find_all("tr")][1:]
    for row in table_rows:
        k = int(row[0])
        nearest_topic = min((nearest_topic for nearest_topic in range(4) if nearest_topic != k), key=lambda nearest_topic: distances[k, nearest_topic])
        assert (row[1], row[3]) == (f"{p_k[k]:.1%}", f"{nearest_topic} at {distances[k, nearest_topic]:.2f}")
        first_word_ids = sorted(range(9), key=lambda w: -model.phi_wk[w, k])[:5]
        assert row[2] == " ".join(WORDS[w] for w in first_word_ids)


def test_the_documents_are_the_most_typical_ones(tmp_path, model, corpus):
    _, page_root = report(tmp_path, *with_corpus(tmp_path))
    N_j = np.bincount(corpus.j, corpus.n, 30).astype(int)
    for card in page_root.find_all("article", class_="card"):
        k = int(card["id"].removeprefix("topic-"))
        best_documents = sorted(range(30), key=lambda j: (-model.theta_jk[j, k], -N_j[j], j))[:3]
        (document_list,) = card.find_all("ul", class_="docs")
        document_lines = [list_item.text for list_item in document_list.find_all("li")]
        for j, line in zip(best_documents, document_lines, strict=True):
            is_in_document = corpus.j == j
            N_w_in_topic = np.bincount(corpus.w[is_in_document], (corpus.n * model.state.gamma[:, k])[is_in_document], 9)
            first_word_ids = [w for w in np.argsort(-N_w_in_topic, kind="stable")[:6] if N_w_in_topic[w] > 0]
            words_text = " ".join(WORDS[w] for w in first_word_ids)
            assert line == f"document {j} (from 0) {model.theta_jk[j, k]:.0%} of {N_j[j]} words {words_text}"


def test_one_document_is_in_the_colours_of_its_topics(tmp_path, model, corpus):
    _, page_root = report(tmp_path, *with_corpus(tmp_path), "--document", 7)
    assert "One document: document 7 (from 0)" in page_root.text
    (paragraph,) = page_root.find_all("p", class_="coloured")
    spans = paragraph.find_all("span")
    corpus_rows = [i for i in range(corpus.M) if corpus.j[i] == 7]
    for i, span in zip(corpus_rows, spans, strict=True):
        k = max(range(4), key=lambda k: model.state.gamma[i, k])
        count_text = f" ×{corpus.n[i]}" if corpus.n[i] > 1 else ""
        assert span.text == f"{WORDS[corpus.w[i]]}{count_text} {k}"
        assert span["title"] == f"topic {k}, {model.state.gamma[i, k]:.0%}"
        assert span["style"].startswith(f"{drawing.colour(k)};")


def test_the_document_shown_by_default_has_median_length():
    c = lda.Corpus.from_documents([[0], [1] * 9, [], [2] * 3, [0] * 4], W=9).types()
    f = lda.fit(c, 2, sweeps=2)
    assert findings.findings(f, c).coloured.name == "document 4 (from 0)"  # the lengths above 0 are 1, 3, 4 and 9


def test_without_a_corpus_there_are_no_documents(tmp_path, model):
    _, page_root = report(tmp_path)
    assert page_root.find_all("ul", class_="docs") == page_root.find_all("p", class_="coloured") == []
    assert "made without the corpus" in page_root.text
    assert "log p(x | alpha, eta), in nats\n" in f"{next(element.text for element in page_root.find_all('dd') if 'nats' in element.text)}\n"  # not per token
    lda.save(model._replace(vocab=None), tmp_path / "m")
    assert "words are numbers from 0" in " ".join(report(tmp_path)[1].text.split())


def test_the_courses_of_the_run_are_those_of_the_history(tmp_path, model, corpus):
    charts = findings.charts(model, corpus.N)
    exact_titles = ["mean absolute change of gamma", "lower bound on log p(x | alpha, eta), in nats per token"]
    assert [chart.exact for chart in charts] == exact_titles
    for history_key, scale, chart in zip(("change", "bound"), (1, corpus.N), charts, strict=True):
        assert list(chart.sweeps) == [history_entry["sweep"] for history_entry in model.history]
        assert chart.values == pytest.approx([history_entry[history_key] / scale for history_entry in model.history])
    _, page_root = report(tmp_path, *with_corpus(tmp_path))
    for chart in charts:
        assert f"{chart.title}: {chart.values[-1]:.6g} at the end. {chart.note}" in page_root.text


@pytest.fixture(scope="module")
def settled_fit():
    return lda.fit(bars(), 3, sweeps=400)


def warnings_of(f):
    return findings.warnings(f, findings.duplicates(f, jensen_shannon(f.phi_wk)))


def test_a_run_that_still_moves_is_named(corpus, settled_fit):
    moving_fit = lda.fit(corpus, 3, sweeps=2)
    assert settled_fit.history[-1]["change"] < 1e-4 < moving_fit.history[-1]["change"]
    assert f"changed the probability of a topic for a word by {moving_fit.history[-1]['change']:.2g} on average" in warnings_of(moving_fit)[0]
    assert warnings_of(settled_fit) == []
    assert "no sweep" in warnings_of(lda.fit(corpus, 3, sweeps=0))[0]
    chain_fit = lda.fit(corpus, 3, "cgs", sweeps=4, burn_in=4)
    assert "no sweep after burn-in was averaged" in warnings_of(chain_fit)[0]


def test_empty_topics_and_duplicates_are_named(corpus, settled_fit):
    f, phi_wk = settled_fit, settled_fit.phi_wk.copy()
    phi_wk[:, 2] = phi_wk[:, 0] * 0.99 + 0.01 / 9
    gamma = np.column_stack([f.state.gamma[:, 0] + f.state.gamma[:, 2], f.state.gamma[:, 1], np.zeros(corpus.M)])
    changed_fit = f._replace(phi_wk=phi_wk, state=f.state._replace(gamma=gamma))
    empty_warning, pair_warning = warnings_of(changed_fit)
    assert empty_warning.startswith("Topic 2 is empty, ")
    assert f": 0 and 2 (distance {jensen_shannon(phi_wk)[0, 2]:.2f})." in pair_warning
    distances = np.array([[0, 0.2, 0.1], [0.2, 0, 0.25], [0.1, 0.25, 0]])
    assert findings.duplicates(changed_fit, distances) == ((0, 2, 0.1), (0, 1, 0.2))  # the closest first, and 0.25 is not close


def test_words_are_escaped_and_nothing_is_fetched(tmp_path, model):
    html_text, page_root = report(tmp_path, *with_corpus(tmp_path), "--words", 9)
    assert "<b>a" not in html_text
    assert "&lt;/script&gt;&lt;b&gt;" in html_text
    assert not re.search(r"https?:|src=|@import|url\(", html_text)
    (policy,) = (tag["content"] for tag in page_root.find_all("meta") if "content-security-policy" in str(tag.attrs).lower())
    assert policy.startswith("default-src 'none'")
    element_ids = {tag["id"] for tag in page_root.find_all(id=True)}
    assert {tag["href"].removeprefix("#") for tag in page_root.find_all("a")} <= element_ids


def test_a_topic_without_a_share_and_words_that_never_occur(tmp_path):
    c = lda.Corpus.from_documents([[0, 1], [1, 0]], W=4)
    f = lda.fit(c, 2, "ml", sweeps=3)
    theta_jk, phi_wk = np.array([[1.0, 0], [1, 0]]), np.array([[0.5, 0.25], [0.5, 0.25], [0, 0.25], [0, 0.25]])
    lda.save(f._replace(theta_jk=theta_jk, phi_wk=phi_wk), tmp_path / "m")
    _, page_root = report(tmp_path)
    words_of_card = {card["id"]: [row.span.text for row in card.find_all("li")] for card in page_root.find_all("article")}
    assert words_of_card == {"topic-0": ["0", "1"], "topic-1": []}


@pytest.mark.parametrize(("algorithm", "K"), [("cvb0", 1), *((algorithm, 2) for algorithm in lda.ALGORITHMS)])
def test_every_algorithm_and_one_topic_have_a_page(tmp_path, algorithm, K):
    c = write_bars(tmp_path, 6, 8)
    lda.save(lda.fit(lda.ALGORITHMS[algorithm].arranged(c), K, algorithm, sweeps=2), tmp_path / "m", c.vocab)
    _, page_root = report(tmp_path, *with_corpus(tmp_path))
    assert len(page_root.find_all("article", class_="card")) == K
    assert "One document" in page_root.text


TEXTS = [
    "Nut, BOLT! <script>nut</script>  It isn't a bolt.\nNut & bolt;",
    "Apple pear: the APPLE.",
    "pear Plum été \"Apple\"",
    "Bolt nut",
    "",
]


def write_texts(folder, texts):
    """Write texts in a file, and return the options that read it."""
    (folder / "texts.jsonl").write_text("".join(json.dumps({"body": text}) + "\n" for text in texts))
    return "--corpus", folder / "texts.jsonl", "--column", "body"


@pytest.mark.parametrize("algorithm", ["cvb0", "cgs"])
def test_a_text_is_shown_as_it_is_in_the_colours_of_its_topics(tmp_path, algorithm):
    options = write_texts(tmp_path, TEXTS)
    (tmp_path / "stop").write_text("it\nthe\na\n")
    fit_model(tmp_path, *options, "--stop-words", tmp_path / "stop", "--algorithm", algorithm)
    f = load(tmp_path / "m")
    c = f.algorithm.arranged(lda.read_corpus(tmp_path / "texts.jsonl", column="body", words=f.vocab))
    for j, text in enumerate(TEXTS[:4]):
        html_text, page_root = report(tmp_path, *options, "--document", j)
        (text_element,) = page_root.find_all("div", class_="text")
        assert text_element.text == text
        assert "<script>nut" not in html_text
        marks = text_element.find_all("mark")
        words = [word for word in tokenise(text) if word not in ("it", "the", "a")]
        assert [mark.text.lower() for mark in marks] == words
        for mark, word in zip(marks, words, strict=True):
            corpus_rows = [i for i in range(c.M) if c.j[i] == j and f.vocab[c.w[i]] == word]
            gamma = sum(c.n[i] * f.state.gamma[i] for i in corpus_rows) / sum(c.n[i] for i in corpus_rows)
            k = int(np.argmax(gamma))
            assert mark["title"] == f"topic {k}, {gamma[k]:.0%}"
        topic_texts = [mark["title"].split(",")[0].removeprefix("topic ") for mark in marks]
        first_topics = [topic_text if i == 0 or topic_text != topic_texts[i - 1] else None for i, topic_text in enumerate(topic_texts)]
        assert [mark.get("data-k") for mark in marks] == first_topics
    assert not list(report(tmp_path, *options, "--document", 4)[1].find_all("mark"))


def fit_model(folder, *options, K=2):
    fit_options = ("--topics", K, "--sweeps", 3, "--out", folder / "m", "--quiet")
    assert run("fit", *options, *fit_options) == 0
    return options


def test_the_page_of_a_long_text_says_that_it_is_cut(tmp_path):
    (tmp_path / "t").write_text("nut bolt\n" + "Nut, bolt. " * 3000 + "\n")
    options = fit_model(tmp_path, "--corpus", tmp_path / "t")
    _, page_root = report(tmp_path, *options, "--document", 1)
    (text_element,) = page_root.find_all("div", class_="text")
    assert text_element.text == "Nut, bolt. " * 2500
    assert "The text is cut after its first 5,000 words." in page_root.text
    assert "The text is cut" not in report(tmp_path, *options, "--document", 0)[1].text


@pytest.mark.parametrize("is_text", [True, False])
def test_the_page_is_legible_at_every_width_in_light_and_dark(tmp_path, model, browser, is_text):
    report_options = with_corpus(tmp_path)
    if is_text:
        shutil.rmtree(tmp_path / "m")
        report_options = (*fit_model(tmp_path, *write_texts(tmp_path, ["nut " + "x" * 300 + " " + "pear bolt " * 99, *TEXTS]), K=7), "--document", 0)
    report(tmp_path, *report_options)
    browser.open(f"file://{tmp_path / 'report.html'}")
    for colour_scheme in ("light", "dark"):
        browser.media(prefers_color_scheme=colour_scheme)
        contrasts = browser.contrasts("main *")
        assert len(contrasts) > 10
        assert [contrast for contrast in contrasts if contrast[0] < 4.5] == []
        for width in (1400, 800, 400):
            browser.size(width)
            assert browser.run("document.documentElement.scrollWidth") <= width
    assert (browser.errors, [address for address in browser.asked if not address.startswith("file:")]) == ([], [])


def test_the_slider_orders_the_words_by_relevance(tmp_path, model, browser):
    report(tmp_path, "--words", 3)
    browser.open(f"file://{tmp_path / 'report.html'}#weight=0.3")
    page_root = BeautifulSoup(browser.run("document.documentElement.innerHTML"), "html.parser")
    n_changed_topics = 0
    for card in page_root.find_all("article", class_="card"):
        k = int(card["id"].removeprefix("topic-"))
        words = [row.span.text for row in card.find_all("li") if "hidden" not in row.attrs]
        relevance_w = relevance(model, k, 0.3)
        assert words == [WORDS[w] for w in sorted(range(9), key=lambda w: -relevance_w[w])[:3]]
        n_changed_topics += words != [WORDS[w] for w in sorted(range(9), key=lambda w: -model.phi_wk[w, k])[:3]]
    assert n_changed_topics > 0
