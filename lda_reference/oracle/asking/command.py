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
from ..cases.loading import HIDDEN_KEYS, OPERATIONS, PRECISIONS, Case, cases, mistakes, question, sampler_cases, select
from ..changes.mistaken import mistakes_told_apart
from ..diagnosing.working import working
from ..fresh.making import case_of
from ..judging import samplers as sampling
from ..judging.levels import TOP_LEVEL
from ..judging.reporting import Report, badge, text, to_json
from .program import BUDGET, TIMEOUT, startable
from .runner import check

try:
    from tqdm import tqdm
except ImportError:  # tqdm is an extra, `progress`; without it there is no bar
    tqdm = None

ONLY_HELP = "algorithms, or beginnings of ids such as cvb0/update"
RECORD_NAME = "lda_reference_oracle.json"  # the record of an export: the files that it wrote
ARCHIVE_NAME = "lda-oracle.pyz"
ARCHIVE_PARTS = ("__init__.py", "app/__init__.py", "app/command_line.py", "oracle", "plain")
LEFT_OUT_NAMES = ("pytest_plugin.py", "__pycache__")
MAIN_SOURCE = """import sys

if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed, this is " + sys.version)
from lda_reference.app.command_line import main

sys.exit(main(["oracle", *sys.argv[1:]]))
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands and their options to the parser of `lda-reference oracle`."""
    subparsers = parser.add_subparsers(
        dest="oracle", required=True, parser_class=type(parser), metavar="{check,list,show,explain,export}"
    )

    def command(command_name: str, command_function: Any, help_text: str) -> argparse.ArgumentParser:
        subparser: argparse.ArgumentParser = subparsers.add_parser(command_name, help=help_text, description=help_text)
        subparser.set_defaults(do=command_function)
        return subparser

    p = command("check", _check, "Ask a program every case, and say what it got wrong; exit status 1 on failure.")
    _add_options_of_check(p)

    p = command("list", _list, "List the cases: id, schedule, equations and flags.")
    p.add_argument("--only", metavar="NAME[,NAME]", help=ONLY_HELP)

    p = command("show", _show, "Show one case, with the expected answer and those of the known mistakes.")
    help_text = "such as cvb0/update/001; `oracle list` prints all; or that of a fresh case, such as fresh/7/0012"
    p.add_argument("id", metavar="ID", help=help_text)

    help_text = "Show the right numbers on the way to the answer of a case."
    p = command("explain", lambda args: print("\n".join(working(_case(args.id), args.row))), help_text)
    p.add_argument("id", metavar="ID", help="such as cvb0/update/001, or that of a fresh case")
    help_text = "the row, or the token of a sampler, whose update is shown; default: the first that is updated"
    p.add_argument("--row", metavar="N", type=int, help=help_text)

    p = command("export", _export, "Write the vectors, the guide, example ports and the stand-alone checker.")
    p.add_argument("folder", metavar="DIR", help="the folder to write to")


def _add_options_of_check(p: argparse.ArgumentParser) -> None:
    p.add_argument("--only", metavar="NAME[,NAME]", help=ONLY_HELP)
    p.add_argument("--operation", choices=OPERATIONS, help="only the cases of one operation")
    help_text = f"seconds for each case; default {TIMEOUT:g}"
    p.add_argument("--timeout", metavar="S", type=float, default=TIMEOUT, help=help_text)
    help_text = f"seconds for all cases together; default {BUDGET:g}"
    p.add_argument("--budget", metavar="S", type=float, default=BUDGET, help=help_text)
    help_text = f"only the cases up to a level, from 1 (plain updates) to {TOP_LEVEL} (the sampler test)"
    p.add_argument("--level", metavar="N", type=int, help=help_text)
    help_text = "send all cases, then the end of the input; the program may answer in any order"
    p.add_argument("--batch", action="store_true", help=help_text)
    help_text = "ask all cases N times, and say which answers vary"
    p.add_argument("--repeat", metavar="N", type=int, default=1, help=help_text)
    help_text = "algorithms, operations or beginnings of ids whose cases must not be skipped"
    p.add_argument("--require", metavar="NAME[,NAME]", default=(), help=help_text)
    p.add_argument("--json", metavar="FILE", help="write the results as JSON")
    p.add_argument("--badge", metavar="FILE", help="write a badge with the counts, an endpoint of shields.io")
    p.add_argument("--all", action="store_true", help="show all groups and failed cases, and count reasons of skips")
    p.add_argument("--samplers", action="store_true", help="also ask samplers for draws, and test their distribution")
    p.add_argument("--large", action="store_true", help="also ask the cases of 100,000 rows")
    p.add_argument("--draws", type=int, default=sampling.DRAWS, help=f"draws of each sampler; default {sampling.DRAWS}")
    help_text = "the seed of the fresh cases, or that a sampler is sent; default 0"
    p.add_argument("--seed", type=int, default=0, help=help_text)
    p.add_argument("--fresh", metavar="N", type=int, help="ask N new cases, made from the seed, instead of the vectors")
    help_text = f"{', '.join(PRECISIONS)}; or those of parts, as in double,vb=single; default {PRECISIONS[0]}"
    p.add_argument("--precision", default=PRECISIONS[0], help=help_text)
    p.add_argument("--vectors", metavar="DIR", help="exported vectors, to be used instead of the package's")
    help_text = "cases that are known to fail: a name and, after #, the reason on each line"
    p.add_argument("--expected-failures", metavar="FILE", help=help_text)
    p.add_argument("port", metavar="PROGRAM", nargs="+", help="after --, the program and its arguments")


