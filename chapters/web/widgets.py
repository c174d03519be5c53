"""The widgets: pictures that answer to the reader, which scripts put where a still picture stands.

A code cell asks for one by its metadata `widget`. Each has a script of its name in static/widgets/; it draws and sweeps
with those of static/widgets/shared/ and with the updates of the oracle's port to JavaScript, and may have numbers of
the package, computed here. Only the pages that show a widget load any of them.

On the screen a widget has a caption of its own, in its script; in print and without scripts the still and its caption
stand there. The number of the figure is the same.
"""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import lda_reference as lda
from lda_reference import synthetic
from lda_reference.app.where import ROOT

SCRIPTS = Path(__file__).parent / "static" / "widgets"
COLOURS = ROOT / "chapters" / "colours.toml"
RULES = (  # of an algorithm: its colour, darker in words, lighter in dark mode
    ".of-{name} {{ color: {colour}; }}\n",
    ".widget-box :is(text, p).of-{name} {{ color: color-mix(in srgb, {colour} 62%, black); }}\n",
    'html[data-theme="dark"] .widget-box .of-{name} {{ color: color-mix(in srgb, {colour} 65%, white); }}\n',
)
PORT = ROOT / "lda_reference" / "oracle" / "examples" / "port.js"
PORT_NAMES = (  # what the scripts use of the port
    "EXCLUDES read digamma logGamma sums weights normalised oneHot draw sweep counts estimate predict bound generator"
)
WIDGET_CLASS = re.compile(r'<figure class="[^"]*\bis-(\w+)')


def names() -> list[str]:
    """The widgets that there are."""
    return sorted(path.stem for path in SCRIPTS.glob("*.js"))


def checked(name: str) -> str:
    """The name of a widget.

    Raises
    ------
    ValueError
        If there is no such widget.
    """
    if name not in names():
        raise ValueError(f"there is no widget {name!r}, expected one of {', '.join(names())}")
    return name


def files() -> dict[str, str]:
    """What the scripts need beside themselves, {name: text}: the port, and the numbers of each widget that has some."""
    port, colours = PORT.read_text("utf-8"), tomllib.loads(COLOURS.read_text("utf-8"))["colours"]
    return {
        "colours.css": "".join(rule.format(name=x, colour=colour) for x, colour in colours.items() for rule in RULES),
        "port.js": f"const PORT = (() => {{\n{port}\nreturn {{ {', '.join(PORT_NAMES.split())} }};\n}})();\n",
        **{
            f"data/{name}.js": f"WIDGETS.data.{name} = {json.dumps(numbers(), separators=(',', ':'))};\n"
            for name, numbers in NUMBERS.items()
        },
    }


def scripts(html: str) -> list[str]:
    """The scripts of a page, in the order in which they run; none without a widget."""
    widget_names = sorted(set(WIDGET_CLASS.findall(html)))
    parts = ["port", "shared/draw", "shared/sweeps"] if widget_names else []
    parts += [f"data/{widget}" for widget in widget_names if widget in NUMBERS]
    return [f"widgets/{part}.js" for part in [*parts, *widget_names]]


# Numbers of the package ----------------------------------------------------------------------------------------------


def rows(c: lda.Corpus) -> dict[str, Any]:
    """A corpus as the port reads it."""
    return {"j": c.j.tolist(), "w": c.w.tolist(), "n": c.n.tolist(), "D": c.D, "W": c.W}


def race() -> dict[str, Any]:
    """Griffiths and Steyvers' bars: the tokens of a small corpus, with the topics that drew them."""
    bars = synthetic.bars(np.random.default_rng(0), side=5, D=100, length=50, alpha=0.3)
    true_kw = bars.phi_wk.T.tolist()
    return {"corpus": rows(bars.corpus), "K": 10, "prior": {"alpha": 0.3, "eta": 0.1}, "true": true_kw}


def anneal() -> dict[str, Any]:
    """The bars of chapter 16, with its priors."""
    bars = synthetic.bars(np.random.default_rng(0), side=5, D=100, length=50, alpha=0.3)
    true_kw = bars.phi_wk.T.tolist()
    return {"corpus": rows(bars.corpus.types()), "K": 10, "prior": {"alpha": 0.1, "eta": 0.1}, "true": true_kw}


def ends() -> dict[str, Any]:
    """Bars again, as types, with documents of few topics: VB has many ends there."""
    bars = synthetic.bars(np.random.default_rng(1), side=5, D=100, length=50, alpha=0.1)
    true_kw = bars.phi_wk.T.tolist()
    return {"corpus": rows(bars.corpus.types()), "K": 10, "prior": {"alpha": 0.1, "eta": 0.1}, "true": true_kw}


def token() -> dict[str, Any]:
    """The corpus, prior and start of the update in chapter 10's first picture, and the row that it takes apart."""
    c = synthetic.draw(np.random.default_rng(0), [6, 8, 5, 9], K=3, W=6, p=lda.Prior(0.5, 0.5)).corpus
    s = lda.ALGORITHMS["cvb0"].init(c, 3, lda.Prior(), rng=np.random.default_rng(1))
    prior = {"alpha": [0.3, 0.5, 0.8], "eta": 0.2}
    return {"corpus": rows(c), "K": 3, "prior": prior, "gamma": s.gamma.tolist(), "row": 2}


def bound() -> dict[str, Any]:
    """Two documents of three tokens, the best fixed point of VB, and the row that moves away from it."""
    c, p = lda.Corpus.from_documents([[0, 0, 1], [1, 1, 0]]), lda.Prior(1, 0.4)
    A, start_gamma = lda.ALGORITHMS["vb"], np.where(np.eye(2)[[0, 0, 1, 1, 1, 0]] == 1, 0.9, 0.1)
    s = A.init(c, 2, p, gamma=start_gamma)
    for _ in range(200):
        s = A.sweep(s, c, p)
    prior = {"alpha": 1, "eta": 0.4}
    return {"corpus": rows(c), "K": 2, "prior": prior, "gamma": s.gamma.tolist(), "row": 2}


NUMBERS: dict[str, Callable[[], dict[str, Any]]] = {
    "anneal": anneal, "bound": bound, "ends": ends, "race": race, "token": token
}  # fmt: skip
