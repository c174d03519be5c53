"""The package as a port: its answers to the cases of the oracle."""

from dataclasses import replace
from functools import partial

import numpy as np

from lda_reference import engine, model
from lda_reference.algorithms import ALGORITHMS, cgs, ep, hamiltonian, online_vb, scvb0, sgrld, vb
from lda_reference.arguments import checked_z, real, whole_number
from lda_reference.corpus import Corpus
from lda_reference.engine import State, starts
from lda_reference.engine.arguments import checked_gamma, checked_uniforms
from lda_reference.evaluation import prediction
from lda_reference.evaluation.coherence import coherence
from lda_reference.model import Prior, counts_of
from lda_reference.oracle.asking.written import as_json
from lda_reference.priors import minka
from lda_reference.priors.evidence import GammaPrior, plug_in_counts
from lda_reference.truth import annealed, document

BURN_IN = 500  # sweeps before the draws of a sampler
SWEEPS = {"ten_sweeps": 10, "converged": 10_000}  # the most, if a fixed point is not reached


def answer(case):
    """What the package answers to a case, in plain lists and numbers: the fields expected, or `error`."""
    operation = "start" if "start" in case else case["operation"]
    answer_functions, inputs_of = (OF_STATES, state_and_problem) if operation in OF_STATES else (OF_PROBLEMS, problem)
    try:
        answer_fields = as_json(answer_functions[operation](case, *inputs_of(case)))
    except ValueError as error:
        return {"id": case["id"], "error": str(error)}
    return {"id": case["id"], **answer_fields}


def problem(case):
    c = Corpus(*(case["corpus"][field] for field in ("j", "w", "n", "D", "W")))
    return c, Prior(case["prior"]["alpha"], case["prior"]["eta"])


def state_and_problem(case):
    """The algorithm, the state, the corpus and the prior of a case that has a `state`; a ValueError if one is illegal."""
    A, (c, p) = ALGORITHMS[case["algorithm"]], problem(case)
    if "inverse_temperature" in case:
        A = annealed.collapsed(case["inverse_temperature"])
    s = A.init(c, case["K"], p, **case["state"])
    if A.name == "gibbs" and "theta_jk" in case:  # parameters that are given, not drawn
        parameters = tables(case, "theta_jk", "phi_wk")
        A = replace(A, parameters=lambda s, c, p, rng: parameters)
    return A, s, c, p


def tables(case, *table_names):
    return tuple(np.array(case[table_name], np.float64) for table_name in table_names)


# From a state --------------------------------------------------------------------------------------------------------


def sweep(case, A, s, c, p):
    """gamma after the sweeps of a case; of a sampler, the topics."""
    sweep_arguments = {argument_name: case[argument_name] for argument_name in ("uniforms", "blocks", "inner", "parts") if argument_name in case}
    sweep_once = cgs.sweep_in_parts if "parts" in case else partial(A.sweep, schedule=case["schedule"])
    for _ in range(SWEEPS.get(case["operation"]) or case.get("sweeps", 1)):
        old_s, s = s, sweep_once(s, c, p, **sweep_arguments)
        if case["operation"] == "converged" and np.abs(s.gamma - old_s.gamma).max() < 1e-15:
            break
    return {"gamma": s.gamma} if A.assignment != "sample" else {"z": s.z}


def summary(case, *problem_and_state):
    """The sums of all gamma_k times the cosine and the sine of their places; of a sampler without parts, the topics."""
    sweep_answer = sweep(case, *problem_and_state)
    if "z" in sweep_answer and "parts" not in case:
        return sweep_answer
    gamma = np.eye(case["K"])[sweep_answer["z"]] if "z" in sweep_answer else sweep_answer["gamma"]
    flat_gamma, flat_indices = gamma.ravel(), np.arange(gamma.size)
    return {"cosine": flat_gamma @ np.cos(flat_indices), "sine": flat_gamma @ np.sin(flat_indices)}


def update(case, A, s, c, p):
    if s.z is not None:
        return {"gamma_k": engine.soft(weights_of_token(case, A, s, c, p))}
    return {"gamma_k": sweep(case | {"schedule": "corpus"}, A, s, c, p)["gamma"][case["row"]]}


def weights_of_token(case, A, s, c, p):
    """The weights from which a sampler draws the topic of the case's token, as in a sweep in `corpus` order: (K,)."""
    token_index = int(c.n[: case["row"]].sum()) + case["token"]
    all_weights = []

    def keep_weights(weights):
        all_weights.append(weights.copy())
        return engine.soft(weights)

    token_state = State(np.eye(case["K"])[s.z])
    replace(A, schedules=("corpus",)).sweep(token_state, c.tokens(), p, assignment=keep_weights)
    return np.concatenate(all_weights)[token_index]


