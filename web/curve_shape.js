// curve_shape.js: the names of the terms of curves, their order by importance, bands and density, as in src/explain/additive.

import { shown, signed } from "./format.js";

/** @typedef {import("./additive.js").Curve} Curve */
/** @typedef {import("./state.js").State} State */

/** Names of 2 to 7 terms. */
const TERM_NAMES = [
    ["low", "high"], ["low", "medium", "high"], ["very low", "low", "high", "very high"], ["very low", "low", "medium", "high", "very high"],
    ["very low", "low", "somewhat low", "somewhat high", "high", "very high"], ["very low", "low", "somewhat low", "medium", "somewhat high", "high", "very high"],
];

/** Two standard errors: the half-width of a band. */
const BAND = 2;

/** The statistics of the training rows in the file. @param {State} state @param {number} k of the curve */
export function statsOf(state, k) {
    const { band, share, deviation } = state.file.curves[k];
    return band ? { band, share, deviation } : null;
}

/** The half-width of the band at a cell, the last of which is for missing values; NaN if unknown. @param {State} state @param {number} k @param {number} cell */
export function bandAt(state, k, cell) {
    const stats = isEdited(state, k) ? null : statsOf(state, k);
    return stats ? BAND * stats.band[state.output][cell] : NaN;
}

/** Whether the numbers of a curve differ from those of the file. @param {State} state @param {number} k */
export function isEdited(state, k) {
    const curve = state.model.curves[k], from = state.file.curves[k];
    return curve.then.some((row, o) => row.some((value, i) => value !== from.then[o][i])) || curve.missing.some((value, o) => value !== (from.missing?.[o] ?? 0));
}

/** The standard deviation of values with weights, which may be absent. @param {number[]} values @param {number[] | null} weights */
function deviationOf(values, weights) {
    const of = (/** @type {number} */ i) => (weights ? weights[i] : 1), sum = values.reduce((all, _, i) => all + of(i), 0);
    if (!(sum > 0)) return 0;
    const mean = values.reduce((all, value, i) => all + of(i) * value, 0) / sum;
    return Math.sqrt(values.reduce((all, value, i) => all + of(i) * (value - mean) ** 2, 0) / sum);
}

/** The typical size of a curve: its standard deviation on the training rows, or an estimate. @param {State} state @param {number} k */
export function curveSize(state, k) {
    const { file, output } = state, curve = state.file.curves[k], stats = statsOf(state, k), known = stats?.deviation[output] ?? 0;
    if (known > 0) return known;
    const weights = stats?.share.some((/** @type {number} */ share) => share > 0) ? stats.share : null;
    return deviationOf(weights ? [...curve.then[output], (curve.missing ?? file.targets.map(() => 0))[output]] : curve.then[output], weights);
}

/** The same of a pair. @param {State} state @param {number} k */
export function pairSize(state, k) {
    const pair = state.file.pairs[k], known = pair.deviation?.[state.output] ?? 0;
    return known > 0 ? known : deviationOf(pair.then[state.output].flat(), null);
}

/** Indices by decreasing size. @param {number} n @param {(k: number) => number} size */
export function bySize(n, size) {
    const sizes = Array.from({ length: n }, (_, k) => size(k));
    return sizes.map((_, k) => k).sort((a, b) => sizes[b] - sizes[a] || a - b);
}

/** The smallest distance between neighbours, but at least a 1000th of their range. @param {number[]} values */
function resolution(values) {
    const range = values[values.length - 1] - values[0];
    return values.slice(1).reduce((least, value, i) => Math.min(least, value - values[i]), range) || Math.abs(values[0]) / 100 || 1;
}

/** Positions with enough digits to be distinguished, and at least four. @param {number[]} values ascending */
export function positions(values) {
    const step = resolution(values), decimals = (/** @type {number} */ x) => Math.floor(Math.log10(Math.abs(x) || 1) + 1e-12);
    return values.map((value) => shown(value, Math.min(9, Math.max(4, decimals(value) - decimals(step) + 1))));
}

/**
 * The range of an axis: that of the training rows, unless outliers would squeeze the knots, beyond which a curve is constant; `left` is the share of
 * rows outside.
 * @param {State} state @param {Curve} curve @param {number[]} knots @returns {{ range: [number, number], left: number }}
 */
