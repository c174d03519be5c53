#!/bin/bash
# turftopic 0.28.0, vectorizers.phrases.PhraseVectorizer, "NPMI-score-based phrase extraction".
# Guess: a phrase is kept if its words stand together more often than by chance, by the counts of the words.
# Behaviour: the counts are not those of the words. The number of tokens of text i, words and phrases, is taken as the
#   count of entry i of the vocabulary, and entries beyond the number of texts have no count. So the first entries of
#   the alphabet are phrases whether their words belong together or not, and no phrase after them is found. Here one
#   phrase stands in all texts, and its normalized information is 1. "big apple" is found, with 13 pairs below the
#   threshold of 0.5. "new york" in its place is lost. All texts twice give 24 phrases, not 14.
#   The file of the class is run alone, as the whole package needs torch.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet numpy==2.4.6 scipy==1.17.1 scikit-learn==1.9.1
"$folder/venv/bin/pip" install --quiet --no-deps turftopic==0.28.0
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import distribution
from runpy import run_path

import numpy as np

package = distribution("turftopic")
print("turftopic", package.version)
PhraseVectorizer = run_path(package.locate_file("turftopic/vectorizers/phrases.py"))["PhraseVectorizer"]


def phrases(texts):
    vectorizer = PhraseVectorizer(max_ngram=2, min_df=3).fit(texts)
    return [word for word in vectorizer.get_feature_names_out() if " " in word], vectorizer.vectorizer_


def score(texts, counter, phrase):
    counts = dict(zip(counter.get_feature_names_out(), counter.transform(texts).toarray().sum(0) + 5))
    total = sum(count for word, count in counts.items() if " " not in word)
    p, p_1, p_2 = (counts[word] / total for word in (phrase, *phrase.split()))
    return round(float(np.log(p / (p_1 * p_2)) / -np.log(p)), 3)


rng = np.random.default_rng(0)
texts = [" ".join([f"m{w:02d}" for w in rng.integers(0, 40, 5 if d % 2 else 60)] + ["big", "apple"]) for d in range(60)]
york = [text.replace("big apple", "new york") for text in texts]
seen = {}
for name, corpus in (("big apple", texts), ("big apple, all texts twice", texts * 2), ("new york", york)):
    seen[name], counter = phrases(corpus)
    scores = {word: score(corpus, counter, word) for word in counter.get_feature_names_out() if " " in word}
    best = [word for word in scores if scores[word] > 0.5]
    print(f"{name}: {len(seen[name])} phrases,", *(f"{word} ({scores[word]})," for word in seen[name][:4]), "...")
    print("    above 0.5 by the counts of the words:", *(f"{word} ({scores[word]})" for word in best))
    assert best == [name.split(",")[0]] and len(scores) > 150 and len(seen[name]) > 5
    assert all(list(counter.get_feature_names_out()).index(word) < len(corpus) for word in seen[name])
assert "big apple" in seen["big apple"] and "new york" not in seen["new york"]
assert len(seen["big apple, all texts twice"]) > 1.5 * len(seen["big apple"])
PYTHON
# Seen: big apple: 14 phrases, big apple (1.0), m00 m04 (0.354), m00 m07 (0.351), m01 big (0.34), ...
#       above 0.5 by the counts of the words: big apple (1.0)
#       new york: 8 phrases, m00 m07 (0.351), m01 m03 (0.362), m03 m00 (0.335), m03 m02 (0.42), ...
#       above 0.5 by the counts of the words: new york (1.0)
