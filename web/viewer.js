// viewer.js: the rule viewer: a control for each input, and what the rules make of it, live.

import { breakable, h, put, s } from "./dom.js";
import { base, predict, ruleName, ruleSays } from "./evaluate.js";
import { clipped, counted, listed, near, part, percent, plural, shown, signed } from "./format.js";
import { intervalOf } from "./intervals.js";
import { countsAs, outsideOf } from "./outside.js";
import { extent, linear, padded, rounded } from "./scale.js";
import { finestStep, rowOf, typicalOf } from "./state.js";
import { telling } from "./words.js";

/** @typedef {import("./state.js").State} State */

/** Rules that are shown at first, and at most; letters of the conditions of each, about; level of intervals. */
const FIRST = 8, MOST = 64, TOLD_NOW = 170, LEVEL = 0.9;

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

/** @param {State} state @param {number} i @param {() => void} changed @returns {Control} */
function numberControl(state, i, changed) {
    const input = state.model.inputs[i], id = `input${i}`, values = state.data?.x[i] ?? [];
    const [low, high] = extent([input.low, input.high, ...values]), step = high > low ? (high - low) / 500 : 1, finest = finestStep(low, high);
    const set = (/** @type {number} */ value) => {
        state.x[i] = value;
        changed();
    };
    const slider = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": input.name, "data-slider": i, oninput: () => set(Math.min(high, Math.max(low, rounded(Number(slider.value), finest)))) });
    // With any step, browsers differ in what an arrow key does.
    slider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 25, PageDown: -25 }[event.key];
        if (!way) return;
        event.preventDefault();
        set(Math.min(high, Math.max(low, rounded((Number.isNaN(state.x[i]) ? typicalOf(input) : state.x[i]) + way * 2 * step, finest))));
    });
    const box = h("input", { type: "number", step: "any", id, "data-input": i, placeholder: "missing", oninput: () => set(box.value === "" ? NaN : Number(box.value)) });
    const gone = h("button", { type: "button", class: "gone", title: "leave it empty: conditions on it do not count", "aria-label": `${input.name} is missing`,
        onclick: () => set(Number.isNaN(state.x[i]) ? typicalOf(input) : NaN) }, "∅");
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
    const svg = s("svg", { class: "gauge", height: 40, width: "100%", "aria-hidden": "true" });
    const ranges = state.model.targets.map((target, o) => (state.data ? extent([...state.data.predicted[o], ...state.data.y[o]])
        : /** @type {[number, number]} */ ([target.mean - 2 * target.scale, target.mean + 2 * target.scale])));
    return {
        element: svg,
        show: (/** @type {number} */ y, /** @type {[number, number] | null} */ band, /** @type {number} */ actual) => {
            const wide = svg.clientWidth || 300, [low, high] = padded(extent([...ranges[state.output], y, ...(band ?? [])]), 0.02), x = linear(low, high, 4, wide - 4);
            svg.replaceChildren(s("line", { class: "rail", x1: x(low), x2: x(high), y1: 12, y2: 12 }),
                ...(band ? [s("line", { class: "band", x1: x(band[0]), x2: x(band[1]), y1: 12, y2: 12 })] : []),
                ...(Number.isFinite(actual) ? [s("path", { class: "actual", d: `M${x(actual)} 17l4 7h-8z` })] : []),
                s("circle", { class: "point", cx: x(y), cy: 12, r: 6 }),
                s("text", { class: "tick", x: 2, y: 37 }, near(low, high - low, 3)), s("text", { class: "tick", x: wide - 2, y: 37, "text-anchor": "end" }, near(high, high - low, 3)));
        },
    };
}

/** One line for a rule, which is filled again and again. @param {string} label of what it says */
function bar(label) {
    const name = h("span", { class: "name" }), level = h("span", { class: "level" }), says = h("span", { class: "says", "data-label": label }), adds = h("span", { class: "adds" });
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
        const { model, output } = state, order = ranked(state, count), spread = model.targets[output].scale;
        y = now;
        while (lines.length < order.length) {
            lines.push(bar(several ? "alone" : "says"));
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
            one.says.textContent = several ? signed(says, 3) : near(says, spread);
            one.adds.textContent = part(firing * says, y, spread);
            one.words.replaceChildren(...breakable(wordsOf(r)));
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
            several ? `They start from ${near(base(model, output), spread)}.` : "",
            others ? `${plural(others, "other rule")} add${others === 1 ? "s" : ""} ${part(left, y, spread)}.` : ""].filter(Boolean).join(" ");
    };
    const titles = ["rule", "how far it fires", several ? "alone" : "says", "adds"];
    const head = h("div", { class: "firing-head", "aria-hidden": "true" }, ...titles.map((title) => h("span", {}, title)));
    return { element: h("div", {}, h("div", { class: "firing-table" }, head, list), rest, ...(state.model.rules > FIRST ? [more] : [])), show };
}

