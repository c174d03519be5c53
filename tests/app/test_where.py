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
    files = sorted((ROOT / "lda_reference").rglob("*.py"))
    file_tags = {path.relative_to(ROOT).as_posix(): tags_in_module(path.read_text("utf-8")) for path in files}
    return {(tag, file): set(lines.values()) for file, places in file_tags.items() for tag, lines in places.items()}


@functools.cache
def functions_of(path):
    if not (ROOT / path).is_file():
        return frozenset()
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def is_a_test(node_id):
    path, _, name = node_id.partition("::")
    return name.startswith("test_") and name in functions_of(path)


def test_the_list_has_the_tags_in_the_code_and_no_others_and_says_which_are_restored():
    listed_tags = {(tag, file) for tag, entry in EQUATIONS.items() for file in entry.get("place", [])}
    assert sorted(listed_tags ^ tags().keys()) == []  # in the code or in `place` alone
    wrong_marks = [(t, f) for (t, f), restored in tags().items() if restored != {EQUATIONS[t].get("restored", False)}]
    assert wrong_marks == []


@pytest.mark.parametrize("paper", LAST_EQ)
def test_every_numbered_equation_is_listed_once(paper):
    numbers = []
    for tag in EQUATIONS:
        if match := re.fullmatch(rf"{paper} \((\d+)\)(?:-\((\d+)\))?", tag):
            first_number = int(match[1])
            numbers += range(first_number, int(match[2] or first_number) + 1)
    assert numbers == list(range(1, LAST_EQ[paper] + 1))


def test_the_labels_of_boojum_are_listed():
    labels = {"Fig. 2": ("D", "W", "DW", "d", "w"), "Fig. 3": ("D", "W", "d", "w")}
    boojum_tags = [f"BOO16 {figure} [{x}]" for figure, letters in labels.items() for x in letters] + ["BOO16 Prop. 1", "BOO16 Prop. 2"]
    assert [name for name in boojum_tags if name not in EQUATIONS] == []


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
    assert [node for node in entry.get("test", []) if not is_a_test(node)] == []


def test_where_names_lines_chapter_and_test():
    lines = where("AWST09 (13)").splitlines()
    assert lines[0].startswith("AWST09 (13), the CVB0 update: (N_wk + eta)")
    code_lines = [line.split(None, 2) for line in lines[1:] if line.startswith(("  code ", "  plain "))]
    assert {what for what, _, _ in code_lines} == {"code", "plain"}
    for what, place, text in code_lines:
        assert (what == "plain") == place.startswith("lda_reference/plain/")
        file, number, _ = place.split(":")
        line = (ROOT / file).read_text("utf-8").splitlines()[int(number) - 1]
        assert line.strip() == text
        assert "AWST09 (13)" in tags_in_comment(line[line.index("#") :])
    (chapter,) = (line for line in lines if line.startswith("  chapter "))
    assert re.fullmatch(r"  chapter  10 · CVB0: .*, chapters/10_cvb0_schedules.ipynb", chapter)
    sums_path = lines[2].removeprefix("  sums     ").partition(":")[0]
    assert "def excluded" in (ROOT / sums_path).read_text("utf-8").partition("class Counts(")[2]
    assert f"  test     {EQUATIONS['AWST09 (13)']['test'][0]}" in lines
    assert sum(line.startswith("  restored ") for line in lines) == any(x.endswith(", restored") for x in lines) == 1
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
    names = [f"{paper} {kind} {i + 1}" for kind, n in zip(("Fig.", "Table"), N_FIGURES[paper], strict=True) for i in range(n)]
    assert [name for name in names if not where(name).startswith(name)] == []
    figures = {name: entry for name, entry in read_figures().items() if name.startswith(paper)}
    assert [name for name in names if name not in figures] == ["TNW06 Table 1"] * (paper == "TNW06")
    section = (ROOT / "figures/LEDGER.md").read_text("utf-8").partition(f"\n## {paper}\n")[2].partition("\n## ")[0]
    verdicts = re.findall(r"^### (.+)\n\n> .+\n\n\*\*(.+?)\.\*\* ", section, re.MULTILINE)
    claims = [f"{claim} [{verdict[0].lower()}{verdict[1:]}]" for claim, verdict in verdicts]
    for name, entry in figures.items():
        assert ("none" in entry) != ("picture" in entry)
        assert "none" in entry or (ROOT / entry["picture"]).is_file()
        place_pattern = rf"{name.split()[1][:3]}[^:]*\b{name.split()[2]}\b"
        assert entry.get("claims", []) == [x for x in claims if re.search(place_pattern, x.partition(": ")[0])]
        assert [x for x in entry.get("claims", []) if f"  claim    figures/LEDGER.md: {x}" not in where(name)] == []
    assert len(claims) == section.count("\n### ") + section.startswith("### ")


def test_errata_name_tests_that_exist():
    node_ids = re.findall(r"`(tests/[^`]*)`", (ROOT / "ERRATA.md").read_text("utf-8"))
    assert node_ids
    assert [node_id for node_id in node_ids if not is_a_test(node_id)] == []


@pytest.mark.parametrize(
    ("line", "restored_of"),
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
def test_tags_are_read(line, restored_of):
    assert tags_in_module(line + "\n") == {tag: {1: restored} for tag, restored in restored_of.items()}


@pytest.mark.parametrize("line", ["x = 1  # TNW06 16", "x = 1  # TNW06 (16), AWST09 12", "x = 1  # BOO16 [D]"])
def test_a_tag_that_cannot_be_read_is_an_error(line):
    with pytest.raises(ValueError, match="is not a tag, expected"):
        tags_in_module(line + "\n")


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
    update_tags = [x for x, entry in EQUATIONS.items() if "update" in entry["name"] and "/algorithms/" in str(entry.get("place"))]
    assert len(update_tags) > 12
    for tag in update_tags:
        assert "  whole    " in where(tag) or tag == "FBDSW13 [gamma]", tag


def test_two_equations_are_answered_and_one_may_be_two_arguments(capsys):
    for arguments, tags in ((["TNW06 (15)", "cvb0"], ["TNW06 (15)", "cvb0"]), (["TNW06", "15"], ["TNW06 (15)"])):
        assert main(["where", *arguments]) == 0
        assert capsys.readouterr().out == "\n\n".join(where(tag) for tag in tags) + "\n"
