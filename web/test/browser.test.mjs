// browser.test.mjs: tests the report in Chromium, driven by playwright-core. Environment: MODELS (output folder of train_models.sh), SUGENO
// (the program), PLAYWRIGHT (playwright-core's index.mjs), CHROMIUM, SHOTS (folder for screenshots).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { compile } from "../evaluate.js";
import { findOutside } from "../outside_training.js";
import { findOverflow } from "./find_overflow.mjs";

const { MODELS = "", SUGENO = "", PLAYWRIGHT = "", CHROMIUM = "/usr/bin/chromium", SHOTS = `${MODELS}/shots` } = process.env;
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
const { chromium } = await import(PLAYWRIGHT);
const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: flags });
mkdirSync(SHOTS, { recursive: true });

/** Opens MODELS/NAME.html. Collects console errors, warnings, dialogs and network requests in `wrong`. */
async function open(name, { size = "desktop", scheme = "light" } = {}) {
    const context = await browser.newContext({ viewport: sizes[size], colorScheme: scheme }), page = await context.newPage(), wrong = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(error.message));
    page.on("dialog", (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => /^(file|data):/.test(request.url()) || wrong.push(`asks for ${request.url()}`));
    await page.goto(`file://${MODELS}/${name}.html`);
    await page.waitForSelector("html[data-ready=yes]", { state: "attached", timeout: 30000 });
    return { page, wrong, close: () => context.close() };
}

const json = (name, id) => JSON.parse(new RegExp(`id="${id}">\\n(.*?)\\n</script>`, "s").exec(readFileSync(`${MODELS}/${name}.html`, "utf8"))[1]);
const prediction = async (page) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return Number(await page.locator("#prediction").getAttribute("data-value"));
};
const near = (a, b, scale, what) => assert.ok(Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(b), scale), `${what}: ${a}, not ${b}`);

/** The prediction of the command line for the current row of the page, first output. */
async function byCommandLine(page, name) {
    const model = json(name, "model"), quoted = (text) => `"${String(text).replaceAll('"', '""')}"`, cells = [];
    for (let i = 0; i < model.inputs.length; i++) {
        const value = await page.locator(`[data-input="${i}"]`).inputValue(), levels = model.inputs[i].levels;
        cells.push(value === "" ? "" : levels ? quoted(levels[Number(value)] ?? "never seen before") : value);
    }
    // A second row, because a file whose only row is empty would have no rows.
    writeFileSync(`${MODELS}/asked.csv`, `${model.inputs.map((input) => quoted(input.name)).join(",")}\n${cells.join(",")}\n${cells.map((_, i) => (model.inputs[i].levels ? quoted(model.inputs[i].levels[0]) : 1)).join(",")}\n`);
    const said = execFileSync(SUGENO, ["predict", `${MODELS}/${name}.json`, `${MODELS}/asked.csv`, "--quiet"], { encoding: "utf8" });
    return Number(said.split("\n")[1].split(",")[0]);
}

for (const name of ["grid", "gbell", "tri", "trap", "pca", "cluster", "words", "effects", "ensemble", "three", "wide", "many", "offset", "curves", "pairs", "both", "terms"])
    test(`${name}: rows, sliders, boxes and missing values agree with sugeno predict`, async () => {
        const { page, wrong, close } = await open(name), model = json(name, "model"), data = json(name, "data"), scale = model.targets[0].scale;
        assert.ok(Number(await page.locator("html").getAttribute("data-agreement")) <= 1e-12);
        const row = data.row ?? data.predicted[0].map((_, i) => i + 1);
        assert.match(await page.locator("#row-note").innerText(), /No row loaded/);
        for (const at of [0, 7, row.length - 1]) {
            await page.fill("#row", String(row[at]));
            await page.press("#row", "Enter");
            near(await prediction(page), data.predicted[0][at], scale, `row ${row[at]}`);
            assert.match(await page.locator("#row-note").innerText(), / loaded$/);
        }
        const numbers = model.inputs.flatMap((input, i) => (input.levels ? [] : [i]));
        const before = await prediction(page);
        await page.focus(`[data-slider="${numbers[0]}"]`);
        for (let k = 0; k < 9; k++) await page.keyboard.press(k % 3 ? "ArrowRight" : "PageDown");
        assert.notEqual(await prediction(page), before, "the slider changes the prediction");
        near(await prediction(page), await byCommandLine(page, name), scale, "after keys");
        await page.locator(`[data-slider="${numbers[1]}"]`).fill(String(Number((0.3 * model.inputs[numbers[1]].low + 0.7 * model.inputs[numbers[1]].high).toPrecision(8))));
        near(await prediction(page), await byCommandLine(page, name), scale, "after a slider was moved");
        await page.fill(`[data-input="${numbers[1]}"]`, "1.2385");
        near(await prediction(page), await byCommandLine(page, name), scale, "after a number");
        await page.locator(".control", { has: page.locator(`[data-input="${numbers[0]}"]`) }).locator(".gone").click();
        await prediction(page); // waits for the page
        assert.equal(await page.inputValue(`[data-input="${numbers[0]}"]`), "");
        near(await prediction(page), await byCommandLine(page, name), scale, "with a missing input");
        for (const i of model.inputs.keys()) {
            if (!model.inputs[i].levels) continue;
            for (const value of await page.locator(`[data-input="${i}"] option`).evaluateAll((list) => list.map((one) => one.value))) {
                await page.selectOption(`[data-input="${i}"]`, value);
                near(await prediction(page), await byCommandLine(page, name), scale, `level "${value}"`);
            }
        }
        assert.deepEqual(wrong, []);
        await close();
    });

