// importance.js: the permutation importance of the inputs.

import { breakable, h } from "./dom.js";
import { plural, shown } from "./format.js";

/** @typedef {import("./state.js").State} State */

const RANKED = 12;

/** @param {State} state @param {any} section */
export function showImportance(state, section) {
    if (!state.data || state.model.inputs.length < 2 || !state.data.importance.some((moves) => moves.some((one) => one > 0))) return false;
    const list = h("ol", { class: "ranking" });
    let all = state.model.inputs.length <= RANKED + 3;
    const more = h("button", { type: "button", class: "quiet", onclick: () => { all = true; draw(); } }, `Show all ${plural(state.model.inputs.length, "input")}`);
    const draw = () => {
        const moves = state.data?.importance[state.output] ?? [], most = Math.max(...moves) || 1;
        const order = moves.map((_, i) => i).sort((i, k) => moves[k] - moves[i]).slice(0, all ? moves.length : RANKED);
        list.replaceChildren(...order.map((i) => h("li", {},
            h("span", { class: "name", title: state.model.inputs[i].name }, ...breakable(state.model.inputs[i].name)), h("span", { class: "value" }, shown(moves[i], 3)),
            h("span", { class: "track" }, h("span", { class: "fill", style: { width: `${(100 * moves[i]) / most}%` } })))));
        more.hidden = all;
    };
    state.on("output", draw);
    draw();
    section.append(h("h2", { id: "importance-title" }, "Permutation importance"),
        h("p", { class: "note" }, "Root mean square change of the predictions, in the units of the target, if the values of an input are permuted among the rows."),
        h("div", { class: "card" }, list, more));
    return true;
}
