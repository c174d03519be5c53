"""Models on disk: they are loaded as they were saved, killed saves lose nothing, and errors name damaged files."""

import hashlib
import json
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import storage
from lda_reference.algorithms import ep, hmc, ml, vb
from lda_reference.formats.files import write_bytes

from .helpers import PRIORS, ROWS_FOR, SAMPLERS, Killed, all_refused, assert_equal_fits, killed, prior_for, refused
from .helpers import quick_fit as fit

VOCAB = ("ash", "bay", "été", "fig", "ivy", "oak")


def not_loaded(folder, message):
    with refused(message):
        lda.load(folder)


@pytest.mark.parametrize("A_name", lda.ALGORITHMS)
def test_a_saved_fit_is_loaded_exactly(tmp_path, A_name):
    prior = prior_for(A_name, lda.Prior(np.array([0.1, 1 / 3, 2.0]), 1 / 7))
    f = fit(ROWS_FOR[A_name][0], algorithm=A_name, prior=prior, monitor=lambda f: {"note": "été", "x": 0.1 + 0.2, "none": None})
    lda.save(f, tmp_path / "a" / "model", VOCAB)
    loaded_fit = lda.load(str(tmp_path / "a" / "model"))
    assert_equal_fits(loaded_fit, f._replace(vocab=VOCAB))
    lda.save(loaded_fit, tmp_path / "again")
    assert lda.load(tmp_path / "again").vocab == VOCAB


VARIANTS = ml.tempered(0.123456789), vb.APPROXIMATE, hmc.with_steps(0.3, 2), ep.damped(0.3)
ANNEALS = [{"algorithm": name, "start": "anneal:3:100"} for name in ("vb", "map", "cgs")]
SPECIALS = [{"replicates": 3}, {"algorithm": "cvb0", "prior": PRIORS["eta by topic"]}]
AVERAGES = [{"burn_in": b, "thin": t, "prior": lda.Prior(1, 1)} for b, t in ((0, 1), (1, 2), (5, 1))]  # saved after 4
SPECIALS += [{"algorithm": name} | options for name in (*SAMPLERS, "hmc") for options in AVERAGES]


@pytest.mark.parametrize("options", [*({"algorithm": A, "prior": lda.Prior(1, 1)} for A in VARIANTS), *ANNEALS, *SPECIALS], ids=repr)
def test_fits_of_all_kinds_are_loaded_and_resumed(tmp_path, options):
    f = fit(**options)
    lda.save(f, tmp_path)
    loaded_f = lda.load(tmp_path)
    assert_equal_fits(loaded_f, f)
    assert loaded_f.start == options.get("start", f.start)
    opts_8 = options | {"burn_in": f.burn_in, "sweeps": 8}
    assert_equal_fits(fit(**opts_8 | {"algorithm": loaded_f.algorithm}, resume=loaded_f), fit(**opts_8), seconds=False)


def test_an_algorithm_outside_the_registry_is_loaded_if_it_is_given(tmp_path):
    own_A, hard = replace(lda.ALGORITHMS["cvb0"], name="mine"), replace(lda.ALGORITHMS["cvb0"], assignment="hard")
    f = fit(algorithm=own_A)
    lda.save(f, tmp_path / "mine")
    assert lda.load(tmp_path / "mine", own_A) == f
    all_refused([
        (lambda: lda.load(tmp_path / "mine"), "algorithm is 'mine', expected one of ml, map, .*; one of your own must be given to `lda.load`"),
        (lambda: lda.save(fit(algorithm=hard), tmp_path / "other"), "cvb0 ran with assignment 'hard', expected its own, 'soft'"),
    ])
    assert not (tmp_path / "other").exists()


def test_equal_models_are_equal_bytes(tmp_path):
    for folder in ("a", "b"):
        lda.save(fit(), tmp_path / folder)
    bytes_a, bytes_b = (path.read_bytes() for path in sorted(tmp_path.glob("*/arrays-*.npz")))
    assert bytes_a == bytes_b


def test_saving_again_replaces_the_model_and_touches_nothing_else(tmp_path):
    fit_4, fit_6 = fit(), fit(sweeps=6, burn_in=2)
    lda.save(fit_4, tmp_path)
    (tmp_path / "arrays-of-mine.npz").write_text("mine")
    for f in (fit_4, fit_6, fit_6):
        lda.save(f, tmp_path)
        assert_equal_fits(lda.load(tmp_path), f)
        assert len(list(tmp_path.iterdir())) == 3
    assert (tmp_path / "arrays-of-mine.npz").read_text() == "mine"


