"""The command line and what it shows.

- `command_line`: the commands of `lda-reference`
- `tour`, `grid`, `plots`, `progress`: tables, CSV files, figures and progress bars
- `where`: the code, the chapter and the tests of a printed equation
"""
