"""pyspark of PyPI: `pyspark.ml.clustering.LDA` with the optimizer "em", which needs Java.

Its start cannot be given. So it is fitted for t and for t + 1 iterations with one seed. What it keeps after t is the
case, and what it keeps after t + 1 its answer. The expected counts of the documents are in a private field.
"""

from functools import cache
from typing import Any

import numpy as np

from . import Absent, Answer, Case, Checkouts, Row

K, ALPHA, ETA, SEED = 3, 1.5, 1.2, 7  # it refuses priors of 1 and below
OPTIONS = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.log.level": "ERROR"}


def counts() -> np.ndarray:
    return np.random.default_rng(5).poisson(0.4, (12, 20)) + np.eye(12, 20, dtype=int)


@cache
def fitted(iterations: int) -> tuple[np.ndarray, np.ndarray]:
    """N_wk and N_jk after some iterations."""
    from pyspark.ml.clustering import LDA
    from pyspark.ml.linalg import Vectors
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder.master("local[1]")
    for name, value in OPTIONS.items():
        builder = builder.config(name, value)
    frame = builder.getOrCreate().createDataFrame(
        [(j, Vectors.dense(x.astype(float))) for j, x in enumerate(counts())], ["id", "features"]
    )
    model = LDA(
        k=K, maxIter=iterations, seed=SEED, optimizer="em", docConcentration=[ALPHA] * K, topicConcentration=ETA,
        optimizeDocConcentration=False,
    ).fit(frame)  # fmt: skip
    (field,) = (x for x in model._java_obj.getClass().getDeclaredFields() if "oldDistributedModel" in x.getName())
    field.setAccessible(True)
    rows = field.get(model._java_obj).topicDistributions().toJavaRDD().collect()
    theta = {int(x._1()): np.array(list(x._2().toArray())) for x in rows}
    return model.topicsMatrix().toArray(), np.array([theta[j] for j in sorted(theta)]) * counts().sum(1)[:, None]


def cases() -> list[Case]:
    return [{"id": f"spark/em/{t}", "t": t, "expected": right(*fitted(t))} for t in (0, 3)]


def right(N_wk: np.ndarray, N_jk: np.ndarray) -> Case:
    """The counts after a sweep of MAP by corpus, AWST09 (5)."""
    gamma = (N_jk[:, None] + ALPHA - 1) * (N_wk + ETA - 1) / (N_wk.sum(0) + len(N_wk) * (ETA - 1))
    gamma = counts()[:, :, None] * gamma / gamma.sum(2, keepdims=True)
    return {"N_wk": gamma.sum(0), "N_jk": gamma.sum(1)}


def make(checkouts: Checkouts) -> Answer:
    try:
        import pyspark  # noqa: F401
    except ImportError as error:
        raise Absent("pyspark is not installed") from error

    def answer(case: Case) -> Case:
        return dict(zip(("N_wk", "N_jk"), fitted(case["t"] + 1), strict=True))

    return answer


ROWS = [Row("spark-em", "map/sweep", make, cases=cases)]
