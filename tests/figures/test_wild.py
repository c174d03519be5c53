"""figures/wild: adapters with implementations that are made here, and the page as it is shown. `make wild` asks the real ones."""

import re
from pathlib import Path

import numpy as np
import pytest

from figures.wild import asking, pycistopic, runs, scvb0
from figures.wild.adapters import Absent, Checkouts, Row, lda_scvb0, shuyo_iir, tmlib
from figures.wild.adapters import pycistopic as adapter
from figures.wild.consequences import MEASURES
from lda_reference import oracle

from ..oracle import package

ROOM = Path(runs.__file__).parent
PAGE = (ROOM.parent / "WILD.md").read_text("utf-8")
LINES = runs.read(ROOM / "wild.csv")

LOG_JOINT = """
def loglikelihood(nzw, ndz, alpha, eta):
    def part(n, a):
        return sum(math.lgamma(a * n.shape[1]) - math.lgamma(a * n.shape[1] + x.sum()) + sum(
            math.lgamma(a + v) - math.lgamma(a) for v in x) for x in n)
    return part(nzw, eta) + part(ndz, alpha)
"""
CVB0 = """
class LDA_CVB0:
    def inference(self):
        see = self.n_wk.copy(), self.n_jk.copy(), self.n_k.copy()
        for j, (doc, gammas) in enumerate(zip(self.docs, self.gamma_jik)):
            for (w, n), g in zip(doc, gammas):
                new = (see[0][w] - g) * (see[1][j] - g) / (see[2] - g)
                new /= new.sum()
                for total, at in ((self.n_wk, w), (self.n_jk, j), (self.n_k, slice(None))):
                    total[at] += n * (new - g)
                g[:] = new
    def worddist(self):
        return (self.n_wk / self.n_k).T
"""


def folder(tmp_path, name, text):
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text, "utf-8")
    return Checkouts(tmp_path)


# What is shown


def test_the_page_is_that_of_the_csv_file():
    assert runs.page(LINES) == PAGE
    assert runs.table(LINES) in PAGE


def test_every_row_has_a_text_and_every_text_a_line_or_no_adapter():
    keys = {row.key for row in runs.rows()}
    assert keys <= set(runs.TEXTS)
    assert set(LINES) == keys
    assert set(MEASURES) <= keys
    assert sum("instead" in runs.TEXTS[key] for key in LINES) >= 10


def test_a_row_that_fails_says_what_it_computes_and_a_row_that_passes_does_not():
    for key, line in LINES.items():
        text = runs.TEXTS[key]
        assert ("instead" in text) == (int(line.passed) < int(line.cases)), key
        assert "instead" in text or "right" in text
        assert "line" in text


def test_repositories_have_the_commit_of_the_texts():
    for key, line in LINES.items():
        assert line.version == runs.TEXTS[key]["version"], key


def test_the_choices_of_pycistopic_are_those_of_its_csv_file():
    for x in pycistopic.choices(pycistopic.read()):
        assert (
            f"| {x['corpus']} | {x['alpha']} | {', '.join(map(str, x['theirs']))} | {', '.join(map(str, x['right']))} |"
            in PAGE
        )


def test_the_reports_are_short():
    for path in sorted((ROOM / "reports").glob("*.md")):
        assert len(path.read_text("utf-8").splitlines()) <= 25, path.name
    assert {"pycistopic", "cvbLDA"} <= {path.stem for path in (ROOM / "reports").glob("*.md")}


# The adapters


def test_a_right_log_joint_passes_and_a_wrong_one_does_not(tmp_path):
    row = Row("x", "lda/log_joint", adapter.make)
    right = asking.ask(row, folder(tmp_path / "a", adapter.FILE, LOG_JOINT))
    assert 0 < right.passed == right.cases
    wrong = asking.ask(row, folder(tmp_path / "b", adapter.FILE, LOG_JOINT.replace("+ part(ndz", "- part(ndz")))
    assert wrong.passed < wrong.cases


