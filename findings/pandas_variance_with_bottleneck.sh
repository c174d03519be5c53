#!/bin/bash
# pandas 2.3.3, Series.var() and std() of dtype float32, with Bottleneck 1.6.0, which pandas[performance] installs. The
#   help of the option compute.use_bottleneck says that Bottleneck is used "to accelerate if it is installed".
# Guess: the results are the same with Bottleneck and without, apart from rounding in the seventh digit.
# Behaviour: Bottleneck adds up the mean in single precision, and the variance is taken from that. For 4000
#   log-likelihoods near -2,000,000 with a spread of 30, std() is 66.7. Without Bottleneck it is 30.0,
#   which is right. So a number changes when another package brings Bottleneck along. mean() and sem() do not use it, so
#   sem() is not std() / sqrt(n) any more. describe() has the wrong one. astype("float64") helps, and so does
#   pandas.set_option("compute.use_bottleneck", False).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pandas==2.3.3 numpy==2.4.6
cat >"$folder/spread.py" <<'PYTHON'
import json
from importlib.util import find_spec

import numpy as np
import pandas as pd

log_likelihoods = pd.Series(np.random.default_rng(0).normal(-2e6, 30, 4000).astype(np.float32))
numbers = {
    "std": log_likelihoods.std(),
    "describe": log_likelihoods.describe()["std"],
    "sem * sqrt(n)": log_likelihoods.sem() * 4000**0.5,
    "mean": log_likelihoods.mean(),
    "std of float64": log_likelihoods.astype("float64").std(),
}
numbers = {name: round(float(x), 2) for name, x in numbers.items()}
bottleneck = find_spec("bottleneck") is not None
print("pandas", pd.__version__, "with Bottleneck" if bottleneck else "without", json.dumps(numbers))
assert (60 < numbers["std"] < 75) if bottleneck else (29.9 < numbers["std"] < 30)
assert numbers["describe"] == numbers["std"]
assert all(29.9 < numbers[name] < 30 for name in ("sem * sqrt(n)", "std of float64"))
PYTHON
"$folder/venv/bin/python" -W error "$folder/spread.py"
"$folder/venv/bin/pip" install --quiet bottleneck==1.6.0
"$folder/venv/bin/python" -W error "$folder/spread.py"
# Seen: without {"std": 29.95, "describe": 29.95, "sem * sqrt(n)": 29.95, "mean": -2000000.38, "std of float64": 29.95}
#       with Bottleneck {"std": 66.69, "describe": 66.69, "sem * sqrt(n)": 29.95, "mean": -2000000.38,
#       "std of float64": 29.95}
