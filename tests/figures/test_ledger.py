"""The ledger is that of the CSV files, and its verdicts change as they should if the runs do."""

from functools import cache, reduce

import ledger
import pytest
from common import HERE, STATUSES, read

from .helpers import write

REPRODUCED, DEPENDS, FAILS, CHANGED, UNTESTED = STATUSES


def test_the_ledger_is_that_of_the_csv_files():
    assert ledger.page(HERE) == (HERE / "LEDGER.md").read_text("utf-8")


@cache
def statuses(paper, folder=HERE):
    return {x.claim: x.status for x in ledger.PAPERS[paper].claims(folder)}


def test_without_runs_nothing_is_tested(tmp_path):
    assert {status for paper in ledger.PAPERS for status in statuses(paper, tmp_path).values()} == {UNTESTED}
    assert "| algorithm, schedule |" not in ledger.page(tmp_path)


# Edits of the lines of a file -----------------------------------------------------------------------------------------


def fits(line, where):
    return all(line[name] in (value if isinstance(value, tuple) else (value,)) for name, value in where.items())


def only(**where):
    return lambda lines: [x for x in lines if fits(x, where)]


def exchanged(column, a, b):
    """The lines in which two values of a column have exchanged their places."""
    return lambda lines: [x | {column: {a: b, b: a}.get(x[column], x[column])} for x in lines]


def changed(function, *columns, **where):
    """The lines with a function of the numbers in some columns; a whole number stays whole."""

    def of(x):
        new = {name: f"{function(float(x[name])):.12g}" for name in columns if x[name]}
        return x | new if fits(x, where) else x

    return lambda lines: [of(x) for x in lines]


def times(factor, *columns, **where):
    return changed(lambda x: factor * x, *columns, **where)


def plus(more, *columns, **where):
    return changed(lambda x: x + more, *columns, **where)


def copied(new, **where):
    """The lines, and copies of some of them with other values."""
    return lambda lines: lines + [x | new for x in lines if fits(x, where)]


def after(*edits):
    return lambda lines: reduce(lambda found, edit: edit(found), edits, lines)


def judged(paper, folder, edits):
    """The statuses of a paper's claims after the edits {name of a file: edit}."""
    for path in HERE.glob("*.csv"):
        if path.stem in edits:
            lines = read(path)
            write(folder / path.name, lines[0], edits[path.stem](lines))
        else:
            (folder / path.name).symlink_to(path)
    return statuses(paper, folder)


# Cases: the edits, and the claims whose verdicts change ---------------------------------------------------------------

SCORES = ("perplexity", "of_seen")
LIKELIHOODS = ("ll", "ll_same", "ll_rows")
CONJUGATE = {"model": "conjugate"}


def of_topics(K):
    """The lines of awst09_runs.csv, those with Minka's update also as lines with another number of topics."""
    return copied({"K": K}, K="40", setting="minka")


def ranked(lines):
    """The lines of awst09_runs.csv, with the grid of another corpus as that of 20 Newsgroups."""
    others = [x for x in lines if x["study"] != "20news-1500"]
    new = {"study": "20news-1500", "K": "10", "auc": "0.9", "precision": "0.1"}
    of = {"study": "kos-400", "setting": "fixed", "start": "dirichlet", "schedule": "corpus", "fold": "corpus"}
    return copied(new, **of, algorithm=("vb", "cvb", "cvb0"), estimator=("mean", "own"))(others)


