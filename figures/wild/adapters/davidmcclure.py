"""davidmcclure/lda: collapsed Gibbs sampling in Python 2, by its class and its function `choose`.

The changes: a statement that prints becomes an expression, and numpy.int is int. Random numbers are those of the case.
"""

from types import SimpleNamespace

from . import Case, Checkouts, Numpy, Question, one_by_one

FOLDER = "davidmcclure+lda"


def answer(checkouts: Checkouts, q: Question) -> Case:
    numpy = Numpy({"randint": one_by_one([q.z[t] for tokens in q.tokens for t in tokens])}, int=int)
    seen_p, uniforms = [], iter(q.uniforms())
    random_names = {"random": lambda: next(uniforms, 0.5)}
    published = checkouts.names(f"{FOLDER}/utils.py", ["choose"], random_names, ("print Dirichlet", "Dirichlet")).choose

    def choose(topics, p):
        seen_p.append(p / p.sum())
        return published(topics, p)

    model = checkouts.names(f"{FOLDER}/lda.py", ["Corpus"], {"np": numpy, "choose": choose}, ('print "', '"')).Corpus()
    model.documents = [SimpleNamespace(words=words) for words in q.words()]
    model.lda(q.K, 1, q.alpha, q.eta)
    if q.operation == "update":
        return {"gamma_k": seen_p[0]}
    if q.operation == "draw":
        return {"topic": int(model.current_word_topic_assignments[0][0])}
    return {"z": q.in_order(q.tokens, model.current_word_topic_assignments)}
