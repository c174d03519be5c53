"""Runs that repeat and resume to the last bit, averages of samplers, and models on disk."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import lda_reference as lda
from lda_reference import fitting

SAMPLERS = [name for name, A in lda.ALGORITHMS.items() if A.assignment == "sample"]
TEXT = lda.Corpus.from_documents([[0, 1, 1, 4], [2, 0, 0], [], [3], [1, 3, 3, 3, 3, 0]], W=6)
TYPES = TEXT.types()
# tcvb0 takes types alone, the sampled CVB1 tokens alone
CORPORA = {name: [TYPES] * (A.draws == 0) + [TEXT] * (A.update.excludes != "type") for name, A in lda.ALGORITHMS.items()}
RUNS = [
    pytest.param(name, schedule, c, id=f"{name}-{schedule}-{'types' if c is TYPES else 'tokens'}")
    for name, A in lda.ALGORITHMS.items()
    for schedule in A.schedules
    for c in CORPORA[name]
]
WORDS = ("ash", "bay", "été", "fig", "ivy", "oak")


def fit(c=TYPES, K=3, algorithm="cgs", **options):
    return lda.fit(c, K, algorithm, **{"sweeps": 4, "seed": 7} | options)


def arrays(f):
    found = {"theta_jk": f.theta_jk, "phi_wk": f.phi_wk, "gamma": f.state.gamma, "alpha": f.prior.alpha, "eta": f.prior.eta}
    return found | ({} if f.state.z is None else {"z": f.state.z})


def assert_equal(a, b, seconds=True):
    """To the last bit; a run that is repeated takes other seconds."""
    ours, theirs = arrays(a), arrays(b)
    assert list(ours) == list(theirs)
    for name, x in ours.items():
        assert np.asarray(x).dtype == np.asarray(theirs[name]).dtype
        np.testing.assert_array_equal(x, theirs[name], strict=True, err_msg=name)
    for name in fitting.SETTINGS:
        assert (name, getattr(a, name)) == (name, getattr(b, name))
    histories = [[{k: v for k, v in entry.items() if seconds or k != "seconds"} for entry in f.history] for f in (a, b)]
    assert histories[0] == histories[1]


def refused(message):
    return pytest.raises(ValueError, match=f"^{re.escape(message)}")


# Runs ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("algorithm", "schedule", "c"), RUNS)
def test_a_run_is_that_of_its_seed(algorithm, schedule, c):
    first, again, other = (fit(c, algorithm=algorithm, schedule=schedule, seed=seed) for seed in (7, 7, 8))
    assert_equal(first, again, seconds=False)
    assert not np.array_equal(first.state.gamma, other.state.gamma)
    assert (first.algorithm, first.schedule, first.seed, first.sweeps) == (algorithm, schedule, 7, 4)


@pytest.mark.parametrize(("algorithm", "schedule", "c"), RUNS)
def test_a_resumed_run_ends_where_an_unbroken_one_does(tmp_path, algorithm, schedule, c):
    settings = {"algorithm": algorithm, "schedule": schedule, "burn_in": 10}
    lda.save(fit(c, sweeps=12, **settings), tmp_path)
    resumed = fit(c, sweeps=20, **settings, resume=lda.load(tmp_path))
    assert_equal(resumed, fit(c, sweeps=20, **settings), seconds=False)
    assert [entry["sweep"] for entry in resumed.history] == list(range(1, 21))
    assert np.all(np.diff([entry["seconds"] for entry in resumed.history]) > 0)


@pytest.mark.parametrize("algorithm", SAMPLERS)
@pytest.mark.parametrize(("burn_in", "thin"), [(0, 1), (5, 3), (12, 2), (14, 4), (25, 1)])
def test_a_resumed_sampler_goes_on_averaging(tmp_path, algorithm, burn_in, thin):
    settings = {"algorithm": algorithm, "burn_in": burn_in, "thin": thin}
    whole = fit(sweeps=20, **settings)
    lda.save(fit(sweeps=12, **settings), tmp_path)
    assert_equal(fit(sweeps=20, **settings, resume=lda.load(tmp_path)), whole, seconds=False)
    del settings["burn_in"]  # by default that of the run to resume
    assert_equal(fit(sweeps=20, **settings, resume=lda.load(tmp_path)), whole, seconds=False)


@pytest.mark.parametrize("algorithm", ["cvb0", "cgs"])
def test_a_resumed_run_goes_on_learning_the_prior(tmp_path, algorithm):
    def learn(s, c, p):
        return lda.Prior(np.asarray(p.alpha) * 0.9 + s.gamma.mean(0) * 0.1, p.eta * 0.9)

    settings = {"algorithm": algorithm, "prior": lda.Prior([0.3, 0.2, 0.1], 0.5), "burn_in": 3, "learn": learn}
    part, whole = fit(sweeps=6, **settings), fit(sweeps=9, **settings)
    assert part.prior.eta == pytest.approx(0.5 * 0.9**6)
    lda.save(part, tmp_path)
    loaded = lda.load(tmp_path)
    assert_equal(fit(sweeps=9, **settings | {"prior": None}, resume=loaded), whole, seconds=False)


def test_to_resume_a_finished_run_changes_nothing():
    done = fit()
    assert_equal(fit(resume=done), done)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"c": lda.Corpus(TYPES.j, TYPES.w, TYPES.n + 1, 5, 6)}, "the run to resume has corpus "),
        ({"c": lda.Corpus(TYPES.j, TYPES.w, TYPES.n, 5, 7)}, "the run to resume has corpus "),
        ({"c": lda.Corpus(TYPES.j, TYPES.w, TYPES.n, 6, 6)}, "the run to resume has corpus "),
        ({"c": TEXT}, "the run to resume has corpus "),
        ({"K": 4}, "the run to resume has K 3, this one 4"),
        ({"seed": 8}, "the run to resume has seed 7, this one 8"),
        ({"algorithm": "ml"}, "the run to resume has algorithm cvb0, this one ml"),
        ({"schedule": "corpus"}, "the run to resume has schedule token, this one corpus"),
        ({"burn_in": 3}, "the run to resume has burn_in 2, this one 3"),
        ({"thin": 2}, "the run to resume has thin 1, this one 2"),
        ({"prior": lda.Prior(0.1, 0.2)}, "the run to resume has Prior(alpha=0.1, eta=0.1), this one Prior(alpha=0.1, eta=0.2)"),
        ({"prior": lda.Prior([0.1, 0.1, 0.2], 0.1)}, "the run to resume has Prior(alpha=0.1, eta=0.1), this one"),
        ({"sweeps": 3}, "the run to resume has 4 sweeps already, more than the 3 asked for"),
    ],
)
def test_a_run_that_is_not_the_same_is_not_resumed(change, message):
    with refused(message):
        fit(**{"algorithm": "cvb0"} | change, resume=fit(algorithm="cvb0"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"algorithm": "lsa"}, f"algorithm is 'lsa', expected one of {', '.join(lda.ALGORITHMS)}"),
        ({"sweeps": -1}, "sweeps is -1, expected a whole number from 0"),
        ({"sweeps": 1.0}, "sweeps is 1.0, expected a whole number from 0"),
        ({"sweeps": True}, "sweeps is True, expected a whole number from 0"),
        ({"seed": -1}, "seed is -1, expected a whole number from 0"),
        ({"seed": None}, "seed is None, expected a whole number from 0"),
        ({"burn_in": -1}, "burn_in is -1, expected a whole number from 0"),
        ({"thin": 0}, "thin is 0, expected a whole number from 1"),
    ],
)
def test_arguments_out_of_range(change, message):
    with refused(message):
        fit(**change)


def test_history_has_the_change_of_gamma_and_what_the_monitor_adds():
    states = []

    def monitor(f):
        states.append(f.state.gamma)
        assert f.sweeps == len(f.history) == len(states)
        return {"samples": f.samples}

    f = fit(monitor=monitor)
    A, p = lda.ALGORITHMS["cgs"], lda.Prior()
    states.insert(0, A.init(TYPES, 3, p, rng=fitting.sweep_rng(7, 0)).gamma)
    for entry, old, new in zip(f.history, states[:-1], states[1:], strict=True):
        assert entry["change"] == np.abs(new - old).mean()
    assert sum(entry["change"] for entry in f.history) > 0
    assert [entry["samples"] for entry in f.history] == [0, 0, 1, 2]


# Averages ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("burn_in", "thin"), [(None, 1), (0, 1), (3, 1), (2, 3), (0, 9), (8, 3), (20, 1)])
@pytest.mark.parametrize("algorithm", SAMPLERS)
def test_a_sampler_averages_its_estimates_after_burn_in(algorithm, burn_in, thin):
    f = fit(TEXT, algorithm=algorithm, sweeps=10, burn_in=burn_in, thin=thin)
    A, p = lda.ALGORITHMS[algorithm], lda.Prior()
    s = A.init(TEXT, 3, p, rng=fitting.sweep_rng(7, 0))
    kept = []
    for t in range(1, 11):
        s = A.sweep(s, TEXT, p, rng=fitting.sweep_rng(7, t))
        if t in range(5 if burn_in is None else burn_in, 11, thin)[1:]:
            kept.append(A.estimate(s, TEXT, p))
    assert f.samples == len(kept)
    np.testing.assert_array_equal(f.state.z, s.z)
    # where the run ends before its first sample, the estimates are those of the last state
    theta_jk, phi_wk = (np.mean(x, axis=0) for x in zip(*kept or [A.estimate(s, TEXT, p)], strict=True))
    np.testing.assert_allclose(f.theta_jk, theta_jk, rtol=1e-13)
    np.testing.assert_allclose(f.phi_wk, phi_wk, rtol=1e-13)


@pytest.mark.parametrize("sweeps", [0, 1, 5])
@pytest.mark.parametrize("algorithm", [name for name in lda.ALGORITHMS if name not in SAMPLERS])
def test_without_a_sampler_the_estimates_are_those_of_the_last_state(algorithm, sweeps):
    A, c = lda.ALGORITHMS[algorithm], CORPORA[algorithm][0]
    f = fit(c, algorithm=algorithm, sweeps=sweeps, burn_in=0)
    s = A.init(c, 3, f.prior, rng=fitting.sweep_rng(7, 0))
    for t in range(1, sweeps + 1):
        s = A.sweep(s, c, f.prior, rng=fitting.sweep_rng(7, t))
    np.testing.assert_array_equal(f.state.gamma, s.gamma)
    for ours, theirs in zip((f.theta_jk, f.phi_wk), A.estimate(s, c, f.prior), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert f.samples == 0


def test_the_generator_of_a_sweep_depends_on_seed_and_number_alone():
    draws = {(seed, t): fitting.sweep_rng(seed, t).random(4).tobytes() for seed in range(4) for t in range(50)}
    assert len(set(draws.values())) == 200
    assert all(fitting.sweep_rng(seed, t).random(4).tobytes() == x for (seed, t), x in draws.items())


# Models on disk ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", lda.ALGORITHMS)
def test_what_is_saved_is_loaded_exactly(tmp_path, algorithm):
    high = 1 if algorithm == "map" else 0
    prior = lda.Prior(np.array([0.1, 1 / 3, 2.0]) + high, 1 / 7 + high)
    f = fit(CORPORA[algorithm][0], algorithm=algorithm, prior=prior, monitor=lambda f: {"note": "été", "x": 0.1 + 0.2, "none": None})
    lda.save(f, tmp_path / "a" / "model", WORDS)
    loaded, words = fitting.load_with_vocab(tmp_path / "a" / "model")
    assert_equal(loaded, f)
    assert words == WORDS
    assert_equal(lda.load(str(tmp_path / "a" / "model")), f)
    lda.save(f, tmp_path / "wordless")
    assert fitting.load_with_vocab(tmp_path / "wordless")[1] is None


def test_numbers_of_numpy_are_saved_too(tmp_path):
    f = fit(sweeps=np.int64(4), seed=np.uint8(7), burn_in=np.int32(2), thin=np.int16(1))
    lda.save(f, tmp_path)
    assert_equal(lda.load(tmp_path), f)


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
        assert_equal(lda.load(tmp_path), f)
        assert len(list(tmp_path.glob("arrays-*-*.npz"))) == 2  # one of them mine
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
    loaded, words = fitting.load_with_vocab(tmp_path / "old")
    assert_equal(loaded, last)
    assert words == WORDS
    with refused(f"{tmp_path / 'new' / 'model.json'}: not found"):
        lda.load(tmp_path / "new")
    # what the killed ones left behind neither hinders the next nor outlives it
    for folder in ("old", "new"):
        lda.save(next_one, tmp_path / folder)
        assert_equal(lda.load(tmp_path / folder), next_one)
        assert len(list((tmp_path / folder).iterdir())) == 2


def test_a_save_killed_while_it_cleans_up_leaves_the_new_model_whole(tmp_path, monkeypatch):
    lda.save(fit(), tmp_path)
    new = fit(sweeps=6, burn_in=2)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", killed)
        with pytest.raises(Killed):
            lda.save(new, tmp_path)
    assert_equal(lda.load(tmp_path), new)


# Damaged models ------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(tmp_path):
    """A saved model: its folder, the path of its model.json and of its npz."""
    lda.save(fit(), tmp_path, WORDS)
    (npz,) = tmp_path.glob("*.npz")
    return tmp_path, tmp_path / "model.json", npz


def test_a_folder_without_a_model(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        with refused(f"{folder / 'model.json'}: not found, expected a model folder"):
            lda.load(folder)


def test_a_damaged_json_is_named(model):
    folder, path, _ = model
    whole, f = path.read_bytes(), lda.load(folder)
    about = json.loads(whole)
    without = [json.dumps({k: v for k, v in about.items() if k != name}).encode() for name in about]
    other = [json.dumps(about | change).encode() for change in ({"format": "lda_reference model 2"}, {"history": 5}, {"vocab": 5}, {"arrays": 5})]
    for data in (*(whole[:n] for n in range(0, len(whole) - 1, 50)), *without, *other, b"garbage", b"\xff", b"[]", b"null", b"[" * 100_000):
        path.write_bytes(data)
        with refused(f"{path}: not the file of a whole model ("):
            lda.load(folder)
    path.write_bytes(whole)
    assert_equal(lda.load(folder), f)


def test_damaged_arrays_are_named(model):
    folder, _, path = model
    whole = path.read_bytes()
    with np.load(path) as stored:
        contents = dict(stored)
    for data in (*(whole[:n] for n in range(0, len(whole), 50)), b"garbage"):
        path.write_bytes(data)
        with refused(f"{path}: not the file of a whole model ("):
            lda.load(folder)
    for name in contents:
        np.savez(path, **{k: v for k, v in contents.items() if k != name})
        with refused(f"{path}: not the file of a whole model (KeyError: '{name}')"):
            lda.load(folder)
    np.savez(path, **contents | {"gamma": np.array([{"an": "object"}])})
    with refused(f"{path}: not the file of a whole model (ValueError: Object arrays cannot be loaded"):
        lda.load(folder)
    with open(path, "wb") as file:
        np.save(file, contents["gamma"])
    with refused(f"{path}: not the file of a whole model ("):
        lda.load(folder)
    path.unlink()
    with refused(f"{path}: not the file of a whole model (FileNotFoundError"):
        lda.load(folder)


def test_a_flipped_byte_in_the_arrays_is_seen_or_without_effect(model):
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
            assert_equal(loaded, f)
    assert seen > len(whole) / 2
