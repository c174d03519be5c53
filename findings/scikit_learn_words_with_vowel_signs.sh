#!/bin/bash
# scikit-learn 1.9.1, CountVectorizer, and gensim 4.4.0, utils.simple_preprocess, with their defaults.
# Guess: both split a text of any alphabet at its spaces and its marks of punctuation.
# Behaviour: Python's \w, by which both find words, has no vowel signs and no combining accents. So a Hindi word is cut
#   at each vowel sign, and single letters are dropped: a sentence of four words has none left, another has two pieces,
#   one of which is the word for water in a text about electricity. A Turkish İ in lower case is an i and a combining
#   dot, so İstanbul becomes stanbul. With token_pattern=r"\S+" scikit-learn keeps whole what stands between spaces.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet scikit-learn==1.9.1 gensim==4.4.0 scipy==1.17.1 numpy==2.4.6
PYTHONUTF8=1 "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
import sklearn
from gensim.utils import simple_preprocess
from sklearn.feature_extraction.text import CountVectorizer

texts = ["हिन्दी भाषा में किताब", "बिजली पानी सड़क विकास", "İstanbul istanbul"]
split = {
    "scikit-learn": CountVectorizer().build_analyzer(),
    "gensim": simple_preprocess,
    r"\S+": CountVectorizer(token_pattern=r"\S+").build_analyzer(),
}
words = {name: [tokens(text) for text in texts] for name, tokens in split.items()}
print("scikit-learn", sklearn.__version__, "gensim", gensim.__version__, words["scikit-learn"])
assert words["scikit-learn"] == words["gensim"]
assert words["gensim"] == [[], ["जल", "सड"], ["stanbul", "istanbul"]]
assert words[r"\S+"][:2] == [text.split() for text in texts[:2]]
PYTHON
# Seen: [[], ['जल', 'सड'], ['stanbul', 'istanbul']]
