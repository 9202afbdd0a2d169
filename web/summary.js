// summary.js: the summary at the top of the page: accuracy, main inputs, cautions, training record.

import { breakable, h } from "./dom.js";
import { clipped, counted, fitOf, lastName, listed, percent, plural, shown } from "./format.js";
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

/** @param {State} state */
function sentences(state) {
    const { data, model, output } = state, target = model.targets[output].name, list = [];
    const about = `The model predicts ${target} from ${plural(model.inputs.length, "input")} with ${plural(model.rules, "rule")}`;
    list.push(model.blocks.length > 1 ? `${about} in ${plural(model.blocks.length, "block")}, whose outputs are added; the output of a block is the weighted mean of its rules.`
        : `${about}; a prediction is the weighted mean of the outputs of the rules.`);
    if (!data) return [...list, "The report was created without data, so it has no accuracy."];
    const { rmse, mae } = data.metrics[output], r2 = fitHere(state), guess = r2 < 1 ? rmse / Math.sqrt(1 - r2) : NaN;
    const described = Number.isFinite(r2) ? `it ${describeFit(r2)}: ` : "";
    list.push(`On ${plural(data.metrics[output].rows, "row")} of ${lastName(data.name)}, ${described}the mean absolute error is ${shown(mae, 3)}${
        Number.isFinite(guess) && r2 > 0 ? `; the RMSE is ${shown(rmse, 3)}, compared with ${shown(guess, 3)} if the mean is predicted` : ""}.`);
    const within = errorAt(state.file, output, 0.9);
    if (within !== null) list.push(`The 90 % prediction interval is ± ${shown(within, 3)}.`);
    const names = important(state, 3);
    if (names.length) list.push(names.length === 1 ? `The most important input is ${names[0]}.` : `The most important inputs are ${listed(names)}.`);
    return list;
}

/** @param {string} name @param {string} value @param {string} note */
function tile(name, value, note) {
    return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, h("strong", {}, value), h("span", {}, note)));
}

/** @param {State} state */
function tiles(state) {
    const { data, model, output } = state, list = [], conditions = model.blocks.reduce((sum, b) => sum + b.mfs, 0);
    if (data) {
        const { rmse, mae, rows } = data.metrics[output], r2 = fitHere(state);
        list.push(tile("mean absolute error", shown(mae, 3), `RMSE ${shown(rmse, 3)}`));
        if (Number.isFinite(r2)) list.push(tile("variance explained", percent(r2), `R² ${fitOf(r2)}`));
        else list.push(tile("variance explained", "–", "R² is undefined for constant targets"));
        list.push(tile("rows", counted(rows), rows === data.row.length ? "all in this page" : `${counted(data.row.length)} of ${counted(data.rows)} in this page`));
    } else list.push(tile("inputs", counted(model.inputs.length), plural(model.features.length, "number")));
    list.push(tile("rules", counted(model.rules), plural(conditions, "membership function")));
    return h("dl", { class: "tiles" }, ...list);
}

/** Cautions about the accuracy. @param {State} state */
function cautions(state) {
    const training = state.file.training ?? {}, list = [];
    if (state.data && state.data.rows < 10) list.push("There are too few rows to judge the accuracy.");
    if (state.data && training.rows === state.data.rows)
        list.push("The model was trained on as many rows. If these are the training rows, expect larger errors on new rows.");
    if (training.valid_rmse > 0 && state.model.outputs === 1) list.push(`On held-out validation rows, the RMSE was ${shown(Number(training.valid_rmse), 3)}.`);
    for (const [name, value] of Object.entries(training)) if (name.startsWith("note_") && value) list.push(sentenceOf(String(value)));
    return list.length ? h("ul", { class: "cautions" }, ...list.map((text) => h("li", {}, text))) : null;
}

/** @param {string} text */
function sentenceOf(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Groups of the training record, in order; the last one takes the remaining options. */
const FACTS = /** @type {[string, RegExp][]} */ ([
    ["Overview", /^(preset|chosen|rows|rules|structure|iterations|best_iteration|valid_rmse|seed|version|simplified)$/],
    ["Candidates", /^tried_/],
    ["All options", /./],
]);

/** Labels for entries whose names are unclear. */
const FACT_NAMES = /** @type {Record<string, string>} */ ({ valid_rmse: "validation RMSE", iterations: "iterations run", best_iteration: "best iteration", data: "fingerprint of the data" });

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
