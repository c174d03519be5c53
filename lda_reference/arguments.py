"""Checks of arguments that all parts of the package share.

Each returns the argument in the form in which it is used, or raises a ValueError of one line that names the argument
and says what was expected. They are made once for each call of a public function, never for each row.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

LENGTH = 60  # characters of an argument that a message shows
LARGEST = 16  # GiB


def shown(x: Any) -> str:
    """An argument as a short text of one line: an array by its shape and its range, anything else by its repr.

    >>> shown(2), shown("cvb"), shown(np.full((4, 2), 0.5)), shown(np.array([1, 2]))
    ('2', "'cvb'", '<4 x 2 numbers from 0.5 to 0.5>', '[1, 2]')
    >>> shown(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16...'
    """
    is_array = isinstance(x, np.ndarray)
    if is_array and (x.ndim > 1 or x.size > 5):
        shape = " x ".join(map(str, x.shape))
        if x.dtype.kind not in "biuf" or not x.size:
            return f"<{shape} entries of the type {x.dtype}>"
        with np.errstate(invalid="ignore"):
            return f"<{shape} numbers from {float(x.min()):g} to {float(x.max()):g}>"
    try:
        text = " ".join(line.strip() for line in repr(x.tolist() if is_array else x).splitlines())
    except Exception:  # of an object's own __repr__, or an integer of more digits than Python writes
        return f"<{type(x).__name__}>"
    return text if len(text) <= LENGTH or is_array else text[: LENGTH - 3] + "..."


def kind(x: Any) -> str:
    """None, or the type of an argument."""
    return "None" if x is None else f"of the type {type(x).__name__}"


def expect(is_right: Any, x: Any, name: str, expected: str) -> None:
    """Raise a ValueError that says what an argument is and what was expected, unless it is right."""
    if not is_right:
        raise ValueError(f"{name} is {shown(x)}, expected {expected}")


def whole_number(x: Any, name: str, low: int, what: str = "a whole number") -> int:
    """x as an int, if it is a whole number of at least `low` that NumPy can count to."""
    expect(is_whole(x) and x >= low, x, name, f"{what} from {low}")
    expect(x < 2**63, x, name, f"{what} below 2**63")
    return int(x)


def is_whole(x: Any) -> bool:
    """Whether x is one whole number, of Python or of NumPy; True and False are none."""
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def is_number(x: Any) -> bool:
    """Whether x is one real number of Python or of NumPy that a float can be; True and False are none."""
    if isinstance(x, int):
        return not isinstance(x, bool) and abs(x) < 2**1023
    return isinstance(x, (float, np.integer, np.floating))


def is_finite(x: Any) -> bool:
    """Whether x is one finite real number."""
    return is_number(x) and bool(abs(x) < np.inf)


def real(x: Any, name: str) -> NDArray[np.float64]:
    """A copy of x as an array of float64; complex numbers, texts and masked numbers are refused."""
    try:
        a = np.array(x)
        if a.dtype.kind in "biuf" and not np.ma.is_masked(x):
            return a.astype(np.float64)
    except (ValueError, TypeError):  # rows of different lengths
        pass
    raise ValueError(f"{name} is {kind(x)}, expected an array of real numbers")


def numbers(x: Any, name: str) -> NDArray[Any]:
    """x as an array of real numbers, which is not copied if it is one already."""
    is_plain = isinstance(x, np.ndarray) and x.dtype.kind in "biuf" and not np.ma.is_masked(x)
    return x if is_plain else real(x, name)


def finite(x: Any, name: str, axes: tuple[int, ...] | None = None, expected: str = "") -> NDArray[Any]:
    """x as an array of finite real numbers, with a number of axes that is in `axes`; `expected` says that in words."""
    a = numbers(x, name)
    if axes is not None and a.ndim not in axes:
        raise ValueError(f"{name} has shape {a.shape}, expected {expected}")
    check_entries(np.isfinite(a), a, name, "a finite number")
    return a


def positive(x: ArrayLike, name: str) -> NDArray[np.float64]:
    """x as an array of positive finite numbers."""
    a = real(x, name)
    check_entries((a > 0) & np.isfinite(a), a, name, "a positive finite number")
    return a


def check_entries(good: NDArray[np.bool_], x: NDArray[Any], name: str, expected: str) -> None:
    """Raise a ValueError that names the first entry of an array, or its first row, that is not good."""
    if not np.all(good):
        index = tuple(np.argwhere(~good)[0])
        place = f"{name}[{', '.join(map(str, index))}]" if index else name
        raise ValueError(f"{place} is {x[index]}, expected {expected}")


def check_generator(rng: Any) -> None:
    """Raise a ValueError unless rng is a NumPy generator."""
    expected = "a numpy.random.Generator, such as numpy.random.default_rng(0)"
    expect(isinstance(rng, np.random.Generator), rng, "rng", expected)


def check_choice(x: Any, name: str, choices: Iterable[str]) -> None:
    """Raise a ValueError unless x is one of some names."""
    names = tuple(choices)
    expect(isinstance(x, str) and x in names, x, name, f"one of {', '.join(names)}")


def or_default(x: Any, default: Any) -> Any:
    """x, or the default if x is None or an empty text."""
    return default if x is None or (isinstance(x, str) and not x) else x


def items(x: Any, name: str, expected: str) -> list[Any]:
    """What a sequence, or another iterable, holds; a text or bytes, whose items are characters, is refused."""
    try:
        entries = None if isinstance(x, (str, bytes)) else iter(x)
    except TypeError:
        entries = None
    expect(entries is not None, x, name, expected)
    return list(entries or ())


def words(vocab: Any, name: str = "vocab") -> tuple[str, ...]:
    """The words of a vocabulary."""
    expected = "a sequence of words"  # in a set they would be in no order, and in a mapping in that of the keys
    expect(not isinstance(vocab, (Set, Mapping)), vocab, name, expected)
    listed = texts(vocab, name, expected)
    for word, times in Counter(listed).items() if len(set(listed)) < len(listed) else ():
        if times > 1:
            raise ValueError(f"{name} has {shown(word)} more than once, expected each word once")
    return tuple(listed)


def texts(x: Any, name: str, expected: str) -> list[str]:
    """The words that a sequence, or another iterable, holds; any that is no text is refused."""
    listed = items(x, name, expected)
    for i, word in enumerate(listed):
        is_text = isinstance(word, str) and (word.isascii() or word.encode("utf-8", "ignore").decode() == word)
        expect(is_text, word, f"{name}[{i}]", "a word: a text" + " in Unicode" * isinstance(word, str))
    return listed


def path_of(x: Any, name: str) -> Path:
    """A path, from a text or a path."""
    expect(isinstance(x, (str, os.PathLike)) and "\0" not in str(x), x, name, "a path")
    return Path(x)


def check_memory(numbers: int, what: str) -> None:
    """Raise a ValueError if so many numbers of 8 bytes take more than 16 GiB; `what` is a plural."""
    if 8 * numbers > LARGEST * 2**30:
        raise ValueError(f"{what} take {shown(8 * numbers >> 30)} GiB, expected at most {LARGEST}")


# Topics and counts ---------------------------------------------------------------------------------------------------


def checked_z(z: ArrayLike, N: int, K: int, replicates: int | None = None) -> NDArray[np.int64]:
    """z as integers of shape (N, [R]) below K."""
    a = real(z, "z")
    shape = N, *(a.shape[1:2] if replicates is None else [replicates])
    if a.shape != shape:
        raise ValueError(f"z has shape {a.shape}, expected {shape}: a topic for each token")
    good = (a >= 0) & (a < K) & (a == np.floor(a))
    check_entries(good, np.asarray(z), "z", f"a topic from 0 below K = {K}")
    return a.astype(np.int64)


def checked_counts(N: ArrayLike, name: str, letter: str) -> NDArray[Any]:
    """Counts (D or W, [R,] K), which may be expected ones, after a check that they are finite and not negative."""
    a = finite(N, name, (2, 3), f"({letter}, K) or ({letter}, R, K)")
    if not a.shape[-1]:
        raise ValueError(f"{name} has shape {a.shape}, expected a topic or more on its last axis")
    check_entries(a >= 0, a, name, "a count of 0 or more")
    return a


def add_up_to_1(x: NDArray[Any], axis: int = -1) -> NDArray[np.bool_]:
    """Whether distributions add up to 1, to within 1e-6 or the rounding of a sum of so many floats of their type."""
    rounding = x.shape[axis] * np.finfo(np.result_type(x.dtype, np.float32)).eps
    return np.abs(x.sum(axis) - 1) <= max(1e-6, float(rounding))


def check_distributions(x: NDArray[Any], name: str, axis: int) -> None:
    """Raise a ValueError unless an array is made of distributions along its first or last axis."""
    check_entries(x >= 0, x, name, "a probability")
    total = x.sum(axis)
    for index in np.argwhere(~add_up_to_1(x, axis)):
        place = [":"] * (axis == 0) + [str(i) for i in index]
        raise ValueError(f"{name}[{', '.join(place)}] adds up to {total[tuple(index)]:.8g}, expected 1")


# The rows of a corpus -------------------------------------------------------------------------------------------------


def whole_numbers(x: ArrayLike, name: str) -> NDArray[np.int64]:
    """A copy of a vector of whole numbers as int64, which cannot be written to."""
    try:
        a = np.asarray(x)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{name} is not an array, expected one number per row") from None
    if a.ndim != 1:
        raise ValueError(f"{name} has shape {a.shape}, expected one number per row")
    if a.size and a.dtype.kind not in "iuf":
        raise ValueError(f"{name} holds {a.dtype}, expected integers")
    if a.dtype.kind == "f":
        check_entries((a == np.floor(a)) & (np.abs(a) < np.float64(2**63)), a, name, "a whole number")
    if a.dtype.kind == "u":
        check_entries(a < np.uint64(2**63), a, name, "a number below 2**63")
    out = a.astype(np.int64)  # a copy: the caller may change x later
    out.flags.writeable = False
    return out
