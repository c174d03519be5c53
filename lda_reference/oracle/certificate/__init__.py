"""Makes the test vectors. The folder imports the standard library and mpmath, and nothing else of the package.

`arithmetic`, `state`, `evaluator`, `kept`, `updates`, `starts`, `classes` and `posterior` are the certificate: each
algorithm and each start evaluated at 50 digits, to be read beside the papers. So are the other operations:
`operations` lists them, and `variational`, `joint`, `propagation`, `trajectories`, `tempered` and `coherence` evaluate
them. They know nothing of the rest: `mistakes` (what implementations get wrong, as small changes of the evaluator),
`inputs`, `plan`, `cases`, `sizes`, `start_cases`, `operation_cases`, `coherence_cases`, `rejects`, `borders` and
`sampling` (the questions), `answers`, `noise` and `operation_noise` (tolerances and answers) and `writing` (the files).
"""
