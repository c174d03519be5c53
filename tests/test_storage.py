"""Models on disk: they are loaded as they were saved, killed saves lose nothing, and errors name damaged files."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import storage
from lda_reference.algorithms import ep, hmc, ml, vb
from lda_reference.app.tour import topics_text

from . import fuzz
from .helpers import PRIORS, ROWS_FOR, Killed, all_refused, assert_equal_fits, killed, refused
from .helpers import quick_fit as fit

WORDS = ("ash", "bay", "été", "fig", "ivy", "oak")


def not_loaded(folder, message):
    with refused(message):
        lda.load(folder)


@pytest.mark.parametrize("algorithm", lda.ALGORITHMS)
def test_a_saved_fit_is_loaded_exactly(tmp_path, algorithm):
    high = 1 if algorithm == "map" else 0
    prior = lda.Prior(np.array([0.1, 1 / 3, 2.0]) + high, 1 / 7 + high)
    f = fit(ROWS_FOR[algorithm][0], algorithm=algorithm, prior=prior, monitor=lambda f: {"note": "été", "x": 0.1 + 0.2, "none": None})
    lda.save(f, tmp_path / "a" / "model", WORDS)
    loaded = lda.load(tmp_path / "a" / "model")
    assert_equal_fits(loaded, f._replace(vocab=WORDS))
    assert_equal_fits(lda.load(str(tmp_path / "a" / "model")), loaded)
    lda.save(loaded, tmp_path / "again")
    assert lda.load(tmp_path / "again").vocab == WORDS
    lda.save(f, tmp_path / "wordless")
    assert lda.load(tmp_path / "wordless").vocab is None


VARIANTS = ml.tempered(0.123456789), vb.APPROXIMATE, hmc.with_steps(0.3, 2), ep.damped(0.3)
ANNEALED = [{"algorithm": name, "start": "anneal:3:100"} for name in ("vb", "map", "cgs")]
UNUSUAL = [
    {"replicates": 3},
    {"sweeps": np.int64(4), "seed": np.uint8(7), "burn_in": np.int32(2), "thin": np.int16(1)},
    {"algorithm": "cvb0", "prior": PRIORS["eta by topic"]},
]


@pytest.mark.parametrize("options", [*({"algorithm": A, "prior": lda.Prior(1, 1)} for A in VARIANTS), *ANNEALED, *UNUSUAL], ids=repr)
def test_fits_of_all_kinds_are_loaded_and_resumed(tmp_path, options):
    f = fit(**options)
    lda.save(f, tmp_path)
    loaded = lda.load(tmp_path)
    assert_equal_fits(loaded, f)
    assert loaded.start == options.get("start", f.start)
    longer = options | {"burn_in": f.burn_in, "sweeps": 8}
    whole = fit(**longer)
    assert_equal_fits(fit(**longer | {"algorithm": loaded.algorithm}, resume=loaded), whole, seconds=False)
    assert whole != f


def test_an_algorithm_outside_the_registry_is_loaded_if_it_is_given(tmp_path):
    own_cvb0, renamed = replace(lda.ALGORITHMS["cvb0"], name="mine"), replace(lda.ALGORITHMS["tcvb0"], name="cvb0")
    hard = replace(lda.ALGORITHMS["cvb0"], assignment="hard")
    f = fit(algorithm=own_cvb0)
    lda.save(f, tmp_path / "mine")
    assert lda.load(tmp_path / "mine", own_cvb0) == f
    all_refused([
        (lambda: lda.load(tmp_path / "mine"), "algorithm is 'mine', expected one of ml, map, .*; one of your own must be given to `lda.load`"),
        (lambda: lda.load(tmp_path / "mine", lda.ALGORITHMS["cvb0"]), "model.json: algorithm is 'mine', expected 'cvb0'$"),
        (lambda: lda.load(tmp_path / "mine", "mine"), "algorithm is of the type str, expected an Algorithm"),
        (lambda: lda.save(fit(algorithm=renamed), tmp_path / "other"), "f ran an algorithm of its own with the name cvb0, expected another"),
        (lambda: lda.save(fit(algorithm=hard), tmp_path / "other"), "cvb0 ran with assignment 'hard', expected its own, 'soft'"),
    ])
    assert not (tmp_path / "other").exists()


def test_equal_models_are_equal_bytes(tmp_path):
    for folder in ("a", "b"):
        lda.save(fit(), tmp_path / folder)
    first, second = (path.read_bytes() for path in sorted(tmp_path.glob("*/arrays-*.npz")))
    assert first == second


def test_a_model_without_gamma_is_refused_if_its_sums_are_no_sums_of_its_rows(tmp_path):
    lda.save(fit(algorithm="vb"), tmp_path)
    path, (npz,) = tmp_path / "model.json", tmp_path.glob("arrays-*.npz")
    about = json.loads(path.read_text("utf-8"))
    with np.load(npz) as stored:
        a = dict(stored)
    assert "gamma" not in a
    for changed, message in (
        ({"rows_w": a["rows_w"][::-1]}, "rows_j, rows_w and rows_n are another corpus than that of model.json"),
        ({"rows_n": a["rows_n"] + 0.25}, "N_jk or N_wk does not add up to the tokens of the documents or words"),
        ({"rows_j": a["rows_j"] + 1}, "j, w and n have lengths "),
        ({"rows_j": a["rows_j"] * 1.0}, "rows_j has the type float64, expected whole numbers"),
        ({"N_jk": a["N_jk"] * 2}, "N_jk or N_wk does not add up to the tokens of the documents or words"),
        ({"N_wk": a["N_wk"][::-1]}, "N_jk or N_wk does not add up to the tokens of the documents or words"),
        ({"N_k": -a["N_k"]}, "N_k[0] is "),
        ({"before_jk": a["before_jk"][1:]}, "before_jk has shape "),
        ({"before_eta": a["before_eta"] * -1}, "eta is "),
        ({"before_W_eta": np.ones(2)}, "the shape of before_W_eta is (2,), expected () as before_eta has"),
        ({"before_k": None}, "before_k is missing, expected an array of this name"),
        ({"gamma": a["theta_jk"]}, "gamma is no array of a model of vb"),
    ):
        arrays = {name: x for name, x in (a | changed).items() if x is not None}
        rewritten(path, npz, about | {"shapes": {}}, arrays)
        not_loaded(tmp_path, f"{npz}: {message}")


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


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    f = fit()
    for change, options, message in (
        ({"theta_jk": f.theta_jk.astype(np.float32)}, {}, "theta_jk has the type float32, expected float64"),
        ({"phi_wk": f.phi_wk.T}, {}, "gamma has shape"),
        ({}, {"vocab": [*WORDS[:-1], "\ud83d"]}, "vocab[5] is "),
        ({}, {"documents": ["a"]}, "theta_jk has "),
    ):
        with refused(message):
            lda.save(f._replace(**change), tmp_path / "m", **options)
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("name", ["letter.txt", "model.json", "arrays-of-mine.npz", ".hidden"])
def test_a_folder_that_holds_anything_else_is_refused(tmp_path, name):
    (tmp_path / name).write_text('{"format": "another"}')
    with refused(f"{tmp_path}: holds files but no model, expected a model folder or an empty one"):
        lda.save(fit(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == '{"format": "another"}'


def halved(which):
    """Death when half of the arrays (1) or of model.json (2) is written."""
    files = []

    def fsync(file):
        files.append(file)
        if len(files) % which == 0:
            os.ftruncate(file, os.fstat(file).st_size // 2)
            raise Killed

    return fsync


@pytest.mark.parametrize(("name", "death"), [("fsync", halved(1)), ("fsync", halved(2)), ("replace", killed)])
def test_a_killed_save_leaves_the_last_model_whole(tmp_path, monkeypatch, name, death):
    last, next_one = fit(), fit(sweeps=6, burn_in=2)
    lda.save(last, tmp_path / "old", WORDS)
    with monkeypatch.context() as patch:
        patch.setattr(os, name, death)
        for folder in ("old", "new"):
            with pytest.raises(Killed):
                lda.save(next_one, tmp_path / folder)
    loaded = lda.load(tmp_path / "old")
    assert_equal_fits(loaded, last._replace(vocab=WORDS))
    not_loaded(tmp_path / "new", f"{tmp_path / 'new' / 'model.json'}: not found")
    # a killed save leaves files that the next save removes
    for folder in ("old", "new"):
        lda.save(next_one, tmp_path / folder)
        assert_equal_fits(lda.load(tmp_path / folder), next_one)
        assert len(list((tmp_path / folder).iterdir())) == 2


HOLDER = """
import sys, time
from pathlib import Path
from lda_reference import storage
with storage.held(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(100)
"""


def test_a_folder_that_a_run_holds_is_refused_until_its_process_ends(tmp_path):
    folder = tmp_path / "new" / "m"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "held\n"
        for hold in (lambda: lda.save(fit(), folder), lambda: storage.held(folder).__enter__()):
            with refused(f"{folder}: process {run.pid} is fitting a model into it, expected another folder"):
                hold()
        run.kill()
    lda.save(fit(), folder)
    with storage.held(folder) as save:
        save(fit(sweeps=5), folder)
    assert lda.load(folder).sweeps == 5
    assert len(list(folder.iterdir())) == 2
    with storage.held(tmp_path / "other" / "m"):
        pass
    assert not (tmp_path / "other").exists()


# Damaged models ------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    """A saved model: its folder, and the paths of its model.json and its npz."""
    lda.save(fit(), tmp_path, WORDS)
    (npz,) = tmp_path.glob("*.npz")
    return tmp_path, tmp_path / "model.json", npz


def test_a_folder_without_a_model_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        not_loaded(folder, f"{folder / 'model.json'}: not found, expected a model folder")


def rewritten(path, npz, about=None, arrays=None):
    """Write a model.json and arrays with changes, the checksum right."""
    if arrays is not None:
        np.savez(npz, **arrays)
    whole = json.loads(path.read_text("utf-8")) if about is None else about
    if isinstance(whole, dict) and "sha256" in whole:
        whole |= {"sha256": hashlib.sha256(npz.read_bytes()).hexdigest()}
    path.write_text(json.dumps(whole), "utf-8")


def test_a_damaged_json_is_named(model):
    folder, path, _ = model
    whole, f = path.read_bytes(), lda.load(folder)
    for data in (*(whole[:n] for n in range(0, len(whole) - 1, 50)), b"garbage", b"\xff", b"[" * 100_000):
        path.write_bytes(data)
        not_loaded(folder, f"{path}: damaged, expected JSON (")
    for data in (b"[]", b"null", b"3"):
        path.write_bytes(data)
        not_loaded(folder, f"{path}: it is {json.loads(data)}, expected an object with the fields format, arrays")
    path.write_bytes(whole)
    assert_equal_fits(lda.load(folder), f)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "lda_reference model 1"}, "format is 'lda_reference model 1', expected 'lda_reference model 3'"),
        ({"arrays": "../../x.npz"}, "arrays is '../../x.npz', expected the name of a file such as arrays-"),
        ({"algorithm": "lsa"}, "algorithm is 'lsa', expected one of ml, map, "),
        ({"schedule": "nested"}, "schedule is 'nested', expected one of token"),
        ({"start": 3}, "start is 3, expected the name of a start, or an empty text"),
        ({"sweeps": 1.5}, "sweeps is 1.5, expected a whole number from 0"),
        ({"sweeps": True}, "sweeps is True, expected a whole number from 0"),
        ({"samples": -1}, "samples is -1, expected a whole number from 0"),
        ({"samples": 1}, "samples is 1, expected 2 after these sweeps, burn_in and thin"),
        ({"thin": 0}, "thin is 0, expected a whole number from 1"),
        ({"learn": 5}, "learn is 5, expected what is learned, such as alpha,eta"),
        ({"learn": "beta"}, "learn is 'beta', expected what is learned, such as alpha,eta (learn has 'beta'"),
        ({"history": 5}, "history is 5, expected a list with an entry for each sweep"),
        ({"history": []}, "history has 0 entries, expected one for each of 4 sweeps"),
        ({"history": [1] * 4}, "history[0] is 1, expected an object"),
        ({"history": [{"sweep": 2}] * 4}, "history[0] has sweep 2, expected 1"),
        ({"vocab": "words"}, "vocab is 'words', expected a list of words, or null"),
        ({"vocab": [*WORDS[:-1], 6]}, "vocab is ['ash', "),
        ({"labels": {"group": ["a"]}}, "labels is {'group': ['a']}, expected an object with the lists tokens and group"),
        ({"labels": {"tokens": [1], "date": ["14.7.1789"]}}, "labels is {'tokens': [1], 'date': ['14.7.1789']}, expected"),
        ({"labels": {"tokens": ["1"], "group": ["a"]}}, "labels is {'tokens': ['1'], 'group': ['a']}, expected"),
        ({"reading": ["t.txt"]}, "reading is ['t.txt'], expected a text, or null"),
        ({"shapes": {"gamma": 3}}, "shapes is {'gamma': 3}, expected an object with the shape of each array"),
        ({"sweps": 4}, "'sweps' is no field of a model, expected format, "),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named(model, change, message):
    folder, path, npz = model
    rewritten(path, npz, json.loads(path.read_text("utf-8")) | change)
    not_loaded(folder, f"{path}: {message}")


def test_a_missing_field_is_named(model):
    folder, path, _ = model
    about = json.loads(path.read_text("utf-8"))
    for name in about.keys() - {"documents", "labels", "reading", "shapes"}:  # earlier models do not have them
        path.write_text(json.dumps({k: v for k, v in about.items() if k != name}))
        not_loaded(folder, f"{path}: {name} is missing, expected ")


def test_another_file_of_arrays_is_found_by_its_checksum(model):
    folder, _, path = model
    whole = path.read_bytes()
    for data in (*(whole[:n] for n in range(0, len(whole), 50)), b"garbage", whole + b" "):
        path.write_bytes(data)
        not_loaded(folder, f"{path}: damaged, its SHA-256 is ")
    path.unlink()
    not_loaded(folder, f"{path}: not found, expected the arrays that model.json names")


def test_arrays_that_are_wrong_are_named(model):
    folder, path, npz = model
    with np.load(npz) as stored:
        a = dict(stored)
    K, W = a["phi_wk"].shape[-1], len(a["phi_wk"])
    negative = a["theta_jk"].copy()
    negative[0, :2] += [-1, 1]
    cases = [
        ({"gamma": a["gamma"] * 1j}, "gamma has the type complex128, expected float64"),
        ({"gamma": np.array(["a"])}, "gamma has the type <U1, expected float64"),
        ({"gamma": a["gamma"] * np.nan}, "gamma[0, 0] is nan, expected a finite number"),
        ({"gamma": a["gamma"] / 2}, "gamma[0] adds up to 0.5, expected 1"),
        ({"gamma": a["gamma"][:, :-1]}, f"gamma has shape {(len(a['gamma']), K - 1)}, expected ({len(a['gamma'])}, {K})"),
        ({"theta_jk": negative}, f"theta_jk[0, 0] is {negative[0, 0]}, expected a probability"),
        ({"phi_wk": a["phi_wk"][:, 0]}, f"phi_wk has shape ({W},), expected (W, K) or (W, R, K)"),
        ({"phi_wk": np.tile(a["phi_wk"], (2, 1)) / 2}, f"phi_wk has {2 * W} words, expected the {W} of the vocabulary"),
        ({"alpha": -a["alpha"]}, "alpha is -"),
        ({"alpha": np.full(K + 1, 0.1)}, f"alpha has {K + 1} entries, expected K = {K}"),
        ({"eta": np.array(1e-200)}, "eta is 1e-200, expected a number from 1e-100 to 1e+10"),
        *(({x: a[x][1:]}, f"{x} has shape {a[x][1:].shape}, expected {list(a[x].shape)} as in model.json") for x in ("theta_jk", "gamma", "z")),
        ({"z": a["z"].astype(float)}, "z has the type float64, expected whole numbers"),
        ({"z": a["z"] + K}, "z[0] is "),
        ({"z": a["z"][None]}, f"z has shape {(1, len(a['z']))}, expected (N)"),
        ({"more": a["z"]}, "more is no array of a model of cgs, expected alpha, "),
    ]
    for change, message in cases:
        rewritten(path, npz, arrays=a | change)
        not_loaded(folder, f"{npz}: {message}")
    for name in a:
        rewritten(path, npz, arrays={k: v for k, v in a.items() if k != name})
        not_loaded(folder, f"{npz}: {name} is missing, expected an array of this name")
    rewritten(path, npz, arrays=a | {"gamma": np.array([{"an": "object"}])})
    not_loaded(folder, f"{npz}: damaged, expected arrays in NumPy's npz format (Object arrays cannot be loaded")
    with open(npz, "wb") as file:
        np.save(file, a["gamma"])
    rewritten(path, npz)
    not_loaded(folder, f"{npz}: damaged, expected arrays in NumPy's npz format (")


VALUES = (None, True, 0, 1, -1, 2, 1.5, float("nan"), float("inf"), 10**400, "", "x", "cvb0", "alpha", "5", [], [1], [[]], {}, {"a": 1})  # fmt: skip


def mutated(rng, about, arrays):
    """A model with one thing changed: a field, an entry of the history, or an array."""
    kind = rng.integers(3)
    if kind == 0:
        about[rng.choice(sorted(about))] = VALUES[rng.integers(len(VALUES))]
    elif kind == 1:
        entry = about["history"][rng.integers(len(about["history"]))]
        entry[rng.choice(sorted(entry))] = VALUES[rng.integers(len(VALUES))]
    else:
        name = rng.choice(sorted(arrays))
        x = arrays[name]
        flat = np.array(x, x.dtype if x.dtype.kind == "i" else np.float64).ravel()
        if flat.size:
            flat[rng.integers(flat.size)] = rng.choice([0, -1, 2, 7, 10**6]) if x.dtype.kind == "i" else rng.choice(
                [0, -1.0, np.nan, np.inf, 1e300, 5e-324])  # fmt: skip
        changes = [
            flat.reshape(x.shape), x[..., None], x.ravel(), x.astype(complex), x.astype(str), x.astype(np.float32),
            x.astype(bool), x[:0] if x.ndim else x, x[:-1] if x.ndim else x[None], x.T, np.concatenate([x, x]) if x.ndim else -x,
        ]  # fmt: skip
        arrays[name] = changes[rng.integers(len(changes))]
    return about, arrays


@pytest.mark.parametrize("name", ["vb", "cgs", "hmc", "ep"])
def test_a_mutated_model_is_refused_in_one_line_or_whole(tmp_path, name):
    """1,600 mutations, 30,000 in the long run: none ends in another error, and what is loaded can be resumed."""
    c = ROWS_FOR[name][0]
    f = fit(c, algorithm=name)
    lda.save(f, tmp_path, WORDS)
    path, (npz,) = tmp_path / "model.json", tmp_path.glob("*.npz")
    text = path.read_text("utf-8")
    with np.load(npz) as stored:
        arrays = dict(stored)
    rng, refusals, accepted = np.random.default_rng(17), 0, 0
    cases = fuzz.cases(400, 7500)
    for _ in range(cases):
        rewritten(path, npz, *mutated(rng, json.loads(text), dict(arrays)))
        try:
            loaded = lda.load(tmp_path)
            topics_text(loaded.phi_wk, loaded.theta_jk, WORDS, 3)
            if np.array_equal(loaded.state.gamma, f.state.gamma):
                lda.fit(c, 3, loaded.algorithm, None, 5, loaded.schedule, loaded.start, seed=loaded.seed, resume=loaded)
        except ValueError as error:
            refusals += "\n" not in str(error)
        else:
            accepted += 1
        fuzz.ran("changed models")
    assert refusals + accepted == cases
    assert refusals > 3 * accepted > 0
