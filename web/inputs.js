// inputs.js: every input's membership functions over what the data has of it.

import { bars, chart, line, stroke } from "./chart.js";
import { breakable, h, put } from "./dom.js";
import { views } from "./evaluate.js";
import { percent, plural } from "./format.js";
import { KINDS } from "./mf.js";
import { extent, histogram, padded } from "./scale.js";
import { rowOf } from "./state.js";
import { columnName, isPlain, placeOf, seen, stepsOf } from "./units.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./evaluate.js").Block} Block */

/** Cards at first, curves on a card, points of a curve. */
const CARDS = 12, CURVES = 32, POINTS = 161;
/** Curves that each have a colour of their own. */
const TERMS_SHOWN = 6;
/** Of how many at most it is shown what they were before training. */
const STARTS = 8;

/**
 * @typedef {object} Picture of a column that conditions see
 * @property {string} name
 * @property {number} column
 * @property {boolean} plain it is a feature, and not a component
 * @property {(number | null)[]} values in the rows
 * @property {{ block: Block, mf: number, weight: number }[]} curves those that count most
 * @property {number} more how many are left out
 * @property {() => void} [move] shows where the viewers are
 */

/** How much each MF of a block counts: the shares of the rules that ask for it. @param {State} state @param {Block} b */
function weights(state, b) {
    const sums = new Float64Array(b.mfs);
    for (let r = 0; r < b.rules; r++)
        for (let i = 0; i < b.width; i++) {
            const mf = b.mfOf[r * b.width + i];
            if (mf >= 0) sums[mf] += state.shares ? state.shares[b.first + r] : 1;
        }
    return sums;
}

