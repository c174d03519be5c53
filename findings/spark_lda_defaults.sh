#!/bin/bash
# pyspark 4.3.0, ml.clustering.LDA with its defaults (optimizer "online", maxIter 20), of 60 texts. Needs Java 17.
# Guess: after the fit the topics' counts, topicsMatrix(), add up to about the number of tokens. (Those of gensim and
#   of scikit-learn do, after one pass.)
# Behaviour: they add up to less than half of it. An iteration reads a twentieth of the texts (subsamplingRate=0.05)
#   and weighs about 0.03 (learningOffset=1024), so that after 20 iterations more than half of the weight is still that
#   of the random start. With subsamplingRate=1 and learningOffset=1 the counts are right.
# The topics' prior, which is added to these counts, is then more than twice as strong as it says, beside the tokens.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyspark==4.3.0 numpy==2.4.6
export PYSPARK_PYTHON="$folder/venv/bin/python"
"$PYSPARK_PYTHON" - 2> "$folder/messages" <<'PYTHON' || { tail -n 3 "$folder/messages"; exit 1; }
import numpy as np
import pyspark
from pyspark.ml.clustering import LDA
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession

options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1"}
spark = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
counts = np.array([[9, 9, 0, 0], [0, 0, 9, 9]] * 30)
texts = spark.createDataFrame([(Vectors.dense(row),) for row in counts.tolist()], ["features"]).coalesce(1).cache()


def tokens_in_topics(**settings):
    return float(LDA(k=2, seed=1, **settings).fit(texts).topicsMatrix().toArray().sum())


defaults, full = tokens_in_topics(), tokens_in_topics(subsamplingRate=1.0, learningOffset=1.0, maxIter=10)
print("pyspark", pyspark.__version__, "tokens", counts.sum(), "defaults", defaults, "full batches", full)
assert defaults < 0.5 * counts.sum()
assert abs(full / counts.sum() - 1) < 0.05
PYTHON
# Seen: tokens 1080 defaults 443.52397595158993 full batches 1042.5235919168952
