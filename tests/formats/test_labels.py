"""Names, groups and dates of documents, from columns of a table or fields of JSON."""

import json

import pytest

from lda_reference.formats import read

from .helpers import refused

ROWS = [("a", "Ann", 1789, "ash bay"), ("b", None, None, "ash"), ("c", "Ann", "1790-02-28T10:00", "bay")]
RECORDS = [dict(zip(("nr", "who", "when", "text"), row, strict=True)) for row in ROWS]
LABELS = {"group": ["Ann", "", "Ann"], "date": ["1789", "", "1790-02-28T10:00"]}
COLUMNS = {"id": "nr", "group": "who", "date": "when"}


def table_text(delimiter):
    return "\n".join(delimiter.join(str("" if cell is None else cell) for cell in row) for row in [RECORDS[0], *ROWS])


@pytest.mark.parametrize(
    ("file_name", "file_text"),
    [
        ("t.csv", table_text(",").replace("1789", " 1789.0")),
        ("t.tsv", table_text("\t")),
        ("t.jsonl", "\n".join(map(json.dumps, RECORDS))),
        ("t.json", json.dumps([{column: cell for column, cell in row.items() if cell is not None} for row in RECORDS])),
    ],
)
def test_columns_name_group_and_date_the_documents(tmp_path, file_name, file_text):
    (tmp_path / file_name).write_text(file_text)
    reading = read(tmp_path / file_name, column="text", **COLUMNS)
    assert (reading.names, reading.labels, reading.corpus.D) == (["a", "b", "c"], LABELS, 3)
    assert "; id: 3 different; group: 1 different, 1 missing; date: 2 different, 1 missing" in reading.sentence()


def test_two_forms_of_a_name_are_one_group_and_names_for_nothing_are_said(tmp_path):
    (tmp_path / "t.csv").write_text("text,g\nash,Andr\u00e9\nbay,Andre\u0301\nfig,NA\n", "utf-8")
    reading = read(tmp_path / "t.csv", column="text", group="g")
    assert reading.labels["group"] == ["Andr\u00e9", "Andr\u00e9", "NA"]
    assert "a group is named NA: if it is missing, write an empty field" in reading.sentence()


@pytest.mark.parametrize(
    ("file_text", "column_options", "message"),
    [
        ("nr,text\na,x\n\na,y\n", {"id": "nr"}, ", line 4: the id 'a' again, as in line 2, expected"),
        ("nr,text\na,x\n,y\n", {"id": "nr"}, ", line 3: an empty id, expected"),
        ('[{"text": "x", "d": "1"}, {"text": "y", "d": {}}]', {"group": "d"}, ", object 2: 'd' is {}, expected"),
        *((f"d,text\n1789,x\n{wrong_date},y\n", {"date": "d"}, f", line 3: the date '{wrong_date}', expected none or one such as 1789, 1789-07")
          for wrong_date in ("03/04/2021", "1789-02-30", "17891")),
    ],
)  # fmt: skip
def test_a_wrong_id_or_date_is_refused_with_its_line(tmp_path, file_text, column_options, message):
    path = tmp_path / ("t.json" if file_text[0] == "[" else "t.csv")
    path.write_text(file_text)
    with refused(f"{path}{message}"):
        read(path, column="text", **column_options)
