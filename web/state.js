// state.js: what the parts of the page share: the model, the data, which output is shown, and the row that is looked at.

import { compile } from "./evaluate.js";
import { sharesOf } from "./shares.js";
import { toldOf } from "./words.js";

/** @typedef {import("./evaluate.js").Model} Model */

/**
 * @typedef {object} Data
 * @property {number} rows of all the data
 * @property {string} name
 * @property {{ rows: number, rmse: number, mae: number, r2: number }[]} metrics
 * @property {number[]} row numbers of those that are here, from 1
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

/** @param {any} file @param {any} words @param {Data | null} data @returns {State} */
export function stateOf(file, words, data) {
    const model = compile(file), listeners = /** @type {Record<string, (() => void)[]>} */ ({ output: [], row: [] });
    const typical = model.inputs.map((input, i) => {
        const shares = file.inputs[i].shares;
        return shares ? shares.indexOf(Math.max(...shares)) : Number(input.mean.toPrecision(4));
    });
    return {
        file, model, told: toldOf(words), data, output: 0, x: typical,
        shares: sharesOf(file, model, data ? data.row.map((_, i) => rowOf(data, i)) : []),
        on: (event, listener) => listeners[event].push(listener),
        tell: (event) => listeners[event].forEach((listener) => listener()),
    };
}
