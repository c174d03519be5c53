#!/bin/bash
# gensim 4.4.0, AuthorTopicModel.update(corpus, author2doc), which adds texts of old or new authors to a trained model.
# Guess: the numbers in author2doc are places in the corpus that is given, as in the constructor, and a new author has
#   the topics of what he wrote.
# Behaviour: the numbers are taken as places in all texts so far, which begin with those of the first corpus. So Dan,
#   whose five texts are about what Bob writes about, is said to write about Ann's topic, 0.995 of it: he has been given
#   the first five texts of Ann, who has lost them in doc2author. The new texts are not read: a word that only they have
#   stays near the prior. One call with all texts gives Dan Bob's topic, and so does get_new_author_topics.
# The loop that should add the offset to the numbers assigns to its own variable, which changes nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import numpy as np
from gensim.corpora import Dictionary
from gensim.models import AuthorTopicModel

rng = np.random.default_rng(0)
of_ann, of_bob, of_dan = (
    [[f"{x}{w}" for w in rng.integers(0, 10, 20)] for _ in range(n)] for x, n in (("a", 20), ("b", 20), ("b", 5))
)
of_dan = [[*text, *["new"] * 5] for text in of_dan]
dictionary = Dictionary(of_ann + of_bob + of_dan)
first, new = ([dictionary.doc2bow(text) for text in texts] for texts in (of_ann + of_bob, of_dan))
authors = {"Ann": list(range(20)), "Bob": list(range(20, 40))}
settings = {"id2word": dictionary, "num_topics": 2, "passes": 20, "random_state": 0}


def topics(model, names):
    return {x: [round(float(p), 3) for _, p in model.get_author_topics(x, minimum_probability=0)] for x in names}


updated = AuthorTopicModel(first, author2doc={x: list(y) for x, y in authors.items()}, **settings)
of_new_author = [round(float(p), 3) for _, p in updated.get_new_author_topics(new, minimum_probability=0)]
updated.update(new, author2doc={"Dan": list(range(5))})
in_one = AuthorTopicModel(first + new, author2doc={**authors, "Dan": list(range(40, 45))}, **settings)
seen, right = (topics(x, ("Ann", "Bob", "Dan")) for x in (updated, in_one))
print("gensim", gensim.__version__, "after the update", seen, "texts of Dan", updated.author2doc["Dan"])
print("all texts at once", right, "get_new_author_topics", of_new_author, "author of text 0", updated.doc2author[0])
ann, bob = np.argmax(seen["Ann"]), np.argmax(seen["Bob"])
assert ann != bob and np.argmax(right["Ann"]) != np.argmax(right["Bob"])
assert seen["Dan"][ann] > 0.98
assert right["Dan"][np.argmax(right["Bob"])] > 0.98 and of_new_author[bob] > 0.98
assert updated.author2doc["Dan"] == [0, 1, 2, 3, 4] and updated.doc2author[0] == ["Dan"]
own_word = [round(float(x.get_topics()[:, dictionary.token2id["new"]].max()), 4) for x in (updated, in_one)]
print("probability of a word that only Dan's texts have", own_word)
assert own_word[0] < 0.001 and own_word[1] > 0.02
PYTHON
# Seen: after the update {'Ann': [0.999, 0.001], 'Bob': [0.001, 0.999], 'Dan': [0.995, 0.005]} texts of Dan [0, 1, 2, 3, 4]
#       all texts at once {'Ann': [0.999, 0.001], 'Bob': [0.001, 0.999], 'Dan': [0.004, 0.996]}
#       probability of a word that only Dan's texts have [0.0006, 0.0476]
