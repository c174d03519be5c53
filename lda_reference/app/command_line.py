"""The command line: the commands of `lda-reference`. Only the module of the command that is given is imported."""

import argparse
import io
import os
import re
import sys
from importlib import import_module, metadata
from typing import Any, NoReturn

COMMANDS = {  # the module of each, with `add_arguments` and `run`, and what it does
    "tour": (".tour_command", "Fit every algorithm to one corpus: a table, topics, a figure and its numbers."),
    "fit": (".fit", "Fit one model and write it to a folder."),
    "report": (".report.command", "Write a model as one HTML page: topics, documents, the run, warnings."),
    "topics": (".topics", "Print the most probable words of each topic of a model, or write them as CSV or JSON."),
    "documents": (".documents", "Print theta, the topics of a model's documents, or write it as CSV or JSON."),
    "infer": (".infer", "Fold new documents into a model with its topics held, and print or write their theta."),
    "perplexity": (
        ".perplexity",
        "Fold in half of each document's tokens and predict the others, or integrate theta out (left-to-right).",
    ),
    "which": (".which", "Name the definitions that give a number which was reported of a model, such as a perplexity."),
    "judge": (".judge", "Say what this package's definitions give for a model of another program, such as MALLET."),
    "stability": (
        ".stability",
        "Run one algorithm from several starts for each number of topics: which topics come back, bound, perplexity.",
    ),
    "compare": (".compare", "Show which topics of a model split, stay or move in another, of more topics."),
    "table-1": (".table_1", "Print TNW06's Table 1: names, equations, which are worth using."),
    "where": (".where", "Show an equation: the whole update, its sums, code, plain text, chapter and tests."),
    "play": (".play", "Step through a sweep of a tiny corpus, token by token."),
    "exercises": (".exercises", "Copy the notebooks of exercises, whose answers the oracle grades, to a folder."),
    "oracle": ("..oracle.asking.command", "Check a port, in any language, with test vectors."),
}
OPTION_OF_ARGUMENT = {"K": "topics", "c": "corpus"}  # arguments of functions whose options differ
PATHS = ("model", "corpus", "vocab", "train", "out", "csv", "json", "badge", "folder")  # an empty one would be "."


class Once(argparse.Action):
    """Keep the value of an option, and refuse a second file or name, because the first would be left out in silence."""

    was_given = False

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        takes_name = self.type is None and self.choices is None  # a second number or choice replaces the first
        if self.was_given and takes_name and self.option_strings:
            parser.error(f"argument {option_string}: given twice, expected one value")
        self.was_given = True
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line on stderr, and which refuses two files or names for one option."""

    takes_program = False  # whether a program and its options can be given after --

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, Once)

    def error(self, message: str) -> NoReturn:
        is_of_program = self.takes_program and message.startswith("unrecognized arguments")
        self.exit(2, f"{self.prog}: {message}{', expected a program and its options after --' * is_of_program}\n")


def main(argv: list[str] | None = None) -> int:
    """Run a command and return its exit status. Bad input writes one line to stderr and returns 2."""
    argv = sys.argv[1:] if argv is None else argv
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # words in a script that the output's encoding lacks
    if not argv:
        print("\n".join(f"{command:<11} {help_text}" for command, (_, help_text) in COMMANDS.items()))
        return 0
    arguments = argparse.Namespace()
    try:
        arguments = _parser(argv).parse_args(argv)  # imports what the command needs, which takes a second
        for option_name in PATHS:
            if getattr(arguments, option_name, None) == "":
                raise ValueError(f"{'the ' * (option_name in ('model', 'folder'))}{option_name} is '', expected a path")
        exit_status = int(arguments.run(arguments) or 0)
        sys.stdout.flush()
        return exit_status
    except BrokenPipeError:  # whoever reads the output, such as `head`, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return 0
    except (ValueError, OSError, ArithmeticError, MemoryError) as error:
        print(f"lda-reference {arguments.command}: {in_options(error, arguments)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def in_options(error: BaseException, arguments: argparse.Namespace) -> str:
    """An error as one line that names options instead of the arguments of functions."""
    if isinstance(error, OSError) and error.filename is not None:
        file_problem = "does not exist" if isinstance(error, FileNotFoundError) else (error.strerror or "").lower()
        return in_one_line(f"{error.filename}: {file_problem}")

    def as_option(match: re.Match[str]) -> str:
        option_name = OPTION_OF_ARGUMENT.get(match[0], match[0].strip("`"))
        return "--" + option_name.replace("_", "-") if option_name in vars(arguments) else match[0]

    message = " ".join(str(error).split()) or "the memory is too small"  # of a MemoryError without a text
    return in_one_line(re.sub(r"^\w+(?= is | has )|`\w+`", as_option, message))


def in_one_line(text: object) -> str:
    """A text with escapes for control characters, which would end a line or colour a terminal."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda match: repr(match[0])[1:-1], str(text))


def _parser(argv: list[str]) -> Parser:
    """A parser of all commands, which has the arguments of the command that is given."""
    parser = Parser(prog="lda-reference", description="Reference implementation of inference for LDA.")
    try:
        package_version = metadata.version("lda_reference")
    except metadata.PackageNotFoundError:
        package_version = "of a folder that is not installed"
    parser.add_argument("--version", action="version", version=f"lda-reference {package_version}")
    command_parsers = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    asked_command = next((arg for arg in argv if not arg.startswith("-")), None)
    parser.takes_program = asked_command == "oracle"
    for command_name, (module_name, help_text) in COMMANDS.items():
        subparser = command_parsers.add_parser(command_name, help=help_text, description=help_text)
        if command_name == asked_command:
            command_module = import_module(module_name, __package__)
            command_module.add_arguments(subparser)
            subparser.set_defaults(run=command_module.run)
    return parser
