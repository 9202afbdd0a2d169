#!/bin/sh
# setup.sh build|python|bench|scaling|accuracy|peers|paper|test|clang|aarch64|mpich: installs what is missing for that, with Debian's
# apt-get. Silent and quick where everything is there already.
set -eu

wanted=${1:-build}
missing=
# need PACKAGES PROBE...: the packages are missing if the probe fails. We ask for the thing itself
# and not for the package, so that other systems and hand-made installations pass.
need() {
    packages=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $packages"
}
libsvm_header() { echo '#include <libsvm/svm.h>' | cc -fsyntax-only -x c -; }
fuzzylite_header() { echo '#include <fl/fuzzylite.h>' | c++ -fsyntax-only -x c++ -; }
aarch64_header() { echo '#include <stdio.h>' | aarch64-linux-gnu-gcc -fsyntax-only -x c -; }
mpi_of() { "$1" --version && command -v "$2"; } # COMPILER LAUNCHER
fuzzer_runtime() { ls "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*.a; }

need cmake cmake --version
need ninja-build ninja --version
need "gcc libc6-dev" cc --version
need pkg-config pkg-config --version
need libjansson-dev pkg-config --exists jansson
need zlib1g-dev pkg-config --exists zlib
case $wanted in
build | python | aarch64 | mpich) ;;
bench | scaling | accuracy | peers)
    need gnuplot-nox gnuplot --version
    need python3 python3 --version
    ;;
paper | test | clang)
    need gnuplot-nox gnuplot --version
    need libsvm-dev libsvm_header
    ;;
*) echo "usage: $0 build|python|bench|scaling|accuracy|peers|paper|test|clang|aarch64|mpich" >&2 && exit 2 ;;
esac
case $wanted in
test | clang)
    need g++ c++ --version
    need libcmocka-dev pkg-config --exists cmocka
    need liblapacke-dev pkg-config --exists lapacke
    need "valgrind libc6-dbg" valgrind --version # valgrind must read the loader's symbols
    need "python3 python3-numpy" /usr/bin/python3 -c "import numpy" # the judge of .npy files
    for module in sklearn pandas matplotlib pytest; do # the Python package, and what it works with
        need "python3-$module" /usr/bin/python3 -c "import $module"
    done
    need "openmpi-bin libopenmpi-dev" mpi_of mpicc mpiexec # any MPI will do
    need nodejs node --version # the report's page: its tests, and a browser to look at it
    need npm npm --version
    need chromium chromium --version
    need locales test -e /usr/share/i18n/locales/de_DE # a test makes a locale with a decimal comma
    ;;
esac
if [ "$wanted" = scaling ]; then
    need python3-numpy /usr/bin/python3 -c "import numpy"
fi
if [ "$wanted" = accuracy ] || [ "$wanted" = python ]; then
    need python3-venv /usr/bin/python3 -c "import ensurepip"
fi
if [ "$wanted" = peers ]; then # about 200 MB to fetch, 1 GB on disk
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
if [ "$wanted" = mpich ]; then # beside Open MPI
    need "mpich libmpich-dev" mpi_of mpicc.mpich mpiexec.mpich
fi
if [ "$wanted" = aarch64 ]; then
    need "gcc-aarch64-linux-gnu libc6-dev-arm64-cross" aarch64_header
    need qemu-user-static qemu-aarch64-static --version
fi
# What comes last: the libraries for aarch64 are fetched, not installed.
finish() { [ "$wanted" != aarch64 ] || "$(dirname "$0")/aarch64_root.sh" "$(dirname "$0")/../build/aarch64-root"; }
[ -n "$missing" ] || { finish && exit; }

as_root=
if ! command -v apt-get >/dev/null; then
    why="this system has no apt-get"
elif [ "$(id -u)" = 0 ]; then
    why=
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    why=
    as_root=sudo
else
    why="you are not root and sudo is not available"
fi
if [ -n "$why" ]; then
    echo "sugeno needs these packages (Debian's names):$missing" >&2
    echo "They can't be installed from here, because $why. Install them and try again." >&2
    exit 1
fi

echo "Installing with ${as_root:+sudo }apt-get what is missing:$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" >>"$log" 2>&1; }
apt update || true # an old list may still do
# shellcheck disable=SC2086 # a list of words
if ! apt install -y --no-install-recommends $missing; then
    cat "$log" >&2
    echo "apt-get failed. Install these packages by hand and try again:$missing" >&2
    exit 1
fi
finish
