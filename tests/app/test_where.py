"""equations.toml lists the tags in the code and no others, and the tests that it names exist."""

import ast
import functools
import re

import pytest

from lda_reference import ALGORITHMS
from lda_reference.app.command_line import main
from lda_reference.app.where import ROOT, meant, read_equations, read_figures, tags_in_comment, tags_in_module, where

EQUATIONS = read_equations()

N_FIGURES = {"TNW06": (2, 1), "AWST09": (9, 2), "SOL14": (1, 0), "SN12": (1, 0), "BOO16": (6, 0)}  # and tables
LAST_EQ = {"TNW06": 20, "AWST09": 16, "SOL14": 29, "SN12": 55, "BOO16": 5}  # numbers of the papers' last equations


@functools.cache
def tags():
    """{(tag, file): whether its lines are marked as restored, as a set} for the package."""
    python_paths = sorted((ROOT / "lda_reference").rglob("*.py"))
    tags_of_file = {path.relative_to(ROOT).as_posix(): tags_in_module(path.read_text("utf-8")) for path in python_paths}
    return {(tag, file): set(restored_of_line.values()) for file, lines_of_tag in tags_of_file.items() for tag, restored_of_line in lines_of_tag.items()}


@functools.cache
def functions_of(test_path):
    if not (ROOT / test_path).is_file():
        return frozenset()
    syntax_tree = ast.parse((ROOT / test_path).read_text("utf-8"))
    return frozenset(node.name for node in syntax_tree.body if isinstance(node, ast.FunctionDef))


def is_a_test(node_id):
    test_path, _, function_name = node_id.partition("::")
    return function_name.startswith("test_") and function_name in functions_of(test_path)


def test_the_list_has_the_tags_in_the_code_and_no_others_and_says_which_are_restored():
    listed_tags = {(tag, file_path) for tag, entry in EQUATIONS.items() for file_path in entry.get("place", [])}
    assert sorted(listed_tags ^ tags().keys()) == []  # in the code or in `place` alone
    wrongly_marked_tags = [(tag, file_path) for (tag, file_path), restored_marks in tags().items() if restored_marks != {EQUATIONS[tag].get("restored", False)}]
    assert wrongly_marked_tags == []


@pytest.mark.parametrize("paper", LAST_EQ)
def test_every_numbered_equation_is_listed_once(paper):
    equation_numbers = []
    for tag in EQUATIONS:
        if match := re.fullmatch(rf"{paper} \((\d+)\)(?:-\((\d+)\))?", tag):
            first_number = int(match[1])
            equation_numbers += range(first_number, int(match[2] or first_number) + 1)
    assert equation_numbers == list(range(1, LAST_EQ[paper] + 1))


def test_the_labels_of_boojum_are_listed():
    letters_of_figure = {"Fig. 2": ("D", "W", "DW", "d", "w"), "Fig. 3": ("D", "W", "d", "w")}
    boojum_tags = [f"BOO16 {figure} [{letter}]" for figure, letters in letters_of_figure.items() for letter in letters] + ["BOO16 Prop. 1", "BOO16 Prop. 2"]
    assert [tag for tag in boojum_tags if tag not in EQUATIONS] == []


@pytest.mark.parametrize("tag", EQUATIONS)
def test_entries_are_complete(tag):
    entry = EQUATIONS[tag]
    assert list(tags_in_comment(f"# {tag}")) == [tag]
    assert 2 <= len(entry["name"].split()) <= 6
    assert entry.keys() <= {"name", "says", "print", "place", "none", "test", "restored", "chapter"}
    assert entry["chapter"] or tag.split(" ")[0] not in LAST_EQ  # the chapters derive the equations of the five papers
    assert entry["says"]
    if "place" in entry:  # it has files and tests; otherwise it has the reason why it is in no file, and perhaps a test
        assert entry["place"]
        assert "none" not in entry
        assert entry["test"]
    else:
        assert entry["none"]
    assert [node_id for node_id in entry.get("test", []) if not is_a_test(node_id)] == []


