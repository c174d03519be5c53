"""The topics of groups of documents, or of years."""

from typing import Any, NamedTuple

import numpy as np

from ..model import Array

COLUMNS = {"group": "group", "year": "date"}  # what groups are made of


class Groups(NamedTuple):
    """Groups by their names, or years, with the numbers of their documents and tokens, and their mean theta (G, K)."""

    kind: str
    names: list[str]
    counts: dict[str, list[int]]
    theta: Array


def groups(labels: dict[str, list[Any]], kind: str, theta_jk: Array) -> Groups:
    """The mean theta of the documents of each group or year, weighted by their tokens; documents without one are last.

    `labels` are those that a model was saved with, and `kind` is "group" or "year".
    """
    values = labels["group"] if kind == "group" else [date[:4] for date in labels["date"]]
    names = sorted(set(values), key=lambda name: (not name, name))
    number = {name: g for g, name in enumerate(names)}
    place = np.array([number[value] for value in values], np.intp)
    N_j, D = np.array(labels["tokens"], np.float64), np.bincount(place)
    tokens = np.bincount(place, N_j)
    weight = np.where(tokens[place] > 0, N_j, 1.0)  # a group without a word has the mean of the prior
    total = np.stack([np.bincount(place, weight * theta_j) for theta_j in theta_jk.T], 1)
    shown = [name or ("no group" if kind == "group" else "no date") for name in names]
    counts = {"documents": D.tolist(), "tokens": tokens.astype(int).tolist()}
    return Groups(kind, shown, counts, total / np.bincount(place, weight)[:, None])
