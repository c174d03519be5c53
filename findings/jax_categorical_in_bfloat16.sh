#!/bin/bash
# jax 0.10.2, jax.random.categorical(key, logits), "Sample random values from categorical distributions", with logits in
#   half precision, as a language model or a topic model on an accelerator has them. The help says that "in float32
#   sampling will be biased for events with probability less than about 1E-7".
# Guess: The draws have the probabilities softmax(logits), up to the rounding of the logits, which is below one percent.
# Behaviour: The function adds Gumbel noise of the dtype of the logits. In bfloat16 the noise has 128 values, and none
#   is above 4.9. In float32 it goes up to 16. Here one word has the probability 0.5, and 999 words share the rest. In
#   half of the draws one of the 999 words should have so much noise that it wins, but there is no such noise in
#   bfloat16. The one word has 99 percent of the draws. Most of the other words do not occur in 20000 draws, of which
#   each should have 10. In float16 the one word has 73 percent. The draws are right if the same rounded logits are cast
#   to float32. In a Zipf distribution of 50 words, the last word has less than half of its draws.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 scipy==1.17.1
JAX_PLATFORMS=cpu "$folder/venv/bin/python" -W ignore - <<'PYTHON'
import jax
import jax.numpy as jnp
import numpy as np

print("jax", jax.__version__)
n_words, n_draws = 1000, 20000
p = np.full(n_words, 0.5 / (n_words - 1))
p[0] = 0.5
share = {}
for seed in (0, 1):
    for dtype in ("float32", "float16", "bfloat16"):
        logits = jnp.log(jnp.asarray(p, "float32")).astype(dtype)
        exact = float(jax.nn.softmax(logits.astype("float32"))[0])
        draws, cast = (
            np.asarray(jax.random.categorical(jax.random.key(seed), x, shape=(n_draws,)))
            for x in (logits, logits.astype("float32"))
        )
        share[dtype] = (draws == 0).mean()
        words = len(np.unique(draws))
        print(f"seed {seed}, {dtype}: p of word 0 {exact:.3f}, its share {share[dtype]:.3f}, cast to float32 "
              f"{(cast == 0).mean():.3f}, words drawn {words}")
        assert abs(exact - 0.5) < 0.01 and abs((cast == 0).mean() - exact) < 0.015
        assert (words < 200) == (dtype == "bfloat16")
    assert abs(share["float32"] - 0.5) < 0.015 and 0.7 < share["float16"] < 0.76 and share["bfloat16"] > 0.98
zipf = 1 / np.arange(1, 51)
zipf /= zipf.sum()
logits = jnp.log(jnp.asarray(zipf, "float32")).astype("bfloat16")
draws = np.asarray(jax.random.categorical(jax.random.key(0), logits, shape=(200000,)))
ratio = np.bincount(draws, minlength=50) / len(draws) / np.asarray(jax.nn.softmax(logits.astype("float32")))
print("Zipf, bfloat16: share / p of words 1, 10, 20, 30, 50", ratio[[0, 9, 19, 29, 49]].round(2).tolist())
assert ratio[0] > 1.1 and ratio[-1] < 0.5
noise = np.asarray(jax.random.gumbel(jax.random.key(0), (100000,), jnp.bfloat16).astype("float32"))
print("noise in bfloat16: different values", len(np.unique(noise)), "largest", noise.max())
assert len(np.unique(noise)) <= 128 and noise.max() < 4.9
PYTHON
# Seen: seed 0, float32: p of word 0 0.500, its share 0.498, cast to float32 0.498, words drawn 1000
#       seed 0, float16: p of word 0 0.500, its share 0.727, cast to float32 0.498, words drawn 991
#       seed 0, bfloat16: p of word 0 0.499, its share 0.992, cast to float32 0.497, words drawn 123
#       seed 1, float32: p of word 0 0.500, its share 0.498, cast to float32 0.498, words drawn 1000
#       seed 1, float16: p of word 0 0.500, its share 0.725, cast to float32 0.498, words drawn 989
#       seed 1, bfloat16: p of word 0 0.499, its share 0.993, cast to float32 0.497, words drawn 115
#       Zipf, bfloat16: share / p of words 1, 10, 20, 30, 50 [1.17, 0.99, 0.78, 0.66, 0.43]
#       noise in bfloat16: different values 128 largest 4.84375
