#!/bin/bash
# corextopic 1.1, Corex(verbose): "The verbosity level. The default, zero, means silent mode. 1 outputs TC(X;Y) as you
#   go".
# Guess: the level says how much this model prints. It changes nothing else in the program.
# Behaviour: the constructor calls np.seterr for the whole thread. With the default, the logarithm of 0, 0 / 0 and an
#   overflow give no warning any more, anywhere in the program. np.seterr(all="raise"), which the user has set before,
#   is undone. With verbose=1 all of them become warnings, underflow too, and NumPy's print options change as well. No
#   model has to be fitted, and the setting stays when the model is gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet corextopic==1.1 six==1.17.0 joblib==1.6.0 numpy==2.4.6 scipy==1.17.1
"$folder/venv/bin/python" - <<'PYTHON'
import warnings
from importlib.metadata import version

import numpy as np
from corextopic.corextopic import Corex

print("corextopic", version("corextopic"))


def warned():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        counts = np.array([[3.0, 0.0], [0.0, 0.0]])
        np.log(counts)
        counts / counts.sum(1, keepdims=True)
    return [str(warning.message) for warning in seen]


before = warned()
print("before:", before)
model = Corex(3)
del model
after = warned()
print("after Corex(3):", after)
assert len(before) == 2 and after == []

np.seterr(all="raise")
Corex(3)
print('np.seterr(all="raise"), Corex(3), np.log(0.0):', np.log(np.float64(0)))
assert set(np.geterr().values()) == {"ignore"}

print(np.array([0.123456789]), end=" ")
Corex(3, verbose=1)
print("after verbose=1", np.array([0.123456789]), np.geterr())
assert np.geterr()["under"] == "warn" and str(np.array([0.123456789])) == "[0.123]"
PYTHON
# Seen: before: ['divide by zero encountered in log', 'invalid value encountered in divide']
#       after Corex(3): []
#       np.seterr(all="raise"), Corex(3), np.log(0.0): -inf
#       [0.12345679] corex, rep size: 3
#       after verbose=1 [0.123] {'divide': 'warn', 'over': 'warn', 'under': 'warn', 'invalid': 'warn'}
