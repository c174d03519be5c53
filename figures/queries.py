"""The queries of claims.toml: from the CSV files of a folder to the comparisons and the note of each claim.

The CSV files are tables of a database in memory (SQLite). The head of claims.toml has the words of a query.
"""

import csv
import re
import sqlite3
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from figures.common import HERE, keyed, read, table
from figures.measures import AGGREGATES, FUNCTIONS
from figures.verdicts import Comparison

HOLE = re.compile(r"\{(.+?)\}")
SIDES = ("a.number", "b.number")  # of the lines in the tables of both sides
Line = dict[str, Any]


class Evidence(NamedTuple):
    """What the CSV files say of a claim: the comparisons that test it, and a note with other numbers."""

    comparisons: list[Comparison]
    note: str = ""


class Query(NamedTuple):
    """A query in the words that the head of claims.toml explains. Conditions and expressions are those of SQL."""

    table: str
    name: str
    value: str | list[str] | dict[str, str | list[str]]
    where: str = "1"
    a: str = "1"
    b: str = ""
    b_table: str = ""
    unit: str = "seed"
    same: str = ""
    on: str = "1"
    levels: Mapping[str, str] = {}
    paper: str = "0"
    paper_corpus: str = "0"
    kind: str = "''"
    by: str = "0"
    order: Sequence[str] = ()
    least: int = 1
    complete: bool = False
    overlap: float = 0.0


class Setting(NamedTuple):
    """What the lines of a comparison share. Where one of these differs, a new comparison begins."""

    order: tuple[Any, ...]
    name: str
    levels: tuple[tuple[str, str], ...]
    paper: bool
    paper_corpus: bool
    kind: str
    by: Any


# The database --------------------------------------------------------------------------------------------------------


def database(folder: Path, paper: str) -> sqlite3.Connection:
    """The CSV files of a paper and of the study of search as tables such as "tnw06/fig1", and those of tables.sql."""
    db = sqlite3.connect(":memory:")
    for function_name, function in FUNCTIONS.items():
        db.create_function(function_name, -1, function, deterministic=True)
    for aggregate_name, aggregate in AGGREGATES.items():
        db.create_aggregate(aggregate_name, -1, aggregate)
    for path in sorted(path for room in (paper.lower(), "search") for path in (HERE / room).glob("*.csv")):
        load(db, path.relative_to(HERE).with_suffix("").as_posix(), folder)
    db.executescript((HERE / paper.lower() / "tables.sql").read_text("utf-8"))
    return db


def load(db: sqlite3.Connection, table_name: str, folder: Path) -> None:
    """A CSV file as a table, without lines if the folder has no such file.

    Numbers of a column that has a decimal point are real, so that 1 / 2 is 0.5.
    """
    lines = read(folder / f"{table_name}.csv")
    with open(HERE / f"{table_name}.csv", newline="", encoding="utf-8") as csv_file:
        header = next(csv.reader(csv_file))
    column_types = ["real" if any("." in line[column] for line in lines) else "numeric" for column in header]
    columns_sql = ", ".join(f'"{column}" {sql_type}' for column, sql_type in zip(header, column_types, strict=True))
    db.execute(f'create table "{table_name}" ({columns_sql})')
    row_values = ([line[column] or None for column in header] for line in lines)
    db.executemany(f'insert into "{table_name}" values ({", ".join("?" * len(header))})', row_values)


def evidence_of(db: sqlite3.Connection, claims: Mapping[str, Any], claim: Mapping[str, Any]) -> Evidence:
    queries = [query_of(claims, query_words) for query_words in claim.get("compare", ())]
    return Evidence(comparisons(db, queries), note(db, claim.get("note", ())))


# Comparisons ---------------------------------------------------------------------------------------------------------


def query_of(claims: Mapping[str, Any], query_words: Mapping[str, Any]) -> Query:
    """A query with the words that it has from the first query of the claim under `like`."""
    if "like" not in query_words:
        return Query(**query_words)
    own_words = {word: word_value for word, word_value in query_words.items() if word != "like"}
    return query_of(claims, claims[query_words["like"]]["compare"][0])._replace(**own_words)


def comparisons(db: sqlite3.Connection, queries: Sequence[Query]) -> list[Comparison]:
    """The comparisons of all queries of a claim, sorted by what they say under `order`."""
    with_order = []
    for query in queries:
        line_groups = list(keyed(lines_of(db, query), itemgetter(*shared_by(query))).values())
        for measure_position, (measure, expression) in enumerate(measures_of(query).items()):
            lines_of_setting: dict[Setting, list[Line]] = {}
            for lines in line_groups:
                lines_of_setting.setdefault(setting_of(query, measure_position, measure, lines[0]), []).extend(lines)
            with_order += [(x.order, comparison(query, x, expression, lines)) for x, lines in lines_of_setting.items()]
    return [compared for _, compared in sorted(with_order, key=lambda pair: pair[0]) if compared]


