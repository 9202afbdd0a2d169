// summary.js: what someone who reads nothing else should know.

import { breakable, h } from "./dom.js";
import { clipped, counted, fitOf, lastName, listed, percent, plural, shown } from "./format.js";
import { errorAt } from "./intervals.js";
import { extent } from "./scale.js";

/** @typedef {import("./state.js").State} State */

/** Names of the inputs that matter, the first ones first. @param {State} state @param {number} most */
export function important(state, most) {
    const moves = state.data?.importance[state.output];
    if (!moves) return [];
    const order = moves.map((_, i) => i).sort((i, k) => moves[k] - moves[i]);
    return order.filter((i) => moves[i] > 0.02 * moves[order[0]]).slice(0, most).map((i) => state.model.inputs[i].name);
}

/** R², or NaN where targets do not differ, so that there is nothing to explain. @param {State} state */
function fitHere({ data, output }) {
    if (!data || data.metrics[output].rows < 2) return NaN;
    const [low, high] = extent(data.y[output]);
    return low < high ? data.metrics[output].r2 : NaN;
}

/** @param {number} r2 */
function praise(r2) {
    if (r2 >= 0.95) return "follows the data closely";
    if (r2 >= 0.8) return "explains most of what varies";
    if (r2 >= 0.5) return "explains a good part of what varies";
    return r2 >= 0.2 ? "explains some of what varies" : "explains little of what varies";
}

/** @param {State} state */
function sentences(state) {
    const { data, model, output } = state, target = model.targets[output].name, list = [];
    const about = `It predicts ${target} from ${plural(model.inputs.length, "input")} with ${plural(model.rules, "rule")}`;
    list.push(model.blocks.length > 1 ? `${about} in ${plural(model.blocks.length, "block")}, whose answers are added up; each is a weighted mean of what its rules say.`
        : `${about}; each prediction is a weighted mean of what the rules say.`);
    if (!data) return [...list, "The report was made without data: it shows the model alone."];
    const { rmse, mae } = data.metrics[output], r2 = fitHere(state), guess = r2 < 1 ? rmse / Math.sqrt(1 - r2) : NaN;
    const praised = Number.isFinite(r2) ? `it ${praise(r2)}: ` : "";
    list.push(`On ${plural(data.metrics[output].rows, "row")} of ${lastName(data.name)} ${praised}${data.metrics[output].rows === 1 ? "the prediction is" : "predictions are"} off by ${shown(mae, 3)}${data.metrics[output].rows === 1 ? "" : " on average"}${
        Number.isFinite(guess) && r2 > 0 ? `, and the typical error (RMSE) is ${shown(rmse, 3)} where that of guessing the mean would be ${shown(guess, 3)}` : ""}.`);
    const within = errorAt(state.file, output, 0.9);
    if (within !== null) list.push(`Of new rows, nine in ten are within ± ${shown(within, 3)} of their prediction.`);
    const names = important(state, 3);
    if (names.length) list.push(names.length === 1 ? `What moves predictions is ${names[0]}.` : `What moves predictions most: ${listed(names)}.`);
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
        list.push(tile("off by, on average", shown(mae, 3), `RMSE ${shown(rmse, 3)}`));
        if (Number.isFinite(r2)) list.push(tile("explained", percent(r2), `R² ${fitOf(r2)}`));
        else list.push(tile("explained", "–", "R² needs targets that differ"));
        list.push(tile("rows", counted(rows), rows === data.row.length ? "all on this page" : `${counted(data.row.length)} of ${counted(data.rows)} on this page`));
    } else list.push(tile("inputs", counted(model.inputs.length), plural(model.features.length, "number")));
    list.push(tile("rules", counted(model.rules), plural(conditions, "membership function")));
    return h("dl", { class: "tiles" }, ...list);
}

/** What to know of the figures. @param {State} state */
function cautions(state) {
    const training = state.file.training ?? {}, list = [];
    if (state.data && state.data.rows < 10) list.push("So few rows do not tell how good it is.");
    if (state.data && training.rows === state.data.rows)
        list.push("These are as many rows as it was trained on: if they are the same, expect larger errors on new ones.");
    if (training.valid_rmse > 0 && state.model.outputs === 1) list.push(`On rows set aside in training the RMSE was ${shown(Number(training.valid_rmse), 3)}.`);
    for (const [name, value] of Object.entries(training)) if (name.startsWith("note_") && value) list.push(sentenceOf(String(value)));
    return list.length ? h("ul", { class: "cautions" }, ...list.map((text) => h("li", {}, text))) : null;
}

/** @param {string} text */
function sentenceOf(text) {
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Facts of a training, in the order that a reader wants; options that are as they are and tell little come last. */
const FACTS = /** @type {[string, RegExp][]} */ ([
    ["In short", /^(preset|chosen|rows|rules|structure|iterations|best_iteration|valid_rmse|seed|version|simplified)$/],
    ["What was tried", /^tried_/],
    ["All settings", /./],
]);

/** Names that do not speak for themselves. */
const FACT_NAMES = /** @type {Record<string, string>} */ ({ valid_rmse: "RMSE on rows set aside", iterations: "iterations made", best_iteration: "iterations kept", data: "fingerprint of the data" });

/** "tried_2" and "target_deviation" as words. @param {string} name */
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
        return some.length ? [h("h4", {}, title), h("dl", { class: title === "What was tried" ? "long" : "" },
            ...some.map(([name, value]) => h("div", {}, h("dt", {}, factName(name)), h("dd", {}, factValue(value)))))] : [];
    });
    return h("details", { class: "record" }, h("summary", {}, "How it was trained"), ...groups.flat());
}

/** Which output the page is about. @param {State} state */
function choice(state) {
    if (state.model.outputs === 1) return null;
    const select = h("select", { id: "output", onchange: () => { state.output = Number(select.value); state.tell("output"); } },
        ...state.model.targets.map((target, o) => h("option", { value: o }, clipped(target.name, 60))));
    return h("p", { class: "choice" }, h("label", { for: "output" }, "The report is about"), select);
}

/** @param {State} state @param {any} section */
export function showSummary(state, section) {
    const title = h("h1", { id: "title" }), body = h("div", { class: "lead" }), figures = h("div");
    const draw = () => {
        const target = state.model.targets[state.output].name;
        title.replaceChildren("How ", h("em", {}, ...breakable(target)), " is predicted");
        title.classList.toggle("long", target.length > 30);
        document.title = `${clipped(target, 60)} – sugeno report`;
        body.replaceChildren(...sentences(state).map((text) => h("p", {}, ...breakable(text))));
        figures.replaceChildren(tiles(state));
    };
    state.on("output", draw);
    draw();
    section.append(...[title, choice(state), body, figures, cautions(state), record(state)].filter(Boolean));
}
