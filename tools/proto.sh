#!/usr/bin/env bash
# The protocol and the code made from it.
#
#   tools/proto.sh generate FOLDER    write sixtysix/v1/*_pb2* below FOLDER
#   tools/proto.sh check              lint the protocol, compare it with the last release, and
#                                     compare the committed code with what the protocol gives
set -euo pipefail
cd "$(dirname "$0")/.."

generate() {
    local out=$1
    rm -f "$out"/sixtysix/v1/*_pb2.py "$out"/sixtysix/v1/*_pb2.pyi "$out"/sixtysix/v1/*_pb2_grpc.py
    .venv-proto/bin/python -m grpc_tools.protoc -Iproto \
        --python_out="$out" --pyi_out="$out" --grpc_python_out="$out" proto/sixtysix/v1/*.proto
    # A file without a service gets a stub file all the same, with nothing in it.
    local proto name
    for proto in proto/sixtysix/v1/*.proto; do
        name=$(basename "$proto" .proto)
        grep -q '^service ' "$proto" || rm "$out/sixtysix/v1/${name}_pb2_grpc.py"
    done
}

lint() {
    .venv/bin/buf lint
    .venv/bin/buf format --diff --exit-code ||
        { echo "error: the protocol is not in buf's format: run 'make format'." >&2; return 1; }
}

# Releases are what other people's bots were built against; between releases the protocol may change.
breaking() {
    local release
    if ! release=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
        echo "proto: no release yet, so nothing that could break"
        return
    fi
    .venv/bin/buf breaking --against ".git#tag=$release" ||
        { echo "error: the protocol breaks what release $release promised." >&2; return 1; }
    echo "proto: nothing breaks release $release"
}

compare() {
    local out
    out=$(mktemp -d)
    trap 'rm -rf "$out"' RETURN
    mkdir -p "$out/sixtysix/v1"
    generate "$out"
    diff --recursive --brief --exclude=__init__.py --exclude=__pycache__ "$out/sixtysix/v1" sdk/sixtysix/v1 ||
        { echo "error: sdk/sixtysix/v1 is not what proto/ gives: run 'make proto' and commit the result." >&2; return 1; }
    echo "proto: the generated code is up to date"
}

case "${1-} ${2-}" in
"generate "?*) generate "$2" ;;
"check ")
    lint
    breaking
    compare
    ;;
*) echo "usage: tools/proto.sh generate FOLDER | check" >&2; exit 2 ;;
esac
