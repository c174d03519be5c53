"""The reference posteriors for posteriordb: the draws are from the posterior, and the files have its format."""

import io
import json
import re
import zipfile

import numpy as np
import pytest

import lda_reference as lda
from figures.peers.systems import Reading
from lda_reference.truth import table_posterior

from .certify import posteriordb as maker
from .certify import posteriordb_chains as chain_maker
from .certify.effective_sample_size import effective_sample_size

COUNTS = maker.COUNTS // 20
CORPUS = lda.Corpus.from_csr(COUNTS)
EXACT = table_posterior.moments(CORPUS, maker.K, maker.PRIOR)
INFO_FOLDER = maker.ROOT / "figures" / "peers" / "posteriordb"


@pytest.fixture(scope="module")
def method_draws():
    """Draws (T, 10, ...) of theta and phi: independent ones, and those of chains."""
    theta, phi = maker.independent(COUNTS, maker.PRIOR, 3000, np.random.default_rng(1))
    chains = maker.gibbs(CORPUS, maker.K, maker.PRIOR, np.random.default_rng(1), draws=120, warm_up=20, thin=5)
    return {"independent": (theta.reshape(300, 10, 3, 2), phi.reshape(300, 10, 2, 3)), "gibbs": chains}


def distances(theta, phi):
    """The largest distance of each moment of the draws to the exact one, in standard errors."""
    draws_of_moment = {
        "theta": theta @ np.swapaxes(theta, -1, -2),
        "phi": np.swapaxes(phi, -1, -2) @ phi,
        "predictive": theta @ phi,
    }
    error_of_moment = {moment: draws.std((0, 1)) / np.sqrt(effective_sample_size(draws)) for moment, draws in draws_of_moment.items()}
    return {moment: np.max(np.abs(draws.mean((0, 1)) - getattr(EXACT, moment)) / error_of_moment[moment]) for moment, draws in draws_of_moment.items()}


@pytest.mark.parametrize("method", ["independent", "gibbs"])
def test_the_draws_have_the_exact_moments(method_draws, method):
    theta, phi = method_draws[method]
    assert max(distances(theta, phi).values()) < 4
    share_above_half = np.mean(theta[..., 0, 0] > 0.5)
    assert abs(share_above_half - 0.5) < 4 * 0.5 / np.sqrt(theta[..., 0, 0].size)  # both numberings


def test_all_numberings_are_equally_probable():
    N_jk, N_wk = np.tile([9e6, 3e6, 1e6], (12_000, 1, 1)), np.tile([1e6, 5e6, 9e6], (12_000, 2, 1))
    theta, phi = maker.parameters(N_jk, N_wk, maker.PRIOR, np.random.default_rng(0), renumber=True)
    topic_orders, order_counts = np.unique(np.argsort(theta[:, 0], axis=-1), axis=0, return_counts=True)
    assert len(topic_orders) == 6
    assert np.all(np.abs(order_counts - 2000) < 4 * np.sqrt(2000))
    unpermuted_draws = maker.parameters(N_jk, N_wk, maker.PRIOR, np.random.default_rng(0), renumber=False)
    assert np.all(np.diff(unpermuted_draws[0][:, 0], axis=-1) < 0)
    np.testing.assert_array_equal(np.sort(phi, 1), np.sort(unpermuted_draws[1], 1))


def write_problem(folder, **new_fields):
    problem_fields = {"M": 2, "V": 3, "doc": [1, 1, 2, 2], "w": [3, 3, 1, 2], **new_fields}
    with zipfile.ZipFile(folder / "a.json.zip", "w") as zip_archive:
        zip_archive.writestr("a.json", json.dumps(problem_fields))


def test_a_problem_has_the_prior_of_its_data_or_1(tmp_path):
    write_problem(tmp_path)
    c = lda.Corpus.from_csr(np.array([[0, 0, 2], [1, 1, 0]]))
    assert maker.problem(tmp_path, "a-ldaK2") == (c, 2, lda.Prior(1.0, 1.0))
    write_problem(tmp_path, alpha=[0.25] * 5, beta=[0.5] * 3)
    assert maker.problem(tmp_path, "a-ldaK5") == (c, 5, lda.Prior(0.25, 0.5))


def test_the_counts_of_a_collapsed_sampler_are_read_from_its_estimates():
    N_jk, N_wk = np.array([[3.0, 1.0], [0.0, 2.0]]), np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 3.0]])
    c = lda.Corpus.from_csr(np.array([[2, 1, 1], [0, 0, 2]]))
    theta, phi = N_jk + 0.5, N_wk + 2
    sampler_reading = Reading((theta / theta.sum(1, keepdims=True)).astype(np.float32), (phi / phi.sum(0)).astype(np.float32))
    for read_counts, true_counts in zip(chain_maker.counts(sampler_reading, c, lda.Prior(0.5, 2.0)), (N_jk, N_wk), strict=True):
        np.testing.assert_array_equal(read_counts, true_counts)


