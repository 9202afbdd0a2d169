#!/bin/bash
# mpi.sh SUGENO SUGENO_MPI MPIEXEC EXAMPLE.csv [MPI_COMM_RANKS]: checks that one process and 1, 2, 3 and 8 ranks give the
# same bytes, for many kinds of training and however the rows are distributed; that errors are reported once; and that
# training resumes from a checkpoint after a rank was killed or stopped. INSTRUMENTED=ON tries fewer cases.
set -eu
program=$(realpath "$1") team=$(realpath "$2") mpiexec=$3 example=$(realpath "$4") library=${5:+$(realpath "$5")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Let Open MPI run as root, with more ranks than cores, and in a container that forbids reading other processes.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_odls_base_sigkill_timeout=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 # Open MPI leaks
export TMPDIR=/tmp # paths of Open MPI's sockets must be short

fail() { echo "mpi.sh: $*"; cat said report 2>/dev/null || true; exit 1; }

# ranks N ARGUMENTS...: runs sugeno-mpi on N ranks and sets $code to its exit code. The time limit is generous for a busy
# machine.
ranks() {
    code=0
    timeout -k 5 180 "$mpiexec" -n "$1" "$team" "${@:2}" >report 2>said </dev/null || code=$?
    [ $code != 124 ] && [ $code != 137 ] || fail "$1 ranks hang: ${*:2}"
}
done_by() { ranks "$@"; [ "$code" = 0 ] || fail "exit $code: $*"; }
# refused CODE MESSAGE N ARGUMENTS...: the command must fail with this exit code and print this message once.
refused() {
    ranks "${@:3}"
    [ "$code" = "$1" ] || fail "exit $code, not $1: ${*:3}"
    [ "$(grep -c '^sugeno: ' said)" = 1 ] && grep -qF -- "sugeno: $2" said || fail "no \"$2\": ${*:3}"
}

# --- the library itself ---

if [ -n "$library" ]; then
    whole=$team team=$library
    done_by 3 talk
    done_by 3 same
    ranks 3 alone
    [ "$code" != 0 ] && grep -q '^alone' said || fail "a rank that fails alone must end the job"
    team=$whole
fi

# Rows with missing values, categories and weights, as one file and in parts.
awk 'BEGIN { split("red green blue grey", k, " "); print "a,b,c,k,w,y"; for (i = 0; i < 6000; i++) { a = i * 7919 % 6007 / 6007; b = i * 104729 % 6011 / 6011
    c = i * 1299709 % 6029 / 6029; printf "%.6f,%s,%.6f,%s,%d,%s\n", a, i % 19 ? b : "", c, k[1 + (i + int(i / 1000)) % (3 + (i > 2000))], 1 + i % 3, i % 401 ? a * a + b * c : "" } }' >all.csv
{ head -1 all.csv && sed -n 2,1235p all.csv; } >part-0.csv
{ head -1 all.csv && sed -n 1236,1300p all.csv; } >part-1.csv
{ head -1 all.csv && sed -n '1301,$p' all.csv; } >part-2.csv
head -301 all.csv >few.csv # enough rows for all parts of the search, which is slow
for name in all few part-0 part-1 part-2; do "$program" convert $name.csv $name.npy >/dev/null; done

some="2 3 8" few="3"
[ "${INSTRUMENTED:-OFF}" = OFF ] || some="3"

# --- the same model for many kinds of training ---

trainings=(
    "--iters 60"
    "--iters 40 --batch 1024 --weights w"
    "--iters 20 --batch 0"
    "--iters 40 --batch 1500 --valid-fraction 0.3 --patience 20"
    "--iters 40 --batch 2000 --valid part-1.npy --precision f32"
    "--preset rr --pca 2"
    "--iters 20 --batch 1024 --weights w --intervals 3"
    "--preset anfis-gd-lse --iters 3"
    "--rules 8 --pca 0 --iters 20 --batch 600 --ignore w"
    "-t y,c --iters 20 --batch 700"
    "--preset fcm-rdpa --rules 4 --iters 20 --scale quantile --start ridge --noise 0.1 --average 0.9 --refit 0.01"
    "--preset additive-pairs --weights w --monotone a:+"
    "--preset additive --group k"
    "--preset auto --iters 100 --rules 4 --budget 4"
    "--preset auto --iters 100 --aim accurate --budget 4"
)
for options in "${trainings[@]}"; do
    rows=all.npy
    case $options in *"--preset auto"*) rows=few.npy ;; esac
    options="--preset mbgd-rda $options"
    # shellcheck disable=SC2086 # a list of words
    "$program" train $rows $options -o one.json --quiet >/dev/null
    [ $rows = all.npy ] || grep -q '"tried_student_1"' one.json || fail "the search did not try a student: $options"
    for n in $some; do
        # shellcheck disable=SC2086
        done_by "$n" train $rows $options -o many.json --quiet
        cmp one.json many.json || fail "$n ranks: the model differs: $options"
        [ "$(grep -c '^rows' report)" = 1 ] || fail "$n ranks: not one report"
        rm many.json
    done
