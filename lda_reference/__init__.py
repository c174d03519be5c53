"""Reference implementation of inference for latent Dirichlet allocation, in pure NumPy."""

from . import synthetic
from .algorithms import ALGORITHMS
from .corpus import Corpus, split
from .engine import Algorithm, State, explain
from .evaluation.matching import match_topics, top_words
from .evaluation.prediction import fold_in, perplexity, token_probability
from .evaluation.visualised import visualised
from .fitting import Fit, fit
from .formats import from_bows, read_corpus, write_corpus
from .model import Prior, log_joint, log_joint_collapsed
from .storage import load, save
from .truth import exact

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Corpus",
    "Fit",
    "Prior",
    "State",
    "exact",
    "explain",
    "fit",
    "fold_in",
    "from_bows",
    "load",
    "log_joint",
    "log_joint_collapsed",
    "match_topics",
    "perplexity",
    "read_corpus",
    "save",
    "split",
    "synthetic",
    "token_probability",
    "top_words",
    "visualised",
    "write_corpus",
]
