"""A model's topics and documents as tables."""

import numpy as np

import lda_reference as lda

from .helpers import refusals

C = lda.Corpus.from_documents([[0, 1, 0], [2, 2], [0]], vocab=("ash", "<b>", "fig"))
F = lda.fit(C, 3, sweeps=5)._replace(
    theta_jk=np.array([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.5, 0.5, 0.0]]),
    phi_wk=np.array([[0.5, 0.125, 0.4], [0.25, 0.125, 0.4], [0.25, 0.75, 0.2]]),
)
F = F._replace(state=F.state._replace(gamma=np.eye(3)[[0] * 5 + [1]]))


def test_topics_are_rows_in_the_order_of_their_numbers():
    assert F.topics(2) == [
        {"topic": 0, "share": 0.5, "words": ("ash", "<b>"), "probabilities": (0.5, 0.25)},
        {"topic": 1, "share": 0.5, "words": ("fig",), "probabilities": (0.75,)},
        {"topic": 2, "share": 0.0, "words": (), "probabilities": ()},
    ]
    assert F._replace(vocab=None).topics(1)[1]["words"] == (2,)
    assert repr(F.topics(2)).splitlines()[1] == "0      0.5    ash <b>  0.5 0.25"
    assert "<td>0.5</td><td>ash &lt;b&gt; fig</td>" in F._repr_html_()


def test_documents_are_rows_with_theta_under_numbers_or_names():
    assert F.documents()[1] == {"document": 1, "topic_0": 0.25, "topic_1": 0.75, "topic_2": 0.0}
    assert [document_row["document"] for document_row in F.documents("abc")] == ["a", "b", "c"]
    for table in (F._replace(theta_jk=np.ones((D, 1)), phi_wk=F.phi_wk[:, :1]).documents() for D in (50, 51)):
        assert repr(table).splitlines()[-1].startswith("..." if len(table) > 50 else "49 ")


test_a_wrong_argument_of_a_table_is_refused = refusals(lambda table_call: table_call(), [
    (lambda: F.topics(0), "words is 0, expected a whole number from 1"),
    (lambda: F.documents(["a"]), "names has 1 names, expected 3"),
    (lambda: lda.fit(C, 2, replicates=4, sweeps=1).topics(), "the fit holds 4 replicates, expected one run"),
])
