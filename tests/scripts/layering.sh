#!/bin/sh
# layering.sh ROOT: checks that no module includes a higher one, that programs include sugeno.h only,
# and that file names are unique in src and cli. Prints one file:line message per violation.
set -eu
cd "$1"

# module: the modules it may include. Permissions are transitive.
modules='
export:  explain io
auto:    explain train
explain: train
io:      model prep base
train:   predict linalg
predict: rows
rows:    kernel model data prep comm base
kernel:  model base
model:   prep base
data:    prep comm base
prep:    linalg base
linalg:  base
comm:    base
base:
'
# Front ends include sugeno.h and their own headers only.
outside='cli python bench examples src/mpi'

# shellcheck disable=SC2086 # a list of words
files=$(find src $outside -name '*.[ch]' 2>/dev/null | sort -u)
[ -n "$files" ] || { echo "layering.sh: no sources in $1"; exit 1; }

# shellcheck disable=SC2086
awk -v modules="$modules" -v outside="$outside" '
function bad(what) { print FILENAME ":" FNR ": " what; wrong = 1 }
function exists(file,   line, found) { found = (getline line < file) >= 0; close(file); return found }

BEGIN {
    n = split(modules, rows, "\n")
    for (i = 1; i <= n; i++) {
        if (split(rows[i], row, ":") < 2) continue
        known[row[1]] = 1
        may[row[1], row[1]] = 1
        m = split(row[2], lower, " ")
        for (j = 1; j <= m; j++) may[row[1], lower[j]] = 1
    }
    for (k in known) for (i in known) for (j in known)      # transitive closure (Warshall)
        if (may[i, k] && may[k, j]) may[i, j] = 1
    n = split(outside, list, " ")
    for (i = 1; i <= n; i++) is_outside[list[i]] = 1
}

FNR == 1 {
    depth = split(FILENAME, part, "/")
    dir = FILENAME; sub("/[^/]*$", "", dir)
    module = part[1] == "src" ? part[2] : ""
    free_standing = is_outside[part[1]] || is_outside[part[1] "/" part[2]]
    if (!free_standing && depth < 3) bad("a source file belongs in src/<module>/")
    else if (!free_standing && !known[module]) bad("module " module " is not in the list of layering.sh")
    name = part[depth]
    if (part[1] == "src" || part[1] == "cli") {
        if (name in first) bad("the name " name " is taken by " first[name])
        first[name] = FILENAME
    }
}

/^[ \t]*#[ \t]*include[ \t]*["<]/ {
    quoted = $0 ~ /include[ \t]*"/
    target = $0
    sub(/^[^"<]*["<]/, "", target); sub(/[">].*$/, "", target)
    head = target; sub("/.*$", "", head)
    if (target == "sugeno.h") next
    if (target == "sugeno_mpi.h" && (dir == "src/mpi" || FILENAME == "cli/main_mpi.c" || FILENAME == "bench/scaling/time_training_parts_mpi.c")) next
    if (target ~ /(^|\/)\.\.?\//) bad("relative path in #include " target)
    else if (!quoted && !(known[head] && head != target)) next     # a system header
    else if (part[1] == "cli" && exists("cli/" target)) next
    else if (target == head) {
        if (!exists(dir "/" target)) bad(target " is neither sugeno.h nor in the folder of this file; write \"module/" target "\"")
    }
    else if (free_standing) bad(dir " may include sugeno.h only, not " target)
    else if (!known[head]) bad("unknown module in #include " target)
    else if (!may[module, head]) bad(module " may not include " head " (" target ")")
}

END { exit wrong }
' $files
