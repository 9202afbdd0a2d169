// chart.js: SVG charts: a frame with axes and the marks in it. Colours come from style.css. A chart is redrawn when its width changes, so that
// text keeps its size.

import { h, s } from "./dom.js";
import { atStep, clipped, shown } from "./format.js";
import { linear, logTicks, logarithmic, ticks } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */

/**
 * @typedef {object} Axis
 * @property {number} low
 * @property {number} high
 * @property {string} [label]
 * @property {boolean} [log]
 * @property {boolean} [hidden] without ticks and grid lines
 * @property {string[]} [names] of the categories, which are at 0.5, 1.5, ...
 */

/**
 * @typedef {object} Frame
 * @property {any} plot the group for marks, which clips them
 * @property {any} outer the same group without clipping
 * @property {Scale} x
 * @property {Scale} y
 * @property {number} width of the plot
 * @property {number} height of the plot
 */

/**
 * @typedef {object} Plan
 * @property {string} title for screen readers
 * @property {number} height
 * @property {Axis} x
 * @property {Axis} y
 * @property {number} [under] height of a strip between the plot and its ticks
 * @property {number} [right] width of a column to the right of the plot
 * @property {(frame: Frame) => void} draw
 */

/** @param {Axis} axis @param {number} from @param {number} to */
function scaleOf(axis, from, to) {
    return (axis.log ? logarithmic : linear)(axis.low, axis.high, from, to);
}

/** @param {Axis} axis @param {number} count */
function ticksOf(axis, count) {
    if (axis.names) return axis.names.map((_, k) => k + 0.5);
    return axis.hidden ? [] : axis.log ? logTicks(axis.low, axis.high) : ticks(axis.low, axis.high, count);
}

/** The labels of ticks, with as many digits as their distance requires. @param {Axis} axis @param {number[]} values */
function namesOf(axis, values) {
    if (axis.names) return axis.names.map((name) => clipped(name, 16));
    const step = values.length > 1 && !axis.log ? values[1] - values[0] : 0;
    return values.map((value) => (step > 0 ? atStep(value, step) : shown(value)));
}

/** Largest width of a letter of a label. */
const LETTER = 7.4;

let charts = 0;

/** @param {any} svg @param {Plan} plan @param {number} width */
function render(svg, plan, width) {
    const left = ticksOf(plan.y, plan.height / 50), leftNames = namesOf(plan.y, left), letters = Math.max(0, ...leftNames.map((name) => name.length));
    const side = plan.right ?? 0, under = plan.under ?? 0, margin = {
        top: 10, right: 14 + side, bottom: (plan.x.hidden ? 8 : plan.x.label ? 44 : 26) + under,
        left: plan.y.hidden ? 8 : letters * 7 + 14 + (plan.y.label ? 18 : 0),
    };
    const w = Math.max(40, width - margin.left - margin.right), tall = plan.height - margin.top - margin.bottom;
    const x = scaleOf(plan.x, 0, w), y = scaleOf(plan.y, tall, 0), clip = `clip${++charts}`;
    const bottom = ticksOf(plan.x, Math.max(2, w / 80)), bottomNames = namesOf(plan.x, bottom);
    const axes = s("g", { class: "axes" });
    left.forEach((value, k) => {
        axes.append(s("line", { class: "grid", x1: 0, x2: w, y1: y(value), y2: y(value) }));
        axes.append(s("text", { class: "tick", x: -8, y: y(value), dy: "0.32em", "text-anchor": "end" }, leftNames[k]));
    });
    let free = -Infinity;
    for (const [k, value] of bottom.entries()) {
        const text = bottomNames[k], half = text.length * 4.1, at = Math.min(x(value), w + 14 - half);
        if (at - half < free) continue;
        free = at + half + 8;
        axes.append(s("line", { class: "grid", x1: x(value), x2: x(value), y1: 0, y2: tall }));
        axes.append(s("text", { class: "tick", x: at, y: tall + under + 18, "text-anchor": "middle" }, text));
    }
    if (plan.x.label) axes.append(s("text", { class: "label", x: w / 2, y: tall + under + 38, "text-anchor": "middle" }, clipped(plan.x.label, Math.floor(w / LETTER))));
    if (plan.y.label && !plan.y.hidden)
        axes.append(s("text", { class: "label", "text-anchor": "middle", transform: `translate(${12 - margin.left} ${tall / 2}) rotate(-90)` }, clipped(plan.y.label, Math.floor(tall / LETTER))));
    const plot = s("g", { "clip-path": `url(#${clip})` }), outer = s("g");
    svg.replaceChildren(
        s("title", {}, plan.title),
        s("clipPath", { id: clip }, s("rect", { x: 0, y: -4, width: w, height: tall + 4 })),
        s("g", { transform: `translate(${margin.left} ${margin.top})` }, axes, plot, s("line", { class: "ground", x1: 0, x2: w, y1: tall, y2: tall }), outer));
    svg.setAttribute("viewBox", `0 0 ${width} ${plan.height}`);
    svg.setAttribute("height", String(plan.height));
    plan.draw({ plot, outer, x, y, width: w, height: tall });
}

