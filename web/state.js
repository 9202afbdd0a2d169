// state.js: what the parts of the page share: the model, the data, which output is shown, and the row that is looked at.

import { compile } from "./evaluate.js";
import { niceStep, rounded } from "./scale.js";
import { sharesOf } from "./shares.js";
import { toldOf } from "./words.js";

/** @typedef {import("./evaluate.js").Model} Model */

/**
 * @typedef {object} Data
 * @property {number} rows of all the data
 * @property {string} name
 * @property {{ rows: number, rmse: number, mae: number, r2: number }[]} metrics
 * @property {number[]} row numbers of those that are here, from 1
 * @property {number[]} sample places, among those that are here, of some that are spread evenly: what charts draw
 * @property {(number | null)[][]} x (inputs, rows here)
 * @property {(number | null)[][]} y (outputs, rows here)
 * @property {number[][]} predicted by the C library
 * @property {number[][]} importance (outputs, inputs)
 */

/**
 * @typedef {object} State
 * @property {any} file the model file
 * @property {Model} model
 * @property {import("./words.js").Told} told rules in words
 * @property {Data | null} data
 * @property {Float64Array | null} shares of rules
 * @property {number} output
 * @property {number[]} x the row that the viewers show
 * @property {(event: "output" | "row", listener: () => void) => void} on
 * @property {(event: "output" | "row") => void} tell
 */

/** Row i of the sample, with NaN for what is missing. @param {Data} data @param {number} i */
export function rowOf(data, i) {
    return data.x.map((column) => column[i] ?? NaN);
}

/** Rows that charts draw, at most. */
const DRAWN = 2000;

/** @param {any} read as the page has it: all rows are here where it has no numbers of them @returns {Data | null} */
export function dataOf(read) {
    if (!read) return null;
    const row = read.row ?? Array.from({ length: read.rows }, (_, i) => i + 1), n = Math.min(row.length, DRAWN);
    return { ...read, row, sample: Array.from({ length: n }, (_, i) => Math.floor((i * row.length) / n)) };
}

/** The step of a control whose range is that. @param {number} low @param {number} high */
export function finestStep(low, high) {
    return high > low ? niceStep((high - low) / 500, 10) : 1;
}

/** The mean of an input in few digits, and within its range. @param {import("./evaluate.js").Input} input */
export function typicalOf({ low, high, mean }) {
    return high > low ? Math.min(high, Math.max(low, rounded(mean, finestStep(low, high)))) : mean;
}

/** @param {any} file @param {any} words @param {any} read the data @returns {State} */
export function stateOf(file, words, read) {
    const model = compile(file), data = dataOf(read), listeners = /** @type {Record<string, (() => void)[]>} */ ({ output: [], row: [] });
    const typical = model.inputs.map((input, i) => {
        const shares = file.inputs[i].shares;
        return shares ? shares.indexOf(Math.max(...shares)) : typicalOf(input);
    });
    return {
        file, model, told: toldOf(words), data, output: 0, x: typical,
        shares: sharesOf(file, model, data ? data.sample.map((i) => rowOf(data, i)) : []),
        on: (event, listener) => listeners[event].push(listener),
        tell: (event) => listeners[event].forEach((listener) => listener()),
    };
}
