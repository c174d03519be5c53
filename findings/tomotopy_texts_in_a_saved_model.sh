#!/bin/bash
# tomotopy 0.14.0, LDAModel.save(filename, full): "If False, only topic parameters of the model will be saved."
# Guess: a file with full=False has the words and topics, and no texts. It doesn't matter whether the texts came by the
#   constructor's argument corpus or by add_corpus.
# Behaviour: with the argument corpus, the model keeps a copy of the whole corpus among the values that it was made
#   with, and each file contains this copy, with full=False too. The loaded model has no docs, and init_params["corpus"]
#   has all of them, with the raw texts. With full=True each text is in the file twice. With add_corpus the model is
#   equal, and the file has no texts. Here it is 56 times as short.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1
"$folder/venv/bin/python" -W ignore - "$folder/model" <<'PYTHON'
import sys

import numpy as np
import tomotopy as tp

print("tomotopy", tp.__version__)
rng = np.random.default_rng(0)
texts = [" ".join(f"{'abc'[d % 3]}x{chr(97 + w)}" for w in rng.integers(0, 20, 50)) for d in range(300)]
corpus = tp.utils.Corpus(tokenizer=tp.utils.SimpleTokenizer())
corpus.process(texts)
given = tp.LDAModel(k=3, seed=1, corpus=corpus)
added = tp.LDAModel(k=3, seed=1)
added.add_corpus(corpus)
size = {}
for name, model in (("the argument corpus", given), ("add_corpus", added)):
    model.train(50, workers=1)
    model.save(sys.argv[1], full=False)
    file = open(sys.argv[1], "rb").read()
    loaded = tp.LDAModel.load(sys.argv[1])
    inside = sum(text.encode() in file for text in texts)
    size[name] = len(file)
    print(name, "bytes", len(file), "texts in the file", inside, "of", len(texts), "docs", len(loaded.docs))
    kept = loaded.init_params["corpus"]
    assert len(loaded.docs) == 0
    if model is given:
        assert inside == 300 and [document.raw for document in kept] == texts
        print("first text from the loaded model:", kept[0].raw[:30], "...")
    else:
        assert inside == 0 and kept is None
assert all((given.get_topic_word_dist(k) == added.get_topic_word_dist(k)).all() for k in range(3))
assert size["the argument corpus"] > 5 * size["add_corpus"]
PYTHON
# Seen: the argument corpus bytes 158995 texts in the file 300 of 300 docs 0
#       first text from the loaded model: axr axm axk axf axg axa axb ax ...
#       add_corpus bytes 2816 texts in the file 0 of 300 docs 0
