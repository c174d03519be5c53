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
    labels_j = labels["group"] if kind == "group" else [date[:4] for date in labels["date"]]
    group_names = sorted(set(labels_j), key=lambda group_name: (not group_name, group_name))
    index_of_name = {group_name: g for g, group_name in enumerate(group_names)}
    group_index = np.array([index_of_name[label] for label in labels_j], np.intp)
    N_j, D_g = np.array(labels["tokens"], np.float64), np.bincount(group_index)
    N_g = np.bincount(group_index, N_j)
    weight_j = np.where(N_g[group_index] > 0, N_j, 1.0)  # a group without a word has the mean of the prior
    theta_sums = np.stack([np.bincount(group_index, weight_j * theta_j) for theta_j in theta_jk.T], 1)
    shown_names = [group_name or ("no group" if kind == "group" else "no date") for group_name in group_names]
    counts = {"documents": D_g.tolist(), "tokens": N_g.astype(int).tolist()}
    return Groups(kind, shown_names, counts, theta_sums / np.bincount(group_index, weight_j)[:, None])
