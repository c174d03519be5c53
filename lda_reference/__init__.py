"""Reference implementation of inference for latent Dirichlet allocation, in pure NumPy.

A name is imported when it is first used, so that `lda_reference.oracle` can check a port where NumPy is not installed.
"""

from importlib import import_module
from importlib.util import find_spec

TYPE_CHECKING = False  # what type checkers take for true, without importing `typing`
if TYPE_CHECKING:
    from typing import Any

    from . import bible, plain, synthetic
    from .algorithms import ALGORITHMS
    from .corpus import Corpus, split
    from .engine import Algorithm, State
    from .evaluation.from_model import from_model
    from .evaluation.judge import judge
    from .evaluation.matching import match_topics, top_words
    from .evaluation.prediction import fold_in, perplexity, token_probability
    from .evaluation.read_model import read_model
    from .evaluation.which_number import which_number
    from .explaining import explain
    from .fitting import Fit, fit
    from .formats import from_bows, read_corpus
    from .model import Prior, log_joint, log_joint_collapsed
    from .storage import load, save
    from .truth import exact

__all__ = [
    "ALGORITHMS", "Algorithm", "Corpus", "Fit", "Prior", "State", "bible", "exact", "explain", "fit", "fold_in",
    "from_bows", "from_model", "judge", "load", "log_joint", "log_joint_collapsed", "match_topics", "perplexity",
    "plain", "read_corpus", "read_model", "save", "split", "synthetic", "token_probability", "top_words",
    "which_number",
]  # fmt: skip

_NAMES_OF_MODULE = {
    "algorithms": ["ALGORITHMS"],
    "corpus": ["Corpus", "split"],
    "engine": ["Algorithm", "State"],
    "evaluation.from_model": ["from_model"],
    "evaluation.judge": ["judge"],
    "evaluation.matching": ["match_topics", "top_words"],
    "evaluation.prediction": ["fold_in", "perplexity", "token_probability"],
    "evaluation.read_model": ["read_model"],
    "evaluation.which_number": ["which_number"],
    "explaining": ["explain"],
    "fitting": ["Fit", "fit"],
    "formats": ["from_bows", "read_corpus"],
    "model": ["Prior", "log_joint", "log_joint_collapsed"],
    "storage": ["load", "save"],
}
_MODULE_OF_NAME = {name: module for module, names in _NAMES_OF_MODULE.items() for name in names}


def __getattr__(name: str) -> "Any":
    """A public name or a module of the package, imported when it is first used."""
    if name in _MODULE_OF_NAME:
        attribute = getattr(import_module(f".{_MODULE_OF_NAME[name]}", __name__), name)
    elif name == "exact":
        attribute = import_module(".truth.exact", __name__)
    elif not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        attribute = import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
