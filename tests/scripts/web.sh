#!/bin/sh
# web.sh ROOT SUGENO: tests the JavaScript modules of the report: how they are combined into one page, and their unit tests.
# One of these compares the predictions of the page with those of the command line.
set -eu
root=$1 sugeno=$2
if ! command -v node >/dev/null; then
    echo "skipped: node is not installed"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$root/web/test/train_models.sh" "$sugeno" "$root/examples" "$work"

# cmake/page.cmake and node must combine the modules into the same bytes.
cat >"$work/join.mjs" <<'END'
import { readFileSync } from "node:fs";
const [web, page] = process.argv.slice(2), read = (name) => readFileSync(`${web}/${name}`, "utf8");
const script = read("module_order.txt").trim().split("\n").map((name) => read(name).replace(/^import .*$/gm, "").replace(/^export /gm, "")).join("");
const whole = read("page.html").replace("@STYLE@", () => read("style.css")).replace("@SCRIPT@", () => script), at = whole.indexOf("@DATA@");
const made = readFileSync(page, "utf8");
if (!made.startsWith(whole.slice(0, at)) || !made.endsWith(whole.slice(at + 6))) throw new Error("the page differs from the files in web/");
END
node "$work/join.mjs" "$root/web" "$work/three.html"

MODELS=$work node --test "$root/web/test/evaluate.test.mjs" "$root/web/test/chart_helpers.test.mjs" "$root/web/test/module_conventions.test.mjs"
