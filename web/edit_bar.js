// edit_bar.js: what edits do to the error, undo, the rows on which edits are judged, and the edited model as a file.

import { describeEdits, editedFile, modelText } from "./curve_editor.js";
import { h, put } from "./dom.js";
import { clipped, plural, shown } from "./format.js";
import { isTrainingData } from "./held_out.js";
import { rowsOfCsv } from "./csv_rows.js";

/** @typedef {import("./curve_handles.js").Desk} Desk */

/** Offers the edited model as a file. @param {Desk} desk */
function save({ state, editor }) {
    const text = modelText(editedFile(state, editor.edits(), new Date().toISOString().slice(0, 10))), url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const name = state.model.targets[0].name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "model";
    h("a", { href: url, download: `${name}-edited.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Lets people judge edits on the rows of a CSV file. @param {Desk} desk */
export function rowsChooser(desk) {
    const { state, editor } = desk, said = h("span", { id: "judge-note", role: "status" });
    const read = async () => {
        const chosen = input.files?.[0];
        if (!chosen) return;
        try {
            const rows = rowsOfCsv(state, await chosen.text());
            editor.use(rows);
            desk.rowsName = chosen.name;
            said.textContent = `Edits are judged on ${plural(rows.count, "row")} of ${chosen.name}.`;
        } catch (error) {
            said.textContent = `${chosen.name}: ${/** @type {Error} */ (error).message}`;
        }
        desk.changed();
    };
    const input = h("input", { type: "file", id: "judge", accept: ".csv,text/csv", onchange: read });
    return h("p", { class: "judge" }, h("label", { for: "judge" }, state.data ? "Judge edits on other rows (CSV)" : "Judge edits on rows (CSV)"), input, said);
}

/** The rows on which edits are judged. @param {Desk} desk @param {number} count */
function rowsText({ state, rowsName }, count) {
    return rowsName ? `${plural(count, "row")} of ${rowsName}` : `${plural(count, isTrainingData(state) ? "training row" : "row")} in this page`;
}

/** The bar that shows what edits do. @param {Desk} desk */
export function editBar(desk) {
    const { state, editor } = desk, words = h("p", { id: "edit-fit", role: "status" });
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ act) => h("button", { type: "button", id, onclick: act }, text);
    const after = (/** @type {() => void} */ act) => () => { act(); desk.changed(); };
    const undo = button("undo", "Undo", after(editor.undo)), redo = button("redo", "Redo", after(editor.redo)), reset = button("reset", "Discard edits", after(editor.reset)), keep = button("save", "Save edited model", () => save(desk));
    const element = h("div", { class: "card edit-bar", role: "region", "aria-label": "Edits" }, words, h("p", { class: "edit-buttons" }, undo, redo, reset, keep));
    return {
        element,
        show: () => {
            const edits = editor.edits(), fit = edits.length ? editor.fit() : null, change = fit ? fit.after / fit.before - 1 : 0;
            element.hidden = !edits.length && !editor.canRedo();
            put(words, { "data-before": fit ? fit.before : null, "data-after": fit ? fit.after : null });
            words.replaceChildren(h("strong", {}, fit ? `RMSE ${shown(fit.before, 4)} → ${shown(fit.after, 4)} (${change < 0 ? "\u2212" : "+"}${shown(100 * Math.abs(change), 2)} %)` : plural(edits.length, "edit")),
                ` ${fit ? `on the ${rowsText(desk, fit.rows)}. ` : "Choose a file of rows to see the change in fit. "}`,
                h("span", { class: "edit-list" }, edits.length ? `Edited: ${clipped(describeEdits(state, edits), 160)}.` : "All edits are undone."));
            for (const one of [undo, reset, keep]) one.disabled = !edits.length;
            redo.disabled = !editor.canRedo();
        },
    };
}
