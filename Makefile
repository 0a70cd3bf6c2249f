# The front door: `make` alone lists what there is.
#
# Every target sets up for itself: a `.venv` with the versions in constraints.txt and the project
# in editable form; the other libraries' trainers have a `.venv-interop` of their own. `ready` in it is
# written last and holds this folder's path, so an interrupted set-up and a moved folder are both done
# again from the start, and a finished one costs nothing.

VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/ready
INTEROP := .venv-interop
DOCS    := $(VENV)/docs-ready
# Modules are compiled when they are first imported, since most of what is installed never is; and
# are kept compiled even where a machine is set not to: torch alone takes seconds to compile.
export PYTHONDONTWRITEBYTECODE :=
PIP     := -m pip install -qq --no-input --disable-pip-version-check --no-compile
# PYTHON=... names the interpreter to build them with; otherwise the first of these that is 3.11+.
PYTHON ?=
PYTHONS := $(if $(PYTHON),$(PYTHON),python3.11 python3.12 python3.13 python3.14 python3)
# One thread for each test process: the tests run side by side already.
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-interop lint bench notebooks docs clean FORCE

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1	\2/p' Makefile

setup: $(READY) ## make .venv, with the pinned versions and `rung`, and nothing else

demo: $(READY) ## train an agent at single sar and measure it on duplicate deals (about 5 minutes)
	@$(BIN)/rung demo

test: lint ## all checks: lint, types, tests
	@$(ONE_THREAD) $(BIN)/python -m pytest -n 2 --dist worksteal

test-interop: $(INTEROP)/ready ## other libraries' trainers on the environments, from notebooks/interop
	@failed=; for tests in tests/interop/test_*.py; do \
	    $(ONE_THREAD) $(INTEROP)/bin/python -m pytest $$tests || failed="$$failed $$tests"; \
	done; \
	[ -z "$$failed" ] || { echo "failed:$$failed" >&2; exit 1; }

lint: $(READY) ## style, format and types only
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/basedpyright --threads 2

# `make notebooks NOTEBOOKS=notebooks/02_your_own_bot.ipynb` for one of them.
NOTEBOOKS ?= $(wildcard notebooks/*.ipynb)
notebooks: $(READY) ## execute the notebooks in full and store them with their outputs
	@$(BIN)/python notebooks/execute.py $(NOTEBOOKS)

docs: $(DOCS) ## build the documentation, build/docs/index.html; a warning is an error
	@$(BIN)/sphinx-build -q -W --keep-going -n -c docs -d build/doctrees . build/docs
	@echo "the documentation: build/docs/index.html"

bench: $(READY) ## measure the speed of the kernel, the environments and training
	@$(BIN)/rung bench

clean: ## remove both .venv, caches and build leftovers (what is under runs/ stays)
	@rm -rf $(VENV) $(INTEROP) build dist *.egg-info .pytest_cache .ruff_cache .hypothesis .benchmarks
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A folder that was ready is brought up to date in place; any other is thrown away and made anew.
ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
$(READY): FORCE
endif
ifneq ($(shell cat $(INTEROP)/ready 2>/dev/null),$(CURDIR))
$(INTEROP)/ready: FORCE
endif
$(READY): PINS := constraints.txt
$(READY): WHAT := -e '.[dev]'
$(READY): COMPILED := import train.loop
$(INTEROP)/ready: PINS := constraints-interop.txt
$(INTEROP)/ready: WHAT := -e '.[interop]' hypothesis psutil pytest pytest-benchmark
$(READY): constraints.txt
$(INTEROP)/ready: constraints-interop.txt
$(READY) $(INTEROP)/ready: pyproject.toml
	@set -e; venv=$(@D); \
	if [ "$$(cat $@ 2>/dev/null)" = "$(CURDIR)" ] && $$venv/bin/python -c ''; then \
	    echo "set-up: bringing $$venv up to date"; rm $@; \
	else \
	    for python in $(PYTHONS) none; do \
	        $$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' \
	            2>/dev/null && break; \
	    done; \
	    if [ $$python = none ]; then \
	        echo "set-up: needs Python 3.11 or newer with its venv module (tried: $(PYTHONS));" \
	            "name one with: make PYTHON=/path/to/python3.11" >&2; exit 1; \
	    fi; \
	    echo "set-up: making $$venv with $$($$python -V), some minutes the first time"; \
	    rm -rf $$venv; $$python -m venv $$venv; \
	fi; \
	$$venv/bin/python $(PIP) -c $(PINS) pip setuptools; \
	$$venv/bin/python $(PIP) -c $(PINS) --no-build-isolation $(WHAT); \
	$$venv/bin/python -c '$(COMPILED)'; \
	echo "$(CURDIR)" > $@

# What only the documentation needs comes on top of a finished set-up.
$(DOCS): $(READY)
	@$(BIN)/python $(PIP) -c constraints.txt --no-build-isolation -e '.[docs]'
	@touch $@
