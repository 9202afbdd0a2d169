#!/bin/sh
# browser.sh ROOT SUGENO OUT: tests the report in chromium, and the types of its modules. Installs playwright-core and
# typescript from npm in OUT and saves screenshots there. Skipped if chromium or the packages are not available.
set -eu
root=$1 sugeno=$2 out=$3
skip() { echo "skipped: $*" && exit 77; }
for program in node npm chromium; do
    command -v $program >/dev/null || skip "$program is not installed"
done
mkdir -p "$out/pictures"
cp "$root/web/package.json" "$root/web/package-lock.json" "$out"
if ! cmp -s "$out/package-lock.json" "$out/node_modules/.from"; then
    (cd "$out" && npm ci --no-audit --no-fund --ignore-scripts >log 2>&1) || { cat "$out/log" && skip "npm cannot install playwright-core and typescript"; }
    cp "$out/package-lock.json" "$out/node_modules/.from"
fi
"$out/node_modules/.bin/tsc" -p "$root/web"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/web/test/train_models.sh" "$sugeno" "$root/examples" "$work"
MODELS=$work SUGENO=$sugeno SHOTS=$out/pictures CHROMIUM=$(command -v chromium) PLAYWRIGHT=$out/node_modules/playwright-core/index.mjs \
    node --test "$root/web/test/browser.test.mjs"
