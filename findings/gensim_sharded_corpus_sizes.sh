#!/bin/bash
# gensim 4.4.0, corpora.sharded_corpus.ShardedCorpus. "By saving automatically, any new ShardedCorpus with the same
#   `output_prefix` will be able to find the information about the data serialized with the given prefix", "namely the
#   shard size and whether it was serialized in dense or sparse format". resize_shards: "Re-process the dataset to new
#   shard size".
# Guess: a corpus that is opened again by its prefix, or loaded after its shards were resized, has the documents that
#   the first object has.
# Behaviour: a new object with the same prefix does not take over the shard size, but uses the default of 4096 or its
#   own argument. A slice that goes beyond the first shard is then cut short without an error: 5 of 20 documents here.
#   After resize_shards the files have the new sizes, but the saved object still has the old ones, because it is not
#   saved again. What is loaded then takes documents from wrong places: the slice 10:13 gives the documents 20 to 22. A
#   call of save() after resize_shards, and ShardedCorpus.load in place of the constructor, avoid both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet gensim==4.4.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" -W ignore - "$folder" <<'PYTHON'
import sys

import gensim
from gensim.corpora.sharded_corpus import ShardedCorpus

bows = [[(0, i), (1, 1)] for i in range(60)]  # the first count is the number of the document


def numbers(corpus, start, stop):
    return [int(n) for n in corpus[start:stop][:, 0]]


print("gensim", gensim.__version__)
prefix = f"{sys.argv[1]}/corpus"
first = ShardedCorpus(prefix, bows, dim=2, shardsize=10)
assert numbers(first, 5, 25) == list(range(5, 25))
again = ShardedCorpus(prefix, bows, dim=2)
print("shard size", first.shardsize, "opened again by the prefix", again.shardsize, "documents", len(first), len(again))
print("documents 5:25, first object", len(numbers(first, 5, 25)), "of the one opened again", numbers(again, 5, 25))
assert len(again) == 60 and again.shardsize == 4096 and numbers(again, 5, 25) == [5, 6, 7, 8, 9]
assert numbers(ShardedCorpus.load(prefix), 5, 25) == list(range(5, 25))
first.resize_shards(20)
assert numbers(first, 10, 13) == [10, 11, 12]
loaded = ShardedCorpus.load(prefix)
print("after resize_shards(20), documents 10:13 of the first object", numbers(first, 10, 13),
      "of the loaded one", numbers(loaded, 10, 13))
assert len(loaded) == 60 and loaded.shardsize == 10 and numbers(loaded, 10, 13) == [20, 21, 22]
first.save()
print("after save()", numbers(ShardedCorpus.load(prefix), 10, 13))
assert numbers(ShardedCorpus.load(prefix), 10, 13) == [10, 11, 12]
PYTHON
# Seen: gensim 4.4.0
#       shard size 10 opened again by the prefix 4096 documents 60 60
#       documents 5:25, first object 20 of the one opened again [5, 6, 7, 8, 9]
#       after resize_shards(20), documents 10:13 of the first object [10, 11, 12] of the loaded one [20, 21, 22]
#       after save() [10, 11, 12]
