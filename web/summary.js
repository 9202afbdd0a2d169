// summary.js: the summary at the top of the page: accuracy, main inputs, cautions, training record.

import { breakable, h } from "./dom.js";
import { base } from "./evaluate.js";
import { clipped, counted, fitOf, lastName, listed, near, percent, plural, shown } from "./format.js";
import { heldOutError, isTrainingData, originOf, rowsHere } from "./held_out.js";
import { errorAt } from "./prediction_intervals.js";
import { extent } from "./scale.js";

/** @typedef {import("./state.js").State} State */

/** Names of the most important inputs, in order. @param {State} state @param {number} most */
export function important(state, most) {
    const moves = state.data?.importance[state.output];
    if (!moves) return [];
    const order = moves.map((_, i) => i).sort((i, k) => moves[k] - moves[i]);
    return order.filter((i) => moves[i] > 0.02 * moves[order[0]]).slice(0, most).map((i) => state.model.inputs[i].name);
}

/** R², or NaN if the targets are constant. @param {State} state */
function fitHere({ data, output }) {
    if (!data || data.metrics[output].rows < 2) return NaN;
    const [low, high] = extent(data.y[output]);
    return low < high ? data.metrics[output].r2 : NaN;
}

/** @param {number} r2 */
function describeFit(r2) {
    if (r2 >= 0.95) return "explains almost all of the variance";
    if (r2 >= 0.8) return "explains most of the variance";
    if (r2 >= 0.5) return "explains much of the variance";
    return r2 >= 0.2 ? "explains some of the variance" : "explains little of the variance";
}

/** How the parts of the model make a prediction. @param {State} state */
function partsOf({ model, output }) {
    const { curves, pairs, blocks, rules, inputs, targets } = model, start = `The model predicts ${targets[output].name} from ${plural(inputs.length, "input")}`;
    if (curves.length) {
        const parts = [plural(curves.length, "curve"), pairs.length ? plural(pairs.length, "table") : "", rules ? plural(rules, "rule") : ""].filter(Boolean);
        return `${start}: it starts from ${near(base(model, output), targets[output].scale)} and adds a number from each of ${listed(parts)}.`;
    }
    if (blocks.length > 1) return `${start} with ${plural(rules, "rule")} in ${plural(blocks.length, "block")}, whose outputs are added; the output of a block is the weighted mean of its rules.`;
    return `${start} with ${plural(rules, "rule")}; a prediction is the weighted mean of the outputs of the rules.`;
}

/** The error to expect. @param {State} state @param {import("./held_out.js").HeldOut} found */
function errorSentence(state, found) {
    const { rmse, r2, deviation } = found, fit = found.here ? fitHere(state) : r2, guess = fit < 1 ? rmse / Math.sqrt(1 - fit) : NaN;
    const described = Number.isFinite(fit) ? `, it ${describeFit(fit)}` : "", start = found.where[0].toUpperCase() + found.where.slice(1);
    return `${start}${described ? `${described}: t` : ", t"}he RMSE is ${shown(rmse, 3)}${Number.isFinite(deviation) ? ` ± ${shown(deviation, 2)} (standard error)` : ""}${
        Number.isFinite(guess) && fit > 0 ? `, compared with ${shown(guess, 3)} if the mean is predicted` : ""}. ${found.note}`.trim();
}

/** The fit to the rows of the page. @param {State} state */
function fitSentence(state) {
    const { data, output } = state, r2 = fitHere(state);
    if (!data) return "";
    const { rmse, mae } = data.metrics[output], numbers = `the RMSE is ${shown(rmse, 3)} and the mean absolute error ${shown(mae, 3)}`;
    if (isTrainingData(state)) return `On the training rows in ${lastName(data.name)}, ${numbers}. That is the fit, not the error to expect on new rows.`;
    return `On ${rowsHere(state)}, ${Number.isFinite(r2) ? `it ${describeFit(r2)}: ` : ""}${numbers}.`;
}

/** @param {State} state */
function sentences(state) {
    const found = heldOutError(state), list = [partsOf(state)], within = errorAt(state.file, state.output, 0.9);
    if (found) list.push(errorSentence(state, found));
    else list.push(state.data ? "The model file has no error on held-out rows." : "The report was created without data, and the model file has no error on held-out rows.");
    if (state.data && !found?.here) list.push(fitSentence(state));
    if (within !== null) list.push(`The 90 % prediction interval is ± ${shown(within, 3)}.`);
    const names = important(state, 3);
    if (names.length) list.push(names.length === 1 ? `The most important input is ${names[0]}.` : `The most important inputs are ${listed(names)}.`);
    return list;
}

/** @param {string} name @param {string} value @param {string} note */
function tile(name, value, note) {
    return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("strong", {}, value), h("span", {}, note)));
}

/** The tiles about accuracy: held-out errors first. @param {State} state */
function accuracyTiles(state) {
    const { data, output } = state, found = heldOutError(state), list = [];
    if (found) {
        const r2 = found.here ? fitHere(state) : found.r2, constant = found.here && !Number.isFinite(r2) ? "; R² is undefined for constant targets" : "";
        list.push(tile("held-out RMSE", shown(found.rmse, 3), `${Number.isFinite(found.deviation) ? `± ${shown(found.deviation, 2)}, ` : ""}${found.where}${constant}`));
        if (Number.isFinite(r2)) list.push(tile("variance explained", percent(r2), `R² ${fitOf(r2)} on held-out rows`));
    }
    if (data && !found?.here) {
        const { rmse } = data.metrics[output], r2 = fitHere(state), fits = Number.isFinite(r2) ? `R² ${fitOf(r2)}` : "R² is undefined for constant targets";
        list.push(tile(isTrainingData(state) ? "RMSE on training rows" : "RMSE on these rows", shown(rmse, 3), isTrainingData(state) ? `the fit, ${fits}` : fits));
    } else if (data) list.push(tile("mean absolute error", shown(data.metrics[output].mae, 3), found?.where ?? ""));
    return list;
}

