// response_surface.js: the response surface: predictions over two inputs as a heat map with contour lines and the rows of the data; the
// other inputs are those of the rule viewer.

import { chart } from "./chart.js";
import { heat, heatCss } from "./heat_colours.js";
import { contour } from "./contour.js";
import { breakable, h, put, s } from "./dom.js";
import { predict } from "./evaluate.js";
import { atStep, clipped, near } from "./format.js";
import { extent, linear, ticks } from "./scale.js";

/** @typedef {import("./state.js").State} State */

/** Time for the whole map and per slice, in milliseconds; smallest and largest grid size; number of points drawn. */
const WHOLE_MAP = 1200, SLICE = 25, COARSE = 13, FINE = 61, DOTS = 700;

/** Numeric inputs that vary. @param {State} state */
function candidates(state) {
    return state.model.inputs.flatMap((input, i) => (!input.levels && input.high > input.low ? [i] : []));
}

/** The grid size for which the map is computed in time. @param {State} state */
function sideOf(state) {
    const start = performance.now();
    let n = 0;
    do predict(state.model, state.x);
    while (++n < 20 && performance.now() - start < 20);
    const each = (performance.now() - start) / n;
    return Math.round(Math.max(COARSE, Math.min(FINE, Math.sqrt(WHOLE_MAP / Math.max(each, 1e-3)))));
}

/** An image of n by n values, the first row at the bottom. @param {Float64Array} values @param {number} n @param {number} low @param {number} high */
function pictureOf(values, n, low, high) {
    const canvas = document.createElement("canvas"), size = 4 * (n - 1), context = canvas.getContext("2d");
    canvas.width = canvas.height = size;
    if (!context) return "";
    const image = context.createImageData(size, size);
    for (let j = 0; j < size; j++)
        for (let i = 0; i < size; i++) {
            // Bilinear interpolation.
            const x = (i + 0.5) / 4, y = (size - j - 0.5) / 4, k = Math.min(n - 2, Math.floor(x)), l = Math.min(n - 2, Math.floor(y)), t = x - k, u = y - l, at = l * n + k;
            const value = (1 - u) * ((1 - t) * values[at] + t * values[at + 1]) + u * ((1 - t) * values[at + n] + t * values[at + n + 1]);
            image.data.set([...heat((value - low) / (high - low || 1)), 255], 4 * (j * size + i));
        }
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
}

