#!/bin/bash
# gensim 4.4.0, LdaSeqModel (dynamic topic model), model[text]: "Get the topic mixture for the given document, using the
#   inferred approximation of the true posterior."
# Guess: the text is compared with the topics of its time, or with those of all times together. For a text of the corpus
#   that is what doc_topics(number) gives.
# Behaviour: model[text] goes through all time slices and keeps the result of the last one. There is no argument for the
#   time. An old text, even one of the corpus, is read with the newest meaning of its words. Here a group of words moves
#   from the one topic to the other after the first slice. A text of these words alone is then wholly of the other
#   topic, and texts of the first slice have proportions that differ by up to 0.5 from those of doc_topics.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.models import LdaSeqModel

rng = np.random.default_rng(0)
own, moving = [np.arange(10), np.arange(10, 20)], np.arange(20, 25)
texts = []
for time in range(3):
    for d in range(30):
        topic = d % 2
        words = np.r_[own[topic], moving] if topic == (time > 0) else own[topic]
        ids, counts = np.unique(rng.choice(words, 40), return_counts=True)
        texts.append([(int(w), int(n)) for w, n in zip(ids, counts)])
model = LdaSeqModel(texts, id2word={w: f"w{w}" for w in range(25)}, time_slice=[30] * 3, num_topics=2, passes=5,
                    em_max_iter=10, chain_variance=0.5, random_state=1)
print("gensim", gensim.__version__)
tops = [[model.print_topic(k, time, 25) for k in range(2)] for time in range(3)]
share = [[sum(p for word, p in top if int(word[1:]) >= 20) for top in pair] for pair in tops]
print("share of the moving words in the topics, by time:", np.round(share, 2).tolist())
old = int(np.argmax(share[0]))
only = model[[(int(w), 8) for w in moving]]
print("a text of the moving words alone has of the topic that had them at first:", round(float(only[old]), 4))
gaps = [abs(model[text] - model.doc_topics(d)).max() for d, text in enumerate(texts)]
largest = [round(float(max(gaps[first:first + 30])), 3) for first in (0, 30, 60)]
print("largest difference of model[text] from doc_topics, by time:", largest)
d = int(np.argmax(gaps))
print("text", d, "doc_topics", model.doc_topics(d).round(2).tolist(), "model[text]", model[texts[d]].round(2).tolist())
assert share[0][old] > 0.2 and share[2][old] < 0.05
assert only[old] < 0.01
assert d < 30 and gaps[d] > 0.3 and max(gaps[60:]) < 0.02
PYTHON
# Seen: share of the moving words in the topics, by time: [[0.27, 0.03], [0.02, 0.3], [0.01, 0.32]]
#       a text of the moving words alone has of the topic that had them at first: 0.0002
#       largest difference of model[text] from doc_topics, by time: [0.532, 0.0, 0.0]
#       text 4 doc_topics [1.0, 0.0] model[text] [0.47, 0.53]
