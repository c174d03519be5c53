"""davidmcclure/lda: collapsed Gibbs sampling in Python 2, by its class and its function `choose`.

The changes: a statement that prints becomes an expression, and numpy.int is int. Random numbers are those of the case.
"""

from types import SimpleNamespace

from . import Case, Checkouts, Numpy, Question, one_by_one

FOLDER = "davidmcclure+lda"


def answer(checkouts: Checkouts, x: Question) -> Case:
    numpy = Numpy({"randint": one_by_one([x.z[t] for tokens in x.tokens for t in tokens])}, int=int)
    seen, uniforms = [], iter(x.uniforms())
    space = {"random": lambda: next(uniforms, 0.5)}
    published = checkouts.names(f"{FOLDER}/utils.py", ["choose"], space, ("print Dirichlet", "Dirichlet")).choose

    def choose(topics, p):
        seen.append(p / p.sum())
        return published(topics, p)

    model = checkouts.names(f"{FOLDER}/lda.py", ["Corpus"], {"np": numpy, "choose": choose}, ('print "', '"')).Corpus()
    model.documents = [SimpleNamespace(words=words) for words in x.words()]
    model.lda(x.K, 1, x.alpha, x.eta)
    if x.operation == "update":
        return {"gamma_k": seen[0]}
    if x.operation == "draw":
        return {"topic": int(model.current_word_topic_assignments[0][0])}
    return {"z": x.in_order(x.tokens, model.current_word_topic_assignments)}
