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

# Parts ---------------------------------------------------------------------------------------------------------------


def widget_cell(widget):
    metadata = {"widget": widget, "caption": f"What {widget} shows.", "alt": f"The still picture of {widget}."}
    return code("x = 1", pictures=[svg()], **metadata)


def notebook(*names):
    body = [nbformat.v4.new_markdown_cell("# Widgets\n\nSome text.")]
    for widget_name in names:
        body += [nbformat.v4.new_markdown_cell(f"## {widget_name}"), widget_cell(widget_name)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=body, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def test_the_figure_of_a_cell_with_a_widget_says_so(tmp_path):
    figure = cells.staged(notebook("race"), "01", tmp_path).cells[-2].source
    assert ":figclass: widget is-race\n" in figure
    assert ":alt: The still picture of race.\n" in figure
    assert "**Figure 1.1.** What race shows." in figure


def test_an_unknown_widget_and_one_without_a_still_picture_are_errors(tmp_path):
    with pytest.raises(ValueError, match="there is no widget 'rase', expected one of anneal, bound, count, ends"):
        cells.staged(notebook("rase"), "01", tmp_path)
    no_picture = notebook("race")
    no_picture.cells[-1].outputs = []
    with pytest.raises(ValueError, match="has the widget 'race', but no picture"):
        cells.staged(no_picture, "01", tmp_path)


def test_a_page_loads_the_scripts_of_its_widgets_alone():
    html = '<figure class="align-default widget is-race" id="x"></figure>'
    assert widgets.scripts("<p>is-race</p>") == []
    shared = ["widgets/port.js", "widgets/shared/draw.js", "widgets/shared/sweeps.js"]
    assert widgets.scripts(html) == [*shared, "widgets/data/race.js", "widgets/race.js"]


# The page ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of a site with two pages: one with all widgets, one without any."""
    if not CHROMIUM:
        pytest.skip("no chromium")
    folder = tmp_path_factory.mktemp("widgets")
    nbformat.write(notebook(*NAMES), folder / "01_widgets.ipynb")
    program = """
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
    (folder / "source").mkdir()
    process = subprocess.run(
        [sys.executable, "-c", program, folder / "source", folder / "out", folder / "01_widgets.ipynb"],
        cwd=ROOT / "chapters", capture_output=True, text=True,
    )  # fmt: skip
    assert process.returncode == 0, process.stdout + process.stderr
    mathjax = folder / "out" / "_static" / "mathjax" / "tex-chtml-full.js"  # long to load, and there are no formulas
    mathjax.write_text("window.MathJax = { startup: { promise: Promise.resolve() } };")
    return folder / "out"


@pytest.fixture
def tab(browser, site):
    """The page with all widgets, freshly loaded."""
    browser.size(1000)
    browser.media(prefers_reduced_motion="reduce")  # nothing plays by itself
    browser.open(f"file://{site}/page.html")
    browser.errors.clear()
    yield browser
    assert [x for x in browser.errors if THEMES_OWN not in x] == []
    assert [x for x in browser.asked if not x.startswith(("file:", "data:"))] == []


def box(widget):
    return f"document.querySelector('.is-{widget} .widget-box')"


def numbers_of(tab, widget):
    return tab.run(f"{box(widget)}.numbers()")


def press(tab, widget, label, n_clicks=1):
    """Click a button by its words: once with the mouse, and the other times in the script, which is faster."""
    button = f"[...{box(widget)}.querySelectorAll('button')].find((x) => x.textContent === {json.dumps(label)})"
    tab.click(button)
    tab.run(f"(() => {{ for (let n = 1; n < {n_clicks}; n++) {button}.click(); }})()")


def move(tab, widget, key, n_presses=1):
    """Move the slider of a widget by a key."""
    tab.run(f"{box(widget)}.querySelector('input').focus()")
    tab.press(key, n_presses)


def text_of(tab, widget):
    """The words of a widget, those in its pictures too."""
    return tab.run(f"[...{box(widget)}.querySelectorAll('p, text, output')].map((x) => x.textContent).join('\\n')")


def uniforms(seed, size):
    """The generator of the port, sfc32: numbers in [0, 1), of 53 bits."""
    mask, (a, b, c, counter) = 0xFFFFFFFF, (seed, 0, 0x9E3779B9, 1)
    outputs = []
    for _ in range(20 + 2 * size):
        t = (a + b + counter) & mask
        counter, a, b, c = counter + 1, b ^ (b >> 9), (c + (c << 3)) & mask, (((c << 21) | (c >> 11)) + t) & mask
        outputs.append(t)
    random_words = np.array(outputs[20:])
    return ((random_words[::2] >> 5) * 2.0**26 + (random_words[1::2] >> 6)) / 2**53


def dirichlet_rows(seed, M, K):
    """A start of the port: rows that are uniform on the simplex."""
    exponentials = -np.log(1 - uniforms(seed, M * K)).reshape(M, K)
    return exponentials / exponentials.sum(1, keepdims=True)


def problem(widget):
    parts = widgets.NUMBERS[widget]()
    c = parts["corpus"]
    p = lda.Prior(np.array(parts["prior"]["alpha"]), parts["prior"]["eta"])
    return parts, lda.Corpus(c["j"], c["w"], c["n"], c["D"], c["W"]), p


def state_after(A_name, s, c, p, sweeps, schedule):
    for _ in range(sweeps):
        s = lda.ALGORITHMS[A_name].sweep(s, c, p, schedule=schedule)
    return s


# Each widget ---------------------------------------------------------------------------------------------------------


def test_simplex_draws_dirichlet_mixtures(tab):
    for slider_position, key, n_presses in ((53, "ArrowRight", 3), (0, "Home", 1)):
        move(tab, "simplex", key, n_presses)
        numbers = numbers_of(tab, "simplex")
        alpha, points = 0.05 * 400 ** (slider_position / 100), np.array(numbers["points"])
        assert numbers["alpha"] == pytest.approx(alpha, rel=1e-12)
        assert f"{alpha:.2f}" in text_of(tab, "simplex")
        assert points.shape == (300, 3)
        np.testing.assert_allclose(points.sum(1), 1, atol=1e-12)
        for shares in points.T:
            assert stats.kstest(shares, stats.beta(alpha, 2 * alpha).cdf).pvalue > 1e-3
    press(tab, "simplex", "Draw again")
    new_points = np.array(numbers_of(tab, "simplex")["points"])
    assert np.abs(new_points - points).min() > 0
    assert f"largest share is {new_points.max(1).mean():.2f} on average" in text_of(tab, "simplex")


def test_urn_draws_by_the_counts_so_far(tab):
    def replay(alpha, u):
        n_k, balls = np.zeros(3), []
        for uniform in u:
            balls.append(draw((n_k + alpha) / (n_k.sum() + 3 * alpha), uniform))
            n_k[balls[-1]] += 1
        return balls, (n_k + alpha) / (n_k.sum() + 3 * alpha)

    assert numbers_of(tab, "urn")["next"] == pytest.approx([1 / 3] * 3, rel=1e-15)
    press(tab, "urn", "Draw")
    press(tab, "urn", "Draw 20", 2)
    u = uniforms(1, 41)
    for slider_position in (50, 58):  # another alpha draws again, with the same random numbers
        numbers, (balls, next_p) = numbers_of(tab, "urn"), replay(0.05 * 400 ** (slider_position / 100), u)
        np.testing.assert_allclose(numbers["uniforms"], u, atol=1e-15)
        assert numbers["balls"] == balls
        np.testing.assert_allclose(numbers["next"], next_p, atol=1e-9)
        for p in next_p:
            assert f"{p:.3f}" in text_of(tab, "urn")
        move(tab, "urn", "ArrowRight", 8)
    press(tab, "urn", "New urn")
    assert numbers_of(tab, "urn")["balls"] == []


def n_recovered(phi_wk, true_wk):
    """How many true topics have a topic within 0.3: the nearest pair first, then the nearest of those that are left."""
    distance = np.abs(phi_wk[:, :, None] - true_wk[:, None]).sum(0) / 2
    n_found = 0
    for _ in range(distance.shape[0]):
        k, t = np.unravel_index(distance.argmin(), distance.shape)
        n_found += distance[k, t] < 0.3
        distance[k], distance[:, t] = np.inf, np.inf
    return n_found


def test_race_runs_the_algorithms_of_the_package(tab):
    parts, c, p = problem("race")
    press(tab, "race", "Step", 5)
    numbers, u = numbers_of(tab, "race"), uniforms(2, 6 * c.N)
    z = (u[: c.N] * parts["K"]).astype(int)
    assert numbers["start"] == z.tolist()
    for run in numbers["runs"]:
        A = lda.ALGORITHMS[run["name"]]
        s, history = A.init(c, parts["K"], p, z=z), []
        for t in range(6):
            history.append((t, n_recovered(A.estimate(s, c, p)[1], np.array(parts["true"]).T)))
            if t < 5:
                randomness = {"uniforms": u[(t + 1) * c.N : (t + 2) * c.N]} if run["name"] == "cgs" else {}
                s = A.sweep(s, c, p, **randomness)
        np.testing.assert_allclose(run["gamma"], s.gamma, atol=1e-9)
        assert [tuple(x) for x in run["history"]] == history
        assert f"sweep 5 · {history[5][1]} of 10 bars found" in text_of(tab, "race")
    press(tab, "race", "Play")
    assert tab.waited(f"{box('race')}.numbers().runs[0].history.length > 7")
    press(tab, "race", "Pause")
    press(tab, "race", "Another start")
    assert numbers_of(tab, "race")["start"] == (uniforms(3, c.N) * parts["K"]).astype(int).tolist()


def test_token_takes_an_update_apart(tab):
    parts, c, p = problem("token")
    gamma, A = np.array(parts["gamma"]), lda.ALGORITHMS["cvb0"]

    def check(gamma, i):
        numbers, is_other = numbers_of(tab, "token"), np.arange(c.M) != i
        document = gamma[is_other & (c.j == c.j[i])].sum(0) + p.alpha
        word = gamma[is_other & (c.w == c.w[i])].sum(0) + p.eta
        topic = 1 / (gamma[is_other].sum(0) + c.W * p.eta)
        new_gamma = document * word * topic / (document * word * topic).sum()
        assert numbers["chosen"] == i
        np.testing.assert_allclose(numbers["gamma"], gamma, atol=1e-9)
        for term_name, term in (("document", document), ("word", word), ("topic", topic), ("gamma", new_gamma)):
            np.testing.assert_allclose(numbers["terms"][term_name], term, atol=1e-9)
            for entry in term:
                assert f"{entry:.3f}" in text_of(tab, "token")
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
    parts, c, p = problem("bound")
    A = lda.ALGORITHMS["vb"]
    evidence = lda.exact.posterior(c, 2, p).log_evidence

    def check(x):
        gamma = np.array(parts["gamma"])
        gamma[2] = x, 1 - x
        s, numbers = A.init(c, 2, p, gamma=gamma), numbers_of(tab, "bound")
        assert numbers["x"] == pytest.approx(x, abs=1e-12)
        for key, log_p in (("evidence", evidence), ("vb", A.bound(s, c, p)), ("cvb", collapsed_bound.bound(s, c, p))):
            assert numbers[key] == pytest.approx(log_p, abs=1e-9)
            assert f"{log_p:.4f}".replace("-", "−") in text_of(tab, "bound")

    check(parts["gamma"][2][0])
    move(tab, "bound", "Home")
    check(0)
    move(tab, "bound", "ArrowRight", 50)
    check(0.25)
    press(tab, "bound", "VB's best")
    check(parts["gamma"][2][0])
    press(tab, "bound", "CVB's best")
    numbers = numbers_of(tab, "bound")
    assert numbers["x"] == pytest.approx(0.29849431, abs=1e-6)
    assert numbers["cvb"] == pytest.approx(-6.157086861113575, abs=1e-9)


def test_ends_runs_vb_from_two_starts_and_on_from_cvb0s_end(tab):
    parts, c, p = problem("ends")
    A = lda.ALGORITHMS["vb"]
    press(tab, "ends", "Step", 12)
    press(tab, "ends", "Continue from CVB0's end")  # and plays
    press(tab, "ends", "Pause")
    press(tab, "ends", "Step", 4 - numbers_of(tab, "ends")["runs"][2]["history"][-1][0])
    numbers, starts = numbers_of(tab, "ends"), [dirichlet_rows(seed, c.M, parts["K"]) for seed in (12, 10)]
    np.testing.assert_allclose(numbers["starts"], starts, atol=1e-12)
    cvb0 = lda.ALGORITHMS["cvb0"]
    cvb0_gamma = state_after("cvb0", cvb0.init(c, parts["K"], p, gamma=starts[0]), c, p, 30, "token").gamma
    last_bounds = []
    for run, gamma, n_sweeps in zip(numbers["runs"], [*starts, cvb0_gamma], (16, 16, 4), strict=True):
        s = A.init(c, parts["K"], p, gamma=gamma)
        np.testing.assert_allclose(run["history"][0], (0, A.bound(s, c, p) / c.N), atol=1e-9)
        s = state_after("vb", s, c, p, n_sweeps, "corpus")
        np.testing.assert_allclose(run["gamma"], s.gamma, atol=1e-9)
        last_bounds.append(A.bound(s, c, p) / c.N)
        np.testing.assert_allclose(run["history"][-1], (n_sweeps, last_bounds[-1]), atol=1e-9)
        assert f"sweep {n_sweeps}: {last_bounds[-1]:.3f}".replace("-", "−") in text_of(tab, "ends")
    assert last_bounds[2] > last_bounds[0] + 0.1 > last_bounds[1] + 0.13


def test_offsets_are_the_factors_of_the_terms(tab):
    move(tab, "offsets", "Home")
    move(tab, "offsets", "ArrowRight", 4)
    numbers, N = numbers_of(tab, "offsets"), np.arange(6.0)
    assert numbers["a"] == pytest.approx(0.1)
    for A_name, factor in (("map", N - 0.9), ("vb", np.exp(digamma(N + 0.1))), ("cvb0", N + 0.1)):
        np.testing.assert_allclose(numbers["values"][A_name], factor, atol=1e-9)


def test_count_grows_by_convolution(tab):
    move(tab, "count", "ArrowRight", 5)
    numbers = numbers_of(tab, "count")
    law = np.array([1.0])
    for g in numbers["gammas"]:
        law = np.convolve(law, [1 - g, g])
    assert numbers["tokens"] == len(numbers["gammas"]) == 9
    np.testing.assert_allclose(numbers["distribution"], law, atol=1e-12)
    assert numbers["exact"] == pytest.approx(law @ np.log(0.1 + np.arange(10)), abs=1e-12)
    assert f"{numbers['exact']:.3f}".replace("-", "−") in text_of(tab, "count")


def write_text(tab, text):
    tab.run(f"(() => {{ const x = {box('text')}.querySelector('textarea'); x.value = {json.dumps(text)};"
             " x.dispatchEvent(new Event('input')); })()")


def test_text_runs_cvb0_on_what_is_written(tab):
    write_text(tab, "Bread and butter. Bread!\n\nThe sea, the boat.\n \nButter, bread; boat")
    press(tab, "text", "Pause")
    press(tab, "text", "Step", 3)
    numbers = numbers_of(tab, "text")
    assert numbers["vocab"] == ["bread", "butter", "sea", "boat"]
    c = lda.Corpus(*(numbers["corpus"][x] for x in "jwnDW"))
    assert c.n.tolist() == [2, 1, 1, 1, 1, 1, 1]
    s = lda.ALGORITHMS["cvb0"].init(c, 3, lda.Prior(), gamma=numbers["start"])
    s = state_after("cvb0", s, c, lda.Prior(), len(numbers["changes"]), "token")
    np.testing.assert_allclose(numbers["gamma"], s.gamma, atol=1e-9)
    write_text(tab, "one paragraph")
    assert "two paragraphs or more" in text_of(tab, "text")


def test_anneal_lowers_the_prior_as_the_start_does(tab):
    parts, c, p = problem("anneal")
    A, K = lda.ALGORITHMS["vb"], parts["K"]

    def check(top, n_sweeps):
        numbers, priors = numbers_of(tab, "anneal"), [*anneal(p, top=top, sweeps=150), *[p] * 30]
        s = A.init(c, K, p, gamma=dirichlet_rows(1, c.M, K))
        np.testing.assert_allclose(numbers["start"], s.gamma, atol=1e-12)
        for prior in priors[:n_sweeps]:
            s = A.sweep(s, c, prior, schedule="corpus")
        assert numbers["top"] == top
        np.testing.assert_allclose(numbers["gamma"], s.gamma, atol=1e-7)
        distance = np.sqrt(np.mean((s.gamma - 1 / K) ** 2))
        np.testing.assert_allclose(numbers["history"][-1], (n_sweeps, distance), atol=1e-7)
        assert f"sweep {n_sweeps} · prior {float(priors[n_sweeps - 1].alpha):.2f} · " in text_of(tab, "anneal")

    press(tab, "anneal", "Step", 20)
    check(5, 20)
    move(tab, "anneal", "ArrowLeft", 2)
    assert "random rows, top 2 · 10 of 10 topics far from a bar" in text_of(tab, "anneal")
    press(tab, "anneal", "Step", 152)
    check(2, 152)


# The page around them ------------------------------------------------------------------------------------------------

SHOWN_JS = """[...document.querySelectorAll('figure.widget')].map((x) => [
  x.querySelector('img').checkVisibility(), Boolean(x.querySelector('.widget-box')?.checkVisibility()),
  x.querySelector('figcaption').innerText.replace(/[#\\s]*$/, ''),
])"""
STILL_FIGURES = [[True, False, f"Figure 1.{n + 1}. What {name} shows."] for n, name in enumerate(NAMES)]


def test_widgets_take_the_place_of_the_stills_on_a_screen_with_scripts_alone(tab, site):
    for n, (shows_still, shows_widget, caption) in enumerate(tab.run(SHOWN_JS)):
        assert (shows_still, shows_widget) == (False, True)
        assert caption.startswith(f"Figure 1.{n + 1}. ")
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
    for width, scheme in ((1400, "light"), (400, "dark")):
        tab.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        tab.size(width)
        tab.open(f"file://{site}/page.html")
        assert tab.run("document.documentElement.dataset.theme") == scheme
        press(tab, "urn", "Draw 20")
        press(tab, "ends", "Continue from CVB0's end")
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tab.run("document.documentElement.scrollWidth") <= width
        assert tab.run(SPILLS) == []
        for contrast, size, text in tab.contrasts(".widget-box text, .widget-box p, .widget-box span"):
            assert contrast > 4.5, text
            assert size > 13, text


def test_all_that_can_be_used_has_a_name(tab):
    ax_nodes = [x for x in tab("Accessibility.getFullAXTree")["nodes"] if not x.get("ignored")]
    role = {x: [n["name"]["value"] for n in ax_nodes if n["role"]["value"] == x] for x in ("slider", "button")}
    assert role["slider"] == ["top", "γ", "tokens", "certainty", "prior a", "α", "topics K", "α", "η", "α"]  # in the order of the names
    assert all(role["button"])
    assert "token 2, word e, gamma 0.46, 0.51, 0.03" in role["button"]
    assert tab.run("[...document.querySelectorAll('.widget-box svg')].every((x) => x.getAttribute('aria-label').length > 20)")
