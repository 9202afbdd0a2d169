# A file that cannot be written: exit 1, an existing file is unchanged, no temporary file remains.
. "$TESTDIR/lib.inc"
series 100 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 5 -o m.json --quiet >report
mkdir folder
run train d.csv --iters 1000000000 -o missing/m.json
run train d.csv --iters 1000000000 -o folder
run train d.csv --iters 1000000000 -o d.csv/m.json
run predict m.json d.csv -o missing/p.csv
run predict m.json d.csv -o m.json
run demo -o missing/m.json
run train d.csv --preset mbgd-rda --iters 5 -o /dev/full | grep -v "^preset"
run predict m.json d.csv -o /dev/full
# No permission, even for root.
run train d.csv --iters 1000000000 -o /proc/m.json | sed 's/: [A-Z].*/: .../'
# Symbolic links and file modes are kept.
ln -s m.json link.json
chmod 640 m.json
"$SUGENO" train d.csv --preset mbgd-rda --iters 6 -o link.json --quiet >report
[ -L link.json ] && stat -c %a m.json
"$SUGENO" info m.json | grep '^iterations'
ls -A
