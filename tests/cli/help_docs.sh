# docs/options.md is what the program prints. If this fails: sugeno help --format markdown >docs/options.md
"$SUGENO" help --format markdown | diff - "$TESTDIR/../../docs/options.md"
