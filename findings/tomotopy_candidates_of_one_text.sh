#!/bin/bash
# tomotopy 0.14.0, label.PMIExtractor(min_cf, min_df, ...), "min_df: minimum document frequency of collocations.
#   Collocations with a smaller document frequency than min_df are excluded from the candidates".
# Guess: no candidate stands in fewer than min_df texts.
# Behaviour: that holds for pairs of words. Candidates of three words or more have the document frequency 0, whatever
#   the texts are, and are kept all the same. So one text that repeats itself makes a candidate, if its pairs stand in
#   enough texts, and the candidate has a higher score than they have. Here min_df is 10, and "new york city" stands in
#   1 text of 90. Those who filter the candidates by df afterwards lose the three words that stand in 30 texts, too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import tomotopy as tp
from tomotopy.label import PMIExtractor

print("tomotopy", tp.__version__)


def stands(words, text):
    return any(tuple(text[i:i + len(words)]) == words for i in range(len(text)))


for seed in range(2):
    rng = np.random.default_rng(seed)
    texts = [[f"w{w}" for w in rng.integers(0, 60, 30)] for _ in range(90)]
    for d, text in enumerate(texts):
        text[5:5] = [["new", "york"], ["york", "city"], ["united", "arab", "emirates"]][d % 3]
    texts[0][5:5] = ["new", "york", "city"] * 20
    model = tp.LDAModel(k=2, seed=1)
    for text in texts:
        model.add_doc(text)
    model.train(100, workers=1)
    seen = {}
    for place, one in enumerate(PMIExtractor(min_cf=5, min_df=10, min_len=2, max_len=3, max_cand=100).extract(model)):
        words = tuple(one.words)
        real = sum(stands(words, text) for text in texts)
        seen[words] = (place, one.df, real)
        print("place", place, " ".join(words), "; df", one.df, "; texts with it", real, "; score", round(one.score, 2))
    assert all(df == real >= 10 for words, (_, df, real) in seen.items() if len(words) == 2)
    assert all(df == 0 for words, (_, df, _) in seen.items() if len(words) == 3)
    assert seen["new", "york", "city"] == (1, 0, 1) and seen["united", "arab", "emirates"] == (0, 0, 30)
PYTHON
# Seen: place 0 united arab emirates ; df 0 ; texts with it 30 ; score 9.19
#       place 1 new york city ; df 0 ; texts with it 1 ; score 6.78
#       place 2 united arab ; df 30 ; texts with it 30 ; score 4.6
