// membership_charts.js: the membership functions of each input over a histogram of its values.

import { bars, chart, line, stroke } from "./chart.js";
import { breakable, h, put, s } from "./dom.js";
import { blockOfRule, predict, ruleName, ruleOutput, transformRow } from "./evaluate.js";
import { counted, listed, percent, plural } from "./format.js";
import { KINDS } from "./mf.js";
import { extent, histogram, padded } from "./scale.js";
import { rowOf } from "./state.js";
import { columnName, isPlain, locationOf, transformValue, stepsOf } from "./original_units.js";
import { componentFormulas } from "./rule_text.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./evaluate.js").Block} Block */

/** Cards and curves per card shown initially; points of a curve; rules named for a curve. */
const CARDS = 12, CURVES = 100, POINTS = 161, NAMED = 4;
/** The largest number of curves with individual colours. */
const TERMS_SHOWN = 6;

/**
 * @typedef {object} Picture a chart of one column of the conditions' inputs
 * @property {string} name
 * @property {number} column
 * @property {boolean} plain whether it is a feature, not a component
 * @property {(number | null)[]} values in the rows
 * @property {{ block: Block, mf: number, weight: number }[]} curves in order of decreasing weight
 * @property {number} count number of curves drawn
 * @property {() => void} [move] updates the marker of the current row
 * @property {Map<string, any[]>} paths the SVG paths of an MF
 */

/** The weight of each MF of a block: the total coverage of the rules that use it. @param {State} state @param {Block} b */
function weights(state, b) {
    const sums = new Float64Array(b.mfs);
    for (let r = 0; r < b.rules; r++)
        for (let i = 0; i < b.width; i++) {
            const mf = b.mfOf[r * b.width + i];
            if (mf >= 0) sums[mf] += state.coverage ? state.coverage[b.first + r] : 1;
        }
    return sums;
}

