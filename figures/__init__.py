"""The papers' figures again, a folder for each: `python -m figures.tnw06.runs` makes the runs and draws the pictures.

`tnw06`, `awst09`, `sol14`, `sn12` and `boo16` have a paper each. `search` is the study of starts and schedules,
`priors` that of fixed and learned priors, `peers` compares with other packages, `evidence` has how far the bounds are
from log p(x), and `pages` what the README and chapter 00 show. In each folder are the scripts, and the CSV files and
pictures that they write; tables.sql has the tables that the claims of a paper are tested by. The files beside this one
are shared: `common.py` by all scripts, and the others by the ledger of claims.
"""
