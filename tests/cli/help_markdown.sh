# docs/options.md equals the output of the program. If this fails: sugeno help --format markdown >docs/options.md
"$SUGENO" help --format markdown | diff - "$TESTDIR/../../docs/options.md"
