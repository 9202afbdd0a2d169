# Help shows the current values: of the preset, of a file, of the command line.
echo "batch = 17" >my.conf
"$SUGENO" train --preset mbgd --iters 9 --config my.conf --help | grep -o '\[.*; now .*\]'
# All options are listed.
"$SUGENO" help options | grep -o -e '--[a-z0-9-]*' | sort -u >named
for name in preset keep folds valid valid-fraction sigma-floor threads header; do
    grep -q -x -e "--$name" named || echo "--$name is missing"
done
