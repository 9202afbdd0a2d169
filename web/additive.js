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

/** The value of a pair at a place. @param {number[][]} table @param {Segment} a on the first curve @param {Segment} b on the second */
export function tableAt(table, a, b) {
    const along = (/** @type {number[]} */ row) => (1 - b.t) * row[b.first] + b.t * row[b.second];
    return between(along(table[a.first]), along(table[a.second]), a.t);
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
    return a && b ? tableAt(pair.then[o], a, b) : 0;
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
