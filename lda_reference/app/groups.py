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


def groups(groups_and_dates: dict[str, list[Any]], group_or_year: str, theta_jk: Array) -> Groups:
    """The mean theta of the documents of each group or year, weighted by their tokens; documents without one are last.

    `groups_and_dates` are those that a model was saved with, and `group_or_year` is "group" or "year".
    """
    group_j = groups_and_dates["group"] if group_or_year == "group" else [date[:4] for date in groups_and_dates["date"]]
    group_names = sorted(set(group_j), key=lambda group_name: (not group_name, group_name))
    index_of_group = {group_name: g for g, group_name in enumerate(group_names)}
    group_index_j = np.array([index_of_group[document_group] for document_group in group_j], np.intp)
    N_j, n_documents_g = np.array(groups_and_dates["tokens"], np.float64), np.bincount(group_index_j)
    N_g = np.bincount(group_index_j, N_j)
    weight_j = np.where(N_g[group_index_j] > 0, N_j, 1.0)  # a group without a word has the mean of the prior
    theta_sums = np.stack([np.bincount(group_index_j, weight_j * theta_j) for theta_j in theta_jk.T], 1)
    shown_names = [group_name or ("no group" if group_or_year == "group" else "no date") for group_name in group_names]
    count_columns = {"documents": n_documents_g.tolist(), "tokens": N_g.astype(int).tolist()}
    return Groups(group_or_year, shown_names, count_columns, theta_sums / np.bincount(group_index_j, weight_j)[:, None])
