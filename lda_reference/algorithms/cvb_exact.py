"""Collapsed variational Bayes with exact expectations, TNW06 §3.

The method assumes that the topics z_ij are independent, q(z) = prod_ij q(z_ij | gamma_ij), and nothing else about the
posterior. It minimises the free energy F(q(z)), (12); `collapsed_bound` computes -F. The minimum of F over one
gamma_ij, with all other gamma fixed, is

    gamma_ijk  =  exp(E[log(alpha + n_jk.^-ij) + log(beta + n_.kx_ij^-ij) - log(W beta + n_.k.^-ij)]) / Z_ij      (15)

where E is taken under q(z^-ij), and Z_ij is the sum of the numerator over k.

    TNW06                    code
    i, j, x_ij               a token of a row, its document, its word
    alpha, beta, W beta      alpha, eta, the sum of eta
    n_jk., n_.kw, n_.k.      tokens of topic k in document j, of word w, in the corpus
    E[log(a + n)]            mean_log(a, S) for each count n, where S sums GENERATING_FUNCTION over its tokens
    -ij                      excludes="token": the engine takes one token of the row out of each count
    exp and Z_ij             logs=True: engine.update.weights and soft

Under q a count is a sum of independent Bernoulli variables. `bernoulli` computes E[log(a + n)] from the generating
function of the count by numerical integration; the cost of a row does not depend on the size of the corpus. The module
`convolution` computes it from the distribution of the count, as Appendix A does. SN12 (5) is the same update; SN12's
formulas are lost in our text, which "restored" marks.

The plain text is `plain.updates.CVBExact`, from the distribution of each count.
"""

from ..bernoulli import GENERATING_FUNCTION, mean_log, mean_log_of_rows
from ..engine.algorithm import Algorithm
from ..engine.counts import posterior_mean
from ..engine.update import Term, Update
from .collapsed_bound import bound

TERM = Term(mean_log, GENERATING_FUNCTION, mean_log_of_rows)  # TNW06 (15), SN12 (5), restored

ALGORITHM = Algorithm(
    name="cvb_exact",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="token", logs=True),
    schedules=("token", "document", "block", "corpus"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of=bound,
    prior_range=(1e-100, 1e8),  # sums of larger numbers soon exceed LARGEST of `bernoulli`
)