test("the contributions of the rules add up to the prediction", async () => {
    const { page, close } = await open("three");
    const sum = await page.locator(".firing li").evaluateAll((list) => list.filter((one) => !one.hidden).reduce((all, one) => all + Number(one.dataset.adds), 0));
    assert.ok(Math.abs(sum - (await prediction(page))) < 1e-9);
    assert.equal(await page.locator(".firing li:visible").count(), 4);
    await close();
});

test("the table of rules can be sorted by each column, with mouse and keyboard", async () => {
    const { page, wrong, close } = await open("cluster");
    const column = (place) => page.locator(`table.rules tbody tr > :nth-child(${place})`).evaluateAll((cells) => cells.map((cell) => Number(cell.textContent.replace(/[^\d.−<-]/g, "").replace("<", "").replace("−", "-"))));
    const rises = (list) => list.every((value, i) => i === 0 || value >= list[i - 1]), falls = (list) => rises([...list].reverse());
    assert.ok(falls(await column(2)), "initially by coverage");
    await page.click('[data-sort="number"]');
    assert.deepEqual(await column(1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert.equal(await page.locator("th.number").first().getAttribute("aria-sort"), "ascending");
    await page.focus('[data-sort="says"]');
    await page.keyboard.press("Enter");
    assert.ok(falls(await column(4)), `${await column(4)}`);
    await page.keyboard.press("Space");
    assert.ok(rises(await column(4)));
    await page.focus("table.rules summary >> nth=0");
    await page.keyboard.press("Enter");
    assert.match(await page.locator(".whole").first().innerText(), /x\(t\) is .*about[^]*x\(t\+6\) = /);
    assert.deepEqual(wrong, []);
    await close();
});

test("conditions have the wording of sugeno rules", async () => {
    for (const name of ["grid", "gbell", "trap", "pca", "cluster", "words", "effects", "three", "wide", "ensemble"]) {
        const said = execFileSync(SUGENO, ["rules", `${MODELS}/${name}.json`, "--format", "markdown", "--top", "0"], { encoding: "utf8", maxBuffer: 1 << 28 }).replaceAll(/\\(.)/g, "$1");
        const conditions = [...said.matchAll(/^- \*\*IF\*\* (.*)$/gm)].map(([, text]) => text), { rules } = json(name, "words");
        // sugeno rules only counts blocks whose single rule has a zero consequent.
        const silent = name === "ensemble" ? rules.findIndex(([, list], i) => list.join(" and ") !== conditions[i]) : -1;
        if (silent >= 0) assert.deepEqual(rules.splice(silent, 1)[0][1], ["anything"]);
        assert.deepEqual(rules.map(([, list]) => list.join(" and ")), conditions.slice(0, rules.length), name);
        assert.ok(rules.length === conditions.length || JSON.stringify(rules).length > 250000, `${name}: only as many as fit`);
        const sentences = [...said.matchAll(/^- On these rows(.*)$/gm)].map(([, text]) => text);
        assert.deepEqual(rules.slice(0, 64).flatMap(([, , there]) => there), sentences.slice(0, rules.slice(0, 64).flatMap(([, , there]) => there).length), name);
    }
    const { page, close } = await open("wide"), first = json("wide", "words").rules[0][1];
    await page.locator("table.rules summary").first().click();
    await page.waitForSelector("table.rules .whole li"); // filled when opened
    assert.deepEqual(await page.locator("table.rules .whole").first().locator("li").allInnerTexts(), first.map((text) => text.replaceAll(" +- ", " ± ")));
    assert.match(await page.locator("#viewer .firing .words").first().innerText(), / and \d+ more$/);
    await close();
});

test("outside rows agree with sugeno predict --outside, and the page warns", async () => {
    for (const name of ["grid", "trap", "pca", "cluster", "effects", "ensemble"]) {
        const file = json(name, "model"), m = compile(file), quoted = (text) => `"${text.replaceAll('"', '""')}"`;
        // From the middle of each range to slightly outside, with different phases per input.
        const rows = Array.from({ length: 40 }, (_, k) => m.inputs.map((input, i) => (input.levels ? (k + i) % input.levels.length
            : Number((input.low + (input.high - input.low) * (0.5 + 0.52 * Math.sin(k * (i + 1.3)))).toPrecision(6)))));
        const lines = rows.map((row) => row.map((value, i) => (m.inputs[i].levels ? quoted(m.inputs[i].levels[value]) : value)).join(","));
        writeFileSync(`${MODELS}/asked.csv`, `${m.inputs.map((input) => quoted(input.name)).join(",")}\n${lines.join("\n")}\n`);
        const said = execFileSync(SUGENO, ["predict", `${MODELS}/${name}.json`, `${MODELS}/asked.csv`, "--outside", "--quiet"], { encoding: "utf8" });
        const cells = said.trim().split("\n").slice(1).map((line) => line.slice(line.indexOf(",") + 1).replace(/^"|"$/g, "").replaceAll('""', '"'));
        const ours = rows.map((row) => findOutside(file, m, row).inputs.map((i) => m.inputs[i].name).join(";"));
        assert.deepEqual(ours, cells, name);
        assert.ok(ours.some((names) => names) && ours.some((names) => !names), `${name}: some rows are outside, some are not`);
    }
    for (const [name, words] of [["trap", /is outside .* to .*: it is clamped to/], ["grid", /is outside .* to [\d.]+, its range in the training data\./]]) {
        const { page, wrong, close } = await open(name), { high } = json(name, "model").inputs[0];
        assert.doesNotMatch(await page.locator("#outside").textContent(), /is outside/, "not initially");
        await page.fill('[data-input="0"]', String(high + 1));
        await prediction(page);
        assert.match(await page.locator("#outside").innerText(), words);
        await page.fill('[data-input="0"]', String(high));
        await prediction(page);
        assert.doesNotMatch(await page.locator("#outside").textContent(), /is outside/);
        assert.deepEqual(wrong, []);
        await close();
    }
});

test("row numbers select rows; invalid ones are rejected", async () => {
    for (const [name, all] of [["offset", 300], ["many", 21000]]) {
        const { page, close } = await open(name);
        await page.fill("#row", "11");
        await page.press("#row", "Enter");
        const before = await prediction(page);
        for (const wrong of ["0", "-3", "99999999", "2.5"]) {
            await page.fill("#row", wrong);
            await page.press("#row", "Enter");
            assert.match(await page.locator("#row-note").innerText(), new RegExp(`Row numbers are 1 to ${all < 10000 ? all : "21\u202f000"}$`));
            assert.equal(await prediction(page), before);
        }
        assert.equal(/evenly spaced/.test(await page.locator(".loader").innerText()), name === "many");
        await close();
    }
});

test("numbers with small relative differences are distinguishable, and inputs start within their range", async () => {
    for (const size of ["desktop", "phone"]) {
        const { page, wrong, close } = await open("offset", { size }), { inputs } = json("offset", "model");
        await page.waitForSelector("#surface[data-ready]");
        for (const [i, { low, high }] of inputs.entries()) {
            const start = Number(await page.inputValue(`[data-input="${i}"]`));
            assert.ok(start >= low && start <= high, `${inputs[i].name} starts at ${start}`);
        }
        const axes = await page.evaluate(() => [...document.querySelectorAll("svg.chart")].map((svg) => ["end", "middle"].map((side) => [...svg.querySelectorAll(`.tick[text-anchor=${side}]`)].map((text) => text.textContent))));
        for (const names of axes.flat()) assert.equal(new Set(names).size, names.length, names.join(", "));
        const [, low, high] = /interval: (.*) to (.*)/.exec(await page.locator("#interval").innerText());
        assert.notEqual(low, high);
        await page.selectOption("#output", "1");
        await page.fill("#row", "5");
        await page.press("#row", "Enter");
        await prediction(page);
        assert.match(await page.locator("#prediction").innerText(), /e−/);
        assert.deepEqual(await page.evaluate(findOverflow), []);
        assert.deepEqual(wrong, []);
        await close();
    }
});

test("every membership function is drawn, before and after training, and those of the strongest rule are highlighted", async () => {
    const { page, wrong, close } = await open("wide"), card = page.locator("#inputs figure").first(), mfs = json("wide", "model").blocks[0].mfs.filter((mf) => mf.input === 0).length;
    assert.ok(mfs > 32);
    assert.equal(await card.locator(".line.many:not(.before)").count(), mfs);
    assert.equal(await card.locator(".line.before").count(), mfs);
    assert.equal(await card.locator(".line.top:not(.before)").count(), 1);
    const ticks = await card.locator(".tick[text-anchor=end]").allTextContents();
    assert.deepEqual([ticks[0], ticks.at(-1)], ["0", "1"]);
    assert.deepEqual(wrong, []);
    await close();
    const many = await open("ensemble"), button = many.page.locator("#inputs button.plain").first(), all = Number((await button.innerText()).replace(/\D/g, ""));
    await button.focus();
    await many.page.keyboard.press("Enter");
    assert.equal(await many.page.locator("#inputs figure").first().locator(".line.many:not(.before)").count(), all);
    await many.close();
});

test("components are explained", async () => {
    const { page, close } = await open("pca"), text = await page.locator("#inputs").innerText();
    assert.match(text, /--pca 0/);
    assert.match(text, /component 1 = [^\n]*x\(t\)[^]*component 2 = /);
    await close();
});

test("the headline is a held-out error with its source, and training rows are recognised", async () => {
    const summary = async (name) => {
        const { page, wrong, close } = await open(name), text = await page.locator("#summary").innerText(), tile = await page.locator(".tile").first().innerText();
        assert.deepEqual(wrong, []);
        await close();
        return { text, tile };
    };
    const grid = await summary("grid"), record = json("grid", "model").training;
    assert.match(grid.tile, /^held-out RMSE\n/);
    assert.ok(Math.abs(Number(grid.tile.split("\n")[1]) - record.valid_rmse) < 1e-3 * record.valid_rmse);
    assert.match(grid.tile, /20 % of the rows that were held out/);
    assert.match(grid.text, /trained on 240 of these 300 rows; the others were its validation rows/);
    const cluster = await summary("cluster");
    assert.match(cluster.tile, /^RMSE on training rows\n/);
    assert.match(cluster.text, /no error on held-out rows/);
    assert.match(cluster.text, /These are the rows that the model was trained on/);
    const lines = readFileSync(`${MODELS}/few.csv`, "utf8").trim().split("\n");
    writeFileSync(`${MODELS}/later.csv`, [lines[0], ...lines.slice(600)].join("\n") + "\n");
    const said = JSON.parse(execFileSync(SUGENO, ["eval", `${MODELS}/cluster.json`, `${MODELS}/later.csv`, "--json", "--quiet"], { encoding: "utf8" }));
    execFileSync(SUGENO, ["report", `${MODELS}/cluster.json`, `${MODELS}/later.csv`, "-o", `${MODELS}/later.html`]);
    const later = await summary("later");
    assert.match(later.tile, /^held-out RMSE\n/);
    assert.ok(Math.abs(Number(later.tile.split("\n")[1]) - (said.rmse ?? said.targets[0].rmse)) < 0.01 * Number(later.tile.split("\n")[1]), JSON.stringify(said));
    assert.match(later.text, /not the training data/);
    assert.doesNotMatch(later.text, /trained on/);
});

test("one row gives no R²", async () => {
    writeFileSync(`${MODELS}/single.csv`, readFileSync(`${MODELS}/grid.csv`, "utf8").split("\n").slice(0, 2).join("\n") + "\n");
    execFileSync(SUGENO, ["report", `${MODELS}/grid.json`, `${MODELS}/single.csv`, "-o", `${MODELS}/single.html`]);
    const { page, wrong, close } = await open("single"), text = await page.locator("#summary").innerText();
    assert.doesNotMatch(text, /explains|R² \d/);
    assert.match(text, /R² is undefined for constant targets/);
    assert.deepEqual(await page.evaluate(findOverflow), []);
    assert.deepEqual(wrong, []);
    await close();
});

test("the response surface: selecting inputs, clicking, never the same input twice", async () => {
    const { page, wrong, close } = await open("three");
    await page.waitForSelector("#surface[data-ready]");
    const first = await page.locator("#surface image").getAttribute("href");
    await page.selectOption("#surface-x", "2");
    await page.selectOption("#surface-y", "2");
    assert.notEqual(await page.inputValue("#surface-x"), "2");
    await page.locator("#surface image").click({ position: { x: 40, y: 30 } });
    near(await prediction(page), await byCommandLine(page, "three"), json("three", "model").targets[0].scale, "after a click on the map");
    assert.notEqual(await page.locator("#surface image").getAttribute("href"), first);
    assert.ok((await page.locator("#surface circle.row").count()) > 20);
    const clicked = await prediction(page);
    await page.focus("#surface .chart-host");
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    assert.notEqual(await prediction(page), clicked, "arrow keys change it");
    near(await prediction(page), await byCommandLine(page, "three"), json("three", "model").targets[0].scale, "after arrow keys on the map");
    assert.deepEqual(wrong, []);
    await close();
});

test("names are text: they create no elements and run no code", async () => {
    const { page, wrong, close } = await open("words");
    assert.equal(await page.locator("body script:not([type='application/json']):not([type=module]), main b b, main script").count(), 0);
    assert.ok((await page.locator("#viewer label", { hasText: "<script>alert(1)</script>" }).count()) === 1);
    await page.selectOption("#output", "1");
    assert.equal(await page.locator("h1").innerText(), "Model of <b>z</b>");
    assert.match(await page.title(), /<b>z<\/b>/);
    const at = json("words", "data");
    await page.fill("#row", "3");
    await page.press("#row", "Enter");
    near(await prediction(page), at.predicted[1][2], 1, "the second output");
    assert.deepEqual(wrong, []);
    await close();
});

/** The numbers of a curve in the page: for missing values last, if they are shown. */
const handlesOf = (page, k) => page.locator(`#curves .knot[data-curve="${k}"]`);
const valueOfHandle = async (handle) => Number(await handle.getAttribute("aria-valuenow"));
const curveOf = (name, input) => {
    const model = json(name, "model");
    return model.curves.findIndex((curve) => model.inputs[curve.input].name === input);
};

test("an additive model: a chart or bars per input by importance, bands, missing values, and maps of pairs", async () => {
    const { page, wrong, close } = await open("terms"), model = json("terms", "model"), name = (curve) => model.inputs[curve.input].name;
    const cards = await page.locator("#curves .card.curve").evaluateAll((list) => list.map((one) => one.dataset.input));
    assert.deepEqual(cards, [...model.curves].sort((a, b) => b.deviation[0] - a.deviation[0]).map(name));
    for (const [k, curve] of model.curves.entries()) {
        const handles = handlesOf(page, k), numbers = [...curve.then[0], curve.missing[0]];
        assert.equal(await handles.count(), numbers.length, `${name(curve)}: one handle per number, and one for missing values`);
        for (const [i, value] of numbers.entries()) assert.ok(Math.abs((await valueOfHandle(handles.nth(i))) - value) <= 1e-5 * Math.abs(value), `${name(curve)}: number ${i}`);
        assert.match(await handles.last().getAttribute("aria-label"), /missing$/);
        const card = page.locator("#curves .card.curve", { has: page.locator(`.knot[data-curve="${k}"]`) });
        assert.equal(await card.locator(".band-area").count(), curve.knots ? 1 : 0);
        const band = Number(/± ([\d.]+),/.exec(await card.locator(".about-point").innerText())[1]);
        assert.ok(Math.abs(band - 2 * curve.band[0][0]) <= 0.006, `${name(curve)}: ${band} is two standard errors of ${curve.band[0][0]}`);
        assert.equal(await card.locator(".levels li").count(), curve.knots ? 0 : numbers.length);
        assert.equal(await card.locator(".bars.back").count(), curve.knots ? 1 : 0, "density under the axis");
    }
    assert.match(await page.locator("#curves").innerText(), /two standard errors[^]*95 %[^]*uncertainty of the choice/);
    assert.match(await page.locator("#curves").innerText(), /never falls/);
    assert.equal(await page.locator("#inputs").isVisible(), false, "no membership functions");
    assert.equal(await page.locator("#pairs .card.pair image").count(), model.pairs.length);
    assert.ok((await page.locator("#pairs .ramp .at").count()) >= 3, "a legend");
    await page.locator("#pairs summary").first().click();
    const cells = await page.locator("#pairs .card.pair").first().locator("tbody td").allInnerTexts();
    assert.ok(model.pairs.some((pair) => pair.then[0].flat().length === cells.length));
    assert.match(await page.locator("#summary").innerText(), /adds a number from each of 3 curves and 2 tables[^]*held-out RMSE/);
    const sum = await page.locator(".parts li").evaluateAll((list) => list.reduce((all, one) => all + Number(one.dataset.adds), 0)), { mean, scale, y0 } = model.targets[0];
    assert.ok(Math.abs(mean + scale * y0 + sum - (await prediction(page))) < 1e-9, "contributions add up");
    assert.deepEqual(await page.evaluate(findOverflow), []);
    assert.deepEqual(wrong, []);
    await close();
    const plain = await open("pairs"); // without statistics of the training rows
    assert.doesNotMatch(await plain.page.locator("#curves").innerText(), /standard errors/);
    assert.equal(await plain.page.locator("#curves .band-area").count(), 0);
    await plain.page.selectOption("#output", "1");
    const second = json("pairs", "model").curves[0].then[1][0];
    assert.ok(Math.abs((await valueOfHandle(handlesOf(plain.page, 0).first())) - second) < 1e-6, "the second target");
    assert.deepEqual(plain.wrong, []);
    await plain.close();
});

/** The predictions of the command line for the data of a model. */
const predictionsOf = (model, name) => execFileSync(SUGENO, ["predict", model, `${MODELS}/${name}.csv`, "--quiet"], { encoding: "utf8" }).trim().split("\n").slice(1).map((line) => Number(line.split(",")[0]));
const rmseOf = (model, name) => {
    const said = JSON.parse(execFileSync(SUGENO, ["eval", model, `${MODELS}/${name}.csv`, "--json", "--quiet"], { encoding: "utf8" }));
    return said.rmse ?? said.targets[0].rmse;
};
const rmseShown = async (page) => [Number(await page.locator("#edit-fit").getAttribute("data-before")), Number(await page.locator("#edit-fit").getAttribute("data-after"))];

test("points are dragged; the change in fit, undo and the saved model agree with the command line", async () => {
    const { page, wrong, close } = await open("terms"), k = curveOf("terms", 'b & "quotes"');
    assert.equal(await page.locator("#interval").count(), 1);
    const handle = handlesOf(page, k).nth(1), before = await valueOfHandle(handle);
    assert.equal(await page.locator(".edit-bar").isVisible(), false);
    const fitted = await page.locator("#fit .dots").first().getAttribute("d");
    await handle.scrollIntoViewIfNeeded();
    const box = await handle.locator(".dot").boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 3, y - 15, { steps: 4 });
    await page.mouse.move(x, y - 40, { steps: 4 });
    await page.mouse.up();
    const dragged = await valueOfHandle(handlesOf(page, k).nth(1));
    assert.ok(dragged > before + 0.1, `${dragged} after ${before}`);
    assert.ok(Number.isInteger(Number((dragged * 100).toPrecision(12))), "a round number");
    let [was, now] = await rmseShown(page);
    assert.ok(Math.abs(was - rmseOf(`${MODELS}/terms.json`, "terms")) < 1e-9 * was && now > was, `${was} → ${now}`);
    await page.keyboard.press("Control+z");
    assert.equal(await valueOfHandle(handlesOf(page, k).nth(1)), before);
    assert.ok(await page.locator("#undo").isDisabled());
    await page.click("#redo");
    assert.equal(await valueOfHandle(handlesOf(page, k).nth(1)), dragged);
    // A level of a category by keys, the entry of missing values by a number.
    const kind = curveOf("terms", "kind"), level = handlesOf(page, kind).first(), old = await valueOfHandle(level);
    await level.focus();
    await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowLeft");
    assert.ok((await valueOfHandle(handlesOf(page, kind).first())) > old);
    await page.selectOption(`[data-point="${k}"]`, { label: "missing" });
    await page.fill(`[data-number="${k}"]`, "1.2345");
    await page.keyboard.press("Enter");
    assert.equal(await valueOfHandle(handlesOf(page, k).last()), 1.2345);
    assert.match(await page.locator("#edit-fit").innerText(), /training rows[^]*missing/);
    await prediction(page);
    assert.equal(await page.locator("#interval").count(), 0, "the interval is that of the model before");
    assert.notEqual(await page.locator("#fit .dots").first().getAttribute("d"), fitted, "the charts of accuracy follow");
    [was, now] = await rmseShown(page);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    await download.saveAs(`${MODELS}/terms-edited.json`);
    assert.equal(download.suggestedFilename(), "b-z-b-edited.json");
    assert.ok(Math.abs(now - rmseOf(`${MODELS}/terms-edited.json`, "terms")) < 1e-9 * now);
    const said = predictionsOf(`${MODELS}/terms-edited.json`, "terms"), original = predictionsOf(`${MODELS}/terms.json`, "terms");
    let changed = 0;
    for (let row = 0; row < said.length; row += 13) {
        await page.fill("#row", String(row + 1));
        await page.press("#row", "Enter");
        near(await prediction(page), said[row], json("terms", "model").targets[0].scale, `row ${row + 1} of the edited model`);
        changed += said[row] !== original[row];
    }
    assert.ok(changed > 10);
    const file = JSON.parse(readFileSync(`${MODELS}/terms-edited.json`, "utf8")), from = json("terms", "model");
    assert.match(file.training.edited, /^in the report on \d{4}-\d\d-\d\d: .*b & "quotes" at .*missing/);
    assert.deepEqual([file.training.valid_rmse, file.curves[k].band, file.intervals], [undefined, undefined, undefined], "what is no longer true");
    assert.equal(file.training.valid_rmse_before_edit, from.training.valid_rmse);
    assert.deepEqual(file.curves[curveOf("terms", "<script>alert(1)</script>")], from.curves[curveOf("terms", "<script>alert(1)</script>")], "the other curve");
    assert.ok(from.intervals && from.training.valid_rmse > 0);
    assert.deepEqual({ ...file, curves: 0, training: 0, intervals: 0 }, { ...from, curves: 0, training: 0, intervals: 0 });
    await page.click("#reset");
    assert.equal(await page.locator(".edit-bar").isVisible(), false);
    assert.equal(await page.locator("#fit .dots").first().getAttribute("d"), fitted);
    assert.equal(await valueOfHandle(handlesOf(page, k).nth(1)), before);
    assert.deepEqual(wrong, []);
    await close();
    execFileSync(SUGENO, ["report", `${MODELS}/terms-edited.json`, `${MODELS}/terms.csv`, "-o", `${MODELS}/terms-edited.html`]);
    const again = await open("terms-edited");
    assert.match(await again.page.locator("#summary").innerText(), /edited after training/);
    assert.doesNotMatch(await again.page.locator("#summary .tiles").innerText(), /held-out/);
    await again.close();
});

test("edits are judged on the rows of a file, also in a page without data", async () => {
    execFileSync(SUGENO, ["report", `${MODELS}/terms.json`, "-o", `${MODELS}/bare.html`]);
    const { page, wrong, close } = await open("bare"), k = curveOf("terms", "kind"), lines = readFileSync(`${MODELS}/terms.csv`, "utf8").trim().split("\n");
    assert.ok((await page.locator("#curves .bars.back").count()) === 2, "density from the model file");
    await page.fill(`[data-number="${k}"]`, "1");
    await page.keyboard.press("Enter");
    assert.match(await page.locator("#edit-fit").innerText(), /Choose a file/);
    writeFileSync(`${MODELS}/some.csv`, [lines[0], ...lines.slice(101)].join("\n") + "\n");
    await page.setInputFiles("#judge", `${MODELS}/some.csv`);
    await page.waitForSelector("#edit-fit[data-before]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]), [before, after] = await rmseShown(page);
    await download.saveAs(`${MODELS}/bare-edited.json`);
    for (const [model, rmse] of [["terms", before], ["bare-edited", after]]) assert.ok(Math.abs(rmse - rmseOf(`${MODELS}/${model}.json`, "some")) < 1e-9 * rmse, model);
    assert.match(await page.locator("#edit-fit").innerText(), /on the 300 rows of some\.csv/);
    writeFileSync(`${MODELS}/other.csv`, "a,b\n1,2\n");
    await page.setInputFiles("#judge", `${MODELS}/other.csv`);
    await page.locator("#judge-note", { hasText: "no column" }).waitFor();
    assert.deepEqual(await rmseShown(page), [before, after], "a wrong file changes nothing");
    assert.deepEqual(wrong, []);
    await close();
});

test("a monotone curve stays monotone, and keys move along a curve", async () => {
    const { page, wrong, close } = await open("curves"), handles = () => handlesOf(page, 0), knots = json("curves", "model").curves[0].then[0];
    await handles().first().focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.cell), "1");
    await page.fill('[data-number="0"]', "99");
    await page.keyboard.press("Enter");
    assert.equal(await valueOfHandle(handles().nth(1)), knots[2], "limited by its neighbour");
    await page.fill('[data-number="0"]', "-99");
    await page.keyboard.press("Enter");
    assert.equal(await valueOfHandle(handles().nth(1)), knots[0]);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    await download.saveAs(`${MODELS}/curves-edited.json`);
    const said = predictionsOf(`${MODELS}/curves-edited.json`, "curves");
    await page.fill("#row", "12");
    await page.press("#row", "Enter");
    near(await prediction(page), said[11], 1, "the edited model");
    assert.deepEqual(wrong, []);
    await close();
});

