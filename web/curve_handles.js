// curve_handles.js: what the charts of curves share: handles that change numbers by dragging and by keys, a form, and a table of the numbers.

import { bandAt, cellSpoken, cellText, curveSize, effectStep, effectText, isEdited, rangeText, statsOf } from "./curve_shape.js";
import { h, put } from "./dom.js";
import { clipped, percent, shown } from "./format.js";
import { extent, rounded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./curve_editor.js").Editor} Editor */

/**
 * @typedef {object} CurveCard
 * @property {any} element
 * @property {() => void} redraw draws everything
 * @property {() => void} update moves the marks after an edit
 */

/**
 * @typedef {object} Handles those of a card, one per number of its curve
 * @property {number} active the cell of the one that Tab reaches
 * @property {any[]} list
 * @property {() => void} update of the card
 */

/**
 * @typedef {object} Desk what the cards share
 * @property {State} state
 * @property {Editor} editor
 * @property {boolean} sameScale
 * @property {(k: number) => [number, number]} range of the contributions to show
 * @property {() => void} changed after each step of an edit
 * @property {string} rowsName the file of the rows on which edits are judged; "" for those of the page
 */

/** Whether there is something to show for missing values. @param {State} state @param {number} k */
export function hasMissing(state, k) {
    const share = statsOf(state, k)?.share.at(-1) ?? 0, given = state.data?.x[state.model.curves[k].input].some((x) => x === null);
    return share > 0 || given || state.model.curves[k].missing.some((value) => value !== 0);
}

/** The numbers of a curve, for missing values last. @param {Desk} desk @param {number} k */
export function cellsOf({ state }, k) {
    return Array.from({ length: state.model.curves[k].cells + (hasMissing(state, k) ? 1 : 0) }, (_, cell) => cell);
}

/** The range of the numbers of a curve. @param {Desk} desk @param {number} k @returns {[number, number]} */
export function spanOf(desk, k) {
    return extent([0, ...cellsOf(desk, k).map((cell) => desk.editor.value(k, cell))]);
}

/** Moves the focus among the handles of a curve, and changes numbers, by keys. @param {Desk} desk @param {number} k @param {number} cell @param {KeyboardEvent} event @param {(cell: number) => void} go */
function handleKey(desk, k, cell, event, go) {
    const { editor, state } = desk, step = effectStep(state), category = state.model.curves[k].category;
    const [more, less, next, previous] = category ? ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp"] : ["ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft"];
    const way = { [more]: 1, [less]: -1, PageUp: 10, PageDown: -10 }[event.key], cells = cellsOf(desk, k), at = cells.indexOf(cell);
    const to = { [next]: at + 1, [previous]: at - 1, Home: 0, End: cells.length - 1 }[event.key];
    if (way === undefined && to === undefined) return;
    event.preventDefault();
    if (to !== undefined) {
        go(cells[Math.min(cells.length - 1, Math.max(0, to))]);
        return;
    }
    editor.set(k, cell, rounded(editor.value(k, cell) + Number(way) * step, step));
    desk.changed();
}

/** Keeps a touch on a handle from scrolling the page; touch-action does not apply to groups in SVG. @param {any} handle */
function withoutScrolling(handle) {
    handle.addEventListener("touchstart", (/** @type {Event} */ event) => event.preventDefault(), { passive: false });
    return handle;
}

/** Whether a handle of a curve has the focus. @param {number} k */
export function hasFocus(k) {
    return document.activeElement?.getAttribute("data-curve") === String(k);
}

/** Attributes of a handle for assistive software. @param {Desk} desk @param {number} k @param {number} cell */
function handleState({ state, editor }, k, cell) {
    const value = editor.value(k, cell);
    return { "aria-valuenow": shown(value, 6).replace("\u2212", "-"), "aria-valuetext": cellSpoken(state, state.model.curves[k], cell, value) };
}

/** Selects a point and sets its number. @param {Desk} desk @param {number} k @param {(cell: number) => void} selected */
export function numberForm(desk, k, selected) {
    const { state, editor } = desk, curve = state.model.curves[k], name = state.model.inputs[curve.input].name;
    const select = h("select", { "aria-label": `point of ${name}`, "data-point": k, onchange: () => selected(Number(select.value)) },
        ...cellsOf(desk, k).map((cell) => h("option", { value: cell }, clipped(cellText(state, curve, cell), 34))));
    const box = h("input", { type: "number", step: "any", "aria-label": `what ${name} adds there`, "data-number": k, onchange: () => {
        if (box.value === "") return;
        editor.set(k, Number(select.value), Number(box.value));
        editor.finish();
        desk.changed();
    } });
    const about = h("span", { class: "about-point" });
    const show = (/** @type {number} */ cell) => {
        const band = bandAt(state, k, cell), share = statsOf(state, k)?.share[cell];
        select.value = String(cell);
        if (document.activeElement !== box) box.value = String(Number(editor.value(k, cell).toPrecision(6)));
        about.textContent = [Number.isFinite(band) ? `± ${effectText(state, band).replace("+", "")}` : "", share === undefined ? "" : `${percent(share)} of the training rows`].filter(Boolean).join(", ");
    };
    return { element: h("p", { class: "point-form" }, h("span", {}, "at "), select, h("span", {}, " add "), box, about), show };
}

/**
 * Makes an element the handle of a number.
 * @param {Desk} desk @param {number} k @param {number} cell @param {Handles} handles @param {any} element @param {(event: PointerEvent) => void} pressed
 */
export function makeHandle(desk, k, cell, handles, element, pressed) {
    const { state, editor } = desk, curve = state.model.curves[k], activate = (/** @type {number} */ to) => { handles.active = to; handles.update(); };
    put(element, {
        role: "slider", "aria-label": `${state.model.inputs[curve.input].name} ${cellText(state, curve, cell)}`, "aria-orientation": curve.category ? "horizontal" : "vertical", "data-curve": k, "data-cell": cell,
        onkeydown: (/** @type {KeyboardEvent} */ event) => handleKey(desk, k, cell, event, (to) => { activate(to); handles.list[to].focus(); }),
        onkeyup: () => { editor.finish(); desk.changed(); },
        onfocus: () => activate(cell),
        onpointerdown: (/** @type {PointerEvent} */ event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            pressed(event);
        },
    });
    return withoutScrolling(element);
}

/** Shows the number of a handle to assistive software, and whether it is the active one. @param {Desk} desk @param {number} k @param {number} cell @param {Handles} handles */
export function updateHandle(desk, k, cell, handles) {
    put(handles.list[cell], { tabindex: cell === handles.active ? 0 : -1, class: `knot${cell === handles.active ? " active" : ""}`, ...handleState(desk, k, cell) });
}

/** Sets a number while the pointer moves, until it is released. @param {Desk} desk @param {number} k @param {number} cell @param {Handles} handles @param {PointerEvent} event @param {(event: PointerEvent) => number} valueAt */
export function followPointer(desk, k, cell, handles, event, valueAt) {
    const target = /** @type {any} */ (event.currentTarget);
    const moved = (/** @type {PointerEvent} */ e) => {
        desk.editor.set(k, cell, rounded(valueAt(e), effectStep(desk.state)));
        desk.changed();
    };
    const ended = () => {
        target.removeEventListener("pointermove", moved);
        desk.editor.finish();
        desk.changed();
    };
    handles.active = cell;
    handles.list[cell].focus({ preventScroll: true });
    target.setPointerCapture(event.pointerId);
    target.addEventListener("pointermove", moved);
    for (const end of ["pointerup", "pointercancel"]) target.addEventListener(end, ended, { once: true });
    handles.update();
}

/** The line below the name of an input. @param {Desk} desk @param {number} k @param {string} [more] */
export function captionOf({ state }, k, more = "") {
    return `${rangeText(state, state.model.curves[k])}; typically ${shown(curveSize(state, k), 2)}${more}${isEdited(state, k) ? "; edited" : ""}`;
}

/** The numbers of a curve as a table. @param {Desk} desk @param {number} k */
export function numbersOf(desk, k) {
    const { state, editor } = desk, curve = state.model.curves[k], stats = statsOf(state, k);
    const fill = () => {
        const rows = cellsOf(desk, k).map((cell) => h("tr", {}, h("th", { scope: "row" }, cellText(state, curve, cell)), h("td", {}, effectText(state, editor.value(k, cell))),
            ...(stats ? [h("td", {}, Number.isFinite(bandAt(state, k, cell)) ? `± ${effectText(state, bandAt(state, k, cell)).replace("+", "")}` : "–"), h("td", {}, percent(stats.share[cell]))] : [])));
        details.replaceChildren(details.firstChild, h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "at"), h("th", { scope: "col" }, "adds"),
            ...(stats ? [h("th", { scope: "col" }, "band"), h("th", { scope: "col" }, "training rows")] : []))), h("tbody", {}, ...rows)));
    };
    const details = h("details", { class: "small-print", ontoggle: () => { if (details.open) fill(); } }, h("summary", {}, "Numbers"));
    state.on("model", () => { if (details.open) fill(); });
    return details;
}