def predict(case, A, s, c, p):
    test_corpus = c.with_rows(*(np.array(case["test"][column_name]) for column_name in ("j", "w", "n")))
    test_and_estimates = test_corpus, *A.estimate(s, c, p)
    return {"token_probability": prediction.token_probability(*test_and_estimates), "perplexity": prediction.perplexity(*test_and_estimates)}


def hyperparameters(case, A, s, c, p):
    gamma_prior = GammaPrior(**case["gamma_prior"])
    return {prior_part: minka.step(plug_in_counts(s, c, prior_part), getattr(p, prior_part), gamma_prior) for prior_part in ("alpha", "eta")}


OF_STATES = {
    **{state_function.__name__: state_function for state_function in (sweep, summary, update, predict, hyperparameters)},
    **dict.fromkeys(("reject", "tempered_sweep", *SWEEPS), sweep),
    "tempered_update": update,
    "draw": lambda case, *problem_and_state: {"topic": engine.draw(weights_of_token(case, *problem_and_state), case["uniform"])},
    "estimate": lambda case, A, *problem_and_state: dict(zip(("theta_jk", "phi_wk"), A.estimate(*problem_and_state), strict=True)),
    "bound": lambda case, A, *problem_and_state: {"bound": A.bound(*problem_and_state)},
}

# From other inputs ---------------------------------------------------------------------------------------------------


def start(case, c, p):
    """gamma of a start, from the random numbers of the case; a ValueError if they are not legal."""
    K, state = case["K"], case.get("state", {})
    match case["start"]:
        case "one-hot":
            gamma = engine.mean_one_hot(checked_z(state["z"], c.N, K), c, K)
        case "topics":
            gamma = starts.gamma_of_words(from_zero(case, "weights_wk", (c.W, K))).take(c.w, 0)
        case "documents":
            document_of_topic = from_zero(case, "documents", (K,), c.D)
            gamma = starts.gamma_of_words(starts.counts_of_documents(document_of_topic.astype(np.int64), c) + 1).take(c.w, 0)
        case "incremental":
            uniforms = checked_uniforms(case["uniforms"], (c.M,), None)
            gamma = starts.one_block_after_the_other(uniforms, c, K, p)
        case "collapsed":
            gamma = checked_gamma(state["gamma"], c.M, K, None)
            list(starts.overwritten_by_cvb0(gamma, c, p, 10, starts.BLOCK_COUNT))
        case "growing":
            if sorted(case["order"]) != list(range(c.D)):
                raise ValueError(f"order is {case['order']}, expected each document from 0 below D = {c.D} once")
            n_first_rows = int(np.isin(c.j, case["order"][: starts.sizes_of_parts(c.D)[0]]).sum())
            first_gamma = checked_gamma(np.reshape(case["first"], (-1, K)), n_first_rows, K, None)  # a first part without rows too
            gamma = starts.after_growth(np.array(case["order"]), lambda documents_of_part: first_gamma, c, p)
        case "anneal":
            A, n_sweeps = ALGORITHMS[case["of"]], whole_number(case["sweeps"], "sweeps", 1)
            if not 0 < case["top"] < np.inf:
                raise ValueError(f"top is {case['top']}, expected a finite number above 0")
            s = A.init(c, K, p, **state)
            for annealed_prior in starts.anneal(p, A.prior_offset, case["top"], n_sweeps):
                s = A.sweep(s, c, annealed_prior, case["schedule"])
            gamma = s.gamma
        case unknown_start:
            raise ValueError(
                f"start is {unknown_start!r}, expected one-hot, topics, documents, incremental, collapsed, growing or anneal"
            )
    return {"gamma": gamma}


def from_zero(case, field, shape, upper_limit=np.inf):
    """A table of numbers from 0 below another one."""
    field_numbers = real(case[field], field)
    if field_numbers.shape != shape or not ((field_numbers >= 0) & (field_numbers < upper_limit)).all():
        raise ValueError(f"{field} is {case[field]}, expected {shape} numbers from 0 below {upper_limit}")
    return field_numbers


def sample(case, c, p):
    return {"z": draws_of_chains(case, case["draws"], np.random.default_rng(case["seed"]))}


def draws_of_chains(case, n_draws, rng, n_chains=None):
    """Draws of z after a burn-in from topics drawn uniformly: (draws, N), or of several chains (draws, N, chains)."""
    (c, p), A, z_draws = problem(case), ALGORITHMS[case["algorithm"]], []
    s = A.init(c, case["K"], p, rng=rng, replicates=n_chains)
    for sweep_number in range(BURN_IN + n_draws):
        s = A.sweep(s, c, p, rng=rng)
        if sweep_number >= BURN_IN:
            z_draws.append(np.asarray(s.z, np.int8))
    return np.array(z_draws)


def e_step(case, c, p):
    alpha_jk, eta_wk = tables(case, "alpha_jk", "eta_wk")
    return {"alpha_jk": vb.e_step(alpha_jk, eta_wk, c, p, case["iterations"])}