test("the frontier of the search: all points, standard errors, the chosen one, which is the headline", async () => {
    const points = [
        { name: "ridge regression", options: "--preset rr --pca 0", error: 5.31, standard_error: 0.31, cost: 9, rules: 1 },
        { name: "curves", options: "--preset additive", error: 2.9, standard_error: 0.2, cost: 61, rules: 30, chosen: true },
        { name: "curves and 2 pairs", options: "--preset additive-pairs --pairs 2", error: 2.85, standard_error: 0.19, cost: 140, rules: 61 },
        { name: "64 rules", options: "--preset mbgd-rda --rules 64 --iters 1000", error: 3.04, cost: 2104, rules: 64 }];
    writeFileSync(`${MODELS}/searched.json`, JSON.stringify({ ...json("terms", "model"), frontier: points }));
    execFileSync(SUGENO, ["report", `${MODELS}/searched.json`, `${MODELS}/terms.csv`, "-o", `${MODELS}/searched.html`]);
    for (const size of ["desktop", "phone"]) {
        const { page, wrong, close } = await open("searched", { size }), section = page.locator("#frontier");
        await section.scrollIntoViewIfNeeded();
        assert.equal(await section.locator("circle.frontier-point").count(), 4);
        assert.equal(await section.locator(".error-bar").count(), 3);
        assert.match(await section.locator("circle.chosen title").textContent(), /^curves:/);
        const at = await section.locator("circle.frontier-point").evaluateAll((list) => list.map((one) => [one.cx.baseVal.value, one.cy.baseVal.value]));
        const step = (i) => (at[i + 1][0] - at[i][0]) / Math.log(points[i + 1].cost / points[i].cost);
        for (const i of [1, 2]) assert.ok(Math.abs(step(i) / step(0) - 1) < 0.01, "a logarithmic axis");
        assert.ok(at[0][1] < at[3][1] && at[3][1] < at[1][1] && at[1][1] < at[2][1], "larger errors are higher");
        assert.equal(await section.locator("tbody tr").count(), 4);
        assert.match(await section.locator("tr.chosen").innerText(), /curves[^]*2\.9 ± 0\.2[^]*61[^]*--preset additive/);
        const tile = await page.locator(".tile").first().innerText();
        assert.match(tile, /held-out RMSE\s+2\.9\s+± 0\.2, in the cross-validation of the search/);
        assert.deepEqual(await page.evaluate(findOverflow), []);
        assert.deepEqual(wrong, []);
        await page.screenshot({ path: `${SHOTS}/frontier-${size}.png` });
        await close();
    }
    writeFileSync(`${MODELS}/searched.json`, JSON.stringify({ ...json("terms", "model"), frontier: points.map((point) => ({ ...point, options: "" })) }));
    execFileSync(SUGENO, ["report", `${MODELS}/searched.json`, "-o", `${MODELS}/searched.html`]);
    const bare = await open("searched");
    assert.deepEqual([await bare.page.locator("#frontier th", { hasText: "options" }).count(), await bare.page.locator("#frontier tbody tr").count()], [0, 4]);
    await bare.close();
    const plain = await open("terms");
    assert.equal(await plain.page.locator("#frontier").isVisible(), false);
    await plain.close();
});

