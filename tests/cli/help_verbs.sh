# --help of every verb. `sugeno help VERB` prints the same page.
for verb in train predict eval calibrate cv convert rules simplify explain report info demo help; do
    echo "=== $verb"
    "$SUGENO" $verb --help
    "$SUGENO" help $verb >page
    "$SUGENO" $verb -h | cmp - page
done
