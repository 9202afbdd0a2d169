#!/bin/sh
# installed_package.sh BUILD_DIR PROJECT_DIR: installs the build into an empty folder and builds programs that use it,
# with pkg-config and with find_package. CC and CFLAGS are those of the build.
set -eu
build=$1 project=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Move the installed tree: no file in it may depend on its location.
cmake --install "$build" --prefix "$dir/first" >"$dir/log" || { cat "$dir/log"; exit 1; }
mv "$dir/first" "$dir/prefix"

fail() { echo "installed_package.sh: $*"; exit 1; }
same() { [ "$2" = "$3" ] || fail "$1: expected $2, got $3"; }

PKG_CONFIG_PATH=$(dirname "$(find "$dir/prefix" -name sugeno.pc)")
export PKG_CONFIG_PATH
libdir=$(dirname "$PKG_CONFIG_PATH")
version=$(pkg-config --modversion sugeno)

# shellcheck disable=SC2046,SC2086 # lists of words
echo "pkg-config" &&
    ${CC:-cc} ${CFLAGS:-} "$project/user.c" -o "$dir/shared" $(pkg-config --cflags --libs sugeno)
same "version by pkg-config" "$version" "$(LD_LIBRARY_PATH=$libdir "$dir/shared")"
same "soname" "libsugeno.so.${version%%.*}" \
    "$(objdump -p "$libdir/libsugeno.so" | awk '/SONAME/ { print $2 }')"

# A fully static program: Requires.private and Libs.private must be complete.
# shellcheck disable=SC2046,SC2086
echo "pkg-config --static" &&
    ${CC:-cc} ${CFLAGS:-} -static "$project/user.c" -o "$dir/static" $(pkg-config --static --cflags --libs sugeno)
same "version of the static program" "$version" "$("$dir/static")"

echo "find_package"
cmake -S "$project" -B "$dir/build" -DCMAKE_PREFIX_PATH="$dir/prefix" -DWANTED_VERSION="$version" \
    -DCMAKE_C_FLAGS="${CFLAGS:-}" >"$dir/log" && cmake --build "$dir/build" >>"$dir/log" ||
    { cat "$dir/log"; exit 1; }
same "version by find_package" "$version" "$("$dir/build/user")"

echo "the installed program and its manual page"
"$dir/prefix/bin/sugeno" help >/dev/null || fail "bin/sugeno does not run"
grep -q '^\.TH ' "$dir/prefix/share/man/man1/sugeno.1" || fail "sugeno.1 is not a manual page"
if grep -rlI -e "$build" -e "$dir" "$dir/prefix"; then
    fail "these installed files contain paths of the build"
fi
