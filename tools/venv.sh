#!/usr/bin/env bash
# Makes a virtual environment, or keeps the one that is there, and installs packages into it.
#
#   tools/venv.sh FOLDER CONSTRAINTS REQUIREMENT...
#
# PYTHON names the interpreter. Nothing is needed beforehand but Python 3.11 or newer.
set -euo pipefail

venv=$1 constraints=$2
shift 2
python=${PYTHON:-python3}

die() {
    echo "error: $*" >&2
    exit 1
}

command -v "$python" >/dev/null ||
    die "there is no $python; install Python 3.11 or newer (on Debian: apt-get install python3 python3-venv)"

# The interpreter behind the name: in an activated environment, the one it was made from.
python=$("$python" -c 'import sys; print(getattr(sys, "_base_executable", sys.executable))')
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    die "$python is Python $version, and 3.11 or newer is needed; name another one: make PYTHON=/path/to/python3"

# Debian splits venv's better half off into a package of its own.
has_venv() { "$python" -c 'import ensurepip, venv' 2>/dev/null; }
if ! has_venv; then
    package=python$version-venv
    missing="$python cannot make virtual environments"
    command -v apt-get >/dev/null || die "$missing: it lacks the modules venv and ensurepip"
    [ "$(id -u)" -eq 0 ] || die "$missing; as root: apt-get install $package"
    echo "$missing; installing $package"
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes "$package" >/dev/null ||
        die "$missing, and 'apt-get install $package' failed"
    has_venv || die "$missing, even with $package"
fi

if [ "$(cat "$venv/.home" 2>/dev/null)" != "$(pwd -P)" ] || ! "$venv/bin/python" -c '' 2>/dev/null; then
    echo "Making $venv with Python $version"
    rm -rf "$venv"
    "$python" -m venv "$venv"
    pwd -P >"$venv/.home"
fi
"$venv/bin/python" -m pip install -qq --constraint "$constraints" --upgrade "$@"