def run(args: argparse.Namespace) -> int:
    """Run a command, and return the exit status."""
    return int(args.do(args) or 0)


def _check(args: argparse.Namespace) -> bool:
    port_command = startable(args.port[1:] if args.port[0] == "--" else args.port)
    for result_path in (args.json, args.badge):
        if result_path is not None and not Path(result_path).parent.is_dir():
            raise ValueError(f"{result_path}: the folder does not exist")
    asks_samplers = args.samplers or args.operation == "sample" or args.level == TOP_LEVEL
    vector_options = {"--vectors": args.vectors, "--expected-failures": args.expected_failures, "--large": args.large}
    for option_name, option_argument in vector_options.items():
        if args.fresh is not None and option_argument:
            raise ValueError(f"--fresh and {option_name} are given together, expected only one of them")
    if args.draws != sampling.DRAWS and not asks_samplers:
        raise ValueError("--draws is given, expected none without --samplers")
    if args.seed and not asks_samplers and args.fresh is None:
        raise ValueError("--seed is given, expected none without --samplers or --fresh")
    vector_cases, drawn_cases = loading.cases_to_ask(args.only, args.large, args.vectors), sampler_cases(args.vectors)
    if args.vectors and args.precision != PRECISIONS[0]:
        limits = {id: {loading.SINGLE: x} for id, x in loading.single_tolerances(loading.checked(args.vectors)).items()}
        vector_cases = [case | limits.get(case["id"], {}) for case in vector_cases]
    reason_of_id = loading.expected_failures(args.expected_failures, [*vector_cases, *drawn_cases])
    chosen_cases = [*vector_cases, *(drawn_cases if asks_samplers else ())] if args.fresh is None else None
    report = check(
        port_command, args.only, args.operation, args.timeout, asks_samplers, args.draws, args.seed, chosen_cases,
        require=args.require, level=args.level, budget=args.budget,
        progress=(lambda cases: tqdm(cases, unit="case", file=sys.stderr, disable=None)) if tqdm else iter,
        fresh=args.fresh, precision=args.precision, batch=args.batch, repeat=args.repeat,
    )  # fmt: skip
    report = expecting(report, reason_of_id)
    encoding = sys.stdout.encoding or "utf-8"
    print(text(report, args.all, mistakes(args.vectors)).encode(encoding, "replace").decode(encoding))  # of any script
    if args.json is not None:
        Path(args.json).write_text(to_json(report), "utf-8")
    if args.badge is not None:
        vectors_name = "fresh cases" if args.fresh is not None else loading.version(args.vectors)
        Path(args.badge).write_text(badge(report, vectors_name), "utf-8")
    return not report.ok


def expecting(report: Report, reason_of_id: Mapping[str, str]) -> Report:
    """The report when some cases are expected to fail; `reason_of_id` has the reason for each, by its id.

    A listed case that failed has the status "expected". A listed case that passed has failed: it must be taken off the
    list. Skipped cases stay as they are.
    """
    result_of_id = {result.id: result for result in report.results}
    for id, reason in reason_of_id.items():
        if id in result_of_id and result_of_id[id].status == "failed":
            result_of_id[id] = result_of_id[id]._replace(status="expected", reason=reason)
        elif id in result_of_id and result_of_id[id].passed:
            new_reason = f"passed, but is expected to fail ({reason}): take it off the list of expected failures"
            result_of_id[id] = result_of_id[id]._replace(status="failed", reason=new_reason)
    return report._replace(results=tuple(result_of_id.values()))


