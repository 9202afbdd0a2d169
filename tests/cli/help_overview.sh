# labels: memory
# The overview, in all ways to request it.
"$SUGENO" help
"$SUGENO" help >overview
"$SUGENO" --help | cmp - overview
"$SUGENO" -h | cmp - overview
"$SUGENO" help help | head -n 3
"$SUGENO" help presets
"$SUGENO" --version | sed 's/[0-9.]*$/VERSION/'
"$SUGENO" cv --version | sed 's/[0-9.]*$/VERSION/'
