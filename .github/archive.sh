#!/usr/bin/env bash
# Packs the program for a release, under the name by which cargo-binstall finds it (`apps/cli/Cargo.toml`):
#
#     .github/archive.sh TARGET PROGRAM FOLDER
set -euo pipefail
target=$1 program=$(realpath "$2") folder=$(realpath -m "$3")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$folder"
cp "$program" apps/cli/README.md LICENSE-APACHE LICENSE-MIT "$work"
# Files in the root of the archive, without the path of this machine.
case $target in
    *windows*) (cd "$work" && 7z a -bso0 "$folder/xlayout-$target.zip" ./*) ;;
    *) tar -C "$work" -czf "$folder/xlayout-$target.tgz" . ;;
esac
