// viewer.js: the rule viewer: a control for each input, and what the rules make of it, live.

import { breakable, h, put, s } from "./dom.js";
import { base, predict, ruleName, ruleSays } from "./evaluate.js";
import { clipped, counted, part, percent, plural, shown, signed } from "./format.js";
import { intervalOf } from "./intervals.js";
import { extent, linear, niceStep, padded } from "./scale.js";
import { rowOf } from "./state.js";
import { telling } from "./words.js";

/** @typedef {import("./state.js").State} State */

/** Rules that are shown at first, and at most; conditions of each; level of intervals. */
const FIRST = 8, MOST = 64, TOLD_NOW = 2, LEVEL = 0.9;

/** @typedef {{ element: any, show: () => void }} Control */

/** @param {State} state @param {number} i @param {() => void} changed @returns {Control} */
function levelControl(state, i, changed) {
    const input = state.model.inputs[i], levels = input.levels ?? [], id = `input${i}`;
    const unlisted = state.file.inputs[i].others ? [] : [h("option", { value: levels.length }, "(any other)")];
    const select = h("select", { id, "data-input": i, onchange: () => {
        state.x[i] = select.value === "" ? NaN : Number(select.value);
        changed();
    } }, ...levels.map((level, k) => h("option", { value: k }, clipped(level, 60))), ...unlisted, h("option", { value: "" }, "(missing)"));
    const element = h("div", { class: "control" }, h("label", { for: id, title: input.name }, ...breakable(input.name)), h("div", { class: "setting one" }, select));
    return { element, show: () => { select.value = Number.isNaN(state.x[i]) ? "" : String(Math.min(state.x[i], levels.length - (unlisted.length ? 0 : 1))); } };
}

/** A multiple of a step, in as few digits. @param {number} value @param {number} step */
function rounded(value, step) {
    return Number((Math.round(value / step) * step).toPrecision(10));
}

/** @param {State} state @param {number} i @param {() => void} changed @returns {Control} */
function numberControl(state, i, changed) {
    const input = state.model.inputs[i], id = `input${i}`, values = state.data?.x[i] ?? [];
    const [low, high] = extent([input.low, input.high, ...values]), step = high > low ? (high - low) / 500 : 1, finest = niceStep(step, 10);
    const set = (/** @type {number} */ value) => {
        state.x[i] = value;
        changed();
    };
    const slider = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": input.name, "data-slider": i, oninput: () => set(rounded(Number(slider.value), finest)) });
    // With any step, browsers differ in what an arrow key does.
    slider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 25, PageDown: -25 }[event.key];
        if (!way) return;
        event.preventDefault();
        set(Math.min(high, Math.max(low, rounded((Number.isNaN(state.x[i]) ? input.mean : state.x[i]) + way * 2 * step, finest))));
    });
    const box = h("input", { type: "number", step: "any", id, "data-input": i, placeholder: "missing", oninput: () => set(box.value === "" ? NaN : Number(box.value)) });
    const gone = h("button", { type: "button", class: "gone", title: "leave it empty: conditions on it do not count", "aria-label": `${input.name} is missing`,
        onclick: () => set(Number.isNaN(state.x[i]) ? rounded(input.mean, finest) : NaN) }, "∅");
    const element = h("div", { class: "control" }, h("label", { for: id, title: input.name }, ...breakable(input.name)), h("div", { class: "setting" }, slider, box, gone));
    return {
        element,
        show: () => {
            const value = state.x[i], missing = Number.isNaN(value);
            gone.setAttribute("aria-pressed", String(missing));
            element.classList.toggle("empty", missing);
            slider.value = String(missing ? input.mean : value);
            if (document.activeElement !== box || Number(box.value) !== value) box.value = missing ? "" : String(value);
        },
    };
}

