"""Reference posteriors in the format of posteriordb: draws by chain and parameter, and information about them.

    python -m tests.certify.posteriordb                 # three_docs1200-ldaK2: independent draws, half a minute
    python -m tests.certify.posteriordb FOLDER          # also the others, by Gibbs sampling, from posteriordb's data
    python -m tests.certify.posteriordb FOLDER NAME ... # some of the others

FOLDER is posteriordb's `posterior_database/data/data`. The command writes dist/posteriordb/, with the folders `draws` and
`info` of posteriordb's `reference_posteriors/draws`, and the information to figures/peers/posteriordb/, too. The models
are ldaK2, with two topics and all priors 1, and ldaK5, with five topics and the priors of its data; z is summed out.

The posterior does not change if the topics are renumbered, so all numberings have the same probability. The sums over
tables contain both numberings. A Gibbs chain stays in one, so every draw is renumbered at random, which leaves the
posterior as it is. What a chain explores is then seen in functions that renumbering does not change. Where their R-hat is
not below 1.01, nothing is written, and R-hat is printed.
"""

import hashlib
import io
import json
import re
import sys
import zipfile
from itertools import permutations
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

import lda_reference as lda
from figures.peers.reference_posterior import COUNTS, PRIOR, K
from lda_reference.evaluation.chains import r_hat
from lda_reference.truth import tables

from ..release import ROOT, VERSION
from .effective_sample_size import effective_sample_size

CHAINS, DRAWS = 10, 1000
WARM_UP, THIN, SEED = 1000, 20, 4711
BY_CHAINS = {  # sweeps left out at first, draws of each chain, sweeps from one to the next
    **{f"three_men{i}-ldaK2": (WARM_UP, DRAWS, THIN) for i in (1, 2, 3)},
    **{f"prideprejudice_{x}-ldaK5": (200, 200, 1) for x in ("chapter", "paragraph")},
}
NUMBERINGS = "Both numberings of the topics have probability 1/2, as in the posterior. "
DIVISIONS = {
    "three_men1-ldaK2": (
        "In all chains one topic has the English documents and the other the French and Swedish ones. If all tokens of a "
        "document have one topic, log p(x, z) of the other two divisions of the three languages is 690 and 720 nats lower. "
    )
}


def parameters(N_jk, N_wk, p, rng, renumber):
    """The parameters of the model, (S, M, K) and (S, K, V), given counts (S, M, K) and (S, V, K)."""
    theta, phi = (rng.standard_gamma(x + prior) for x, prior in ((N_jk, p.alpha), (N_wk, p.eta)))
    theta, phi = theta / theta.sum(-1, keepdims=True), np.swapaxes(phi / phi.sum(1, keepdims=True), 1, 2)
    if not renumber:
        return theta, phi
    numberings = np.array(list(permutations(range(theta.shape[-1]))))[::-1]
    order = numberings[(rng.random(len(theta)) * len(numberings)).astype(int)]
    return np.take_along_axis(theta, order[:, None], 2), np.take_along_axis(phi, order[..., None], 1)


def independent(counts, p, S, rng):
    """S independent draws of the parameters, from the exact sum over tables of three documents and three words.

    The documents' words are those of `COUNTS`: the third document alone has the third word, and the second one has only
    the second. A term of the sum has the counts in topic 1 of word 3, and of words 1 and 2 in the other documents.
    """
    f = tables.factors(lda.Corpus.from_csr(counts), K, p)
    of_last = rng.choice(len(f.words[2]), S, p=_normalised([np.logaddexp.reduce(x, None) for x in tables.summands(f)]))
    in_topic_1 = np.empty((S, 3, 3), int)  # of each draw, document and word, the tokens in topic 1
    for last, x in enumerate(tables.summands(f)):
        for s in np.flatnonzero(of_last == last):
            first, second, _ = np.unravel_index(rng.choice(x.size, p=_normalised(x.ravel())), x.shape)
            choices = np.arange(max(0, second - counts[1, 1]), min(second, counts[0, 1]) + 1)  # of word 2 in document 1
            shares = f.documents[0][first, choices, 0] + f.documents[1][0, second - choices, 0]
            m = rng.choice(choices, p=_normalised(shares))
            in_topic_1[s] = [[first, m, 0], [0, second - m, 0], [0, 0, last]]
    both = np.stack([counts - in_topic_1, in_topic_1], -1).astype(float)
    return parameters(both.sum(2), both.sum(1), p, rng, renumber=False)


def _normalised(logs):
    x = np.exp(np.asarray(logs) - np.max(logs))
    return x / x.sum()


