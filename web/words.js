// words.js: rules in words. Conditions are told by the library (src/explain/told.h), as `sugeno rules` has them: the page chooses among them.

import { blockOfRule } from "./evaluate.js";
import { shown } from "./format.js";
import { columnName, componentsOf, consequent, isPlain, placeOf } from "./units.js";

/** @typedef {import("./evaluate.js").Model} Model */

/**
 * @typedef {object} Told what the library says of rules
 * @property {Map<number, { conditions: string[], there: string[] }>} rules by number; not all of a very large model
 * @property {Map<number, { label: string, place: string }>} terms by MF, of a model of one block
 */

/** @param {any} words @returns {Told} */
export function toldOf(words) {
    const nicer = (/** @type {string[]} */ list) => list.map((text) => text.replaceAll(" +- ", " ± "));
    return {
        rules: new Map(words.rules.map((/** @type {any} */ [r, conditions, there]) => [r, { conditions: nicer(conditions), there: nicer(there) }])),
        terms: new Map(words.terms.map((/** @type {any} */ [mf, label, place]) => [mf, { label, place }])),
    };
}

/** How much of its input's range a condition leaves, at about: small ones say most. @param {Model} m @param {number} r @param {string} text */
function narrowness(m, r, text) {
    const b = blockOfRule(m, r);
    for (let i = 0; i < b.width; i++) {
        const mf = b.mfOf[(r - b.first) * b.width + i];
        if (mf < 0 || !text.startsWith(`${columnName(m, b, i)} is `)) continue;
        const feature = isPlain(m, b) ? m.features[i] : null;
        return placeOf(m, b, mf).width / (feature ? feature.high - feature.low || 1 : 4);
    }
    return 0; // a category, or a sum
}

/** All conditions of a rule that matter. @param {Told} told @param {number} r @returns {string[]} */
export function conditionsOf(told, r) {
    return told.rules.get(r)?.conditions ?? ["told by sugeno rules --top 0"];
}

/**
 * All conditions where they take no more than so many letters; else those that say most, in their order, and how many are left over.
 * @param {Model} m @param {Told} told @param {number} r @param {number} letters
 */
export function telling(m, told, r, letters) {
    const list = conditionsOf(told, r), size = (/** @type {number} */ sum, /** @type {string} */ text) => sum + text.length + 5;
    if (list.reduce(size, 0) <= letters) return { some: list, more: 0 };
    const narrow = list.map((text) => narrowness(m, r, text)), order = list.map((_, i) => i).sort((i, k) => narrow[i] - narrow[k]), chosen = new Set([order[0]]);
    for (let left = size(-letters, list[order[0]]), k = 1; k < order.length && (left = size(left, list[order[k]])) <= 0; k++) chosen.add(order[k]);
    return { some: list.filter((_, i) => chosen.has(i)), more: list.length - chosen.size };
}

/** "2.1 − 0.57 a + 0.38 b". @param {number} constant @param {{ name: string, slope: number }[]} list */
function linearText(constant, list) {
    return `${shown(constant)}${list.map((one) => ` ${one.slope < 0 ? "−" : "+"} ${shown(Math.abs(one.slope))} ${one.name}`).join("")}`;
}

/**
 * The terms of a linear function of the features, those that move it most first; those that are rounding errors are left out.
 * @param {Model} m @param {number} constant @param {ArrayLike<number>} slope
 */
function termsOfLine(m, constant, slope) {
    const moves = (/** @type {number} */ i) => Math.abs(slope[i]) * (m.features[i].high - m.features[i].low || 1);
    const largest = Math.max(Math.abs(constant), ...m.features.map((_, i) => moves(i)));
    const list = m.features.map((feature, i) => ({ name: feature.level >= 0 ? `[${feature.name}]` : feature.name, slope: slope[i], moves: moves(i) }));
    return list.filter((one) => one.slope !== 0 && one.moves >= 1e-9 * largest).sort((a, b) => b.moves - a.moves);
}

/** The consequent of a rule. @param {Model} m @param {number} r @param {number} o */
export function formula(m, r, o) {
    const { constant, slope } = consequent(m, r, o);
    return linearText(constant, termsOfLine(m, constant, slope));
}

/** What the components are that conditions see: "component 1 = 2.1 − 0.57 a + 0.38 b". @param {Model} m @returns {string[]} */
export function componentFormulas(m) {
    const { matrix, shift } = componentsOf(m);
    return matrix.map((slope, i) => `component ${i + 1} = ${linearText(shift[i], termsOfLine(m, shift[i], slope))}`);
}
