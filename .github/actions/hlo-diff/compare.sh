#!/usr/bin/env bash
# Compares two modules, shows the difference in the log and in the summary of the job, and answers the exit code of `xlayout hlo diff`.
# BEFORE and AFTER are the modules, FAIL_ON is what makes it fail.
set -uo pipefail
found=$(mktemp)
trap 'rm -f "$found"' EXIT
xlayout hlo diff "$BEFORE" "$AFTER" --fail-on "$FAIL_ON" --color never >"$found" 2>&1
code=$?
cat "$found"
if [ -n "${GITHUB_STEP_SUMMARY-}" ]; then
    { echo '### What the compiler makes of it'; echo '```text'; cat "$found"; echo '```'; } >>"$GITHUB_STEP_SUMMARY"
fi
exit "$code"
