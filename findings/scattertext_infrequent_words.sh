#!/bin/bash
# scattertext 0.2.2, remove_infrequent_words(minimum_term_count): "A new TermDocumentMatrix consisting of only terms
#   which occur at least minimum_term_count". remove_infrequent_terms is another name of it.
# Guess: remove_infrequent_words(2) removes the words that occur once, and keeps the words that occur twice.
# Behaviour: it removes the words that occur twice, too: only words with more than minimum_term_count tokens stay. So a
#   minimum of 1, which should remove nothing, removes all words that occur once, and that is half of the vocabulary or
#   more. remove_terms_used_in_less_than_num_docs(2) beside it keeps the words of two documents, as its help says.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
export PYTHONDONTWRITEBYTECODE=1
"$folder/venv/bin/pip" install --quiet --no-compile numpy==2.2.6 scipy==1.13.1 pandas==2.3.3 scikit-learn==1.9.1 \
    statsmodels==0.15.0 spacy==3.8.18 flashtext==2.7 six==1.17.0 tqdm==4.70.1
"$folder/venv/bin/pip" install --quiet --no-compile --no-deps scattertext==0.2.2
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
from importlib.metadata import version

import numpy as np
import pandas as pd
import scattertext as st


def corpus_of(texts):
    table = pd.DataFrame({"text": texts, "category": ["a", "b"] * (len(texts) // 2)})
    table["parsed"] = [st.whitespace_nlp(text) for text in table["text"]]
    corpus = st.CorpusFromParsedDocuments(table, category_col="category", parsed_col="parsed").build()
    return corpus.get_unigram_corpus()


print("scattertext", version("scattertext"))
corpus = corpus_of(["one two three four", "two three four", "three four", "four"])
counts = corpus.get_term_freq_df().sum(axis=1)
print("tokens of each word", counts.to_dict())
assert counts.to_dict() == {"one": 1, "two": 2, "three": 3, "four": 4}
for minimum in (1, 2, 3):
    kept = sorted(corpus.remove_infrequent_words(minimum).get_terms(), key=counts.get)
    documents = sorted(corpus.remove_terms_used_in_less_than_num_docs(minimum).get_terms(), key=counts.get)
    print("at least", minimum, "tokens", kept, "; documents", documents)
    assert kept == [word for word in counts.sort_values().index if counts[word] > minimum]
    assert documents == [word for word in counts.sort_values().index if counts[word] >= minimum]
rng = np.random.default_rng(0)
p = 1 / np.arange(1, 5001)
names = ["".join("abcdefghij"[int(c)] for c in str(w)) for w in range(1000, 6000)]
corpus = corpus_of([" ".join(names[w] for w in rng.choice(5000, 50, p=p / p.sum())) for _ in range(40)])
words, kept = corpus.get_num_terms(), corpus.remove_infrequent_words(1).get_num_terms()
print("Zipf's law, 40 texts of 50 tokens:", words, "words, with a minimum of 1", kept)
assert kept < words / 2
PYTHON
# Seen: scattertext 0.2.2
#       tokens of each word {'one': 1, 'two': 2, 'three': 3, 'four': 4}
#       at least 1 tokens ['two', 'three', 'four'] ; documents ['one', 'two', 'three', 'four']
#       at least 2 tokens ['three', 'four'] ; documents ['two', 'three', 'four']
#       at least 3 tokens ['four'] ; documents ['three', 'four']
#       Zipf's law, 40 texts of 50 tokens: 797 words, with a minimum of 1 211
