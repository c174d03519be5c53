"""pyspark of PyPI: `pyspark.ml.clustering.LDA`, which needs Java.

The start of the optimizer "em" cannot be given. So it is fitted for t and for t + 1 iterations with one seed. What it
keeps after t is the case, and what it keeps after t + 1 its answer. The expected counts of the documents are in a
private field.

With the optimizer "online", `fit` takes neither topics nor a batch. So `figures.peers` asks the method that it calls
for each batch, `submitMiniBatch`. The fields of the optimizer are private in Scala, and are written by reflection.
"""

from functools import cache
from typing import Any

import numpy as np

from figures.peers.adapters import only_numbers
from figures.peers.conformance_cases import counts_of, prior_of

from . import Absent, Case, Checkouts, Question

K, ALPHA, ETA, SEED = 3, 1.5, 1.2, 7  # it refuses priors of 1 and below
OPTIONS = {
    "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "1",
    "spark.log.level": "ERROR",
}  # fmt: skip


def counts() -> np.ndarray:
    return np.random.default_rng(5).poisson(0.4, (12, 20)) + np.eye(12, 20, dtype=int)


def session() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.builder.master("local[1]").config(map=OPTIONS).getOrCreate()


@cache
def fitted(iterations: int) -> tuple[np.ndarray, np.ndarray]:
    """N_wk and N_jk after some iterations."""
    try:
        from pyspark.ml.clustering import LDA
        from pyspark.ml.linalg import Vectors
    except ImportError as error:
        raise Absent("pyspark is not installed") from error

    data_frame = session().createDataFrame(
        [(j, Vectors.dense(x.astype(float))) for j, x in enumerate(counts())], ["id", "features"]
    )
    model = LDA(
        k=K, maxIter=iterations, seed=SEED, optimizer="em", docConcentration=[ALPHA] * K, topicConcentration=ETA,
        optimizeDocConcentration=False,
    ).fit(data_frame)  # fmt: skip
    (java_field,) = (x for x in model._java_obj.getClass().getDeclaredFields() if "oldDistributedModel" in x.getName())
    java_field.setAccessible(True)
    theta_rows = java_field.get(model._java_obj).topicDistributions().toJavaRDD().collect()
    theta = {int(x._1()): np.array(list(x._2().toArray())) for x in theta_rows}
    return model.topicsMatrix().toArray(), np.array([theta[j] for j in sorted(theta)]) * counts().sum(1)[:, None]


def cases() -> list[Case]:
    empty_corpus = {"j": [], "w": [], "n": [], "D": 0, "W": 0}  # the corpus is that of `counts`
    shared_fields = {"operation": "sweep", "corpus": empty_corpus, "K": K, "prior": {"alpha": ALPHA, "eta": ETA}}
    return [shared_fields | {"id": f"spark/em/{t}", "t": t, "expected": right(*fitted(t))} for t in (0, 3)]


def right(N_wk: np.ndarray, N_jk: np.ndarray) -> Case:
    """The counts after a sweep of MAP by corpus, AWST09 (5)."""
    gamma = (N_jk[:, None] + ALPHA - 1) * (N_wk + ETA - 1) / (N_wk.sum(0) + len(N_wk) * (ETA - 1))
    gamma = counts()[:, :, None] * gamma / gamma.sum(2, keepdims=True)
    return {"N_wk": gamma.sum(0), "N_jk": gamma.sum(1)}


def java(numbers: Any) -> Any:
    """A vector of Spark, or the transpose of a matrix."""
    from pyspark.mllib.common import _py2java
    from pyspark.mllib.linalg import DenseMatrix, DenseVector

    numbers = np.array(numbers, float)
    spark_array = DenseVector(numbers) if numbers.ndim == 1 else DenseMatrix(*numbers.T.shape, numbers.ravel())
    return _py2java(session().sparkContext, spark_array)


def expected_log(case: Case) -> Case:
    clustering = session().sparkContext._jvm.org.apache.spark.mllib.clustering
    lda_utils = getattr(getattr(clustering, "LDAUtils$"), "MODULE$")
    return {"mean_log": [list(lda_utils.dirichletExpectation(java(x).asBreeze()).data()) for x in case["parameters"]]}


def step(case: Case) -> Case:
    """The topics after a batch. Its E step starts from Gamma variables, which are 1 if their shape is large."""
    only_numbers(case, "eta")
    spark_context, X = session().sparkContext, counts_of(case)
    optimizer = spark_context._jvm.org.apache.spark.mllib.clustering.OnlineLDAOptimizer()
    optimizer_fields = {
        "k": case["K"], "vocabSize": X.shape[1], "alpha": java(prior_of(case)[0]), "eta": float(case["prior"]["eta"]),
        "corpusSize": case["total_D"], "tau0": case["tau0"], "kappa": case["kappa"], "iteration": case["t"] - 1,
        "miniBatchFraction": np.nextafter(len(X) / case["total_D"], 0).item(),  # it is rounded up to a size
        "lambda": java(case["eta_wk"]).asBreeze(), "gammaShape": 1e30,
        "randomGenerator": spark_context._jvm.java.util.Random(),
    }  # fmt: skip
    for field_name, x in optimizer_fields.items():
        java_field = optimizer.getClass().getDeclaredField(field_name)
        java_field.setAccessible(True)
        java_field.set(optimizer, x)
    documents = [spark_context._jvm.scala.Tuple2(j, java(x)) for j, x in enumerate(X)]
    optimizer.submitMiniBatch(spark_context._jsc.parallelize(documents, 1).rdd())
    topics_matrix = optimizer.getLDAModel(spark_context._gateway.new_array(spark_context._jvm.double, 0)).topicsMatrix()
    return {"eta_wk": np.reshape(list(topics_matrix.toArray()), (X.shape[1], -1), "F").tolist()}


def answer(checkouts: Checkouts, q: Question) -> Case:
    return dict(zip(("N_wk", "N_jk"), fitted(q.case["t"] + 1), strict=True))
