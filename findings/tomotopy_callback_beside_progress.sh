#!/bin/bash
# tomotopy 0.14.0, LDAModel.train(callback, show_progress): "callback: a callable object which is called every
#   callback_interval iterations", "show_progress: If True, it shows progress bar during training".
# Guess: with both, the bar is shown and the callback is called.
# Behaviour: the bar takes the place of the callback, which is never called. There is no warning. What the callback
#   should have kept, such as the log likelihoods, is lost. show_progress without a callback ends in a RecursionError,
#   so the bar can be had only with a callback, and then only instead of it. All models share this function.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet tomotopy==0.14.0 numpy==2.4.6 scipy==1.17.1 tqdm==4.70.1
"$folder/venv/bin/python" -W ignore - 2>"$folder/bar" <<'PYTHON'
import numpy as np
import tomotopy as tp

print("tomotopy", tp.__version__)
rng = np.random.default_rng(0)
for kind in (tp.LDAModel, tp.DMRModel, tp.HDPModel, tp.PTModel):
    seen = {}
    for progress in (False, True):
        model = kind(seed=1)
        for d in range(60):
            model.add_doc([f"w{w}" for w in rng.integers(0, 20, 30)])
        seen[progress] = []
        model.train(50, workers=1, show_progress=progress,
                    callback=lambda model, step, steps: seen[progress].append((step, round(model.ll_per_word, 2))))
    print(kind.__name__, "calls without the bar", len(seen[False]), "with the bar", len(seen[True]))
    assert len(seen[False]) == 6 and seen[True] == []
try:
    model.train(50, workers=1, show_progress=True)
except RecursionError as error:
    print("show_progress without a callback:", type(error).__name__)
else:
    raise AssertionError("no error")
PYTHON
echo "the bar was shown $(tr '\r' '\n' < "$folder/bar" | grep -c '100%') times at its end"
test "$(tr '\r' '\n' < "$folder/bar" | grep -c '100%')" -ge 4
# Seen: LDAModel calls without the bar 6 with the bar 0
#       DMRModel calls without the bar 6 with the bar 0
#       HDPModel calls without the bar 6 with the bar 0
#       PTModel calls without the bar 6 with the bar 0
#       show_progress without a callback: RecursionError
#       the bar was shown 4 times at its end
