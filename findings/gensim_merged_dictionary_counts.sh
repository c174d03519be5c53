#!/bin/bash
# gensim 4.4.0, Dictionary.merge_with and Dictionary.save_as_text, and most_common().
# Guess: a merged dictionary has the counts of both, and a dictionary that was saved and loaded has those of the saved
#   one.
# Behaviour: merge_with adds the numbers of documents, dfs and num_docs, but not the numbers of tokens, cfs. So
#   most_common() of the merged dictionary leaves out each word that only the other had, however frequent it is. After
#   save_as_text and load_from_text cfs is empty, and most_common() gives no word at all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0
"$folder/venv/bin/python" -W ignore - "$folder/words.txt" <<'PYTHON'
import sys

import gensim
from gensim.corpora import Dictionary

left, right = Dictionary([["ash", "bay"], ["ash"]]), Dictionary([["bay"], ["fig"] * 50])
left.merge_with(right)
left.save_as_text(sys.argv[1])
loaded = Dictionary.load_from_text(sys.argv[1])
texts = {word: left.dfs[left.token2id[word]] for word in ("ash", "bay", "fig")}
print("gensim", gensim.__version__, "texts", texts, "tokens", left.most_common(), "loaded", loaded.most_common())
assert texts == {"ash": 2, "bay": 2, "fig": 1} and left.num_docs == loaded.num_docs == 4
assert left.most_common() == [("ash", 2), ("bay", 1)]
assert loaded.most_common() == [] and loaded.token2id == left.token2id
PYTHON
# Seen: texts {'ash': 2, 'bay': 2, 'fig': 1} tokens [('ash', 2), ('bay', 1)] loaded []
