"""The tables of the ledger's first section, from CSV files made up for them."""

from figures.search import runs as search
from figures.search import tables as search_tables

from .helpers import write


def runs(algorithm, schedule, start, values, scores, sweeps, seconds, mean=None):
    job = {"study": "drawn", "algorithm": algorithm, "schedule": schedule, "start": start, "group": 0}
    for seed, (value, score) in enumerate(zip(values, scores, strict=True)):
        yield {**job, "seed": seed, "sweeps": sweeps, "settled": seed < 2, "seconds": seconds, "value": value,
               "bound_2": value, "bound_12": value, "perplexity": score}  # fmt: skip
    if mean:
        yield {**job, "seed": "mean", "perplexity": mean}


def cells(line):
    return [x.strip() for x in line.strip("|").split("|")]


def write_runs(folder):
    write(folder / "search/runs.csv", search.RUNS, [
        *runs("vb", "nested", "dirichlet", [-4.3, -4.2, -4.1], [60, 58, 59], 50, 10.0, 56),
        *runs("vb", "corpus", "dirichlet", [-4.4, -4.3, -4.5], [63, 61, 65], 70, 4.9),
        *runs("vb", "corpus", "growing", [-4.2, -4.3], [57, 58], 70, 0.7),
        *runs("cvb", "token", "growing", [-4.2, -4.3], [54, 55], 70, 30.0),
    ])  # fmt: skip


def test_gains_from_other_ends_are_averaged(tmp_path):
    write_runs(tmp_path)
    end = {
        "study": "drawn",
        "from": "cvb0",
        "from_start": "dirichlet",
        "to": "vb",
        "to_schedule": "corpus",
        "sweeps": 9,
    }
    rows = [{**end, "from_schedule": schedule, "seed": seed, "perplexity_before": 53, "perplexity_after": after,
             "value_after": -4.2} for seed, schedule, after in ((0, "corpus", 54), (0, "block", 56), (1, "corpus", 55))]  # fmt: skip
    write(tmp_path / "search/cross.csv", search.CROSS, rows)
    head, _, first, _, last = search_tables.cross_table(tmp_path, "drawn")
    assert cells(head) == ["from (ends) \\ to", "vb, corpus"]
    assert cells(first) == ["cvb0, corpus (2)", "+0.1500; 53.00 → 54.50"]
    assert cells(last) == ["standard deviation of its own values", "0.1000"]
