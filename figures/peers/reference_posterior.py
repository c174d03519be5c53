"""The exact reference posterior for `three_docs1200-ldaK2` of posteriordb.

    python -m figures.peers.reference_posterior

The model has two topics, three words and three documents of 400 tokens, and all priors are 1. Its posterior has two
equal modes, which differ in the numbers of the topics, so the reference has what these numbers do not change: log p(x),
the co-assignments of tokens by document and word, the second moments of theta and phi summed over topics, and the
predictive probabilities. All are ratios of sums over tables of counts (`lda_reference/truth/tables.py`).
"""

import json

import numpy as np

import lda_reference as lda
from figures.common import HERE
from lda_reference.truth import table_posterior

COUNTS = np.array([[360, 40, 0], [0, 400, 0], [0, 0, 400]])
K, PRIOR = 2, lda.Prior(1.0, 1.0)


def main():
    c = lda.Corpus.from_csr(COUNTS)
    cells, moments = table_posterior.cells(c, K, PRIOR), table_posterior.moments(c, K, PRIOR)
    posterior_reference = {
        **{"posterior": "three_docs1200-ldaK2", "counts": COUNTS.tolist(), "K": K, "alpha": 1.0, "eta": 1.0},
        "digits": "absolute error of log_evidence below 1e-11, relative error of the others below 1e-10",
        "log_evidence": moments.log_evidence,
        "rows": [[int(j), int(w)] for j, w in zip(cells.types.j, cells.types.w, strict=True)],
        **{moment_name: getattr(moments, moment_name).tolist() for moment_name in ("theta", "phi", "predictive")},
        "together": cells.together.tolist(),
    }
    json_path = HERE / "peers/three_docs1200-ldaK2.json"
    json_path.write_text(json.dumps(posterior_reference, indent=1) + "\n", encoding="utf-8")
    print(f"log p(x) = {moments.log_evidence!r}. Written: {json_path}")


if __name__ == "__main__":
    main()
