"""The commands `lda-reference oracle check`, `list`, `show`, `explain` and `export`.

`export` also writes the oracle as one file, for a Python without packages: `python lda-oracle.pyz` is
`lda-reference oracle`.
"""

import argparse
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from ..cases import loading
from ..cases.loading import HIDDEN, OPERATIONS, PRECISIONS, Case, cases, mistakes, question, sampler_cases, select
from ..changes.mistaken import mistakes_told_apart
from ..diagnosing.working import working
from ..fresh.making import case_of
from ..judging import samplers as sampling
from ..judging.levels import TOP
from ..judging.reporting import Report, badge, text, to_json
from .program import BUDGET, TIMEOUT, startable
from .runner import check

try:
    from tqdm import tqdm
except ImportError:  # tqdm is an extra, `progress`; without it there is no bar
    tqdm = None

ONLY = "algorithms, or beginnings of ids such as cvb0/update"
WRITTEN = "lda_reference_oracle.json"  # the record of an export: the files that it wrote
NAME = "lda-oracle.pyz"
PARTS = ("__init__.py", "app/__init__.py", "app/command_line.py", "oracle", "plain")
LEFT_OUT = ("pytest_plugin.py", "__pycache__")
MAIN = """import sys

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed, this is " + sys.version)
from lda_reference.app.command_line import main

sys.exit(main(["oracle", *sys.argv[1:]]))
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands and their options to the parser of `lda-reference oracle`."""
    commands = parser.add_subparsers(
        dest="oracle", required=True, parser_class=type(parser), metavar="{check,list,show,explain,export}"
    )

    def command(name: str, do: Any, about: str) -> argparse.ArgumentParser:
        p: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
        p.set_defaults(do=do)
        return p

    _add_options_of_check(
        command("check", _check, "Ask a program every case, and say what it got wrong; exit status 1 on failure.")
    )

    p = command("list", _list, "List the cases: id, schedule, equations and flags.")
    p.add_argument("--only", metavar="NAME[,NAME]", help=ONLY)

    p = command("show", _show, "Show one case, with the expected answer and those of the known mistakes.")
    about = "such as cvb0/update/001; `oracle list` prints all; or that of a fresh case, such as fresh/7/0012"
    p.add_argument("id", metavar="ID", help=about)

    about = "Show the right numbers on the way to the answer of a case."
    p = command("explain", lambda a: print("\n".join(working(_case(a.id)))), about)
    p.add_argument("id", metavar="ID", help="such as cvb0/update/001, or that of a fresh case")

    p = command("export", _export, "Write the vectors, the guide, example ports and the stand-alone checker.")
    p.add_argument("folder", metavar="DIR", help="the folder to write to")