def test_a_longer_chain_has_draws_of_its_second_half():
    even_corpus, read_sweeps = lda.Corpus.from_csr(np.full((3, 3), 2)), []

    def run(sweeps, step_function):
        for sweep in range(sweeps + 1):
            step_function(sweep, lambda sweep=sweep: read_sweeps.append(400 + sweep) or Reading(np.full((3, 2), 0.5), np.full((3, 2), 1 / 3)))

    function_values, log_joints = chain_maker.continued(run, even_corpus, maker.PRIOR, np.random.default_rng(0), 400, 1000)
    assert read_sweeps == list(range(502, 1001, 2))
    assert len(function_values) == len(log_joints) == 250


@pytest.mark.parametrize(("n_draws", "is_kept"), [(400, True), (4, False)])
def test_chains_are_written_if_they_have_mixed(n_draws, is_kept, tmp_path, monkeypatch, capsys):
    write_problem(tmp_path)
    monkeypatch.setattr(maker, "ROOT", tmp_path)
    monkeypatch.setattr(maker, "BY_CHAINS", {"a-ldaK2": (20, n_draws, 5)})
    maker.by_chains(tmp_path, "a-ldaK2")
    assert re.match(rf"a-ldaK2: R-hat \d\.\d{{4}} after {20 + 5 * n_draws:,} sweeps of 10 chains", capsys.readouterr().out)
    assert (tmp_path / "dist/posteriordb/info/a-ldaK2.info.json").exists() is is_kept
    assert (tmp_path / "dist/posteriordb/draws/a-ldaK2.json.zip").exists() is is_kept


def test_the_files_have_the_format_of_posteriordb(method_draws):
    file_arguments = ("a-b", *method_draws["independent"], "analytical", {"seed": 1}, "Said. ")
    bytes_of_file = maker.files(*file_arguments)
    assert bytes_of_file == maker.files(*file_arguments)
    with zipfile.ZipFile(io.BytesIO(bytes_of_file["draws/a-b.json.zip"])) as zip_archive:
        chains = json.loads(zip_archive.read("a-b.json"))
    parameter_names = [f"theta[{j},{k}]" for k in (1, 2) for j in (1, 2, 3)] + [f"phi[{k},{w}]" for w in (1, 2, 3) for k in (1, 2)]
    assert [list(chain) for chain in chains] == [parameter_names] * 10
    theta, phi = method_draws["independent"]
    np.testing.assert_allclose(chains[4]["theta[3,2]"], theta[:, 4, 2, 1], rtol=1e-9)
    np.testing.assert_allclose(chains[4]["phi[2,3]"], phi[:, 4, 1, 2], rtol=1e-9)
    information = json.loads(bytes_of_file["info/a-b.info.json"])
    assert information["diagnostics"]["diagnostic_information"]["names"] == parameter_names
    assert information["checks_made"] == {**dict.fromkeys(information["checks_made"], True), "ndraws_is_10k": False}
    assert information["comments"].startswith("Said. Of theta[i]")


def test_chains_that_do_not_mix_do_not_pass(method_draws):
    _, chains = maker.named(*method_draws["gibbs"])
    stuck_chains = chains + np.arange(10)[None, :, None]
    slow_chains = np.repeat(chains[:40], 3, axis=0)
    assert not maker.checks(maker.diagnostics(stuck_chains), 120, 10)["r_hat_below_1_01"]
    slow_checks = maker.checks(maker.diagnostics(slow_chains), 120, 10)
    assert (slow_checks["ess_within_bounds"], slow_checks["abs_mean_lag1_ac_below_0_05"]) == (False, False)


@pytest.mark.parametrize(
    ("problem_name", "sizes", "is_within"),
    [("three_docs1200-ldaK2", (3, 3), True), *((f"three_men{i}-ldaK2", (M, 249), False) for i, M in ((1, 6), (2, 14), (3, 9)))],
)
def test_the_kept_information_meets_the_definition(problem_name, sizes, is_within):
    """The bounds of the effective sample sizes are no part of it: the folder's README says why they do not hold."""
    information = json.loads((INFO_FOLDER / f"{problem_name}.info.json").read_text("utf-8"))
    diagnostics = information["diagnostics"]
    assert (information["name"], diagnostics["ndraws"], diagnostics["nchains"]) == (problem_name, 10_000, 10)
    array_of_diagnostic = {diagnostic: np.array(numbers) for diagnostic, numbers in diagnostics.items() if isinstance(numbers, list)}
    assert {len(array) for array in array_of_diagnostic.values()} == {len(diagnostics["diagnostic_information"]["names"])} == {2 * sum(sizes)}
    assert maker.checks(array_of_diagnostic, 1000, 10) == information["checks_made"]
    assert information["checks_made"] == {**dict.fromkeys(information["checks_made"], True), "ess_within_bounds": is_within}
    assert information["inference"]["method_arguments"]["seed"] == maker.SEED
