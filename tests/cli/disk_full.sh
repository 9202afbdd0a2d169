# A full disk or a file size limit: exit 1, existing files are unchanged, no temporary file remains.
. "$TESTDIR/lib.inc"
series 400 >d.csv
"$SUGENO" train d.csv --preset mbgd-rda --iters 5 -o m.json --quiet >report
cp m.json before.json
echo old >p.csv
(
    ulimit -f 2
    run train d.csv --preset mbgd-rda --iters 6 -o m.json
    run predict m.json d.csv -o p.csv
) | grep -v 'report'
cmp m.json before.json
cat p.csv
ls -A
# A real full disk, if the test may mount one.
mkdir disk
if mount -t tmpfs -o size=8k none disk 2>/dev/null; then
    trap 'umount disk' EXIT
    echo old >disk/m.json
    "$SUGENO" train d.csv --preset mbgd-rda --iters 6 -o disk/m.json >report 2>said && echo "no failure"
    cat said >&2
    [ "$(cat disk/m.json)" = old ] || echo "the old file is gone"
    [ "$(ls -A disk)" = m.json ] || ls -A disk
fi
:
