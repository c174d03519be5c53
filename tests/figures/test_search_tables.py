"""The tables of the study of search, from CSV files made up for them."""

from figures.search import runs as search
from figures.search import tables

from .helpers import write


def cells(line):
    return [x.strip() for x in line.strip("|").split("|")]


def test_gains_from_other_ends_are_averaged(tmp_path):
    run = {"study": "drawn", "algorithm": "vb", "schedule": "corpus", "start": "dirichlet", "group": 0}
    rows = [{**run, "seed": seed, "value": value, "perplexity": 60} for seed, value in enumerate((-4.4, -4.3, -4.5))]
    write(tmp_path / "search/runs.csv", search.RUNS, rows)
    end = {"study": "drawn", "from": "cvb0", "from_start": "dirichlet", "to": "vb", "to_schedule": "corpus"}
    rows = [{**end, "from_schedule": schedule, "seed": seed, "perplexity_before": 53, "perplexity_after": after,
             "value_after": -4.2} for seed, schedule, after in ((0, "corpus", 54), (0, "block", 56), (1, "corpus", 55))]  # fmt: skip
    write(tmp_path / "search/cross.csv", search.CROSS, rows)
    head, _, first, _, last = tables.cross_table(tmp_path, "drawn")
    assert cells(head) == ["from (ends) \\ to", "vb, corpus"]
    assert cells(first) == ["cvb0, corpus (2)", "+0.1500; 53.00 → 54.50"]
    assert cells(last) == ["standard deviation of its own values", "0.1000"]
