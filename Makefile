# Two commands: `make serve` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
ARGS ?=

.PHONY: serve cluster test chaos check format sim bench balance lock clean

serve: .venv/ready-to-serve
	$(BIN)/ledgertop serve $(ARGS)

# Two HTTP processes, two workers and two projectors on one PostgreSQL (LEDGERTOP_DATABASE_URL, else one from a wheel) and
# one Valkey (REDIS_URL, else an embedded one), on free ports; a line for each says where it listens.
cluster: .venv/ready-to-test
	$(BIN)/python -m tests.cluster $(ARGS)

# Browser, compose and flush checks run where chromium, docker-compose and strace are installed; what was left out
# is printed.
test: .venv/ready-to-test
	$(BIN)/python -m pytest $(ARGS)

# The faults of docs/faults.md in their long form: hundreds of kills, minutes without Redis, long quarrels between
# processes. Takes about an hour.
chaos: .venv/ready-to-test
	LEDGERTOP_CHAOS=1 $(BIN)/python -m pytest tests/faults tests/cluster $(ARGS)

check: .venv/ready-to-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready-to-test
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

# The service in a world of faults, one thread and one seed a run: `make sim ARGS="--seed 7 --steps 2000 --trace"`.
sim: .venv/ready-to-test
	$(BIN)/python -m tests.simulation $(ARGS)

# Figures and ratios, compared within one run.
bench: .venv/ready-to-test
	$(BIN)/python -m benchmarks $(ARGS)

# Whether every faction and seat has its chance, with confidence intervals; fails if a goal is clearly missed.
balance: .venv/ready-to-test
	$(BIN)/python -m benchmarks.balance $(ARGS)

# Pin every dependency with its hashes, without addresses. Needs uv.
lock:
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet --upgrade \
		--extra build --extra dev pyproject.toml -o requirements/dev.txt
	uv pip compile --universal --generate-hashes --no-emit-index-url --no-header --quiet \
		--extra build -c requirements/dev.txt pyproject.toml -o requirements/serve.txt

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ledgertop needs Python 3.11 or newer; set PYTHON=")'
	$(PYTHON) -m venv .venv

.venv/ready-to-serve: requirements/serve.txt pyproject.toml | .venv/bin/python
	$(PIP) --require-hashes -r requirements/serve.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

.venv/ready-to-test: requirements/dev.txt pyproject.toml | .venv/bin/python
	$(PIP) --require-hashes -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@ .venv/ready-to-serve

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis test-output