done

# --- the same model however the rows are distributed ---

options="--preset mbgd-rda --iters 20 --batch 1024"
# shellcheck disable=SC2086
"$program" train all.npy $options -o one.json --quiet >/dev/null
same() { # N FILES...
    # shellcheck disable=SC2086
    done_by "$@" $options -o many.json --quiet
    cmp one.json many.json || fail "the model differs: $*"
    rm many.json
}
for n in $few; do
    same "$n" train part-0.npy part-1.npy part-2.npy
    same "$n" train all.csv
    same "$n" train part-0.csv part-1.npy part-2.csv
done
same 1 train all.npy
cp all.npy all-0.npy
same 1 train 'all-{rank}.npy'
same 3 train 'part-{rank}.npy'
same 3 train 'part-{rank}.csv'
# The kind of a column depends on the files of all ranks.
for r in 0 1 2; do
    awk -v r=$r 'BEGIN { print "code,x,y"; for (i = 0; i < 40; i++) print "c" (r * 40 + i) % 50 "," (i * 7 + r) % 11 "," i % 5 }' >code-$r.csv
done
coded() { # coded RANKS
    # shellcheck disable=SC2046
    "$program" train $(seq -f 'code-%g.csv' 0 $(($1 - 1))) --preset mbgd-rda --iters 20 -o coded.json --quiet
    done_by "$1" train 'code-{rank}.csv' --preset mbgd-rda --iters 20 -o coded-many.json --quiet
    cmp coded.json coded-many.json || fail "the model differs: $1 ranks, one file per rank"
}
coded 3
coded 2
for r in 0 1 2; do mkdir disk-$r && cp part-$r.npy disk-$r/part.npy; done
# on_disks ARGUMENTS...: runs each rank in its own folder.
cat >on_disks <<END
#!/bin/sh
cd "$work/disk-\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}" && exec "$team" "\$@"
END
chmod +x on_disks
whole_team=$team team=$work/on_disks
same_local() {
    # shellcheck disable=SC2086
    done_by 3 train part.npy --local $options -o "$work/many.json" --quiet
    cmp one.json many.json || fail "the model differs: --local"
    rm many.json
}
same_local

# --- errors, among them ranks that see different data ---

refused 1 'rank 1 and rank 0 see different categories in column "k" of part.npy' 3 train part.npy
refused 1 'rank 1 sees 65 rows in part.npy, but rank 0 sees 1234' 3 train part.npy --ignore k
for r in 0 1 2; do cp part-0.npy disk-$r/same.npy; done
printf x | dd of=disk-1/same.npy bs=1 seek=$(($(stat -c %s part-0.npy) - 5)) conv=notrunc status=none
refused 1 'rank 1 and rank 0 see different values in row 1234 of same.npy' 3 train same.npy
rm disk-2/part.npy
refused 1 "rank 2: can't read part.npy: No such file" 3 train part.npy --local
"$program" convert "$example" disk-2/part.npy >/dev/null
refused 1 'rank 2 sees 5 columns in part.npy, but rank 0 sees 6' 3 train part.npy --local
head -c 20000 part-2.npy >disk-2/part.npy
refused 1 'rank 2: part.npy: truncated to ' 3 train part.npy --local
team=$whole_team
refused 1 "can't read absent.csv: No such file" 3 train absent.csv
refused 1 "rank 0: can't read part-0x0.npy" 3 train 'part-{rank}x{rank}.npy'
refused 2 "train: DATA is missing" 2 train
refused 2 'unknown option --iter; did you mean --iters?' 2 train all.npy --iter 5
refused 1 "can't write /nowhere/m.json" 2 train all.npy -o /nowhere/m.json
refused 1 "can't read none.json" 2 eval none.json all.npy
ranks 3 train all.npy --preset mbgd-rda --iters 2
grep -q 'notice: a batch of 64 rows is too small to distribute' said || fail "no notice about the small batch"
ranks 8 train all.npy --preset mbgd-rda --iters 2 --batch 512 --quiet
[ "$code" = 0 ] || fail "8 ranks, 8 slices"

# --- evaluation, prediction, cross-validation, and verbs that run on one rank ---

both() { # N ARGUMENTS...: one process and N ranks must print the same
    "$program" "${@:2}" >one.txt 2>/dev/null
    done_by "$@"
    cmp one.txt report || fail "results differ: $*"
}
for n in $few; do
    both "$n" eval one.json all.npy
    both "$n" eval one.json part-0.csv part-1.npy --json
    both "$n" predict one.json all.npy --outside
    both "$n" predict one.json all.npy
    both "$n" cv all.npy --preset mbgd-rda --folds 3 --iters 20 --batch 1024 --quiet
    both "$n" cv all.npy --preset mbgd-rda --folds 3 --iters 20 --batch 1024 --ordered --quiet
