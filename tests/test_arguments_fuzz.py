"""Each public function refuses wrong arguments in one line that names one, or gives finite numbers."""

import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from inspect import Parameter, signature

import numpy as np
import pytest

import lda_reference as lda
from lda_reference.arguments import shown
from lda_reference.evaluation.coherence import coherence
from lda_reference.evaluation.windows import windowed_coherence

from . import fuzz

ALGOS, P = lda.ALGORITHMS, lda.Prior(0.1, 0.1)
C = lda.Corpus.from_documents([[0, 1, 1, 2], [2, 3], [], [0, 3, 3]], W=4).types()
C_ABC = lda.Corpus(C.j, C.w, C.n, C.D, C.W, tuple("abcd"))
PHI = np.full((4, 2), 0.25)
THETA = np.full((4, 2), 0.5)
GAMMA = np.full((C.M, 2), 0.5)
FIT = lda.fit(C, 2, sweeps=1)
HUGE = 10**30


class Silent:
    """An object that cannot be shown."""

    def __repr__(self):
        raise RuntimeError("no text")


def nonsense(*arguments, **options):
    return "nonsense"


def negative(x, *arguments):
    return -x if isinstance(x, np.ndarray) else -1.0


TRIED_VALUES = (
    None, True, 0, 2, -1, 1.5, float("nan"), float("inf"), 1j, "", "a\nb", "cvb0", "alpha", "\0", b"x", [], {}, {"a", "b"},
    ["a", 1], [[1], [1, 2]], (0.1, None), Silent(), print, nonsense, negative, lda, C, C_ABC, C.to_csr(), PHI, PHI.T, PHI * 1j,
    PHI.astype(str), PHI * np.nan, -PHI, PHI * 0, PHI[:, 0], GAMMA, np.array(["2020"], "M8[D]"), np.array([None]), np.zeros((4, 0)),
    lda.Prior([1, 2, 3]), lda.Prior(2, PHI), np.random.default_rng(0), lda.State(None), lda.State(-GAMMA), lda.State(GAMMA, "x"),
    ALGOS["cvb0"], ALGOS["hmc"], FIT, ThreadPoolExecutor(1), HUGE, -HUGE, 10**5000, 1e308, 5e-324,
)  # fmt: skip

# Numbers of steps: a huge one is a run that is legal and without an end.
STEP_NAMES = {"sweeps", "inner"}

UNCHECKED_NAMES = {"fractions", "skip_unreadable", "dtype", "documents", "labels", "reading", "N_wk"}

OTHER_NAMES = ("X", "gamma", "state", "alpha", "eta", "corpus", "prior", "theta_jk", "phi_wk", "under every topic")
# What stands instead of "expected" where a message says that something does not go together.
PLAIN_REFUSAL = re.compile(
    "is empty: it has no token|takes none|draws nothing|draws with rng|is missing|are both missing|starts? from|tiny corpora"
    "|few topics|must be|needs |cannot learn|cannot be learned|has probability 0 under every topic"
)


def with_defaults(f, arguments):
    """A function, and its arguments by name: those of the table, and its defaults."""
    defaults = {argument_name: parameter.default for argument_name, parameter in signature(f).parameters.items() if parameter.default is not Parameter.empty}
    return f, {argument_name: default for argument_name, default in defaults.items() if argument_name not in UNCHECKED_NAMES} | arguments