/**
 * A chart, to be put anywhere. `again` draws it by another plan.
 * @param {Plan} plan
 */
export function chart(plan) {
    const svg = s("svg", { role: "img", "aria-label": plan.title, width: "100%", class: "chart" }), host = h("div", { class: "chart-host" }, svg);
    let now = plan, width = 0;
    new ResizeObserver(() => {
        const wide = Math.round(host.clientWidth);
        if (wide && wide !== width) render(svg, now, (width = wide));
    }).observe(host);
    return {
        element: host,
        again: (/** @type {Plan} */ next) => {
            now = next;
            svg.setAttribute("aria-label", next.title);
            if (width) render(svg, now, width);
        },
    };
}

/** @param {number} value */
function place(value) {
    return value.toFixed(1);
}

/** A line through points, interrupted at non-finite ones. @param {Frame} frame @param {[number, number][]} points @param {string} mark a class */
export function line(frame, points, mark) {
    let path = "", pen = false;
    for (const [x, y] of points) {
        const there = Number.isFinite(x) && Number.isFinite(y);
        if (there) path += `${pen ? "L" : "M"}${place(frame.x(x))} ${place(frame.y(y))}`;
        pen = there;
    }
    frame.plot.append(s("path", { class: `line ${mark}`, d: path }));
}

/** Many points as one path of round strokes of length 0. @param {Frame} frame @param {[number, number][]} points @param {string} mark */
export function dots(frame, points, mark) {
    let path = "";
    for (const [x, y] of points) if (Number.isFinite(x) && Number.isFinite(y)) path += `M${place(frame.x(x))} ${place(frame.y(y))}h0`;
    frame.plot.append(s("path", { class: `dots ${mark}`, d: path }));
}

/** Bars of equal width over [x.low, x.high]. @param {Frame} frame @param {number[]} counts @param {number} low @param {number} high @param {string} mark */
export function bars(frame, counts, low, high, mark) {
    const width = (high - low) / counts.length;
    let path = "";
    counts.forEach((count, i) => {
        const from = frame.x(low + i * width), to = frame.x(low + (i + 1) * width), gap = Math.min(1, (to - from) / 6);
        if (count) path += `M${place(from + gap)} ${place(frame.y(0))}V${place(frame.y(count))}H${place(to - gap)}V${place(frame.y(0))}Z`;
    });
    frame.plot.append(s("path", { class: `bars ${mark}`, d: path }));
}

/** A straight line between two points. @param {Frame} frame @param {[number, number]} from @param {[number, number]} to @param {string} mark */
export function stroke(frame, from, to, mark) {
    frame.plot.append(s("line", { class: `line ${mark}`, x1: frame.x(from[0]), y1: frame.y(from[1]), x2: frame.x(to[0]), y2: frame.y(to[1]) }));
}

/** The legend of a chart. @param {[string, string][]} items class of the mark and label */
export function legend(items) {
    return h("p", { class: "legend" }, ...items.map(([mark, words]) => h("span", {}, h("i", { class: `key ${mark}` }), words)));
}
