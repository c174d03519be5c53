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
    p = prior_for(A_name, lda.Prior(np.array([0.1, 1 / 3, 2.0]), 1 / 7))
    f = fit(ROWS_FOR[A_name][0], algorithm=A_name, prior=p, monitor=lambda f: {"note": "été", "x": 0.1 + 0.2, "none": None})
    lda.save(f, tmp_path / "a" / "model", VOCAB)
    loaded_fit = lda.load(str(tmp_path / "a" / "model"))
    assert_equal_fits(loaded_fit, f._replace(vocab=VOCAB))
    lda.save(loaded_fit, tmp_path / "again")
    assert lda.load(tmp_path / "again").vocab == VOCAB


VARIANTS = ml.tempered(0.123456789), vb.APPROXIMATE, hmc.with_steps(0.3, 2), ep.damped(0.3)
ANNEALS = [{"algorithm": A_name, "start": "anneal:3:100"} for A_name in ("vb", "map", "cgs")]
SPECIALS = [{"replicates": 3}, {"algorithm": "cvb0", "prior": PRIORS["eta by topic"]}]
AVERAGES = [{"burn_in": burn_in, "thin": thin, "prior": lda.Prior(1, 1)} for burn_in, thin in ((0, 1), (1, 2), (5, 1))]  # saved after 4
SPECIALS += [{"algorithm": A_name} | average_options for A_name in (*SAMPLERS, "hmc") for average_options in AVERAGES]


@pytest.mark.parametrize("fit_options", [*({"algorithm": A, "prior": lda.Prior(1, 1)} for A in VARIANTS), *ANNEALS, *SPECIALS], ids=repr)
def test_fits_of_all_kinds_are_loaded_and_resumed(tmp_path, fit_options):
    f = fit(**fit_options)
    lda.save(f, tmp_path)
    loaded_f = lda.load(tmp_path)
    assert_equal_fits(loaded_f, f)
    assert loaded_f.start == fit_options.get("start", f.start)
    options_of_8_sweeps = fit_options | {"burn_in": f.burn_in, "sweeps": 8}
    assert_equal_fits(fit(**options_of_8_sweeps | {"algorithm": loaded_f.algorithm}, resume=loaded_f), fit(**options_of_8_sweeps), seconds=False)


