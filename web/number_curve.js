// number_curve.js: a chart of the curve of a number, with its band, the density of the rows and an entry for missing values.

import { chart, line, stroke } from "./chart.js";
import { captionOf, cellsOf, followPointer, hasFocus, hasMissing, makeHandle, numberForm, numbersOf, updateHandle } from "./curve_handles.js";
import { axisOf, bandAt, cellText, isEdited, statsOf } from "./curve_shape.js";
import { breakable, h, put, s } from "./dom.js";
import { percent } from "./format.js";
import { histogram } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./chart.js").Frame} Frame */
/** @typedef {import("./curve_handles.js").Desk} Desk */
/** @typedef {import("./curve_handles.js").Handles} Handles */

/** Height of a chart, of the strip that shows the density, and width of the column of missing values; bins of the density. */
const TALL = 240, STRIP = 18, MISSING = 62, BINS = 60;

/** How often values occur: [value, height] for bars over the axis. @param {State} state @param {number} k @param {[number, number]} range */
function density(state, k, [low, high]) {
    const curve = state.model.curves[k], stats = statsOf(state, k), values = state.data?.x[curve.input];
    const counts = values ? histogram(state.data?.sample.map((i) => values[i]) ?? [], low, high, BINS) : new Array(BINS).fill(0);
    if (!values && stats)
        for (let i = 0; i < BINS; i++) {
            // The share of a term, spread over the half segments around its knot.
            const x = low + ((i + 0.5) / BINS) * (high - low), cell = curve.knots.reduce((best, knot, j) => (Math.abs(knot - x) < Math.abs(curve.knots[best] - x) ? j : best), 0);
            const left = cell ? (curve.knots[cell - 1] + curve.knots[cell]) / 2 : low, right = cell + 1 < curve.cells ? (curve.knots[cell] + curve.knots[cell + 1]) / 2 : high;
            counts[i] = stats.share[cell] / Math.max(right - left, (high - low) / BINS);
        }
    // Square roots, so that sparse regions remain visible.
    const most = Math.sqrt(Math.max(...counts));
    return most > 0 ? counts.map((count) => Math.sqrt(count) / most) : [];
}

/** @param {Frame} frame @param {number[]} heights */
function drawDensity({ outer, width, height }, heights) {
    const wide = width / heights.length;
    const path = heights.map((part, i) => (part > 0 ? `M${(i * wide + 0.3).toFixed(1)} ${height + 3}h${(wide - 0.6).toFixed(1)}v${(1 + part * (STRIP - 5)).toFixed(1)}h${(0.6 - wide).toFixed(1)}Z` : "")).join("");
    outer.append(s("path", { class: "bars back", d: path }));
}

/** The positions of the knots, with the ends of the axis. @param {number[]} knots @param {[number, number]} range */
function cornersOf(knots, range) {
    return [range[0], ...knots, range[1]];
}

/** The last knot below x, or the first one. @param {number[]} knots @param {number} x */
function cellBelow(knots, x) {
    return knots.reduce((best, knot, j) => (knot <= x ? j : best), 0);
}

/** The band of a curve as an area. @param {Desk} desk @param {Frame} frame @param {number} k @param {number[]} xs @param {(x: number) => number} cellNear */
function drawBand({ state, editor }, frame, k, xs, cellNear) {
    const sides = [1, -1].map((sign) => xs.map((x) => {
        const cell = cellNear(x);
        return `${frame.x(x).toFixed(1)} ${frame.y(editor.value(k, cell) + sign * bandAt(state, k, cell)).toFixed(1)}`;
    }));
    frame.plot.append(s("path", { class: "band-area", d: `M${sides[0].join("L")}L${sides[1].reverse().join("L")}Z` }));
}

/** The position of a number: a knot, or the column of missing values. @param {Frame} frame @param {number[]} knots @param {number} cell */
function placeOfCell(frame, knots, cell) {
    return cell < knots.length ? frame.x(knots[cell]) : frame.width + 14 + MISSING / 2;
}

/** The column of missing values. @param {Desk} desk @param {number} k @param {Frame} frame */
function drawMissing({ state, editor }, k, frame) {
    const { knots, cells } = state.model.curves[k], { outer, width, height, y } = frame, x = placeOfCell(frame, knots, cells), band = bandAt(state, k, cells), value = editor.value(k, cells);
    outer.append(s("line", { class: "grid", x1: width + 14, x2: width + 14, y1: 0, y2: height }), s("line", { class: "line zero", x1: width + 18, x2: width + MISSING + 8, y1: y(0), y2: y(0) }),
        s("text", { class: "tick", x, y: height + STRIP + 18, "text-anchor": "middle" }, "missing"));
    const ends = [value + band, value - band].map((end) => Math.min(height, Math.max(0, y(end))));
    if (Number.isFinite(band)) outer.append(s("line", { class: "whisker", x1: x, x2: x, y1: ends[0], y2: ends[1] }));
}

