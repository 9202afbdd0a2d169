#!/bin/sh
# layering_selftest.sh: checks that layering.sh accepts a correct tree and reports each of these violations.
set -eu
check=$(realpath "$(dirname "$0")/layering.sh")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

good_tree() {
    rm -rf "$dir/tree"
    mkdir -p "$dir/tree/src/base/thread" "$dir/tree/src/train" "$dir/tree/src/io" "$dir/tree/src/mpi" "$dir/tree/cli"
    cd "$dir/tree"
    printf '#include <stdio.h>\n#include "sugeno.h"\n' >src/base/status.h
    printf '#include "base/status.h"\n' >src/base/status.c
    printf '#include "train/sgd.h"\n#include "base/status.h"\n' >src/train/sgd.c
    printf '#include "status.h"\n#include <sys/stat.h>\n' >src/base/text.c
    printf '#include "base/thread/pool.h"\n' >src/base/thread/pool.c
    : >src/base/thread/pool.h
    : >src/train/sgd.h
    printf '#include <mpi.h>\n#include "sugeno.h"\n' >src/mpi/reduce.c
    printf '#include <sugeno.h>\n#include "verbs.h"\n' >cli/main.c
    : >cli/verbs.h
    "$check" . || { echo "a correct tree is rejected"; exit 1; }
}

# refused FILE TEXT MESSAGE: with this file added, layering.sh must report MESSAGE for FILE.
refused() {
    good_tree
    printf '%s\n' "$2" >"$1"
    if "$check" . >"$dir/log"; then
        echo "accepted: $2 in $1"
        exit 1
    fi
    grep -q "^$1:1: .*$3" "$dir/log" || { echo "wrong message for $2 in $1:"; cat "$dir/log"; exit 1; }
}

refused src/base/up.c '#include "train/sgd.h"' "base may not include train"
refused src/base/up.c '#include <train/sgd.h>' "base may not include train"
refused src/io/up.c '  #  include  "train/sgd.h"' "io may not include train"
refused src/train/up.c '#include "nothing/x.h"' "unknown module"
refused src/train/up.c '#include "../base/status.h"' "relative path"
refused src/train/up.c '#include "status.h"' "in the folder of this file"
refused src/up.c 'int x;' "belongs in src"
refused src/base/thread/up.c '#include "train/sgd.h"' "base may not include train"
refused src/base/thread/status.c 'int x;' "taken by src/base/status.c"
refused src/train/status.c 'int x;' "taken by src/base/status.c"
refused src/train/main.c 'int x;' "taken by cli/main.c"
refused cli/x.c '#include "base/status.h"' "sugeno.h only"
refused src/mpi/x.c '#include "base/status.h"' "sugeno.h only"
