// rule_text.js: rules as text. The library writes the conditions (src/explain/rules/html_report_rules.h), worded as in `sugeno rules`; the page
// selects among them.

import { blockOfRule } from "./evaluate.js";
import { shown } from "./format.js";
import { columnName, componentsOf, consequent, isPlain, locationOf } from "./original_units.js";

/** @typedef {import("./evaluate.js").Model} Model */

/**
 * @typedef {object} RuleText the text of rules, from the library
 * @property {Map<number, { conditions: string[], there: string[] }>} rules by rule index; not all rules of a very large model
 * @property {Map<number, { label: string, place: string }>} terms labels by MF, of a model of one block
 */

/** @param {any} words @returns {RuleText} */
export function ruleTextOf(words) {
    const withPlusMinus = (/** @type {string[]} */ list) => list.map((text) => text.replaceAll(" +- ", " ± "));
    return {
        rules: new Map(words.rules.map((/** @type {any} */ [r, conditions, there]) => [r, { conditions: withPlusMinus(conditions), there: withPlusMinus(there) }])),
        terms: new Map(words.terms.map((/** @type {any} */ [mf, label, place]) => [mf, { label, place }])),
    };
}

/** The width of a condition relative to the range of its input: narrow ones are the most informative. @param {Model} m @param {number} r @param {string} text */
function narrowness(m, r, text) {
    const b = blockOfRule(m, r);
    for (let i = 0; i < b.width; i++) {
        const mf = b.mfOf[(r - b.first) * b.width + i];
        if (mf < 0 || !text.startsWith(`${columnName(m, b, i)} is `)) continue;
        const feature = isPlain(m, b) ? m.features[i] : null;
        return locationOf(m, b, mf).width / (feature ? feature.high - feature.low || 1 : 4);
    }
    return 0; // a category or a linear combination
}

/** All relevant conditions of a rule. @param {RuleText} ruleText @param {number} r @returns {string[]} */
export function conditionsOf(ruleText, r) {
    return ruleText.rules.get(r)?.conditions ?? ["see sugeno rules --top 0"];
}

/**
 * All conditions if they fit into a number of letters; else the narrowest ones, in order, and the number of the others.
 * @param {Model} m @param {RuleText} ruleText @param {number} r @param {number} letters
 */
export function selectConditions(m, ruleText, r, letters) {
    const list = conditionsOf(ruleText, r), size = (/** @type {number} */ sum, /** @type {string} */ text) => sum + text.length + 5;
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
 * The terms of a linear function of the features, largest first, without terms that are rounding errors.
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

/** Formulas of the principal components: "component 1 = 2.1 − 0.57 a + 0.38 b". @param {Model} m @returns {string[]} */
export function componentFormulas(m) {
    const { matrix, shift } = componentsOf(m);
    return matrix.map((slope, i) => `component ${i + 1} = ${linearText(shift[i], termsOfLine(m, shift[i], slope))}`);
}