def gibbs(c, topics, p, rng, chains=CHAINS, draws=DRAWS, warm_up=WARM_UP, thin=THIN):
    """Draws of the parameters of chains by Gibbs sampling: (draws, chains, M, K) and (draws, chains, K, V).

    The sweep is SOL14 (5)-(7). Given theta and phi, the n tokens of a row have independent topics of one distribution, so
    the numbers of those in each topic are multinomial.
    """
    documents, words = (csr_matrix((np.ones(c.M), (x, np.arange(c.M)))) for x in (c.j, c.w))
    shares = np.diff(np.sort(rng.random((chains, c.M, topics - 1))), prepend=0, append=1)
    kept = []
    for sweep in range(1, warm_up + thin * draws + 1):
        in_topic = rng.multinomial(c.n, shares)[..., ::-1]  # (chains, rows, topics)
        by_row = np.swapaxes(in_topic, 0, 1).reshape(c.M, -1)
        N_jk, N_wk = (np.swapaxes((x @ by_row).reshape(-1, chains, topics), 0, 1) for x in (documents, words))
        theta, phi = parameters(N_jk, N_wk, p, rng, renumber=True)
        weights = theta[:, c.j] * np.swapaxes(phi, 1, 2)[:, c.w]
        shares = (weights / weights.sum(-1, keepdims=True))[..., ::-1]
        if sweep > warm_up and (sweep - warm_up) % thin == 0:
            kept.append((theta, phi))
    return tuple(np.stack(x) for x in zip(*kept, strict=True))


def diagnostics(x):
    """R-hat, the effective sample sizes and the mean autocorrelation at lag 1 of draws (draws, chains, parameters)."""
    tails = [effective_sample_size((x <= np.quantile(x, q, axis=(0, 1))).astype(float)) for q in (0.05, 0.95)]
    off = x - x.mean(0)
    lag1 = (np.sum(off[1:] * off[:-1], 0) / np.sum(off**2, 0)).mean(0)
    return {
        "effective_sample_size_bulk": effective_sample_size(x), "effective_sample_size_tail": np.minimum(*tails),
        "r_hat": r_hat(x), "mean_lag1_ac": lag1,
    }  # fmt: skip


def checks(about, draws, chains):
    """Whether the draws meet the definition of a reference posterior; the bounds of the sizes are posteriordb's."""
    sizes = np.append(about["effective_sample_size_bulk"], about["effective_sample_size_tail"])
    return {
        "ndraws_is_10k": draws * chains == 10_000,
        "nchains_is_gte_4": chains >= 4,
        "ess_within_bounds": bool(np.all(np.abs(sizes - draws * chains) <= 4 * np.sqrt(7 * draws * chains))),
        "r_hat_below_1_01": bool(np.all(about["r_hat"] < 1.01)),
        "abs_mean_lag1_ac_below_0_05": bool(np.all(np.abs(about["mean_lag1_ac"]) < 0.05)),
    }


def named(theta, phi):
    """Stan's names of the parameters, and their draws (draws, chains, parameters), in Stan's order."""
    flat = [np.swapaxes(x, -1, -2).reshape(*x.shape[:2], -1) for x in (theta, phi)]  # the first index moves fastest
    sizes = (("theta", theta.shape[2:]), ("phi", phi.shape[2:]))
    names = [f"{name}[{a + 1},{b + 1}]" for name, (A, B) in sizes for b in range(B) for a in range(A)]
    return names, np.concatenate(flat, -1)


def invariant(theta, phi):
    """Functions that renumbering does not change: theta theta' of two documents, and p(word | document).

    Of many documents and words, which have too many pairs: the sums over topics of the squares of theta and of phi.
    """
    if theta.shape[2] > 20:
        return np.concatenate([(theta**2).sum(-1), (phi**2).sum(-2)], -1)
    pairs = [np.einsum("...ak,...bk->...ab", theta, theta), np.einsum("...ak,...kw->...aw", theta, phi)]
    return np.concatenate([x.reshape(*x.shape[:2], -1) for x in pairs], -1)


