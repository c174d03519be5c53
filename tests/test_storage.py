"""Models on disk: they are loaded as they were saved, killed saves lose nothing, and errors name damaged files."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import storage
from lda_reference.algorithms import hmc, ml, vb

from .helpers import ROWS_FOR, arrays, assert_equal_fits, refused
from .helpers import quick_fit as fit

WORDS = ("ash", "bay", "été", "fig", "ivy", "oak")


@pytest.mark.parametrize("algorithm", lda.ALGORITHMS)
def test_a_saved_fit_is_loaded_exactly(tmp_path, algorithm):
    high = 1 if algorithm == "map" else 0
    prior = lda.Prior(np.array([0.1, 1 / 3, 2.0]) + high, 1 / 7 + high)
    f = fit(ROWS_FOR[algorithm][0], algorithm=algorithm, prior=prior, monitor=lambda f: {"note": "été", "x": 0.1 + 0.2, "none": None})
    lda.save(f, tmp_path / "a" / "model", WORDS)
    loaded, words = storage.load_with_vocab(tmp_path / "a" / "model")
    assert_equal_fits(loaded, f)
    assert words == WORDS
    assert_equal_fits(lda.load(str(tmp_path / "a" / "model")), f)
    lda.save(f, tmp_path / "wordless")
    assert storage.load_with_vocab(tmp_path / "wordless")[1] is None


@pytest.mark.parametrize("algorithm", [ml.tempered(0.7), ml.tempered(0.123456789), vb.APPROXIMATE, hmc.with_steps(0.3, 2)], ids=repr)
def test_variants_are_saved_by_their_names(tmp_path, algorithm):
    f = fit(algorithm=algorithm, prior=lda.Prior(1, 1))
    lda.save(f, tmp_path)
    loaded = lda.load(tmp_path)
    assert_equal_fits(loaded, f)
    np.testing.assert_array_equal(
        fit(algorithm=loaded.algorithm, prior=lda.Prior(1, 1)).state.gamma, f.state.gamma
    )


def test_an_algorithm_outside_the_registry_is_not_saved(tmp_path):
    f = fit()._replace(algorithm=replace(lda.ALGORITHMS["cgs"], name="mine"))
    with refused("algorithm is 'mine', expected one of ml, map, "):
        lda.save(f, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(("name", "assignment"), [("ml", "sample"), ("vb", "sample"), ("gibbs", "soft"), ("cvb0", "hard")])
def test_a_run_with_another_assignment_is_not_saved(tmp_path, name, assignment):
    f = fit(algorithm=replace(lda.ALGORITHMS[name], assignment=assignment))
    with refused(f"{name} ran with assignment '{assignment}', expected its own, '{lda.ALGORITHMS[name].assignment}'"):
        lda.save(f, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_replicates_are_saved(tmp_path):
    f = fit(replicates=3)
    lda.save(f, tmp_path)
    assert_equal_fits(lda.load(tmp_path), f)


def test_numpy_scalars_are_saved(tmp_path):
    f = fit(sweeps=np.int64(4), seed=np.uint8(7), burn_in=np.int32(2), thin=np.int16(1))
    lda.save(f, tmp_path)
    assert_equal_fits(lda.load(tmp_path), f)


def test_the_arrays_need_no_pickle(tmp_path):
    f = fit()
    lda.save(f, tmp_path)
    (path,) = tmp_path.glob("arrays-*.npz")
    with np.load(path, allow_pickle=False) as stored:
        for name, x in arrays(f).items():
            np.testing.assert_array_equal(stored[name], x)
        assert sorted(stored) == sorted(arrays(f))
    assert json.loads((tmp_path / "model.json").read_text("utf-8"))["arrays"] == path.name


def test_saving_again_replaces_the_model_and_touches_nothing_else(tmp_path):
    first, second = fit(), fit(sweeps=6, burn_in=2)
    lda.save(first, tmp_path)
    (tmp_path / "arrays-of-mine.npz").write_text("mine")
    for f in (first, second, second):
        lda.save(f, tmp_path)
        assert_equal_fits(lda.load(tmp_path), f)
        assert len(list(tmp_path.glob("arrays-*-*.npz"))) == 2  # one of them is not the model's
        assert len(list(tmp_path.iterdir())) == 3
    assert (tmp_path / "arrays-of-mine.npz").read_text() == "mine"


@pytest.mark.parametrize("name", ["letter.txt", "model.json", "arrays-of-mine.npz", ".hidden"])
def test_a_folder_that_holds_anything_else_is_refused(tmp_path, name):
    (tmp_path / name).write_text('{"format": "another"}')
    with refused(f"{tmp_path}: holds files but no model, expected a model folder or an empty one"):
        lda.save(fit(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == '{"format": "another"}'


class Killed(BaseException):
    pass


def killed(*_, **__):
    raise Killed


def half_an_npz(file, **_):
    file.write(b"PK\x03\x04 and no more")
    raise Killed


def half_a_json(about, file, **_):
    file.write(json.dumps(about)[:100])
    raise Killed


@pytest.mark.parametrize(
    ("owner", "name", "death"),
    [
        (np, "savez_compressed", killed),
        (np, "savez_compressed", half_an_npz),
        (json, "dump", killed),
        (json, "dump", half_a_json),
        (os, "fsync", killed),
        (os, "replace", killed),
    ],
)
def test_a_killed_save_leaves_the_last_model_whole(tmp_path, monkeypatch, owner, name, death):
    last, next_one = fit(), fit(sweeps=6, burn_in=2)
    lda.save(last, tmp_path / "old", WORDS)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, death)
        for folder in ("old", "new"):
            with pytest.raises(Killed):
                lda.save(next_one, tmp_path / folder)
    loaded, words = storage.load_with_vocab(tmp_path / "old")
    assert_equal_fits(loaded, last)
    assert words == WORDS
    with refused(f"{tmp_path / 'new' / 'model.json'}: not found"):
        lda.load(tmp_path / "new")
    # a killed save leaves files that the next save removes
    for folder in ("old", "new"):
        lda.save(next_one, tmp_path / folder)
        assert_equal_fits(lda.load(tmp_path / folder), next_one)
        assert len(list((tmp_path / folder).iterdir())) == 2


def test_a_save_killed_while_it_cleans_up_leaves_the_new_model_whole(tmp_path, monkeypatch):
    lda.save(fit(), tmp_path)
    new = fit(sweeps=6, burn_in=2)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(Killed):
            lda.save(new, tmp_path)
    assert_equal_fits(lda.load(tmp_path), new)


# Damaged models ------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    """A saved model: its folder, and the paths of its model.json and its npz."""
    lda.save(fit(), tmp_path, WORDS)
    (npz,) = tmp_path.glob("*.npz")
    return tmp_path, tmp_path / "model.json", npz


def test_a_folder_without_a_model_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        with refused(f"{folder / 'model.json'}: not found, expected a model folder"):
            lda.load(folder)


def test_a_damaged_json_is_named(model):
    folder, path, _ = model
    whole, f = path.read_bytes(), lda.load(folder)
    about = json.loads(whole)
    without = [json.dumps({k: v for k, v in about.items() if k != name}).encode() for name in about]
    other = [json.dumps(about | change).encode() for change in ({"format": "lda_reference model 1"}, {"history": 5}, {"vocab": 5}, {"arrays": 5})]
    for data in (*(whole[:n] for n in range(0, len(whole) - 1, 50)), *without, *other, b"garbage", b"\xff", b"[]", b"null", b"[" * 100_000):
        path.write_bytes(data)
        with refused(f"{path}: damaged or missing, expected a file of a whole model ("):
            lda.load(folder)
    path.write_bytes(whole)
    assert_equal_fits(lda.load(folder), f)


def test_damaged_arrays_are_named(model):
    folder, _, path = model
    whole = path.read_bytes()
    with np.load(path) as stored:
        contents = dict(stored)
    for data in (*(whole[:n] for n in range(0, len(whole), 50)), b"garbage"):
        path.write_bytes(data)
        with refused(f"{path}: damaged or missing, expected a file of a whole model ("):
            lda.load(folder)
    for name in contents:
        np.savez(path, **{k: v for k, v in contents.items() if k != name})
        with refused(f"{path}: damaged or missing, expected a file of a whole model (KeyError: '{name}')"):
            lda.load(folder)
    np.savez(path, **contents | {"gamma": np.array([{"an": "object"}])})
    with refused(f"{path}: damaged or missing, expected a file of a whole model (ValueError: Object arrays cannot be loaded"):
        lda.load(folder)
    with open(path, "wb") as file:
        np.save(file, contents["gamma"])
    with refused(f"{path}: damaged or missing, expected a file of a whole model ("):
        lda.load(folder)
    path.unlink()
    with refused(f"{path}: damaged or missing, expected a file of a whole model (FileNotFoundError"):
        lda.load(folder)


def test_a_flipped_byte_in_the_arrays_is_found_or_harmless(model):
    folder, _, path = model
    whole, f = path.read_bytes(), lda.load(folder)
    seen = 0
    for n in range(len(whole)):
        path.write_bytes(whole[:n] + bytes([whole[n] ^ 255]) + whole[n + 1 :])
        try:
            loaded = lda.load(folder)
        except ValueError:
            seen += 1
        else:
            assert_equal_fits(loaded, f)
    assert seen > len(whole) / 2
