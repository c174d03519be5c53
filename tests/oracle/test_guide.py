"""GUIDE.md: its port passes, and its wrong turns print what it says."""

import re

import pytest

from lda_reference import oracle
from lda_reference.oracle import loading

GUIDE = (loading.FOLDER / "GUIDE.md").read_text("utf-8")
GUIDE_PORT = next(block for block in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "def weights" in block)
WRONG_TURNS = {
    "cvb0/update": ("(n[r] - (1 if r == i else 0)) * g[r][k]", "(0 if (j[r], w[r]) == (j[i], w[i]) else n[r]) * g[r][k]"),
    "cvb0/sweep": ("                g[i] = normalised", "                g = list(g)\n                new = new if i else list(g)\n                new[i] = normalised"),
    "cgs/sweep": ("z[i] = draw(weights(c, alpha, eta, one_hot(z, len(alpha)), i)", "before = before if i else one_hot(z, len(alpha))\n        z[i] = draw(weights(c, alpha, eta, before, i)"),
}


def test_the_port_of_the_guide_passes(port):
    report = oracle.check(port(GUIDE_PORT), only="cvb0,cgs")
    assert report.ok, str(report)
    passed, skipped = (len(report.of(status)) for status in ("passed", "skipped"))
    assert f"{passed + 6}/0/{skipped}\n" in GUIDE  # and six samplers


@pytest.mark.parametrize("only", WRONG_TURNS)
def test_the_wrong_turns_of_the_guide_print_what_it_says(port, only):
    right, wrong = WRONG_TURNS[only]
    code = GUIDE_PORT.replace(right, wrong)
    assert code != GUIDE_PORT
    if only == "cvb0/sweep":
        code = code.replace('        return {"gamma": g}', '            g = new\n        return {"gamma": g}')
    first = oracle.check(port(code), only=only).of("failed")[0]
    assert all(f"    {line}\n" in GUIDE for line in str(first).splitlines()), str(first)


def test_the_generator_of_the_guide_must_be_seeded_once(port):
    code = GUIDE_PORT.replace("            gibbs_sweep(t", '            rng = random.Random(case["seed"])\n            gibbs_sweep(t')
    assert code != GUIDE_PORT
    one = [c for c in oracle.sampler_cases() if c["id"] == "sampler/cgs/1"]
    (r,) = oracle.check(port(code), given=one, draws=2000).results
    assert (r.status, r.mistake) == ("failed", None)
