# boundlab: `make report` and `make test` are the two commands; `make help` names the rest.
# Everything runs in a relative .venv of its own, whatever environment is active outside.

.PHONY: report test lint doctests unit bench notebooks warm weights clean help environment
.DEFAULT_GOAL := help

unexport VIRTUAL_ENV PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX

TORCH ?= 1
EFFORT ?= quick
comma := ,
EXTRAS := dev,data,cluster,notebooks$(if $(filter 0,$(TORCH)),,$(comma)neural)
PY := .venv/bin/python
STAMP := .venv/installed-torch$(TORCH)
CODE := algos learning_augmented proofs_checks
ALL_CODE := $(CODE) tests benchmarks conftest.py

report: environment ## every claim on real and synthetic inputs; writes build/report/index.html
	$(PY) -m proofs_checks.cli validate --effort $(EFFORT) --mutants --out build/report

test: lint doctests unit ## lint, types, doctests and the whole test suite

lint: environment ## ruff, mypy, numpydoc, import-linter
	$(PY) -m ruff format --check $(ALL_CODE)
	$(PY) -m ruff check $(ALL_CODE)
	$(PY) -m mypy
	$(PY) -m numpydoc lint $$(find $(CODE) -name '*.py' ! -name '__init__.py' ! -path '*/claims/*')
	$(PY) -c 'from importlinter.cli import lint_imports_command; lint_imports_command()'

doctests: warm
	$(PY) -m pytest -q --doctest-modules $(CODE)

unit: warm
	$(PY) -m pytest -n 2 --dist loadfile -m "not peer"

bench: warm ## ours against the best peer, in the same run, as ratios
	for file in benchmarks/*.py; do case $$file in */measure.py) ;; *) $(PY) -m benchmarks.$$(basename $$file .py) || exit 1;; esac; done

notebooks: warm ## execute every notebook in place
	$(PY) -m jupyter execute --inplace notebooks/*.ipynb

warm: environment ## compile every kernel once
	@$(PY) -m proofs_checks.cli warm

weights: environment ## retrain the small models that ship
	@echo "No trained model ships yet: there is nothing to retrain."

clean: ## remove the environment and everything that was built
	rm -rf .venv build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

environment: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@python=; for candidate in $${PYTHON:-} python3 python3.13 python3.12 python3.11 python; do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then python=$$candidate; break; fi; done; \
	if [ -z "$$python" ]; then echo "boundlab needs Python 3.11 or newer; none was found. Name one: make PYTHON=/path/to/python3.12" >&2; exit 1; fi; \
	if ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then echo "$$python lacks the venv module (on Debian: apt-get install python3-venv)" >&2; exit 1; fi; \
	if ! .venv/bin/python -c 'import pip' 2>/dev/null; then rm -rf .venv && "$$python" -m venv .venv; fi
	$(PY) -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"
	$(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable ".[$(EXTRAS)]"
	@touch $(STAMP)
