// prediction_intervals.js: conformal prediction intervals from the quantiles of out-of-sample errors in the model file:
// {"intervals": {"rows": n, "errors": [{"ranks": [...], "sizes": [...]}]}}, one item per target.

import { within } from "./evaluate.js";

/**
 * The half-width of the prediction interval of a level for output o; null if the model has no errors, or too few for the level.
 * @param {any} file @param {number} o @param {number} level
 * @returns {number | null}
 */
export function errorAt(file, o, level) {
    const errors = file.intervals?.errors?.[o];
    if (!errors?.ranks?.length) return null;
    const rows = file.intervals.rows, rank = Math.ceil((rows + 1) * level - 1e-9), { ranks, sizes } = errors;
    if (rank > rows) return null;
    let i = 0;
    while (i + 1 < ranks.length && ranks[i] < rank) i++;
    if (i === 0 || ranks[i] <= rank) return sizes[i];
    const gap = ranks[i] - ranks[i - 1], part = gap > 0 ? (rank - ranks[i - 1]) / gap : 1;
    return sizes[i - 1] + part * (sizes[i] - sizes[i - 1]);
}

/**
 * @param {any} file @param {import("./evaluate.js").Model} m @param {number} o @param {number} level @param {number} y
 * @returns {[number, number] | null}
 */
export function intervalOf(file, m, o, level, y) {
    const size = errorAt(file, o, level);
    return size === null ? null : [within(m, o, y - size), within(m, o, y + size)];
}
