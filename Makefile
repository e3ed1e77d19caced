# One command each, on a fresh clone with nothing but Python 3.11 or newer, pip, git and make.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo demo-aws test test-all test-release fuzz operate lint bench lambda docs release-check browser setup clean

demo: .venv/.installed ## a folder's sitemaps: built, kept right, asked about; and the report
	@$(BIN)/python examples/demo.py

demo-aws: .venv/.installed .venv/.demo ## the same for a bucket: deploys the function to an emulated AWS
	@$(BIN)/python examples/demo_bucket.py

# Where this is set, each run of the tests compiles all of them again, and each process that they start what it imports.
export PYTHONDONTWRITEBYTECODE :=

test: .venv/.test ## the tests that need nothing but Python, pip, git and make
	@echo "Running the tests, except those marked slow (make test-all runs them). This takes two to four minutes."
	@$(BIN)/pytest -rs -m "not slow" tests/unit tests/integration

test-all: test .venv/.test-all ## also the tests that take long, or need a browser, an emulator or another program
	@echo "Running the tests that are marked slow, and those of Hypothesis with more examples."
	@echo "This takes five to ten minutes."
	@$(BIN)/pytest -rs -m "(slow or hypothesis) and not release" --hypothesis-profile=thorough
	@echo "Running the tests of S3 and of the function with boto3 $(OLDEST_BOTO3), the oldest supported one."
	@PYTHONPATH=.venv/oldest-boto3 $(BIN)/python -c "import boto3, sys; sys.exit(boto3.__version__ != '$(OLDEST_BOTO3)')"
	@PYTHONPATH=.venv/oldest-boto3 $(BIN)/pytest -m "not slow" tests/unit/aws tests/unit/files \
		tests/integration/test_bucket.py tests/integration/test_function.py tests/integration/test_least_privilege.py

test-release: test-all ## all tests, also those that take minutes, before a release
	@$(BIN)/pytest -rs -m release

RUNS ?= 200000
fuzz: .venv/.dev ## throw bytes at the readers of sitemaps, sites and settings: RUNS=200000 of them at each
	$(BIN)/python tests/fuzz/fuzz_validate.py -runs=$(RUNS)
	$(BIN)/python tests/fuzz/fuzz_site.py -runs=$(RUNS)
	$(BIN)/python tests/fuzz/fuzz_settings.py -runs=$(RUNS)

operate: .venv/.test .venv/.demo ## a deployed stack in operation: clients, damage, failures, and what an operator sees
	@cd tests && ../$(BIN)/python -u -m operate

