"""lda-c, the program of Blei, Ng and Jordan (2003): variational EM."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from figures.peers.conformance_cases import counts_of

from . import Case, built, corpus, only_numbers, output, rows

NAME, VERSION, PROGRAM = "lda-c", "0c46575", built("lda-c/lda")
AS_IT_IS = built("lda-c/inf-settings.txt").read_text("utf-8")
TIGHT = "var max iter -1\nvar convergence 0\nem max iter 0\nem convergence 0\nalpha estimate\n"  # one iteration of EM


def run(X, phi_wk, alpha: float, settings: str, command: str) -> dict[str, np.ndarray]:
    """The numbers of the files that `inf` or `est` writes for documents, from topics and alpha."""
    (W, K), pairs_of_j = np.shape(phi_wk), [[f"{w}:{n}" for w, n in enumerate(x) if n] for x in X.tolist()]
    text_of_file = {
        "settings": settings, "data": "".join(f"{len(x)} {' '.join(x)}\n" for x in pairs_of_j),
        "start.beta": "\n".join(" ".join(map(repr, x)) for x in np.log(np.transpose(phi_wk)).tolist()),
        "start.other": f"num_topics {K}\nnum_terms {W}\nalpha {alpha}\n",
    }  # fmt: skip
    arguments_of = {"inf": ["settings", "start", "data", "out"], "est": [alpha, K, "settings", "data", "start", "."]}
    with TemporaryDirectory() as folder:
        for file_name, file_text in text_of_file.items():
            Path(folder, file_name).write_text(file_text)
        output(PROGRAM, command, *map(str, arguments_of[command]), cwd=folder)
        return {x.name: numbers(x) for x in Path(folder).iterdir() if x.name.startswith(("out", "final", "lik"))}


def numbers(file: Path) -> np.ndarray:
    if file.suffix == ".other":
        return np.array(file.read_text().split()[1::2], float)
    return np.loadtxt(file, ndmin=2)


def ask(case: Case, command: str, settings: str = TIGHT) -> dict[str, np.ndarray]:
    only_numbers(case, "alpha")
    return run(counts_of(case), case["phi_wk"], case["prior"]["alpha"], settings, command)


def e_step(case: Case, settings: str = TIGHT) -> Case:
    gamma = ask(case, "inf", settings)["out-gamma.dat"]
    return {"theta_jk": gamma / gamma.sum(1, keepdims=True)}


def e_step_as_it_is(case: Case) -> Case:
    return e_step(case, AS_IT_IS)


def bound(case: Case) -> Case:
    return {"bound": ask(case, "inf")["out-lda-lhood.dat"].sum()}


def em_step(case: Case) -> Case:
    numbers_of_file = ask(case, "est")
    return {"phi_wk": np.exp(numbers_of_file["final.beta"]).T, "alpha": numbers_of_file["final.other"][2]}


# Reproductions -------------------------------------------------------------------------------------------------------


def a_fit_of_our_corpus():
    """The last bound in likelihood.dat and that of the files final.*; and theta of these by `inf` as it is."""
    X, rng = corpus(), np.random.default_rng(0)
    X = X[:, X.sum(0) > 0]
    learn_settings = "var max iter 20\nvar convergence 1e-6\nem max iter 100\nem convergence 1e-4\nalpha estimate\n"
    fit = run(X, rng.dirichlet(np.ones(X.shape[1]), 5).T, 0.1, learn_settings, "est")
    final_model = np.exp(fit["final.beta"]).T, fit["final.other"][2]
    loose_numbers, tight_numbers = (run(X, *final_model, settings, "inf") for settings in (AS_IT_IS, TIGHT))
    file_gammas = fit["final.gamma"], loose_numbers["out-gamma.dat"], tight_numbers["out-gamma.dat"]
    kept_theta, loose_theta, exact_theta = (x / x.sum(1, keepdims=True) for x in file_gammas)
    theta_errors = {"kept": np.abs(kept_theta - exact_theta).max(), "loose": np.abs(loose_theta - exact_theta).max()}
    return {"last": fit["likelihood.dat"][-1, 0], "of_files": tight_numbers["out-lda-lhood.dat"].sum(), **theta_errors}


ROWS = rows(globals())