def _list(args: argparse.Namespace) -> None:
    for case in select([*cases(), *sampler_cases()], args.only):
        column_texts = (case.get("schedule", ""), ", ".join(case.get("tags", ())), ",".join(case.get("flags", ())))
        print(f"{case['id']:<30}  {column_texts[0]:<8}  {column_texts[1]:<20}  {column_texts[2]}".rstrip())


def _case(id: str) -> Case:
    """The case of an id, also that of a fresh one."""
    if id.startswith("fresh/"):
        return case_of(id)
    for case in (*cases(), *sampler_cases()):
        if case["id"] == id:
            return case
    raise ValueError(f"{id!r} is not the id of a case: see `lda-reference oracle list`")


def _show(args: argparse.Namespace) -> None:
    case = _case(args.id)
    fields_hidden_from_port = {field: case[field] for field in HIDDEN_KEYS if field in case and field != "mistakes"}
    for field, content in (question(case) | fields_hidden_from_port).items():
        print(f"{field}: {json.dumps(content, ensure_ascii=False)}")
    mistake_texts, is_sampled = mistakes(), case["operation"] == "sample"
    for mistake_name, expected in case["mistakes"].items() if is_sampled else mistakes_told_apart(case):
        laws = (sampling.law(case), sampling.law(case, mistake_name)) if is_sampled else ()
        draws_text = f"; {sampling.draws_that_tell(*laws):,} independent draws find it" if laws else ""
        print(f"mistake {mistake_name} ({mistake_texts.get(mistake_name, '')}{draws_text}): {json.dumps(expected)}")


def _export(args: argparse.Namespace) -> None:
    written_names, kept_names = export(Path(args.folder))
    print(f"{args.folder}: {len(written_names)} files written, {len(kept_names)} up to date")


def export(folder: Path) -> tuple[list[str], list[str]]:
    """Write vectors, schema, changelog, licence, guide, example ports and the stand-alone checker into a folder.

    A file that exists with other content is replaced only if an earlier export wrote it and it has not changed since;
    otherwise this is a ValueError, and nothing is written. The result is the names of the files that were written, and
    of those that were up to date.
    """
    packed_files = ((name.removeprefix("./"), blob) for name, blob in files_of(loading.FOLDER, "."))
    blob_of = {name: blob for name, blob in packed_files if name.startswith("examples/") or not name.endswith(".py")}
    blob_of[ARCHIVE_NAME] = archive()
    record_path = folder / RECORD_NAME
    earlier_digests = json.loads(record_path.read_text("utf-8"))["files"] if record_path.exists() else {}
    old_bytes = {name: (folder / name).read_bytes() for name in blob_of if (folder / name).exists()}
    for name, old_blob in old_bytes.items():
        if old_blob != blob_of[name] and earlier_digests.get(name) != hashlib.sha256(old_blob).hexdigest():
            raise ValueError(f"{folder / name}: exists, and was not written by an export or has changed since")
    new_names = [name for name in blob_of if old_bytes.get(name) != blob_of[name]]
    digest_of_name = {name: hashlib.sha256(blob).hexdigest() for name, blob in blob_of.items()}
    for name in new_names:
        _write(folder / name, blob_of[name])
    _write(record_path, (json.dumps({"files": digest_of_name}, indent=1) + "\n").encode())
    return new_names, [name for name in blob_of if name not in new_names]


def _write(path: Path, blob: bytes) -> None:
    """Write a file, whole or not at all, so that the next export goes on where one has ended early."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary_path = path.with_name(f".{path.name}.tmp")
    try:
        temporary_path.write_bytes(blob)
        temporary_path.replace(path)
    except OSError as error:  # a full disk names no file
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        temporary_path.unlink(missing_ok=True)


def archive() -> bytes:
    """The stand-alone checker, a zip archive that Python runs, without what needs other packages."""
    zip_buffer = io.BytesIO()
    with zipfile.ZipFile(zip_buffer, "w") as zip_file:
        zip_file.writestr(zipfile.ZipInfo("__main__.py"), MAIN_SOURCE)
        for package_part in ARCHIVE_PARTS:
            for name, blob in files_of(files("lda_reference").joinpath(package_part), f"lda_reference/{package_part}"):
                zip_file.writestr(zipfile.ZipInfo(name), blob, zipfile.ZIP_DEFLATED)  # a ZipInfo has no date of its own
    return zip_buffer.getvalue()


def files_of(path: Traversable, packed_name: str) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a file, or of all files below a folder, without what is left out."""
    if path.is_file():
        yield packed_name, path.read_bytes()
        return
    for inner_path in sorted(path.iterdir(), key=lambda inner_path: inner_path.name):
        if inner_path.name not in LEFT_OUT_NAMES:
            yield from files_of(inner_path, f"{packed_name}/{inner_path.name}")