def files(name, theta, phi, method, arguments, comments):
    """{path: bytes} of a reference posterior, and what is said of the functions that renumbering does not change."""
    names, x = named(theta, phi)
    draws, chains = x.shape[:2]
    about, about_invariants = diagnostics(x), diagnostics(invariant(theta, phi))
    sizes = (about_invariants["effective_sample_size_bulk"].min(), about_invariants["effective_sample_size_tail"].min())
    comments += (
        f"Of theta[i] . theta[j] and p(word | document), which renumbering does not change, R-hat is at most "
        f"{about_invariants['r_hat'].max():.4f}, the bulk and tail sizes at least {sizes[0]:.0f} and {sizes[1]:.0f}, and the "
        f"autocorrelation at most {np.abs(about_invariants['mean_lag1_ac']).max():.3f}. E-FMI and divergences are for HMC only."
    )
    info = {
        "name": name, "inference": {"method": method, "method_arguments": arguments},
        "diagnostics": {"diagnostic_information": {"names": names}, "ndraws": draws * chains, "nchains": chains}
        | {what: [float(f"{v:.6g}") for v in values] for what, values in about.items()},
        "checks_made": checks(about, draws, chains), "comments": comments, "added_by": None, "added_date": None,
        "versions": {"lda_reference": VERSION, "numpy": np.__version__},
    }  # fmt: skip
    text = re.sub(
        r'\[\n\s+("[^"]+"|[\d.e+-]+)(,\n\s+("[^"]+"|[\d.e+-]+))*\n\s+\]', _on_a_line, json.dumps(info, indent=2)
    )
    by_chain = [{n: [float(f"{v:.10g}") for v in x[:, r, i]] for i, n in enumerate(names)} for r in range(chains)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo(f"{name}.json"), json.dumps(by_chain), zipfile.ZIP_DEFLATED)
    return {f"info/{name}.info.json": (text + "\n").encode(), f"draws/{name}.json.zip": out.getvalue()}


def _on_a_line(match):
    return "[" + re.sub(r"\s*\n\s*", " ", match[0][1:-1].strip()) + "]"


def write(name, *arguments):
    for path, content in files(name, *arguments).items():
        copies = [ROOT / "figures" / "peers" / "posteriordb" / Path(path).name] if path.startswith("info/") else []
        for file in (ROOT / "dist" / "posteriordb" / path, *copies):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        print(f"{path}: {len(content):,} bytes, SHA-256 {hashlib.sha256(content).hexdigest()}", flush=True)


def problem(folder, name):
    """The corpus of a posterior of posteriordb, its number of topics and its prior."""
    data_name, model = name.split("-")
    with zipfile.ZipFile(Path(folder) / f"{data_name}.json.zip") as z:
        data = json.loads(z.read(f"{data_name}.json"))
    X = np.zeros((data["M"], data["V"]), int)
    np.add.at(X, (np.array(data["doc"]) - 1, np.array(data["w"]) - 1), 1)
    alpha, eta = (data.get(x, [1.0])[0] for x in ("alpha", "beta"))  # ldaK2 has no prior in its data
    return lda.Corpus.from_csr(X), int(model.removeprefix("ldaK")), lda.Prior(alpha, eta)


def by_chains(folder, name):
    """The draws of Gibbs chains: written if R-hat of the functions that renumbering does not change is below 1.01."""
    warm_up, draws, thin = BY_CHAINS[name]
    c, topics, p = problem(folder, name)
    theta, phi = gibbs(c, topics, p, np.random.default_rng(SEED), CHAINS, draws, warm_up, thin)
    reached = float(np.max(r_hat(invariant(theta, phi))))
    sweeps = warm_up + thin * draws
    print(f"{name}: R-hat {reached:.4f} after {sweeps:,} sweeps of {CHAINS} chains", flush=True)
    if reached < 1.01:
        comments = (
            "Gibbs sampling of the topics of all tokens, theta and phi, from random topics. Each draw is renumbered at "
            "random, which leaves the posterior as it is. "
        )
        arguments = {"chains": CHAINS, "iter": sweeps, "warmup": warm_up, "thin": thin, "seed": SEED}
        write(name, theta, phi, "gibbs_sampling", arguments, comments + DIVISIONS.get(name, "") + NUMBERINGS)


def main(folder=None, *names):
    drawn = independent(COUNTS, PRIOR, CHAINS * DRAWS, np.random.default_rng(SEED))
    theta, phi = (x.reshape(DRAWS, CHAINS, *x.shape[1:]) for x in drawn)
    comments = (
        "The posterior of the counts was summed exactly over all tables; a draw of the counts is one of its terms, and "
        "theta and phi are Dirichlet variables given the counts. The draws are independent, and divided into chains. "
    )
    write("three_docs1200-ldaK2", theta, phi, "analytical", {"chains": CHAINS, "seed": SEED}, comments + NUMBERINGS)
    for name in (names or BY_CHAINS) if folder else ():
        by_chains(folder, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
