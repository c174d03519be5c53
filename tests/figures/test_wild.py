"""figures/wild: adapters with implementations that are made here, and the page as it is shown. `make wild` asks the real ones."""

from pathlib import Path

import numpy as np
import pytest
from web import stage

from figures.wild import asking, runs
from figures.wild.adapters import Checkouts, lda_scvb0, shuyo_iir
from figures.wild.adapters import pycistopic as adapter
from figures.wild.consequences import MEASURES
from lda_reference import oracle, plain

from ..oracle import package

FOLDER = Path(runs.__file__).parent
PAGE = (FOLDER.parent / "WILD.md").read_text("utf-8")
LINES = runs.read(FOLDER / "wild.csv")

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


def checkout(tmp_path, file_name, source_code):
    source_path = tmp_path / file_name
    source_path.parent.mkdir(parents=True)
    source_path.write_text(source_code, "utf-8")
    return Checkouts(tmp_path)


def test_the_page_is_that_of_the_csv_file():
    assert runs.page(LINES) == PAGE
    assert "figures/WILD.md" in stage.DOCUMENTS


def test_every_row_has_a_text_and_every_text_a_line_or_no_adapter():
    adapter_keys = {row_key for row_key, row_texts in runs.TEXTS.items() if "adapter" in row_texts}
    assert set(LINES) == adapter_keys
    assert set(MEASURES) <= adapter_keys
    assert sum("instead" in runs.TEXTS[row_key] for row_key in LINES) >= 10


def test_a_row_that_fails_says_what_it_computes_and_of_which_version_and_a_row_that_passes_does_not():
    for row_key, line in LINES.items():
        row_texts = runs.TEXTS[row_key]
        assert ("instead" in row_texts) == (int(line.passed) < int(line.cases)), row_key
        assert "line" in row_texts
        assert line.version == row_texts["version"], row_key
    for row_key, row_texts in runs.TEXTS.items():
        assert "instead" in row_texts or "right" in row_texts, row_key
        assert "newest version" in row_texts.get("newer", "") or "instead" not in row_texts, row_key


def test_a_right_log_joint_passes_and_a_wrong_one_does_not(tmp_path):
    wild_row = {"adapter": "pycistopic", "asks": "lda/log_joint", "skips": ["vectors"]}
    right_line = asking.ask(wild_row, checkout(tmp_path / "a", adapter.FILE, LOG_JOINT))
    assert 0 < right_line.passed == right_line.cases
    wrong_line = asking.ask(wild_row, checkout(tmp_path / "b", adapter.FILE, LOG_JOINT.replace("+ part(ndz", "- part(ndz")))
    assert wrong_line.passed < wrong_line.cases


def test_a_right_cvb0_passes_and_a_mistake_gets_its_name(tmp_path):
    wild_row = {"adapter": "shuyo_iir", "asks": "cvb0/update", "skips": ["vectors", "two rows"]}
    right_line = asking.ask(wild_row, checkout(tmp_path / "a", shuyo_iir.FILE, CVB0))
    assert 0 < right_line.passed == right_line.cases
    wrong_code = CVB0.replace(
        "new = (see[0][w] - g) * (see[1][j] - g) / (see[2] - g)", "new = see[0][w] * see[1][j] / see[2]"
    )
    wrong_line = asking.ask(wild_row, checkout(tmp_path / "b", shuyo_iir.FILE, wrong_code))
    assert wrong_line.passed < wrong_line.cases
    assert "nothing" in wrong_line.named


def test_the_counts_of_lda_scvb0_keep_their_sum():
    case = lda_scvb0.case_of(3, 1) | {"rho_theta": 0.1, "rho_phi": 0.2}
    N_wk = np.array(plain.answer(case)["N_wk"])
    assert N_wk.sum() == pytest.approx(0.8 * np.sum(case["N_wk"]) + 0.2 * case["total_N"])
    assert asking.error_of(case["expected"], case["mistakes"][0]["expected"]) > 1e-3


def test_plain_cases_are_answered_by_the_oracles_example_port():
    for case in asking.plain_cases("cvb0/update,cvb0/sweep,cgs/sweep"):
        if case["operation"] == "update" or case["schedule"] == "token":
            assert oracle.judge(package.answer, case).passed, case["id"]


def test_without_checkouts_rows_are_carried_over_and_nothing_is_lost(tmp_path, capsys):
    (tmp_path / "wild").mkdir()
    (tmp_path / "wild/wild.csv").write_text((FOLDER / "wild.csv").read_text("utf-8"), "utf-8")
    runs.main(["--folder", str(tmp_path), "--only", "cvbLDA", "shuyo"])
    printed_text = capsys.readouterr().out
    assert "cvbLDA is carried over: davidandrzej+cvbLDA/cvbLDA.so is not here, because no --checkouts are given." in printed_text
    assert "Run this time: nothing" in printed_text
    assert (tmp_path / "WILD.md").read_text("utf-8") == PAGE
    assert runs.read(tmp_path / "wild/wild.csv") == LINES