def test_where_names_lines_chapter_and_test():
    answer_lines = where("AWST09 (13)").splitlines()
    assert answer_lines[0].startswith("AWST09 (13), the CVB0 update: (N_wk + eta)")
    kind_place_code_triples = [answer_line.split(None, 2) for answer_line in answer_lines[1:] if answer_line.startswith(("  code ", "  plain "))]
    assert {line_kind for line_kind, _, _ in kind_place_code_triples} == {"code", "plain"}
    for line_kind, place_in_file, code_text in kind_place_code_triples:
        assert (line_kind == "plain") == place_in_file.startswith("lda_reference/plain/")
        file_path, line_number, _ = place_in_file.split(":")
        source_line = (ROOT / file_path).read_text("utf-8").splitlines()[int(line_number) - 1]
        assert source_line.strip() == code_text
        assert "AWST09 (13)" in tags_in_comment(source_line[source_line.index("#") :])
    (chapter_line,) = (answer_line for answer_line in answer_lines if answer_line.startswith("  chapter "))
    assert re.fullmatch(r"  chapter  10 · CVB0: .*, chapters/10_cvb0_schedules.ipynb", chapter_line)
    sums_path = answer_lines[2].removeprefix("  sums     ").partition(":")[0]
    assert "def excluded" in (ROOT / sums_path).read_text("utf-8").partition("class Counts(")[2]
    assert f"  test     {EQUATIONS['AWST09 (13)']['test'][0]}" in answer_lines
    assert sum(answer_line.startswith("  restored ") for answer_line in answer_lines) == any(answer_line.endswith(", restored") for answer_line in answer_lines) == 1
    assert "  restored " not in where("AWST09 (4)")
    assert where("SN12 (30)").startswith("SN12 (24)-(42), ")
    assert "  code     none: a definition" in where("TNW06 (3)")


@pytest.mark.parametrize(
    ("tag", "nearest_tags"),
    [
        ("SOL14 (31)", "SOL14 (29), SOL14 (28), SOL14 (27),"),
        ("AWST09 21", "AWST09 (16), AWST09 (15), AWST09 (14),"),
        ("BOO16 eq. (6)", "BOO16 (5), BOO16 (4), BOO16 (3),"),
        ("TNW06 Figure 7", "TNW06 Fig. 2, TNW06 Fig. 1,"),
        ("", "TNW06 (Teh"),
    ],
)
def test_a_wrong_number_is_refused_with_the_nearest_and_other_tags_with_the_papers(tag, nearest_tags):
    with pytest.raises(ValueError, match=rf"'{re.escape(tag)}' is not in equations.toml, expected one of {re.escape(nearest_tags)}"):
        where(tag)
    assert where("BOO16 §6").startswith("BOO16 §6, ")
    assert where("SOL14 3.1").startswith("SOL14 §3.1, ")


@pytest.mark.parametrize("paper", N_FIGURES)
def test_every_figure_and_table_has_a_picture_or_a_reason_and_its_claims(paper):
    figure_names = [f"{paper} {figure_kind} {i + 1}" for figure_kind, n_of_kind in zip(("Fig.", "Table"), N_FIGURES[paper], strict=True) for i in range(n_of_kind)]
    assert [figure_name for figure_name in figure_names if not where(figure_name).startswith(figure_name)] == []
    entry_of_figure = {figure_name: entry for figure_name, entry in read_figures().items() if figure_name.startswith(paper)}
    assert [figure_name for figure_name in figure_names if figure_name not in entry_of_figure] == ["TNW06 Table 1"] * (paper == "TNW06")
    ledger_section = (ROOT / "figures/LEDGER.md").read_text("utf-8").partition(f"\n## {paper}\n")[2].partition("\n## ")[0]
    claims_and_verdicts = re.findall(r"^### (.+)\n\n> .+\n\n\*\*(.+?)\.\*\* ", ledger_section, re.MULTILINE)
    claim_texts = [f"{claim} [{verdict[0].lower()}{verdict[1:]}]" for claim, verdict in claims_and_verdicts]
    for figure_name, entry in entry_of_figure.items():
        assert ("none" in entry) != ("picture" in entry)
        assert "none" in entry or (ROOT / entry["picture"]).is_file()
        place_pattern = rf"{figure_name.split()[1][:3]}[^:]*\b{figure_name.split()[2]}\b"
        assert entry.get("claims", []) == [claim_text for claim_text in claim_texts if re.search(place_pattern, claim_text.partition(": ")[0])]
        assert [claim_text for claim_text in entry.get("claims", []) if f"  claim    figures/LEDGER.md: {claim_text}" not in where(figure_name)] == []
    assert len(claim_texts) == ledger_section.count("\n### ") + ledger_section.startswith("### ")


def test_errata_name_tests_that_exist():
    node_ids = re.findall(r"`(tests/[^`]*)`", (ROOT / "ERRATA.md").read_text("utf-8"))
    assert node_ids
    assert [node_id for node_id in node_ids if not is_a_test(node_id)] == []