lint: .venv/.dev ## style, types, the order of the packages, the documentation, the Action and the workflows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy examples/demo.py docs/generate.py docs/recipes.py docs/schemas.py docs/settings_schema.py docs/screenshot.py docs/site_hooks.py action/main.py
	$(BIN)/mypy examples/demo_bucket.py lambda/handler.py lambda/package.py
	cd tests && ../$(BIN)/mypy --config-file ../pyproject.toml .
	cd release && ../$(BIN)/mypy --config-file ../pyproject.toml .
	cd benchmarks && ../$(BIN)/mypy --config-file ../pyproject.toml .
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n 0 tests/lint
	$(BIN)/zizmor --offline --quiet .github action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/bug.yml \
		.github/ISSUE_TEMPLATE/feature.yml
	$(BIN)/jactionlint --shellcheck= .github/workflows/*.yml

bench: .venv/.test ## measure speed and memory; results go to benchmarks/results
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/render.py
	$(BIN)/python benchmarks/validate.py
	$(BIN)/python benchmarks/build.py
	$(BIN)/python benchmarks/action_install.py
	$(BIN)/python benchmarks/cold.py

LAMBDA_PYTHON ?= 3.13
lambda: .venv/.installed ## build the function's package; ADD="waypost.toml templates" puts those beside it
	$(BIN)/python lambda/package.py --python $(LAMBDA_PYTHON) $(foreach path,$(ADD),--add $(path))

docs: .venv/.dev ## build the documentation as a site in build/docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

release-check: .venv/.test .venv/.demo ## rehearse a release: build it twice, compare the bytes, install and run it elsewhere
	@$(BIN)/python release/check.py

setup: .venv/.demo .venv/.test-all ## install what the other targets need

.venv/.installed: pyproject.toml
	@echo "Installing Waypost into .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) install --editable .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/.test: .venv/.installed requirements-test.txt action/requirements.txt lambda/requirements.txt
	@echo "Installing the packages of requirements-test.txt into .venv (about 30 MB)"
	@$(PIP) install --requirement requirements-test.txt
	@echo "Downloading the wheels of the Action and of the Lambda function into .venv/action-wheels (about 20 MB)"
	@$(WHEELS)
	@for processor in x86_64 aarch64; do \
		$(WHEELS) --implementation cp --platform manylinux2014_$$processor --platform manylinux_2_28_$$processor || exit; \
	done
	@touch $@
WHEELS = $(PIP) download --no-deps --require-hashes --only-binary :all: --dest .venv/action-wheels \
	--requirement action/requirements.txt --requirement lambda/requirements.txt

.venv/.dev: .venv/.test requirements-dev.txt requirements-docs.txt
	@echo "Installing the packages of requirements-dev.txt and requirements-docs.txt into .venv (about 180 MB)"
	@$(PIP) install --requirement requirements-dev.txt --requirement requirements-docs.txt
	@touch $@

# A proxy that inspects TLS has a certificate of its own. pip finds it; uv must be told where it is.
export UV_SYSTEM_CERTS := 1
export UV_NATIVE_TLS := 1
OWN_CERTIFICATES = $(firstword $(wildcard $(SSL_CERT_FILE) $(REQUESTS_CA_BUNDLE) $(PIP_CERT) \
	$(shell $(BIN)/python -m pip config list | sed -n "s/^.*\.cert='\(.*\)'$$/\1/p")))
UV = $(addprefix SSL_CERT_FILE=,$(OWN_CERTIFICATES)) $(BIN)/uv

.venv/.demo: .venv/.installed requirements-aws.txt requirements-demo.txt
	@echo "Installing MiniStack, an emulator of AWS, and the AWS CLI into .venv/aws (about 60 MB)"
	@$(PIP) install --requirement requirements-demo.txt
	@test -x .venv/aws/bin/python || $(BIN)/python -m venv .venv/aws
	@$(UV) pip install --quiet --compile-bytecode --python .venv/aws/bin/python --constraint requirements-aws.txt \
		ministack aws-sam-translator awscli
	@touch $@

BROWSER := $(firstword $(wildcard /usr/bin/chromium-headless-shell /usr/bin/chromium /usr/bin/google-chrome) browser)
SUDO := $(shell test "$$(id -u)" = 0 || echo sudo)
APT := $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3
browser: ## install Debian's Chromium for the tests of pages, unless there is a Chromium, or no apt
	@test -x "$(BROWSER)" || ! command -v apt-get >/dev/null || { \
		echo "Installing chromium-headless-shell and fonts-dejavu-core on this system by apt-get, for the tests of pages"; \
		$(APT) update && $(APT) install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core; }

OLDEST_BOTO3 := 1.36.0
.venv/.test-all: .venv/.dev .venv/.demo requirements-aws.txt
	@$(MAKE) --no-print-directory browser
	@echo "Installing the packages of requirements-aws.txt into .venv/aws (about 300 MB)"
	@$(UV) pip install --quiet --compile-bytecode --python .venv/aws/bin/python --requirement requirements-aws.txt
	@$(UV) pip install --quiet --target .venv/oldest-boto3 boto3==$(OLDEST_BOTO3) botocore==$(OLDEST_BOTO3)
	@$(UV) pip install --quiet --target .venv/generators/newest mkdocs==1.6.1 sphinx==9.0.4
	@$(UV) pip install --quiet --target .venv/generators/oldest mkdocs==1.4.2 sphinx==6.2.1
	@touch $@

clean:
	rm -rf .venv build dist
