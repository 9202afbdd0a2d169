// level_bars.js: the curve of a category: a bar per level.

import { captionOf, cellsOf, followPointer, hasFocus, makeHandle, numberForm, updateHandle } from "./curve_handles.js";
import { bandAt, cellText, effectText, statsOf } from "./curve_shape.js";
import { breakable, h, put } from "./dom.js";
import { percent } from "./format.js";

/** @typedef {import("./curve_handles.js").Desk} Desk */
/** @typedef {import("./curve_handles.js").Handles} Handles */

/** Places a part of a bar between two values. @param {any} element @param {number[]} values @param {[number, number]} range */
function span(element, values, [low, high]) {
    const [from, to] = values.map((value) => Math.min(100, Math.max(0, (100 * (value - low)) / (high - low)))).sort((a, b) => a - b);
    put(element, { style: { left: `${from}%`, ...(to > from || values.length > 1 ? { width: `${to - from}%` } : {}) } });
}

/** The share of a level, or of missing values, in the training rows. @param {Desk} desk @param {number} k @param {number} cell @returns {number | undefined} */
function shareOf({ state }, k, cell) {
    const curve = state.model.curves[k];
    return cell < curve.cells ? state.file.inputs[curve.input].shares?.[cell] : statsOf(state, k)?.share[cell];
}

/** The bar of a level with its handle. @param {Desk} desk @param {number} k @param {number} cell @param {Handles} handles */
function barOf(desk, k, cell, handles) {
    const { state, editor } = desk, curve = state.model.curves[k], range = desk.range(k), text = cellText(state, curve, cell), band = bandAt(state, k, cell), share = shareOf(desk, k, cell);
    const bar = h("span", { class: "bar" }), value = h("span", { class: "value" }), zero = h("span", { class: "zero-mark" }), reach = Number.isFinite(band) ? h("span", { class: "reach" }) : null;
    const handle = makeHandle(desk, k, cell, handles, h("span", { class: "knot" }), (event) => followPointer(desk, k, cell, handles, event, (e) => {
        const box = track.getBoundingClientRect(), part = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width));
        return range[0] + part * (range[1] - range[0]);
    }));
    const track = h("span", { class: "level-track" }, zero, reach, bar, handle);
    span(zero, [0], range);
    return {
        handle, element: h("li", { class: cell === curve.cells ? "missing" : null }, h("span", { class: "name", title: text }, ...breakable(text), share === undefined ? null : h("small", {}, ` ${percent(share)}`)), track, value),
        move: () => {
            const now = editor.value(k, cell);
            span(bar, [0, now], range);
            put(bar, { class: now < 0 ? "bar less" : "bar" });
            span(handle, [now], range);
            if (reach) span(reach, [now - band, now + band], range);
            updateHandle(desk, k, cell, handles);
            value.textContent = effectText(state, now);
        },
    };
}

/** A card for the curve of a category. @param {Desk} desk @param {number} k @returns {import("./curve_handles.js").CurveCard} */
export function levelsCard(desk, k) {
    const { state } = desk, { name } = state.model.inputs[state.model.curves[k].input], hint = h("p", { class: "note" }), list = h("ol", { class: "levels" });
    let rows = /** @type {ReturnType<typeof barOf>[]} */ ([]);
    const update = () => {
        hint.textContent = captionOf(desk, k);
        form.show(handles.active);
        for (const row of rows) row.move();
    };
    const handles = /** @type {Handles} */ ({ active: 0, list: [], update }), form = numberForm(desk, k, (cell) => { handles.active = cell; update(); });
    const redraw = () => {
        const focused = hasFocus(k);
        rows = cellsOf(desk, k).map((cell) => barOf(desk, k, cell, handles));
        handles.list = rows.map((row) => row.handle);
        list.replaceChildren(...rows.map((row) => row.element));
        update();
        if (focused) handles.list[handles.active]?.focus({ preventScroll: true });
    };
    redraw();
    return { element: h("figure", { class: "card curve", "data-input": name }, h("figcaption", {}, h("h3", { title: name }, ...breakable(name)), hint), list, form.element), redraw, update };
}
