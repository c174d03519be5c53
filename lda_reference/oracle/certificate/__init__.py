"""Makes the test vectors. The folder imports the standard library and mpmath, and nothing else of the package.

`arithmetic`, `state`, `evaluator`, `kept`, `updates`, `starts`, `classes` and `posterior` are the certificate: each
algorithm and each start evaluated at 50 digits, to be read beside the papers. They know nothing of the rest: `mistakes`
(what implementations get wrong, as small changes of the evaluator), `inputs`, `plan`, `cases`, `sizes`, `start_cases`,
`rejects`, `borders` and `sampling` (the questions), `answers` (tolerances and answers) and `writing` (the files).
"""