/** @param {State} state @param {any} section */
export function showSurface(state, section) {
    const inputs = candidates(state);
    if (inputs.length < 2) return false;
    const moves = (/** @type {number} */ i) => state.data?.importance[state.output][i] ?? 0;
    const best = [...inputs].sort((a, b) => moves(b) - moves(a));
    const selects = [0, 1].map((k) => {
        const letters = window.innerWidth < 600 ? 20 : 40, options = inputs.map((i) => h("option", { value: i, title: state.model.inputs[i].name }, clipped(state.model.inputs[i].name, letters)));
        const select = h("select", { id: k ? "surface-y" : "surface-x", onchange: () => changed(k) }, ...options);
        select.value = String(best[k]);
        return select;
    });
    /** @type {Float64Array} */
    let values = new Float64Array(4);
    let n = 2, token = 0, timer = 0, picture = "", low = 0, high = 1;
    const scaleBar = h("div", { class: "ramp" }), scaleTitle = h("p", { class: "ramp-title" }), note = h("p", { class: "note" });
    const axis = (/** @type {number} */ k) => state.model.inputs[Number(selects[k].value)];
    const plan = () => ({
        title: `Prediction over ${axis(0).name} and ${axis(1).name}`, height: Math.min(520, Math.max(320, section.clientWidth * 0.55)),
        x: { low: axis(0).low, high: axis(0).high, label: axis(0).name }, y: { low: axis(1).low, high: axis(1).high, label: axis(1).name }, draw,
    });
    const drawn = chart(plan());
    put(drawn.element, { tabindex: 0, role: "group", "aria-label": "Heat map: arrow keys change the two inputs", onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 1], ArrowDown: [1, -1] }[event.key];
        if (!way) return;
        event.preventDefault();
        const { low: least, high: largest, mean } = axis(way[0]), i = Number(selects[way[0]].value), from = Number.isNaN(state.x[i]) ? mean : state.x[i];
        state.x = [...state.x];
        state.x[i] = Number(Math.min(largest, Math.max(least, from + (way[1] * (largest - least)) / 50)).toPrecision(6));
        state.emit("row");
    } });
    let marker = () => {};

    /** @param {import("./chart.js").Frame} frame */
    function draw(frame) {
        const { plot, width, height } = frame, i = Number(selects[0].value), j = Number(selects[1].value);
        plot.append(s("image", { href: picture, width, height, preserveAspectRatio: "none", style: { cursor: "crosshair" } }));
        const across = width / (n - 1), up = height / (n - 1);
        const at = (/** @type {number} */ x, /** @type {number} */ y) => `${(x * across).toFixed(1)} ${(height - y * up).toFixed(1)}`;
        for (const level of ticks(low, high, 9)) {
            const pieces = contour(values, n, n, level);
            plot.append(s("path", { class: "contour", d: pieces.map(([x1, y1, x2, y2]) => `M${at(x1, y1)}L${at(x2, y2)}`).join("") }));
        }
        drawRows(frame, i, j);
        const cross = ["cross shade", "cross"].flatMap((mark) => [s("line", { class: mark }), s("line", { class: mark }), s("circle", { class: mark, r: 6 })]);
        plot.append(...cross);
        marker = () => {
            const x = frame.x(state.x[i]), y = frame.y(state.x[j]), there = Number.isFinite(x + y);
            for (const one of cross) one.toggleAttribute("hidden", !there);
            if (!there) return;
            for (const k of [0, 3]) {
                put(cross[k], { x1: x, x2: x, y1: 0, y2: height });
                put(cross[k + 1], { x1: 0, x2: width, y1: y, y2: y });
                put(cross[k + 2], { cx: x, cy: y });
            }
        };
        marker();
        plot.addEventListener("click", (/** @type {MouseEvent} */ event) => {
            const box = plot.firstChild.getBoundingClientRect(), within = (/** @type {number} */ share) => Math.min(1, Math.max(0, share));
            state.x = [...state.x];
            state.x[i] = axis(0).low + within((event.clientX - box.left) / box.width) * (axis(0).high - axis(0).low);
            state.x[j] = axis(1).high - within((event.clientY - box.top) / box.height) * (axis(1).high - axis(1).low);
            state.emit("row");
        });
    }

    /** @param {import("./chart.js").Frame} frame @param {number} i @param {number} j */
    function drawRows(frame, i, j) {
        const { data, output } = state;
        if (!data) return;
        const every = Math.max(1, Math.ceil(data.sample.length / DOTS));
        for (const r of data.sample.filter((_, k) => k % every === 0)) {
            const x = data.x[i][r], y = data.x[j][r], actual = data.y[output][r];
            if (x !== null && y !== null && actual !== null)
                frame.plot.append(s("circle", { class: "row", cx: frame.x(x).toFixed(1), cy: frame.y(y).toFixed(1), r: 3, fill: heatCss((actual - low) / (high - low || 1)) }));
        }
    }

    function finish() {
        [low, high] = extent(values);
        picture = pictureOf(values, n, low, high);
        drawn.again(plan());
        const names = high > low ? ticks(low, high, 4) : [low], wide = scaleBar.clientWidth || 320, place = linear(low, high, 0, wide);
        const colours = Array.from({ length: 9 }, (_, k) => heatCss(k / 8)).join(", ");
        let free = 0;
        scaleBar.replaceChildren(h("span", { class: "colours", style: { background: `linear-gradient(90deg, ${colours})` } }), ...names.flatMap((value) => {
            const text = names.length > 1 ? atStep(value, names[1] - names[0]) : near(value, high - low), half = 4.6 * text.length, at = place(value);
            if (at - half < free || at + half > wide) return [];
            free = at + half + 8;
            return [h("span", { class: "at", style: { left: `${at}px` } }, text)];
        }));
        const target = state.model.targets[state.output].name;
        scaleTitle.replaceChildren(...breakable(`predicted ${target}; white contour lines${high > low && names.length > 1 ? ` every ${near(ticks(low, high, 9)[1] - ticks(low, high, 9)[0], 0)}` : ""}`));
        const others = state.model.inputs.length - 2;
        note.textContent = [others ? `The other ${others === 1 ? "input is" : `${others} inputs are`} as set in the rule viewer.` : "",
            state.data ? "Points are rows of the data, coloured by their actual value." : "", "Click or use the arrow keys to change both inputs."].filter(Boolean).join(" ");
    }

    /** Computes the map in slices, so that the page stays responsive; a newer call cancels it. */
    function compute() {
        const mine = ++token, side = sideOf(state), made = new Float64Array(side * side), x = [...state.x], i = Number(selects[0].value), j = Number(selects[1].value);
        let at = 0;
        const go = () => {
            if (mine !== token) return;
            for (const start = performance.now(); at < made.length && performance.now() - start < SLICE; at++) {
                x[i] = axis(0).low + ((at % side) / (side - 1)) * (axis(0).high - axis(0).low);
                x[j] = axis(1).low + (Math.floor(at / side) / (side - 1)) * (axis(1).high - axis(1).low);
                made[at] = predict(state.model, x)[state.output];
            }
            if (at < made.length) setTimeout(go, 0);
            else {
                [values, n] = [made, side];
                section.dataset.ready = String(mine);
                finish();
            }
        };
        go();
    }

    /** @param {number} k 0 for the horizontal axis, 1 for the vertical one */
    function changed(k) {
        if (selects[0].value === selects[1].value) selects[1 - k].value = String(inputs.find((i) => i !== Number(selects[k].value)));
        compute();
    }

    /** The other inputs that the map depends on. */
    const others = () => state.x.filter((_, i) => i !== Number(selects[0].value) && i !== Number(selects[1].value)).join();
    let known = others();
    state.on("row", () => {
        marker();
        if (others() === known) return;
        known = others();
        clearTimeout(timer);
        timer = window.setTimeout(compute, 60);
    });
    state.on("output", compute);
    state.on("model", compute);
    section.append(h("h2", { id: "surface-title" }, "Response surface"), h("div", { class: "card" },
        h("div", { class: "pick" }, h("label", { for: "surface-x" }, "horizontal"), selects[0], h("label", { for: "surface-y" }, "vertical"), selects[1]), drawn.element, scaleTitle, scaleBar, note));
    setTimeout(compute, 0);
    return true;
}
