# One command each, on a fresh clone with nothing but Python 3.11 or newer, pip, git and make.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench lambda browser setup clean

demo: .venv/.installed .venv/.demo ## a folder's sitemaps, then a bucket's: built, kept right, asked about
	@$(BIN)/python examples/demo.py
	@$(BIN)/python examples/demo_bucket.py

test: .venv/.ready ## run every test
	$(BIN)/pytest

lint: .venv/.ready ## style, types, the layers of the house, the Action and the workflows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy examples/demo.py docs/generate.py action/main.py
	$(BIN)/mypy examples/demo_bucket.py lambda/handler.py lambda/package.py infra/state_machine.py
	cd tests && ../$(BIN)/mypy --config-file ../pyproject.toml .
	cd benchmarks && ../$(BIN)/mypy --config-file ../pyproject.toml .
	$(BIN)/lint-imports
	$(BIN)/zizmor --offline --quiet .github/workflows action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/jactionlint --shellcheck= .github/workflows/*.yml

bench: .venv/.ready ## measure speed and memory; results go to benchmarks/results
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/render.py
	$(BIN)/python benchmarks/validate.py
	$(BIN)/python benchmarks/build.py
	$(BIN)/python benchmarks/action_install.py
	$(BIN)/python benchmarks/cold.py

LAMBDA_PYTHON ?= 3.13
lambda: .venv/.installed ## build the function's package; ADD="waypost.toml templates" puts those beside it
	$(BIN)/python lambda/package.py --python $(LAMBDA_PYTHON) $(foreach path,$(ADD),--add $(path))

setup: .venv/.ready ## install what the other targets need

.venv/.installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	$(BIN)/python -m compileall -q src
	touch $@

.venv/.demo: .venv/.installed requirements-aws.txt
	test -x .venv/aws/bin/python || $(BIN)/python -m venv .venv/aws
	$(BIN)/python -m pip install --quiet --disable-pip-version-check boto3 uv
	$(BIN)/uv pip install --quiet --compile-bytecode --python .venv/aws/bin/python --constraint requirements-aws.txt \
		ministack aws-sam-translator awscli
	touch $@

BROWSER := $(firstword $(wildcard /usr/bin/chromium-headless-shell /usr/bin/chromium /usr/bin/google-chrome) browser)
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
browser: ## Debian's Chromium, for the tests of pages; where there is one, or no apt, nothing is done
	test -x "$(BROWSER)" || ! command -v apt-get || { $(SUDO) apt-get update -qq -o Acquire::Retries=3 && \
		$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Acquire::Retries=3 --no-install-recommends \
		chromium-headless-shell fonts-dejavu-core; }

# What it needs itself, as it was on that day.
ASL_VALIDATOR := asl-validator@4.0.0 --before 2026-11-01
.venv/.ready: .venv/.installed requirements-dev.txt requirements-aws.txt action/requirements.txt
	$(MAKE) browser
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.txt
	$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
		--dest .venv/action-wheels --requirement action/requirements.txt
	for processor in x86_64 aarch64; do \
		$(BIN)/python -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
			--implementation cp --platform manylinux2014_$$processor --platform manylinux_2_28_$$processor \
			--dest .venv/action-wheels --requirement action/requirements.txt || exit; \
	done
	test -x .venv/aws/bin/python || $(BIN)/python -m venv .venv/aws
	$(BIN)/uv pip install --quiet --compile-bytecode --python .venv/aws/bin/python --requirement requirements-aws.txt
	.venv/aws/bin/npm install --prefix .venv/aws/asl --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
		--loglevel=error $(ASL_VALIDATOR) >/dev/null
	touch $@

clean:
	rm -rf .venv build dist
