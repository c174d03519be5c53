#!/bin/bash
# gensim 4.4.0, HashDictionary.doc2bow(document, allow_update=False), "Convert a sequence of words into the
#   bag-of-words format".
# Guess: as of Dictionary: a conversion with allow_update=False, the default, leaves the number of texts and the
#   document frequencies alone.
# Behaviour: each conversion counts the text as one more of the corpus. The attribute of the same name is True from
#   the start, the constructor has no argument for it, and the update is made if the one or the other is True, so
#   False has no effect. The help mentions the attribute, but not that it is True. HashDictionary(texts) has counted
#   the texts, and their bags of words count them again. The frequencies of words, dfs_debug, change even after
#   dictionary.allow_update = False. Here three queries raise the frequency of a word from 1 in 4 texts to 4 in 7.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import gensim
from gensim.corpora import Dictionary, HashDictionary

texts = [["gene", "cell"], ["cell", "protein"], ["topic", "word"], ["word", "corpus"]]
print("gensim", gensim.__version__)
seen = {}
for kind in (Dictionary, HashDictionary):
    dictionary = kind(texts)
    number = dictionary.token2id["gene"]
    seen[kind] = [(dictionary.num_docs, dictionary.dfs[number])]
    for _ in range(3):
        dictionary.doc2bow(["gene", "cell"], allow_update=False)
        seen[kind].append((dictionary.num_docs, dictionary.dfs[number]))
    print(kind.__name__, "texts, texts with the word, after 0 to 3 conversions:", seen[kind])
assert seen[Dictionary] == [(4, 1)] * 4
assert seen[HashDictionary] == [(4, 1), (5, 2), (6, 3), (7, 4)]
dictionary = HashDictionary(texts)
bows = [dictionary.doc2bow(text) for text in texts]
print("texts after the corpus was converted", dictionary.num_docs, "of", len(texts))
assert dictionary.num_docs == 8
dictionary.allow_update = False
before = dictionary.num_docs, dictionary.dfs_debug["gene"]
dictionary.doc2bow(["gene"])
after = dictionary.num_docs, dictionary.dfs_debug["gene"]
print("after dictionary.allow_update = False: texts, dfs_debug of the word", before, after)
assert before == (8, 2) and after == (8, 3)
PYTHON
# Seen: Dictionary texts, texts with the word, after 0 to 3 conversions: [(4, 1), (4, 1), (4, 1), (4, 1)]
#       HashDictionary texts, texts with the word, after 0 to 3 conversions: [(4, 1), (5, 2), (6, 3), (7, 4)]
#       texts after the corpus was converted 8 of 4
#       after dictionary.allow_update = False: texts, dfs_debug of the word (8, 2) (8, 3)
