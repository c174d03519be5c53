"""The widgets of the site in a browser: they work by mouse and keys, and their numbers are those of the package."""

import json
import subprocess
import sys

import nbformat
import numpy as np
import pytest
from scipy import stats
from scipy.special import digamma
from web import cells, widgets

import lda_reference as lda
from lda_reference.algorithms import collapsed_bound
from lda_reference.app.where import ROOT
from lda_reference.engine.starts import anneal
from lda_reference.engine.update import draw

from .browser import CHROMIUM
from .test_book import code, svg

NAMES = widgets.names()
THEMES_OWN = "invalid theme mode"  # what the theme says on a reader's first page


def widget_cell(widget_name):
    metadata = {"widget": widget_name, "caption": f"What {widget_name} shows.", "alt": f"The still picture of {widget_name}."}
    return code("x = 1", pictures=[svg()], **metadata)


def notebook(*widget_names):
    body_cells = [nbformat.v4.new_markdown_cell("# Widgets\n\nSome text.")]
    for widget_name in widget_names:
        body_cells += [nbformat.v4.new_markdown_cell(f"## {widget_name}"), widget_cell(widget_name)]
    kernel_fields = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=body_cells, metadata={"kernelspec": kernel_fields, "language_info": {"name": "python"}})


def test_the_figure_of_a_cell_with_a_widget_says_so(tmp_path):
    figure_source = cells.staged(notebook("race"), "01", tmp_path).cells[-2].source
    assert ":figclass: widget is-race\n" in figure_source
    assert ":alt: The still picture of race.\n" in figure_source
    assert "**Figure 1.1.** What race shows." in figure_source


def test_an_unknown_widget_and_one_without_a_still_picture_are_errors(tmp_path):
    with pytest.raises(ValueError, match="there is no widget 'rase', expected one of anneal, bound, count, ends"):
        cells.staged(notebook("rase"), "01", tmp_path)
    notebook_without_picture = notebook("race")
    notebook_without_picture.cells[-1].outputs = []
    with pytest.raises(ValueError, match="has the widget 'race', but no picture"):
        cells.staged(notebook_without_picture, "01", tmp_path)