def measures_of(query: Query) -> dict[str, str | list[str]]:
    return query.value if isinstance(query.value, dict) else {"": query.value}


def shared_by(query: Query) -> list[str]:
    """The expressions that are the same in all lines of a comparison."""
    hole_names = [hole for template in (query.name, *query.levels.values()) for hole in HOLE.findall(template)]
    expressions = [query.paper, query.paper_corpus, query.kind, query.by, *query.order, *hole_names]
    return [expression for expression in dict.fromkeys(expressions) if expression != "measure"]


def setting_of(query: Query, position: int, measure: str, line: Line) -> Setting:
    line_fields = {**line, "measure": measure}
    order_values = (position if expression == "measure" else line[expression] for expression in query.order)
    sort_keys = tuple((isinstance(order_value, str), order_value) for order_value in order_values)
    levels = tuple((factor, fill(template, line_fields)) for factor, template in query.levels.items())
    name, paper, paper_corpus = fill(query.name, line_fields), bool(line[query.paper]), bool(line[query.paper_corpus])
    return Setting(sort_keys, name, levels, paper, paper_corpus, line[query.kind], line[query.by])


def comparison(query: Query, x: Setting, sql: str | list[str], lines: Sequence[Line]) -> Comparison | None:
    """The comparison of some lines; None if they are too few for the query, or if it is to be complete and is not."""
    if isinstance(sql, str):
        if any(len({line[side] for line in lines}) < len(lines) for side in SIDES if query.b):
            raise ValueError(f"{x.name}: a unit has two numbers; `same` and `unit` have to tell the lines apart")
        samples = [[line[sql] for line in lines]]
    else:
        samples = [list({line[side]: line[y] for line in lines}.values()) for side, y in zip(SIDES, sql, strict=True)]
    sample, *later_samples = ([float(number) for number in sample if number is not None] for sample in samples)
    if len(sample) < (len(lines) if query.complete else query.least):
        return None
    second_sample = later_samples[0] if later_samples else None
    return Comparison(x.name, sample, second_sample, x.paper, dict(x.levels), x.kind, query.overlap, x.paper_corpus)


def lines_of(db: sqlite3.Connection, query: Query) -> list[Line]:
    """The values of all expressions of a query, in each line of its table or each pair of lines."""
    expressions = measures_of(query).values()
    number_sql = [column for expr in expressions for column in ([expr] if isinstance(expr, str) else expr)]
    columns = list(dict.fromkeys([*shared_by(query), *number_sql, *(SIDES if query.b else SIDES[:1])]))
    select_sql = f"select {', '.join(columns)} from {side_of(query, query.table, query.a)} a"
    if query.b:
        is_paired = all(isinstance(expr, str) for expr in expressions)
        shared_columns = [*query.same.split(", "), *([query.unit] if is_paired else [])]
        select_sql += f" join {side_of(query, query.b_table or query.table, query.b)} b on ({query.on})"
        select_sql += "".join(f" and a.{column} = b.{column}" for column in shared_columns if column)
    return [dict(zip(columns, row_values, strict=True)) for row_values in db.execute(select_sql)]


def side_of(query: Query, table_name: str, side_condition: str) -> str:
    return f'(select rowid as number, * from "{table_name}" where ({query.where}) and ({side_condition}))'


def fill(template: str, line: Line) -> str:
    """A text with the values of the expressions that stand in it in braces."""
    return HOLE.sub(lambda hole: str(line[hole[1]]), template)


# Notes ---------------------------------------------------------------------------------------------------------------


def note(db: sqlite3.Connection, note_parts: Sequence[Mapping[str, Any]]) -> str:
    """The parts of a note that have all their numbers, one after the other."""
    return "".join(noted(db, **note_part) for note_part in note_parts)


def noted(db: sqlite3.Connection, text: str, head: Sequence[str] = (), rows: str = "", **queries: str) -> str:
    """A text with the results of queries in its braces; nothing if one of them has no result."""
    number_of = {hole_name: (db.execute(query).fetchone() or (None,))[0] for hole_name, query in queries.items()}
    if head:
        number_of["table"] = table(head, [[str(field) for field in line] for line in db.execute(rows)]) or None
    return "" if None in number_of.values() else fill(text, number_of)
