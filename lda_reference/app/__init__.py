"""The command line and what it shows.

- `command_line`: the commands of `lda-reference`
- `report`, `topics`, `models`: a model as a page, as tables, CSV and JSON
- `tour`, `stability`, `plots`, `progress`: tables, CSV files, figures and progress bars
- `where`: the code, the chapter and the tests of a printed equation
- `which`: the definitions that give a reported number
"""