/** Where the prediction is among all. @param {State} state */
function gauge(state) {
    const svg = s("svg", { class: "gauge", height: 34, width: "100%", "aria-hidden": "true" });
    return {
        element: svg,
        show: (/** @type {number} */ y, /** @type {[number, number] | null} */ band, /** @type {number} */ actual) => {
            const target = state.model.targets[state.output], all = state.data?.predicted[state.output] ?? [], wide = svg.clientWidth || 300;
            const known = all.length ? extent([...all, ...(state.data?.y[state.output] ?? [])]) : [target.mean - 2 * target.scale, target.mean + 2 * target.scale];
            const [low, high] = padded(extent([...known, y, ...(band ?? [])]), 0.02), x = linear(low, high, 4, wide - 4);
            svg.replaceChildren(s("line", { class: "rail", x1: x(low), x2: x(high), y1: 12, y2: 12 }),
                ...(band ? [s("line", { class: "band", x1: x(band[0]), x2: x(band[1]), y1: 12, y2: 12 })] : []),
                ...(Number.isFinite(actual) ? [s("path", { class: "actual", d: `M${x(actual)} 17l4 7h-8z` })] : []),
                s("circle", { class: "point", cx: x(y), cy: 12, r: 6 }),
                s("text", { class: "tick", x: 2, y: 32 }, shown(low, 3)), s("text", { class: "tick", x: wide - 2, y: 32, "text-anchor": "end" }, shown(high, 3)));
        },
    };
}

/** One line for a rule, which is filled again and again. */
function bar() {
    const name = h("span", { class: "name" }), level = h("span", { class: "level" }), says = h("span", { class: "says" }), adds = h("span", { class: "adds" });
    const fill = h("span", { class: "fill" }), words = h("span", { class: "words" });
    return { element: h("li", {}, name, h("span", { class: "track" }, fill), level, says, adds, words), name, level, says, adds, fill, words };
}

/** Rules, those that count most now first. @param {State} state @param {number} count */
function ranked(state, count) {
    const { model, output } = state, order = [], size = new Float64Array(model.rules);
    for (let r = 0; r < model.rules; r++) {
        size[r] = model.firing[r];
        if (model.blocks.length > 1 && size[r] > 0) size[r] *= Math.abs(ruleSays(model, r, output));
        if (size[r] > 0) order.push(r);
    }
    return order.sort((a, b) => size[b] - size[a] || a - b).slice(0, count);
}

/** The list of firing rules. @param {State} state */
function rulesNow(state) {
    const several = state.model.blocks.length > 1, list = h("ol", { class: "firing" }), lines = /** @type {ReturnType<typeof bar>[]} */ ([]);
    const rest = h("p", { class: "note" }), short = new Map();
    const wordsOf = (/** @type {number} */ r) => {
        if (short.has(r)) return short.get(r);
        const { some, more } = telling(state.model, state.told, r, TOLD_NOW);
        short.set(r, `${some.join(" and ")}${more ? ` and ${more} more` : ""}`);
        return short.get(r);
    };
    let count = Math.min(FIRST, state.model.rules);
    const more = h("button", { type: "button", class: "quiet", onclick: () => { count = Math.min(MOST, state.model.rules); show(); more.remove(); } }, "Show more rules");
    let y = 0;
    const show = (now = y) => {
        const { model, output } = state, order = ranked(state, count);
        y = now;
        while (lines.length < order.length) {
            lines.push(bar());
            list.append(lines[lines.length - 1].element);
        }
        lines.forEach((one, k) => {
            const r = order[k];
            one.element.hidden = r === undefined;
            if (r === undefined) return;
            const says = ruleSays(model, r, output), firing = model.firing[r];
            one.name.textContent = `Rule ${ruleName(model, r)}`;
            one.fill.style.width = `${100 * firing}%`;
            one.level.textContent = percent(firing);
            one.says.textContent = several ? signed(says, 3) : shown(says);
            one.adds.textContent = part(firing * says, y);
            one.words.textContent = wordsOf(r);
            one.words.title = wordsOf(r);
            one.element.dataset.rule = ruleName(model, r);
            one.element.dataset.firing = String(firing);
            one.element.dataset.adds = String(firing * says);
        });
        let left = 0, others = 0;
        const shownRules = new Set(order);
        for (let r = 0; r < model.rules; r++) if (!shownRules.has(r) && model.firing[r] > 0) {
            left += model.firing[r] * ruleSays(model, r, output);
            others++;
        }
        rest.textContent = [
            several ? `They start from ${shown(base(model, output))}.` : "",
            others ? `${plural(others, "other rule")} add${others === 1 ? "s" : ""} ${part(left, y)}.` : ""].filter(Boolean).join(" ");
    };
    const titles = ["rule", "how far it fires", several ? "alone" : "says", "adds"];
    const head = h("div", { class: "firing-head", "aria-hidden": "true" }, ...titles.map((title) => h("span", {}, title)));
    return { element: h("div", {}, head, list, rest, ...(state.model.rules > FIRST ? [more] : [])), show };
}

