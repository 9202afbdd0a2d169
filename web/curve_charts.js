// curve_charts.js: the curves of an additive model: a chart for each number and bars for each category, whose points can be dragged.

import { chart, line, stroke } from "./chart.js";
import { axisOf, bandAt, bandSentence, bySize, cellSpoken, cellText, curveSize, effectStep, effectText, isEdited, positions, rangeText, statsOf } from "./curve_shape.js";
import { describeEdits, editedFile, editorOf, modelText } from "./curve_editor.js";
import { breakable, h, put, s } from "./dom.js";
import { clipped, percent, plural, shown } from "./format.js";
import { isTrainingData } from "./held_out.js";
import { rowsOfCsv } from "./csv_rows.js";
import { extent, histogram, padded, rounded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./curve_editor.js").Editor} Editor */
/** @typedef {import("./chart.js").Frame} Frame */

/** Cards shown initially; height of a chart, of the strip that shows the density, and width of the column of missing values; bins of the density. */
const CURVE_CARDS = 12, TALL = 240, STRIP = 18, MISSING = 62, BINS = 60;

/**
 * @typedef {object} CurveCard
 * @property {any} element
 * @property {() => void} redraw draws everything
 * @property {() => void} update moves the marks after an edit
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
function hasMissing(state, k) {
    const share = statsOf(state, k)?.share.at(-1) ?? 0, given = state.data?.x[state.model.curves[k].input].some((x) => x === null);
    return share > 0 || given || state.model.curves[k].missing.some((value) => value !== 0);
}

/** The numbers of a curve, for missing values last. @param {Desk} desk @param {number} k */
function cellsOf({ state }, k) {
    return Array.from({ length: state.model.curves[k].cells + (hasMissing(state, k) ? 1 : 0) }, (_, cell) => cell);
}

/** The range of the numbers of a curve. @param {Desk} desk @param {number} k @returns {[number, number]} */
function spanOf(desk, k) {
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
function hasFocus(k) {
    return document.activeElement?.getAttribute("data-curve") === String(k);
}

/** Attributes of a handle for assistive software. @param {Desk} desk @param {number} k @param {number} cell */
function handleState({ state, editor }, k, cell) {
    const value = editor.value(k, cell);
    return { "aria-valuenow": shown(value, 6).replace("\u2212", "-"), "aria-valuetext": cellSpoken(state, state.model.curves[k], cell, value) };
}

/** Selects a point and sets its number. @param {Desk} desk @param {number} k @param {(cell: number) => void} selected */
function numberForm(desk, k, selected) {
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

/** The band of a curve as an area. @param {Desk} desk @param {Frame} frame @param {number} k @param {number[]} xs positions, with the ends of the range @param {(x: number) => number} cellNear */
function drawBand({ state, editor }, frame, k, xs, cellNear) {
    const sides = [1, -1].map((sign) => xs.map((x) => {
        const cell = cellNear(x);
        return `${frame.x(x).toFixed(1)} ${frame.y(editor.value(k, cell) + sign * bandAt(state, k, cell)).toFixed(1)}`;
    }));
    frame.plot.append(s("path", { class: "band-area", d: `M${sides[0].join("L")}L${sides[1].reverse().join("L")}Z` }));
}

/** A chart of the curve of a number. @param {Desk} desk @param {number} k @returns {CurveCard} */
function numberCard(desk, k) {
    const { state, editor } = desk, curve = state.model.curves[k], input = state.model.inputs[curve.input], { knots } = curve;
    const { range, left } = axisOf(state, curve, knots), xs = [range[0], ...knots, range[1]], cellNear = (/** @type {number} */ x) => knots.reduce((best, knot, j) => (knot <= x ? j : best), 0);
    const heights = density(state, k, range), hint = h("p", { class: "note" });
    let active = 0, focused = false, frame = /** @type {Frame | null} */ (null), follow = () => {}, move = () => {};
    const form = numberForm(desk, k, (cell) => { active = cell; card.update(); });
    const placeOf = (/** @type {Frame} */ f, /** @type {number} */ cell) => (cell < curve.cells ? f.x(knots[cell]) : f.width + 14 + MISSING / 2);

    /** Drags the point that is nearest to the pointer. @param {Frame} f @param {any[]} handles @param {PointerEvent} event */
    function drag(f, handles, event) {
        const at = (/** @type {PointerEvent} */ e) => new DOMPoint(e.clientX, e.clientY).matrixTransform(f.outer.getScreenCTM().inverse());
        const start = at(event), away = (/** @type {number} */ cell) => Math.hypot(placeOf(f, cell) - start.x, (f.y(editor.value(k, cell)) - start.y) / 2);
        const cell = cellsOf(desk, k).reduce((best, one) => (away(one) < away(best) ? one : best)), offset = start.y - f.y(editor.value(k, cell)), step = effectStep(state);
        const target = /** @type {any} */ (event.currentTarget);
        event.preventDefault();
        active = cell;
        handles[cell].focus({ preventScroll: true });
        target.setPointerCapture(event.pointerId);
        const moved = (/** @type {PointerEvent} */ e) => {
            const part = Math.min(1.3, Math.max(-0.3, (f.height - at(e).y + offset) / f.height));
            editor.set(k, cell, rounded(f.y.low + part * (f.y.high - f.y.low), step));
            desk.changed();
        };
        const ended = () => {
            target.removeEventListener("pointermove", moved);
            editor.finish();
            desk.changed();
        };
        target.addEventListener("pointermove", moved);
        for (const end of ["pointerup", "pointercancel"]) target.addEventListener(end, ended, { once: true });
        card.update();
    }

    /** @param {Frame} f */
    function drawHandles(f) {
        const handles = cellsOf(desk, k).map((cell) => withoutScrolling(s("g", {
            class: "knot", role: "slider", "aria-label": `${input.name} ${cellText(state, curve, cell)}`, "aria-orientation": "vertical", "data-curve": k, "data-cell": cell,
            onkeydown: (/** @type {KeyboardEvent} */ event) => handleKey(desk, k, cell, event, (to) => { active = to; card.update(); handles[cellsOf(desk, k).indexOf(to)].focus(); }),
            onkeyup: () => { editor.finish(); desk.changed(); },
            onpointerdown: (/** @type {PointerEvent} */ event) => { if (event.button === 0) drag(f, handles, event); },
            onfocus: () => { active = cell; card.update(); },
        }, s("circle", { class: "hit", r: 11 }), s("circle", { class: "dot", r: curve.cells > 14 ? 3.5 : 4.5 }), s("title", {}, cellText(state, curve, cell)))));
        f.outer.append(...handles);
        return handles;
    }

    /** @param {Frame} f */
    function draw(f) {
        frame = f;
        drawDensity(f, heights);
        if (!Number.isNaN(bandAt(state, k, 0))) drawBand(desk, f, k, xs, cellNear);
        stroke(f, [range[0], 0], [range[1], 0], "zero");
        const before = state.file.curves[k].then[state.output];
        if (isEdited(state, k)) line(f, xs.map((x) => /** @type {[number, number]} */ ([x, before[cellNear(x)]])), "before many");
        stroke(f, [range[0], f.y.low], [range[0], f.y.high], "now");
        const marker = f.plot.lastChild;
        follow = () => {
            const x = f.x(state.x[curve.input]), there = Number.isFinite(x);
            marker.toggleAttribute("hidden", !there);
            if (there) put(marker, { x1: Math.max(-2, Math.min(f.width + 2, x)), x2: Math.max(-2, Math.min(f.width + 2, x)) });
        };
        const path = s("path", { class: "line first" });
        f.plot.append(path);
        if (hasMissing(state, k)) drawMissing(f);
        const handles = drawHandles(f);
        move = () => {
            path.setAttribute("d", xs.map((x, i) => `${i ? "L" : "M"}${f.x(x).toFixed(1)} ${f.y(editor.value(k, cellNear(x))).toFixed(1)}`).join(""));
            handles.forEach((handle, cell) => put(handle, {
                transform: `translate(${placeOf(f, cell).toFixed(1)} ${f.y(editor.value(k, cell)).toFixed(1)})`, tabindex: cell === active ? 0 : -1,
                class: `knot${cell === active ? " active" : ""}`, ...handleState(desk, k, cell),
            }));
        };
        follow();
        move();
        if (focused) handles[active]?.focus({ preventScroll: true });
    }

    /** The column of missing values. @param {Frame} f */
    function drawMissing(f) {
        const x = placeOf(f, curve.cells), band = bandAt(state, k, curve.cells), value = editor.value(k, curve.cells);
        f.outer.append(s("line", { class: "grid", x1: f.width + 14, x2: f.width + 14, y1: 0, y2: f.height }), s("line", { class: "line zero", x1: f.width + 18, x2: f.width + MISSING + 8, y1: f.y(0), y2: f.y(0) }),
            s("text", { class: "tick", x, y: f.height + STRIP + 18, "text-anchor": "middle" }, "missing"));
        const ends = [value + band, value - band].map((y) => Math.min(f.height, Math.max(0, f.y(y))));
        if (Number.isFinite(band)) f.outer.append(s("line", { class: "whisker", x1: x, x2: x, y1: ends[0], y2: ends[1] }));
    }

    const plan = () => {
        const [low, high] = desk.range(k);
        return { title: `What ${input.name} adds to the prediction`, height: TALL, x: { low: range[0], high: range[1] }, y: { low, high }, under: STRIP, right: hasMissing(state, k) ? MISSING : 0, draw };
    };
    const drawn = chart(plan()), card = {
        element: h("figure", { class: "card curve", "data-input": input.name }, h("figcaption", {}, h("h3", { title: input.name }, ...breakable(input.name)), hint), drawn.element, form.element, numbersOf(desk, k)),
        redraw: () => {
            focused = hasFocus(k);
            drawn.again(plan());
            focused = false;
            card.update();
        },
        update: () => {
            hint.textContent = `${rangeText(state, curve)}; typically ${shown(curveSize(state, k), 2)}${left ? `; constant beyond the axis, where ${percent(left)} of the rows are` : ""}${isEdited(state, k) ? "; edited" : ""}`;
            form.show(active);
            if (frame) move();
        },
    };
    put(drawn.element.firstChild, { role: "group" });
    state.on("row", () => follow());
    card.update();
    return card;
}

/** Bars of a category, with handles. @param {Desk} desk @param {number} k @returns {CurveCard} */
function levelsCard(desk, k) {
    const { state, editor } = desk, curve = state.model.curves[k], input = state.model.inputs[curve.input], hint = h("p", { class: "note" }), list = h("ol", { class: "levels" });
    const shares = state.file.inputs[curve.input].shares, percentOf = (/** @type {number} */ value, /** @type {[number, number]} */ [low, high]) => (100 * (value - low)) / (high - low);
    let active = 0, rows = /** @type {{ cell: number, move: () => void, handle: any }[]} */ ([]);
    const form = numberForm(desk, k, (cell) => { active = cell; card.update(); });
    const rowOfCell = (/** @type {number} */ cell) => {
        const range = desk.range(k), bar = h("span", { class: "bar" }), value = h("span", { class: "value" }), band = bandAt(state, k, cell), text = cellText(state, curve, cell), share = cell < curve.cells ? shares?.[cell] : statsOf(state, k)?.share[cell];
        const whisker = Number.isFinite(band) ? h("span", { class: "reach" }) : null;
        const handle = withoutScrolling(h("span", { class: "knot", role: "slider", "aria-label": `${input.name} ${text}`, "aria-orientation": "horizontal", "data-curve": k, "data-cell": cell,
            onkeydown: (/** @type {KeyboardEvent} */ event) => handleKey(desk, k, cell, event, (to) => { active = to; card.update(); rows[cellsOf(desk, k).indexOf(to)].handle.focus(); }),
            onkeyup: () => { editor.finish(); desk.changed(); },
            onfocus: () => { active = cell; card.update(); } }));
        const track = h("span", { class: "level-track" }, h("span", { class: "zero-mark", style: { left: `${percentOf(0, range)}%` } }), whisker, bar, handle);
        handle.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
            if (event.button !== 0) return;
            event.preventDefault();
            handle.focus({ preventScroll: true });
            handle.setPointerCapture(event.pointerId);
            const moved = (/** @type {PointerEvent} */ e) => {
                const box = track.getBoundingClientRect(), part = Math.min(1, Math.max(0, (e.clientX - box.left) / box.width));
                editor.set(k, cell, rounded(range[0] + part * (range[1] - range[0]), effectStep(state)));
                desk.changed();
            };
            const ended = () => {
                handle.removeEventListener("pointermove", moved);
                editor.finish();
                desk.changed();
            };
            handle.addEventListener("pointermove", moved);
            for (const end of ["pointerup", "pointercancel"]) handle.addEventListener(end, ended, { once: true });
        });
        const move = () => {
            const now = editor.value(k, cell), ends = [0, now].map((x) => Math.min(100, Math.max(0, percentOf(x, range)))).sort((a, b) => a - b);
            put(bar, { style: { left: `${ends[0]}%`, width: `${ends[1] - ends[0]}%` }, class: now < 0 ? "bar less" : "bar" });
            put(handle, { style: { left: `${Math.min(100, Math.max(0, percentOf(now, range)))}%` }, tabindex: cell === active ? 0 : -1, class: `knot${cell === active ? " active" : ""}`, ...handleState(desk, k, cell) });
            if (whisker) {
                const reach = [now - band, now + band].map((x) => Math.min(100, Math.max(0, percentOf(x, range))));
                put(whisker, { style: { left: `${reach[0]}%`, width: `${reach[1] - reach[0]}%` } });
            }
            value.textContent = effectText(state, now);
        };
        const element = h("li", { class: cell === curve.cells ? "missing" : null }, h("span", { class: "name", title: text }, ...breakable(text), share === undefined ? null : h("small", {}, ` ${percent(share)}`)), track, value);
        return { cell, element, move, handle };
    };
    const card = {
        element: h("figure", { class: "card curve", "data-input": input.name }, h("figcaption", {}, h("h3", { title: input.name }, ...breakable(input.name)), hint), list, form.element),
        redraw: () => {
            const focused = hasFocus(k), made = cellsOf(desk, k).map(rowOfCell);
            rows = made;
            list.replaceChildren(...made.map((row) => row.element));
            card.update();
            if (focused) rows[active]?.handle.focus({ preventScroll: true });
        },
        update: () => {
            hint.textContent = `${rangeText(state, curve)}; typically ${shown(curveSize(state, k), 2)}${isEdited(state, k) ? "; edited" : ""}`;
            form.show(active);
            for (const row of rows) row.move();
        },
    };
    card.redraw();
    return card;
}

/** The numbers of a curve as a table. @param {Desk} desk @param {number} k */
function numbersOf(desk, k) {
    const { state, editor } = desk, curve = state.model.curves[k], stats = statsOf(state, k);
    const fill = () => {
        const rows = cellsOf(desk, k).map((cell) => h("tr", {}, h("th", { scope: "row" }, cellText(state, curve, cell)), h("td", {}, effectText(state, editor.value(k, cell))),
            ...(stats ? [h("td", {}, Number.isFinite(bandAt(state, k, cell)) ? `± ${effectText(state, bandAt(state, k, cell)).replace("+", "")}` : "–"), h("td", {}, percent(stats.share[cell]))] : [])));
        details.replaceChildren(details.firstChild, h("table", { class: "numbers" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "at"), h("th", { scope: "col" }, "adds"),
            ...(stats ? [h("th", { scope: "col" }, "band"), h("th", { scope: "col" }, "training rows")] : []))), h("tbody", {}, ...rows)));
    };
    const details = h("details", { class: "small-print", ontoggle: () => { if (details.open) fill(); } }, h("summary", {}, "Numbers"));
    return details;
}

/** Offers the edited model as a file. @param {Desk} desk */
function save({ state, editor }) {
    const text = modelText(editedFile(state, editor.edits(), new Date().toISOString().slice(0, 10))), url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const name = state.model.targets[0].name.replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "model";
    h("a", { href: url, download: `${name}-edited.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Lets people judge edits on the rows of a CSV file. @param {Desk} desk */
function rowsChooser(desk) {
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
function editBar(desk) {
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
