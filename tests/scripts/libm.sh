#!/bin/sh
# libm.sh ARCHIVE.a: checks that the library calls no mathematical function of the C library whose last bits depend on the
# version or the processor. The functions listed here are exact or correctly rounded.
set -eu
exact="ceil copysign fabs floor fma fmax fmin fmod frexp ldexp lrint modf nextafter rint round scalbn sqrt trunc"
libm=$("${CC:-cc}" -print-file-name=libm.so.6)
[ -e "$libm" ] || { echo "skipped: libm.so.6 was not found" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -u "$1" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u >"$work/used"
nm -D --defined-only "$libm" | awk '{ sub("@.*", "", $3); print $3 }' | sort -u >"$work/offered"
grep -qx exp "$work/offered" || { echo "$libm has no exp: this check is broken" && exit 1; }
for name in $exact; do printf '%s\n%sf\n' "$name" "$name"; done | sort >"$work/exact"
comm -12 "$work/used" "$work/offered" | comm -23 - "$work/exact" >"$work/wrong"
[ -s "$work/wrong" ] || exit 0
echo "use base/number/portable_math.h instead of:"
cat "$work/wrong"
nm -A -u "$1" 2>/dev/null | grep -wFf "$work/wrong"
exit 1