done
"$program" predict one.json all.csv -o one.out
done_by 3 predict one.json all.csv -o many.out
cmp one.out many.out || fail "predictions differ"
folds="cv all.csv --preset mbgd-rda --group k --folds 3 --iters 20 --batch 1024 --quiet"
# shellcheck disable=SC2086
"$program" $folds --predictions one.out >one.txt
# shellcheck disable=SC2086
done_by 3 $folds --predictions many.out
{ cmp one.txt report && cmp one.out many.out; } || fail "grouped folds differ"
refused 1 "can't write missing/p.csv" 2 cv all.npy --predictions missing/p.csv
refused 1 "all.csv: 5 folds need at least 5 different groups" 2 cv all.csv --group k --quiet
both 2 info part-1.npy
both 2 rules one.json
both 3 --version
code=0
timeout 60 "$mpiexec" -n 2 "$team" eval one.json - <part-1.csv >report 2>said || code=$?
"$program" eval one.json part-1.csv 2>/dev/null | cmp - report || fail "standard input, exit $code"

# --- kill, stop, resume ---

# Each rank writes its process id to a file.
cat >named <<END
#!/bin/sh
echo \$\$ >"$work/pid-\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}"
exec "$whole_team" "\$@"
END
chmod +x named
long="all.npy --preset mbgd-rda --iters 3000 --batch 1024 --valid-fraction 0.2 --checkpoint kept"
[ "${INSTRUMENTED:-OFF}" = OFF ] || long=${long/3000/400}
# shellcheck disable=SC2086
"$program" train ${long%--checkpoint*} -o one.json --quiet >/dev/null

begin() { # SIGNAL RANK...: starts a training on 3 ranks and sends the signal to RANKs once there is a checkpoint
    rm -f kept pid-*
    # shellcheck disable=SC2086
    timeout -k 5 180 "$mpiexec" -n 3 "$work/named" train $long --checkpoint-every 0 -o many.json >report 2>said </dev/null &
    job=$!
    for ((i = 0; i < 1000; i++)); do [ ! -s kept ] || break; sleep 0.02; done
    [ -s kept ] || fail "no checkpoint"
    for rank in "${@:2}"; do kill "-$1" "$(cat "pid-$rank")" 2>/dev/null || true; done
    code=0
    wait $job || code=$?
    [ $code != 124 ] || fail "the job hangs after $1"
}
resume() { # N
    cp saved kept
    # shellcheck disable=SC2086
    if [ "$1" = 0 ]; then "$program" train $long -o many.json >report 2>said; else done_by "$1" train $long -o many.json; fi
    grep -q 'resuming from .* after iteration' said || fail "the training did not resume"
    cmp one.json many.json || fail "killed, then resumed on $1 ranks: the model differs"
    [ ! -e kept ] || fail "the checkpoint was not deleted"
    rm many.json
}
begin KILL 1
[ $code != 0 ] && [ ! -e many.json ] || fail "killed, exit $code"
[ -s said ] || fail "no message about the killed rank"
mv kept saved
for n in 0 1 2 3; do resume $n; done

begin KILL 0
[ $code != 0 ] && [ ! -e many.json ] || fail "rank 0 killed, exit $code"
mv kept saved
resume 2

begin TERM 2 # one rank is enough
[ $code = 0 ] && [ -s many.json ] || fail "stopped, exit $code"
[ "$(grep -c 'notice: interrupted at iteration' said)" = 1 ] || fail "no notice that training stopped"
mv kept saved
resume 2

# --- a rank that fails while the others wait for it ---

for r in 0 1 2; do "$program" convert all.csv all.csv all.csv all.csv all.csv all.csv all.csv all.csv disk-$r/part.npy >/dev/null; done
rm -f kept
timeout -k 5 180 "$mpiexec" -n 3 "$work/on_disks" train part.npy --local --preset mbgd-rda --memory 1MB --iters 1000000 --batch 600 \
    --checkpoint "$work/kept" --checkpoint-every 0 >report 2>said </dev/null &
job=$!
for ((i = 0; i < 1000; i++)); do [ ! -s kept ] || break; sleep 0.02; done
touch disk-1/part.npy
code=0
wait $job || code=$?
[ $code != 0 ] && [ $code != 124 ] || fail "a changed file, exit $code"
grep -q '^sugeno: rank 1: part.npy: the file was changed' said || fail "no message about the changed file"
[ -s kept ] || fail "the checkpoint is gone"
echo "one process and 1, 2, 3 and 8 ranks gave the same bytes"
