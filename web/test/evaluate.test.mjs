// evaluate.test.mjs: compares the page's arithmetic with `sugeno predict` on models of all kinds, from MODELS (train_models.sh).
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { base, compile, predict, ruleOutput } from "../evaluate.js";
import { errorAt, intervalOf } from "../prediction_intervals.js";
import { describeEdits, modelText } from "../curve_editor.js";
import { recordsOf, rowsOfCsv } from "../csv_rows.js";
import { bestPoints } from "../frontier_chart.js";
import { dataOf, stateOf } from "../state.js";
import { clampedValue, findOutside } from "../outside_training.js";
import { atMeans, consequent } from "../original_units.js";
import { componentFormulas, conditionsOf, formula, selectConditions, ruleTextOf } from "../rule_text.js";

const folder = process.env.MODELS ?? "";
const json = (text, id) => JSON.parse(new RegExp(`id="${id}">\\n(.*?)\\n</script>`, "s").exec(text)[1]);
const rowOf = (data, i) => data.x.map((column) => column[i] ?? NaN);
const near = (a, b, scale) => Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(b), scale);

/** The numbers of a CSV file without quotes in its rows, below the header. */
const numbers = (path) => readFileSync(path, "utf8").trim().split("\n").slice(1).map((line) => line.split(",").map(Number));

const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".predicted.csv")).map((name) => name.slice(0, -14)) : [];

