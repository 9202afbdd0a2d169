#!/bin/sh
# cli_case_selftest.sh: checks that cli_case.sh can fail, skip and update.
set -eu
run=$(dirname "$0")/cli_case.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export SUGENO=/bin/echo EXAMPLES="$dir" UPDATE=0 MEMCHECK=

# expect CODE CASE: cli_case.sh must exit with CODE for $dir/x.sh.
expect() {
    code=0
    "$run" "$dir/x.sh" >"$dir/log" 2>&1 || code=$?
    [ "$code" = "$1" ] || { echo "$2: expected $1, got $code"; cat "$dir/log"; exit 1; }
}
write() { printf "$2" >"$dir/x.$1"; }

write sh '"$SUGENO" one 2.385; echo "$TESTDIR" >&2; pwd > here\n'
expect 0 "nothing to compare"
write stdout.exact 'one 2.385\n' && expect 0 "the same stdout"
write stdout.exact 'one 2.386\n' && expect 1 "a different stdout"
UPDATE=1 expect 0 "update"
[ "$(cat "$dir/x.stdout.exact")" = "one 2.385" ] && expect 0 "after update"
write stdout.exact '' && expect 1 "stdout that should be empty"
rm "$dir/x.stdout.exact"

write stderr.glob '/*\n' && expect 0 "a pattern"
write stderr.glob '/*\n*\n' && expect 1 "one pattern too many"
write stderr.glob '' && expect 1 "one line too many"
write stderr.glob '...\n' && expect 0 "any lines"
rm "$dir/x.stderr.glob"

write sh 'echo one; echo two; echo three\n'
write stdout.glob 'one\n...\nth*e\n' && expect 0 "dots in the middle"
write stdout.glob '...\ntwo\n' && expect 1 "a line after the end"
write stdout.glob 'one\n...\nfour\n' && expect 1 "a line that is missing"
rm "$dir/x.stdout.glob"

write sh 'exit 2\n' && expect 1 "an exit code"
write exit '2\n' && expect 0 "the expected exit code"
write sh 'exit 0\n' && expect 1 "success where failure is expected"
write sh 'echo no data; exit 77\n' && expect 77 "a skip"
rm "$dir/x.exit"
write sh '"$SUGENO" one\n'
MEMCHECK='sh -c "echo leak >${0#*=}; shift; exec \\"$@\\""' expect 1 "a memcheck error"
