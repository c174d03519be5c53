"""The mistakes that can be made in the operations besides the steps of the algorithms.

Those of the modules `libraries`, `steps` and `coherence` are made there alone; the others are those of updates,
estimates and bounds.
"""

from __future__ import annotations

from . import coherence
from . import libraries as of
from . import steps as at
from .bounds import ConstantsWithoutD, ConstantsWithoutK, DividedByTokens, LogBase2
from .draws import DrawOffByOne
from .estimates import EstimatesWithoutPrior
from .exclusion import AllCopiesExcluded, NothingExcluded, TopicCountNotExcluded
from .libraries import OfOperation
from .mistaken import Mistaken
from .schedule import SumsRefreshedEarly, SumsRefreshedLate
from .smoothing import (
    AlphaAveraged,
    AlphaForgotten,
    CountsOfRows,
    EtaForgotten,
    HalfSubtracted,
    KAlphaForSumAlpha,
    LogForDigamma,
    WEtaForSumEta,
    WForWEta,
)

CONSTANTS = (ConstantsWithoutK, ConstantsWithoutD)
FOLDED_IN = (
    of.EtaAddedToTopics, of.OneSweepMore, AlphaForgotten, AlphaAveraged, CountsOfRows, EstimatesWithoutPrior,
    SumsRefreshedEarly, SumsRefreshedLate,
)  # fmt: skip
TEMPERED = (
    at.TopicTermNotTempered, at.DocumentTermTempered, at.TemperatureForInverse, at.NotTempered, NothingExcluded,
    AllCopiesExcluded, TopicCountNotExcluded, WForWEta,
)  # fmt: skip
MISTAKES: dict[tuple[str, str], tuple[type[Mistaken], ...]] = {
    ("vb", "e_step"): (
        of.AlphaTakenAsSum, of.TopicsNormalised, of.DigammaOfSumLeftOut, of.ThetaInDigamma, of.LogOfMeanParameter,
        of.OneIterationTooMany, AlphaForgotten, AlphaAveraged, CountsOfRows,
    ),
    ("vb", "m_step"): (of.EtaTakenAsSum, of.ParametersNormalised, EtaForgotten, CountsOfRows),
    ("vb", "elbo"): (
        of.TermsOfTokensAlone, of.TermsOfPhiLeftOut, of.TermsOfThetaLeftOut, of.LogOfMeanParameter, *CONSTANTS,
        CountsOfRows, LogBase2, DividedByTokens,
    ),
    ("vb", "fold_in"): (*FOLDED_IN, LogForDigamma, HalfSubtracted),
    ("cvb0", "fold_in"): (*FOLDED_IN, NothingExcluded, AllCopiesExcluded),
    ("lda", "log_joint"): (
        of.OrdersOfJoint, of.FactorialForGamma, of.NormaliserLeftOut, *CONSTANTS, KAlphaForSumAlpha, WEtaForSumEta,
    ),
    ("lda", "full_log_joint"): (of.OrdersOfJoint, of.ExponentWithoutMinusOne, of.DensitiesLeftOut, *CONSTANTS),
    ("lda", "document_evidence"): (
        of.OrdersOfEvidence, of.PriorMeanPluggedIn, of.PosteriorMeanPluggedIn, CountsOfRows, AlphaAveraged,
    ),
    ("cgs", "tempered_update"): TEMPERED,
    ("cgs", "tempered_sweep"): (*TEMPERED, SumsRefreshedLate, DrawOffByOne),
    ("ep", "step"): (
        at.SiteNotDeleted, at.AllSitesDeleted, at.MeansWithOneMore, at.WeightsForMoments, at.DampingIgnored,
        at.ImproperIncluded, at.CavityUnchecked,
    ),
    ("hmc", "gradient"): (
        at.JacobianLeftOut, at.ExponentialLeftOut, at.NormalisationNotDifferentiated, at.LogGammaLeftOut, CountsOfRows,
    ),
    ("hmc", "leapfrog"): (
        at.FullFirstHalf, at.NoSecondHalf, at.MassLeftOut, at.MomentumTimesMass, at.GradientSign, at.JacobianLeftOut,
        at.ExponentialLeftOut, at.NormalisationNotDifferentiated, CountsOfRows,
    ),
    ("sgrld", "langevin"): (
        at.BatchNotScaled, at.DriftNotHalved, at.NoiseWithoutMetric, at.NotReflected, at.SetToZero,
    ),
    ("lda", "coherence_umass"): coherence.OF_UMASS,
    ("lda", "coherence_npmi"): coherence.OF_NPMI,
}  # fmt: skip
TEXTS = {m.name: m.text for known in MISTAKES.values() for m in known if issubclass(m, OfOperation)}
