// contributions.js: what the curves, the pairs and the rules of an additive model add to the prediction of the current row.

import { curveAt, pairAt } from "./additive.js";
import { breakable, h } from "./dom.js";
import { base, predictUnclipped, transformRow } from "./evaluate.js";
import { near, part, plural } from "./format.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{ name: string, at: string, adds: number }} Part */

/** Parts shown initially. */
const PARTS_SHOWN = 12;

/** The value of an input of the current row. @param {State} state @param {number} i */
function valueText({ model, x }, i) {
    const input = model.inputs[i];
    if (Number.isNaN(x[i])) return "missing";
    return input.levels ? (input.levels[x[i]] ?? "unknown level") : near(x[i], input.high - input.low);
}

/** All parts of the prediction of the current row but the constant, largest first. @param {State} state @returns {Part[]} */
export function partsNow(state) {
    const { model, output } = state, { features, missing } = transformRow(model, state.x), name = (/** @type {import("./additive.js").Curve} */ curve) => model.inputs[curve.input].name;
    const list = model.curves.map((curve) => ({ name: name(curve), at: valueText(state, curve.input), adds: curveAt(curve, features, missing, output) }));
    for (const pair of model.pairs)
        list.push({ name: pair.curves.map(name).join(" and "), at: pair.curves.map((curve) => valueText(state, curve.input)).join(", "), adds: pairAt(pair, features, missing, output) });
    if (model.rules) list.push({ name: plural(model.rules, "rule"), at: "", adds: predictUnclipped(model, state.x)[output] - base(model, output) - model.additive[output] });
    return list.sort((a, b) => Math.abs(b.adds) - Math.abs(a.adds));
}

/** The list of contributions. @param {State} state */
export function contributionsList(state) {
    const list = h("ol", { class: "parts" }), start = h("p", { class: "note" });
    let all = false;
    const more = h("button", { type: "button", class: "quiet", onclick: () => { all = true; show(); } }, "Show all contributions");
    const show = () => {
        const { model, output } = state, parts = partsNow(state), constant = base(model, output), spread = model.targets[output].scale;
        const sum = constant + parts.reduce((total, one) => total + one.adds, 0), most = Math.max(...parts.map((one) => Math.abs(one.adds))) || 1, { low, high } = model.targets[output];
        const seen = all ? parts : parts.slice(0, PARTS_SHOWN), left = parts.slice(seen.length).reduce((total, one) => total + one.adds, 0);
        list.replaceChildren(...seen.map(({ name, at, adds }) => h("li", { "data-adds": adds },
            h("span", { class: "name" }, ...breakable(name), at ? h("small", {}, ` ${at}`) : null), h("span", { class: "adds" }, part(adds, sum, spread)),
            h("span", { class: "track" }, h("span", { class: adds < 0 ? "fill less" : "fill", style: { width: `${(50 * Math.abs(adds)) / most}%`, "margin-left": `${adds < 0 ? 50 - (50 * Math.abs(adds)) / most : 50}%` } })))));
        more.hidden = all || parts.length <= PARTS_SHOWN;
        start.textContent = [`The prediction starts from ${near(constant, spread)}, the constant.`, seen.length < parts.length ? `${plural(parts.length - seen.length, "smaller contribution")}: ${part(left, sum, spread)}.` : "",
            low !== undefined && (sum < low || sum > high) ? `The sum, ${near(sum, spread)}, is clipped to ${near(low, spread)} to ${near(high, spread)}.` : ""].filter(Boolean).join(" ");
    };
    return { element: h("div", {}, list, more, start), show };
}
