"""All algorithms of AWST09 with fixed and with learned priors, on five corpora: the page PRIORS.md.

    OMP_NUM_THREADS=1 python -m figures.priors.runs [--quick] [--draw] [--processes 1]

K is 10. A unit is a part of a corpus: parts share no document, so that units are independent. The parts are numbered by
the seed, 2 to 9 (parts 0 and 1 were looked at before); it is also the seed of all else in the unit. A fifth of the
documents of a part are test documents. The vocabulary is that of the training documents. Perplexities are by completion
as in `awst09`: theta is folded in from one half of the tokens of a test document, and the other half is predicted. All
algorithms have the same halves.

- `prior`: `fixed` is alpha = eta = 0.1 (map one higher, ml has none). `learned` is `fit(..., learn="alpha,eta")`: both
  begin at 0.5, and from sweep 16 on each sweep ends with a step of Minka's fixed point for each, at the expected counts
  and within 1e-6 and 10,000. vb, cvb0, cvb and cgs have the same learner. ml and map have none, as in the paper.
- `begin`: `recommended` is the schedule and the start that `fit` takes by default, `common` is random rows in `corpus`
  order. cgs has its own start alone.

All runs have 200 sweeps, but vb in `nested` order, cvb and cgs 100, whose sweeps cost more. priors/runs.csv has a line
for some sweeps, with the CPU seconds until then, the start included, and the perplexity by the algorithm's own
estimates; for vb also by (16). cgs gives one sample. The alpha of ml is its power, 1. Some 20 minutes of one core.
"""

import time
from functools import cache

import numpy as np

import lda_reference as lda
from figures.awst09 import data as awst09_data
from figures.awst09.sweeps import algorithm_of, estimates_of, perplexity
from figures.common import Part, part, run_study, with_words
from figures.priors.page import write_page
from figures.search import experiment
from lda_reference.evaluation import validation
from lda_reference.fitting import sweep_rng

K, SEEDS = 10, range(2, 10)
PART_SIZES = {"kos": 150, "r8": 300, "20news": 200, "reuters": 150, "cranfield": 175, "drawn": 60}
CHECKED_SWEEPS = (5, 10, 20, 50, 100, 200)  # sweeps
SHORT_SWEEPS = 100  # sweeps of the runs whose sweeps cost more
COLUMNS = ["corpus", "seed", "algorithm", "begin", "prior", "sweeps", "schedule", "start", "seconds", "alpha", "eta",
           "perplexity", "by_16"]  # fmt: skip


@cache
def unit(corpus_name: str, seed: int) -> tuple[lda.Corpus, validation.Halves]:
    """The training documents of a part, and the halves of its test documents."""
    c = experiment.documents("reuters-2500") if corpus_name == "reuters" else awst09_data.all_documents(corpus_name)
    part_size = PART_SIZES[corpus_name]
    part_index = seed % (c.D // part_size)
    c = part(c, sweep_rng(0, 4).permutation(c.D)[part_index * part_size : (part_index + 1) * part_size])
    train, test = lda.split(c, "documents", 0.2, sweep_rng(seed, 0))
    is_seen = np.bincount(train.w.astype(np.intp), minlength=c.W) > 0
    return with_words(train, is_seen), validation.halves(with_words(test, is_seen), sweep_rng(seed, 2))


def run(corpus_name, seed, A_name, begin_kind, prior_kind):
    train, halves = unit(corpus_name, seed)
    A, lines, fit, seconds = algorithm_of(A_name, 1.0), [], None, 0.0
    start_prior = lda.Prior(1.0, 0.1) if A_name == "ml" else None  # its alpha is the power to `perplexity`
    fit_options = {"schedule": "corpus", "start": "dirichlet"} if begin_kind == "common" else {}
    fit_options |= {"learn": "alpha,eta"} if prior_kind == "learned" else {}
    for sweeps in CHECKED_SWEEPS:
        start_seconds = time.process_time()
        fit = lda.fit(train, K, A, start_prior if fit is None else None, sweeps, seed=seed, resume=fit, **fit_options)
        seconds += time.process_time() - start_seconds
        estimates = estimates_of(A_name, "", fit.schedule)
        scores = [perplexity(A_name, fit.state, train, fit.prior, halves, seed, *estimate) for estimate in estimates]
        end_numbers = [seconds, float(fit.prior.alpha), float(fit.prior.eta), *scores, ""][:5]
        lines.append([corpus_name, seed, A_name, begin_kind, prior_kind, sweeps, fit.schedule, fit.start, *end_numbers])
        if sweeps == SHORT_SWEEPS and (fit.schedule == "nested" or A_name in ("cvb", "cgs")):
            break
    return lines


def jobs(quick):
    """Unit by unit, so that an interrupted study has as many of each corpus."""
    for seed in SEEDS[:2] if quick else SEEDS:
        for corpus_name in ["drawn"] if quick else [name for name in PART_SIZES if name != "drawn"]:
            for A_name in ("ml", "map", "vb", "cvb0", "cvb", "cgs"):
                for begin_kind in ["own"] if A_name == "cgs" else ["recommended", "common"]:
                    for prior_kind in ["fixed"] if A_name in ("ml", "map") else ["fixed", "learned"]:
                        yield corpus_name, seed, A_name, begin_kind, prior_kind


PARTS = {"runs": Part("priors/runs.csv", COLUMNS, jobs, run, 5)}

if __name__ == "__main__":
    run_study(__doc__, PARTS, write_page)
