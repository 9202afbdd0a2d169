#!/bin/sh
# count_test_results.sh RUN CODE JUNIT_FILE SECONDS: prints "RUN passed failed skipped SECONDS" for one run of ctest that
# ended with exit code CODE, and the names of skipped tests to stderr. Each test function of a unit test counts as one
# test, and so does each other test.
set -eu
file=$3
[ -e "$file" ] || file=/dev/null
awk -v run="$1" -v code="$2" -v seconds="$4" '
function finish() {
    # A program that crashed or leaked has failed even if all of its test functions passed.
    if (status == "run")                 passed += cases ? ok : 1
    else if (skip)                     { skipped++; note(name) }
    else                               { passed += ok; failed += bad ? bad : 1 }
    skipped += omitted
}
function note(what) { print run ": skipped " what > "/dev/stderr" }
function attribute(key,   text) {
    text = $0
    if (!sub(".* " key "=\"", "", text)) return ""
    sub("\".*", "", text)
    return text
}
function number(text) { sub(/^[^\]]*\] */, "", text); return text + 0 }

/<testcase /                 { name = attribute("name"); status = attribute("status"); skip = cases = ok = bad = omitted = 0 }
# ctest also reports a missing program as skipped. Only the exit code for skipping counts.
/<skipped /                  { skip = /SKIP_RETURN_CODE/ }
/\[  PASSED  \] [0-9]+ test/ { cases = 1; ok += number($0) }
/\[  FAILED  \] [0-9]+ test/ { cases = 1; bad += number($0) }
/\[  SKIPPED \] [0-9]+ test/ { cases = 1; omitted += number($0); listing = 1; next }
/\[  SKIPPED \] / && listing { note(name " " $NF) }
/<\/testcase>/               { finish(); listing = 0 }
END {
    if (code != 0 && failed == 0) failed = 1
    print run, passed + 0, failed + 0, skipped + 0, seconds
}' "$file"
