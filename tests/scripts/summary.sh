#!/bin/sh
# summary.sh FILE: adds up the lines "run passed failed skipped". The last line of the output is the sum,
# "N passed, N failed, N skipped". Fails if anything failed, or skipped where nothing may: in CI
# (CI=true) while the data is there (SUGENO_DATA).
set -u
strict=0
if [ "${CI:-}" = true ] && [ -d "${SUGENO_DATA:-}" ]; then strict=1; fi
awk -v strict=$strict '
BEGIN { print ""; printf "%-10s %8s %8s %8s\n", "run", "passed", "failed", "skipped" }
{
    printf "%-10s %8d %8d %8d\n", $1, $2, $3, $4
    passed += $2; failed += $3; skipped += $4
}
END {
    print ""
    if (strict && skipped) print "In CI no test may skip while its data is there: this is a failure."
    if (!passed) print "Nothing passed: this is a failure."
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed || !passed || (strict && skipped)
}' "$1"