test("there are models of all kinds", { skip: folder ? false : "MODELS names no folder" }, () => {
    const kinds = new Set(names.flatMap((name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")).blocks.map((block) => block.mf)));
    for (const kind of ["gauss", "gauss-a", "gbell", "tri", "trap"]) assert.ok(kinds.has(kind), kind);
    for (const name of ["curves", "pairs", "both"]) assert.ok(names.includes(name), name);
});

for (const name of names)
    test(`${name}: the page agrees with the library within 1e-12`, () => {
        const page = readFileSync(`${folder}/${name}.html`, "utf8"), data = dataOf(json(page, "data")), m = compile(json(page, "model"));
        const expected = numbers(`${folder}/${name}.predicted.csv`);
        assert.ok(data.row.length > 0);
        data.row.forEach((row, i) => {
            const y = predict(m, rowOf(data, i));
            y.forEach((value, o) => {
                assert.ok(near(value, expected[row - 1][o], m.targets[o].scale), `row ${row}: ${value}, not ${expected[row - 1][o]}`);
                assert.equal(data.predicted[o][i], expected[row - 1][o], "predictions in the page");
                if (m.targets[o].low !== undefined) return;
                let sum = m.additive[o] + (m.blocks.length === 1 ? 0 : base(m, o));
                for (let r = 0; r < m.rules; r++) if (m.firing[r]) sum += m.firing[r] * ruleOutput(m, r, o);
                assert.ok(Math.abs(sum - value) <= 1e-9 * Math.max(Math.abs(value), m.targets[o].scale), `the contributions of the rules add up to ${sum}, not ${value}`);
            });
        });
        assert.deepEqual(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")), json(page, "model"), "the model file, as it is");
    });

/** A model of two inputs and two rules, by hand. */
const small = (mf, mfs, more = {}) => ({
    inputs: [{ name: "a", low: 0, high: 4, mean: 2.2 }, { name: "b", low: -1, high: 1, mean: 0.1 }],
    targets: [{ name: "y", mean: 3, scale: 2, y0: 0.25 }],
    antecedents_see: [{ step: "zscore", mean: [2, 0], scale: [1.5, 0.5] }],
    blocks: [{ mf, weight: 0.75, h: 0.5, rank: 0, mfs, rules: [{ if: [0, 1], then: [[1, 2, 3]] }, { if: [-1, 2], then: [[-1, 0.5, 0]] }], ...more }],
});
const gaussA = [{ input: 0, c: 0.3, a: 1.7 }, { input: 1, c: -0.4, a: 0.6 }, { input: 1, c: 0.8, a: 2.1 }];
const rows = [[2.385, 0.41], [0.1, -0.9], [NaN, 0.3], [3.9, NaN], [NaN, NaN]];

test("gauss2 with both centres and widths alike is gauss-a, and is flat between its centres", () => {
    const twice = gaussA.map(({ input, c, a }) => ({ input, c1: c, a1: a, c2: c, a2: a })), m = compile(small("gauss-a", gaussA)), m2 = compile(small("gauss2", twice));
    for (const x of rows) assert.equal(predict(m2, x)[0], predict(m, x)[0]);
    const wide = twice.map((one) => ({ ...one, c1: -9, c2: 9 })), flat = compile(small("gauss2", wide));
    for (const x of rows) assert.ok(predict(flat, x) && Math.abs(flat.firing[0] - 0.5) < 1e-15);
});

test("the conditions of a block may use the consequents' pipeline", () => {
    const file = { ...small("gauss-a", gaussA), consequents_see: [{ step: "zscore", mean: [1, -1], scale: [2, 4] }] };
    const other = { ...file, antecedents_see: file.consequents_see }, sees = { ...file, blocks: [{ ...file.blocks[0], sees: "z" }] };
    for (const x of rows) {
        assert.equal(predict(compile(sees), x)[0], predict(compile(other), x)[0]);
        if (!Number.isNaN(x[0] + x[1])) assert.notEqual(predict(compile(sees), x)[0], predict(compile(file), x)[0]);
    }
});

test("a missing input is ignored in conditions and replaced by its mean in consequents", () => {
    const m = compile(small("gauss-a", gaussA)), y = predict(m, [NaN, NaN])[0], z = [(2.2 - 2) / 1.5, 0.1 / 0.5];
    const expected = 3 + 2 * (0.25 + 0.75 * (0.5 * (1 + 2 * z[0] + 3 * z[1]) + 0.5 * (-1 + 0.5 * z[0])));
    assert.ok(Math.abs(y - expected) < 1e-14, `${y}, not ${expected}`);
});

test("far from all centres there is no 0/0", () => {
    for (const x of [[1e300, -1e300], [-1e9, 1e9]]) assert.ok(Number.isFinite(predict(compile(small("gauss-a", gaussA)), x)[0]));
    const tri = [{ input: 0, a: 0, b: 1, c: 2 }, { input: 1, a: 0, b: 1, c: 2 }, { input: 1, a: 5, b: 6, c: 7 }];
    const m = compile(small("tri", tri));
    predict(m, [50, 50]);
    assert.ok(m.firing[1] > 0.999, "the rule with the fewest unmet conditions decides");
});

test("a consequent in original units equals the output of the rule", () => {
    const m = compile(small("gauss-a", gaussA));
    for (const x of rows.slice(0, 2)) {
        predict(m, x);
        for (const r of [0, 1]) {
            const { constant, slope } = consequent(m, r, 0);
            assert.ok(Math.abs(constant + slope[0] * x[0] + slope[1] * x[1] - ruleOutput(m, r, 0)) < 1e-12);
        }
    }
    predict(m, [2.2, 0.1]);
    assert.ok(Math.abs(atMeans(m, 0, 0) - ruleOutput(m, 0, 0)) < 1e-12);
});

test("the narrowest conditions are selected, in order", () => {
    const file = small("gauss-a", gaussA), m = compile(file);
    const ruleText = ruleTextOf({ rules: [[0, ["a is about 2.45 +- 0.9", "b is low", "s is x"], ["y averages 3."]]], terms: [[1, "low", "2"]] });
    assert.deepEqual(conditionsOf(ruleText, 0), ["a is about 2.45 ± 0.9", "b is low", "s is x"]);
    assert.deepEqual(selectConditions(m, ruleText, 0, 60), { some: conditionsOf(ruleText, 0), more: 0 });
    assert.equal(selectConditions(m, ruleText, 0, 40).more, 1);
    assert.deepEqual(selectConditions(m, ruleText, 0, 1), { some: ["s is x"], more: 2 }, "a category is preferred, and there is at least one condition");
    assert.match(conditionsOf(ruleText, 1)[0], /sugeno rules/, "a rule without text");
    assert.match(formula(m, 1, 0), /^[\d.]+ \+ 0\.5 a$/);
});

test("outside: out of range, an unknown level, or an unusual combination", () => {
    const file = { ...small("gauss-a", gaussA), covered: { rows: 10, log_firing: -8 } }, m = compile(file), [a, b] = m.inputs;
    const inside = [a.mean, b.mean], beyond = [a.high + 1, b.mean];
    assert.deepEqual(findOutside(file, m, beyond), { inputs: [0], unusual: false });
    assert.deepEqual(findOutside(file, m, [NaN, b.mean]).inputs.includes(0), false, "a missing value is not outside");
    assert.deepEqual(findOutside({ ...file, covered: undefined }, m, inside), { inputs: [], unusual: false });
    assert.equal(findOutside({ ...file, covered: { rows: 10, log_firing: 1 } }, m, inside).unusual, true, "weaker than all training rows");
    assert.equal(clampedValue(m, 0, a.high + 1), null);
    m.seesA = [{ step: "clamp", low: [a.low, b.low], high: [a.high, b.high] }, ...m.seesA];
    assert.equal(clampedValue(m, 0, a.high + 1), m.seesA.length > 1 ? a.high : null);
});

test("components are formulas of the inputs", () => {
    const file = small("gauss-a", gaussA);
    file.blocks = [];
    file.antecedents_see = [{ step: "zscore", mean: [2, 0], scale: [4, 0.5] }, { step: "pca", components: [[0.6, 0.8]] }];
    assert.deepEqual(componentFormulas(compile(file)), ["component 1 = −0.3 + 1.6 b + 0.15 a"]);
});

test("initial membership functions, if a file has all of them", () => {
    const file = small("gauss-a", gaussA), mfs = file.blocks[0].mfs;
    assert.equal(compile(file).blocks[0].before, null);
    mfs.forEach((/** @type {any} */ one, /** @type {number} */ i) => (one.before = [i, 0.5]));
    assert.deepEqual([...(compile(file).blocks[0].before ?? [])], mfs.flatMap((/** @type {any} */ _, /** @type {number} */ i) => [i, 0.5]));
    delete mfs[0].before;
    assert.equal(compile(file).blocks[0].before, null);
});

test("intervals are interpolated by rank and clipped to the limits of the target", () => {
    const file = { ...small("gauss-a", gaussA), intervals: { rows: 99, errors: [{ ranks: [1, 50, 80, 99], sizes: [0.1, 1, 2, 5] }] } };
    file.targets = [{ ...file.targets[0], low: 2, high: 9 }];
    assert.equal(errorAt(file, 0, 0.8), 2);
    assert.ok(Math.abs(errorAt(file, 0, 0.9) - (2 + (10 / 19) * 3)) < 1e-12);
    assert.equal(errorAt(file, 0, 0.995), null);
    assert.equal(errorAt(small("gauss-a", gaussA), 0, 0.9), null);
    assert.deepEqual(intervalOf(file, compile(file), 0, 0.8, 3), [2, 5]);
});

test("CSV files: quotes, separators, line ends, and what is wrong with them", () => {
    assert.deepEqual(recordsOf('\ufeffa,"b ""c"", d"\r\n1, 2 \r\n\r\n"x\ny",'), [["a", 'b "c", d'], ["1", "2"], ["x\ny", ""]]);
    assert.deepEqual(recordsOf("a;b;c\n1;2,5;3\n"), [["a", "b", "c"], ["1", "2,5", "3"]]);
    assert.deepEqual(recordsOf("a\tb\n\t2"), [["a", "b"], ["", "2"]]);
    assert.throws(() => recordsOf('a,b\n"1"2,3'), /line 2: expected ","/);
    const file = { ...small("gauss-a", gaussA), inputs: [{ name: "a", low: 0, high: 4, mean: 2.2 }, { name: "kind", levels: ["oak", "1.5"], others: true, shares: [0.4, 0.4, 0.2] }], blocks: [] };
    const state = stateOf(file, { rules: [], terms: [] }, null), rows = rowsOfCsv(state, "kind,more,y,a\noak,9,1,2\n1.50,9,NA,-3e1\nelm,9,3,n/a\n,9,4,0\n");
    assert.deepEqual(rows, { x: [[2, -30, null, 0], [0, 1, 2, null]], y: [[1, null, 3, 4]], count: 4 });
    assert.throws(() => rowsOfCsv(state, "kind,y\noak,1\n"), /no column "a"/);
    assert.throws(() => rowsOfCsv(state, "kind,y,a\noak,1,x\n"), /line 2, a: "x" is not a number/);
    assert.throws(() => rowsOfCsv(state, "kind,y,a\noak,1\n"), /row 1 has 2 cells/);
    assert.throws(() => rowsOfCsv(state, "kind,y,a\n"), /no rows/);
});

test("a model as text reads back as the same value, with one curve per line", () => {
    const model = { kind: "sugeno model", list: [], numbers: [[1e-300, -0.1], [1e21]], curves: [{ input: 0, then: [[1, 2]] }, { input: 1 }], nested: { curve: [[1, null, 2]], name: 'a "b" \u2028' } };
    assert.deepEqual(JSON.parse(modelText(model)), model);
    assert.equal(modelText(model).split("\n").filter((one) => one.includes('"input"')).length, 2);
});

test("edits are described by input, point and target", () => {
    const state = (/** @type {any[]} */ targets) => stateOf({ ...small("gauss-a", gaussA), blocks: [], targets, curves: [{ input: 0, knots: [0, 2.5, 4], then: targets.map(() => [1, 2, 3]) }, { input: 1, knots: [-1, 1], then: targets.map(() => [1, 2]) }] }, { rules: [], terms: [] }, null);
    const y = { name: "y", mean: 3, scale: 2, y0: 0.25 }, edit = (/** @type {number} */ curve, /** @type {number} */ cell, output = 0) => ({ curve, output, cell, from: 0, to: 1 });
    assert.equal(describeEdits(state([y]), [edit(0, 2), edit(1, 2), edit(0, 1), edit(0, 2)]), "a at 2.5 and 4; b at missing");
    assert.equal(describeEdits(state([y, { ...y, name: "z" }]), [edit(0, 0, 1)]), "a at 0 (z)");
});

test("the best points of a frontier", () => {
    const points = [[9, 5], [30, 6], [61, 2.9], [61, 3], [140, 2.9], [900, 2.8]].map(([cost, error]) => ({ name: "", options: "", cost, error, rules: 1 }));
    assert.deepEqual(bestPoints(points).map(({ cost, error }) => [cost, error]), [[9, 5], [61, 2.9], [900, 2.8]]);
});
