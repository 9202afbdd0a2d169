#!/bin/sh
# setup.sh build|python|bench|scaling|accuracy|peers|paper|test|clang|format|aarch64|mpich: installs what this task needs, with
# Debian's apt-get. Prints nothing if nothing is missing.
set -eu

wanted=${1:-build}
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missing=
# need PACKAGES PROBE...: PACKAGES are missing if PROBE fails. Probes test the program or library itself, not its package,
# so that other systems and manual installations pass.
need() {
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}
fuzzylite_header() { echo '#include <fl/fuzzylite.h>' | c++ -fsyntax-only -x c++ -; }
aarch64_header() { echo '#include <stdio.h>' | aarch64-linux-gnu-gcc -fsyntax-only -x c -; }
# A compiler may be installed without headers or libraries, so compile and link a program.
c_compiler() { echo 'int main(void) { return puts(""); }' | cc -include stdio.h -x c - -o "$scratch/c"; }
mpi_of() { "$1" "$here/../cmake/mpi_probe.c" -o "$scratch/mpi" && command -v "$2"; } # COMPILER LAUNCHER
fuzzer_runtime() { ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a; }

need cmake cmake --version
need ninja-build ninja --version
need "gcc libc6-dev" c_compiler
need pkg-config pkg-config --version
need libjansson-dev pkg-config --exists jansson
need zlib1g-dev pkg-config --exists zlib
case $wanted in
build | python | paper | format | aarch64 | mpich) ;;
bench | scaling | accuracy | peers)
    need gnuplot-nox gnuplot --version
    need python3 python3 --version
    ;;
test | clang) need gnuplot-nox gnuplot --version ;;
*) echo "usage: $0 build|python|bench|scaling|accuracy|peers|paper|test|clang|format|aarch64|mpich" >&2 && exit 2 ;;
esac
case $wanted in
test | clang)
    need g++ c++ --version
    need libcmocka-dev pkg-config --exists cmocka
    need liblapacke-dev pkg-config --exists lapacke
    need "valgrind libc6-dbg" valgrind --version # valgrind needs the symbols of the dynamic loader
    need "python3 python3-numpy" /usr/bin/python3 -c "import numpy" # the reference for .npy files
    for module in sklearn pandas matplotlib pytest; do # for the tests of the Python package
        need "python3-$module" /usr/bin/python3 -c "import $module"
    done
    need "openmpi-bin libopenmpi-dev" mpi_of mpicc mpiexec # any MPI 3 will do
    need nodejs node --version # for the tests of the HTML report
    need npm npm --version
    need chromium chromium --version
    need locales test -e /usr/share/i18n/locales/de_DE # a test builds a locale with a decimal comma
    ;;
esac
if [ "$wanted" = paper ]; then
    for module in numpy sklearn matplotlib; do
        need "python3-$module" /usr/bin/python3 -c "import $module"
    done
fi
if [ "$wanted" = scaling ]; then
    need python3-numpy /usr/bin/python3 -c "import numpy"
fi
if [ "$wanted" = accuracy ] || [ "$wanted" = python ]; then
    need python3-venv /usr/bin/python3 -c "import ensurepip"
fi
if [ "$wanted" = peers ]; then # downloads about 200 MB, needs 1 GB on disk
    need g++ c++ --version
    need libfuzzylite-dev fuzzylite_header
    need libopenblas0-pthread test -e "$(echo /usr/lib/*/openblas-pthread/libblas.so.3)"
    for module in numpy pandas sklearn torch xgboost; do
        need "python3-$module" /usr/bin/python3 -c "import $module"
    done
    need python3-venv /usr/bin/python3 -c "import ensurepip"
fi
if [ "$wanted" = clang ]; then
    need clang clang --version
    need libclang-rt-dev fuzzer_runtime
    need clang-tidy clang-tidy --version
fi
if [ "$wanted" = clang ] || [ "$wanted" = format ]; then
    need clang-format clang-format --version
fi
if [ "$wanted" = mpich ]; then # in addition to Open MPI
    need "mpich libmpich-dev" mpi_of mpicc.mpich mpiexec.mpich
fi
if [ "$wanted" = aarch64 ]; then
    need "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" aarch64_header
    need qemu-user-static qemu-aarch64-static --version
fi
[ -n "$missing" ] || {
    # The libraries for aarch64 are downloaded, not installed.
    [ "$wanted" != aarch64 ] || "$here/aarch64_root.sh" "$here/../build/aarch64-root"
    exit
}
fail() { printf '%s\n' "$@" >&2 && exit 1; }

if [ -n "${SUGENO_SETUP_INSTALLED:-}" ]; then
    fail "apt-get installed the missing packages, but these still do not work:$missing" \
        "Does PATH name another installation first? PATH is $PATH"
fi
as_root=
if ! command -v apt-get >/dev/null; then
    why="this system has no apt-get"
elif [ "$(id -u)" = 0 ]; then
    why=
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    why=
    as_root=sudo
else
    why="you are not root and cannot use sudo"
fi
[ -z "$why" ] || fail "sugeno needs these packages (Debian's names):$missing" \
    "They cannot be installed automatically: $why. Install them and try again."

echo "Installing missing packages with ${as_root:+sudo }apt-get:$missing" >&2
log=$scratch/log
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >>"$log" 2>&1; }
apt update || true # the existing package lists may be good enough
# shellcheck disable=SC2086 # a list of words
if ! apt install -y --no-install-recommends $missing; then
    cat "$log" >&2
    fail "apt-get failed. Install these packages by hand and try again:$missing"
fi
rm -rf "$scratch"
SUGENO_SETUP_INSTALLED=yes exec "$0" "$wanted" # check that it works now
