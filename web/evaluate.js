// evaluate.js: predicts rows from a model file like the C library. docs/model-file.md has the formulas; the order of additions is that of
// src/model/reference_forward.c.

import { curvesOf, pairsOf, sumAdditive } from "./additive.js";
import { CENTRE, KINDS } from "./mf.js";

/**
 * @typedef {object} Feature a column of the pipelines' input
 * @property {string} name
 * @property {number} input
 * @property {number} level index of the level of a category; -1 if it is none
 * @property {boolean} effect
 * @property {number} mean
 * @property {number} low
 * @property {number} high
 */

/**
 * @typedef {object} Input an input column of the data
 * @property {string} name
 * @property {string[] | null} levels
 * @property {number} first its first feature
 * @property {number} low
 * @property {number} high
 * @property {number} mean
 */

/**
 * @typedef {object} Block
 * @property {string} kind
 * @property {number} weight
 * @property {number} h
 * @property {number} rank
 * @property {boolean} seesZ
 * @property {number} mfs
 * @property {number} arity
 * @property {number} rules
 * @property {number} width number of columns of its conditions' inputs
 * @property {number} first index of its first rule among all rules
 * @property {Int32Array} inputOf (mfs)
 * @property {Float64Array} mf (mfs, arity)
 * @property {Float64Array | null} before the same before training; null if unknown
 * @property {Int32Array} mfOf (rules, width)
 * @property {Float64Array} tilt (rules, rank, width)
 * @property {Float64Array} then (rules, outputs, terms + 1)
 * @property {Float64Array} logMu (mfs)
 */

/**
 * @typedef {object} Model
 * @property {Input[]} inputs
 * @property {Feature[]} features
 * @property {any[]} effects
 * @property {any[]} targets
 * @property {any[]} seesA steps
 * @property {any[]} seesZ steps
 * @property {boolean} sharedPipeline
 * @property {boolean} masksMissingA conditions on a missing input are ignored
 * @property {boolean} masksMissingZ
 * @property {number} widthA
 * @property {number} widthZ
 * @property {Block[]} blocks
 * @property {import("./additive.js").Curve[]} curves
 * @property {import("./additive.js").Pair[]} pairs
 * @property {number} rules of all blocks
 * @property {number} outputs
 * @property {Float64Array} additive (outputs): sum of the curves and pairs for the last row
 * @property {Float64Array} firing (rules): normalised firing levels of the last row
 * @property {Float64Array} tops (blocks): largest log firing level of the last row
 * @property {Float64Array} ruleOutputs (rules, outputs): of the last row, for rules that fire
 */

const FARTHEST = 1e100, LOWEST = -1e300;

/** @param {number} x */
function clampValue(x) {
    return x < -FARTHEST ? -FARTHEST : x > FARTHEST ? FARTHEST : x;
}

/** The name of the level that pools rare levels. @param {string[]} levels */
function pooledName(levels) {
    return levels.includes("other") ? "any other" : "other";
}

/** @param {any} file @returns {{ inputs: Input[], features: Feature[] }} */
function inputsOf(file) {
    /** @type {Input[]} */
    const inputs = [];
    /** @type {Feature[]} */
    const features = [];
    file.inputs.forEach((/** @type {any} */ input, /** @type {number} */ i) => {
        const levels = input.levels ? (input.others ? [...input.levels, pooledName(input.levels)] : input.levels) : null;
        const mean = input.mean ?? (input.low + input.high) / 2;
        inputs.push({ name: input.name, levels, first: features.length, low: input.low, high: input.high, mean });
        if (!levels) features.push({ name: input.name, input: i, level: -1, effect: false, mean, low: input.low, high: input.high });
        else
            levels.forEach((/** @type {string} */ level, /** @type {number} */ k) =>
                features.push({ name: `${input.name} is ${level}`, input: i, level: k, effect: false, mean: input.shares[k], low: 0, high: 1 }));
    });
    for (const effect of file.effects ?? []) {
        const input = inputs.findIndex((one) => one.name === effect.of);
        features.push({ name: `effect of ${effect.of}`, input, level: -1, effect: true, mean: effect.mean, low: effect.low, high: effect.high });
    }
    return { inputs, features };
}

