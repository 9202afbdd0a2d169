// additive.js: evaluates the curves and pairs of a model file with the arithmetic of src/model/additive_eval.c.

/**
 * @typedef {object} Curve
 * @property {number} input index of the input
 * @property {number} first the first feature of the input
 * @property {number} cells number of knots, or of levels
 * @property {boolean} category
 * @property {number[]} knots (cells); empty for a category
 * @property {number[]} terms (terms): indices of the cells that pairs use; empty if there are none
 * @property {number[]} termKnots (terms): their positions; empty for a category
 * @property {number[][]} then (outputs, cells)
 * @property {number[]} missing (outputs)
 * @property {number} monotone 1, -1 or 0
 */

/**
 * @typedef {object} Pair
 * @property {Curve[]} curves the two curves
 * @property {number[][][]} then (outputs, terms of the first, terms of the second)
 */

/** @typedef {{ first: number, second: number, t: number }} Segment a place between two cells: 1 - t of the first and t of the second */

/**
 * The curves of a model file; their numbers are copies, which may be changed.
 * @param {any} file @param {import("./evaluate.js").Input[]} inputs
 * @returns {Curve[]}
 */
export function curvesOf(file, inputs) {
    return (file.curves ?? []).map((/** @type {any} */ curve) => {
        const { levels, first } = inputs[curve.input], knots = curve.knots ?? [], terms = curve.terms ?? [];
        return {
            input: curve.input, first, cells: levels ? levels.length : knots.length, category: levels !== null, knots, terms,
            termKnots: levels ? [] : terms.map((/** @type {number} */ k) => knots[k]), then: curve.then.map((/** @type {number[]} */ row) => [...row]),
            missing: curve.missing ? [...curve.missing] : file.targets.map(() => 0), monotone: curve.monotone === "+" ? 1 : curve.monotone === "-" ? -1 : 0,
        };
    });
}

/** @param {any} file @param {Curve[]} curves @returns {Pair[]} */
export function pairsOf(file, curves) {
    return (file.pairs ?? []).map((/** @type {any} */ pair) => ({ curves: pair.curves.map((/** @type {number} */ k) => curves[k]), then: pair.then }));
}

/** Between v0 and v1, never beyond v1. @param {number} v0 @param {number} v1 @param {number} t */
function between(v0, v1, t) {
    const v = v0 + t * (v1 - v0);
    return v0 <= v1 ? (v < v1 ? v : v1) : v > v1 ? v : v1;
}

/** The segment of x between ascending knots. @param {number[]} knots @param {number} x @returns {Segment} */
function segmentOf(knots, x) {
    let low = 0, high = knots.length - 1;
    if (!(x > knots[0])) return { first: 0, second: 0, t: 0 };
    if (x >= knots[high]) return { first: high, second: high, t: 0 };
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (x >= knots[middle]) low = middle;
        else high = middle;
    }
    return { first: low, second: high, t: (x - knots[low]) / (knots[high] - knots[low]) };
}

/** The cells of a curve between which an input is, which is not missing; a category is a level index. Cells beyond the last one add 0. @param {Curve} curve @param {number} x @returns {Segment} */
export function placeOn(curve, x) {
    if (!curve.category) return segmentOf(curve.knots, x);
    const level = x >= 0 && x < curve.cells ? x : curve.cells;
    return { first: level, second: level, t: 0 };
}

/** The terms of pairs between which an input is; the arguments are those of placeOn. @param {Curve} curve @param {number} x @returns {Segment} */
export function termPlaceOn(curve, x) {
    return curve.category ? placeOn(curve, x) : segmentOf(curve.termKnots, x);
}

/** The product without its rounding error, and that error (Dekker). @param {number} a @param {number} b */
function exactProduct(a, b) {
    const split = (/** @type {number} */ x) => { const c = 134217729 * x, high = c - (c - x); return [high, x - high]; };
    const p = a * b, [ah, al] = split(a), [bh, bl] = split(b);
    return [p, al * bl - (((p - ah * bh) - al * bh) - ah * bl)];
}