def test_a_page_loads_the_scripts_of_its_widgets_alone():
    widget_html = '<figure class="align-default widget is-race" id="x"></figure>'
    assert widgets.scripts("<p>is-race</p>") == []
    shared_scripts = ["widgets/port.js", "widgets/shared/draw.js", "widgets/shared/sweeps.js"]
    assert widgets.scripts(widget_html) == [*shared_scripts, "widgets/data/race.js", "widgets/race.js"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site with two pages: one with all widgets, one without any."""
    if not CHROMIUM:
        pytest.skip("no chromium")
    site_folder = tmp_path_factory.mktemp("widgets")
    nbformat.write(notebook(*NAMES), site_folder / "01_widgets.ipynb")
    build_code = """
import sys
from pathlib import Path
import nbformat
from sphinx.cmd.build import build_main
from web import build, cells, stage
source, out, chapter = map(Path, sys.argv[1:])
staged = cells.staged(nbformat.read(chapter, 4), "01", source)
stage.write(source / "page.ipynb", nbformat.writes(staged))
stage.write(source / "index.md", "# Book\\n\\n```{toctree}\\npage\\n```\\n")
stage.scripts(source / "static")
stage.write(source / "static" / "cards.js", "const EQUATION_CARDS = {};")
sys.exit(build_main(["-q", "-W", "-b", "html", "-c", str(build.HERE), str(source), str(out)]))
"""
    (site_folder / "source").mkdir()
    build_process = subprocess.run(
        [sys.executable, "-c", build_code, site_folder / "source", site_folder / "out", site_folder / "01_widgets.ipynb"],
        cwd=ROOT / "chapters", capture_output=True, text=True,
    )  # fmt: skip
    assert build_process.returncode == 0, build_process.stdout + build_process.stderr
    mathjax_path = site_folder / "out" / "_static" / "mathjax" / "tex-chtml-full.js"  # long to load, and there are no formulas
    mathjax_path.write_text("window.MathJax = { startup: { promise: Promise.resolve() } };")
    return site_folder / "out"


@pytest.fixture
def tab(browser, site):
    """The page with all widgets, freshly loaded."""
    browser.size(1000)
    browser.media(prefers_reduced_motion="reduce")  # nothing plays by itself
    browser.open(f"file://{site}/page.html")
    browser.errors.clear()
    yield browser
    assert [error_text for error_text in browser.errors if THEMES_OWN not in error_text] == []
    assert [asked_url for asked_url in browser.asked if not asked_url.startswith(("file:", "data:"))] == []


def box(widget_name):
    return f"document.querySelector('.is-{widget_name} .widget-box')"


def numbers_of(tab, widget_name):
    return tab.run(f"{box(widget_name)}.numbers()")


def press(tab, widget_name, button_label, n_clicks=1):
    """Click a button by its words: once with the mouse, and the other times in the script, which is faster."""
    button_js = f"[...{box(widget_name)}.querySelectorAll('button')].find((x) => x.textContent === {json.dumps(button_label)})"
    tab.click(button_js)
    tab.run(f"(() => {{ for (let n = 1; n < {n_clicks}; n++) {button_js}.click(); }})()")


def move(tab, widget_name, key, n_presses=1):
    """Move the slider of a widget by a key."""
    tab.run(f"{box(widget_name)}.querySelector('input').focus()")
    tab.press(key, n_presses)


def text_of(tab, widget_name):
    """The words of a widget, those in its pictures too."""
    return tab.run(f"[...{box(widget_name)}.querySelectorAll('p, text, output')].map((x) => x.textContent).join('\\n')")


def uniforms(seed, n_numbers):
    """The generator of the port, sfc32: numbers in [0, 1), of 53 bits."""
    mask_32, (a, b, c, counter) = 0xFFFFFFFF, (seed, 0, 0x9E3779B9, 1)
    output_words = []
    for _ in range(20 + 2 * n_numbers):
        output_word = (a + b + counter) & mask_32
        counter, a, b, c = counter + 1, b ^ (b >> 9), (c + (c << 3)) & mask_32, (((c << 21) | (c >> 11)) + output_word) & mask_32
        output_words.append(output_word)
    random_words = np.array(output_words[20:])
    return ((random_words[::2] >> 5) * 2.0**26 + (random_words[1::2] >> 6)) / 2**53


def dirichlet_rows(seed, M, K):
    """A start of the port: rows that are uniform on the simplex."""
    exponentials = -np.log(1 - uniforms(seed, M * K)).reshape(M, K)
    return exponentials / exponentials.sum(1, keepdims=True)


def problem(widget_name):
    widget_numbers = widgets.NUMBERS[widget_name]()
    corpus_fields = widget_numbers["corpus"]
    p = lda.Prior(np.array(widget_numbers["prior"]["alpha"]), widget_numbers["prior"]["eta"])
    return widget_numbers, lda.Corpus(corpus_fields["j"], corpus_fields["w"], corpus_fields["n"], corpus_fields["D"], corpus_fields["W"]), p


def state_after(A_name, s, c, p, sweeps, schedule):
    for _ in range(sweeps):
        s = lda.ALGORITHMS[A_name].sweep(s, c, p, schedule=schedule)
    return s


def test_simplex_draws_dirichlet_mixtures(tab):
    for slider_position, key, n_presses in ((53, "ArrowRight", 3), (0, "Home", 1)):
        move(tab, "simplex", key, n_presses)
        shown_numbers = numbers_of(tab, "simplex")
        alpha, theta_points = 0.05 * 400 ** (slider_position / 100), np.array(shown_numbers["points"])
        assert shown_numbers["alpha"] == pytest.approx(alpha, rel=1e-12)
        assert f"{alpha:.2f}" in text_of(tab, "simplex")
        assert theta_points.shape == (300, 3)
        np.testing.assert_allclose(theta_points.sum(1), 1, atol=1e-12)
        for shares in theta_points.T:
            assert stats.kstest(shares, stats.beta(alpha, 2 * alpha).cdf).pvalue > 1e-3
    press(tab, "simplex", "Draw again")
    new_theta_points = np.array(numbers_of(tab, "simplex")["points"])
    assert np.abs(new_theta_points - theta_points).min() > 0
    assert f"largest share is {new_theta_points.max(1).mean():.2f} on average" in text_of(tab, "simplex")


def test_urn_draws_by_the_counts_so_far(tab):
    def replay(alpha, uniform_numbers):
        n_k, ball_topics = np.zeros(3), []
        for u_i in uniform_numbers:
            ball_topics.append(draw((n_k + alpha) / (n_k.sum() + 3 * alpha), u_i))
            n_k[ball_topics[-1]] += 1
        return ball_topics, (n_k + alpha) / (n_k.sum() + 3 * alpha)

    assert numbers_of(tab, "urn")["next"] == pytest.approx([1 / 3] * 3, rel=1e-15)
    press(tab, "urn", "Draw")
    press(tab, "urn", "Draw 20", 2)
    uniform_numbers = uniforms(1, 41)
    for slider_position in (50, 58):  # another alpha draws again, with the same random numbers
        shown_numbers, (ball_topics, next_probabilities) = numbers_of(tab, "urn"), replay(0.05 * 400 ** (slider_position / 100), uniform_numbers)
        np.testing.assert_allclose(shown_numbers["uniforms"], uniform_numbers, atol=1e-15)
        assert shown_numbers["balls"] == ball_topics
        np.testing.assert_allclose(shown_numbers["next"], next_probabilities, atol=1e-9)
        for probability in next_probabilities:
            assert f"{probability:.3f}" in text_of(tab, "urn")
        move(tab, "urn", "ArrowRight", 8)
    press(tab, "urn", "New urn")
    assert numbers_of(tab, "urn")["balls"] == []


def n_recovered(phi_wk, true_wk):
    """How many true topics have a topic within 0.3: the nearest pair first, then the nearest of those that are left."""
    distance_matrix = np.abs(phi_wk[:, :, None] - true_wk[:, None]).sum(0) / 2
    n_found = 0
    for _ in range(distance_matrix.shape[0]):
        k, true_k = np.unravel_index(distance_matrix.argmin(), distance_matrix.shape)
        n_found += distance_matrix[k, true_k] < 0.3
        distance_matrix[k], distance_matrix[:, true_k] = np.inf, np.inf
    return n_found


def test_race_runs_the_algorithms_of_the_package(tab):
    race_numbers, c, p = problem("race")
    press(tab, "race", "Step", 5)
    shown_numbers, uniform_numbers = numbers_of(tab, "race"), uniforms(2, 6 * c.N)
    z = (uniform_numbers[: c.N] * race_numbers["K"]).astype(int)
    assert shown_numbers["start"] == z.tolist()
    for shown_run in shown_numbers["runs"]:
        A = lda.ALGORITHMS[shown_run["name"]]
        s, sweeps_and_found = A.init(c, race_numbers["K"], p, z=z), []
        for sweep in range(6):
            sweeps_and_found.append((sweep, n_recovered(A.estimate(s, c, p)[1], np.array(race_numbers["true"]).T)))
            if sweep < 5:
                randomness = {"uniforms": uniform_numbers[(sweep + 1) * c.N : (sweep + 2) * c.N]} if shown_run["name"] == "cgs" else {}
                s = A.sweep(s, c, p, **randomness)
        np.testing.assert_allclose(shown_run["gamma"], s.gamma, atol=1e-9)
        assert [tuple(sweep_and_found) for sweep_and_found in shown_run["history"]] == sweeps_and_found
        assert f"sweep 5 · {sweeps_and_found[5][1]} of 10 bars found" in text_of(tab, "race")
    press(tab, "race", "Play")
    assert tab.waited(f"{box('race')}.numbers().runs[0].history.length > 7")
    press(tab, "race", "Pause")
    press(tab, "race", "Another start")
    assert numbers_of(tab, "race")["start"] == (uniforms(3, c.N) * race_numbers["K"]).astype(int).tolist()


def test_token_takes_an_update_apart(tab):
    token_numbers, c, p = problem("token")
    gamma, A = np.array(token_numbers["gamma"]), lda.ALGORITHMS["cvb0"]

    def check(gamma, i):
        shown_numbers, is_other = numbers_of(tab, "token"), np.arange(c.M) != i
        document_factor = gamma[is_other & (c.j == c.j[i])].sum(0) + p.alpha
        word_factor = gamma[is_other & (c.w == c.w[i])].sum(0) + p.eta
        topic_factor = 1 / (gamma[is_other].sum(0) + c.W * p.eta)
        new_gamma = document_factor * word_factor * topic_factor / (document_factor * word_factor * topic_factor).sum()
        assert shown_numbers["chosen"] == i
        np.testing.assert_allclose(shown_numbers["gamma"], gamma, atol=1e-9)
        for factor_name, factor_k in (("document", document_factor), ("word", word_factor), ("topic", topic_factor), ("gamma", new_gamma)):
            np.testing.assert_allclose(shown_numbers["terms"][factor_name], factor_k, atol=1e-9)
            for term_number in factor_k:
                assert f"{term_number:.3f}" in text_of(tab, "token")
        return new_gamma

    check(gamma, 2)
    tab.click(f"{box('token')}.querySelectorAll('.widget-letter')[9]")
    new_gamma = check(gamma, 9)
    press(tab, "token", "Apply this update")
    gamma[9] = new_gamma
    check(gamma, 9)
    tab.run(f"{box('token')}.querySelectorAll('.widget-letter')[20].focus()")
    tab.press("Enter")
    check(gamma, 20)
    press(tab, "token", "Sweep all tokens", 2)
    check(state_after("cvb0", A.init(c, 3, p, gamma=gamma), c, p, 2, "token").gamma, 20)


def test_bound_shows_both_bounds_and_the_evidence(tab):
    bound_numbers, c, p = problem("bound")
    A = lda.ALGORITHMS["vb"]
    log_evidence = lda.exact.posterior(c, 2, p).log_evidence

    def check(x):
        gamma = np.array(bound_numbers["gamma"])
        gamma[2] = x, 1 - x
        s, shown_numbers = A.init(c, 2, p, gamma=gamma), numbers_of(tab, "bound")
        assert shown_numbers["x"] == pytest.approx(x, abs=1e-12)
        for bound_name, bound_value in (("evidence", log_evidence), ("vb", A.bound(s, c, p)), ("cvb", collapsed_bound.bound(s, c, p))):
            assert shown_numbers[bound_name] == pytest.approx(bound_value, abs=1e-9)
            assert f"{bound_value:.4f}".replace("-", "−") in text_of(tab, "bound")

    check(bound_numbers["gamma"][2][0])
    move(tab, "bound", "Home")
    check(0)
    move(tab, "bound", "ArrowRight", 50)
    check(0.25)
    press(tab, "bound", "VB's best")
    check(bound_numbers["gamma"][2][0])
    press(tab, "bound", "CVB's best")
    shown_numbers = numbers_of(tab, "bound")
    assert shown_numbers["x"] == pytest.approx(0.29849431, abs=1e-6)
    assert shown_numbers["cvb"] == pytest.approx(-6.157086861113575, abs=1e-9)


def test_ends_runs_vb_from_two_starts_and_on_from_cvb0s_end(tab):
    ends_numbers, c, p = problem("ends")
    A = lda.ALGORITHMS["vb"]
    press(tab, "ends", "Step", 12)
    press(tab, "ends", "Continue from CVB0's end")  # and plays
    press(tab, "ends", "Pause")
    press(tab, "ends", "Step", 4 - numbers_of(tab, "ends")["runs"][2]["history"][-1][0])
    shown_numbers, start_gammas = numbers_of(tab, "ends"), [dirichlet_rows(seed, c.M, ends_numbers["K"]) for seed in (12, 10)]
    np.testing.assert_allclose(shown_numbers["starts"], start_gammas, atol=1e-12)
    cvb0_algorithm = lda.ALGORITHMS["cvb0"]
    cvb0_gamma = state_after("cvb0", cvb0_algorithm.init(c, ends_numbers["K"], p, gamma=start_gammas[0]), c, p, 30, "token").gamma
    last_bounds = []
    for shown_run, gamma, n_sweeps in zip(shown_numbers["runs"], [*start_gammas, cvb0_gamma], (16, 16, 4), strict=True):
        s = A.init(c, ends_numbers["K"], p, gamma=gamma)
        np.testing.assert_allclose(shown_run["history"][0], (0, A.bound(s, c, p) / c.N), atol=1e-9)
        s = state_after("vb", s, c, p, n_sweeps, "corpus")
        np.testing.assert_allclose(shown_run["gamma"], s.gamma, atol=1e-9)
        last_bounds.append(A.bound(s, c, p) / c.N)
        np.testing.assert_allclose(shown_run["history"][-1], (n_sweeps, last_bounds[-1]), atol=1e-9)
        assert f"sweep {n_sweeps}: {last_bounds[-1]:.3f}".replace("-", "−") in text_of(tab, "ends")
    assert last_bounds[2] > last_bounds[0] + 0.1 > last_bounds[1] + 0.13


def test_offsets_are_the_factors_of_the_terms(tab):
    move(tab, "offsets", "Home")
    move(tab, "offsets", "ArrowRight", 4)
    shown_numbers, counts = numbers_of(tab, "offsets"), np.arange(6.0)
    assert shown_numbers["a"] == pytest.approx(0.1)
    for A_name, term_factors in (("map", counts - 0.9), ("vb", np.exp(digamma(counts + 0.1))), ("cvb0", counts + 0.1)):
        np.testing.assert_allclose(shown_numbers["values"][A_name], term_factors, atol=1e-9)


def test_count_grows_by_convolution(tab):
    move(tab, "count", "ArrowRight", 5)
    shown_numbers = numbers_of(tab, "count")
    count_law = np.array([1.0])
    for token_gamma in shown_numbers["gammas"]:
        count_law = np.convolve(count_law, [1 - token_gamma, token_gamma])
    assert shown_numbers["tokens"] == len(shown_numbers["gammas"]) == 9
    np.testing.assert_allclose(shown_numbers["distribution"], count_law, atol=1e-12)
    assert shown_numbers["exact"] == pytest.approx(count_law @ np.log(0.1 + np.arange(10)), abs=1e-12)
    assert f"{shown_numbers['exact']:.3f}".replace("-", "−") in text_of(tab, "count")


def write_text(tab, written_text):
    tab.run(f"(() => {{ const x = {box('text')}.querySelector('textarea'); x.value = {json.dumps(written_text)};"
             " x.dispatchEvent(new Event('input')); })()")


def test_text_runs_cvb0_on_what_is_written(tab):
    write_text(tab, "Bread and butter. Bread!\n\nThe sea, the boat.\n \nButter, bread; boat")
    press(tab, "text", "Pause")
    press(tab, "text", "Step", 3)
    shown_numbers = numbers_of(tab, "text")
    assert shown_numbers["vocab"] == ["bread", "butter", "sea", "boat"]
    c = lda.Corpus(*(shown_numbers["corpus"][field_name] for field_name in "jwnDW"))
    assert c.n.tolist() == [2, 1, 1, 1, 1, 1, 1]
    s = lda.ALGORITHMS["cvb0"].init(c, 3, lda.Prior(), gamma=shown_numbers["start"])
    s = state_after("cvb0", s, c, lda.Prior(), len(shown_numbers["changes"]), "token")
    np.testing.assert_allclose(shown_numbers["gamma"], s.gamma, atol=1e-9)
    write_text(tab, "one paragraph")
    assert "two paragraphs or more" in text_of(tab, "text")


def test_anneal_lowers_the_prior_as_the_start_does(tab):
    anneal_numbers, c, p = problem("anneal")
    A, K = lda.ALGORITHMS["vb"], anneal_numbers["K"]

    def check(top_prior, n_sweeps):
        shown_numbers, prior_of_sweep = numbers_of(tab, "anneal"), [*anneal(p, top=top_prior, sweeps=150), *[p] * 30]
        s = A.init(c, K, p, gamma=dirichlet_rows(1, c.M, K))
        np.testing.assert_allclose(shown_numbers["start"], s.gamma, atol=1e-12)
        for prior in prior_of_sweep[:n_sweeps]:
            s = A.sweep(s, c, prior, schedule="corpus")
        assert shown_numbers["top"] == top_prior
        np.testing.assert_allclose(shown_numbers["gamma"], s.gamma, atol=1e-7)
        rms_distance = np.sqrt(np.mean((s.gamma - 1 / K) ** 2))
        np.testing.assert_allclose(shown_numbers["history"][-1], (n_sweeps, rms_distance), atol=1e-7)
        assert f"sweep {n_sweeps} · prior {float(prior_of_sweep[n_sweeps - 1].alpha):.2f} · " in text_of(tab, "anneal")

    press(tab, "anneal", "Step", 20)
    check(5, 20)
    move(tab, "anneal", "ArrowLeft", 2)
    assert "random rows, top 2 · 10 of 10 topics far from a bar" in text_of(tab, "anneal")
    press(tab, "anneal", "Step", 152)
    check(2, 152)


SHOWN_JS = """[...document.querySelectorAll('figure.widget')].map((x) => [
  x.querySelector('img').checkVisibility(), Boolean(x.querySelector('.widget-box')?.checkVisibility()),
  x.querySelector('figcaption').innerText.replace(/[#\\s]*$/, ''),
])"""
STILL_FIGURES = [[True, False, f"Figure 1.{figure_index + 1}. What {widget_name} shows."] for figure_index, widget_name in enumerate(NAMES)]


def test_widgets_take_the_place_of_the_stills_on_a_screen_with_scripts_alone(tab, site):
    for figure_index, (shows_still, shows_widget, caption) in enumerate(tab.run(SHOWN_JS)):
        assert (shows_still, shows_widget) == (False, True)
        assert caption.startswith(f"Figure 1.{figure_index + 1}. ")
        assert "What" not in caption
        assert len(caption) > 100
    tab.media("print")
    assert tab.run(SHOWN_JS) == STILL_FIGURES
    tab("Emulation.setScriptExecutionDisabled", value=True)
    tab.media()
    tab.open(f"file://{site}/page.html")
    assert tab.run(SHOWN_JS) == STILL_FIGURES
    tab("Emulation.setScriptExecutionDisabled", value=False)


SPILLS = """[...document.querySelectorAll('.widget-box text, .widget-box button, .widget-box input, .widget-box p')].filter((x) => {
  const b = x.getBoundingClientRect(), room = x.closest('figure').getBoundingClientRect();
  return b.width && (b.left < room.left - 2 || b.right > room.right + 2);
}).map((x) => x.textContent)"""


def test_widgets_fit_and_are_readable(tab, site):
    for width, colour_scheme in ((1400, "light"), (400, "dark")):
        tab.media(prefers_color_scheme=colour_scheme, prefers_reduced_motion="reduce")
        tab.size(width)
        tab.open(f"file://{site}/page.html")
        assert tab.run("document.documentElement.dataset.theme") == colour_scheme
        press(tab, "urn", "Draw 20")
        press(tab, "ends", "Continue from CVB0's end")
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tab.run("document.documentElement.scrollWidth") <= width
        assert tab.run(SPILLS) == []
        for contrast, font_size, shown_text in tab.contrasts(".widget-box text, .widget-box p, .widget-box span"):
            assert contrast > 4.5, shown_text
            assert font_size > 13, shown_text


def test_all_that_can_be_used_has_a_name(tab):
    ax_nodes = [ax_node for ax_node in tab("Accessibility.getFullAXTree")["nodes"] if not ax_node.get("ignored")]
    names_of_role = {role_name: [ax_node["name"]["value"] for ax_node in ax_nodes if ax_node["role"]["value"] == role_name] for role_name in ("slider", "button")}
    assert names_of_role["slider"] == ["top", "γ", "tokens", "certainty", "prior a", "α", "topics K", "α", "η", "α"]  # in the order of the names
    assert all(names_of_role["button"])
    assert "token 2, word e, gamma 0.46, 0.51, 0.03" in names_of_role["button"]
    assert tab.run("[...document.querySelectorAll('.widget-box svg')].every((x) => x.getAttribute('aria-label').length > 20)")