def online_step(case, c, p):
    if case["algorithm"] == "vb":
        alpha_jk, eta_wk = tables(case, "alpha_jk", "eta_wk")
        old_topics, step_settings = online_vb.Topics(eta_wk, case["t"]), (case[setting_name] for setting_name in ("total_D", "tau0", "kappa", "iterations"))
        new_topics, alpha_jk = online_vb.step(old_topics, c, p, *step_settings, alpha_jk=alpha_jk)
        return {"alpha_jk": alpha_jk, "eta_wk": new_topics.eta_wk}
    N_jk, *topic_tables = tables(case, "N_jk", "N_wk", "N_k")
    scvb0_settings = (case[setting_name] for setting_name in ("total_N", "rho_theta", "rho_phi", "burn_in"))
    new_counts, N_jk = scvb0.step(scvb0.Topics(*topic_tables), c, p, *scvb0_settings, N_jk=N_jk)
    return {"N_jk": N_jk, "N_wk": new_counts.N_wk, "N_k": new_counts.N_k}


def fold_in(case, c, p):
    """theta as `lda.fold_in` estimates it, from uniform gamma."""
    A, K = ALGORITHMS[case["algorithm"]], case["K"]
    s = A.init(c, K, p, gamma=np.full((c.M, K), 1 / K))
    for _ in range(case["sweeps"]):
        s = A.sweep(s, c, p, schedule=case["schedule"], held_topics=tables(case, "phi_wk")[0])
    return {"theta_jk": A.estimate(s, c, p)[0]}


def step(case, c, p):
    """The step of one row, of expectation propagation."""
    i, state = case["row"], case["state"]
    sites = ep.Sites(np.array(state["sites_jk"]), np.array(state["sites_wk"]), 0)
    gamma, new_sites = ep.swept(np.array(state["gamma"]), sites, c, p, None, case["damping"], rows=[i])
    return {"gamma_k": gamma[i], "site_k": new_sites.jk[i], "site_wk": new_sites.wk[i], "left": new_sites.left}


def gradient(case, c, p):
    u = hamiltonian.Coordinates(*tables(case, "u_jk", "u_wk"))
    log_density, gradient_u = hamiltonian.log_density(u, c, p)
    return {"log_density": log_density, "gradient_jk": gradient_u.jk, "gradient_wk": gradient_u.wk}


def coordinates(case):
    table_name_pairs = ("u_jk", "u_wk"), ("momentum_jk", "momentum_wk"), ("mass_jk", "mass_wk")
    return (hamiltonian.Coordinates(*tables(case, *table_names)) for table_names in table_name_pairs)


def leapfrog(case, c, p):
    u, r, m = coordinates(case)
    u, r = hamiltonian.leapfrog(u, r, m, c, p, case["step"], case["leapfrogs"])
    return {"u_jk": u.jk, "u_wk": u.wk, "momentum_jk": r.jk, "momentum_wk": r.wk}


def langevin(case, c, p):
    """A step of x, from the counts of a batch."""
    tokens = c.tokens()
    in_batch = np.isin(tokens.j, case["batch"])
    batch_tokens = tokens.with_rows(tokens.j[in_batch], tokens.w[in_batch], tokens.n[in_batch])
    N_wk = c.D / len(case["batch"]) * counts_of(np.array(case["state"]["z"])[in_batch], batch_tokens, case["K"])[1]
    x_wk, normals = tables(case, "x_wk", "normals_wk")
    return {"x_wk": sgrld.langevin(x_wk[:, None], N_wk[:, None], p, case["step"], normals[:, None])[:, 0]}


def coherence_of(case, c, p):
    (phi_wk,), (_, measure) = tables(case, "phi_wk"), case["operation"].split("_")
    return {"coherence": coherence(phi_wk, c, case["words"], measure)}


OF_PROBLEMS = {
    **{problem_function.__name__: problem_function for problem_function in (start, sample, e_step, online_step, fold_in, step, gradient, leapfrog, langevin)},
    **dict.fromkeys(("coherence_umass", "coherence_npmi"), coherence_of),
    "m_step": lambda case, *corpus_and_prior: {"eta_wk": vb.m_step(*tables(case["state"], "gamma"), *corpus_and_prior)},
    "elbo": lambda case, *corpus_and_prior: {"bound": vb.bound_of_parameters(*tables(case, "alpha_jk", "eta_wk"), *corpus_and_prior)},
    "log_joint": lambda case, c, p: {
        "log_joint": model.log_joint_collapsed(*counts_of(case["state"]["z"], c, case["K"]), p),
    },
    "full_log_joint": lambda case, *corpus_and_prior: {
        "log_joint": model.log_joint(np.array(case["state"]["z"]), *tables(case, "theta_jk", "phi_wk"), *corpus_and_prior),
    },
    "document_evidence": lambda case, c, p: {"log_evidence": document.exact(c, tables(case, "phi_wk")[0], p)},
}