@cache
def functions():
    """{name: (a function, arguments that fit it)}."""
    rng = np.random.default_rng(1)
    state_of_algorithm = {A_name: ALGOS[A_name].init(C, 2, P, rng=rng) for A_name in ("vb", "cvb", "cgs", "hmc")}
    c_and_p, c_K_p = {"c": C, "p": P}, {"c": C, "K": 2, "p": P}
    run_arguments = {"c": C, "K": 2, "sweeps": 2, "seed": 0}
    c_theta_phi = {"c": C, "theta_jk": THETA, "phi_wk": PHI}
    model_and_c = {"model": {"eta_wk": 1 + PHI, "alpha": 0.1, "eta": 0.1}, "c": C}
    function_and_arguments = {
        "Corpus": (lda.Corpus, {"j": [0, 0, 1], "w": [0, 1, 1], "n": [1, 2, 1], "D": 2, "W": 2}),
        "from_documents": (lda.Corpus.from_documents, {"documents": [[0, 1], [1]]}),
        "from_csr": (lda.Corpus.from_csr, {"X": np.eye(2)}),
        "from_texts": (lda.Corpus.from_texts, {"texts": ["ash bay", ""]}),
        "read_corpus": (lda.read_corpus, {"path": "texts", "format": "text"}),
        "split": (lda.split, {"c": C, "rng": rng}),
        "Prior": (lda.Prior, {}),
        "fit": (lda.fit, run_arguments),
        "fit cgs": (lda.fit, run_arguments | {"algorithm": "cgs", "learn": "alpha,eta", "learn_after": 1}),
        "save": (lda.save, {"f": FIT, "folder": "model"}),
        "load": (lda.load, {"folder": "saved"}),
        "init": (ALGOS["vb"].init, c_K_p | {"rng": rng}),
        "init of z": (ALGOS["cgs"].init, c_K_p | {"z": state_of_algorithm["cgs"].z}),
        "sweep nested": (ALGOS["vb"].sweep, c_and_p | {"s": state_of_algorithm["vb"], "schedule": "nested"}),
        **{f"sweep {A_name}": (ALGOS[A_name].sweep, c_and_p | {"s": state_of_algorithm[A_name], "rng": rng}) for A_name in ("cgs", "hmc")},
        "estimate": (ALGOS["cvb"].estimate, c_and_p | {"s": state_of_algorithm["cvb"]}),
        "fold_in": (lda.fold_in, c_and_p | {"A": ALGOS["cvb0"], "phi_wk": PHI, "rng": rng, "sweeps": 2}),
        "perplexity": (lda.perplexity, c_theta_phi),
        "from_model": (lda.from_model, model_and_c),
        "read_model": (lda.read_model, {"path": "saved"}),
        "which_number": (lda.which_number, model_and_c | {"number": "1.234", "documents": 9}),
        "match_topics": (lda.match_topics, {"phi_wk": PHI, "true_wk": PHI}),
        "top_words": (lda.top_words, {"phi_wk": PHI}),
        "coherence": (coherence, {"phi_wk": PHI, "c": C, "words": 2}),
        "windowed_coherence": (windowed_coherence, {"topics": [[0, 1], [1, 2]], "texts": [[0, 1, 2, 1], [2, 0], []]}),
        "log_joint": (lda.log_joint, c_theta_phi | {"z": state_of_algorithm["cgs"].z, "p": P}),
        "posterior": (lda.exact.posterior, c_K_p),
        "draw_from": (lda.synthetic.draw_from, {"rng": rng, "lengths": [2, 0, 3, 1], "theta_jk": THETA, "phi_wk": PHI}),
    }
    return {call_name: with_defaults(f, arguments) for call_name, (f, arguments) in function_and_arguments.items()}


FILE_CALLS = ("read_corpus", "read_model", "from_model", "save", "load")  # these may also raise an OSError, which names the file
DIVERGENT = ("log_joint", "perplexity")  # at a probability of 0


def numbers_of(returned):
    """The arrays of floating-point numbers in a result."""
    if isinstance(returned, np.ndarray) and returned.dtype.kind in "fc":
        yield returned
    elif isinstance(returned, float):
        yield np.array(returned)
    elif isinstance(returned, lda.Prior):
        yield from (np.asarray(returned.alpha), np.asarray(returned.eta))
    elif isinstance(returned, (tuple, list, dict)):
        for returned_part in returned.values() if isinstance(returned, dict) else returned:
            yield from numbers_of(returned_part)


def is_skipped(argument_name, tried_value):
    is_endless = argument_name in STEP_NAMES and isinstance(tried_value, int) and tried_value > 10**6
    return is_endless or (argument_name == "folder" and isinstance(tried_value, str) and "\n" in tried_value)


def fault(call_name, wrong_arguments):
    """What is wrong with the answer of a function to some arguments, or None."""
    f, arguments = functions()[call_name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            returned = f(**arguments | wrong_arguments)
    except (ValueError, TypeError) as error:
        message = str(error)
        is_named = any(re.search(rf"\b{argument_name}\b", message) for argument_name in (*arguments, *OTHER_NAMES))
        is_named = is_named or (call_name in FILE_CALLS and message.startswith("saved/"))  # a file of the folder
        is_plain = "expected" in message or PLAIN_REFUSAL.search(message)
        return None if is_named and is_plain and "\n" not in message and len(message) < 500 else f"{type(error).__name__}: {message}"
    except Exception as error:
        if call_name in FILE_CALLS and isinstance(error, OSError):
            return None
        return f"{type(error).__name__}: {error}"
    is_finite = all(np.isfinite(returned_array).all() or (call_name in DIVERGENT and not np.isnan(returned_array)) for returned_array in numbers_of(returned))
    return None if is_finite else "its numbers are not finite"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a text and a model, in which the functions that take paths run."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").write_text("ash bay\nfig ash\n")
    lda.save(FIT, "saved")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("call_name", functions())
def test_every_value_of_an_argument_is_refused_by_name_or_gives_finite_numbers(call_name):
    function, good_arguments = functions()[call_name]
    function(**good_arguments)
    name_and_value, case_step = [(argument_name, tried_value) for argument_name in good_arguments for tried_value in TRIED_VALUES], fuzz.cases(11, 1)
    for argument_name, tried_value in name_and_value[list(functions()).index(call_name) % case_step :: case_step]:
        if not is_skipped(argument_name, tried_value):
            assert fault(call_name, {argument_name: tried_value}) is None, f"{call_name}({argument_name}={shown(tried_value)})"
            fuzz.ran("arguments of functions")