test("a page without data describes the model only", async () => {
    execFileSync(SUGENO, ["report", `${MODELS}/grid.json`, "-o", `${MODELS}/alone.html`]);
    const { page, wrong, close } = await open("alone");
    assert.equal(await page.locator("#importance").isVisible(), false);
    assert.equal(await page.locator("#row").count(), 0);
    assert.ok(await page.locator("#inputs").isVisible());
    const curves = (kind) => page.locator(`#inputs .line${kind}`).count(), mfs = json("alone", "model").blocks[0].mfs;
    assert.ok(mfs.every((mf) => mf.before) && (await curves(".before")) === mfs.length && (await curves("[class*=term]:not(.before)")) === mfs.length, "each before and after training");
    assert.match(await page.locator("#inputs").innerText(), /before training/);
    assert.match(await page.locator("#rules").innerText(), /Mean: the mean prediction/);
    const about = json("alone", "model").blocks[0].rules.map((rule) => rule.about[0]);
    const first = Number(await page.locator("table.rules tbody td.number").first().innerText()), shares = json("alone", "model").blocks[0].rules.map((rule) => rule.share);
    assert.ok(Math.abs(first - about[shares.indexOf(Math.max(...shares))]) < 1e-3 * Math.abs(first));
    near(await prediction(page), await byCommandLine(page, "grid"), 1, "the prediction");
    assert.deepEqual(await page.evaluate(findOverflow), []);
    assert.deepEqual(wrong, []);
    await close();
});

