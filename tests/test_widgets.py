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


def cell(name):
    words = {"widget": name, "caption": f"What {name} shows.", "alt": f"The still picture of {name}."}
    return code("x = 1", pictures=[svg()], **words)


def notebook(*names):
    page = [nbformat.v4.new_markdown_cell("# Widgets\n\nSome text.")]
    for name in names:
        page += [nbformat.v4.new_markdown_cell(f"## {name}"), cell(name)]
    python = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=page, metadata={"kernelspec": python, "language_info": {"name": "python"}})


def test_the_figure_of_a_cell_with_a_widget_says_so(tmp_path):
    figure = cells.staged(notebook("race"), "01", tmp_path).cells[-2].source
    assert ":figclass: widget is-race\n" in figure
    assert ":alt: The still picture of race.\n" in figure
    assert "**Figure 1.1.** What race shows." in figure


def test_a_page_loads_the_scripts_of_its_widgets_alone():
    page = '<figure class="align-default widget is-race" id="x"></figure>'
    assert widgets.scripts("<p>is-race</p>") == []
    shared = ["widgets/port.js", "widgets/shared/draw.js", "widgets/shared/sweeps.js"]
    assert widgets.scripts(page) == [*shared, "widgets/data/race.js", "widgets/race.js"]


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
    done = subprocess.run(
        [sys.executable, "-c", program, folder / "source", folder / "out", folder / "01_widgets.ipynb"],
        cwd=ROOT / "chapters", capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    mathjax = folder / "out" / "_static" / "mathjax" / "tex-chtml-full.js"  # long to load, and there are no formulas
    mathjax.write_text("window.MathJax = { startup: { promise: Promise.resolve() } };")
    return folder / "out"


@pytest.fixture
def page(browser, site):
    """The page with all widgets, freshly loaded."""
    browser.size(1000)
    browser.media(prefers_reduced_motion="reduce")  # nothing plays by itself
    browser.open(f"file://{site}/page.html")
    browser.errors.clear()
    yield browser
    assert [x for x in browser.errors if THEMES_OWN not in x] == []
    assert [x for x in browser.asked if not x.startswith(("file:", "data:"))] == []


def box(name):
    return f"document.querySelector('.is-{name} .widget-box')"


def numbers(page, name):
    return page.run(f"{box(name)}.numbers()")


def press(page, name, words, times=1):
    """Click a button by its words: once with the mouse, and the other times in the script, which is faster."""
    button = f"[...{box(name)}.querySelectorAll('button')].find((x) => x.textContent === {json.dumps(words)})"
    page.click(button)
    page.run(f"(() => {{ for (let n = 1; n < {times}; n++) {button}.click(); }})()")


def move(page, name, key, times=1):
    """Move the slider of a widget by a key."""
    page.run(f"{box(name)}.querySelector('input').focus()")
    page.press(key, times)


def says(page, name):
    """The words of a widget, those in its pictures too."""
    return page.run(f"[...{box(name)}.querySelectorAll('p, text, output')].map((x) => x.textContent).join('\\n')")


def uniforms(seed, size):
    """The generator of the port, sfc32: numbers in [0, 1), of 53 bits."""
    bits, (a, b, c, counter) = 0xFFFFFFFF, (seed, 0, 0x9E3779B9, 1)
    words = []
    for _ in range(20 + 2 * size):
        t = (a + b + counter) & bits
        counter, a, b, c = counter + 1, b ^ (b >> 9), (c + (c << 3)) & bits, (((c << 21) | (c >> 11)) + t) & bits
        words.append(t)
    x = np.array(words[20:])
    return ((x[::2] >> 5) * 2.0**26 + (x[1::2] >> 6)) / 2**53


def problem(name):
    """The corpus and prior of a widget."""
    data = widgets.NUMBERS[name]()
    c = data["corpus"]
    prior = lda.Prior(np.array(data["prior"]["alpha"]), data["prior"]["eta"])
    return data, lda.Corpus(c["j"], c["w"], c["n"], c["D"], c["W"]), prior


def swept(name, s, c, p, sweeps, schedule):
    for _ in range(sweeps):
        s = lda.ALGORITHMS[name].sweep(s, c, p, schedule=schedule)
    return s


# Each widget ---------------------------------------------------------------------------------------------------------


def test_simplex_draws_dirichlet_mixtures(page):
    for place, key, times in ((53, "ArrowRight", 3), (0, "Home", 1)):
        move(page, "simplex", key, times)
        shown = numbers(page, "simplex")
        alpha, points = 0.05 * 400 ** (place / 100), np.array(shown["points"])
        assert shown["alpha"] == pytest.approx(alpha, rel=1e-12)
        assert f"{alpha:.2f}" in says(page, "simplex")
        assert points.shape == (300, 3)
        np.testing.assert_allclose(points.sum(1), 1, atol=1e-12)
        for x in points.T:
            assert stats.kstest(x, stats.beta(alpha, 2 * alpha).cdf).pvalue > 1e-3


def test_urn_draws_by_the_counts_so_far(page):
    def replayed(alpha, u):
        n_k, balls = np.zeros(3), []
        for x in u:
            balls.append(draw((n_k + alpha) / (n_k.sum() + 3 * alpha), x))
            n_k[balls[-1]] += 1
        return balls, (n_k + alpha) / (n_k.sum() + 3 * alpha)

    assert numbers(page, "urn")["next"] == pytest.approx([1 / 3] * 3, rel=1e-15)
    press(page, "urn", "Draw")
    press(page, "urn", "Draw 20", 2)
    u = uniforms(1, 41)
    for place in (50, 58):  # another alpha draws again, with the same random numbers
        shown, (balls, following) = numbers(page, "urn"), replayed(0.05 * 400 ** (place / 100), u)
        np.testing.assert_allclose(shown["uniforms"], u, atol=1e-15)
        assert shown["balls"] == balls
        np.testing.assert_allclose(shown["next"], following, atol=1e-9)
        for p in following:
            assert f"{p:.3f}" in says(page, "urn")
        move(page, "urn", "ArrowRight", 8)


def recovered(phi_wk, true_wk):
    """How many true topics have a topic within 0.3: the nearest pair first, then the nearest of those that are left."""
    distance = np.abs(phi_wk[:, :, None] - true_wk[:, None]).sum(0) / 2
    number = 0
    for _ in range(distance.shape[0]):
        k, t = np.unravel_index(distance.argmin(), distance.shape)
        number += distance[k, t] < 0.3
        distance[k], distance[:, t] = np.inf, np.inf
    return number


def test_race_runs_the_algorithms_of_the_package(page):
    data, c, p = problem("race")
    press(page, "race", "Step", 5)
    shown, u = numbers(page, "race"), uniforms(2, 6 * c.N)
    z = (u[: c.N] * data["K"]).astype(int)
    assert shown["start"] == z.tolist()
    for run in shown["runs"]:
        A = lda.ALGORITHMS[run["name"]]
        s, history = A.init(c, data["K"], p, z=z), []
        for t in range(6):
            history.append((t, recovered(A.estimate(s, c, p)[1], np.array(data["true"]).T)))
            if t < 5:
                drawn = {"uniforms": u[(t + 1) * c.N : (t + 2) * c.N]} if run["name"] == "cgs" else {}
                s = A.sweep(s, c, p, **drawn)
        np.testing.assert_allclose(run["gamma"], s.gamma, atol=1e-9)
        assert [tuple(x) for x in run["history"]] == history
        assert f"sweep 5 · {history[5][1]} of 10 bars found" in says(page, "race")


def test_token_takes_an_update_apart(page):
    _, c, p = problem("token")
    gamma, A = np.array(widgets.NUMBERS["token"]()["gamma"]), lda.ALGORITHMS["cvb0"]

    def check(gamma, i):
        shown, others = numbers(page, "token"), np.arange(c.M) != i
        document = gamma[others & (c.j == c.j[i])].sum(0) + p.alpha
        word = gamma[others & (c.w == c.w[i])].sum(0) + p.eta
        topic = 1 / (gamma[others].sum(0) + c.W * p.eta)
        new = document * word * topic / (document * word * topic).sum()
        assert shown["chosen"] == i
        np.testing.assert_allclose(shown["gamma"], gamma, atol=1e-9)
        for name, x in (("document", document), ("word", word), ("topic", topic), ("gamma", new)):
            np.testing.assert_allclose(shown["terms"][name], x, atol=1e-9)
            for number in x:
                assert f"{number:.3f}" in says(page, "token")
        return new

    check(gamma, 2)
    page.click(f"{box('token')}.querySelectorAll('.widget-letter')[9]")
    new = check(gamma, 9)
    press(page, "token", "Apply this update")
    gamma[9] = new
    check(gamma, 9)
    page.run(f"{box('token')}.querySelectorAll('.widget-letter')[20].focus()")
    page.press("Enter")
    check(gamma, 20)
    press(page, "token", "Sweep all tokens", 2)
    check(swept("cvb0", A.init(c, 3, p, gamma=gamma), c, p, 2, "token").gamma, 20)


def test_bound_shows_both_bounds_and_the_evidence(page):
    data, c, p = problem("bound")
    A = lda.ALGORITHMS["vb"]
    evidence = lda.exact.posterior(c, 2, p).log_evidence

    def check(x):
        gamma = np.array(data["gamma"])
        gamma[2] = x, 1 - x
        s, shown = A.init(c, 2, p, gamma=gamma), numbers(page, "bound")
        assert shown["x"] == pytest.approx(x, abs=1e-12)
        for name, value in (("evidence", evidence), ("vb", A.bound(s, c, p)), ("cvb", collapsed_bound.bound(s, c, p))):
            assert shown[name] == pytest.approx(value, abs=1e-9)
            assert f"{value:.4f}".replace("-", "−") in says(page, "bound")

    check(data["gamma"][2][0])
    move(page, "bound", "Home")
    check(0)
    move(page, "bound", "ArrowRight", 50)
    check(0.25)
    press(page, "bound", "VB's best")
    check(data["gamma"][2][0])
    press(page, "bound", "CVB's best")
    shown = numbers(page, "bound")
    assert shown["x"] == pytest.approx(0.29849431, abs=1e-6)
    assert shown["cvb"] == pytest.approx(-6.157086861113575, abs=1e-9)


def test_ends_runs_vb_from_two_starts_and_on_from_cvb0s_end(page):
    data, c, p = problem("ends")
    A = lda.ALGORITHMS["vb"]
    press(page, "ends", "Step", 12)
    press(page, "ends", "Continue from CVB0's end")  # and plays
    press(page, "ends", "Pause")
    press(page, "ends", "Step", 4 - numbers(page, "ends")["runs"][2]["history"][-1][0])
    shown, starts = numbers(page, "ends"), []
    for seed in (12, 10):
        x = -np.log(1 - uniforms(seed, c.M * data["K"])).reshape(c.M, -1)
        starts.append(x / x.sum(1, keepdims=True))
    np.testing.assert_allclose(shown["starts"], starts, atol=1e-12)
    collapsed = lda.ALGORITHMS["cvb0"]
    end = swept("cvb0", collapsed.init(c, data["K"], p, gamma=starts[0]), c, p, 30, "token").gamma
    lasts = []
    for run, gamma, number in zip(shown["runs"], [*starts, end], (16, 16, 4), strict=True):
        s = A.init(c, data["K"], p, gamma=gamma)
        np.testing.assert_allclose(run["history"][0], (0, A.bound(s, c, p) / c.N), atol=1e-9)
        s = swept("vb", s, c, p, number, "corpus")
        np.testing.assert_allclose(run["gamma"], s.gamma, atol=1e-9)
        lasts.append(A.bound(s, c, p) / c.N)
        np.testing.assert_allclose(run["history"][-1], (number, lasts[-1]), atol=1e-9)
        assert f"sweep {number}: {lasts[-1]:.3f}".replace("-", "−") in says(page, "ends")
    assert lasts[2] > lasts[0] + 0.1 > lasts[1] + 0.13


def test_offsets_are_the_factors_of_the_terms(page):
    move(page, "offsets", "Home")
    move(page, "offsets", "ArrowRight", 4)
    shown, N = numbers(page, "offsets"), np.arange(6.0)
    assert shown["a"] == pytest.approx(0.1)
    for name, factor in (("map", N - 0.9), ("vb", np.exp(digamma(N + 0.1))), ("cvb0", N + 0.1)):
        np.testing.assert_allclose(shown["values"][name], factor, atol=1e-9)


def test_count_grows_by_convolution(page):
    move(page, "count", "ArrowRight", 5)
    shown = numbers(page, "count")
    law = np.array([1.0])
    for g in shown["gammas"]:
        law = np.convolve(law, [1 - g, g])
    assert shown["tokens"] == len(shown["gammas"]) == 9
    np.testing.assert_allclose(shown["distribution"], law, atol=1e-12)
    assert shown["exact"] == pytest.approx(law @ np.log(0.1 + np.arange(10)), abs=1e-12)
    assert f"{shown['exact']:.3f}".replace("-", "−") in says(page, "count")


def write(page, words):
    page.run(f"(() => {{ const x = {box('text')}.querySelector('textarea'); x.value = {json.dumps(words)};"
             " x.dispatchEvent(new Event('input')); })()")


def test_text_runs_cvb0_on_what_is_written(page):
    write(page, "Bread and butter. Bread!\n\nThe sea, the boat.\n \nButter, bread; boat")
    press(page, "text", "Pause")
    press(page, "text", "Step", 3)
    shown = numbers(page, "text")
    assert shown["vocab"] == ["bread", "butter", "sea", "boat"]
    c = lda.Corpus(*(shown["corpus"][x] for x in "jwnDW"))
    assert c.n.tolist() == [2, 1, 1, 1, 1, 1, 1]
    s = lda.ALGORITHMS["cvb0"].init(c, 3, lda.Prior(), gamma=shown["start"])
    s = swept("cvb0", s, c, lda.Prior(), len(shown["changes"]), "token")
    np.testing.assert_allclose(shown["gamma"], s.gamma, atol=1e-9)


def test_anneal_lowers_the_prior_as_the_start_does(page):
    data, c, p = problem("anneal")
    A, K = lda.ALGORITHMS["vb"], data["K"]

    def check(top, count):
        shown, priors = numbers(page, "anneal"), [*anneal(p, top=top, sweeps=150), *[p] * 30]
        x = -np.log(1 - uniforms(1, c.M * K)).reshape(c.M, -1)
        s = A.init(c, K, p, gamma=x / x.sum(1, keepdims=True))
        np.testing.assert_allclose(shown["start"], s.gamma, atol=1e-12)
        for prior in priors[:count]:
            s = A.sweep(s, c, prior, schedule="corpus")
        assert shown["top"] == top
        np.testing.assert_allclose(shown["gamma"], s.gamma, atol=1e-7)
        distance = np.sqrt(np.mean((s.gamma - 1 / K) ** 2))
        np.testing.assert_allclose(shown["history"][-1], (count, distance), atol=1e-7)
        assert f"sweep {count} · prior {float(priors[count - 1].alpha):.2f} · " in says(page, "anneal")

    press(page, "anneal", "Step", 20)
    check(5, 20)
    move(page, "anneal", "ArrowLeft", 2)
    assert "random rows, top 2 · 10 of 10 topics far from a bar" in says(page, "anneal")
    press(page, "anneal", "Step", 152)
    check(2, 152)


# The page around them ------------------------------------------------------------------------------------------------

SHOWN = """[...document.querySelectorAll('figure.widget')].map((x) => [
  x.querySelector('img').checkVisibility(), Boolean(x.querySelector('.widget-box')?.checkVisibility()),
  x.querySelector('figcaption').innerText.replace(/[#\\s]*$/, ''),
])"""
STILL = [[True, False, f"Figure 1.{n + 1}. What {name} shows."] for n, name in enumerate(NAMES)]


def test_widgets_take_the_place_of_the_stills_on_a_screen_with_scripts_alone(page, site):
    for n, (still, widget, caption) in enumerate(page.run(SHOWN)):
        assert (still, widget) == (False, True)
        assert caption.startswith(f"Figure 1.{n + 1}. ")
        assert "What" not in caption
        assert len(caption) > 100
    page.media("print")
    assert page.run(SHOWN) == STILL
    page("Emulation.setScriptExecutionDisabled", value=True)
    page.media()
    page.open(f"file://{site}/page.html")
    assert page.run(SHOWN) == STILL
    page("Emulation.setScriptExecutionDisabled", value=False)


WITHIN = """[...document.querySelectorAll('.widget-box text, .widget-box button, .widget-box input, .widget-box p')].filter((x) => {
  const b = x.getBoundingClientRect(), room = x.closest('figure').getBoundingClientRect();
  return b.width && (b.left < room.left - 2 || b.right > room.right + 2);
}).map((x) => x.textContent)"""


def test_widgets_fit_and_are_readable(page, site):
    for width, scheme in ((1400, "light"), (400, "dark")):
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        page.size(width)
        page.open(f"file://{site}/page.html")
        assert page.run("document.documentElement.dataset.theme") == scheme
        press(page, "urn", "Draw 20")
        press(page, "ends", "Continue from CVB0's end")
        page.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.run("document.documentElement.scrollWidth") <= width
        assert page.run(WITHIN) == []
        for contrast, size, words in page.contrasts(".widget-box text, .widget-box p, .widget-box span"):
            assert contrast > 4.5, words
            assert size > 13, words


def test_all_that_can_be_used_has_a_name(page):
    tree = [x for x in page("Accessibility.getFullAXTree")["nodes"] if not x.get("ignored")]
    role = {x: [n["name"]["value"] for n in tree if n["role"]["value"] == x] for x in ("slider", "button")}
    assert role["slider"] == ["top", "γ", "tokens", "certainty", "prior a", "α", "topics K", "α", "η", "α"]  # in the order of the names
    assert all(role["button"])
    assert "token 2, word e, gamma 0.46, 0.51, 0.03" in role["button"]
    assert page.run("[...document.querySelectorAll('.widget-box svg')].every((x) => x.getAttribute('aria-label').length > 20)")
