# Help shows the current values: of the preset, of a file, of the command line.
echo "batch = 17" >my.conf
"$SUGENO" train --preset mbgd --iters 9 --config my.conf --help | grep -o '\[.*; now .*\]'
# All options are listed.
"$SUGENO" help options | sed -nE 's/^ {2,6}(-[a-zA-Z], )?(--[a-z0-9-]+).*/\2/p' >named # descriptions name options, too
for name in preset keep folds valid valid-fraction sigma-floor threads header; do
    grep -q -x -e "--$name" named || echo "--$name is missing"
done
