#!/usr/bin/env bash
# Runs the fuzz targets of the apps as those of the library: see its `fuzz/run.sh`.
#
#     bash fuzz/run.sh [SECONDS [TARGET ...]]
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
XLAYOUT_FUZZ="$folder" exec bash "$folder/../../fuzz/run.sh" "$@"
