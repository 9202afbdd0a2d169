// held_out.js: the error on rows that were not trained on, and where it comes from; and what the rows of the page are to the model.

import { counted, lastName, percent, plural } from "./format.js";

/** @typedef {import("./state.js").State} State */

/**
 * @typedef {object} HeldOut
 * @property {number} rmse
 * @property {number} deviation standard error of the RMSE; NaN if unknown
 * @property {number} r2 NaN if unknown
 * @property {string} where the rows, as a part of a sentence: "on 200 rows of test.csv"
 * @property {string} note a reservation, or ""
 * @property {boolean} here whether these are the rows of the page
 */

/** Whether the model was fitted to the rows of the page, or to most of them. @param {State} state */
export function isTrainingData(state) {
    return state.data?.origin === "training" || state.data?.origin === "split";
}

/** Where the validation error in the training record comes from. @param {any} training @returns {[string, string]} where and a reservation */
function sourceOf(training) {
    const preset = String(training.preset ?? ""), fraction = Number(training["valid-fraction"] ?? 0), additive = preset.startsWith("additive");
    const chosen = additive ? "" : "It is slightly optimistic, because training kept the iterate that was best on these rows.";
    if (training.chosen !== undefined || preset.startsWith("auto")) return ["in the cross-validation of the search", ""];
    if (fraction > 0) return [`on the ${percent(fraction)} of the rows that were held out in training`, chosen];
    if (training.valid_rows > 0) return [`on ${plural(Number(training.valid_rows), "validation row")}`, chosen];
    if (additive) return ["on rows held out in training (cross-validation, or the rows of --valid)", ""];
    return ["on rows held out in training", chosen];
}

/** The error of the chosen point of the search. @param {any} file */
function chosenPoint(file) {
    return (file.frontier ?? []).find((/** @type {any} */ point) => point.chosen);
}

/** The error in the model file. @param {State} state @returns {HeldOut | null} */
function recorded({ file, model }) {
    const training = file.training ?? {}, point = model.outputs === 1 ? chosenPoint(file) : undefined, rmse = Number(point?.error ?? training.valid_rmse);
    if (training.edited || !(rmse >= 0)) return null;
    const [where, note] = point ? ["in the cross-validation of the search", ""] : sourceOf(training), spread = Number(training.target_deviation);
    return {
        rmse, deviation: Number(point?.standard_error ?? training.valid_rmse_standard_error ?? NaN), r2: model.outputs === 1 && spread > 0 ? 1 - (rmse / spread) ** 2 : NaN,
        where: model.outputs > 1 ? `${where}, over all targets` : where, note, here: false,
    };
}

/** The rows of the page as a part of a sentence. @param {State} state */
export function rowsHere({ data, output }) {
    return data ? `${plural(data.metrics[output].rows, "row")} of ${lastName(data.name)}` : "";
}

/**
 * The error to expect on new rows: that on the rows of the page unless they were trained on, else the one in the model file; null if neither is known.
 * @param {State} state @returns {HeldOut | null}
 */
export function heldOutError(state) {
    const { data, output } = state;
    if (data?.origin !== "other" || !data.metrics[output].rows) return recorded(state);
    const { rmse, r2 } = data.metrics[output];
    return { rmse, deviation: NaN, r2, where: `on ${rowsHere(state)}`, note: "These rows are not the training data, although some of them may also occur there.", here: true };
}

/** What the rows of the page are to the model; "" if there are none. @param {State} state */
export function originOf(state) {
    const { data, file } = state, trained = Number(file.training?.rows ?? 0);
    switch (data?.origin) {
        case "training": return "These are the rows that the model was trained on (their fingerprint is in the model file).";
        case "split": return `The model was trained on ${counted(trained)} of these ${counted(data.rows)} rows; the others were its validation rows (their fingerprint is in the model file).`;
        case "validation": return "These are the validation rows with which training chose the model (their fingerprint is in the model file).";
        case "unknown": return trained === data.rows ? "The model was trained on as many rows. If these are the training rows, expect larger errors on new rows." : "";
        default: return "";
    }
}
