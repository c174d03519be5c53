"""Texts in columns of CSV files and in fields of JSON Lines: the right texts, or a refusal that names file and line."""

import csv
import gzip
import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lda_reference import formats, read_corpus
from lda_reference.formats.tables import texts_of
from lda_reference.formats.text import counted

from .. import fuzz
from .helpers import check_corpus_or_refusal, damaged, refused

FACTOR = fuzz.cases(1, 100)
TABLE = 'id,text,note\n1,"ash, bay\nash",\n2,,x\n\n3,"the ""fig""",y\n'
LINES = '{"id": 1, "text": "ash, bay\\nash"}\n\n{"text": null}\r\n{"text": "the \\"fig\\"", "x": [1]}'
TEXTS = ["ash, bay\nash", "", 'the "fig"']


@pytest.mark.parametrize(("file_name", "line_end"), [("t.csv", "\n"), ("T.TSV", "\r\n"), ("t", "\n"), ("t.csv.gz", "\r\n")])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_column_is_read(read, file_name, delimiter, line_end):
    csv_file = io.StringIO()
    csv.writer(csv_file, delimiter=delimiter, lineterminator=line_end).writerows(csv.reader(io.StringIO(TABLE, newline="")))
    file_bytes = csv_file.getvalue().encode("utf-8-sig")
    assert texts_of("t", csv_file.getvalue(), "csv", "text")[0] == TEXTS
    assert texts_of("t", f"sep=|{line_end}id|text{line_end}1|ash{line_end}", "csv", "text")[0] == ["ash"]  # as Excel has it
    prose_text = line_end.join(["id,date,text", 'a,1789,"ash, bay,', 'fig, oak, elm"', ""])
    assert texts_of("t", prose_text, "csv", "text")[1] == ""
    swallowed_text = line_end.join(["id\twho\ttext", '1\tA\t"ash', '2\tB\tbay"', ""])
    assert texts_of("t", swallowed_text, "csv", "text")[1].startswith("lines within quotes that look like rows: 1, the first in the row of line 2;")
    assert texts_of("t", line_end.join(["", "text", "ash", "", "bay", ""]), "csv", "text")[0] == ["ash", "", "bay"]
    assert read(gzip.compress(file_bytes) if file_name.endswith("gz") else file_bytes, file_name, column="text") == counted(TEXTS)


@pytest.mark.parametrize("file_name", ["t.jsonl", "t.ndjson", "t", "t.csv", "t.jsonl.gz"])
def test_a_field_is_read(read, file_name):
    assert texts_of("t", LINES, "jsonl", "text")[0] == TEXTS
    file_bytes = LINES.encode("utf-8-sig" if file_name == "t.jsonl" else "utf-8")
    assert read(gzip.compress(file_bytes) if file_name.endswith("gz") else file_bytes, file_name, column="text") == counted(TEXTS)


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("file_name", ["t.json", "t", "t.jsonl"])
def test_an_array_of_objects_is_read(read, tmp_path, file_name, indent):
    records = [{"id": i, "text": text or None} for i, text in enumerate(TEXTS)]
    assert read(json.dumps(records, indent=indent).encode(), file_name, column="text") == counted(TEXTS)
    with refused("column is missing, ", "'id', 'text'"):
        read_corpus(tmp_path / file_name)


@pytest.mark.parametrize(("words", "is_warned_of"), [(["ash"] * 20, True), (["ash"] * 19, False), (["ash bay"] * 20, False), (["NA", "ash"] * 5, False)])
@pytest.mark.parametrize("file_name", ["t.csv", "t.jsonl"])
def test_a_word_with_its_count_in_each_row_is_warned_of(tmp_path, file_name, words, is_warned_of):
    lines = ["term,n", *(f"{word},3" for word in words)] if file_name == "t.csv" else [json.dumps({"term": word, "n": 3}) for word in words]
    (tmp_path / file_name).write_text("\n".join(lines))
    warnings = formats.read(tmp_path / file_name, column="term").warnings()
    assert any(warning.startswith("each row is a document") and "(document, word, count)" in warning for warning in warnings) == is_warned_of
    assert any("only NA is left: 5; if R wrote it" in warning for warning in warnings) == ("NA" in words and file_name == "t.csv")


@pytest.mark.parametrize("part_name", ["xl/workbook.xml", "word/document.xml", "opendocument"])
@pytest.mark.parametrize("options", [{}, {"column": "text"}, {"format": "csv", "column": "text", "encoding": "cp1252"}])
def test_a_file_of_an_office_program_is_refused(read, part_name, options):
    zipfile.ZipFile(content := io.BytesIO(), "w").writestr(part_name, "")
    with refused("a file of an office program, expected a table saved as CSV in UTF-8, or text"):
        read(content.getvalue(), **options)


