// chart_helpers.test.mjs: unit tests of scales, number formats, contours and colours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { heat } from "../heat_colours.js";
import { contour } from "../contour.js";
import { atStep, clipped, counted, fitOf, lastName, listed, near, part, percent, shown, signed } from "../format.js";
import { extent, histogram, linear, logTicks, logarithmic, niceStep, padded, rounded, ticks } from "../scale.js";
import { spread } from "../rule_coverage.js";
import { typicalValue } from "../state.js";

test("scales", () => {
    const x = linear(2, 4, 100, 0);
    assert.deepEqual([x(2), x(3), x(4)], [100, 50, 0]);
    assert.equal(linear(5, 5, 0, 80)(5), 40, "a range without a width is in the middle");
    assert.ok(Math.abs(logarithmic(1, 100, 0, 10)(10) - 5) < 1e-12);
});

test("ticks are round, within the range, and few", () => {
    assert.deepEqual(ticks(0.13, 1.02, 5), [0.2, 0.4, 0.6, 0.8, 1]);
    assert.deepEqual(ticks(-7, 12, 4), [-5, 0, 5, 10]);
    assert.deepEqual(ticks(3, 3, 4), [3]);
    assert.deepEqual(ticks(NaN, 3, 4), []);
    for (const [low, high] of [[1e-9, 3e-9], [-1e12, 5e12], [999.1, 999.2]]) {
        const values = ticks(low, high, 6);
        assert.ok(values.length >= 2 && values.length <= 13 && values.every((value) => value >= low && value <= high), `${values}`);
    }
    assert.equal(niceStep(10, 5), 2);
    assert.deepEqual(logTicks(0.9, 120), [1, 3, 10, 30, 100]);
});

test("ranges and histograms ignore missing values", () => {
    assert.deepEqual(extent([3, null, NaN, -2, Infinity]), [-2, 3]);
    assert.deepEqual(extent([]), [0, 1]);
    assert.deepEqual(padded([0, 10], 0.1), [-1, 11]);
    assert.ok(padded([5, 5])[0] < 5);
    assert.deepEqual(histogram([0, 1, 1.5, null, 2, 7], 0, 2, 2), [1, 3]);
    assert.deepEqual(histogram([4, 4], 4, 4, 3), [2, 0, 0]);
});

test("number formats", () => {
    assert.equal(shown(1234567.8), "1\u202f234\u202f568");
    assert.equal(shown(-0.012345), "−0.01235");
    assert.equal(shown(2.5), "2.5");
    assert.equal(shown(100), "100");
    assert.equal(shown(3e-9), "3e−9");
    assert.equal(shown(NaN), "–");
    assert.equal(signed(0.5), "+0.5");
    assert.deepEqual([part(55.114, 119.35), part(-0.00295, 12.98), part(0.1414, -0.9), part(1e-7, 1e-7), part(4000.7, 12345)], ["+55.1", "−0.00", "+0.1414", "+1e−7", "+4001"]);
    assert.deepEqual([counted(1503), counted(15030), shown(-2004)], ["1503", "15\u202f030", "−2004"], "years stay years");
    assert.deepEqual([percent(0.123), percent(0.012), percent(0.0004), percent(0)], ["12 %", "1.2 %", "< 0.1 %", "0.0 %"]);
    assert.deepEqual([percent(0.9994), percent(0.99996), percent(1), percent(0.992), percent(0.98), percent(-0.3)], ["99.9 %", "99.996 %", "100 %", "99.2 %", "98 %", "−30 %"]);
    assert.deepEqual([fitOf(0.9312), fitOf(0.99996), fitOf(1), fitOf(-0.5), fitOf(NaN)], ["0.931", "0.99996", "1", "−0.5", "–"]);
    assert.equal(listed(["a", "b", "c"]), "a, b and c");
    assert.equal(clipped("abcdef", 4), "ab…f");
    assert.equal(clipped("sensor_number_0001_of_the_line", 12), "sensor_…line");
    assert.equal(clipped("abc", 3), "abc");
    assert.equal(lastName("x/y/z.csv"), "z.csv");
});

test("digits follow the step, or the range", () => {
    assert.deepEqual([999999.9, 1000000, 1000000.1].map((value) => atStep(value, 0.1)), ["999\u202f999.9", "1\u202f000\u202f000", "1\u202f000\u202f000.1"]);
    assert.deepEqual(ticks(101324.5, 101325.6, 4).map((value) => atStep(value, 0.2)), ["101\u202f324.6", "101\u202f324.8", "101\u202f325", "101\u202f325.2", "101\u202f325.4", "101\u202f325.6"]);
    assert.deepEqual([atStep(0, 0.2), atStep(-1e-17, 0.2), atStep(2.5e-9, 5e-10)], ["0", "0", "2.5e−9"]);
    assert.deepEqual([near(1000000.02418, 0.08), near(3.14159, 2), near(3.14159, 0), near(118.2218, 7, 6)], ["1\u202f000\u202f000.0242", "3.142", "3.142", "118.222"]);
    assert.equal(part(212706.077, 1e6, 0.08), "+212\u202f706.0770");
    assert.deepEqual([rounded(101325.3456, 0.002), rounded(0.30000000000000004, 0.1)], [101325.346, 0.3]);
});

test("initial values of inputs are within their range", () => {
    for (const [low, high, mean] of [[101324.5, 101325.5, 101325.03], [0, 1, 0.333333], [5, 5, 5], [-1e6, 1e6, 12.3456], [1, 1.0001, 1.0000999]]) {
        const start = typicalValue({ name: "x", levels: null, first: 0, low, high, mean });
        assert.ok(start >= low && start <= high && Math.abs(start - mean) <= (high - low) / 500, `${start}`);
    }
});

test("contours of a plane are straight, and of a saddle do not cross", () => {
    const plane = Float64Array.from({ length: 16 }, (_, i) => i % 4);
    const pieces = contour(plane, 4, 4, 1.5);
    assert.equal(pieces.length, 3);
    assert.ok(pieces.every(([x1, , x2]) => x1 === 1.5 && x2 === 1.5));
    assert.equal(contour(Float64Array.from([0, 1, 1, 0]), 2, 2, 0.5).length, 2, "a saddle");
    assert.deepEqual(contour(plane, 4, 4, 9), []);
});

test("colours increase in lightness", () => {
    const light = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b, levels = [0, 0.25, 0.5, 0.75, 1].map((share) => light(heat(share)));
    for (let i = 1; i < levels.length; i++) assert.ok(levels[i] > levels[i - 1] + 15, `${levels}`);
    assert.deepEqual(heat(NaN), heat(0));
});

test("rows are visited once, evenly spaced", () => {
    for (const n of [1, 2, 10, 100, 1503]) assert.deepEqual([...spread(n)].sort((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
    const first = [...spread(1000)].slice(0, 10);
    assert.ok(Math.min(...first) < 150 && Math.max(...first) > 850);
});