TNW06 = [
    ({"tnw06_fig2": exchanged("algorithm", "cvb", "vb")}, {"CVB does not": FAILS, "J increases: the log": DEPENDS}),
    ({"search_runs": only(start="dirichlet", schedule=("corpus", "token")), "search_cross": only(seed="none"),
      "tnw06_fig1": only(start="dirichlet", schedule=("corpus", "token"))}, {"CVB converges to": REPRODUCED}),
    ({"search_chains": times(2, "perplexity"), "tnw06_fig1": plus(-5, "test", "averaged", algorithm=("cgs", "gibbs"))},
     {"Gibbs sampling attains": FAILS}),
    ({"search_runs": times(100, "sweeps", algorithm="cvb"), "tnw06_fig1": times(100, "sweep", algorithm="cvb")},
     {"CVB converges faster than VB": FAILS}),
    ({"search_runs": plus(-1, "bound_12"), "tnw06_fig2": plus(5, "bound_2", "bound_12", "test")},
     {"The collapsed": FAILS, "The variational": FAILS}),
    ({"search_runs": after(exchanged("algorithm", "cvb_exact", "left out"),
                           copied({"algorithm": "cvb_exact"}, algorithm="cvb")),
      "tnw06_exact": only(sweep="none")}, {"Exact CVB gives": CHANGED}),
]  # fmt: skip
AWST09 = [
    ({"awst09_runs": only(start="dirichlet", schedule="corpus")},
     {"The gains in": UNTESTED, "With alpha": REPRODUCED, "CGS converges": UNTESTED, "CVB0 performs": UNTESTED,
      "The least perplexity": REPRODUCED, "To learn at": REPRODUCED, "With Minka's update the": REPRODUCED}),
    ({"awst09_runs": exchanged("algorithm", "vb", "cvb0")},
     {"The gains in": UNTESTED, "With alpha": FAILS, "The estimates": UNTESTED, "CVB0 performs": UNTESTED,
      "The best eta": FAILS, "The least perplexity": FAILS, "With Minka's update the": REPRODUCED}),
    ({"awst09_runs": exchanged("algorithm", "cvb", "cvb0")},
     {"For 10 to 160": FAILS, "With grid search the differences between": FAILS, "CVB0 performs": FAILS,
      "The best eta": FAILS}),
    ({"awst09_runs": exchanged("estimator", "mean", "digamma")},
     {"With alpha": REPRODUCED, "With grid search the differences between": REPRODUCED, "The estimates": FAILS,
      "To learn at": REPRODUCED, "With Minka's update the": REPRODUCED,
      "With grid search the differences among": DEPENDS}),
    ({"awst09_runs": after(times(0.1, "perplexity", setting="raised"),
                           times(1.2, "perplexity", algorithm="cvb0", schedule="token")),
      "awst09_averages": times(0.5, "perplexity", algorithm="cvb0", of="all")},
     {"To learn at": REPRODUCED, "A CVB0 that": DEPENDS, "CGS gains substantially": DEPENDS}),
    ({"awst09_runs": after(times(10, "perplexity", setting="raised"),
                           times(0.01, "last_alpha", "last_eta", algorithm="vb", setting="minka"))},
     {"To learn at": FAILS, "CVB0 usually": REPRODUCED}),
    ({"awst09_runs": times(0.5, "perplexity", setting="minka", algorithm="vb")},
     {"With Minka's updates": FAILS, "With Minka's update the": FAILS}),
    ({"awst09_runs": times(0.5, "perplexity", setting="minka")},
     {"Minka's updates do": FAILS, "With grid search the differences among": DEPENDS}),
    ({"awst09_runs": after(of_topics("10"), of_topics("80"), of_topics("160"), times(2, "perplexity", algorithm="vb"))},
     {"The gains in": FAILS, "With alpha": REPRODUCED, "For 10 to 160": DEPENDS,
      "With grid search the differences between": FAILS, "With grid search the differences among": DEPENDS}),
    ({"awst09_runs": after(of_topics("80"), of_topics("160"), times(2, "perplexity", K="160", setting="minka"))},
     {"For 10 to 160": FAILS, "With Minka's update CVB0": REPRODUCED}),
    ({"awst09_runs": after(of_topics("80"), of_topics("160"), times(0.5, "perplexity", K="160", setting="minka"))},
     {"For 10 to 160": FAILS, "With Minka's update CVB0": FAILS}),
    ({"awst09_runs": ranked}, {"With grid search the algorithms": REPRODUCED}),
    ({"awst09_runs": after(ranked, plus(0.05, "auc", algorithm="cvb0"))}, {"With grid search the algorithms": FAILS}),
]  # fmt: skip
SOL14 = [
    ({"sol14_chains": after(plus(-3e4, *LIKELIHOODS[:2]), plus(-0.1, "accuracy"), plus(100, "completion")),
      "sol14_fits": after(plus(-3e4, "ll"), plus(-0.1, "accuracy"), plus(1, "mse"))},
     {"On R8 MCMC": FAILS, "The samplers have an": FAILS, "On R8 VB is": FAILS, "The samplers reach": UNTESTED,
      "The samplers have a lower": FAILS, "The samplers have a higher test": FAILS}),
    ({"sol14_chains": after(plus(3e4, *LIKELIHOODS[:2]), plus(0.05, "accuracy"), plus(-100, "completion")),
      "sol14_fits": after(plus(3e4, "ll"), plus(0.05, "accuracy"))},
     {"On R8 MCMC": REPRODUCED, "On R8 VB is": FAILS, "The samplers have a higher test": REPRODUCED}),
    ({"sol14_chains": changed(lambda x: 1.005, "r_hat")}, {"Gibbs sampling is": REPRODUCED}),
    ({"sol14_chains": changed(lambda x: 3000, "sweeps")}, {"Gibbs sampling is": FAILS}),
    ({"sol14_runs": exchanged("way", "vb published", "vb published, with counts")}, {"The results": REPRODUCED}),
    ({"sol14_runs": exchanged("way", "vb nested", "vb warm, 10 steps")},
     {"On R8 VB is": REPRODUCED, "The samplers have a higher accuracy": DEPENDS, "To re-initialise": FAILS}),
    ({"sol14_runs": plus(2e4, "ll", way="vb nested")}, {"ML has a higher": DEPENDS}),
    ({"sol14_runs": plus(-5e4, *LIKELIHOODS, way="ml")}, {"ML has a higher": FAILS}),
    ({"sol14_runs": changed(lambda x: -6.5, "bound_2")}, {"To re-initialise": DEPENDS, "VB is sensitive": FAILS}),
    ({"sol14_bootstrap": after(exchanged("truth", "ml", "cgs"), exchanged("way", "ml", "cgs"),
                               plus(0.2, "accuracy", way="cgs"))},
     {"In the bootstrap on R8 the": REPRODUCED, "In the bootstrap on R8 ML": UNTESTED}),
    ({"sol14_bootstrap": after(exchanged("truth", "ml", "cgs"), exchanged("way", "ml", "cgs"),
                               plus(-0.2, "accuracy", way="cgs"), plus(-9e4, "ll", way="cgs"))},
     {"In the bootstrap on R8 the": FAILS, "In the bootstrap on R8 ML": UNTESTED}),
]  # fmt: skip
SN12 = [
    ({"sn12_runs": exchanged("algorithm", "cvb", "cvb0")},
     {"CVB0, CVB1s": DEPENDS, "The performances": UNTESTED, "CVB1d is similar": UNTESTED, "CVB0 is better": UNTESTED,
      "When an asymmetric": FAILS, "TCVB0 saves": UNTESTED}),
    ({"sn12_runs": exchanged("algorithm", "cvb", "vb")},
     {"The performance of": REPRODUCED, "CVB outperforms": FAILS}),
    ({"sn12_runs": exchanged("algorithm", "cvb-topic", "cvb-word")}, {"CVB0 is better": FAILS}),
    ({"sn12_runs": times(1.2, "perplexity", algorithm="tcvb0")},
     {"CVB0, CVB1s": DEPENDS, "The performance of": FAILS}),
    ({"sn12_runs": times(1.2, "perplexity", algorithm="cvb1d")},
     {"CVB0, CVB1s": DEPENDS, "The performances": DEPENDS, "CVB1d is similar": FAILS}),
    ({"sn12_runs": times(1000, "largest_correction")}, {"The second": FAILS}),
    ({"sn12_runs": times(1.1, "perplexity", algorithm="cvb0-tokens")},
     {"The performances": DEPENDS, "TCVB0 saves": UNTESTED}),
]  # fmt: skip
BOO16 = [
    ({"boo16": times(1e-9, *SCORES, **CONJUGATE)}, {"With K = 6": REPRODUCED, "The ratio of": FAILS}),
    ({"boo16": times(1e9, *SCORES, **CONJUGATE)},
     {"With K = 6": FAILS, "The ratio of": FAILS, "With as many": FAILS}),
    ({"boo16": after(times(1e-3, *SCORES, **CONJUGATE, sweep="10"), times(1e-6, *SCORES, **CONJUGATE, sweep="20"),
                     times(1e-9, *SCORES, **CONJUGATE, sweep="50"))},
     {"With K = 6": REPRODUCED, "The perplexity": REPRODUCED, "The Boojum prior on beta leads": REPRODUCED,
      "The ratio of": FAILS}),
    ({"boo16": after(times(1e-9, *SCORES, **CONJUGATE, documents=("250", "1000", "2000")),
                     times(1e9, *SCORES, **CONJUGATE, documents=("4000", "9000")))},
     {"With K = 6": REPRODUCED, "The ratio of": REPRODUCED}),
    ({"boo16": after(times(1e-12, *SCORES, **CONJUGATE), times(1e-6, *SCORES, model=("asymmetric", "boojum")))},
     {"With K = 6": REPRODUCED, "The ratio of": FAILS, "The Boojum prior on beta and": REPRODUCED}),
    ({"boo16": changed(lambda x: 1.0, "smallest_eta")}, {"The improper": REPRODUCED}),
    ({"boo16": changed(lambda x: 1.0, "seconds")}, {"Inference with": REPRODUCED}),
    ({"boo16": after(changed(lambda x: 1.0, "seconds"), times(1.4, "seconds", **CONJUGATE))},
     {"Inference with": FAILS}),
]
CASES = {"TNW06": TNW06, "AWST09": AWST09, "SOL14": SOL14, "SN12": SN12, "BOO16": BOO16}


@pytest.mark.parametrize(("paper", "edits", "expected"), [(x, *case) for x, cases in CASES.items() for case in cases])
def test_verdicts_follow_the_runs(paper, edits, expected, tmp_path):
    found = judged(paper, tmp_path, edits)
    for claim, status in statuses(paper).items():
        wanted = [new for part, new in expected.items() if part in claim] or [status]
        assert [found[claim]] == wanted, claim


@pytest.mark.parametrize(
    ("paper", "files", "decided"),
    [("BOO16", ["boo16"], set()),
     ("SN12", ["sn12_runs"], {"The second term", "TCVB0 saves com"}),
     ("SOL14", ["sol14_runs", "sol14_chains", "sol14_fits", "sol14_bootstrap"],
      {"The samplers ha", "Each word appea"})],
)  # fmt: skip
def test_two_runs_decide_no_comparison_of_algorithms(paper, files, decided, tmp_path):
    def two(lines):
        (column,) = {"seed", "run", "chain", "draw"} & set(lines[0])
        return [x for x in lines if x[column] in ("0", "1") and x.get("data") != "synthetic-2"]

    found = judged(paper, tmp_path, dict.fromkeys(files, two))
    assert {claim[:15] for claim, status in found.items() if status != UNTESTED} == decided
