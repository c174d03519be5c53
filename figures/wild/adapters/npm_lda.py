"""The package `lda` of npm: collapsed Gibbs sampling in JavaScript, by its sampler, in Node.

`npm install lda` in the folder of checkouts puts it there. Its sampler is taken out of its file in memory.
"""

import json
import shutil
import subprocess

from . import Absent, Case, Checkouts, Question

FILE = "node_modules/lda/lib/lda.js"
ASK = """
const fs = require('fs'), x = JSON.parse(fs.readFileSync(0, 'utf8'));
const lda = new Function('require', 'module', fs.readFileSync(x.file, 'utf8') + '; return lda;')(() => null, {});
lda.configure(x.documents, x.W, 1, 0, 1, 0, 0);
const flat = x.z.flat();
let given = flat.map(k => (k + 0.5) / x.K), i = 0, sampled = [];
lda.getRandom = () => given[i++];
lda.K = x.K; lda.alpha = x.alpha; lda.beta = x.eta; lda.initialState(x.K);
given = x.uniforms; i = 0;
const n = x.all ? flat.length : 1;
for (let m = 0; m < lda.z.length && i < n; m++)
  for (let t = 0; t < lda.z[m].length && i < n; t++) lda.z[m][t] = lda.sampleFullConditional(m, t);
console.log(JSON.stringify(lda.z));
"""


def answer(checkouts: Checkouts, q: Question) -> Case:
    file_path, node_path = str(checkouts.path(FILE).resolve()), shutil.which("node")
    if node_path is None:
        raise Absent("node is not installed")
    sent = {
        "file": file_path, "W": q.W, "K": q.K, "alpha": q.alpha, "eta": q.eta, "all": q.operation == "sweep",
        "documents": q.words(), "z": [q.z[tokens].tolist() for tokens in q.tokens], "uniforms": q.uniforms(),
    }  # fmt: skip
    done = subprocess.run([node_path, "-e", ASK], input=json.dumps(sent), capture_output=True, text=True, check=True)
    topic_lists = json.loads(done.stdout)
    return {"topic": topic_lists[0][0]} if q.operation == "draw" else {"z": q.in_order(q.tokens, topic_lists)}
