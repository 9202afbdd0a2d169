// module_conventions.test.mjs: checks the conventions that cmake/page.cmake relies on to concatenate the modules.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const web = new URL("..", import.meta.url);
const read = (name) => readFileSync(new URL(name, web), "utf8");
const modules = read("module_order.txt").trim().split("\n");

test("the list has every module once", () => {
    assert.deepEqual([...modules].sort(), readdirSync(web).filter((name) => name.endsWith(".js")).sort());
});

test("a module imports from earlier modules, one line each, without renaming", () => {
    const exported = new Map();
    for (const name of modules) {
        const text = read(name);
        for (const line of text.split("\n").filter((one) => /^\s*import\b/.test(one))) {
            const found = /^import \{ ([\w, ]+) \} from "\.\/([\w.]+)";$/.exec(line);
            assert.ok(found, `${name}: ${line}`);
            for (const what of found[1].split(", ")) assert.equal(exported.get(what), found[2], `${name} imports ${what}`);
        }
        assert.doesNotMatch(text.replace(/^.*@(?:param|typedef|type|property)\b.*$/gm, ""), /\bimport\s*\(/, `${name}: no dynamic imports`);
        for (const [, what] of text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)) exported.set(what, name);
        const others = [...text.matchAll(/^export .*/gm)].filter(([line]) => !/^export (?:async )?(?:function\*?|const|let|class) \w+/.test(line));
        assert.deepEqual(others.map(([line]) => line), [], `${name}: exports are declarations`);
        assert.ok(text.endsWith("\n"), `${name} ends with a newline`);
    }
});

test("top-level names are unique, since modules share one scope", () => {
    const seen = new Map();
    for (const name of modules)
        for (const [, what] of read(name).matchAll(/^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/gm)) {
            assert.equal(seen.get(what), undefined, `${what} of ${name}`);
            seen.set(what, name);
        }
});

test("no text is parsed as markup or code", () => {
    for (const name of modules) assert.doesNotMatch(read(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/, name);
});

test("nothing is fetched", () => {
    for (const name of [...modules, "style.css", "page.html"])
        assert.doesNotMatch(read(name).replaceAll("http://www.w3.org/2000/svg", ""), /https?:|@import|url\((?!#)|fetch\(|XMLHttpRequest/, name);
});

test("the lock file has versions and hashes, but no URLs", () => {
    assert.doesNotMatch(read("package-lock.json"), /"resolved"|:\/\//);
});
