# `make demo` and `make test` need Python 3.11 or later and make; they install the rest into .venv, once.
PYTHON ?= python3
# Arguments for pytest: one worker a core, a test file to a worker.
PYTEST_ARGS ?= -n auto --dist loadfile

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input install --quiet -c constraints.txt

.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help demo test test-all check format-check lint types proto-lint generated-check format proto docs test-pythons clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

demo: $(VENV)/.installed-run ## small cups of the sample bots in both games, ladders printed
	$(VENV)/bin/cardarena demo

test: $(VENV)/.installed-test ## the tests, without the long and wide ones
	$(PY) -m pytest $(PYTEST_ARGS)

test-all: $(VENV)/.installed-dev ## every test
	$(PY) -m pytest $(PYTEST_ARGS) -m ""

check: format-check lint types proto-lint generated-check ## format, lint, types, protocol; changes nothing

format-check: $(VENV)/.installed-dev
	$(PY) -m ruff format --check --quiet .

lint: $(VENV)/.installed-dev
	$(PY) -m ruff check --quiet .

types: $(VENV)/.installed-dev
	$(PY) -m mypy
	@for folder in $(sort $(dir $(wildcard sample_bots/*/*.py))); do \
		MYPYPATH=$$folder $(PY) -m mypy $$folder || exit 1; \
	done

proto-lint: $(VENV)/.installed-dev
	$(VENV)/bin/buf lint

generated-check: $(VENV)/.installed-dev
	$(PY) -m pytest -q tests/test_generated.py

format: $(VENV)/.installed-dev ## format the code and apply the safe lint fixes
	$(PY) -m ruff check --fix --quiet .
	$(PY) -m ruff format --quiet .

proto: $(VENV)/.installed-dev ## make harness/wire/arena_pb2.py and .pyi from the protocol
	$(PY) protos/generate.py

docs: $(VENV)/.installed-test ## write the generated parts of docs/: architecture.md, the schemas of the two files
	$(PY) -m tests.architecture_page
	$(PY) -m tests.schema_files

test-pythons: ## the quick tests on every Python from 3.11 to 3.13 that is here
	.ci/pythons

clean: ## remove the installation and every cache
	rm -rf $(VENV) .venv-3.* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find harness ladder sample_bots tests -name __pycache__ -prune -exec rm -rf {} +

# The environment. A stamp says what is installed, so that a second call does nothing and needs no network.
$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'cardarena needs Python 3.11 or later as "$(PYTHON)"; name another: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo '"$(PYTHON)" cannot make virtual environments: sudo apt-get install python3-venv' >&2; exit 1; }
	@$(PY) -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@touch $@

# hatchling first: with the build backend in place pip needs no isolated environment, and so no network, to build.
$(VENV)/.installed-run $(VENV)/.installed-test $(VENV)/.installed-dev: $(VENV)/.installed-%: $(VENV)/.made pyproject.toml constraints.txt
	@echo 'Installing cardarena ($*) into $(VENV): a minute or so, once.' >&2
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable '.$(if $(filter run,$*),,[$*])'
	@touch $@ $(if $(filter dev,$*),$(VENV)/.installed-test) $(if $(filter run,$*),,$(VENV)/.installed-run)
