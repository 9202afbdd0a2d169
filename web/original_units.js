// original_units.js: conditions and consequents in the original units of the data.

import { base, blockOfRule, interpolate, applyStep } from "./evaluate.js";
import { KINDS } from "./mf.js";

/** @typedef {import("./evaluate.js").Model} Model */
/** @typedef {import("./evaluate.js").Block} Block */

/** The pipeline of the conditions of a block. @param {Model} m @param {Block} b */
export function stepsOf(m, b) {
    return b.seesZ ? m.seesZ : m.seesA;
}

/** Whether column i of the conditions' inputs is feature i, transformed, and not a component. @param {Model} m @param {Block} b */
export function isPlain(m, b) {
    return b.seesZ ? m.masksMissingZ : m.masksMissingA;
}

/** @param {Model} m @param {Block} b @param {number} column */
export function columnName(m, b, column) {
    return isPlain(m, b) ? m.features[column].name : `component ${column + 1}`;
}

/** Transforms one feature; for pipelines without PCA. @param {any[]} steps @param {number} k @param {number} x */
export function transformValue(steps, k, x) {
    let at = x;
    for (const step of steps) at = applyStep(step, k, at);
    return at;
}

/** Inverts transformValue, ignoring clamps. @param {any[]} steps @param {number} k @param {number} value */
export function inverseTransform(steps, k, value) {
    let at = value;
    for (let i = steps.length - 1; i >= 0; i--) {
        const step = steps[i];
        if (step.step === "zscore") at = at * step.scale[k] + step.mean[k];
        else if (step.step === "quantile") at = interpolate(step.scores[k], step.knots[k], at);
    }
    return at;
}

/** @param {Block} b @param {number} mf */
export function parametersOf(b, mf) {
    return Array.from(b.mf.subarray(mf * b.arity, (mf + 1) * b.arity));
}

/**
 * The location and width of an MF in the units of its feature or component.
 * @param {Model} m @param {Block} b @param {number} mf
 */
export function locationOf(m, b, mf) {
    const kind = KINDS[b.kind], p = parametersOf(b, mf), place = kind.place(p), width = kind.width(p), column = b.inputOf[mf];
    if (!isPlain(m, b)) return { place, width };
    const steps = stepsOf(m, b), back = (/** @type {number} */ value) => inverseTransform(steps, column, value);
    return { place: back(place), width: Number.isFinite(width) ? Math.abs(back(place + width) - back(place - width)) / 2 : Infinity };
}

/** @typedef {{ matrix: Float64Array[], shift: Float64Array }} Affine */

/** The pipeline as an affine map, matrix . features + shift, ignoring clamps; all steps must be affine. @param {Model} m @param {any[]} steps @returns {Affine} */
function affineOf(m, steps) {
    const n = m.features.length;
    let matrix = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_unused, k) => (i === k ? 1 : 0)));
    let shift = new Float64Array(n);
    for (const step of steps) {
        if (step.step === "zscore") {
            matrix = matrix.map((row, i) => row.map((value) => value / step.scale[i]));
            shift = shift.map((value, i) => (value - step.mean[i]) / step.scale[i]);
        } else if (step.step === "pca") {
            const components = /** @type {number[][]} */ (step.components), [old, moved] = [matrix, shift];
            matrix = components.map((row) => Float64Array.from({ length: n }, (_, k) => row.reduce((sum, c, i) => sum + c * old[i][k], 0)));
            shift = Float64Array.from(components, (row) => row.reduce((sum, c, i) => sum + c * moved[i], 0));
        }
    }
    return { matrix, shift };
}

/** @type {WeakMap<Model, Affine>} */
const known = new WeakMap();

/** The affine map of the consequents' pipeline. @param {Model} m */
function affine(m) {
    const there = known.get(m) ?? affineOf(m, m.seesZ);
    known.set(m, there);
    return there;
}

/** The affine map of the conditions' pipeline, for a model with components. @param {Model} m */
export function componentsOf(m) {
    return affineOf(m, m.seesA);
}

/**
 * The consequent of a rule: constant + slope . features, in the units of the target. With several blocks, it is the contribution at full firing.
 * @param {Model} m @param {number} r among all rules @param {number} o
 */
export function consequent(m, r, o) {
    const { matrix, shift } = affine(m), b = blockOfRule(m, r), terms = m.widthZ + 1, at = ((r - b.first) * m.outputs + o) * terms;
    const factor = m.targets[o].scale * b.weight, slope = new Float64Array(m.features.length);
    let constant = b.then[at];
    for (let k = 0; k < m.widthZ; k++) {
        const value = b.then[at + 1 + k];
        constant += value * shift[k];
        for (let i = 0; i < slope.length; i++) slope[i] += value * matrix[k][i];
    }
    for (let i = 0; i < slope.length; i++) slope[i] *= factor;
    return { constant: constant * factor + (m.blocks.length === 1 ? base(m, o) : 0), slope };
}

/** The output of a rule with all inputs at their means. @param {Model} m @param {number} r @param {number} o */
export function atMeans(m, r, o) {
    const { constant, slope } = consequent(m, r, o);
    return m.features.reduce((sum, feature, i) => sum + slope[i] * feature.mean, constant);
}