/** @param {any[]} steps @param {number} width */
function widthOf(steps, width) {
    for (const step of steps) if (step.step === "pca") width = step.components.length;
    return width;
}

/** @param {any} file @param {any} block @param {number} width @param {number} terms @param {number} first @returns {Block} */
function blockOf(file, block, width, terms, first) {
    const kind = KINDS[block.mf];
    if (!kind) throw new Error(`unknown kind of membership function: ${block.mf}`);
    const outputs = file.targets.length, rules = block.rules.length, rank = block.rank ?? 0, arity = kind.parameters.length;
    const inputOf = new Int32Array(block.mfs.length), mf = new Float64Array(block.mfs.length * arity);
    block.mfs.forEach((/** @type {any} */ one, /** @type {number} */ i) => {
        inputOf[i] = one.input;
        kind.parameters.forEach((name, k) => (mf[i * arity + k] = one[name]));
    });
    const known = block.mfs.length > 0 && block.mfs.every((/** @type {any} */ one) => one.before);
    const before = known ? Float64Array.from(block.mfs.flatMap((/** @type {any} */ one) => one.before)) : null;
    const mfOf = new Int32Array(rules * width), tilt = new Float64Array(rules * rank * width), then = new Float64Array(rules * outputs * (terms + 1));
    block.rules.forEach((/** @type {any} */ rule, /** @type {number} */ r) => {
        mfOf.set(rule.if, r * width);
        for (let k = 0; k < rank; k++) tilt.set(rule.tilt[k], (r * rank + k) * width);
        rule.then.forEach((/** @type {number[]} */ row, /** @type {number} */ o) => then.set(row, (r * outputs + o) * (terms + 1)));
    });
    return {
        kind: block.mf, weight: block.weight ?? 1, h: block.h ?? 1, rank, seesZ: block.sees === "z", mfs: block.mfs.length, arity, rules, width,
        first, inputOf, mf, before, mfOf, tilt, then, logMu: new Float64Array(block.mfs.length),
    };
}

/**
 * Compiles a model file for evaluation.
 * @param {any} file
 * @returns {Model}
 */
export function compile(file) {
    const { inputs, features } = inputsOf(file);
    const seesA = file.antecedents_see ?? [], seesZ = file.consequents_see ?? seesA, sharedPipeline = !file.consequents_see;
    const widthA = widthOf(seesA, features.length), widthZ = widthOf(seesZ, features.length);
    let rules = 0;
    const blocks = file.blocks.map((/** @type {any} */ block) => {
        const made = blockOf(file, block, block.sees === "z" ? widthZ : widthA, widthZ, rules);
        rules += made.rules;
        return made;
    });
    const curves = curvesOf(file, inputs), pairs = pairsOf(file, curves);
    const passes = (/** @type {any[]} */ steps) => steps.every((step) => step.step !== "pca");
    return {
        inputs, features, effects: file.effects ?? [], targets: file.targets, seesA, seesZ, sharedPipeline, masksMissingA: passes(seesA), masksMissingZ: passes(seesZ),
        widthA, widthZ, blocks, curves, pairs, rules, outputs: file.targets.length, additive: new Float64Array(file.targets.length), firing: new Float64Array(rules), tops: new Float64Array(blocks.length),
        ruleOutputs: new Float64Array(rules * file.targets.length),
    };
}

/** The number of elements of a sorted array below x. @param {number[]} numbers @param {number} x */
function countBelow(numbers, x) {
    let low = 0, high = numbers.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (numbers[middle] < x) low = middle + 1;
        else high = middle;
    }
    return low;
}

/** @param {any} effect @param {number} x */
function effectAt(effect, x) {
    const values = effect.values ?? [], i = countBelow(values, x);
    if (values[i] === x) return effect.effects[i];
    return effect.bins[countBelow(effect.edges ?? [], x)];
}

/**
 * The features of a row of inputs; a category is a level index. NaN if missing.
 * @param {Model} m @param {ArrayLike<number>} x
 */
