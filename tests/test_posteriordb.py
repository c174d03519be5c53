"""The reference posteriors for posteriordb: the draws are from the posterior, and the files have its format."""

import io
import json
import zipfile

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.truth import table_posterior

from .certify import posteriordb as made
from .certify.effective_sample_size import effective_sample_size

COUNTS = made.COUNTS // 20
CORPUS = lda.Corpus.from_csr(COUNTS)
EXACT = table_posterior.moments(CORPUS, made.K, made.PRIOR)
KEPT = made.ROOT / "figures" / "peers" / "posteriordb"


@pytest.fixture(scope="module")
def drawn():
    """Draws (T, 10, ...) of theta and phi: independent ones, and those of chains."""
    theta, phi = made.independent(COUNTS, made.PRIOR, 3000, np.random.default_rng(1))
    chains = made.gibbs(CORPUS, made.K, made.PRIOR, np.random.default_rng(1), draws=120, warm_up=20, thin=5)
    return {"independent": (theta.reshape(300, 10, 3, 2), phi.reshape(300, 10, 2, 3)), "gibbs": chains}


def distances(theta, phi):
    """The largest distance of each moment of the draws to the exact one, in standard errors."""
    moments = {
        "theta": theta @ np.swapaxes(theta, -1, -2),
        "phi": np.swapaxes(phi, -1, -2) @ phi,
        "predictive": theta @ phi,
    }
    errors = {name: x.std((0, 1)) / np.sqrt(effective_sample_size(x)) for name, x in moments.items()}
    return {name: np.max(np.abs(x.mean((0, 1)) - getattr(EXACT, name)) / errors[name]) for name, x in moments.items()}


@pytest.mark.parametrize("method", ["independent", "gibbs"])
def test_the_draws_have_the_exact_moments(drawn, method):
    theta, phi = drawn[method]
    assert all(distance < 4 for distance in distances(theta, phi).values()), distances(theta, phi)
    first = np.mean(theta[..., 0, 0] > 0.5)
    assert abs(first - 0.5) < 4 * 0.5 / np.sqrt(theta[..., 0, 0].size)  # both numberings


def test_all_numberings_are_equally_probable():
    N_jk, N_wk = np.tile([9e6, 3e6, 1e6], (12_000, 1, 1)), np.tile([1e6, 5e6, 9e6], (12_000, 2, 1))
    theta, phi = made.parameters(N_jk, N_wk, made.PRIOR, np.random.default_rng(0), renumber=True)
    orders, counts = np.unique(np.argsort(theta[:, 0], axis=-1), axis=0, return_counts=True)
    assert len(orders) == 6
    assert np.all(np.abs(counts - 2000) < 4 * np.sqrt(2000))
    still = made.parameters(N_jk, N_wk, made.PRIOR, np.random.default_rng(0), renumber=False)
    assert np.all(np.diff(still[0][:, 0], axis=-1) < 0)
    np.testing.assert_array_equal(np.sort(phi, 1), np.sort(still[1], 1))


def test_the_files_have_the_format_of_posteriordb(drawn):
    arguments = ("a-b", *drawn["independent"], "analytical", {"seed": 1}, "Said. ")
    files = made.files(*arguments)
    assert files == made.files(*arguments)
    with zipfile.ZipFile(io.BytesIO(files["draws/a-b.json.zip"])) as z:
        chains = json.loads(z.read("a-b.json"))
    names = [f"theta[{j},{k}]" for k in (1, 2) for j in (1, 2, 3)] + [f"phi[{k},{w}]" for w in (1, 2, 3) for k in (1, 2)]
    assert [list(x) for x in chains] == [names] * 10
    theta, phi = drawn["independent"]
    np.testing.assert_allclose(chains[4]["theta[3,2]"], theta[:, 4, 2, 1], rtol=1e-9)
    np.testing.assert_allclose(chains[4]["phi[2,3]"], phi[:, 4, 1, 2], rtol=1e-9)
    info = json.loads(files["info/a-b.info.json"])
    assert info["diagnostics"]["diagnostic_information"]["names"] == names
    assert info["checks_made"] == {**dict.fromkeys(info["checks_made"], True), "ndraws_is_10k": False}
    assert info["comments"].startswith("Said. Of theta[i]")


def test_chains_that_do_not_mix_do_not_pass(drawn):
    _, x = made.named(*drawn["gibbs"])
    stuck = x + np.arange(10)[None, :, None]
    slow = np.repeat(x[:40], 3, axis=0)
    assert not made.checks(made.diagnostics(stuck), 120, 10)["r_hat_below_1_01"]
    assert not made.checks(made.diagnostics(slow), 120, 10)["ess_within_bounds"]
    assert not made.checks(made.diagnostics(slow), 120, 10)["abs_mean_lag1_ac_below_0_05"]


@pytest.mark.parametrize(
    ("name", "sizes", "within"),
    [("three_docs1200-ldaK2", (3, 3), True), *((f"three_men{i}-ldaK2", (M, 249), False) for i, M in ((1, 6), (2, 14), (3, 9)))],
)
def test_the_kept_information_meets_the_definition(name, sizes, within):
    """The bounds of the effective sample sizes are no part of it: the folder's README says why they do not hold."""
    info = json.loads((KEPT / f"{name}.info.json").read_text("utf-8"))
    diagnostics = info["diagnostics"]
    assert (info["name"], diagnostics["ndraws"], diagnostics["nchains"]) == (name, 10_000, 10)
    arrays = {name: np.array(values) for name, values in diagnostics.items() if isinstance(values, list)}
    assert {len(x) for x in arrays.values()} == {len(diagnostics["diagnostic_information"]["names"])} == {2 * sum(sizes)}
    assert made.checks(arrays, 1000, 10) == info["checks_made"]
    assert info["checks_made"] == {**dict.fromkeys(info["checks_made"], True), "ess_within_bounds": within}
    assert info["inference"]["method_arguments"]["seed"] == made.SEED

