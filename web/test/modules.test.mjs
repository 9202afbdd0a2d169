// The convention that cmake/page.cmake relies on: it joins the modules by taking lines away.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const web = new URL("..", import.meta.url);
const read = (name) => readFileSync(new URL(name, web), "utf8");
const modules = read("modules").trim().split("\n");

test("the list of modules has every one of them once", () => {
    assert.deepEqual([...modules].sort(), readdirSync(web).filter((name) => name.endsWith(".js")).sort());
});

test("a module imports what others before it export, by one line each, under the same name", () => {
    const exported = new Map();
    for (const name of modules) {
        const text = read(name);
        for (const line of text.split("\n").filter((one) => /^\s*import\b/.test(one))) {
            const found = /^import \{ ([\w, ]+) \} from "\.\/([\w.]+)";$/.exec(line);
            assert.ok(found, `${name}: ${line}`);
            for (const what of found[1].split(", ")) assert.equal(exported.get(what), found[2], `${name} imports ${what}`);
        }
        assert.doesNotMatch(text.replace(/^.*@(?:param|typedef|type|property)\b.*$/gm, ""), /\bimport\s*\(/, `${name}: nothing is imported later on`);
        for (const [, what] of text.matchAll(/^export (?:async )?(?:function\*?|const|let|class) (\w+)/gm)) exported.set(what, name);
        const others = [...text.matchAll(/^export .*/gm)].filter(([line]) => !/^export (?:async )?(?:function\*?|const|let|class) \w+/.test(line));
        assert.deepEqual(others.map(([line]) => line), [], `${name}: exports are declarations`);
        assert.ok(text.endsWith("\n"), `${name} ends with a newline`);
    }
});

test("names at the top of modules are different, since they share one scope", () => {
    const seen = new Map();
    for (const name of modules)
        for (const [, what] of read(name).matchAll(/^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)/gm)) {
            assert.equal(seen.get(what), undefined, `${what} of ${name}`);
            seen.set(what, name);
        }
});

test("nothing is made of text that could be markup", () => {
    for (const name of modules) assert.doesNotMatch(read(name), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/, name);
});

test("nothing is fetched", () => {
    for (const name of [...modules, "style.css", "page.html"])
        assert.doesNotMatch(read(name).replaceAll("http://www.w3.org/2000/svg", ""), /https?:|@import|url\((?!#)|fetch\(|XMLHttpRequest/, name);
});

test("the lock file names versions and hashes, and no place to get them from", () => {
    assert.doesNotMatch(read("package-lock.json"), /"resolved"|:\/\//);
});