export function featuresOf(m, x) {
    const values = new Float64Array(m.features.length);
    m.inputs.forEach((input, i) => {
        if (!input.levels) values[input.first] = x[i];
        else for (let k = 0; k < input.levels.length; k++) values[input.first + k] = Number.isNaN(x[i]) ? NaN : x[i] === k ? 1 : 0;
    });
    const plain = m.features.length - m.effects.length;
    m.effects.forEach((effect, i) => {
        const value = x[m.features[plain + i].input];
        values[plain + i] = Number.isNaN(value) ? NaN : effectAt(effect, value);
    });
    return values;
}

/** Piecewise linear interpolation, extrapolated at the ends. @param {number[]} from @param {number[]} to @param {number} x */
export function interpolate(from, to, x) {
    let low = 0, high = from.length - 1;
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (from[middle] <= x) low = middle;
        else high = middle;
    }
    return to[low] + (x - from[low]) * ((to[low + 1] - to[low]) / (from[low + 1] - from[low]));
}

/**
 * Applies a step to one feature; not for PCA.
 * @param {any} step @param {number} k @param {number} x
 */
export function applyStep(step, k, x) {
    if (step.step === "zscore") return (x - step.mean[k]) * (1 / step.scale[k]);
    if (step.step === "clamp") return x < step.low[k] ? step.low[k] : x > step.high[k] ? step.high[k] : x;
    if (step.step === "quantile") return interpolate(step.knots[k], step.scores[k], x);
    throw new Error(`unknown step: ${step.step}`);
}

/**
 * Applies a pipeline to features, none of them missing.
 * @param {any[]} steps @param {Float64Array} x
 */
export function applyPipeline(steps, x) {
    let at = Float64Array.from(x);
    for (const step of steps) {
        if (step.step === "pca") {
            const to = new Float64Array(step.components.length);
            for (let o = 0; o < to.length; o++) {
                let sum = 0;
                for (let k = 0; k < at.length; k++) sum += step.components[o][k] * clampValue(at[k]);
                to[o] = sum;
            }
            at = to;
        } else for (let k = 0; k < at.length; k++) at[k] = applyStep(step, k, at[k]);
    }
    for (let k = 0; k < at.length; k++) at[k] = clampValue(at[k]);
    return at;
}

/**
 * The features with means for missing values, and which are missing (1); the transformed inputs of conditions (a, or conditionsZ) and of
 * consequents (z). Missing inputs are NaN for conditions without PCA.
 * @param {Model} m @param {ArrayLike<number>} x
 */
export function transformRow(m, x) {
    const features = featuresOf(m, x), missing = features.map((value) => (Number.isNaN(value) ? 1 : 0));
    for (let k = 0; k < features.length; k++) features[k] = missing[k] ? m.features[k].mean : clampValue(features[k]);
    const any = missing.includes(1), filled = applyPipeline(m.seesA, features), z = m.sharedPipeline ? filled : applyPipeline(m.seesZ, features);
    const open = (/** @type {Float64Array} */ view, /** @type {boolean} */ opens) =>
        any && opens ? view.map((value, k) => (missing[k] ? NaN : value)) : view;
    return { features, missing, a: open(filled, m.masksMissingA), z, conditionsZ: open(z, m.masksMissingZ) };
}

/** The low-rank terms of rule r. @param {Block} b @param {number} r @param {Float64Array} a */
function lowRank(b, r, a) {
    const centre = CENTRE[b.kind];
    let sum = 0;
    for (let k = 0; k < b.rank; k++) {
        let t = 0;
        for (let i = 0; i < b.width; i++) {
            const mf = b.mfOf[r * b.width + i];
            if (mf >= 0 && !Number.isNaN(a[i])) t += b.tilt[(r * b.rank + k) * b.width + i] * (a[i] - b.mf[mf * b.arity + centre]);
        }
        sum -= 0.5 * t * t;
    }
    return sum;
}

