# Help shows the values in force: the preset's, those of a file, those given.
echo "batch = 17" >my.conf
"$SUGENO" train --preset mbgd --iters 9 --config my.conf --help | grep -o '\[.*; now .*\]'
# All options are there.
"$SUGENO" help options | grep -o -e '--[a-z0-9-]*' | sort -u >named
for name in preset keep folds valid valid-fraction sigma-floor threads header; do
    grep -q -x -e "--$name" named || echo "--$name is missing"
done
