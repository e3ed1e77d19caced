#!/usr/bin/env bash
# Finds a Python of version 3.11 or newer that has pip, installs the locked requirements once per job, and runs main.py.
# Each version of the requirements and of Python has its own folder of packages.
#
# The working folder holds files that are not trusted. So each Python runs isolated (-I): it imports nothing from there,
# and nothing from folders that variables name. Only main.py gets the inputs and the token.
set -euo pipefail

inputs=${WAYPOST_INPUTS:-}
token=${WAYPOST_GITHUB_TOKEN:-}
unset WAYPOST_INPUTS WAYPOST_GITHUB_TOKEN

is_suitable() {
  command -v "$1" >/dev/null 2>&1 &&
    "$1" -I -c 'import importlib.util, sys; sys.exit(sys.version_info < (3, 11) or not importlib.util.find_spec("pip"))' 2>/dev/null
}

find_python() {
  local candidate
  for candidate in python3 python python3.14 python3.13 python3.12 python3.11 \
    "${RUNNER_TOOL_CACHE:-/nowhere}"/Python/3.1[1-9]*/*/bin/python3 "${RUNNER_TOOL_CACHE:-/nowhere}"/Python/3.1[1-9]*/*/python.exe; do
    if is_suitable "$candidate"; then
      echo "$candidate"
      return
    fi
  done
  echo "::error title=Waypost::this runner has no Python 3.11 or newer with pip; put actions/setup-python before this step" >&2
  return 3
}

action=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=$(find_python)
key=$("$python" -I -c 'import hashlib, sys; print(sys.implementation.cache_tag, hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest()[:16], sep="-")' "$action/requirements.txt")
packages="${RUNNER_TEMP:-$(mktemp -d)}/waypost-packages-$key"
if [ ! -e "$packages/.complete" ]; then
  "$python" -I -m pip install --quiet --disable-pip-version-check --no-input --no-compile --no-deps \
    --require-hashes --only-binary :all: --upgrade --target "$packages" --requirement "$action/requirements.txt"
  touch "$packages/.complete"
fi
WAYPOST_INPUTS=$inputs WAYPOST_GITHUB_TOKEN=$token exec "$python" -I -B -X utf8 "$action/main.py" "$packages"
