#!/bin/bash
# gensim 4.4.0, Dictionary.patch_with_special_tokens(special_token_dict), "Patch token2id and id2token using a
#   dictionary of special tokens"; its help names `{'<PAD>': 0}` as the usual use.
# Guess: a word that gives up its number takes its counts with it, so dfs[token2id[word]] is the same before and
#   after.
# Behaviour: only the numbers of the words move. The document and collection frequencies stay under the old numbers.
#   The padding token inherits the counts of the word that had its number, and that word has no counts at its new
#   number. Here the word "gene" stands in all 60 texts. After the call filter_extremes(no_below=2) removes it as too
#   rare and keeps "<PAD>", which no text has. A TfidfModel of the dictionary leaves "gene" out even if its weights do
#   not depend on the frequency of the word.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
from gensim.corpora import Dictionary
from gensim.models import TfidfModel

texts = [["gene"] * 3 + [f"word{d % 6}", f"word{(d + 1) % 6}"] for d in range(60)]


def frequencies(dictionary, word):
    number = dictionary.token2id[word]
    return dictionary.dfs.get(number), dictionary.cfs.get(number)


print("gensim", gensim.__version__)
dictionary = Dictionary(texts)
first = min(dictionary.token2id, key=dictionary.token2id.get)
before = {word: frequencies(dictionary, word) for word in dictionary.token2id}
print("word with number 0:", first, "; texts and tokens:", before[first])
dictionary.patch_with_special_tokens({"<PAD>": 0})
print("after the call: number", dictionary.token2id[first], "; texts and tokens:", frequencies(dictionary, first))
print("texts and tokens of <PAD>:", frequencies(dictionary, "<PAD>"))
print("most_common(1):", dictionary.most_common(1))
assert dictionary.most_common(1) == [("<PAD>", 180)]
assert first == "gene" and before["gene"] == (60, 180)
assert frequencies(dictionary, "gene") == (None, None) and frequencies(dictionary, "<PAD>") == (60, 180)
assert all(frequencies(dictionary, word) == before[word] for word in before if word != "gene")
weights = {}
for name, one in (("dictionary as made", Dictionary(texts)), ("patched dictionary", dictionary)):
    model = TfidfModel(dictionary=one, smartirs="nnn")
    weights[name] = {one[number]: float(weight) for number, weight in model[one.doc2bow(texts[0])]}
    print("counts by TfidfModel(smartirs='nnn'),", name, weights[name])
assert weights["dictionary as made"]["gene"] == 3 and "gene" not in weights["patched dictionary"]
dictionary.filter_extremes(no_below=2, no_above=1.0)
print("words after filter_extremes(no_below=2, no_above=1.0):", sorted(dictionary.token2id))
assert "gene" not in dictionary.token2id and "<PAD>" in dictionary.token2id
PYTHON
# Seen: word with number 0: gene ; texts and tokens: (60, 180)
#       after the call: number 7 ; texts and tokens: (None, None)
#       texts and tokens of <PAD>: (60, 180)
#       most_common(1): [('<PAD>', 180)]
#       counts by TfidfModel(smartirs='nnn'), dictionary as made {'gene': 3.0, 'word0': 1.0, 'word1': 1.0}
#       counts by TfidfModel(smartirs='nnn'), patched dictionary {'word0': 1.0, 'word1': 1.0}
#       words after filter_extremes(no_below=2, no_above=1.0): ['<PAD>', 'word0', 'word1', 'word2', 'word3', 'word4',
#         'word5']
