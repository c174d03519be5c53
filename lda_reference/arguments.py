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

SHOWN_LENGTH = 60  # characters of an argument that a message shows
LARGEST_GIB = 16  # GiB


def shown(argument: Any) -> str:
    """An argument as a short text of one line: an array by its shape and its range, anything else by its repr.

    >>> shown(2), shown("cvb"), shown(np.full((4, 2), 0.5)), shown(np.array([1, 2]))
    ('2', "'cvb'", '<4 x 2 numbers from 0.5 to 0.5>', '[1, 2]')
    >>> shown(list(range(100)))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16...'
    """
    is_array = isinstance(argument, np.ndarray)
    if is_array and (argument.ndim > 1 or argument.size > 5):
        shape_text = " x ".join(map(str, argument.shape))
        if argument.dtype.kind not in "biuf" or not argument.size:
            return f"<{shape_text} entries of the type {argument.dtype}>"
        with np.errstate(invalid="ignore"):
            return f"<{shape_text} numbers from {float(argument.min()):g} to {float(argument.max()):g}>"
    try:
        repr_text = " ".join(line.strip() for line in repr(argument.tolist() if is_array else argument).splitlines())
    except Exception:  # of an object's own __repr__, or an integer of more digits than Python writes
        return f"<{type(argument).__name__}>"
    return repr_text if len(repr_text) <= SHOWN_LENGTH or is_array else repr_text[: SHOWN_LENGTH - 3] + "..."


def kind(argument: Any) -> str:
    """None, or the type of an argument."""
    return "None" if argument is None else f"of the type {type(argument).__name__}"


def expect(is_right: Any, argument: Any, name: str, expected: str) -> None:
    """Raise a ValueError that says what an argument is and what was expected, unless it is right."""
    if not is_right:
        raise ValueError(f"{name} is {shown(argument)}, expected {expected}")


def whole_number(number: Any, name: str, low: int, expected_kind: str = "a whole number") -> int:
    """The number as an int, if it is a whole number of at least `low` that NumPy can count to."""
    expect(is_whole(number) and number >= low, number, name, f"{expected_kind} from {low}")
    expect(number < 2**63, number, name, f"{expected_kind} below 2**63")
    return int(number)


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


def real(argument: Any, name: str) -> NDArray[np.float64]:
    """A copy of the argument as an array of float64; complex numbers, texts and masked numbers are refused."""
    try:
        argument_array = np.array(argument)
        if argument_array.dtype.kind in "biuf" and not np.ma.is_masked(argument):
            return argument_array.astype(np.float64)
    except (ValueError, TypeError):  # rows of different lengths
        pass
    raise ValueError(f"{name} is {kind(argument)}, expected an array of real numbers")


def numbers(argument: Any, name: str) -> NDArray[Any]:
    """The argument as an array of real numbers, which is not copied if it is one already."""
    is_plain = isinstance(argument, np.ndarray) and argument.dtype.kind in "biuf" and not np.ma.is_masked(argument)
    return argument if is_plain else real(argument, name)


def finite(argument: Any, name: str, axis_counts: tuple[int, ...] | None = None, expected: str = "") -> NDArray[Any]:
    """The argument as finite real numbers; its number of axes is in `axis_counts`, which `expected` says in words."""
    array = numbers(argument, name)
    if axis_counts is not None and array.ndim not in axis_counts:
        raise ValueError(f"{name} has shape {array.shape}, expected {expected}")
    check_entries(np.isfinite(array), array, name, "a finite number")
    return array


def positive(argument: ArrayLike, name: str) -> NDArray[np.float64]:
    """The argument as an array of positive finite numbers."""
    number_array = real(argument, name)
    check_entries((number_array > 0) & np.isfinite(number_array), number_array, name, "a positive finite number")
    return number_array


def check_entries(is_good: NDArray[np.bool_], array: NDArray[Any], name: str, expected: str) -> None:
    """Raise a ValueError that names the first entry of an array, or its first row, that is not good."""
    if not np.all(is_good):
        first_index = tuple(np.argwhere(~is_good)[0])
        entry_name = f"{name}[{', '.join(map(str, first_index))}]" if first_index else name
        raise ValueError(f"{entry_name} is {array[first_index]}, expected {expected}")


def check_generator(rng: Any) -> None:
    """Raise a ValueError unless rng is a NumPy generator."""
    expected_text = "a numpy.random.Generator, such as numpy.random.default_rng(0)"
    expect(isinstance(rng, np.random.Generator), rng, "rng", expected_text)


def check_choice(argument: Any, name: str, choices: Iterable[str]) -> None:
    """Raise a ValueError unless the argument is one of some names."""
    choice_names = tuple(choices)
    expect(isinstance(argument, str) and argument in choice_names, argument, name, f"one of {', '.join(choice_names)}")


def or_default(argument: Any, default: Any) -> Any:
    """The argument, or the default if it is None or an empty text."""
    return default if argument is None or (isinstance(argument, str) and not argument) else argument


