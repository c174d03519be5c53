"""Spark's OnlineLDAOptimizer: online variational Bayes. `figures.wild.adapters.spark` asks it, and needs Java."""

import os
import shutil

from pyspark.ml.clustering import LDA
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession

from figures.wild.adapters.spark import expected_log, step  # noqa: F401  spark.toml names them

from . import rows

NAME, PACKAGE = "pyspark", "pyspark"
if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
    raise ImportError("Java", name="Java")


def documents_of_a_batch():
    session = SparkSession.builder.master("local[1]").getOrCreate()
    copies = session.createDataFrame([(Vectors.dense([3.0, 2.0]),)] * 100, ["features"])
    options = {"k": 2, "optimizer": "online", "subsamplingRate": 1.0, "topicConcentration": 0.1,
               "learningOffset": 1.0, "learningDecay": 1.0, "optimizeDocConcentration": False}  # fmt: skip

    def expected_words(iterations, seed):
        return LDA(maxIter=iterations, seed=seed, **options).fit(copies).topicsMatrix().toArray().sum() - 2 * 2 * 0.1

    # a step, with rho = 1/2, from the topics that the seed draws; each document has 5 words
    documents = [(2 * expected_words(1, seed) - expected_words(0, seed)) / 5 for seed in range(10)]
    return {"fewest": min(documents), "most": max(documents)}


ROWS = rows(globals())
