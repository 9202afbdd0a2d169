#!/bin/sh
# print_test_summary.sh FILE: prints the lines "run passed failed skipped seconds" of FILE as a table. The last line of
# the output is the total: "N passed, N failed, N skipped". Fails if a test failed. In CI (CI=true) with the datasets
# present (SUGENO_DATA), a skipped test is a failure too.
set -u
strict=0
if [ "${CI:-}" = true ] && [ -d "${SUGENO_DATA:-}" ]; then strict=1; fi
awk -v strict=$strict '
BEGIN { print ""; printf "%-10s %8s %8s %8s %8s\n", "run", "passed", "failed", "skipped", "seconds" }
{
    printf "%-10s %8d %8d %8d %8d\n", $1, $2, $3, $4, $5
    passed += $2; failed += $3; skipped += $4; seconds += $5
}
END {
    printf "%-10s %8d %8d %8d %8d\n\n", "total", passed, failed, skipped, seconds
    if (strict && skipped) print "A test was skipped although its data is present. In CI this is a failure."
    if (!passed) print "No test passed. This is a failure."
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed || !passed || (strict && skipped)
}' "$1"