/** Which row of the data is shown. @param {State} state @param {() => void} changed */
function loader(state, changed) {
    const { data } = state;
    if (!data) return { element: null, actual: () => NaN, leave: () => {} };
    let at = -1;
    const box = h("input", { type: "number", id: "row", min: 1, max: data.rows, step: 1, placeholder: "none" });
    const note = h("span", { class: "note", id: "row-note", role: "status" }, "no row is loaded: inputs are at their means");
    const load = (/** @type {number} */ i) => {
        at = Math.min(data.row.length - 1, Math.max(0, i));
        box.value = String(data.row[at]);
        state.x = rowOf(data, at);
        note.textContent = `row ${counted(data.row[at])} of ${counted(data.rows)} is loaded`;
        changed();
    };
    const wanted = () => {
        const number = Number(box.value);
        if (box.value === "" || number !== Math.round(number) || number < 1 || number > data.rows) {
            note.textContent = `rows are 1 to ${counted(data.rows)}`;
            return;
        }
        // Those that are here are spread evenly: the first one that is not before it, or the one before that.
        const next = data.row.findIndex((row) => row >= number), after = next < 0 ? data.row.length - 1 : next;
        load(after > 0 && number - data.row[after - 1] < Math.abs(data.row[after] - number) ? after - 1 : after);
    };
    box.addEventListener("change", wanted);
    const step = (/** @type {string} */ text, /** @type {string} */ words, /** @type {() => number} */ to) =>
        h("button", { type: "button", "aria-label": words, title: words, onclick: () => load(to()) }, text);
    const element = h("div", { class: "loader" }, h("label", { for: "row" }, "Load row"), box,
        step("‹", "the row before", () => at - 1), step("›", "the next row", () => at + 1),
        step("?", "a row at random", () => Math.floor(Math.random() * data.row.length)), note,
        data.row.length === data.rows ? null : h("span", { class: "note" }, `The page holds ${counted(data.row.length)} of ${counted(data.rows)} rows, evenly spread; the nearest one is taken.`));
    return {
        element, actual: () => (at < 0 ? NaN : data.y[state.output][at] ?? NaN),
        leave: () => {
            at = -1;
            box.value = "";
            note.textContent = "no row is loaded: inputs are as set here";
        },
    };
}

/** Where predictions can't be trusted. @param {State} state @returns {string} */
function warning(state) {
    const { file, model, x } = state, { inputs, unusual } = outsideOf(file, model, x);
    if (unusual) return `Outside what the rules cover: the inputs were never seen together like this; the most unusual is ${model.inputs[inputs[0]].name}.`;
    const sentences = inputs.map((i) => {
        const { name, levels, low, high } = model.inputs[i], counts = countsAs(model, i, x[i]);
        if (levels) return `${name} is none of the levels of the training rows.`;
        return `${name} is outside ${near(low, high - low)} to ${near(high, high - low)}, the training rows' range${counts === null ? "" : `: it counts as ${near(counts, high - low)}`}.`;
    });
    return sentences.length > 3 ? `Outside the training rows: ${listed(inputs.map((i) => model.inputs[i].name))}.` : sentences.join(" ");
}

/** @param {State} state @param {any} section */
export function showViewer(state, section) {
    const result = h("output", { class: "result", id: "prediction", "aria-live": "polite" }), about = h("p", { class: "about" });
    const outside = h("p", { class: "outside", id: "outside", role: "status" });
    const meter = gauge(state), rules = rulesNow(state);
    const loaded = loader(state, () => state.tell("row"));
    const edited = () => {
        loaded.leave();
        state.tell("row");
    };
    const controls = state.model.inputs.map((input, i) => (input.levels ? levelControl : numberControl)(state, i, edited));
    const heading = h("h3");
    const show = () => {
        const warned = warning(state); // before the prediction, whose firing levels the rules below show
        const y = predict(state.model, state.x)[state.output], band = intervalOf(state.file, state.model, state.output, LEVEL, y), actual = loaded.actual();
        const { name, scale } = state.model.targets[state.output];
        heading.replaceChildren(...breakable(name));
        put(heading, { title: name, class: name.length > 18 ? "long" : null });
        result.textContent = near(y, scale, 6);
        result.dataset.value = String(y);
        about.replaceChildren(...[
            band ? h("span", { id: "interval" }, `${percent(LEVEL)} of new rows: ${near(band[0], band[1] - band[0])} to ${near(band[1], band[1] - band[0])}`) : null,
            Number.isFinite(actual) ? h("span", { id: "actual" }, `actual ${near(actual, scale, 6)}, off by ${shown(Math.abs(actual - y), 3)}`) : null].filter(Boolean));
        outside.hidden = !warned;
        if (outside.textContent !== warned) outside.replaceChildren(...breakable(warned));
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
            h("div", { class: "card answer" }, heading, result, about, outside, meter.element),
            h("div", { class: `card controls${controls.length > 9 ? " many" : ""}`, role: "group", "aria-label": "Inputs" }, ...controls.map((one) => one.element)),
            h("div", { class: "card now" }, h("h3", {}, "Rules that fire"), rules.element)));
    return true;
}
