"""Collapsed variational Bayes, exactly: TNW06 §3.

theta and phi are treated exactly and the z are independent, q(z) = prod_ij q(z_ij | gamma_ij). The function to minimise
is the collapsed free energy F(q(z)), (12); see `collapsed_bound`. Its minimum over one gamma_ij, the others held, is

    gamma_ijk  ∝  exp(E_q(z^-ij)[log(alpha + n_jk^-ij) + log(beta + n_kx_ij^-ij) - log(W beta + n_k^-ij)])      (15)

Under q every count is a sum of independent Bernoulli variables. This module takes the expectations from the count's
generating function, by quadrature (see `bernoulli`), at a cost for each row that does not depend on the corpus. The
module `convolution` takes them from the count's distribution, as Appendix A does.
"""

from typing import Any

from .. import bernoulli
from ..engine import Algorithm, Term, Update, posterior_mean
from ..model import Array
from .collapsed_bound import bound


def mean_log(a: Any, n: Array) -> Array:
    """E[log(a + n)]: with alpha for n_jk, with beta for n_kw, with W beta for n_k."""
    return bernoulli.mean_log(a, n)  # TNW06 (15), SN12 (5), restored


def mean_log_of_rows(a: Any, S: Array, least: float) -> bernoulli.OfRows | None:
    """The same for many rows at once, each without its own token."""
    return bernoulli.mean_log_of_rows(a, S, least)  # TNW06 (15), SN12 (5), restored


TERM = Term(mean_log, bernoulli.GENERATING_FUNCTION, mean_log_of_rows)

ALGORITHM = Algorithm(
    name="cvb_exact",
    update=Update(document=TERM, word=TERM, topic=TERM, excludes="token", logs=True),
    schedules=("token", "document", "block", "corpus"),
    estimate_of=posterior_mean,
    bound_of=bound,
    objective_of=bound,
)
