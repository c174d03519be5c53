# `make tour` and `make test` need Python 3.11 or later, make and git; they build .venv, once.
PYTHON ?= python3
BIN := .venv/bin

# `make test-all` is `make test` with more cases and longer studies; it also makes the oracle's vectors again.
.PHONY: tour chapters book slides test test-all release posteriordb bench scale peers wild figures clean

tour: .venv/tour.stamp
	$(BIN)/lda-reference tour --out tour

# Runs every chapter, or with `make chapters ARGS=08` one of them, and keeps the outputs.
chapters: .venv/chapters.stamp
	$(BIN)/python chapters/book.py run $(ARGS)

# Builds the book's site, book/index.html, from the chapters' outputs as they are.
book: .venv/chapters.stamp
	$(BIN)/python chapters/book.py html book

# Builds the slides of the five lectures, slides/lecture-1.html and so on, from the chapters' cells as they are.
slides: .venv/chapters.stamp
	$(BIN)/python chapters/slides.py slides

# One process of pytest for each core, and one thread in each: more threads would wait for one another.
test: export OPENBLAS_NUM_THREADS = 1
test: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses auto --dist worksteal --durations=10

test-all: export LDA_TEST_ALL = 1
test-all: test

# Builds dist/, tries the wheel on each Python that is found, and prints what is missing before it can be published.
release: .venv/test.stamp
	$(BIN)/python -m tests.release

# Reference posteriors in posteriordb's format, dist/posteriordb/: of three_docs1200-ldaK2 and, from the folder DATA, which
# is posteriordb's posterior_database/data/data, of the others whose chains mix. figures/peers/posteriordb/README.md.
posteriordb: .venv/test.stamp
	$(BIN)/python -m tests.certify.posteriordb $(DATA) $(ARGS)

# Other packages take part if they are there: .venv/bin/pip install -e ".[peers]".
bench: .venv/tour.stamp
	$(BIN)/python -m figures.peers.benchmark $(ARGS)

scale: .venv/tour.stamp
	$(BIN)/python -m figures.peers.benchmark million-20 million-200 ten-million-20

# Which numbers of other programs are the oracle's: figures/CONFORMANCE.md. scikit-learn, gensim, tomotopy and lda are
# installed in the versions of pyproject.toml; other packages take part if they are in .venv, and the programs that
# figures/peers/build.sh builds in the folder PEERS. ARGS may be names of programs. What is not asked is carried over.
peers: .venv/peers.stamp
	$(if $(PEERS),PEERS=$(PEERS) )$(BIN)/python -m figures.peers.conformance $(ARGS)

# Public implementations, asked the oracle's questions: figures/WILD.md. CHECKOUTS is a folder of them, and pyspark takes
# part if it is in .venv. What is not there is carried over from figures/wild/wild.csv. All of them take some ten minutes.
wild: .venv/peers.stamp
	$(BIN)/python -m figures.wild.runs $(if $(CHECKOUTS),--checkouts $(CHECKOUTS))

# The papers' figures and tables, and the ledger of their claims. `make figures ARGS=--quick` takes minutes and writes
# to figures/quick; a full run takes hours, keeps what is done, and can be interrupted. Corpora are read from LDA_DATA.
figures: ROOMS = search tnw06 awst09 sol14 sn12 boo16 evidence priors
figures: .venv/chapters.stamp
	$(BIN)/python chapters/tour.py
	for script in pages.opening $(ROOMS:=.runs) ledger; do $(BIN)/python -m figures.$$script $(ARGS) || exit 1; done

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or later is needed, this is " + sys.version)'
	$(PYTHON) -m venv .venv

.venv/tour.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[plot,progress]'
	touch $@

.venv/chapters.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[chapters]'
	touch $@ .venv/tour.stamp

.venv/test.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ .venv/chapters.stamp .venv/tour.stamp

.venv/peers.stamp: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[plot,progress,peers]'
	touch $@ .venv/tour.stamp

clean:
	rm -rf .venv tour book slides
