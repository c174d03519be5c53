"""A run repeats to the last bit in another process: other hash seeds, threads, locales and working folders, and resumed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import fuzz

ROOT = Path(__file__).parents[1]
DIGESTS = """
import hashlib, json, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import lda_reference as lda

def digest(f):
    h = hashlib.sha256()
    for x in (f.theta_jk, f.phi_wk, f.state.gamma, f.state.z, f.prior.alpha, f.prior.eta):
        h.update(b"-" if x is None else np.ascontiguousarray(x).tobytes())
    return h.hexdigest()

c = lda.synthetic.bars(np.random.default_rng(0), side=3, D=6, length=8).corpus
digests = {}
for name, A in lda.ALGORITHMS.items():
    rows = A.arranged(c) if name == "tcvb0" else c
    offset = A.prior_offset
    learns = () if isinstance(A.learns, str) else A.learns  # a sentence says why nothing is learned
    sides = [side for side in ("alpha", "eta") if side in learns]
    kinds = ["alpha:asymmetric"] * ("alpha" in learns) + ["alpha:em2"] * ("hyperprior" in learns)
    for schedule in A.schedules:
        for learn in [None, ",".join(sides), *kinds] if sides else [None]:
            settings = dict(prior=lda.Prior(0.5 + offset, 0.5 + offset), schedule=schedule, seed=3, learn=learn, burn_in=1, learn_after=1)
            if A.update.plain is not None:
                settings["sweeps"] = 1
            if learn and not A.is_sampler:
                settings["start"] = "dirichlet"  # the recommended start, which may take many sweeps, is tried without learning
            with ThreadPoolExecutor(int(sys.argv[1])) as pool:
                threads = {"executor": pool} if schedule in ("corpus", "block", "nested") and not A.is_sampler else {}
                digests[f"{name} {schedule} {learn}"] = digest(lda.fit(rows, 3, name, **{"sweeps": 4} | settings, **threads))
            if A.update.plain is None and sys.argv[1] == "1":  # in the first process alone
                first = lda.fit(rows, 3, name, sweeps=2, **settings)
                with tempfile.TemporaryDirectory() as folder:
                    lda.save(first, folder)
                    resumed = lda.fit(rows, 3, name, sweeps=4, schedule=schedule, seed=3, resume=lda.load(folder))
                digests[f"{name} {schedule} {learn}, resumed"] = digest(resumed)
print(json.dumps(digests))
"""
ENVIRONMENTS = (
    ({"PYTHONHASHSEED": "0"}, 1),
    ({"PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Kolkata"}, 2),
    ({"PYTHONHASHSEED": "2", "OPENBLAS_NUM_THREADS": "1", "LC_ALL": "tr_TR.UTF-8", "PYTHONOPTIMIZE": "1"}, 3),
)


def digest_of(environment_variables, n_threads, working_folder):
    """The digest of each run, in a process of its own."""
    run_process = subprocess.run(
        [sys.executable, "-c", DIGESTS, str(n_threads)], capture_output=True, text=True, timeout=900, cwd=working_folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment_variables},
    )  # fmt: skip
    assert run_process.returncode == 0, run_process.stderr
    assert run_process.stderr == ""
    return json.loads(run_process.stdout)


@pytest.fixture(scope="module")
def digests():
    return digest_of(*ENVIRONMENTS[0], ROOT)


def test_a_resumed_run_is_an_unbroken_one(digests):
    for run_name, run_digest in digests.items():
        assert run_digest == digests[run_name.removesuffix(", resumed")], run_name


@pytest.mark.parametrize(("environment_variables", "n_threads"), ENVIRONMENTS[1 : fuzz.cases(2, None)])
def test_a_run_repeats_in_another_process(digests, tmp_path, environment_variables, n_threads):
    assert digest_of(environment_variables, n_threads, tmp_path).items() == {named_digest for named_digest in digests.items() if "resumed" not in named_digest[0]}
