#!/bin/bash
# tmtoolkit 0.12.0, bow.dtm.create_sparse_dtm(vocab, docs, n_unique_tokens, dtype=...), "dtype: data type of the
#   resulting matrix".
# Guess: dtype="uint8" holds all counts up to 255, in a quarter of the memory.
# Behaviour: the numbers of the rows and of the columns are of that type too, and they wrap. In uint8 the word of the
#   column 256 + j is counted as the word of the column j, and the text 256 + i as the text i. The shape is that of the
#   whole matrix, the sum of all counts is right, and there is no warning. Here no count is above 3. Of the 29 words of
#   the first text 11 are lost, and it has 34 words that it does not contain.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tmtoolkit==0.12.0 numpy==1.26.4 scipy==1.17.1 "setuptools<80"
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
from tmtoolkit.bow.dtm import create_sparse_dtm

rng = np.random.default_rng(0)
vocab = [f"w{w:03d}" for w in range(400)]
docs = [[vocab[w] for w in rng.integers(400, size=30)] for _ in range(300)]
unique = sum(len(set(doc)) for doc in docs)
print("tmtoolkit", version("tmtoolkit"))
right = create_sparse_dtm(vocab, docs, unique).toarray()
assert right.max() < 10 and all(right[d, vocab.index(doc[0])] == doc.count(doc[0]) for d, doc in enumerate(docs))
seen = {}
for dtype in ("int32", "uint16", "uint8"):
    dtm = create_sparse_dtm(vocab, docs, unique, dtype=dtype)
    x = dtm.toarray().astype(int)
    seen[dtype] = x
    print(dtype, "shape", x.shape, "sum", x.sum(), "largest count", x.max(),
          "words without a token", int((x.sum(0) == 0).sum()),
          "texts without a token", int((x.sum(1) == 0).sum()),
          "words of the first text found", int((x[0] * right[0] > 0).sum()),
          "of", int((right[0] > 0).sum()), "and others", int(((x[0] > 0) & (right[0] == 0)).sum()))
assert np.array_equal(seen["int32"], right) and np.array_equal(seen["uint16"], right)
folded = np.zeros_like(right)
d, w = right.nonzero()
np.add.at(folded, (d % 256, w % 256), right[d, w])
assert np.array_equal(seen["uint8"], folded) and seen["uint8"].sum() == right.sum() == 9000
assert not seen["uint8"][:, 256:].any() and not seen["uint8"][256:].any()
PYTHON
# Seen: tmtoolkit 0.12.0
#       int32 shape (300, 400) sum 9000 largest count 3 words without a token 0 texts without a token 0 words of the
#         first text found 29 of 29 and others 0
#       uint16 shape (300, 400) sum 9000 largest count 3 words without a token 0 texts without a token 0 words of
#         the first text found 29 of 29 and others 0
#       uint8 shape (300, 400) sum 9000 largest count 4 words without a token 144 texts without a token 44 words of
#         the first text found 18 of 29 and others 34