/** Which row of the data is shown. @param {State} state @param {() => void} changed */
function loader(state, changed) {
    const { data } = state;
    if (!data) return { element: null, actual: () => NaN, leave: () => {} };
    let at = -1;
    const whole = data.row.length === data.rows, box = h("input", { type: "number", id: "row", min: 1, max: data.rows, step: 1, placeholder: "1" });
    const note = h("span", { class: "note", id: "row-note" });
    const load = (/** @type {number} */ i) => {
        at = Math.min(data.row.length - 1, Math.max(0, i));
        box.value = String(data.row[at]);
        state.x = rowOf(data, at);
        note.textContent = `row ${counted(data.row[at])} of ${counted(data.rows)} is loaded`;
        changed();
    };
    const wanted = () => {
        const number = Number(box.value);
        let near = 0;
        data.row.forEach((row, i) => { if (Math.abs(row - number) < Math.abs(data.row[near] - number)) near = i; });
        load(near);
    };
    box.addEventListener("change", wanted);
    const step = (/** @type {string} */ text, /** @type {string} */ words, /** @type {() => number} */ to) =>
        h("button", { type: "button", "aria-label": words, title: words, onclick: () => load(to()) }, text);
    const element = h("div", { class: "loader" }, h("label", { for: "row" }, "Load row"), box,
        step("‹", "the row before", () => at - 1), step("›", "the next row", () => at + 1),
        step("?", "a row at random", () => Math.floor(Math.random() * data.row.length)), note,
        whole ? null : h("span", { class: "note" }, `The page holds ${counted(data.row.length)} rows, evenly spread; the nearest one is taken.`));
    return {
        element, actual: () => (at < 0 ? NaN : data.y[state.output][at] ?? NaN),
        leave: () => { at = -1; note.textContent = ""; },
    };
}

/** @param {State} state @param {any} section */
export function showViewer(state, section) {
    const result = h("output", { class: "result", id: "prediction", "aria-live": "polite" }), about = h("p", { class: "about" });
    const meter = gauge(state), rules = rulesNow(state);
    const loaded = loader(state, () => state.tell("row"));
    const edited = () => {
        loaded.leave();
        state.tell("row");
    };
    const controls = state.model.inputs.map((input, i) => (input.levels ? levelControl : numberControl)(state, i, edited));
    const heading = h("h3");
    const show = () => {
        const y = predict(state.model, state.x)[state.output], band = intervalOf(state.file, state.model, state.output, LEVEL, y), actual = loaded.actual();
        heading.replaceChildren(...breakable(state.model.targets[state.output].name));
        put(heading, { title: state.model.targets[state.output].name });
        result.textContent = shown(y, 6);
        result.dataset.value = String(y);
        about.replaceChildren(...[
            band ? h("span", { id: "interval" }, `${percent(LEVEL)} of new rows: ${shown(band[0])} to ${shown(band[1])}`) : null,
            Number.isFinite(actual) ? h("span", { id: "actual" }, `actual ${shown(actual, 6)}, off by ${shown(Math.abs(actual - y), 3)}`) : null].filter(Boolean));
        meter.show(y, band, actual);
        rules.show(y);
        for (const one of controls) one.show();
    };
    let asked = 0;
    const soon = () => { if (!asked) asked = requestAnimationFrame(() => { asked = 0; show(); }); };
    state.on("row", soon);
    state.on("output", soon);
    new ResizeObserver(soon).observe(meter.element);
    show();
    section.append(h("h2", { id: "viewer-title" }, "Try it"),
        h("p", { class: "note" }, "Move the inputs, or load a row: the page evaluates the model itself. A bar shows how much weight a rule has for this row, " +
            "beside it what the rule says by itself and what that adds to the prediction. An empty box, or ∅, is a missing value."),
        loaded.element ?? "", h("div", { class: "bench" },
            h("div", { class: "card answer" }, heading, result, about, meter.element),
            h("div", { class: `card controls${controls.length > 9 ? " many" : ""}`, role: "group", "aria-label": "Inputs" }, ...controls.map((one) => one.element)),
            h("div", { class: "card now" }, h("h3", {}, "Rules that fire"), rules.element)));
    return true;
}
