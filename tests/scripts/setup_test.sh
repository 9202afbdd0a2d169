#!/bin/sh
# setup_test.sh ROOT: tests scripts/setup.sh, scripts/configure.sh and cmake/mpi.cmake under difficult conditions: MPI without
# headers, no root, no network, no HOME, a path with spaces. Uses fake commands, which come first in PATH. Installs nothing.
# shellcheck disable=SC2016 # the fake commands expand their own variables
set -eu
root=$(realpath "$1")
if ! mpicc=$(command -v mpicc); then
    echo "skipped: MPI is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SUGENO_SETUP_INSTALLED MAKEFLAGS MAKELEVEL
mkdir "$work/bin"
PATH=$work/bin:$PATH

fail() {
    echo "setup_test.sh: $1"
    [ ! -s "$work/output" ] || sed 's/^/    /' "$work/output"
    exit 1
}
# fake NAME COMMANDS: a program of that name in PATH.
fake() { printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
# run EXIT_CODE WHAT COMMAND...: the command must end with this code. WHAT describes the case.
run() {
    expected=$1 what=$2
    shift 2
    code=0
    "$@" >"$work/output" 2>&1 </dev/null || code=$?
    [ "$code" = "$expected" ] || fail "$what: exit code $code instead of $expected"
}
# says TEXT: the last command printed this.
says() { grep -qF -e "$1" "$work/output" || fail "$what: the output lacks \"$1\""; }
silent() { [ ! -s "$work/output" ] || fail "$what: output where none is expected"; }

# --- setup.sh ---

setup=$root/scripts/setup.sh
log='echo "$*" >>"'$work/apt'"'
offline='echo "Temporary failure resolving deb.debian.org" >&2; exit 100'
fake id 'echo 0'
fake sudo 'exit 1'
fake apt-get "$offline"
run 0 "everything is installed" "$setup" build
silent
run 0 "no HOME" env -u HOME "$setup" build
silent

fake ninja 'exit 1'
run 1 "no network" "$setup" build
says "Temporary failure resolving"
says "Install these packages by hand and try again: ninja-build"

fake id 'echo 1000'
run 1 "no root" "$setup" build
says "sugeno needs these packages (Debian's names): ninja-build"
says "you are not root and cannot use sudo"
run 1 "no root, no HOME" env -u HOME "$setup" build
says "ninja-build"

fake sudo '[ "$1" != -n ] || exit 0; exec "$@"'
fake apt-get "$log; [ \"\$2\" = update ] || rm '$work/bin/ninja'"
run 0 "an installation with sudo" "$setup" build
says "Installing missing packages with sudo apt-get: ninja-build"
grep -q "install -y --no-install-recommends ninja-build" "$work/apt" || fail "apt-get was not asked for ninja-build"
run 0 "after the installation" "$setup" build
silent

fake ninja 'exit 1'
fake apt-get "$log"
run 1 "an installation that does not help" "$setup" build
says "these still do not work: ninja-build"
rm "$work/bin/ninja"

# MPI without headers: the programs exist, but mpicc refers to folders that do not.
half_mpicc='case $1 in
--version) echo "gcc 0" ;;
-show*) echo "gcc -I'$work'/include -L'$work'/lib -lmpi" ;;
*) echo "fatal error: mpi.h: No such file or directory" >&2 && exit 1 ;;
esac'
fake apt-get "$offline"
for mpi in mpicc mpicc.mpich; do fake "$mpi" "$half_mpicc"; done
for mpi in mpiexec mpiexec.mpich; do fake "$mpi" 'exit 1'; done
run 1 "half of MPICH" "$setup" mpich
says "mpich libmpich-dev"
run 1 "half of Open MPI" "$setup" test
says "openmpi-bin libopenmpi-dev"
run 0 "a build needs no MPI" "$setup" build
silent

# --- CMake, in a path with spaces ---

copy="$work/a copy with spaces"
mkdir "$copy"
(cd "$root" && tar -c --exclude=./build --exclude=./.git --exclude=./paper-results .) | tar -x -C "$copy"
cd "$copy"
sed -i 's/-O3 -g1/-O0/' CMakePresets.json # compiles faster
export CCACHE_BASEDIR="$copy" CCACHE_NOHASHDIR=1 # if ccache is in use, let it find what another run compiled
has_mpi() { grep -q "sugeno-mpi" build/release/build.ninja; }

run 0 "make demo with half an MPI, no HOME" env -u HOME make demo
has_mpi && fail "sugeno-mpi is to be built, but mpicc does not work"
run 1 "tests with half an MPI" scripts/configure.sh release -DSUGENO_MPI=ON
says "fatal error: mpi.h: No such file or directory"
says "openmpi-bin libopenmpi-dev"
run 0 "CMake with half an MPI" cmake --preset release

# An mpicc that compiles but names a missing folder: FindMPI fails, and its results must not survive.
whole_mpicc="exec '$mpicc' \"\$@\""
fake mpicc "case \$1 in -show*) $half_mpicc; exit ;; esac; $whole_mpicc"
run 1 "CMake with wrong flags from mpicc" cmake --preset release

fake mpicc "$whole_mpicc"
run 0 "CMake once MPI is complete" cmake --preset release
has_mpi || fail "sugeno-mpi is left out, but mpicc works"
fake mpicc "$half_mpicc"
run 1 "tests once MPI is incomplete again" scripts/configure.sh release -DSUGENO_MPI=ON
fake mpicc "$whole_mpicc"
run 0 "tests after a failed configure step" scripts/configure.sh release -DSUGENO_MPI=ON -DSUGENO_TESTS=ON
silent
has_mpi || fail "sugeno-mpi is left out after a failed configure step"
ctest --test-dir build/release -N | grep -q check.mpi || fail "the MPI tests are left out after a failed configure step"

# CMake refuses a cache from another folder.
mv "$copy" "$work/moved"
cd "$work/moved"
run 0 "a build folder that was moved" scripts/configure.sh release
says "CMake failed with its cache in build/release. Trying without."
