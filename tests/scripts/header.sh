#!/bin/sh
# header.sh INCLUDE_DIR: checks that sugeno.h compiles without warnings as strict C99 and C11 and as C++.
set -eu
warnings="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Include it twice to test the include guard.
printf '#include <sugeno.h>\n#include <sugeno.h>\n' | tee "$dir/header.c" >"$dir/header.cpp"
for std in c99 c11; do
    ${CC:-cc} -std=$std $warnings -pedantic-errors -I "$1" "$dir/header.c"
done
for std in c++11 c++20; do
    ${CXX:-c++} -std=$std $warnings -I "$1" "$dir/header.cpp"
done
