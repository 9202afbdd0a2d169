// words.js: rules in words, as `sugeno rules` has them.

import { blockOfRule } from "./evaluate.js";
import { shown } from "./format.js";
import { CENTRE, KINDS } from "./mf.js";
import { columnName, consequent, isPlain, parametersOf, placeOf, seen, stepsOf } from "./units.js";

/** @typedef {import("./evaluate.js").Model} Model */
/** @typedef {import("./evaluate.js").Block} Block */

const TERMS = [[], [], ["low", "high"], ["low", "medium", "high"], ["very low", "low", "high", "very high"], ["very low", "low", "medium", "high", "very high"]];

/** @type {WeakMap<Block, (string | null)[]>} */
const labelled = new WeakMap();

/** "low", "high", ... for each MF of a block; null where an input has too many, or one. @param {Block} b */
export function labels(b) {
    const there = labelled.get(b);
    if (there) return there;
    /** @type {Map<number, number[]>} */
    const byColumn = new Map();
    b.inputOf.forEach((column, mf) => byColumn.set(column, [...(byColumn.get(column) ?? []).slice(0, 6), mf]));
    /** @type {(string | null)[]} */
    const words = new Array(b.mfs).fill(null);
    for (const mfs of byColumn.values()) {
        if (mfs.length > 5) continue;
        const place = (/** @type {number} */ mf) => KINDS[b.kind].place(parametersOf(b, mf));
        [...mfs].sort((i, k) => place(i) - place(k) || i - k).forEach((mf, i) => (words[mf] = TERMS[mfs.length][i] ?? null));
    }
    labelled.set(b, words);
    return words;
}

/**
 * @typedef {object} Condition
 * @property {string} name of the input or component
 * @property {string} says "is low", "is about 3.1 ± 0.4"
 * @property {number} narrow how much of the input's range it leaves: small ones say most
 */

/**
 * All that a rule says of the levels of a category, in one clause: "is F or M", "is not I", whichever is shorter; null where it may be any. Firing levels are
 * relative: levels for which a rule fires at least half as much as for the best of them are meant.
 * @param {Model} m @param {Block} b @param {number} r in its block @param {import("./evaluate.js").Input} input @returns {Condition | null}
 */
function category(m, b, r, input) {
    const levels = input.levels ?? [], steps = stepsOf(m, b);
    const logs = levels.map((_, is) => {
        let sum = 0;
        levels.forEach((_level, k) => {
            const mf = b.mfOf[r * b.width + input.first + k];
            if (mf >= 0) sum += KINDS[b.kind].log(seen(steps, input.first + k, k === is ? 1 : 0), b.mf, mf * b.arity);
        });
        return b.h * sum;
    });
    const best = Math.max(...logs), meant = levels.filter((_, k) => logs[k] >= best - Math.LN2), others = levels.filter((_, k) => !(logs[k] >= best - Math.LN2));
    if (!others.length) return null;
    const says = meant.length <= others.length ? `is ${meant.join(" or ")}` : `is not ${others.join(" nor ")}`;
    return { name: input.name, says, narrow: meant.length <= others.length ? 0 : 0.5 };
}

/** Of a number, or a component. @param {Model} m @param {Block} b @param {number} mf @returns {Condition} */
function condition(m, b, mf) {
    const column = b.inputOf[mf], feature = isPlain(m, b) ? m.features[column] : null, label = labels(b)[mf];
    const { place, width } = placeOf(m, b, mf), range = feature ? feature.high - feature.low || 1 : 4;
    const far = Number.isFinite(width) ? `about\u00a0${shown(place, 3)}\u00a0±\u00a0${shown(width, 2)}` : "anything";
    return { name: columnName(m, b, column), says: `is ${label ?? far}`, narrow: width / range };
}

/** Whether a condition says something: not where its membership is near 1 all over the range of the training rows. @param {Model} m @param {Block} b @param {number} mf */
function matters(m, b, mf) {
    const column = b.inputOf[mf], feature = isPlain(m, b) ? m.features[column] : null;
    if (!feature) return true;
    const steps = stepsOf(m, b), log = (/** @type {number} */ x) => KINDS[b.kind].log(seen(steps, column, x), parametersOf(b, mf), 0);
    return !(feature.low < feature.high) || b.h * Math.min(log(feature.low), log(feature.high)) < -0.10536;
}

