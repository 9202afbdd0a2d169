#!/bin/bash
# kill_and_resume.sh PROGRAM DATA.csv KILLS: kills trainings (SIGKILL) at KILLS random moments in total. The same
# command then resumes the training, with another number of threads, until it finishes. The model must be identical to
# that of an uninterrupted training. A checkpoint is written after every iteration, so many kills happen while a file is
# written, others while the data is read, during a step, or while the model is written. SEED=N repeats a choice of
# moments.
set -eu
program=$(realpath "$1") data=$(realpath "$2") kills=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
RANDOM=${SEED:=$$}

trainings=(
    "-t y --optim jang"
    "-t y --optim sgd --rate 0.001"
    "-t y --optim adam --precision f32"
    "-t y --optim adabound --batch 600"
    "-t y --optim adabelief --rules 7 --mf gauss-a --precision f32"
    "-t y --iters 80 --rate 0.05 --valid-fraction 0.3 --patience 10"
    "-t y,z --weights w --valid-fraction 0.2"
    "-t y --preset anfis-gd-lse --iters 20"
)
# The series with a column of weights and a second target.
awk -F, 'NR == 1 { print "a,b,c,d,y,w,z" } NR > 1 { print $0 "," NR % 5 "," $1 * $2 }' "$data" >data.csv

fail() { echo "kill_and_resume.sh, SEED=$SEED: $options: $*"; cat said; exit 1; }

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# start OPTIONS...: starts a training in the background.
start() {
    # shellcheck disable=SC2086 # a list of words
    "$program" train data.csv --preset mbgd-rda --iters 25 $options "$@" -o model.json >report 2>said &
    pid=$!
}

# finish: waits for the training. Returns 0 if it finished, 1 if it was killed.
finish() {
    code=0
    { wait $pid; } 2>/dev/null || code=$?
    [ $code = 0 ] || [ $code = 137 ] || fail "exit $code"
    [ $code = 0 ]
}

resume() { start --checkpoint kept --checkpoint-every 0 --threads $((RANDOM % 3 + 1)); }

killed=0 resumed=0
for ((i = 0; killed < kills; i++)); do
    options=${trainings[i % ${#trainings[@]}]}
    start
    finish
    mv model.json whole.json
    begun=$(milliseconds)
    resume
    finish
    took=$(($(milliseconds) - begun))
    rm model.json
    for ((done = 0; !done; )); do
        resume
        if [ $killed -lt "$kills" ]; then
            after=$((RANDOM % (took + 1) / 2))
            sleep $((after / 1000)).$(printf %03d $((after % 1000)))
            kill -KILL $pid 2>/dev/null || true
        fi
        if finish; then done=1; else killed=$((killed + 1)); fi
        ((done)) || ! grep -q 'resuming from' said || resumed=$((resumed + 1))
    done
    cmp whole.json model.json || fail "the model differs"
    [ ! -e kept ] || fail "the checkpoint was not deleted"
done
cut=$(find . -name '.sugeno-*.tmp' | wc -l)
echo "$killed kills, $cut while a file was written, $resumed after resuming: all models are identical"
[ $resumed -gt 0 ] || fail "no training resumed from its checkpoint"