def test_what_does_not_fit_together_is_not_saved(tmp_path):
    f = fit()
    D, K = f.theta_jk.shape
    for new_fields, options, message in (
        ({"theta_jk": f.theta_jk[:, 1:]}, {}, f"theta_jk has shape {(D, K - 1)}, expected the topics of phi_wk"),
        ({"phi_wk": f.phi_wk * np.nan}, {}, "phi_wk[0, 0] is nan, expected a probability"),
        ({"state": f.state._replace(gamma=f.state.gamma / 2)}, {}, "gamma[0] adds up to 0.5, expected 1"),
        ({}, {"vocab": VOCAB[:-1]}, "phi_wk has 6 words, expected the 5 of the vocabulary"),
        ({}, {"labels": {"group": ["a"] * D}}, "labels is {'group': ["),
    ):
        with refused(message):
            lda.save(f._replace(**new_fields), tmp_path / "m", **options)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("file_name", ["letter.txt", "model.json"])
def test_a_folder_that_holds_anything_else_is_refused(tmp_path, file_name):
    (tmp_path / file_name).write_text('{"format": "another"}')
    with refused(f"{tmp_path}: holds files but no model, expected a model folder or an empty one"):
        lda.save(fit(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file_name]
    assert (tmp_path / file_name).read_text() == '{"format": "another"}'


@pytest.mark.parametrize("moment", [1, 2])
@pytest.mark.parametrize("event", ["killed", "overtaken"])
def test_a_save_that_is_interrupted_leaves_a_whole_model(tmp_path, monkeypatch, event, moment):
    fit_4, fit_6, fit_8, paths = fit(), fit(sweeps=6, burn_in=2), fit(sweeps=8, burn_in=2), []
    lda.save(fit_4, tmp_path)

    def failing_write(path, content):
        paths.append(path)
        if len(paths) == moment:
            killed() if event == "killed" else lda.save(fit_8, tmp_path)
        write_bytes(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write_bytes", failing_write)
        with pytest.raises(Killed) if event == "killed" else nullcontext():
            lda.save(fit_6, tmp_path)
    assert_equal_fits(lda.load(tmp_path), fit_4 if event == "killed" else fit_6)
    lda.save(fit_8, tmp_path)
    assert_equal_fits(lda.load(tmp_path), fit_8)


# Damaged models ------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    """A saved model: its folder, and the paths of its model.json and its npz."""
    lda.save(fit(), tmp_path, VOCAB)
    (npz,) = tmp_path.glob("*.npz")
    return tmp_path, tmp_path / "model.json", npz


def test_a_folder_without_a_model_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        not_loaded(folder, f"{folder / 'model.json'}: not found, expected a model folder")


def rewrite(path, npz, changes):
    """Write a model.json with changes, its checksum that of the arrays."""
    sha256 = hashlib.sha256(npz.read_bytes()).hexdigest()
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"sha256": sha256} | changes), "utf-8")


def test_a_damaged_json_is_named(model):
    folder, path, _ = model
    content = path.read_bytes()
    for damaged_content in (content[:0], content[:-2], b"\xff"):
        path.write_bytes(damaged_content)
        not_loaded(folder, f"{path}: damaged, expected JSON (")
    path.write_bytes(b"[]")
    not_loaded(folder, f"{path}: it is [], expected an object with the fields format, arrays")


@pytest.mark.parametrize(
    ("new_field", "message"),
    [
        ({"format": "lda_reference model 1"}, "format is 'lda_reference model 1', expected 'lda_reference model 3'"),
        ({"arrays": "../../x.npz"}, "arrays is '../../x.npz', expected the name of a file such as arrays-"),
        ({"algorithm": "lsa"}, "algorithm is 'lsa', expected one of ml, map, "),
        ({"sweeps": 1.5}, "sweeps is 1.5, expected a whole number from 0"),
        ({"history": []}, "history has 0 entries, expected one for each of 4 sweeps"),
        ({"vocab": [*VOCAB[:-1], 6]}, "vocab is ['ash', "),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named(model, new_field, message):
    folder, path, npz = model
    rewrite(path, npz, new_field)
    not_loaded(folder, f"{path}: {message}")


def test_a_missing_field_is_named(model):
    folder, path, _ = model
    fields = json.loads(path.read_text("utf-8"))
    for field in fields.keys() - {"documents", "labels", "reading", "shapes"}:  # earlier models do not have them
        path.write_text(json.dumps({k: v for k, v in fields.items() if k != field}))
        not_loaded(folder, f"{path}: {field} is missing, expected ")


def test_another_file_of_arrays_is_found_by_its_checksum(model):
    folder, _, path = model
    content = path.read_bytes()
    for damaged_content in (content[:0], content[:-1], content + b" "):
        path.write_bytes(damaged_content)
        not_loaded(folder, f"{path}: damaged, its SHA-256 is ")
    path.unlink()
    not_loaded(folder, f"{path}: not found, expected the arrays that model.json names")


def test_a_file_that_is_no_npz_is_named(model):
    folder, path, npz = model
    for damage in (lambda: np.savez(npz, gamma=np.array([{"an": "object"}])), lambda: npz.write_bytes(b"garbage")):
        damage()
        rewrite(path, npz, {})
        not_loaded(folder, f"{npz}: damaged, expected arrays in NumPy's npz format (")