def test_a_text_may_be_long(read):
    text = "ash " * 100_000
    assert read(f'id,text\n1,"{text}"\n'.encode(), column="text").N == 100_000
    assert read(json.dumps({"text": text}).encode(), column="text").N == 100_000
    assert csv.field_size_limit() == 131_072  # Python's own, for others in this process


@pytest.mark.parametrize(
    ("file_text", "column", "message_place", "message_part"),
    [
        ("id\tn\n" + "a\t1.5\n" * 19 + "b\tmany\n", "n", "", "counts belong in"),
        ("when,text\n1763-04-02,ash\n1764,bay\n", "when", "", "numbers or dates"),
        ("cat,dog\n1,2\n3,0\n", None, "", "counts belong in"),
        ('["ash", "bay"]', None, ", object 1: ", "JSON object"),
        ("id,text\n1,ash\n2,fig,bay\n", "text", ", line 3: 3 fields, expected 2, as in the header", ""),
        ('id,text\n1,"ash\n\nbay"\n2\n', "text", ", line 5: 1 fields, expected 2", ""),
        ('id,text\n1,ash\n2,"fig\n3,bay\n', "text", ", line 3: a row with a wrong quote (unexpected end of data)", ""),
        ('{"text": "ash"}\n{"text": "ba\n', "text", ", line 2: '{\"text\": \"ba' (Unterminated string", ""),
        ('{"text": "ash"}\n{"text": 3}\n', "text", ", line 2: 'text' is 3, expected a text", ""),
        ('{"text": "ash"}\n{"text": ' + "[" * 100_000, "text", ", line 2: '{\"text\": [[[", ""),
    ],
)  # fmt: skip
def test_counts_broken_tables_and_those_of_another_shape_are_refused_with_their_place(read, tmp_path, file_text, column, message_place, message_part):
    file_name = "t.csv" if column is None and file_text[0].isalpha() else "corpus"
    with refused(f"{tmp_path / file_name}{message_place}", message_part):
        read(file_text.encode(), file_name, column=column)


@pytest.mark.parametrize("file_name", ["t.csv", "t.tsv", "t", "empty.csv"])
@pytest.mark.parametrize(("column", "message_start"), [(None, "column is missing"), ("body", "column is 'body'")])
def test_without_the_right_column_the_columns_are_named(read, tmp_path, file_name, column, message_start):
    file_text = {"t.csv": "id;text\n1;ash\n", "t.tsv": "id\ttext\n1\tash\n", "t": '{"id": 1, "text": "ash"}\n', "empty.csv": ""}[file_name]
    with refused(f"{message_start}, expected one of those of {tmp_path / file_name}: " + ("'id', 'text'" if file_text else "it has none")):
        read(file_text.encode(), file_name, column=column)


cell_strategy = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]) | st.sampled_from(",;\t\"'\n\r a"), max_size=12)


@settings(deadline=None, max_examples=20 * FACTOR)
@given(texts=st.lists(cell_strategy, min_size=1, max_size=5), delimiter=st.sampled_from(",;\t"), line_end=st.sampled_from(("\n", "\r\n")))
def test_written_tables_are_read_back(texts, delimiter, line_end):
    texts = [*texts, *["ash"] * len(texts)]  # numbers alone are refused
    csv_file = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if any("\r" in text for text in texts) else csv.QUOTE_MINIMAL  # a bare \r would end a row
    csv_writer = csv.writer(csv_file, delimiter=delimiter, lineterminator=line_end, quoting=quoting)
    csv_writer.writerows([["id", "text"], *enumerate(texts)])
    assert texts_of("t", csv_file.getvalue(), "csv", "text")[0] == texts
    jsonl_text = "".join(json.dumps({"text": text}, ensure_ascii=len(text) % 2 == 0) + line_end for text in texts)
    assert texts_of("t", jsonl_text, "jsonl", "text")[0] == texts
    fuzz.ran("tables")


@pytest.mark.parametrize("content", [TABLE.encode(), LINES.encode(), TABLE.encode("utf-16"), TABLE.replace(",", ";").encode()], ids=range(4))
@settings(deadline=None, max_examples=30 * FACTOR)
@given(drawn_source=st.data())
def test_a_damaged_table_is_a_corpus_or_refused_in_one_line(folder, content, drawn_source):
    path = folder / "damaged"
    path.write_bytes(drawn_source.draw(damaged(content) | st.binary(max_size=40)))
    options = drawn_source.draw(st.sampled_from(({"column": "text"}, {"column": "text", "format": "csv"}, {"column": "text", "format": "jsonl"}, {})))
    check_corpus_or_refusal(path, **options)
    fuzz.ran("damaged tables")
