"""Lists of expected failures."""

import pytest

from lda_reference.oracle import Report, Result
from lda_reference.oracle.asking.command import expecting
from lda_reference.oracle.cases.loading import expected_failures

from .helpers import case, statuses

R = Result("cvb0/update/000", "cvb0", "update", "passed")


CASES = [case(0), case(1), case(2, algorithm="vb", id="vb/update/002")]


def test_a_file_gives_names_and_reasons_and_the_longest_name_decides(tmp_path):
    path = tmp_path / "known"
    path.write_text("# all\n\ncvb0/update/001  # first # second\n  cvb0 #reason  \n#", "utf-8")
    assert expected_failures(path, CASES) == {"cvb0/update/000": "reason", "cvb0/update/001": "first # second"}
    assert expected_failures(None, CASES) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cvb0\n", "line 1: 'cvb0' has no reason, expected `cvb0  # why it fails`"),
        ("\ncvb0 #\n", "line 2: 'cvb0' has no reason"),
        ("cvb0 vb # both\n", "line 1: 'cvb0 vb' is no name, expected the beginning of an id"),
        ("cvb0 # a\ncvb0 # b\n", "line 2: 'cvb0' stands there twice"),
        ("vb # a\n# all\ncvb # b\n", "line 3: 'cvb' is neither an algorithm nor the beginning of an id"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path, text, message):
    path = tmp_path / "known"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError) as caught:
        expected_failures(path, CASES)
    assert str(caught.value).startswith(f"{path}, {message}")


def test_only_listed_results_change():
    report = Report(tuple(R._replace(id=str(i), status=s) for i, s in enumerate(["passed", "failed", "skipped"] * 2)))
    found = expecting(report, {"0": "a", "1": "b", "2": "c"})
    assert statuses(found) == ["failed", "expected", "skipped", "passed", "failed", "skipped"]
    assert found.results[1].reason == "b"
    assert not found.ok
    assert expecting(report, {}) == report
