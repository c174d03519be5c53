"""The answers of the test vectors are proved: `python -m tests.certify OUT_DIR [NAME ...]`.

    plan               the questions, which are data: those of released vectors are read from their files
    proofs             the right answers: `lda_reference.plain` in balls, whose bits are doubled until each number is
                       certain; in fractions where a number lies on the border between two floats
    many_rows    the cases of 100,000 rows, with their answers and their tolerances
    fixed_points, duals    the answers of `converged`, proved by Krawczyk's test
    stationary         the laws of z that samplers with a known mistake keep
    posterior          the posteriors of the sampler test, by enumeration in fractions
    released           what is in print does not change: old tolerances, and the few numbers that balls round otherwise
    writing            the files, with the tolerances of single precision and the manifest
    posteriordb        reference draws in the format of posteriordb, by a command of its own
    posteriordb_chains R-hat of longer chains on posteriordb's Pride and Prejudice, by a command of its own

The output is the same to the last byte on every machine.

A new vector is one entry of `plan.NEW`: its id, what it asks, its corpus and its prior. What the entry leaves out, such
as the state, is drawn from the id. `python -m tests.certify lda_reference/oracle/vectors NAME single` then writes the
case with its answer and its tolerances into NAME.json. From then on its question is data, and the entry is deleted.
"""