/** Drags the number that is nearest to the pointer. @param {Desk} desk @param {number} k @param {Frame} frame @param {Handles} handles @param {PointerEvent} event */
function dragNearest(desk, k, frame, handles, event) {
    const { knots } = desk.state.model.curves[k], { x: left, y: top } = pointIn(frame, event), height = (/** @type {number} */ cell) => frame.y(desk.editor.value(k, cell));
    const away = (/** @type {number} */ cell) => Math.hypot(placeOfCell(frame, knots, cell) - left, (height(cell) - top) / 2);
    const cell = cellsOf(desk, k).reduce((best, one) => (away(one) < away(best) ? one : best)), offset = top - height(cell);
    followPointer(desk, k, cell, handles, event, (e) => {
        const part = Math.min(1.3, Math.max(-0.3, (frame.height - pointIn(frame, e).y + offset) / frame.height));
        return frame.y.low + part * (frame.y.high - frame.y.low);
    });
}

/** The place of the pointer in the plot. @param {Frame} frame @param {PointerEvent} event */
function pointIn(frame, event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(frame.outer.getScreenCTM().inverse());
}

/** A line at the current row of the viewer. @param {State} state @param {Frame} frame @param {number} input @param {number} low */
function rowMarker(state, frame, input, low) {
    stroke(frame, [low, frame.y.low], [low, frame.y.high], "now");
    const marker = frame.plot.lastChild;
    return () => {
        const x = frame.x(state.x[input]), there = Number.isFinite(x), at = Math.max(-2, Math.min(frame.width + 2, x));
        marker.toggleAttribute("hidden", !there);
        if (there) put(marker, { x1: at, x2: at });
    };
}

/** Draws a curve and its handles. Returns what moves them after an edit. @param {Desk} desk @param {number} k @param {Frame} frame @param {Handles} handles @param {[number, number]} range */
function drawCurveOf(desk, k, frame, handles, range) {
    const { state, editor } = desk, curve = state.model.curves[k], { knots } = curve, xs = cornersOf(knots, range), cellNear = (/** @type {number} */ x) => cellBelow(knots, x);
    const before = state.file.curves[k].then[state.output], path = s("path", { class: "line first" });
    if (!Number.isNaN(bandAt(state, k, 0))) drawBand(desk, frame, k, xs, cellNear);
    stroke(frame, [range[0], 0], [range[1], 0], "zero");
    if (isEdited(state, k)) line(frame, xs.map((x) => /** @type {[number, number]} */ ([x, before[cellNear(x)]])), "before many");
    frame.plot.append(path);
    if (hasMissing(state, k)) drawMissing(desk, k, frame);
    handles.list = cellsOf(desk, k).map((cell) => makeHandle(desk, k, cell, handles, s("g", { class: "knot" }, s("circle", { class: "hit", r: 11 }), s("circle", { class: "dot", r: curve.cells > 14 ? 3.5 : 4.5 }),
        s("title", {}, cellText(state, curve, cell))), (event) => dragNearest(desk, k, frame, handles, event)));
    frame.outer.append(...handles.list);
    return () => {
        path.setAttribute("d", xs.map((x, i) => `${i ? "L" : "M"}${frame.x(x).toFixed(1)} ${frame.y(editor.value(k, cellNear(x))).toFixed(1)}`).join(""));
        handles.list.forEach((handle, cell) => {
            put(handle, { transform: `translate(${placeOfCell(frame, knots, cell).toFixed(1)} ${frame.y(editor.value(k, cell)).toFixed(1)})` });
            updateHandle(desk, k, cell, handles);
        });
    };
}

/** A card for the curve of a number. @param {Desk} desk @param {number} k @returns {import("./curve_handles.js").CurveCard} */
export function numberCard(desk, k) {
    const { state } = desk, curve = state.model.curves[k], { name } = state.model.inputs[curve.input], { range, left } = axisOf(state, curve, curve.knots);
    const heights = density(state, k, range), hint = h("p", { class: "note" }), beyond = left ? `; constant beyond the axis, where ${percent(left)} of the rows are` : "";
    let focused = false, follow = () => {}, move = () => {};
    const update = () => {
        hint.textContent = captionOf(desk, k, beyond);
        form.show(handles.active);
        move();
    };
    const handles = { active: 0, list: [], update }, form = numberForm(desk, k, (cell) => { handles.active = cell; update(); });
    const draw = (/** @type {Frame} */ frame) => {
        drawDensity(frame, heights);
        follow = rowMarker(state, frame, curve.input, range[0]);
        move = drawCurveOf(desk, k, frame, handles, range);
        follow();
        move();
        if (focused) /** @type {any} */ (handles.list[handles.active])?.focus({ preventScroll: true });
    };
    const plan = () => {
        const [low, high] = desk.range(k);
        return { title: `What ${name} adds to the prediction`, height: TALL, x: { low: range[0], high: range[1] }, y: { low, high }, under: STRIP, right: hasMissing(state, k) ? MISSING : 0, draw };
    };
    const drawn = chart(plan());
    put(drawn.element.firstChild, { role: "group" });
    state.on("row", () => follow());
    update();
    return {
        element: h("figure", { class: "card curve", "data-input": name }, h("figcaption", {}, h("h3", { title: name }, ...breakable(name)), hint), drawn.element, form.element, numbersOf(desk, k)),
        redraw: () => {
            focused = hasFocus(k);
            drawn.again(plan());
            focused = false;
            update();
        },
        update,
    };
}
