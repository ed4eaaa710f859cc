# Sourced by the scripts beside it: finds a Python, keeps .venv up to date.
#
# The environment is made once; a stamp (what pyproject.toml asks for, and where
# the project lies) tells whether it still fits, so later runs need no network.
# shellcheck shell=sh

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
venv=${CRAPETTE_VENV:-$root/.venv}

say() { printf '%s\n' "$*" >&2; }

# A usable Python: 3.11 or newer, able to make virtual environments. Names are
# tried by running them: a pyenv shim exists even where its Python does not.
find_python() {
    for name in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 \
        python3.14 python py; do
        [ -n "$name" ] || continue
        if "$name" -c 'import sys
sys.version_info >= (3, 11) or sys.exit(1)
import ensurepip, venv' </dev/null >/dev/null 2>&1; then
            printf '%s\n' "$name"
            return 0
        fi
    done
    say 'No Python 3.11 or newer that can make virtual environments was found.'
    say 'Install one (Debian, Ubuntu: apt install python3 python3-venv), or name'
    say 'it:  PYTHON=/path/to/python3 '"$0"
    return 1
}

venv_python() {
    if [ -x "$venv/bin/python" ]; then
        printf '%s\n' "$venv/bin/python"
    else
        printf '%s\n' "$venv/Scripts/python.exe" # Windows, from git-bash
    fi
}

# What is asked for: the project's own tables, not the settings of the tools.
wanted_stamp() {
    "$1" -c 'import hashlib, sys, tomllib
with open(sys.argv[1], "rb") as file:
    tables = tomllib.load(file)
asked = repr((tables["build-system"], tables["project"], sys.argv[2:]))
print(hashlib.sha256(asked.encode()).hexdigest())' \
        "$root/pyproject.toml" "$root" "$2"
}

stamp_of() { printf '%s\n' "$venv/installed${1:+-$1}"; }

# is_installed EXTRA: whether the environment holds what is asked for now.
is_installed() {
    [ -f "$(stamp_of "$1")" ] &&
        [ "$(cat "$(stamp_of "$1")")" = "$(wanted_stamp "$python" "$1")" ]
}

# ensure_environment [EXTRA]: leaves the environment's Python in $python.
ensure_environment() {
    extra=${1:-}
    python=$(venv_python)
    if ! "$python" -c 'import pip' </dev/null >/dev/null 2>&1; then
        maker=$(find_python) || exit 2
        say "Making a virtual environment in $venv"
        rm -rf "$venv"
        "$maker" -m venv "$venv" </dev/null
        python=$(venv_python)
    fi
    if ! is_installed "$extra" && ! is_installed dev; then
        say "Installing crapette-p2p${extra:+ with what its checks need} (once)"
        if ! "$python" -m pip install --quiet --disable-pip-version-check \
            --no-compile --editable "$root${extra:+[$extra]}" </dev/null >&2; then
            say 'The installation failed; it needs the network the first time.'
            exit 2
        fi
        # As pip would, but on every core.
        "$python" -m compileall -q -j 0 "$venv/lib" </dev/null >/dev/null 2>&1 || :
        wanted_stamp "$python" "$extra" >"$(stamp_of "$extra")"
    fi
    compile_package
}

# What pip does to a package that it copies, and cannot do to one that stays where
# it is: without it, and where Python is told to write no bytecode
# (PYTHONDONTWRITEBYTECODE), every start would compile everything again.
compile_package() {
    "$python" -m compileall -q "$root/crapette_p2p" </dev/null >/dev/null 2>&1 || :
}

# compile_tests: once by one process instead of by each worker, beside what else is at
# work; pytest keeps tests compiled in a way of its own, so compileall is no help.
compile_tests() {
    [ -z "$(find "$root/tests" -name 'conftest*-pytest-*.pyc' 2>/dev/null)" ] || return 0
    PYTHONDONTWRITEBYTECODE='' "$python" -m pytest --collect-only -qq \
        -p no:cacheprovider </dev/null >/dev/null 2>&1 || :
}

# memory_for_files: temporary files in memory, where there is enough of it that
# also runs programs. Tests write and fsync small files by the thousand, and the
# promises about a disk that fails are tested with one that fails on purpose.
memory_for_files() {
    [ -z "${TMPDIR:-}" ] && [ -d /dev/shm ] && [ -w /dev/shm ] || return 0
    free=$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')
    [ "${free:-0}" -ge 2000000 ] || return 0
    folder=$(mktemp -d /dev/shm/crapette.XXXXXX) || return 0
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' HUP INT TERM
    printf '#!/bin/sh\n' >"$folder/try" && chmod +x "$folder/try"
    if "$folder/try" 2>/dev/null; then
        export TMPDIR="$folder"
    fi
}