def test_a_right_cvb0_passes_and_a_mistake_gets_its_name(tmp_path):
    row = Row("x", "cvb0/update", shuyo_iir.make)
    right = asking.ask(row, folder(tmp_path / "a", shuyo_iir.FILE, CVB0))
    assert 0 < right.passed == right.cases
    changed = CVB0.replace(
        "new = (see[0][w] - g) * (see[1][j] - g) / (see[2] - g)", "new = see[0][w] * see[1][j] / see[2]"
    )
    wrong = asking.ask(row, folder(tmp_path / "b", shuyo_iir.FILE, changed))
    assert wrong.passed < wrong.cases
    assert "nothing" in wrong.named


def test_scvb0_agrees_with_another_reading_of_the_algorithm():
    case = scvb0.case_of(3, counts=True)
    c, K, found = case["corpus"], case["K"], scvb0.step(case)
    alpha, eta, H = case["prior"]["alpha"], case["prior"]["eta"], case["prior"]["eta"] * case["corpus"]["W"]
    for d in range(c["D"]):
        theta, rows = list(case["N_jk"][d]), [i for i, j in enumerate(c["j"]) if j == d]
        for i in rows * 2:
            x = [(theta[k] + alpha) * (case["N_wk"][c["w"][i]][k] + eta) / (case["N_k"][k] + H) for k in range(K)]
            length, old = sum(c["n"][r] for r in rows), (1 - case["rho_theta"]) ** c["n"][i]
            theta = [old * theta[k] + (1 - old) * length * x[k] / sum(x) for k in range(K)]
        np.testing.assert_allclose(found["N_jk"][d], theta, rtol=1e-12)
    left = (1 - case["rho_phi"]) * np.sum(case["N_wk"]) + case["rho_phi"] * case["total_N"]
    assert np.sum(found["N_wk"]) == pytest.approx(left)
    assert np.allclose(found["N_wk"].sum(0), found["N_k"])


@pytest.mark.parametrize(
    ("change", "named"), [(None, ""), ("K_eta", "K-eta-for-W-eta"), ("documents", "documents-for")]
)
def test_a_changed_step_gets_its_name(change, named):
    def make(checkouts):
        return lambda case: scvb0.step(case, **({change: True} if change else {}))

    found = asking.ask(Row("x", "scvb0/online_step", make, cases=scvb0.cases), Checkouts(None))
    assert (found.passed == found.cases) == (change is None)
    assert named in found.named


def test_plain_cases_are_answered_by_the_oracles_example_port():
    for case in asking.plain_cases("cvb0/update,cvb0/sweep,cgs/sweep"):
        if case["operation"] == "update" or case["schedule"] == "token":
            assert oracle.judge(package.answer, case).passed, case["id"]


# What is absent


def test_without_checkouts_rows_are_carried_over_and_nothing_is_lost(tmp_path, capsys):
    (tmp_path / "wild").mkdir()
    (tmp_path / "wild/wild.csv").write_text((ROOM / "wild.csv").read_text("utf-8"), "utf-8")
    runs.main(["--folder", str(tmp_path), "--only", "cvbLDA", "shuyo"])
    out = capsys.readouterr().out
    assert "cvbLDA is carried over: davidandrzej+cvbLDA/cvbLDA.so is not here, because no --checkouts are given." in out
    assert "Run this time: nothing" in out
    assert (tmp_path / "WILD.md").read_text("utf-8") == PAGE
    assert runs.read(tmp_path / "wild/wild.csv") == LINES


@pytest.mark.parametrize("module", [shuyo_iir, tmlib, lda_scvb0, adapter])
def test_an_absent_checkout_is_a_sentence(module, tmp_path):
    for row in module.ROWS:
        with pytest.raises(Absent, match=re.escape(str(tmp_path))):
            row.make(Checkouts(tmp_path))


def test_a_file_without_the_function_is_a_sentence(tmp_path):
    with pytest.raises(Absent, match="no loglikelihood"):
        adapter.make(folder(tmp_path, adapter.FILE, "x = 1"))
