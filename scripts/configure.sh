#!/bin/sh
# configure.sh PRESET [ARGUMENT...]: runs CMake for build/PRESET. Prints warnings and errors only.
#
# A failed run can leave wrong answers in CMake's cache, and a cache can name programs and folders that are gone. So
# the cache is dropped if the last run failed, or if this run fails with it. Compiled files are kept.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build/$preset
finished=$folder/configured # exists if the last run succeeded

configure() { cmake --preset "$preset" "$@" >/dev/null && touch "$finished"; }

if [ -e "$finished" ]; then
    rm "$finished"
    errors=$(configure "$@" 2>&1) && {
        [ -z "$errors" ] || printf '%s\n' "$errors" >&2
        exit
    }
    echo "CMake failed with its cache in $folder. Trying without." >&2
fi
rm -rf "$folder/CMakeCache.txt" "$folder"/CMakeFiles/[0-9]*
configure "$@"
