"""The statuses of SN12's claims from small tables of runs."""

import pytest
import sn12
import sn12_claims
from sn12_settings import by_setting

from .helpers import write

NOISE = (-1.0, 0.5, 0.5)


def lines(perplexities, seeds=3, study="reuters395-100", schedule="corpus", start="dirichlet"):
    """A run of each algorithm for each seed, after 100 sweeps and at its end, with a little noise."""
    found = []
    for name, value in perplexities.items():
        for seed in range(seeds):
            for stopped in ("100", "end"):
                x = dict.fromkeys(sn12.COLUMNS, "0.0001") | {
                    "study": study, "T": "20", "algorithm": name, "schedule": schedule, "start": start,
                    "seed": str(seed), "stopped": stopped, "value": "-7",
                }  # fmt: skip
                noise = NOISE[seed] if isinstance(value, int) else value[1] * NOISE[seed]
                mean = value if isinstance(value, int) else value[0]
                found.append(x | {"perplexity": str(mean + noise), "of_seen": str(mean + noise)})
    return found


def statuses(tmp_path, some):
    write(tmp_path / "sn12_runs.csv", sn12.COLUMNS, some)
    return {c.where + c.claim[:12]: c for c in sn12_claims.claims(tmp_path)}


@pytest.mark.parametrize(
    ("cvb", "seeds", "status"),
    [((1800, 2.0), 3, "reproduced"), ((1800, 2.0), 2, "not tested"), ((1400, 2.0), 3, "not reproduced"),
     ((1501, 9.0), 3, "not tested")],
)  # fmt: skip
def test_cvb_against_cvb0_both_ways(tmp_path, cvb, seeds, status):
    found = statuses(tmp_path, lines({"cvb": cvb, "cvb0": 1500}, seeds))["§10, Fig. 1CVB0, CVB1s,"]
    assert found.status == status
    assert ("one corpus and one T, reuters395-100 with T = 20" in found.evidence) == (seeds > 2)


def test_it_depends_on_search_if_a_start_contradicts(tmp_path):
    some = lines({"cvb": (1800, 2.0), "cvb0": 1500}) + lines({"cvb": (1400, 2.0), "cvb0": 1500}, start="growing")
    assert statuses(tmp_path, some)["§10, Fig. 1CVB0, CVB1s,"].status == "depends on search"


@pytest.mark.parametrize(
    ("tcvb0", "status"),
    [((1503, 2.0), "reproduced"), ((1503, 40.0), "not tested"), ((1600, 2.0), "not reproduced")],
)
def test_likeness_is_not_a_lack_of_runs(tmp_path, tcvb0, status):
    some = lines({"cvb": (1800, 2.0), "cvb0": 1500, "tcvb0": tcvb0})
    assert statuses(tmp_path, some)["§10, Fig. 1The performa"].status == status


@pytest.mark.parametrize(
    ("topic", "word", "status"),
    [(1500, 1790, "reproduced"), (1600, 1790, "not reproduced"), (1500, 1501, "not reproduced")],
)
def test_the_topic_term_must_be_small_and_another_large(tmp_path, topic, word, status):
    some = {"cvb": 1800, "cvb0": 1500, "cvb-topic": (topic, 2.0), "cvb-word": (word, 2.0), "cvb-document": (1501, 2.0)}
    assert statuses(tmp_path, lines(some))["§§8, 10CVB0 is bett"].status == status


def test_types_and_tokens_of_cvb0(tmp_path):
    assert statuses(tmp_path, lines({"cvb0": 1500}))["§9.2TCVB0 saves "].status == "not tested"
    assert statuses(tmp_path, lines({"cvb0": 1500, "cvb0-tokens": 1500}))["§9.2TCVB0 saves "].status == "changed"
    assert statuses(tmp_path, lines({"cvb0": 1500, "cvb0-tokens": 1600}))["§9.2TCVB0 saves "].status == "not tested"


def test_token_runs_count_once():
    runs = by_setting(lines({"cvb": 1800}, schedule="token"))
    assert [x.stopped for x in runs] == ["100"]
