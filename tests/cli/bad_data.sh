# Invalid input: exit 1, one message with the location, no output file.
. "$TESTDIR/lib.inc"
try() { # what printf makes
    shift
    printf "$@" >d.csv
    run train d.csv -o m.json
    [ ! -e m.json ] || fail "a model was written"
}
try empty ''
try blank '\n\n'
try header 'a,b,y\n'
try one_row 'a,b,y\n1,2,3\n'
try one_column 'y\n1\n2\n3\n'
try ragged_short 'a,b,y\n1,2,3\n4,5\n6,7,8\n'
try ragged_long 'a,b,y\n1,2,3\n4,5,6,7\n'
try quote 'a,b,y\n1,2,3\n4,"5,6\n7,8,9\n'
try nul 'a,b,y\n1,2,3\n4,\0005,6\n'
try text 'a,b,y\n1,2,3\n4,five,6\n7,8,9\n'
try range 'a,b,y\n1,2,3\n4,1e400,6\n'
try no_target 'a,b,y\n1,2,3\n4,5,\n6,7,NA\n'
try all_text 'a,b\nx,y\nz,w\n'
try all_constant 'a,b,y\n1,2,3\n1,2,4\n1,2,5\n'
plane 30 >d.csv
run train d.csv -t z
run train d.csv -t Y
run train d.csv --ignore z
run train d.csv --weights z
run train missing.csv
run train .
run cv d.csv --folds 20
run cv d.csv -t z
run eval missing.json d.csv
echo '{"format": 1' >cut.json
run eval cut.json d.csv
run rules d.csv
ls