test("prediction intervals are shown if the model has them", async () => {
    const page0 = readFileSync(`${MODELS}/grid.html`, "utf8");
    writeFileSync(`${MODELS}/sure.html`, page0.replace('"format": 1,', '"format": 1, "intervals": {"rows": 200, "errors": [{"ranks": [1, 100, 200], "sizes": [0.01, 0.05, 0.2]}]},'));
    const { page, wrong, close } = await open("sure");
    assert.match(await page.locator("#interval").innerText(), /90 % prediction interval: /);
    assert.match(await page.locator("#summary").innerText(), /90 % prediction interval is ± /);
    assert.deepEqual(wrong, []);
    await close();
    const plain = await open("grid");
    assert.equal(await plain.page.locator("#interval").count(), 0);
    await plain.close();
});

test("hundreds of blocks and twenty thousand rules do not freeze the page", async () => {
    const model = JSON.parse(readFileSync(`${MODELS}/cluster.json`, "utf8")), block = model.blocks[0], blocks = 400;
    const wide = { ...block, weight: 1 / blocks, rules: [...block.rules, ...block.rules, ...block.rules, ...block.rules, ...block.rules].slice(0, 50) };
    writeFileSync(`${MODELS}/huge.json`, JSON.stringify({ ...model, blocks: Array.from({ length: blocks }, () => wide) }));
    execFileSync(SUGENO, ["report", `${MODELS}/huge.json`, `${MODELS}/cluster.csv`, "-o", `${MODELS}/huge.html`]);
    const start = Date.now(), { page, wrong, close } = await open("huge");
    assert.ok(Date.now() - start < 25000, `ready after ${Date.now() - start} ms`);
    await page.focus('[data-slider="0"]');
    const moved = Date.now();
    for (let k = 0; k < 5; k++) await page.keyboard.press("ArrowRight");
    near(await prediction(page), await byCommandLine(page, "huge"), 1, "the prediction");
    assert.ok(Date.now() - moved < 8000, `five steps took ${Date.now() - moved} ms`);
    assert.equal(await page.locator("table.rules tbody tr").count(), 20);
    assert.deepEqual(wrong, []);
    await close();
});

