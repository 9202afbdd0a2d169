#!/bin/sh
# exports.sh LIBRARY HEADER: checks that the library exports exactly the functions that the header declares SG_API.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nm -D --defined-only "$1" | awk '{ print $NF }' | sort -u >"$dir/exported"
# A declaration can span several lines. The name is the word before its first "(".
awk '/^SG_API/ { text = ""; open = 1 }
     open { text = text " " $0 }
     open && /\(/ { sub(/\(.*/, "", text); n = split(text, w, /[ *]+/); print w[n]; open = 0 }' "$2" |
    sort -u >"$dir/declared"
[ -s "$dir/declared" ]
if ! diff -u "$dir/declared" "$dir/exported"; then
    echo "+ exported but not declared SG_API in sugeno.h; - declared but not exported"
    exit 1
fi