/** All conditions of a rule that matter, in the order of the inputs; one of a category. @param {Model} m @param {number} r @returns {Condition[]} */
export function conditions(m, r) {
    const b = blockOfRule(m, r), list = [];
    for (let i = 0; i < b.width; i++) {
        const mf = b.mfOf[(r - b.first) * b.width + i], feature = isPlain(m, b) ? m.features[i] : null;
        const clause = feature?.level === 0 ? category(m, b, r - b.first, m.inputs[feature.input]) : null;
        if (clause) list.push(clause);
        if (mf >= 0 && !(feature && feature.level >= 0) && matters(m, b, mf)) list.push(condition(m, b, mf));
    }
    return list;
}

/**
 * The weighted sums of inputs that a rule asks for besides: "a − 0.4 b is about 3.1 ± 0.7". The input that moves one most has weight 1, so
 * that the sum is in its units; of ranks it is about these.
 * @param {Model} m @param {number} r @returns {string[]}
 */
export function combinations(m, r) {
    const b = blockOfRule(m, r), steps = stepsOf(m, b), plain = isPlain(m, b) && steps.every((step) => step.step !== "quantile"), ranks = isPlain(m, b) && !plain;
    const list = [];
    for (let k = 0; k < b.rank; k++) {
        let about = 0, most = 0, unit = 0;
        const parts = [];
        for (let i = 0; i < b.width; i++) {
            const mf = b.mfOf[(r - b.first) * b.width + i], tilt = b.tilt[((r - b.first) * b.rank + k) * b.width + i];
            if (mf < 0 || tilt === 0) continue;
            // What conditions see is scale * x + shift, but for clamps.
            const shift = plain ? unclamped(steps, i, 0) : 0, scale = plain ? unclamped(steps, i, 1) - shift : 1;
            const range = plain ? Math.abs(scale) * (m.features[i].high - m.features[i].low) || 1 : 1;
            about += tilt * (b.mf[mf * b.arity + CENTRE[b.kind]] - shift);
            parts.push({ name: ranks ? `rank(${m.features[i].name})` : columnName(m, b, i), weight: tilt * scale });
            if (Math.abs(tilt) * range > most) [most, unit] = [Math.abs(tilt) * range, tilt * scale];
        }
        if (unit === 0) continue;
        const term = (/** @type {{ name: string, weight: number }} */ { name, weight }, /** @type {number} */ i) => {
            const w = weight / unit, size = Math.abs(w) === 1 ? "" : `${shown(Math.abs(w), 3)} `;
            return `${i ? (w < 0 ? " − " : " + ") : w < 0 ? "−" : ""}${size}${name}`;
        };
        list.push(`${parts.map(term).join("")} is about\u00a0${shown(about / unit, 3)}\u00a0±\u00a0${shown(1 / Math.abs(unit), 2)}`);
    }
    return list;
}

/** What steps make of one feature, without clamps. @param {any[]} steps @param {number} k @param {number} x */
function unclamped(steps, k, x) {
    return seen(steps.filter((step) => step.step !== "clamp"), k, x);
}

/** Those that say most, and how many are left over. @param {Condition[]} list @param {number} most */
export function telling(list, most) {
    const some = new Set([...list].sort((a, b) => a.narrow - b.narrow).slice(0, most));
    return { some: list.filter((one) => some.has(one)), more: list.length - some.size };
}

/** @param {Condition[]} list */
export function sentence(list) {
    return list.length ? list.map((one) => `${one.name} ${one.says}`).join(" and ") : "anything";
}

/**
 * The terms of a consequent, those that move it most first; those that are rounding errors are left out.
 * @param {Model} m @param {number} r @param {number} o
 */
export function terms(m, r, o) {
    const { constant, slope } = consequent(m, r, o);
    const moves = (/** @type {number} */ i) => Math.abs(slope[i]) * (m.features[i].high - m.features[i].low || 1);
    const largest = Math.max(Math.abs(constant), ...m.features.map((_, i) => moves(i)));
    const list = m.features.map((feature, i) => ({ name: feature.level >= 0 ? `[${feature.name}]` : feature.name, slope: slope[i], moves: moves(i) }));
    return { constant, list: list.filter((one) => one.slope !== 0 && one.moves >= 1e-9 * largest).sort((a, b) => b.moves - a.moves) };
}

/** "2.1 − 0.57 a + 0.38 b". @param {Model} m @param {number} r @param {number} o @param {number} [most] */
export function formula(m, r, o, most = Infinity) {
    const { constant, list } = terms(m, r, o), some = list.slice(0, most);
    const text = some.map((one) => ` ${one.slope < 0 ? "−" : "+"} ${shown(Math.abs(one.slope))} ${one.name}`).join("");
    return `${shown(constant)}${text}${some.length < list.length ? ` + ${list.length - some.length} more` : ""}`;
}