test("the page itself is below 300 KB", () => {
    const text = readFileSync(`${MODELS}/grid.html`, "utf8").replace(/<script type="application\/json".*?<\/script>/gs, "");
    assert.ok(text.length > 20000 && Buffer.byteLength(text) < 300 * 1024, `${Buffer.byteLength(text)} bytes`);
    assert.ok(statSync(`${MODELS}/many.html`).size < 3 << 20, "with 20,000 rows");
});

test("keyboard and colours: all controls are reachable, the theme changes, the contrast suffices", async () => {
    const { page, wrong, close } = await open("three");
    const reached = new Set();
    for (let k = 0; k < 60; k++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(() => document.activeElement?.id || document.activeElement?.getAttribute("data-slider") || document.activeElement?.getAttribute("data-sort") || document.activeElement?.tagName));
    }
    for (const what of ["theme", "row", "0", "input0", "input2", "surface-x", "surface-y", "share", "says", "SUMMARY"]) assert.ok(reached.has(what), `${what} of ${[...reached]}`);
    for (const scheme of ["light", "dark"]) {
        await page.click("#theme");
        assert.equal(await page.locator("html").getAttribute("data-theme"), scheme);
        const ratio = await page.evaluate(() => {
            const style = getComputedStyle(document.documentElement), hex = (name) => style.getPropertyValue(name).trim();
            const light = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
            const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
            return Math.min(...["--ink", "--soft", "--accent"].flatMap((name) => ["--paper", "--card"].map((on) => contrast(hex(name), hex(on)))));
        });
        assert.ok(ratio >= 4.5, `${scheme}: ${ratio}`);
    }
    assert.deepEqual(wrong, []);
    await close();
});

