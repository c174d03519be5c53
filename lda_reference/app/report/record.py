"""The HTML of the course of a run, and the record of it in the terms of the package."""

from collections.abc import Sequence
from html import escape

from ...fitting import Fit
from ..tour import brief
from . import drawing
from .findings import Chart, Findings


def course(charts: Sequence[Chart]) -> str:
    """The pictures of the run."""
    figures = "".join(
        f"<figure><figcaption>{escape(x.title)}: {x.values[-1]:.6g} at the end. {escape(x.note)}</figcaption>"
        f"{drawing.line(x.title, x.sweeps, x.values)}</figure>"
        for x in charts
    )
    return f'<section><h2>The run</h2><div class="charts">{figures}</div></section>' if figures else ""


def record(f: Fit, found: Findings, charts: Sequence[Chart], reading: str | None) -> str:
    """The settings of the run, and what the numbers of the page are."""
    learned = f", learned ({f.learn}) after {f.learn_after} sweeps" if f.learn else ""
    facts = {
        "algorithm": f.algorithm.name,
        "schedule": f.schedule,
        "start": f.start or "the algorithm's own",
        "seed": str(f.seed),
        "sweeps": str(f.sweeps),
        "seconds": f"{f.history[-1]['seconds']:.1f}" if f.history else "0",
        "alpha": brief(f.prior.alpha) + learned * ("alpha" in f.learn) + ": Dirichlet prior of each document's topics",
        "eta": brief(f.prior.eta) + learned * ("eta" in f.learn) + ": Dirichlet prior of each topic's words",
        "corpus": (f"{reading}; " if reading else "") + f"digest {f.corpus}",
        "map": f"classical multidimensional scaling in two dimensions; {found.drawn:.0%} of the sum of the eigenvalues",
    }
    if f.samples:
        facts["averaged"] = f"{f.samples} sweeps, those after {f.burn_in}" + f", in steps of {f.thin}" * (f.thin > 1)
    facts |= {f"topics {k} and {m}": f"distance {x:.4f}" for k, m, x in found.duplicates}
    facts |= {x.title: x.exact for x in charts}
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(x)}</dd>" for name, x in facts.items())
    return f"""<section><h2>Technical record</h2><dl>{listed}</dl>
<p>The share of a topic is the mean of theta<sub>jk</sub> over the documents j. p(w|k) is phi<sub>wk</sub>, the
probability of word w in topic k. p<sub>w</sub> is the sum over k of share<sub>k</sub> phi<sub>wk</sub>, and p(k|w) is
share<sub>k</sub> phi<sub>wk</sub> / p<sub>w</sub>. The slider orders words by relevance, lambda log phi<sub>wk</sub> +
(1 - lambda) log(phi<sub>wk</sub> / p<sub>w</sub>) (Sievert and Shirley, LDAvis, 2014, who advise lambda = 0.6). The
percentage of a typical document is theta<sub>jk</sub>. The topic of a word in a document is the largest entry of the
mean of gamma over the tokens of the word there. Distances are Jensen-Shannon distances of topics, the square roots of
the divergences in nats; the largest is the square root of log 2, 0.83. The digest is a checksum of the corpus.</p>
<p>The numbers of the topics are those of the model. Another seed, start or schedule can give other topics.</p>
</section>"""