def items(argument: Any, name: str, expected: str) -> list[Any]:
    """What a sequence, or another iterable, holds; a text or bytes, whose items are characters, is refused."""
    try:
        argument_iterator = None if isinstance(argument, (str, bytes)) else iter(argument)
    except TypeError:
        argument_iterator = None
    expect(argument_iterator is not None, argument, name, expected)
    return list(argument_iterator or ())


def words(vocab: Any, name: str = "vocab") -> tuple[str, ...]:
    """The words of a vocabulary."""
    expected_text = "a sequence of words"  # in a set they would be in no order, and in a mapping in that of the keys
    expect(not isinstance(vocab, (Set, Mapping)), vocab, name, expected_text)
    word_list = texts(vocab, name, expected_text)
    for word, occurrences in Counter(word_list).items() if len(set(word_list)) < len(word_list) else ():
        if occurrences > 1:
            raise ValueError(f"{name} has {shown(word)} more than once, expected each word once")
    return tuple(word_list)


def texts(argument: Any, name: str, expected: str) -> list[str]:
    """The words that a sequence, or another iterable, holds; any that is no text is refused."""
    word_list = items(argument, name, expected)
    for i, word in enumerate(word_list):
        is_text = isinstance(word, str) and (word.isascii() or word.encode("utf-8", "ignore").decode() == word)
        expect(is_text, word, f"{name}[{i}]", "a word: a text" + " in Unicode" * isinstance(word, str))
    return word_list


def path_of(argument: Any, name: str) -> Path:
    """A path, from a text or a path."""
    expect(isinstance(argument, (str, os.PathLike)) and "\0" not in str(argument), argument, name, "a path")
    return Path(argument)


def check_memory(number_count: int, holders: str) -> None:
    """Raise a ValueError if so many numbers of 8 bytes take more than 16 GiB; `holders` is a plural."""
    if 8 * number_count > LARGEST_GIB * 2**30:
        raise ValueError(f"{holders} take {shown(8 * number_count >> 30)} GiB, expected at most {LARGEST_GIB}")


# Topics and counts ---------------------------------------------------------------------------------------------------


def checked_z(z: ArrayLike, N: int, K: int, replicates: int | None = None) -> NDArray[np.int64]:
    """z as integers of shape (N, [R]) below K."""
    z_array = real(z, "z")
    expected_shape = N, *(z_array.shape[1:2] if replicates is None else [replicates])
    if z_array.shape != expected_shape:
        raise ValueError(f"z has shape {z_array.shape}, expected {expected_shape}: a topic for each token")
    is_topic = (z_array >= 0) & (z_array < K) & (z_array == np.floor(z_array))
    check_entries(is_topic, np.asarray(z), "z", f"a topic from 0 below K = {K}")
    return z_array.astype(np.int64)


def checked_counts(N: ArrayLike, name: str, rows_letter: str) -> NDArray[Any]:
    """Counts (D or W, [R,] K), which may be expected ones, after a check that they are finite and not negative."""
    counts = finite(N, name, (2, 3), f"({rows_letter}, K) or ({rows_letter}, R, K)")
    if not counts.shape[-1]:
        raise ValueError(f"{name} has shape {counts.shape}, expected a topic or more on its last axis")
    check_entries(counts >= 0, counts, name, "a count of 0 or more")
    return counts


def check_distributions(array: NDArray[Any], name: str, axis: int) -> None:
    """Raise a ValueError unless an array is made of distributions along its first or last axis, to within 1e-6."""
    check_entries(array >= 0, array, name, "a probability")
    axis_sums = array.sum(axis, dtype=np.float64)  # single precision would lose digits over many words
    for sum_index in np.argwhere(~(np.abs(axis_sums - 1) <= 1e-6)):
        index_texts = [":"] * (axis == 0) + [str(i) for i in sum_index]
        raise ValueError(f"{name}[{', '.join(index_texts)}] adds up to {axis_sums[tuple(sum_index)]:.8g}, expected 1")


# The rows of a corpus -------------------------------------------------------------------------------------------------


def whole_numbers(argument: ArrayLike, name: str) -> NDArray[np.int64]:
    """A copy of a vector of whole numbers as int64, which cannot be written to."""
    try:
        array = np.asarray(argument)
    except ValueError:  # rows of different lengths
        raise ValueError(f"{name} is not an array, expected one number per row") from None
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}, expected one number per row")
    if array.size and array.dtype.kind not in "iuf":
        raise ValueError(f"{name} holds {array.dtype}, expected integers")
    if array.dtype.kind == "f":
        check_entries((array == np.floor(array)) & (np.abs(array) < np.float64(2**63)), array, name, "a whole number")
    if array.dtype.kind == "u":
        check_entries(array < np.uint64(2**63), array, name, "a number below 2**63")
    integer_copy = array.astype(np.int64)  # a copy: the caller may change it later
    integer_copy.flags.writeable = False
    return integer_copy