export function axisOf(state, curve, knots) {
    const { low, high } = state.model.inputs[curve.input], first = knots[0], last = knots[knots.length - 1], span = last - first, values = state.data?.x[curve.input] ?? [];
    const range = /** @type {[number, number]} */ ([first - low > span ? first - 0.25 * span : Math.min(low, first), high - last > span ? last + 0.25 * span : Math.max(high, last)]);
    const there = values.filter((x) => x !== null), outside = there.filter((x) => Number(x) < range[0] || Number(x) > range[1]);
    return { range, left: there.length ? outside.length / there.length : 0 };
}

/** "28 (low)", a level, or "missing". @param {State} state @param {Curve} curve @param {number} cell */
export function cellText(state, curve, cell) {
    if (cell === curve.cells) return "missing";
    if (curve.category) return state.model.inputs[curve.input].levels?.[cell] ?? "";
    const names = TERM_NAMES[curve.cells - 2];
    return `${positions(curve.knots)[cell]}${names ? ` (${names[cell]})` : ""}`;
}

/** A number that is added, with the same decimals for all numbers of an output. @param {State} state @param {number} value */
export function effectText(state, value) {
    const step = effectStep(state), decimals = Math.max(0, -Math.round(Math.log10(step))), rounded = Math.round(value / step) * step;
    if (!Number.isFinite(value)) return "–";
    if (decimals > 9 || step >= 1e9) return signed(value, 3);
    if (Math.abs(rounded) < step / 2) return "0";
    return `${rounded > 0 ? "+" : "\u2212"}${Math.abs(rounded).toFixed(decimals)}`;
}

/** A power of ten of about a 200th of the largest range of a curve. @param {State} state */
export function effectStep({ file, output }) {
    const spans = [...file.curves, ...(file.pairs ?? [])].map((/** @type {any} */ part) => {
        const values = part.then[output].flat();
        return Math.max(...values) - Math.min(...values);
    });
    return 10 ** Math.floor(Math.log10(Math.max(...spans, 0) / 200 || 1) + 1e-9);
}

/** Whether values rise to an inner maximum and then fall, apart from a tenth of their variation; with sign −1, the reverse. @param {number[]} values @param {number} sign @param {number} all */
function hasOneTurn(values, sign, all) {
    const turn = values.reduce((best, value, i) => (sign * value > sign * values[best] ? i : best), 0);
    const against = values.slice(1).reduce((sum, value, i) => sum + Math.max(0, (i + 1 <= turn ? -sign : sign) * (value - values[i])), 0);
    return turn > 0 && turn + 1 < values.length && against <= 0.1 * all ? turn : -1;
}

/** The direction of a curve, in the words of `sugeno rules`. @param {State} state @param {Curve} curve */
export function direction(state, curve) {
    const values = curve.then[state.output], steps = values.slice(1).map((value, i) => value - values[i]);
    const up = steps.reduce((sum, step) => sum + Math.max(0, step), 0), down = steps.reduce((sum, step) => sum - Math.min(0, step), 0), all = up + down;
    if (curve.monotone) return curve.monotone > 0 ? "never falls" : "never rises";
    if (!(all > 0)) return "level";
    if (down <= 0.02 * all) return "rises";
    if (up <= 0.02 * all) return "falls";
    if (up - down >= 0.5 * all) return "mostly rises";
    if (down - up >= 0.5 * all) return "mostly falls";
    const [peak, dip] = [1, -1].map((sign) => hasOneTurn(values, sign, all));
    return peak >= 0 ? `peaks at ${positions(curve.knots)[peak]}` : dip >= 0 ? `lowest at ${positions(curve.knots)[dip]}` : "goes up and down";
}

/** "−18.3 to +12.1; rises". @param {State} state @param {Curve} curve */
export function rangeText(state, curve) {
    const then = curve.then[state.output], text = `${effectText(state, Math.min(...then))} to ${effectText(state, Math.max(...then))}`;
    return curve.category ? text : `${text}; ${direction(state, curve)}`;
}

/** What the bands mean; "" if the model has none. @param {State} state */
export function bandSentence(state) {
    if (!state.model.curves.some((_, k) => statsOf(state, k))) return "";
    return "The shaded bands are two standard errors wide on each side: if errors are independent, and knots and pairs are taken as given, " +
        "the true curve is within them with about 95 % probability. They do not include the uncertainty of the choice of knots and pairs.";
}

/** For screen readers. @param {State} state @param {Curve} curve @param {number} cell @param {number} value */
export function cellSpoken(state, curve, cell, value) {
    return `${state.model.inputs[curve.input].name} ${cellText(state, curve, cell)}: adds ${value === 0 ? shown(0) : signed(value)}`;
}
