"""MALLET's files: states, with the topic of each token, and the lines `name label text` that `import-file` reads.

A state has the line ends and the encoding of the machine that wrote it. Single spaces separate its fields, and a type
may have any other character. A state has neither the words of MALLET's alphabet after the last one that occurs nor the
documents without a word after the last one that has any.
"""

import re
from collections.abc import Sequence

import numpy as np

from ..arguments import check_memory, path_of, shown, whole_number
from ..arguments import words as words_of
from ..corpus import Corpus
from ..model import Prior
from .files import UTF_8, Contents, Source, lines_of, read_text, refuse

HEADER = b"#doc source pos typeindex type topic"  # the source may have spaces
PRIOR_LINES = re.compile(r"#alpha : ([\d.eE+\- ]+)\s*\n#beta : ([\d.eE+\- ]+)\s*")
LINE = re.compile(r"([0-9]{1,18}) (?:([^ ].*) )? ?([0-9]+) ([0-9]{1,18}) ([^ ]+) ([0-9]{1,18})")
INSTANCE = re.compile(r"(\S*)[\s,]*(\S*)[\s,]*(.*)", re.ASCII)  # the default of `import-file --line-regex`


def read_state(
    path: Source, encoding: str = UTF_8, vocab: Sequence[str] | None = None, D: int | None = None
) -> tuple[Corpus, list[int], Prior]:
    """The corpus of a state, gzipped or not, with a row for each token; the topics z of the tokens; and the prior.

    The rows are in the order of the file. MALLET's beta is eta. A file that is no state is refused with the line.

    `vocab` has all words of MALLET's alphabet, in any order, which the corpus then has. Without it the words end with
    the last one that occurs. If the alphabet is larger, as after `--use-pipe-from`, phi and the likelihood are then
    not MALLET's. D is the number of documents, by default up to the last one that has a word.
    """
    alphabet_words = None if vocab is None else words_of(vocab)
    whole_number(0 if D is None else D, "D", 0)
    return _parsed_state(path, read_text(path_of(path, "path"), encoding), alphabet_words, D)[:3]


def counts_of_state(path: Source, text: str) -> Contents[Corpus]:
    """The corpus of types of a state, without its topics, of the words that occur; its sources are names."""
    c, _, _, source_of_document = _parsed_state(path, text)
    assert c.vocab is not None
    used_word_ids, w = np.unique(c.w, return_inverse=True)
    c = Corpus(c.j, w, c.n, c.D, len(used_word_ids), tuple(c.vocab[i] for i in used_word_ids)).types()
    source_names = [source_of_document.get(j, "NA") for j in range(c.D)]
    document_names = [str(j) if name == "NA" else name for j, name in enumerate(source_names)]  # MALLET's word for none
    remark = "documents and words are those of a state of MALLET, whose topics are left out"
    return Contents(c, document_names if set(source_names) != {"NA"} else None, remark)


def instances(text: str) -> list[tuple[str, str, str]]:
    """The name, the label and the text of each line that is not blank, cut as MALLET does."""
    line_matches = [INSTANCE.fullmatch(line.strip()) for line in lines_of(text) if line.strip()]
    return [(line_match[1], line_match[2], line_match[3]) for line_match in line_matches if line_match]


def looks_like_instances(text: str) -> bool:
    """Whether the lines of a text are likely to be `name label text`.

    Two words and a text of several end in tabs in each line. Or there are three lines or more, and in nine of ten the
    fields end in tabs, or the name has a slash or both letters and digits, as paths and ids have, or is a number, and
    there is one label. The names then differ, but for one of ten, and there are at most half as many labels as lines.
    """
    rows = instances(text)
    if rows and all(re.fullmatch(r"\S+\t\S+\t\S+ \S[^\t]*", line.rstrip()) for line in lines_of(text) if line.strip()):
        return True
    n_tabs = sum(re.match(r"\s*\S+\t\S+\t", line) is not None for line in lines_of(text))
    names, labels = ({row[i] for row in rows} for i in range(2))
    n_ids = sum(
        "/" in x or (any(map(str.isdigit, x)) and (any(map(str.isalpha, x)) or (x.isdigit() and len(labels) == 1)))
        for x, _, _ in rows
    )
    n_needed = 0.9 * len(rows)
    return len(rows) > 2 and max(n_tabs, n_ids) >= n_needed and len(names) >= n_needed and 2 * len(labels) <= len(rows)


def _parsed_state(
    path: Source, text: str, vocab: Sequence[str] | None = None, D: int | None = None
) -> tuple[Corpus, list[int], Prior, dict[int, str]]:
    """What `read_state` returns, and the source of each document."""
    state_lines = [line.removesuffix("\r") for line in lines_of(text)]
    prior_match = PRIOR_LINES.fullmatch("\n".join(state_lines[1:3]))
    prior_match = prior_match or refuse(path, 2, "no line `#alpha : ...` and `#beta : ...`", "a state file of MALLET")
    alpha, eta = ([float(number) for number in numbers_text.split()] for numbers_text in prior_match.groups())
    token_rows, word_of_id, source_of_document = [], dict[int, str](), dict[int, str]()
    id_in_vocab = {word: w for w, word in enumerate(vocab or ())}
    for lineno, line in enumerate(state_lines[3:], 4):
        match = LINE.fullmatch(line) or refuse(path, lineno, shown(line), "document source position type word topic")
        j, source, _, w, word, k = match.groups()
        source_of_document[int(j)] = source or "NA"
        token_rows.append((int(j), int(w), int(k)))
        if word_of_id.setdefault(int(w), word) != word:
            refuse(path, lineno, f"type {w} is {shown(word)}", f"{shown(word_of_id[int(w)])}, as before")
        if vocab is not None and word not in id_in_vocab:
            refuse(path, lineno, f"word {shown(word)}", f"one of the {len(vocab)} words of vocab")
        if D is not None and int(j) >= D:
            refuse(path, lineno, f"document {j}", f"one below D = {D}")
        if int(k) >= len(alpha):
            refuse(path, lineno, f"topic {k}", f"a topic below {len(alpha)}")
    j, w, z = np.array(token_rows, np.int64).reshape(-1, 3).T
    D = int(j.max(initial=-1)) + 1 if D is None else D
    W = max(word_of_id, default=-1) + 1
    check_memory(64 * max(D, W), f"the names of {D:,} documents and {W:,} words")
    if vocab is None:
        vocab = [word_of_id.get(i, f"type {i}") for i in range(W)]
    else:
        w = np.array([id_in_vocab[word_of_id[i]] for i in w.tolist()], np.int64)
    c = Corpus(j, w, np.ones(len(j), np.int64), D, len(vocab), tuple(vocab))
    return c, z.tolist(), Prior(alpha, eta[0]), source_of_document