/** @param {State} state @returns {Picture[]} */
function pictures(state) {
    const { model, data } = state, sample = data?.sample ?? [];
    const rows = data && model.blocks.some((b) => !isPlain(model, b)) ? sample.map((i) => views(model, rowOf(data, i))) : [];
    /** @type {Map<string, { block: Block, mf: number, weight: number }[]>} */
    const found = new Map();
    for (const block of model.blocks) {
        const counts = weights(state, block);
        block.inputOf.forEach((column, mf) => {
            const key = `${block.seesZ && !model.oneView && !isPlain(model, block) ? "z" : "a"}${column}`;
            const list = found.get(key) ?? [];
            list.push({ block, mf, weight: counts[mf] });
            found.set(key, list);
        });
    }
    const columns = [...found].sort(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
    return columns.flatMap(([, list]) => {
        const { block, mf } = list[0], column = block.inputOf[mf], plain = isPlain(model, block), feature = plain ? model.features[column] : null;
        if (feature && feature.level >= 0) return [];
        const values = feature ? sample.map((i) => (feature.effect ? null : (data?.x[feature.input][i] ?? null))) : rows.map(({ a, z }) => (block.seesZ ? z : a)[column]);
        list.sort((x, y) => y.weight - x.weight);
        if (list.length <= TERMS_SHOWN) list.sort((x, y) => placeOf(model, x.block, x.mf).place - placeOf(model, y.block, y.mf).place);
        return [{ name: columnName(model, block, column), column, plain, values, curves: list.slice(0, CURVES), more: Math.max(0, list.length - CURVES) }];
    });
}

/** @param {State} state @param {Picture} p @returns {[number, number]} */
function rangeOf(state, p) {
    if (p.plain) {
        const { low, high } = state.model.features[p.column];
        return padded(extent([low, high, ...p.values]), 0);
    }
    const places = p.curves.map(({ block, mf }) => placeOf(state.model, block, mf).place);
    return padded(extent([...p.values, ...places]), 0.05);
}

/** A line at the value that the viewers show. @param {State} state @param {import("./chart.js").Frame} frame @param {number} input */
function follower(state, frame, input) {
    stroke(frame, [0, 0], [0, 1], "now");
    const mark = frame.plot.lastChild;
    return () => {
        const x = frame.x(state.x[input]);
        mark.toggleAttribute("hidden", !Number.isFinite(x));
        if (Number.isFinite(x)) for (const side of ["x1", "x2"]) mark.setAttribute(side, String(Math.max(-2, Math.min(frame.width + 2, x))));
    };
}

/** @param {State} state @param {Picture} p */
function planOf(state, p) {
    const [low, high] = rangeOf(state, p), counts = histogram(p.values, low, high, 36), most = Math.max(1, ...counts);
    return {
        title: `Membership functions of ${p.name}`, height: 150, x: { low, high }, y: { low: 0, high: 1.04, hidden: true },
        draw: (/** @type {import("./chart.js").Frame} */ frame) => {
            bars(frame, counts.map((count) => (0.96 * count) / most), low, high, "back");
            const feature = p.plain ? state.model.features[p.column] : null, many = p.curves.length > TERMS_SHOWN;
            const curve = (/** @type {Block} */ block, /** @type {number} */ mf, /** @type {Float64Array} */ parameters, /** @type {string} */ look, /** @type {number} */ strength) => {
                const kind = KINDS[block.kind], steps = stepsOf(state.model, block);
                const points = Array.from({ length: POINTS }, (_, k) => {
                    const x = low + ((high - low) * k) / (POINTS - 1);
                    return /** @type {[number, number]} */ ([x, Math.exp(kind.log(feature ? seen(steps, p.column, x) : x, parameters, mf * block.arity))]);
                });
                line(frame, points, look);
                if (many) put(frame.plot.lastChild, { "stroke-opacity": strength.toFixed(2) });
            };
            // A rule that governs much is drawn more strongly than others.
            const strength = (/** @type {number} */ weight) => (0.2 + 0.7 * Math.sqrt(weight / p.curves[0].weight || 0)) * Math.min(1, Math.sqrt(12 / p.curves.length));
            p.curves.slice(0, STARTS).forEach(({ block, mf, weight }, i) => block.before && curve(block, mf, block.before, many ? "before many" : `before term${i}`, 0.6 * strength(weight)));
            p.curves.forEach(({ block, mf, weight }, i) => curve(block, mf, block.mf, many ? "many" : `term${i}`, strength(weight)));
            p.move = feature && !feature.effect ? follower(state, frame, feature.input) : () => {};
            p.move();
        },
    };
}

/** "low, about 3.1" where the terms have words. @param {State} state @param {Picture} p */
function termsOf(state, p) {
    const named = p.curves.flatMap(({ mf }, i) => {
        const term = state.told.terms.get(mf);
        return term ? [h("span", {}, h("i", { class: `key term${i % TERMS_SHOWN}` }), `${term.label}, about ${term.place}`)] : [];
    });
    const before = p.curves.some(({ block }) => block.before) ? [h("span", {}, h("i", { class: "key before" }), `${p.curves.length > STARTS ? `${STARTS} of them ` : ""}before training`)] : [];
    if (!named.length)
        return h("p", { class: "legend" }, h("span", {}, `${plural(p.curves.length + p.more, "membership function")}${p.more ? `; the ${p.curves.length} that count most are drawn` : ""}`), ...before);
    return h("p", { class: "legend" }, ...named, ...before);
}

/** A category: how often each level comes. @param {State} state @param {number} i */
function levelCard(state, i) {
    const levels = state.model.inputs[i].levels ?? [], shares = /** @type {number[]} */ (state.file.inputs[i].shares), most = Math.max(...shares) || 1;
    const name = state.model.inputs[i].name;
    return h("figure", { class: "card small" },
        h("figcaption", {}, h("h3", { title: name }, ...breakable(name)), h("p", { class: "note" }, "how often each level came in training")),
        h("ol", { class: "ranking tight" }, ...levels.map((level, k) => h("li", {}, h("span", { class: "name" }, level), h("span", { class: "value" }, percent(shares[k])),
            h("span", { class: "track" }, h("span", { class: "fill", style: { width: `${(100 * shares[k]) / most}%` } }))))));
}

/** @param {State} state @param {any} section */
export function showInputs(state, section) {
    const cards = pictures(state).map((p) => () => {
        const drawn = chart(planOf(state, p));
        state.on("row", () => p.move?.());
        return h("figure", { class: "card small" }, h("figcaption", {}, h("h3", { title: p.name }, ...breakable(p.name)), termsOf(state, p)), drawn.element);
    });
    state.model.inputs.forEach((input, i) => input.levels && cards.push(() => levelCard(state, i)));
    if (!cards.length) return false;
    const grid = h("div", { class: "cards three" }, ...cards.slice(0, CARDS).map((make) => make()));
    const showAll = () => {
        grid.append(...cards.slice(CARDS).map((make) => make()));
        more.remove();
    };
    const more = h("button", { type: "button", class: "quiet", onclick: showAll }, `Show all ${cards.length}`);
    const components = state.model.blocks.some((b) => b.mfs > 0 && !isPlain(state.model, b));
    section.append(h("h2", { id: "inputs-title" }, "Inputs and their membership functions"),
        h("p", { class: "note" }, `Grey bars: how often values come${state.data ? " in the rows" : ", where there are data"}. Curves: how well a value meets a condition of the rules, from 0 to 1${
            state.model.blocks.some((b) => b.before) ? "; dashed ones: before training" : ""}.${
            components ? " Conditions are on principal components of the inputs." : ""}`), grid, ...(cards.length > CARDS ? [more] : []));
    return true;
}
