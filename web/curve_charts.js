// curve_charts.js: the section of the curves of an additive model: a card per input, most important first, and edits of their numbers.

import { bandSentence, bySize, curveSize } from "./curve_shape.js";
import { editorOf } from "./curve_editor.js";
import { spanOf } from "./curve_handles.js";
import { h } from "./dom.js";
import { editBar, rowsChooser } from "./edit_bar.js";
import { plural } from "./format.js";
import { levelsCard } from "./level_bars.js";
import { numberCard } from "./number_curve.js";
import { extent, padded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./curve_handles.js").CurveCard} CurveCard */
/** @typedef {import("./curve_handles.js").Desk} Desk */

/** Cards shown initially. */
const CURVE_CARDS = 12;

/** @param {State} state */
function introduction(state) {
    const band = bandSentence(state), density = state.data ? "Grey bars under an axis: where the rows of this page are" : "Grey bars under an axis: where the training rows were";
    return [h("p", { class: "note" }, `Each curve shows what an input adds to the prediction of ${state.model.targets[state.output].name}, in its units, compared with the mean. The most important input is first; “typically” is the standard deviation on the training rows. `,
        `${density} (heights are square roots). Dashed: the row in the viewer. ${band}`),
        h("details", { class: "small-print" }, h("summary", {}, "Drag a point to edit the model. Other ways, and undo"),
            h("p", { class: "note" }, "With the keyboard: select a point with Tab and the arrow keys along the axis, and change it with the other arrow keys or PageUp and PageDown. Or choose a point below its chart and type a number. Ctrl+Z undoes an edit."))];
}

/** @param {State} state @param {any} section */
export function showCurves(state, section) {
    const { curves } = state.model;
    if (!curves.length) return false;
    const editor = editorOf(state), cards = /** @type {Map<number, CurveCard>} */ (new Map()), grid = h("div", { class: "cards" }), lead = h("div");
    let all = curves.length <= CURVE_CARDS + 2, range = /** @type {[number, number]} */ ([0, 1]), editing = false;
    /** @type {Desk} */
    const desk = {
        state, editor, sameScale: true, rowsName: "",
        range: (k) => (desk.sameScale ? range : padded(spanOf(desk, k), 0.12)),
        changed: () => {
            for (const card of cards.values()) card.update();
            editing = editor.edits().length > 0;
            bar.show();
        },
    };
    const bar = editBar(desk), same = h("input", { type: "checkbox", id: "same-scale", checked: true, onchange: () => { desk.sameScale = same.checked; redraw(); } });
    const more = h("button", { type: "button", class: "quiet", onclick: () => { all = true; arrange(); } }, `Show all ${plural(curves.length, "curve")}`);
    const rescale = () => { range = padded(extent(curves.flatMap((_, k) => spanOf(desk, k))), 0.08); };
    const redraw = () => {
        rescale();
        for (const card of cards.values()) card.redraw();
        bar.show();
    };
    const arrange = () => {
        const order = bySize(curves.length, (k) => curveSize(state, k)).slice(0, all ? curves.length : CURVE_CARDS);
        for (const k of order) if (!cards.has(k)) cards.set(k, (curves[k].category ? levelsCard : numberCard)(desk, k));
        grid.replaceChildren(...order.map((k) => cards.get(k)?.element));
        more.hidden = all;
        lead.replaceChildren(...introduction(state));
    };
    rescale();
    arrange();
    bar.show();
    state.on("model", redraw);
    state.on("output", () => { arrange(); redraw(); });
    document.addEventListener("keydown", (event) => {
        const target = /** @type {any} */ (event.target), typing = /^(INPUT|TEXTAREA)$/.test(target?.tagName ?? "") && target.type !== "checkbox";
        if (!editing || typing || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
        event.preventDefault();
        if (event.shiftKey) editor.redo();
        else editor.undo();
        desk.changed();
    });
    section.append(h("h2", { id: "curves-title" }, "Curves"), lead, h("p", { class: "check" }, same, h("label", { for: "same-scale" }, "Same scale for all curves")), rowsChooser(desk), grid, more, bar.element);
    return true;
}
