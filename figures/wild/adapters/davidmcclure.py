"""davidmcclure/lda: collapsed Gibbs sampling in Python 2, by its class and its function `choose`.

The changes: a statement that prints becomes an expression, and numpy.int is int. Random numbers are those of the case.
"""

from types import SimpleNamespace

from . import Case, Checkouts, Numpy, Question, given

FOLDER = "davidmcclure+lda"


def answer(at: Checkouts, x: Question) -> Case:
    numpy = Numpy({"randint": given([x.z[t] for tokens in x.tokens for t in tokens])}, int=int)
    seen, uniforms = [], iter(x.uniforms())
    space = {"random": lambda: next(uniforms, 0.5)}
    theirs = at.names(f"{FOLDER}/utils.py", ["choose"], space, ("print Dirichlet", "Dirichlet")).choose

    def choose(topics, p):
        seen.append(p / p.sum())
        return theirs(topics, p)

    found = at.names(f"{FOLDER}/lda.py", ["Corpus"], {"np": numpy, "choose": choose}, ('print "', '"')).Corpus()
    found.documents = [SimpleNamespace(words=words) for words in x.words()]
    found.lda(x.K, 1, x.alpha, x.eta)
    if x.operation == "update":
        return {"gamma_k": seen[0]}
    if x.operation == "draw":
        return {"topic": int(found.current_word_topic_assignments[0][0])}
    return {"z": x.in_order(x.tokens, found.current_word_topic_assignments)}
