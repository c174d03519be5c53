"""Bytes and text of files, gzipped or not, and the errors that name a file and a line."""

import errno
import gzip
import os
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

from ..arguments import shown as quoted

T = TypeVar("T")
Source = str | os.PathLike[str]
UTF_8 = "utf-8"
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # would move the cursor of a terminal, or colour it
SIZE = re.compile(rb"[0-9]{1,18}")  # a whole number in a file, of digits alone


class Contents(NamedTuple, Generic[T]):
    """What a file or a folder holds, the names of its documents if they have any, and what was taken for what."""

    documents: T
    names: Sequence[str] | None = None
    taken: str = ""


def read_bytes(path: Source) -> bytes:
    """The bytes of a file, decompressed if it is gzipped, whatever its name.

    A ValueError is raised if the gzip is damaged, or if the name ends in `.gz` and the file is not gzipped.
    """
    content = Path(path).read_bytes()
    if content[:2] != b"\x1f\x8b":
        if str(path).endswith(".gz"):
            raise ValueError(f"{path}: not gzipped, expected gzip because of the name")
        return content
    try:
        return gzip.decompress(content)
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(f"{path}: truncated or damaged gzip ({error}), expected a whole file") from error


def write_bytes(path: Source, content: bytes) -> None:
    """Write a file, gzipped if its name ends in `.gz`; a reader finds the old file or the whole new one.

    Links are followed. What is not a regular file, such as a device or a pipe, is written in place.
    """
    path = Path(path)
    if path.suffix == ".gz":
        content = gzip.compress(content, mtime=0)
    is_in_place, target_path = path.exists() and not path.is_file(), path.resolve()
    temporary_path = path if is_in_place else target_path.with_name(f".{target_path.name}.{os.getpid()}")
    try:
        temporary_path.write_bytes(content)
        if not is_in_place:
            os.replace(temporary_path, target_path)
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        if not is_in_place:
            temporary_path.unlink(missing_ok=True)


def check_writable(path: Source) -> None:
    """Raise a PermissionError if nothing can be written at a path, because of the folder that holds it or will hold it.

    A long run calls this before it begins.
    """
    folder = next(parent for parent in (Path(path).absolute(), *Path(path).absolute().parents) if parent.is_dir())
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def decoded(path: Source, content: bytes, encoding: str = UTF_8) -> str:
    """The text of bytes in an encoding, in UTF-8 with or without a byte-order mark.

    Valid UTF-8 is read as UTF-8: by chance a text in another encoding hardly ever is, unless it has NUL or ESC.
    """
    if content[:5] in (b"{\\rtf", b"%PDF-"):
        refuse(path, 1, "PDF" if content[:1] == b"%" else "RTF", "plain text: save it as text")
    if b"\0" not in content and b"\x1b" not in content:
        with suppress(UnicodeDecodeError):
            content.decode()
            encoding = UTF_8
    try:
        text = content.decode("utf-8-sig" if encoding == UTF_8 else encoding)
        if "\0" not in text:  # as in UTF-16 and in files that are not text
            return text
        lineno, byte = text.partition("\0")[0].count("\n") + 1, "byte 0x00"
    except UnicodeDecodeError as error:
        lineno, byte = content[: error.start].count(b"\n") + 1, f"byte {content[error.start]:#04x}"
    except (LookupError, ValueError):
        raise ValueError(f"encoding is {quoted(encoding)}, expected a name such as utf-8, utf-16 or cp1252") from None
    if encoding != UTF_8:
        refuse(path, lineno, byte, f"text in UTF-8 or {encoding}, not a PDF or an image")
    refuse(path, lineno, byte, "plain text in UTF-8, not a PDF or an image; `encoding` names another, such as cp1252")


def read_text(path: Source, encoding: str = UTF_8) -> str:
    """The text of a file, gzipped or not."""
    return decoded(path, read_bytes(path), encoding)


def lines_of(text: str) -> list[str]:
    """The lines of a text. Only a line feed ends one; str.splitlines also breaks at form feeds and the like."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def shown(text: bytes) -> str:
    """The beginning of a text, quoted for an error message."""
    return repr(text.strip()[:80].decode("utf-8", "replace"))


def refuse(path: Source, line_number: int, problem: Any, expected: str) -> NoReturn:
    """Raise a ValueError about a line (numbered from 1) of a file."""
    raise ValueError(f"{path}, line {line_number}: {problem}, expected {expected}")
