"""The names of the estimator's arguments: those of scikit-learn that it lacks, and those that its errors name."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

THEIRS = {  # arguments of scikit-learn's LatentDirichletAllocation, and what replaces them
    "learning_method": "algorithm='vb', with schedule='nested', start='topics' for 'batch', partial_fit for 'online'",
    **dict.fromkeys(("learning_decay", "learning_offset", "total_samples"), "it is an argument of partial_fit"),
    "batch_size": "give partial_fit one batch at a time",
    "evaluate_every": "verbose=1 prints the change of each sweep, and lda_reference.fit takes a monitor",
    "perp_tol": "lda_reference.fit takes stop, the change of the bound per token below which a run ends",
    **dict.fromkeys(("mean_change_tol", "max_doc_update_iter"), "a document takes max_iter sweeps in transform"),
}
OURS = {  # what arguments are called in the modules that check them
    "alpha": "doc_topic_prior", "eta": "topic_word_prior", "sweeps": "max_iter", "iterations": "max_iter",
    "seed": "random_state", "Seed": "random_state", "D": "total_samples", "tau0": "learning_offset",
    "kappa": "learning_decay",
}  # fmt: skip


@contextmanager
def in_arguments() -> Iterator[None]:
    """An error names the arguments of the estimator."""
    try:
        yield
    except ValueError as error:
        names = r"^\w+|\b(?:tau0|kappa)\b"
        raise ValueError(re.sub(names, lambda found: OURS.get(found[0], found[0]), str(error))) from error


def check_names(arguments: dict[str, Any]) -> None:
    """Raise a TypeError that says what to write instead of an argument of scikit-learn's that is none here."""
    if found := [f"{name} ({THEIRS[name]})" for name in THEIRS if name in arguments]:
        raise TypeError(f"LDA of lda_reference has no {', no '.join(found)}")
