#!/bin/bash
# tomotopy 0.14.0, HLDAModel, topics in a tree.
# Guess: the number of a topic means the same in a text's get_topics() and in the model's get_topic_words(k).
# Behaviour: a text's get_topics() and get_topic_dist() number the levels of the tree, 0 to depth - 1, while
#   get_topic_words(k) and the topics of the tokens number its nodes. So get_topic_words(2), for the lowest level, gives
#   the words of a node that is not alive, all equally probable, and does so without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import numpy as np
import tomotopy

rng = np.random.default_rng(0)
model = tomotopy.HLDAModel(depth=3, seed=1)
for j in range(60):
    model.add_doc([f"w{x}" for x in rng.integers(0, 10, 30) + 10 * (j % 2)])
model.train(100, workers=1)
text = list(model.docs)[0]
theta_k = text.get_topic_dist()
nodes = sorted({int(z) for z in text.topics})
live = [k for k in range(model.k) if model.is_live_topic(k)]
words = model.get_topic_words(2, top_n=3)
print("tomotopy", tomotopy.__version__, "theta of a text", theta_k.round(2).tolist(), "topics of its tokens", nodes)
print("live topics", live, "words of topic 2", [(word, round(p, 3)) for word, p in words])
assert len(theta_k) == 3
assert set(nodes) <= set(live) and max(nodes) > 2 and 2 not in live
assert np.allclose([p for _, p in words], 1 / 20)
PYTHON
# Seen: theta of a text [0.0, 0.25, 0.75] topics of its tokens [9, 17]
#       live topics [0, 8, 9, 16, 17] words of topic 2 [('w6', 0.05), ('w0', 0.05), ('w13', 0.05)]
