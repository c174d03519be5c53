"""The command `data`: a public corpus, downloaded into a folder and checked.

A folder of corpora has a folder for each, as the tests' `LDA_DATA` has. A file is checked by the SHA-256 of its
decompressed bytes, so that a mirror may compress it or not. All files of a corpus are checked before the first of them
is written.
"""

import argparse
import hashlib
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from ..formats.files import read_bytes, write_bytes

UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/bag-of-words/"
SOURCE = "Newman (2008), Bag of Words, UCI Machine Learning Repository, https://doi.org/10.24432/C5ZG6P"
LICENCE = "CC BY 4.0, https://creativecommons.org/licenses/by/4.0/"
TIMEOUT = 60  # seconds without an answer


class Public(NamedTuple):
    """A public corpus: what it is, and the SHA-256 of its decompressed docword and vocabulary."""

    about: str
    docword: str
    vocab: str


CORPORA = {
    "kos": Public(
        "blog entries of dailykos.com: 3,430 documents, 6,906 words, 467,714 tokens",
        "0913cf084375360ce32c497dc2f8eafc4cf24a231f3d39bdbf8c41de29797cb4",
        "623b7b969793b32c4ea7d1ae8cd2e9ed99038bf51628f33f52349f9485aeab8e",
    ),
    "nips": Public(
        "papers of the NIPS conference: 1,500 documents, 12,419 words, 1,932,365 tokens",
        "0415ee0bd4c965d8c044ea83ab62d03f007d4cb9651e3daa5cdb7356682b571f",
        "be3f6337e3406ddc24837118e203da57c4c898ad5f6c9280908cd08a2609cf91",
    ),
}


def add_arguments(p: argparse.ArgumentParser) -> None:
    """The arguments of `data`."""
    p.add_argument("name", choices=CORPORA, help=f"{' or '.join(CORPORA)}")
    p.add_argument("--cache", metavar="DIR", help="folder of the corpora; default the system's folder for caches")
    p.add_argument("--mirror", metavar="WHERE", default=UCI, help=f"a folder or an address; default {UCI}")


def run(a: argparse.Namespace) -> None:
    """Fetch a corpus, and print what it is and where its files are."""
    cache = Path(_pooch().os_cache("lda_reference") if a.cache is None else a.cache)
    corpus, vocab = fetch(a.name, cache, a.mirror)
    print(f"{a.name}: {CORPORA[a.name].about}\nsource: {SOURCE}\nlicence: {LICENCE}\nfiles: {corpus}\n       {vocab}")


def fetch(name: str, cache: Path, mirror: str = UCI) -> list[Path]:
    """The docword and the vocabulary of a corpus, gzipped, in a folder of its name in the cache.

    They are fetched from the mirror, a folder or the address of one, if one of them is missing or damaged. If a file
    is not the one expected (a ValueError) or cannot be had (an OSError), nothing is written.
    """
    files = {f"docword.{name}.txt.gz": CORPORA[name].docword, f"vocab.{name}.txt": CORPORA[name].vocab}
    paths = [cache / name / f"{file.removesuffix('.gz')}.gz" for file in files]
    if not all(map(_is_whole, paths, files.values())):
        found = [_checked(mirror, file, expected) for file, expected in files.items()]
        (cache / name).mkdir(parents=True, exist_ok=True)
        for path, data in zip(paths, found, strict=True):
            write_bytes(path, data)
    return paths


def _pooch() -> Any:
    try:
        import pooch
    except ImportError:
        raise ValueError(
            'pooch is missing, expected pip install "lda_reference[data]", or --mirror DIR and --cache DIR'
        ) from None
    return pooch


def _is_whole(path: Path, expected: str) -> bool:
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest() == expected
    except (OSError, ValueError):
        return False


def _checked(mirror: str, file: str, expected: str) -> bytes:
    """The decompressed bytes of a file with this checksum."""
    if mirror.lower().startswith(("https://", "http://")):
        where = f"{mirror.rstrip('/')}/{file}"
        data = _downloaded(where)
    else:
        plain = Path(mirror, file.removesuffix(".gz"))
        path = plain if plain.exists() else plain.with_name(f"{plain.name}.gz")
        where, data = str(path), read_bytes(path)
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise ValueError(f"{where}: its SHA-256 is {found[:16]}..., expected {expected[:16]}...; nothing is written")
    return data


def _downloaded(address: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")  # a server may decompress what it sends, so the name does not end in .gz
        try:
            _pooch().HTTPDownloader(timeout=TIMEOUT)(address, str(path), None)
        except OSError as error:
            raise OSError(f"{address}: cannot be downloaded ({error}); --mirror names another place") from error
        return read_bytes(path)
