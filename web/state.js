// state.js: the state that the sections of the page share: model, data, selected output, and current row.

import { compile } from "./evaluate.js";
import { niceStep, rounded } from "./scale.js";
import { coverageOf } from "./rule_coverage.js";
import { ruleTextOf } from "./rule_text.js";

/** @typedef {import("./evaluate.js").Model} Model */

/**
 * @typedef {object} Data
 * @property {number} rows in the whole data set
 * @property {string} name
 * @property {"unknown" | "other" | "training" | "split" | "validation"} origin what the rows are to the model
 * @property {{ rows: number, rmse: number, mae: number, r2: number }[]} metrics
 * @property {number[]} row row numbers, from 1, of the rows in this page
 * @property {number[]} sample indices of evenly spaced rows of this page, for charts
 * @property {(number | null)[][]} x (inputs, rows of this page)
 * @property {(number | null)[][]} y (outputs, rows of this page)
 * @property {number[][]} predicted predictions of the C library
 * @property {number[][]} importance (outputs, inputs)
 */

/**
 * @typedef {object} State
 * @property {any} file the model file
 * @property {Model} model
 * @property {import("./rule_text.js").RuleText} ruleText conditions and trends as text
 * @property {Data | null} data
 * @property {Float64Array | null} coverage of each rule
 * @property {number} output
 * @property {number[]} x the current row
 * @property {boolean} edited whether there are edits in force, so that the intervals of the file are those of another model
 * @property {(event: "output" | "row" | "model", listener: () => void) => void} on
 * @property {(event: "output" | "row" | "model") => void} emit "model": numbers of the model were edited
 */

/** Row i of this page, with NaN for missing values. @param {Data} data @param {number} i */
export function rowOf(data, i) {
    return data.x.map((column) => column[i] ?? NaN);
}

/** The largest number of rows in a chart. */
const MAX_DRAWN = 2000;

/** @param {any} read the embedded JSON; without row numbers, it has all rows @returns {Data | null} */
export function dataOf(read) {
    if (!read) return null;
    const row = read.row ?? Array.from({ length: read.rows }, (_, i) => i + 1), n = Math.min(row.length, MAX_DRAWN);
    return { ...read, row, sample: Array.from({ length: n }, (_, i) => Math.floor((i * row.length) / n)) };
}

/** The step of a control with this range. @param {number} low @param {number} high */
export function finestStep(low, high) {
    return high > low ? niceStep((high - low) / 500, 10) : 1;
}

/** The mean of an input, rounded, within its range. @param {import("./evaluate.js").Input} input */
export function typicalValue({ low, high, mean }) {
    return high > low ? Math.min(high, Math.max(low, rounded(mean, finestStep(low, high)))) : mean;
}

/** @param {any} file @param {any} words @param {any} read the data @returns {State} */
export function stateOf(file, words, read) {
    const model = compile(file), data = dataOf(read), listeners = /** @type {Record<string, (() => void)[]>} */ ({ output: [], row: [], model: [] });
    const typical = model.inputs.map((input, i) => {
        const shares = file.inputs[i].shares;
        return shares ? shares.indexOf(Math.max(...shares)) : typicalValue(input);
    });
    return {
        file, model, ruleText: ruleTextOf(words), data, output: 0, x: typical, edited: false,
        coverage: coverageOf(file, model, data ? data.sample.map((i) => rowOf(data, i)) : []),
        on: (event, listener) => listeners[event].push(listener),
        emit: (event) => listeners[event].forEach((listener) => listener()),
    };
}