/** @param {State} state */
function sizeTile({ model, output }) {
    const { curves, pairs, rules } = model, conditions = model.blocks.reduce((sum, b) => sum + b.mfs, 0);
    if (!curves.length) return tile("rules", counted(rules), plural(conditions, "membership function"));
    const cells = curves.reduce((sum, curve) => sum + curve.cells, 0) + pairs.reduce((sum, pair) => sum + pair.then[output].flat().length, 0);
    return tile(pairs.length ? "curves and tables" : "curves", pairs.length ? `${counted(curves.length)} + ${counted(pairs.length)}` : counted(curves.length),
        [`${counted(cells)} numbers`, rules ? plural(rules, "rule") : ""].filter(Boolean).join(", "));
}

/** @param {State} state */
function tiles(state) {
    const { data, model, output } = state, list = accuracyTiles(state);
    if (data) list.push(tile("rows", counted(data.metrics[output].rows), data.metrics[output].rows === data.row.length ? "all in this page" : `${counted(data.row.length)} of ${counted(data.rows)} in this page`));
    else list.push(tile("inputs", counted(model.inputs.length), plural(model.features.length, "number")));
    return h("dl", { class: "tiles" }, ...list, sizeTile(state));
}

/** Cautions about the accuracy. @param {State} state */
function cautions(state) {
    const training = state.file.training ?? {}, list = [];
    if (training.edited) list.push(`The model was edited after training (${training.edited}); its error on held-out rows is unknown.`);
    if (state.data && state.data.rows < 10) list.push("There are too few rows to judge the accuracy.");
    if (originOf(state)) list.push(originOf(state));
    for (const [name, value] of Object.entries(training)) if (name.startsWith("note_") && value) list.push(sentenceOf(String(value)));
    return list.length ? h("ul", { class: "cautions" }, ...list.map((text) => h("li", {}, text))) : null;
}

/** @param {string} text */
function sentenceOf(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Groups of the training record, in order; the last one takes the remaining options. */
const FACTS = /** @type {[string, RegExp][]} */ ([
    ["Overview", /^(preset|chosen|rows|rules|structure|iterations|best_iteration|valid_rmse|valid_rmse_standard_error|edited|seed|version|simplified)$/],
    ["Candidates", /^tried_/],
    ["All options", /./],
]);

/** Labels for entries whose names are unclear. */
const FACT_NAMES = /** @type {Record<string, string>} */ ({ valid_rmse: "validation RMSE", valid_rmse_standard_error: "its standard error", valid_rmse_before_edit: "validation RMSE before the edit", iterations: "iterations run", best_iteration: "best iteration", data: "fingerprint of the data" });

/** "tried_2" and "target_deviation" as a label. @param {string} name */
function factName(name) {
    return FACT_NAMES[name] ?? name.replace(/^tried_/, "").replace(/_/g, " ");
}

/** @param {any} value */
function factValue(value) {
    return typeof value === "number" && !Number.isInteger(value) ? shown(value, 4) : String(value);
}

/** @param {State} state */
function record(state) {
    let left = Object.entries(state.file.training ?? {}).filter(([name, value]) => name !== "curve" && !name.startsWith("note_") && value !== "");
    if (!left.length) return null;
    const groups = FACTS.map(([title, which]) => {
        const some = left.filter(([name]) => which.test(name));
        left = left.filter(([name]) => !which.test(name));
        return some.length ? [h("h4", {}, title), h("dl", { class: title === "Candidates" ? "long" : "" },
            ...some.map(([name, value]) => h("div", {}, h("dt", {}, factName(name)), h("dd", {}, factValue(value)))))] : [];
    });
    return h("details", { class: "record" }, h("summary", {}, "Training record"), ...groups.flat());
}

/** Selects the output. @param {State} state */
function choice(state) {
    if (state.model.outputs === 1) return null;
    const select = h("select", { id: "output", onchange: () => { state.output = Number(select.value); state.emit("output"); } },
        ...state.model.targets.map((target, o) => h("option", { value: o }, clipped(target.name, 60))));
    return h("p", { class: "choice" }, h("label", { for: "output" }, "Target"), select);
}

/** @param {State} state @param {any} section */
export function showSummary(state, section) {
    const title = h("h1", { id: "title" }), body = h("div", { class: "lead" }), figures = h("div");
    const draw = () => {
        const target = state.model.targets[state.output].name;
        title.replaceChildren("Model of ", h("em", {}, ...breakable(target)));
        title.classList.toggle("long", target.length > 30);
        document.title = `${clipped(target, 60)} – sugeno report`;
        body.replaceChildren(...sentences(state).map((text) => h("p", {}, ...breakable(text))));
        figures.replaceChildren(tiles(state));
    };
    state.on("output", draw);
    draw();
    section.append(...[title, choice(state), body, figures, cautions(state), record(state)].filter(Boolean));
}