@pytest.mark.parametrize(
    ("code_line", "restored_of"),
    [
        ("x = 1  # TNW06 (4)(6), AWST09 (10)", {"TNW06 (4)": False, "TNW06 (6)": False, "AWST09 (10)": False}),
        ("x = 1  # SN12 (22), restored; SN12 (24)-(42), restored", {"SN12 (22)": True, "SN12 (24)-(42)": True}),
        ("x = 1  # TNW06 (12), SN12 (4), restored", {"TNW06 (12)": False, "SN12 (4)": True}),
        ("x = 1  # AWST09 (4); without mass, (5)", {"AWST09 (4)": False}),
        ("x = 1  # BOO16 Fig. 2 [D][d], restored", {"BOO16 Fig. 2 [D]": True, "BOO16 Fig. 2 [d]": True}),
        ("x = 1  # TNW06 App. A, AWST09 §2.6", {"TNW06 App. A": False, "AWST09 §2.6": False}),
        ("x = '# TNW06 (1)'  # as in TNW06 (2)", {}),
        ("x = 1  # ML02 [moments], AWST09 (13)", {"ML02 [moments]": False, "AWST09 (13)": False}),
    ],
)
def test_tags_are_read(code_line, restored_of):
    assert tags_in_module(code_line + "\n") == {tag: {1: is_restored} for tag, is_restored in restored_of.items()}


@pytest.mark.parametrize("code_line", ["x = 1  # TNW06 16", "x = 1  # TNW06 (16), AWST09 12", "x = 1  # BOO16 [D]"])
def test_a_tag_that_cannot_be_read_is_an_error(code_line):
    with pytest.raises(ValueError, match="is not a tag, expected"):
        tags_in_module(code_line + "\n")


@pytest.mark.parametrize(
    ("query", "beginning", "n_lines"),
    [
        ("awst09 eq. 13", "AWST09 (13), the CVB0 update: ", None),
        ("SOL14 alg. 1", "SOL14 Algorithm 1, variational Bayes", None),
        ("TNW06 Appendix A", "TNW06 App. A, counts by convolution", None),
        ("BOO16 Fig. 2 [d]", "BOO16 Fig. 2 [d], ", None),
        ("cvb0", "AWST09 (13) ", 2),
        ("AWST09", "AWST09 (1)        ", sum(tag.startswith("AWST09") for tag in EQUATIONS)),
        ("SOL14 Algorithm", "SOL14 Algorithm 1  variational Bayes, document by document\n", 3),
    ],
)
def test_a_tag_in_another_spelling_its_beginning_and_an_algorithm_are_answered(query, beginning, n_lines):
    assert where(query).startswith(beginning)
    assert n_lines is None or where(query).count("\n") + 1 == n_lines


@pytest.mark.parametrize(
    ("query", "expected_tags"),
    [
        ("TNW06 (16)-(18)", ["TNW06 (16)", "TNW06 (17)", "TNW06 (18)"]),
        ("SN12 30, 31, 55", ["SN12 (24)-(42)", "SN12 (55)"]),
        ("TNW06 (20)-(21)", []),
        ("AWST09 §2.3", []),
    ],
)
def test_several_numbers_mean_several_entries(query, expected_tags):
    assert meant(query, EQUATIONS) == expected_tags


def test_readme_names_equations_that_are_found():
    listed_tags = re.findall(r"^\| `\w+` \|.*\| ([A-Z]+\d\d [^|,]*[^|, ])", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(listed_tags) == len(ALGORITHMS) - 1  # the source of ep has no numbers
    assert [tag for tag in listed_tags if not meant(tag, EQUATIONS)] == []


@pytest.mark.parametrize("tag", ["TNW06 (8)", "AWST09 (9)", "AWST09 (12)", "AWST09 (14)", "SOL14 (4)", "SOL14 (8)"])
def test_each_of_three_terms_has_its_plain_line(tag):
    assert where(tag).count("  plain    lda_reference/plain/updates.py:") == 3


def test_each_update_has_plain_text_whose_whole_is_shown():
    update_tags = [tag for tag, entry in EQUATIONS.items() if "update" in entry["name"] and "/algorithms/" in str(entry.get("place"))]
    assert len(update_tags) > 12
    for tag in update_tags:
        assert "  whole    " in where(tag) or tag == "FBDSW13 [gamma]", tag


def test_two_equations_are_answered_and_one_may_be_two_arguments(capsys):
    for where_arguments, answered_tags in ((["TNW06 (15)", "cvb0"], ["TNW06 (15)", "cvb0"]), (["TNW06", "15"], ["TNW06 (15)"])):
        assert main(["where", *where_arguments]) == 0
        assert capsys.readouterr().out == "\n\n".join(where(tag) for tag in answered_tags) + "\n"
