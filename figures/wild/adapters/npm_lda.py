"""The package `lda` of npm: collapsed Gibbs sampling in JavaScript, by its sampler, in Node.

`npm install lda` in the folder of checkouts puts it there. Its sampler is taken out of its file in memory.
"""

import json
import shutil
import subprocess

from . import Absent, Answer, Case, Checkouts, Row, by_token, row_of_tokens, scalars, small, token_documents

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


def make(checkouts: Checkouts) -> Answer:
    file, node = str(checkouts.path(FILE).resolve()), shutil.which("node")
    if node is None:
        raise Absent("npm's lda is not run, because node is not installed")

    def answer(case: Case) -> Case:
        small(case, 20_000)
        alpha, eta = scalars(case)
        c, documents, of, z = case["corpus"], token_documents(case), row_of_tokens(case), case["state"]["z"]
        sent = {
            "file": file, "W": c["W"], "K": case["K"], "alpha": alpha, "eta": eta, "all": case["operation"] == "sweep",
            "documents": [[c["w"][of[t]] for t in x] for x in documents], "z": [[z[t] for t in x] for x in documents],
            "uniforms": case.get("uniforms", [case.get("uniform")]),
        }  # fmt: skip
        done = subprocess.run([node, "-e", ASK], input=json.dumps(sent), capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        if case["operation"] == "draw":
            return {"topic": found[0][0]}
        return {"z": by_token(case, documents, found)}

    return answer


ROWS = [Row("npm-lda", "cgs/draw,cgs/sweep", make)]