/** Stores the normalised firing levels of a block's rules in m.firing. Returns the largest log firing level. @param {Model} m @param {Block} b @param {Float64Array} a */
function fire(m, b, a) {
    const log = KINDS[b.kind].log, f = m.firing, { width, mfOf, logMu } = b;
    for (let i = 0; i < b.mfs; i++) {
        const x = a[b.inputOf[i]];
        logMu[i] = Number.isNaN(x) ? 0 : log(x, b.mf, i * b.arity);
    }
    let top = LOWEST, total = 0;
    for (let r = 0, at = 0; r < b.rules; r++) {
        let sum = b.rank ? lowRank(b, r, a) : 0;
        for (let i = 0; i < width; i++, at++) if (mfOf[at] >= 0) sum += logMu[mfOf[at]];
        const level = Math.max(b.h * sum, LOWEST);
        f[b.first + r] = level;
        if (level > top) top = level;
    }
    for (let r = b.first; r < b.first + b.rules; r++) {
        f[r] = f[r] - top < -746 ? 0 : Math.exp(f[r] - top);
        total += f[r];
    }
    const scale = 1 / total;
    for (let r = b.first; r < b.first + b.rules; r++) f[r] *= scale;
    return top;
}

/**
 * The prediction of each output, in the units of the data. Sets m.additive, m.firing and m.ruleOutputs.
 * @param {Model} m
 * @param {ArrayLike<number>} x value of each input; NaN if missing, a level index for a category
 * @returns {Float64Array}
 */
export function predict(m, x) {
    return predictUnclipped(m, x).map((value, o) => within(m, o, value));
}

/** The same before it is clipped to the limits of the targets. @param {Model} m @param {ArrayLike<number>} x @returns {Float64Array} */
export function predictUnclipped(m, x) {
    const { features, missing, a, z, conditionsZ } = transformRow(m, x), y = Float64Array.from(m.targets, (target) => target.y0);
    for (const [i, b] of m.blocks.entries()) {
        m.tops[i] = fire(m, b, b.seesZ ? conditionsZ : a);
        const sums = new Float64Array(m.outputs), terms = m.widthZ + 1;
        for (let r = 0; r < b.rules; r++) {
            const f = m.firing[b.first + r];
            if (f === 0) continue;
            for (let o = 0; o < m.outputs; o++) {
                const at = (r * m.outputs + o) * terms;
                let sum = b.then[at];
                for (let k = 1; k < terms; k++) sum += b.then[at + k] * z[k - 1];
                m.ruleOutputs[(b.first + r) * m.outputs + o] = sum;
                sums[o] += f * sum;
            }
        }
        for (let o = 0; o < m.outputs; o++) y[o] += b.weight * sums[o];
    }
    sumAdditive(m.curves, m.pairs, features, missing, m.additive);
    return y.map((value, o) => m.targets[o].mean + m.targets[o].scale * value + m.additive[o]);
}

/** Clips a prediction to the limits of its target, if any. @param {Model} m @param {number} o @param {number} y */
export function within(m, o, y) {
    const target = m.targets[o];
    return target.low === undefined ? y : y < target.low ? target.low : y > target.high ? target.high : y;
}

/**
 * The output of rule r for output o in the units of the target, after predict. With one block, the prediction is the mean of these by firing
 * level, plus m.additive; with several, it is the contribution to add to `base` at full firing.
 * @param {Model} m @param {number} r among all rules @param {number} o
 */
export function ruleOutput(m, r, o) {
    const target = m.targets[o], weight = blockOfRule(m, r).weight;
    return m.ruleOutputs[r * m.outputs + o] * target.scale * weight + (m.blocks.length === 1 ? base(m, o) : 0);
}

/** The constant part of a prediction. @param {Model} m @param {number} o */
export function base(m, o) {
    return m.targets[o].mean + m.targets[o].scale * m.targets[o].y0;
}

/** @param {Model} m @param {number} r @returns {Block} */
export function blockOfRule(m, r) {
    let low = 0, high = m.blocks.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (m.blocks[middle].first <= r) low = middle;
        else high = middle - 1;
    }
    return m.blocks[low];
}

/** "12", or "3.12" with several blocks. @param {Model} m @param {number} r */
export function ruleName(m, r) {
    const b = blockOfRule(m, r), number = r - b.first + 1;
    return m.blocks.length > 1 ? `${m.blocks.indexOf(b) + 1}.${number}` : String(number);
}
