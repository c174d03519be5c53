"""How the test vectors are made: `python -m tests.certify OUT_DIR [NAME ...]`.

    *_cases, plan      the inputs: short decimals, which are read as float64 numbers and taken exactly
    proofs             the right answers: `lda_reference.plain` in balls, whose bits are doubled until each number is
                       certain; in fractions where a number lies on the border between two floats
    fixed_points, duals    the answers of `converged`, proved by Krawczyk's test
    stationary         the laws of z that samplers with a known mistake keep
    posterior          the posteriors of the sampler test, by enumeration in fractions
    released           what is in print does not change: old tolerances, and the few numbers that balls round otherwise
    writing            the files, with the tolerances of single precision and the manifest
    posteriordb        reference draws in the format of posteriordb, by a command of its own

The output is the same to the last byte on every machine.
"""