def test_an_algorithm_outside_the_registry_is_loaded_if_it_is_given(tmp_path):
    own_A, hard_A = replace(lda.ALGORITHMS["cvb0"], name="mine"), replace(lda.ALGORITHMS["cvb0"], assignment="hard")
    f = fit(algorithm=own_A)
    lda.save(f, tmp_path / "mine")
    assert lda.load(tmp_path / "mine", own_A) == f
    all_refused([
        (lambda: lda.load(tmp_path / "mine"), "algorithm is 'mine', expected one of ml, map, .*; one of your own must be given to `lda.load`"),
        (lambda: lda.save(fit(algorithm=hard_A), tmp_path / "other"), "cvb0 ran with assignment 'hard', expected its own, 'soft'"),
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
    for new_fields, save_options, message in (
        ({"theta_jk": f.theta_jk[:, 1:]}, {}, f"theta_jk has shape {(D, K - 1)}, expected the topics of phi_wk"),
        ({"phi_wk": f.phi_wk * np.nan}, {}, "phi_wk[0, 0] is nan, expected a probability"),
        ({"state": f.state._replace(gamma=f.state.gamma / 2)}, {}, "gamma[0] adds up to 0.5, expected 1"),
        ({}, {"vocab": VOCAB[:-1]}, "phi_wk has 6 words, expected the 5 of the vocabulary"),
        ({}, {"labels": {"group": ["a"] * D}}, "labels is {'group': ["),
    ):
        with refused(message):
            lda.save(f._replace(**new_fields), tmp_path / "m", **save_options)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("file_name", ["letter.txt", "model.json"])
def test_a_folder_that_holds_anything_else_is_refused(tmp_path, file_name):
    (tmp_path / file_name).write_text('{"format": "another"}')
    with refused(f"{tmp_path}: holds files but no model, expected a model folder or an empty one"):
        lda.save(fit(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [file_name]
    assert (tmp_path / file_name).read_text() == '{"format": "another"}'


@pytest.mark.parametrize("write_number", [1, 2])
@pytest.mark.parametrize("interruption", ["killed", "overtaken"])
def test_a_save_that_is_interrupted_leaves_a_whole_model(tmp_path, monkeypatch, interruption, write_number):
    fit_4, fit_6, fit_8, written_paths = fit(), fit(sweeps=6, burn_in=2), fit(sweeps=8, burn_in=2), []
    lda.save(fit_4, tmp_path)

    def failing_write(path, file_bytes):
        written_paths.append(path)
        if len(written_paths) == write_number:
            killed() if interruption == "killed" else lda.save(fit_8, tmp_path)
        write_bytes(path, file_bytes)

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write_bytes", failing_write)
        with pytest.raises(Killed) if interruption == "killed" else nullcontext():
            lda.save(fit_6, tmp_path)
    assert_equal_fits(lda.load(tmp_path), fit_4 if interruption == "killed" else fit_6)
    lda.save(fit_8, tmp_path)
    assert_equal_fits(lda.load(tmp_path), fit_8)


@pytest.fixture
def model(tmp_path):
    """A saved model: its folder, and the paths of its model.json and its npz."""
    lda.save(fit(), tmp_path, VOCAB)
    (npz_path,) = tmp_path.glob("*.npz")
    return tmp_path, tmp_path / "model.json", npz_path


def test_a_folder_without_a_model_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        not_loaded(folder, f"{folder / 'model.json'}: not found, expected a model folder")


def rewrite(json_path, npz_path, new_fields):
    """Write a model.json with changes, its checksum that of the arrays."""
    sha256 = hashlib.sha256(npz_path.read_bytes()).hexdigest()
    json_path.write_text(json.dumps(json.loads(json_path.read_text("utf-8")) | {"sha256": sha256} | new_fields), "utf-8")


def test_a_damaged_json_is_named(model):
    folder, json_path, _ = model
    json_bytes = json_path.read_bytes()
    for damaged_bytes in (json_bytes[:0], json_bytes[:-2], b"\xff"):
        json_path.write_bytes(damaged_bytes)
        not_loaded(folder, f"{json_path}: damaged, expected JSON (")
    json_path.write_bytes(b"[]")
    not_loaded(folder, f"{json_path}: it is [], expected an object with the fields format, arrays")


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
    folder, json_path, npz_path = model
    rewrite(json_path, npz_path, new_field)
    not_loaded(folder, f"{json_path}: {message}")
    lda.save(fit(), folder)  # to which a damaged model leaves nothing
    assert lda.load(folder) == fit()


def test_a_missing_field_is_named(model):
    folder, json_path, _ = model
    model_fields = json.loads(json_path.read_text("utf-8"))
    for missing_field in model_fields.keys() - {"documents", "labels", "reading", "shapes"}:  # earlier models do not have them
        json_path.write_text(json.dumps({field_name: field_value for field_name, field_value in model_fields.items() if field_name != missing_field}))
        not_loaded(folder, f"{json_path}: {missing_field} is missing, expected ")


def test_another_file_of_arrays_is_found_by_its_checksum(model):
    folder, _, npz_path = model
    npz_bytes = npz_path.read_bytes()
    for damaged_bytes in (npz_bytes[:0], npz_bytes[:-1], npz_bytes + b" "):
        npz_path.write_bytes(damaged_bytes)
        not_loaded(folder, f"{npz_path}: damaged, its SHA-256 is ")
    npz_path.unlink()
    not_loaded(folder, f"{npz_path}: not found, expected the arrays that model.json names")


def test_a_file_that_is_no_npz_is_named(model):
    folder, json_path, npz_path = model
    for damage_npz in (lambda: np.savez(npz_path, gamma=np.array([{"an": "object"}])), lambda: npz_path.write_bytes(b"garbage")):
        damage_npz()
        rewrite(json_path, npz_path, {})
        not_loaded(folder, f"{npz_path}: damaged, expected arrays in NumPy's npz format (")