def _add_options_of_check(p: argparse.ArgumentParser) -> None:
    p.add_argument("--only", metavar="NAME[,NAME]", help=ONLY)
    p.add_argument("--operation", choices=OPERATIONS, help="only the cases of one operation")
    seconds = f"seconds for each case; default {TIMEOUT:g}"
    p.add_argument("--timeout", metavar="S", type=float, default=TIMEOUT, help=seconds)
    seconds = f"seconds for all cases together; default {BUDGET:g}"
    p.add_argument("--budget", metavar="S", type=float, default=BUDGET, help=seconds)
    about = f"only the cases up to a level, from 1 (plain updates) to {TOP} (the sampler test)"
    p.add_argument("--level", metavar="N", type=int, help=about)
    about = "send all cases, then the end of the input; the program may answer in any order"
    p.add_argument("--batch", action="store_true", help=about)
    about = "ask all cases N times, and say which answers vary"
    p.add_argument("--repeat", metavar="N", type=int, default=1, help=about)
    about = "algorithms, operations or beginnings of ids whose cases must not be skipped"
    p.add_argument("--require", metavar="NAME[,NAME]", default=(), help=about)
    p.add_argument("--json", metavar="FILE", help="write the results as JSON")
    p.add_argument("--badge", metavar="FILE", help="write a badge with the counts, an endpoint of shields.io")
    p.add_argument("--all", action="store_true", help="show every failed case, and count the reasons of skipped cases")
    p.add_argument("--samplers", action="store_true", help="also ask samplers for draws, and test their distribution")
    p.add_argument("--large", action="store_true", help="also ask the cases of 100,000 rows")
    p.add_argument("--draws", type=int, default=sampling.DRAWS, help=f"draws of each sampler; default {sampling.DRAWS}")
    about = "the seed of the fresh cases, or that a sampler is sent; default 0"
    p.add_argument("--seed", type=int, default=0, help=about)
    p.add_argument("--fresh", metavar="N", type=int, help="ask N new cases, made from the seed, instead of the vectors")
    about = f"{', '.join(PRECISIONS)}; or those of parts, as in double,vb=single; default {PRECISIONS[0]}"
    p.add_argument("--precision", default=PRECISIONS[0], help=about)
    p.add_argument("--vectors", metavar="DIR", help="exported vectors, to be used instead of the package's")
    listed = "cases that are known to fail: a name and, after #, the reason on each line"
    p.add_argument("--expected-failures", metavar="FILE", help=listed)
    p.add_argument("port", metavar="PROGRAM", nargs="+", help="after --, the program and its arguments")


def run(a: argparse.Namespace) -> int:
    """Run a command, and return the exit status."""
    return int(a.do(a) or 0)


def _check(a: argparse.Namespace) -> bool:
    port = startable(a.port[1:] if a.port[0] == "--" else a.port)
    for path in (a.json, a.badge):
        if path is not None and not Path(path).parent.is_dir():
            raise ValueError(f"{path}: the folder does not exist")
    samplers = a.samplers or a.operation == "sample" or a.level == TOP
    for option, value in (("--vectors", a.vectors), ("--expected-failures", a.expected_failures)):
        if a.fresh is not None and value is not None:
            raise ValueError(f"--fresh and {option} are given together, expected only one of them")
    in_vectors, drawn = loading.cases_to_ask(a.only, a.large, a.vectors), sampler_cases(a.vectors)
    if a.vectors and a.precision != PRECISIONS[0]:
        single = {id: {loading.SINGLE: x} for id, x in loading.single_tolerances(loading.checked(a.vectors)).items()}
        in_vectors = [case | single.get(case["id"], {}) for case in in_vectors]
    expected = loading.expected_failures(a.expected_failures, [*in_vectors, *drawn])
    chosen = [*in_vectors, *(drawn if samplers else ())] if a.fresh is None else None
    report = check(
        port, a.only, a.operation, a.timeout, samplers, a.draws, a.seed, chosen,
        require=a.require, level=a.level, budget=a.budget,
        progress=(lambda chosen: tqdm(chosen, unit="case", file=sys.stderr, disable=None)) if tqdm else iter,
        fresh=a.fresh, precision=a.precision, batch=a.batch, repeat=a.repeat,
    )  # fmt: skip
    report = expecting(report, expected)
    encoding = sys.stdout.encoding or "utf-8"
    print(text(report, a.all, mistakes(a.vectors)).encode(encoding, "replace").decode(encoding))  # of any script
    if a.json is not None:
        Path(a.json).write_text(to_json(report), "utf-8")
    if a.badge is not None:
        asked = "fresh cases" if a.fresh is not None else loading.version(a.vectors)
        Path(a.badge).write_text(badge(report, asked), "utf-8")
    return not report.ok


def expecting(report: Report, expected: Mapping[str, str]) -> Report:
    """The report when some cases are expected to fail; `expected` has the reason for each, by its id.

    A listed case that failed has the status "expected". A listed case that passed has failed: it must be taken off the
    list. Skipped cases stay as they are.
    """
    results = {r.id: r for r in report.results}
    for id, reason in expected.items():
        if id in results and results[id].status == "failed":
            results[id] = results[id]._replace(status="expected", reason=reason)
        elif id in results and results[id].passed:
            text = f"passed, but is expected to fail ({reason}): take it off the list of expected failures"
            results[id] = results[id]._replace(status="failed", reason=text)
    return report._replace(results=tuple(results.values()))


