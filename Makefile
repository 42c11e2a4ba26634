# Everything a checkout needs. `make help` lists the targets.
#
# One environment, .venv, grows with what is asked of it: `make demo` needs the arena, `make test`
# the development tools too. Stamp files inside it say what it holds, so a second run is instant.

PYTHON ?= python3
JOBS ?= 2
ARGS ?=

BIN := .venv/bin
PIP_INSTALL := $(BIN)/python -m pip install -qq --constraint constraints.txt --no-build-isolation
SOURCES := bench sdk arena sample_bots tests tools

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_USER := 0

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

# Scripts in a virtual environment hold its absolute path: one that was copied or moved is made anew.
ifneq "$(shell cat .venv/.home 2>/dev/null)" "$(CURDIR)"
.venv/.stamp-base: FORCE
endif

# The tools that build come first: trueskill is published as source only, and with the packages of
# the constraints file in place its build, like everything else, is the same everywhere.
.venv/.stamp-base: constraints.txt tools/venv.sh
	@tools/venv.sh .venv constraints.txt pip setuptools hatchling editables
	@touch $@

.venv/.stamp-arena: .venv/.stamp-base pyproject.toml
	@echo "Installing the arena into .venv"
	@$(PIP_INSTALL) --editable '.[arena]'
	@touch $@

.venv/.stamp-dev: .venv/.stamp-base pyproject.toml
	@echo "Installing the arena and the development tools into .venv"
	@$(PIP_INSTALL) --editable '.[arena,dev]'
	@touch .venv/.stamp-arena $@

.venv-proto/.stamp: constraints-proto.txt tools/venv.sh
	@tools/venv.sh .venv-proto constraints-proto.txt pip setuptools grpcio-tools
	@touch $@

NODE_BOT := sample_bots/node

$(NODE_BOT)/node_modules/.package-lock.json: $(NODE_BOT)/package-lock.json
	cd $(NODE_BOT) && npm ci
	@touch $@

PAGE_CHECKS := tests/web

$(PAGE_CHECKS)/node_modules/.package-lock.json: $(PAGE_CHECKS)/package-lock.json
	cd $(PAGE_CHECKS) && npm ci
	@touch $@

.PHONY: help install demo test node-bot page-checks check lint types imports proto-check constraints-check style format
.PHONY: messages messages-check pictures proto golden mutants simulate twins constraints clean FORCE

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-18s %s\n", $$1, $$2}' Makefile

install: .venv/.stamp-arena ## Make the environment: the command is .venv/bin/sixtysix.

demo: .venv/.stamp-arena ## Play a small tournament between house bots and show the board.
	@$(BIN)/sixtysix demo $(ARGS)

# Tests that measure time have the machine to themselves; 5 is pytest's code for "no such test".
test: .venv/.stamp-dev ## Run all tests. ARGS go to pytest, JOBS is the number of processes.
	$(BIN)/python -m pytest --quiet -m alone $(ARGS) || [ $$? -eq 5 ]
	$(BIN)/python -m pytest -m "not alone" --numprocesses $(JOBS) --dist worksteal $(ARGS)

node-bot: $(NODE_BOT)/node_modules/.package-lock.json ## Build the sample bot in TypeScript, and run its own tests.
	cd $(NODE_BOT) && npm run build && npm test

page-checks: .venv/.stamp-dev $(PAGE_CHECKS)/node_modules/.package-lock.json ## Look at the pages in a browser, Debian's chromium.
	$(BIN)/python -m pytest tests/e2e/test_pages_in_a_browser.py tests/e2e/test_room_on_pages.py \
		tests/e2e/test_games_so_far_in_a_browser.py $(ARGS)

check: lint types imports proto-check constraints-check messages-check style ## Check everything that is not behaviour.

lint: .venv/.stamp-dev ## Check with ruff, rules and format.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.stamp-dev ## Check types with mypy.
	$(BIN)/mypy $(SOURCES)

imports: .venv/.stamp-dev ## Check which package may import which.
	$(BIN)/lint-imports --no-cache

proto-check: .venv/.stamp-dev .venv-proto/.stamp ## Check the protocol and that its generated code is up to date.
	tools/proto.sh check

constraints-check: .venv/.stamp-dev ## Check that constraints.txt pins all that is installed.
	$(BIN)/python tools/constraints.py check

messages-check: .venv/.stamp-dev ## Check that every text of the pages is translated.
	$(BIN)/python tools/messages.py check

style: .venv/.stamp-dev ## Run the style tests and the examples in the documents.
	$(BIN)/python -m pytest --quiet tests/style

format: .venv/.stamp-dev ## Put the sources in order.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/buf format --write

proto: .venv-proto/.stamp ## Generate the code in sdk/sixtysix/v1 from proto/.
	tools/proto.sh generate sdk

simulate: .venv/.stamp-dev ## Simulate tournaments in which things go wrong. ARGS="--seeds 0-9999", or "--seed 17" for one.
	$(BIN)/python tools/simulate.py --processes $(JOBS) $(ARGS)

mutants: .venv/.stamp-dev ## Break the core in many small ways; each has to be noticed.
	$(BIN)/python tools/mutants.py

messages: .venv/.stamp-dev ## Bring the translations of the pages up to date with their templates.
	$(BIN)/python tools/messages.py update

pictures: .venv/.stamp-dev ## Take the pictures of the README anew, from what `make demo` left.
	$(BIN)/python tools/screenshots.py $(ARGS)

twins: .venv/.stamp-dev ## Compare what seats see in twin worlds, which differ in hidden cards alone.
	@$(BIN)/python tools/twins.py $(ARGS)

golden: .venv/.stamp-dev ## Write the files in tests/golden anew.
	$(BIN)/python -m pytest --quiet --update-golden $$(grep -rlw --include='test_*.py' golden tests)
	@git status --short tests/golden

constraints: ## Pin the newest versions that pyproject.toml allows.
	rm -rf .venv-constraints
	tools/venv.sh .venv-constraints /dev/null pip setuptools hatchling editables
	.venv-constraints/bin/python -m pip install -qq --no-build-isolation --editable '.[arena,dev]'
	.venv-constraints/bin/python tools/constraints.py write
	rm -rf .venv-constraints

clean: ## Remove environments, caches and the demo's data; leave tournaments alone.
	rm -rf .venv .venv-proto .venv-constraints build dist sixtysix-demo
	rm -rf $(NODE_BOT)/node_modules $(NODE_BOT)/dist $(PAGE_CHECKS)/node_modules
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find $(SOURCES) -name __pycache__ -type d -prune -exec rm -rf {} +
