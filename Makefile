# On Windows, make needs the tools of a POSIX shell on the path (those of Git for Windows are enough).
WINDOWS := $(filter Windows_NT,$(OS))
PYTHON ?= $(if $(WINDOWS),python,python3)
VENV := .venv
BIN := $(VENV)/$(if $(WINDOWS),Scripts,bin)
# A release with a wheel, even where a newer one has only sources: nobody needs a compiler.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --prefer-binary

# Python keeps what it compiled: the tests start hundreds of processes, and each would compile again.
unexport PYTHONDONTWRITEBYTECODE

# A file's tests stay together: they share solved games.
PYTEST_PARALLEL := -n auto --dist loadfile

.DEFAULT_GOAL := help
.PHONY: help demo web test test-all lint format bench docs dist clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | \
	  while IFS='|' read -r name what; do printf '  make %-9s %s\n' "$$name" "$$what"; done

# The stamps are remade when pyproject.toml changes, so a pull that adds a dependency installs it.
$(VENV)/.base: pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 15) else "pokerlab needs Python 3.11 to 3.15; $(PYTHON) is %d.%d (choose another: make PYTHON=python3.12 ...)" % v)'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.base
	$(INSTALL) --editable '.[test]'
	@touch $@

demo: $(VENV)/.base ## Install into .venv, solve a post-flop spot and show the answer
	@mkdir -p build
	$(BIN)/pokerlab solve examples/spots/s2-turn.toml --target 0.3% -o build/demo.safetensors
	$(BIN)/pokerlab show build/demo.safetensors x --top 8
	$(BIN)/pokerlab verify build/demo.safetensors

$(VENV)/.web: $(VENV)/.base
	$(INSTALL) --editable '.[web]'
	@touch $@

web: $(VENV)/.web ## Install into .venv and open the pages over examples/spots in a browser
	@mkdir -p build/web && cp -n examples/spots/*.toml build/web/ || true
	$(BIN)/pokerlab web build/web

test: $(VENV)/.test ## Install the test extras and run the suite (all but the slow tests)
	$(BIN)/python -m pytest -m "not slow" $(PYTEST_PARALLEL)

test-all: $(VENV)/.test ## Run every test, the slow ones too
	POKERLAB_EXAMPLES=100 $(BIN)/python -m pytest $(PYTEST_PARALLEL) --cov --cov-report=term

lint: $(VENV)/.test ## Check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test ## Rewrite the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.test ## Measure every claim of the README beside its peers
	$(BIN)/python -m benchmarks

docs: $(VENV)/.test ## Build the site from docs/ and the docstrings into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "open build/site/index.html"

dist: $(VENV)/.test ## Build wheel and sdist into dist/ (the release that pyproject.toml names)
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist

clean: ## Remove .venv and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