for (const size of Object.keys(sizes))
    for (const scheme of ["light", "dark"])
        test(`screenshots: ${size}, ${scheme}; nothing overflows or overlaps`, async () => {
            // Colours do not affect the layout: a few pages suffice in the dark scheme.
            for (const name of scheme === "dark" ? ["three", "words", "wide", "terms"] : ["three", "grid", "cluster", "words", "wide", "offset", "pca", "ensemble", "terms", "pairs", "both"]) {
                const { page, wrong, close } = await open(name, { size, scheme });
                await page.fill("#row", "5");
                await page.press("#row", "Enter");
                for (const summary of await page.locator("table.rules summary >> nth=0").all()) await summary.click();
                for (const button of await page.locator("button.quiet:visible:not(#theme)").all()) if (name !== "wide") await button.click({ timeout: 1000 }).catch(() => {}); // a click may remove another button
                await page.waitForSelector("#surface[data-ready]", { state: "attached" });
                await page.evaluate(() => new Promise((done) => { scrollTo({ top: 0, behavior: "instant" }); setTimeout(done, 200); }));
                assert.deepEqual(await page.evaluate(findOverflow), [], name);
                await page.screenshot({ path: `${SHOTS}/${name}-${size}-${scheme}.png`, fullPage: true });
                assert.deepEqual(wrong, [], name);
                await close();
            }
        });

test("the browser closes", () => browser.close());