/** Interpolation with about twice the precision: monotone in the values and in t. @param {number} v0 @param {number} v1 @param {number} t */
function betweenExactly(v0, v1, t) {
    const d = v1 - v0, part = d - v1, dError = (v1 - (d - part)) - (v0 + part);
    const [p, rest] = exactProduct(t, d), pError = rest + t * dError;
    const sum = v0 + p, added = sum - v0, sumError = (v0 - (sum - added)) + (p - added);
    return sum + (sumError + pError);
}

/**
 * The value of a pair at a place. The last step is along a monotone input.
 * @param {number[][]} table @param {Segment} a on the first curve @param {Segment} b on the second @param {Curve[]} curves of the pair
 */
export function tableAt(table, a, b, curves) {
    const v00 = table[a.first][b.first], v01 = table[a.first][b.second], v10 = table[a.second][b.first], v11 = table[a.second][b.second];
    const weigh = (/** @type {number} */ v0, /** @type {number} */ v1, /** @type {number} */ t) => (1 - t) * v0 + t * v1;
    if (!curves[1].monotone) return between(weigh(v00, v01, b.t), weigh(v10, v11, b.t), a.t);
    if (!curves[0].monotone) return between(weigh(v00, v10, a.t), weigh(v01, v11, a.t), b.t);
    return betweenExactly(between(v00, v01, b.t), between(v10, v11, b.t), a.t);
}

/** The value of a curve at a place. @param {number[]} then @param {Segment} place */
export function valueAt(then, { first, second, t }) {
    return first < then.length ? between(then[first], then[second], t) : 0;
}

/** The level of a category: the feature that is 1; curve.cells if none is. @param {Curve} curve @param {ArrayLike<number>} features */
function levelOf(curve, features) {
    let level = 0;
    while (level < curve.cells && !(features[curve.first + level] > 0.5)) level++;
    return level;
}

/**
 * The value of a curve for output o.
 * @param {Curve} curve @param {ArrayLike<number>} features without NaN @param {ArrayLike<number>} missing 1 for a missing feature @param {number} o
 */
export function curveAt(curve, features, missing, o) {
    const then = curve.then[o];
    if (missing[curve.first]) return curve.missing[o];
    return valueAt(then, placeOn(curve, curve.category ? levelOf(curve, features) : features[curve.first]));
}

/** The terms of a row; null if the value is missing or a level is not listed. @param {Curve} curve @param {ArrayLike<number>} features @param {ArrayLike<number>} missing @returns {Segment | null} */
function termSegmentOf(curve, features, missing) {
    if (missing[curve.first]) return null;
    const place = termPlaceOn(curve, curve.category ? levelOf(curve, features) : features[curve.first]);
    return curve.category && place.first >= curve.cells ? null : place;
}

/**
 * The value of a pair for output o; the arguments are those of curveAt.
 * @param {Pair} pair @param {ArrayLike<number>} features @param {ArrayLike<number>} missing @param {number} o
 */
export function pairAt(pair, features, missing, o) {
    const a = termSegmentOf(pair.curves[0], features, missing), b = termSegmentOf(pair.curves[1], features, missing);
    return a && b ? tableAt(pair.then[o], a, b, pair.curves) : 0;
}

/**
 * The sum of all curves and pairs for each output.
 * @param {Curve[]} curves @param {Pair[]} pairs @param {ArrayLike<number>} features @param {ArrayLike<number>} missing @param {Float64Array} sums receives it
 */
export function sumAdditive(curves, pairs, features, missing, sums) {
    sums.fill(0);
    for (let o = 0; o < sums.length; o++) {
        for (const curve of curves) sums[o] += curveAt(curve, features, missing, o);
        for (const pair of pairs) sums[o] += pairAt(pair, features, missing, o);
    }
}