/** @param {State} state @returns {Picture[]} */
function pictures(state) {
    const { model, data } = state, sample = data?.sample ?? [];
    const rows = data && model.blocks.some((b) => !isPlain(model, b)) ? sample.map((i) => transformRow(model, rowOf(data, i))) : [];
    /** @type {Map<string, { block: Block, mf: number, weight: number }[]>} */
    const found = new Map();
    for (const block of model.blocks) {
        const counts = weights(state, block);
        block.inputOf.forEach((column, mf) => {
            const key = `${block.seesZ && !model.sharedPipeline && !isPlain(model, block) ? "z" : "a"}${column}`;
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
        if (list.length <= TERMS_SHOWN) list.sort((x, y) => locationOf(model, x.block, x.mf).place - locationOf(model, y.block, y.mf).place);
        return [{ name: columnName(model, block, column), column, plain, values, curves: list, count: Math.min(CURVES, list.length), paths: new Map() }];
    });
}

/** @param {State} state @param {Picture} p @returns {[number, number]} */
function rangeOf(state, p) {
    if (p.plain) {
        const { low, high } = state.model.features[p.column];
        return padded(extent([low, high, ...p.values]), 0);
    }
    const places = p.curves.map(({ block, mf }) => locationOf(state.model, block, mf).place);
    return padded(extent([...p.values, ...places]), 0.05);
}

/** A line at the value of the current row. @param {State} state @param {import("./chart.js").Frame} frame @param {number} input */
function follower(state, frame, input) {
    stroke(frame, [0, 0], [0, 1], "now");
    const mark = frame.plot.lastChild;
    return () => {
        const x = frame.x(state.x[input]);
        mark.toggleAttribute("hidden", !Number.isFinite(x));
        if (Number.isFinite(x)) for (const side of ["x1", "x2"]) mark.setAttribute(side, String(Math.max(-2, Math.min(frame.width + 2, x))));
    };
}

/** @param {Block} block @param {number} mf */
function keyOf(block, mf) {
    return `${block.first} ${mf}`;
}

/** "rules 3 and 12", the rules that use an MF. @param {State} state @param {Block} block @param {number} mf */
function rulesUsing(state, block, mf) {
    const names = [];
    for (let r = 0; r < block.rules && names.length <= NAMED; r++)
        if (block.mfOf.subarray(r * block.width, (r + 1) * block.width).includes(mf)) names.push(ruleName(state.model, block.first + r));
    if (names.length > NAMED) return `rules ${names.slice(0, NAMED).join(", ")} and others`;
    return `rule${names.length === 1 ? "" : "s"} ${listed(names)}`;
}

/** One MF, after and before training. @param {State} state @param {Picture} p @param {number} i @param {import("./chart.js").Frame} frame */
function drawCurve(state, p, i, frame) {
    const { block, mf, weight } = p.curves[i], kind = KINDS[block.kind], steps = stepsOf(state.model, block), many = p.curves.length > TERMS_SHOWN;
    const { low, high } = frame.x, look = many ? "many" : `term${i}`;
    // MFs of rules with a large coverage are more opaque.
    const strength = (0.25 + 0.65 * Math.sqrt(weight / p.curves[0].weight || 0)) * Math.min(1, Math.sqrt(24 / p.count));
    const draw = (/** @type {Float64Array} */ parameters, /** @type {string} */ mark, /** @type {number} */ opacity) => {
        const points = Array.from({ length: POINTS }, (_, k) => {
            const x = low + ((high - low) * k) / (POINTS - 1);
            return /** @type {[number, number]} */ ([x, Math.exp(kind.log(p.plain ? transformValue(steps, p.column, x) : x, parameters, mf * block.arity))]);
        });
        line(frame, points, mark);
        if (many) put(frame.plot.lastChild, { "stroke-opacity": opacity.toFixed(2) });
        frame.plot.lastChild.append(s("title", {}, `used by ${rulesUsing(state, block, mf)}`));
        return frame.plot.lastChild;
    };
    const before = block.before ? [draw(block.before, `before ${look}`, 0.5 * strength)] : [];
    p.paths.set(keyOf(block, mf), [...before, draw(block.mf, look, strength)]);
}

/** @param {State} state @param {Picture} p */
function planOf(state, p) {
    const [low, high] = rangeOf(state, p), counts = histogram(p.values, low, high, 36), most = Math.max(1, ...counts);
    return {
        title: `Membership functions of ${p.name}`, height: 160, x: { low, high }, y: { low: 0, high: 1.04 },
        draw: (/** @type {import("./chart.js").Frame} */ frame) => {
            bars(frame, counts.map((count) => (0.96 * count) / most), low, high, "back");
            p.paths.clear();
            for (let i = p.count - 1; i >= 0; i--) drawCurve(state, p, i, frame);
            const feature = p.plain ? state.model.features[p.column] : null;
            p.move = feature && !feature.effect ? follower(state, frame, feature.input) : () => {};
            p.move();
        },
    };
}

/** The rule with the largest weight for the current row. @param {State} state */
function topRule(state) {
    const { model, output } = state;
    predict(model, state.x);
    const size = (/** @type {number} */ r) => model.firing[r] * (model.blocks.length > 1 && model.firing[r] > 0 ? Math.abs(ruleOutput(model, r, output)) : 1);
    let top = 0;
    for (let r = 1; r < model.rules; r++) if (size(r) > size(top)) top = r;
    return top;
}

/** Highlights the MFs that a rule uses. @param {State} state @param {Picture} p @param {number} rule */
function markRule(state, p, rule) {
    const block = blockOfRule(state.model, rule), asked = block.mfOf.subarray((rule - block.first) * block.width, (rule - block.first + 1) * block.width);
    for (const paths of p.paths.values()) for (const path of paths) path.classList.remove("top");
    for (const mf of asked) for (const path of p.paths.get(keyOf(block, mf)) ?? []) {
        path.classList.add("top");
        path.parentNode.append(path);
    }
}

/** The legend: "low, about 3.1" for labelled MFs. @param {State} state @param {Picture} p @param {() => void} showAll */
function termsOf(state, p, showAll) {
    const named = p.curves.flatMap(({ mf }, i) => {
        const term = state.ruleText.terms.get(mf);
        return term ? [h("span", {}, h("i", { class: `key term${i % TERMS_SHOWN}` }), `${term.label}, about ${term.place}`)] : [];
    });
    const many = p.curves.length > TERMS_SHOWN, before = p.curves.some(({ block }) => block.before) ? [h("span", {}, h("i", { class: "key before" }), "before training")] : [];
    const all = h("button", { type: "button", class: "plain", onclick: () => { all.replaceWith(`all ${counted(p.curves.length)} shown`); showAll(); } }, `show all ${counted(p.curves.length)}`);
    const how = p.count < p.curves.length ? [h("span", {}, `the ${p.count} of rules with the largest coverage,`, all)] : [];
    return h("p", { class: "legend" }, ...(named.length ? named : [h("span", {}, h("i", { class: "key" }), plural(p.curves.length, "membership function"))]), ...how, ...before,
        ...(many ? [h("span", {}, h("i", { class: "key second" }), "of the rule that fires most strongly now")] : []));
}

/** A category: the frequency of each level. @param {State} state @param {number} i */
function levelCard(state, i) {
    const levels = state.model.inputs[i].levels ?? [], shares = /** @type {number[]} */ (state.file.inputs[i].shares), most = Math.max(...shares) || 1;
    const name = state.model.inputs[i].name;
    return h("figure", { class: "card small" },
        h("figcaption", {}, h("h3", { title: name }, ...breakable(name)), h("p", { class: "note" }, "frequency of each level in the training data")),
        h("ol", { class: "ranking tight" }, ...levels.map((level, k) => h("li", {}, h("span", { class: "name" }, level), h("span", { class: "value" }, percent(shares[k])),
            h("span", { class: "track" }, h("span", { class: "fill", style: { width: `${(100 * shares[k]) / most}%` } }))))));
}

/** The formulas of principal components. @param {State} state */
function componentsShown(state) {
    if (!state.model.blocks.some((b) => b.mfs > 0 && !isPlain(state.model, b))) return null;
    return h("div", { class: "card components" }, h("h3", {}, "Components"),
        h("p", { class: "note" }, "Conditions use principal components of the inputs; train with ", h("code", {}, "--pca 0"), " for conditions on the inputs themselves."),
        h("ul", {}, ...componentFormulas(state.model).map((text) => h("li", {}, ...breakable(text)))));
}

/** @param {State} state @param {any} section */
export function showInputs(state, section) {
    if (!state.model.rules) return false;
    const shownPictures = /** @type {Picture[]} */ ([]);
    let top = topRule(state), asked = 0;
    const cards = pictures(state).map((p) => () => {
        const plan = () => {
            const made = planOf(state, p);
            return { ...made, draw: (/** @type {import("./chart.js").Frame} */ frame) => { made.draw(frame); markRule(state, p, top); } };
        };
        const drawn = chart(plan()), showAll = () => { p.count = p.curves.length; drawn.again(plan()); };
        shownPictures.push(p);
        return h("figure", { class: "card small" }, h("figcaption", {}, h("h3", { title: p.name }, ...breakable(p.name)), termsOf(state, p, showAll)), drawn.element);
    });
    const moved = () => {
        asked = 0;
        top = topRule(state);
        for (const p of shownPictures) {
            p.move?.();
            markRule(state, p, top);
        }
    };
    for (const event of /** @type {("row" | "output")[]} */ (["row", "output"])) state.on(event, () => { if (!asked) asked = requestAnimationFrame(moved); });
    state.model.inputs.forEach((input, i) => input.levels && cards.push(() => levelCard(state, i)));
    if (!cards.length) return false;
    const grid = h("div", { class: "cards three" }, ...cards.slice(0, CARDS).map((make) => make()));
    const showAll = () => {
        grid.append(...cards.slice(CARDS).map((make) => make()));
        more.remove();
    };
    const more = h("button", { type: "button", class: "quiet", onclick: showAll }, `Show all ${cards.length}`);
    section.append(h("h2", { id: "inputs-title" }, "Inputs and their membership functions"),
        h("p", { class: "note" }, `${state.data ? "Grey bars: histogram of the values. " : ""}Curves: degree of membership, from 0 to 1${
            state.model.blocks.some((b) => b.before) ? "; dashed: before training" : ""}.`), componentsShown(state) ?? "", grid, ...(cards.length > CARDS ? [more] : []));
    return true;
}
