"""Where else some mistakes can be made: in starts, and in operations besides the steps of the algorithms."""

CONSTANTS = ("constants-without-K", "constants-without-D")
LATE_AND_EARLY = ("sums-refreshed-late", "sums-refreshed-early")
OF_CVB0 = ("K-eta-for-W-eta", "gamma-of-length-one")
FOLDED_IN = (
    "alpha-forgotten", "alpha-averaged", "counts-of-rows", "estimates-without-prior", "sums-refreshed-early",
    "sums-refreshed-late",
)  # fmt: skip
TEMPERED = ("nothing-excluded", "all-copies-excluded", "topic-count-not-excluded", "W-for-W-eta")

# The mistakes of each operation that follow its own, by the algorithm and the operation
IN_OPERATIONS: dict[tuple[str, str], tuple[str, ...]] = {
    ("cvb0", "update"): OF_CVB0,
    ("cvb0", "sweep"): OF_CVB0,
    ("cgs", "update"): ("K-eta-for-W-eta",),
    ("vb", "e_step"): ("alpha-forgotten", "alpha-averaged", "counts-of-rows"),
    ("vb", "m_step"): ("eta-forgotten", "counts-of-rows"),
    ("vb", "elbo"): ("log-of-mean-parameter", *CONSTANTS, "counts-of-rows", "log-base-2", "divided-by-tokens"),
    ("vb", "online_step"): (
        "alpha-forgotten", "alpha-averaged", "eta-forgotten", "counts-of-rows", "topics-normalised",
        "digamma-of-sum-left-out", "log-of-mean-parameter",
    ),
    ("scvb0", "online_step"): ("alpha-forgotten", "alpha-averaged", "eta-forgotten", "counts-of-rows", "W-for-W-eta"),
    ("vb", "fold_in"): (*FOLDED_IN, "log-for-digamma", "half-subtracted"),
    ("cvb0", "fold_in"): (*FOLDED_IN, "nothing-excluded", "all-copies-excluded"),
    ("lda", "log_joint"): (*CONSTANTS, "K-alpha-for-sum-alpha", "W-eta-for-sum-eta"),
    ("lda", "full_log_joint"): CONSTANTS,
    ("lda", "document_evidence"): ("counts-of-rows", "alpha-averaged"),
    ("cgs", "tempered_update"): TEMPERED,
    ("cgs", "tempered_sweep"): (*TEMPERED, "sums-refreshed-late", "draw-off-by-one"),
    ("hmc", "gradient"): ("counts-of-rows",),
    ("hmc", "leapfrog"): (
        "jacobian-left-out", "exponential-left-out", "normalisation-not-differentiated", "counts-of-rows",
    ),
}  # fmt: skip

# All mistakes of each start
IN_STARTS: dict[str, tuple[str, ...]] = {
    "one-hot": ("one-draw-for-row", "row-not-normalised"),
    "topics": ("phi-normalised-over-topics", "row-not-normalised"),
    "documents": ("one-not-added", "counts-of-rows", "phi-normalised-over-topics", "row-not-normalised"),
    "incremental": (
        *LATE_AND_EARLY, "counts-of-rows", "draw-off-by-one", "draw-strict", "draw-unnormalised",
        "topics-added-backwards", "most-probable-drawn",
    ),
    "collapsed": ("nothing-excluded", "all-copies-excluded", *LATE_AND_EARLY, "counts-of-rows"),
    "growing": (
        "nothing-excluded", "all-copies-excluded", *LATE_AND_EARLY, "counts-of-rows", "estimates-without-prior",
        "phi-normalised-over-topics", "order-ignored", "order-inverted", "swept-by-order", "parts-rounded-down",
        "one-sweep-too-few", "one-sweep-too-many", "whole-corpus-swept", "later-documents-counted",
        "next-rows-uniform",
    ),
    "anneal": (
        "nothing-excluded", "all-copies-excluded", "sums-refreshed-by-document", "sums-refreshed-early",
        "counts-of-rows", "lowered-linearly", "last-sweep-at-own-prior", "first-sweep-below-top",
        "own-prior-swept-last", "only-alpha-lowered", "offset-lowered", "larger-prior-begins-at-top",
    ),
}  # fmt: skip
