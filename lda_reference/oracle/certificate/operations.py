"""The operations besides the steps of the thirteen algorithms, and the class that evaluates each of them."""

from __future__ import annotations

from .coherence import NPMI, UMass
from .evaluator import Evaluator
from .joint import DocumentEvidence, FullLogJoint, LogJoint
from .propagation import EPStep
from .tempered import TemperedCGS
from .trajectories import Gradient, Langevin, Leapfrog
from .variational import ELBO, EStep, FoldInCVB0, FoldInVB, MStep

# By algorithm and operation. `lda` is the model.
OPERATIONS: dict[tuple[str, str], type[Evaluator]] = {
    ("vb", "e_step"): EStep,
    ("vb", "m_step"): MStep,
    ("vb", "elbo"): ELBO,
    ("vb", "fold_in"): FoldInVB,
    ("cvb0", "fold_in"): FoldInCVB0,
    ("lda", "log_joint"): LogJoint,
    ("lda", "full_log_joint"): FullLogJoint,
    ("lda", "document_evidence"): DocumentEvidence,
    ("cgs", "tempered_update"): TemperedCGS,
    ("cgs", "tempered_sweep"): TemperedCGS,
    ("ep", "step"): EPStep,
    ("hmc", "gradient"): Gradient,
    ("hmc", "leapfrog"): Leapfrog,
    ("sgrld", "langevin"): Langevin,
    ("lda", "coherence_umass"): UMass,
    ("lda", "coherence_npmi"): NPMI,
}
