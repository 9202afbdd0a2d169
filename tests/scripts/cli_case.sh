#!/bin/sh
# cli_case.sh DIR/x.sh: runs one test of the command line in an empty folder and compares the output with the golden files
# in DIR.
#
#   x.stdout.exact, x.stderr.exact  the exact text
#   x.stdout.glob, x.stderr.glob    a shell pattern for each line; "..." matches any number of lines
#   x.exit                          the exit code (default: 0)
#
# Output without a golden file is not compared. In the script, $SUGENO is the program, $EXAMPLES the folder examples and
# $TESTDIR the folder DIR. Exit code 77 skips the test. UPDATE=1 rewrites existing .exact and .exit files; create a new one
# with touch. MEMCHECK is a command to run the program with (valgrind ...). The test fails if that command or a sanitizer
# reports an error, whatever the exit code is.
set -eu
: "${SUGENO:?the program to test}" "${EXAMPLES:?the folder examples}"
case=$(realpath "$1")
base=${case%.sh}
TESTDIR=$(dirname "$case")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/run" "$dir/memory"

# Reports of sanitizers go to files, because stderr is compared.
for options in ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS; do
    eval "export $options=\${$options:+\$$options:}log_path=$dir/memory/sanitizer"
done
if [ -n "${MEMCHECK:-}" ]; then
    printf '#!/bin/sh\nexec %s --log-file="%s/%%p" "%s" "$@"\n' \
        "$MEMCHECK" "$dir/memory" "$SUGENO" >"$dir/sugeno"
    chmod +x "$dir/sugeno"
    SUGENO=$dir/sugeno
fi
export SUGENO EXAMPLES TESTDIR LC_ALL=C

shell=sh
case $(head -n 1 "$case") in *bash*) shell=bash ;; esac
code=0
(cd "$dir/run" && exec $shell "$case") >"$dir/stdout" 2>"$dir/stderr" </dev/null || code=$?

expected=0
[ ! -e "$base.exit" ] || expected=$(cat "$base.exit")
if [ "$code" = 77 ] && [ "$expected" != 77 ]; then
    cat "$dir/stdout" "$dir/stderr"
    exit 77
fi

# match PATTERNS FILE: each pattern must match the next line, and no lines may remain.
match() (
    exec 3<"$1" 4<"$2"
    any=
    while IFS= read -r pattern <&3 || [ -n "$pattern" ]; do
        if [ "$pattern" = ... ]; then
            any=yes
            continue
        fi
        while :; do
            if ! IFS= read -r line <&4 && [ -z "$line" ]; then
                echo "no line matches: $pattern"
                exit 1
            fi
            # shellcheck disable=SC2254 # it is a pattern
            case $line in
            $pattern) break ;;
            *) [ -n "$any" ] || { printf 'expected: %s\ngot:      %s\n' "$pattern" "$line"; exit 1; } ;;
            esac
        done
        any=
    done
    if [ -z "$any" ] && IFS= read -r line <&4; then
        echo "one line too many: $line"
        exit 1
    fi
)

failed=
for stream in stdout stderr; do
    golden=$base.$stream
    if [ -e "$golden.exact" ]; then
        [ "${UPDATE:-0}" != 1 ] || cp "$dir/$stream" "$golden.exact"
        diff -u --label "expected $stream" "$golden.exact" --label "$stream" "$dir/$stream" ||
            failed=yes
    fi
    if [ -e "$golden.glob" ]; then
        match "$golden.glob" "$dir/$stream" || { echo "in $stream"; failed=yes; }
    fi
done
if [ -e "$base.exit" ] && [ "${UPDATE:-0}" = 1 ]; then
    echo "$code" >"$base.exit"
    expected=$code
fi
if [ "$code" != "$expected" ]; then
    echo "expected exit code $expected, got $code"
    failed=yes
fi
for log in "$dir"/memory/*; do
    [ ! -s "$log" ] || { cat "$log"; failed=yes; }
done
[ -n "$failed" ] || exit 0
echo "--- stdout ---"
cat "$dir/stdout"
echo "--- stderr ---"
cat "$dir/stderr"
exit 1