def _list(a: argparse.Namespace) -> None:
    for case in select([*cases(), *sampler_cases()], a.only):
        about = (case.get("schedule", ""), ", ".join(case.get("tags", ())), ",".join(case.get("flags", ())))
        print(f"{case['id']:<30}  {about[0]:<8}  {about[1]:<20}  {about[2]}".rstrip())


def _case(id: str) -> Case:
    """The case of an id, also that of a fresh one."""
    if id.startswith("fresh/"):
        return case_of(id)
    for case in (*cases(), *sampler_cases()):
        if case["id"] == id:
            return case
    raise ValueError(f"{id!r} is not the id of a case: see `lda-reference oracle list`")


def _show(a: argparse.Namespace) -> None:
    case = _case(a.id)
    hidden = {name: case[name] for name in HIDDEN if name in case and name != "mistakes"}
    for name, x in (question(case) | hidden).items():
        print(f"{name}: {json.dumps(x, ensure_ascii=False)}")
    texts, sampled = mistakes(), case["operation"] == "sample"
    for name, expected in case["mistakes"].items() if sampled else mistakes_told_apart(case):
        laws = (sampling.law(case), sampling.law(case, name)) if sampled else ()
        draws = f"; {sampling.draws_that_tell(*laws):,} independent draws find it" if laws else ""
        print(f"mistake {name} ({texts.get(name, '')}{draws}): {json.dumps(expected)}")


def _export(a: argparse.Namespace) -> None:
    written, kept = export(Path(a.folder))
    print(f"{a.folder}: {len(written)} files written, {len(kept)} up to date")


def export(folder: Path) -> tuple[list[str], list[str]]:
    """Write vectors, schema, changelog, licence, guide, example ports and the stand-alone checker into a folder.

    A file that exists with other content is replaced only if an earlier export wrote it and it has not changed since;
    otherwise this is a ValueError, and nothing is written. The result is the names of the files that were written, and
    of those that were up to date.
    """
    packed = ((name.removeprefix("./"), data) for name, data in files_of(loading.FOLDER, "."))
    content = {name: data for name, data in packed if name.startswith("examples/") or not name.endswith(".py")}
    content[NAME] = archive()
    record = folder / WRITTEN
    earlier = json.loads(record.read_text("utf-8"))["files"] if record.exists() else {}
    there = {name: (folder / name).read_bytes() for name in content if (folder / name).exists()}
    for name, old in there.items():
        if old != content[name] and earlier.get(name) != hashlib.sha256(old).hexdigest():
            raise ValueError(f"{folder / name}: exists, and was not written by an export or has changed since")
    new = [name for name in content if there.get(name) != content[name]]
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in content.items()}
    for name in new:
        _write(folder / name, content[name])
    _write(record, (json.dumps({"files": digests}, indent=1) + "\n").encode())
    return new, [name for name in content if name not in new]


def _write(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all, so that the next export goes on where one has ended early."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        temporary.unlink(missing_ok=True)


def archive() -> bytes:
    """The stand-alone checker, a zip archive that Python runs, without what needs other packages."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(zipfile.ZipInfo("__main__.py"), MAIN)
        for part in PARTS:
            for name, content in files_of(files("lda_reference").joinpath(part), f"lda_reference/{part}"):
                z.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return out.getvalue()


def files_of(path: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a file, or of all files below a folder, without what is left out."""
    if path.is_file():
        yield name, path.read_bytes()
        return
    for inner in sorted(path.iterdir(), key=lambda x: x.name):
        if inner.name not in LEFT_OUT:
            yield from files_of(inner, f"{name}/{inner.name}")
