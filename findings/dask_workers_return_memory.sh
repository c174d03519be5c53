#!/bin/bash
# distributed 2026.8.0, LocalCluster with processes, and NumPy 2.4.6 arrays of half a megabyte that are made and dropped.
# Guess: a task costs on a worker what it costs in a process of one's own, plus a few milliseconds for the messages.
# Behaviour: the nanny starts its workers with MALLOC_TRIM_THRESHOLD_=65536. With the GNU C library any value of this
#   variable also ends the growth of the threshold from which an array has pages of its own, and it stays at 128 kB. So
#   each new array is made of new pages: the same loop has a thousand times as many page faults on the worker. A value of
#   2^30 changes nothing; MALLOC_MMAP_THRESHOLD_=33554432 beside it helps.
#   The variable also stays in the environment of the process that has started the cluster, where it goes before what
#   dask.config says: a second cluster has it too, whatever distributed.nanny.pre-spawn-environ is.
# Code with such temporary arrays, as most NumPy code that works block by block, is slower on a worker for this reason.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet distributed==2026.8.0 numpy==2.4.6
cat > "$folder/faults.py" <<'PYTHON'
import os
import resource

import dask
import distributed
import numpy as np
from distributed import Client, LocalCluster


def faults():
    x, y = np.ones(2**16), np.ones(2**16)

    def loop(times):
        for _ in range(times):
            z = x * y
            z = (z + x) * y

    loop(100)  # the C library learns the size of the arrays
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    loop(1000)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before, os.environ.get("MALLOC_TRIM_THRESHOLD_")


def on_a_worker():
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        return client.submit(faults, pure=False).result()


if __name__ == "__main__":
    print("distributed", distributed.__version__, "NumPy", np.__version__)
    here, there = faults(), on_a_worker()
    left = os.environ.get("MALLOC_TRIM_THRESHOLD_")
    with dask.config.set({"distributed.nanny.pre-spawn-environ": {"MALLOC_TRIM_THRESHOLD_": 2**30}}):
        configured = on_a_worker()
    os.environ["MALLOC_TRIM_THRESHOLD_"] = str(2**30)
    high = on_a_worker()
    os.environ["MALLOC_MMAP_THRESHOLD_"] = str(2**25)
    both = on_a_worker()
    print("page faults of the loop, and the variable: here", here, "on a worker", there)
    print("left in this process:", left, "after dask.config.set:", configured, "after os.environ:", high, "and both:", both)
    assert here[0] < 1_000 and here[1] is None and both[0] < 1_000
    assert there[1] == configured[1] == left == "65536" and min(there[0], configured[0], high[0]) > 100_000
PYTHON
"$folder/venv/bin/python" "$folder/faults.py"
# Seen: page faults of the loop, and the variable: here (224, None) on a worker (258002, '65536')
#       left in this process: 65536 after dask.config.set: (258004, '65536') after os.environ: (258004, '1073741824') and both: (23, '1073741824')
