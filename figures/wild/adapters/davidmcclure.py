"""davidmcclure/lda: collapsed Gibbs sampling in Python 2, by its class and its function `choose`.

The changes: a statement that prints becomes an expression, and numpy.int is int. Random numbers are those of the case.
"""

from types import SimpleNamespace

from . import Answer, Case, Checkouts, Numpy, Row, by_token, given, row_of_tokens, scalars, small, token_documents

FOLDER = "davidmcclure+lda"


def make(checkouts: Checkouts) -> Answer:
    checkouts.path(f"{FOLDER}/lda.py")

    def answer(case: Case) -> Case:
        small(case)
        alpha, eta = scalars(case)
        c, K, documents, of, seen = case["corpus"], case["K"], token_documents(case), row_of_tokens(case), []
        starts = [case["state"]["z"][t] for tokens in documents for t in tokens]
        numpy = Numpy({"randint": given(starts)}, int=int)
        uniforms = iter([case["uniform"]] if "uniform" in case else case.get("uniforms", []))
        space = {"random": lambda: next(uniforms, 0.5)}
        theirs = checkouts.names(f"{FOLDER}/utils.py", ["choose"], space, ("print Dirichlet", "Dirichlet")).choose

        def choose(topics, p):
            seen.append(p / p.sum())
            return theirs(topics, p)

        changes = (('print "', '"'),)
        found = checkouts.names(f"{FOLDER}/lda.py", ["Corpus"], {"np": numpy, "choose": choose}, *changes).Corpus()
        found.documents = [SimpleNamespace(words=[c["w"][of[t]] for t in tokens]) for tokens in documents]
        found.lda(K, 1, alpha, eta)
        if case["operation"] == "update":
            return {"gamma_k": seen[0]}
        if case["operation"] == "draw":
            return {"topic": int(found.current_word_topic_assignments[0][0])}
        return {"z": by_token(case, documents, found.current_word_topic_assignments)}

    return answer


ROWS = [Row("davidmcclure", "cgs/update", make), Row("davidmcclure-draw", "cgs/draw,cgs/sweep", make)]
