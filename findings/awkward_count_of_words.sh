#!/bin/bash
# awkward 2.14.0, ak.count(array, axis=None), "Counts an array's elements over one or all levels of nesting"; with
#   axis=None it should "combine all values from the array into a single scalar result".
# Guess: for an array of texts, each a list of words, it is the number of words, and with axis=1 that of each text.
#   The type of the array is "var * string", and ak.num and ak.flatten take a word as one element.
# Behaviour: a word is taken as a list of letters (bytes). ak.count(texts) is an array: its number i says how many words
#   have a letter at place i. With axis=1 or axis=-1 each text has such an array. ak.sum(texts) adds up the codes of the
#   letters place by place, without an error. ak.num(texts, axis=1), of lists, counts words.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet awkward==2.14.0 numpy==2.4.6
"$folder/venv/bin/python" -W ignore - <<'PYTHON'
import awkward as ak

texts = ak.Array([["the", "gene", "of", "the", "cell"], [], ["a", "gene"]])
words = ak.flatten(texts).tolist()


def places(some):
    return [sum(len(word) > i for word in some) for i in range(max(map(len, some), default=0))]


print("awkward", ak.__version__, "; type", texts.type)
print("number of words", len(words), "; of each text", ak.num(texts, axis=1).tolist(), ak.num(texts, axis=-1).tolist())
print("ak.count(texts)", ak.count(texts).tolist())
print("ak.count(texts, axis=1)", ak.count(texts, axis=1).tolist())
print("ak.sum(texts, axis=1)", ak.sum(texts, axis=1).tolist())
assert ak.num(texts, axis=1).tolist() == ak.num(texts, axis=-1).tolist() == [5, 0, 2] and len(words) == 7
assert ak.count(texts).tolist() == places(words)
assert ak.count(texts, axis=1).tolist() == ak.count(texts, axis=-1).tolist() == list(map(places, texts.tolist()))
assert ak.count(ak.Array(words), axis=0).tolist() == places(words)
assert ak.sum(texts, axis=1).tolist()[2] == [ord("a") + ord("g"), ord("e"), ord("n"), ord("e")]
numbers = ak.Array([[len(word) for word in text] for text in texts.tolist()])
print("of the words' lengths: ak.count", int(ak.count(numbers)), "; axis=1", ak.count(numbers, axis=1).tolist())
assert ak.count(numbers) == 7 and ak.count(numbers, axis=1).tolist() == [5, 0, 2]
PYTHON
# Seen: awkward 2.14.0 ; type 3 * var * string
#       number of words 7 ; of each text [5, 0, 2] [5, 0, 2]
#       ak.count(texts) [7, 6, 5, 3]
#       ak.count(texts, axis=1) [[5, 5, 4, 2], [], [2, 1, 1, 1]]
#       ak.sum(texts, axis=1) [[545, 512, 420, 209], [], [200, 101, 110, 101]]
#       of the words' lengths: ak.count 7 ; axis=1 [5, 0, 2]
