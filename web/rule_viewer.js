// rule_viewer.js: the rule viewer: a control for each input, and the prediction and firing rules for the current row.

import { contributionsList } from "./contributions.js";
import { breakable, h, put, s } from "./dom.js";
import { base, predict, ruleName, ruleOutput } from "./evaluate.js";
import { clipped, counted, listed, near, part, percent, plural, shown, signed } from "./format.js";
import { intervalOf } from "./prediction_intervals.js";
import { clampedValue, findOutside } from "./outside_training.js";
import { extent, linear, padded, rounded } from "./scale.js";
import { finestStep, rowOf, typicalValue } from "./state.js";
import { selectConditions } from "./rule_text.js";

/** @typedef {import("./state.js").State} State */

/** Rules shown initially and at most; approximate length of the conditions of a rule; level of prediction intervals. */
const FIRST = 8, MOST = 64, MAX_LETTERS_NOW = 170, LEVEL = 0.9;

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
    // With step "any", browsers handle arrow keys differently.
    slider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 25, PageDown: -25 }[event.key];
        if (!way) return;
        event.preventDefault();
        set(Math.min(high, Math.max(low, rounded((Number.isNaN(state.x[i]) ? typicalValue(input) : state.x[i]) + way * 2 * step, finest))));
    });
    const box = h("input", { type: "number", step: "any", id, "data-input": i, placeholder: "missing", oninput: () => set(box.value === "" ? NaN : Number(box.value)) });
    const gone = h("button", { type: "button", class: "gone", title: "Set to missing: conditions on it are ignored", "aria-label": `${input.name} is missing`,
        onclick: () => set(Number.isNaN(state.x[i]) ? typicalValue(input) : NaN) }, "∅");
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

/** A scale that shows the prediction, its interval and the actual value. @param {State} state */
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

/** A line of the list of rules, reused for different rules. @param {string} label of the rule's output */
function bar(label) {
    const name = h("span", { class: "name" }), level = h("span", { class: "level" }), says = h("span", { class: "says", "data-label": label }), adds = h("span", { class: "adds" });
    const fill = h("span", { class: "fill" }), words = h("span", { class: "words" });
    return { element: h("li", {}, name, h("span", { class: "track" }, fill), level, says, adds, words), name, level, says, adds, fill, words };
}

/** Rules in order of decreasing weight for the current row. @param {State} state @param {number} count */
function ranked(state, count) {
    const { model, output } = state, order = [], size = new Float64Array(model.rules);
    for (let r = 0; r < model.rules; r++) {
        size[r] = model.firing[r];
        if (model.blocks.length > 1 && size[r] > 0) size[r] *= Math.abs(ruleOutput(model, r, output));
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
        const { some, more } = selectConditions(state.model, state.ruleText, r, MAX_LETTERS_NOW);
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
            lines.push(bar("output"));
            list.append(lines[lines.length - 1].element);
        }
        lines.forEach((one, k) => {
            const r = order[k];
            one.element.hidden = r === undefined;
            if (r === undefined) return;
            const says = ruleOutput(model, r, output), firing = model.firing[r];
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
            left += model.firing[r] * ruleOutput(model, r, output);
            others++;
        }
        rest.textContent = [
            several ? `Constant: ${near(base(model, output), spread)}.` : "",
            others ? `Contribution of ${plural(others, "other rule")}: ${part(left, y, spread)}.` : ""].filter(Boolean).join(" ");
    };
    const titles = ["rule", "firing level", "output", "contribution"];
    const head = h("div", { class: "firing-head", "aria-hidden": "true" }, ...titles.map((title) => h("span", {}, title)));
    return { element: h("div", {}, h("div", { class: "firing-table" }, head, list), rest, ...(state.model.rules > FIRST ? [more] : [])), show };
}

/** Loads a row of the data. @param {State} state @param {() => void} changed */
function loader(state, changed) {
    const { data } = state;
    if (!data) return { element: null, actual: () => NaN, leave: () => {} };
    let at = -1;
    const box = h("input", { type: "number", id: "row", min: 1, max: data.rows, step: 1, placeholder: "none" });
    const note = h("span", { class: "note", id: "row-note", role: "status" }, "No row loaded: inputs are at their means");
    const load = (/** @type {number} */ i) => {
        at = Math.min(data.row.length - 1, Math.max(0, i));
        box.value = String(data.row[at]);
        state.x = rowOf(data, at);
        note.textContent = `Row ${counted(data.row[at])} of ${counted(data.rows)} loaded`;
        changed();
    };
    const wanted = () => {
        const number = Number(box.value);
        if (box.value === "" || number !== Math.round(number) || number < 1 || number > data.rows) {
            note.textContent = `Row numbers are 1 to ${counted(data.rows)}`;
            return;
        }
        // The page may hold only some rows: take the nearest one.
        const next = data.row.findIndex((row) => row >= number), after = next < 0 ? data.row.length - 1 : next;
        load(after > 0 && number - data.row[after - 1] < Math.abs(data.row[after] - number) ? after - 1 : after);
    };
    box.addEventListener("change", wanted);
    const step = (/** @type {string} */ text, /** @type {string} */ words, /** @type {() => number} */ to) =>
        h("button", { type: "button", "aria-label": words, title: words, onclick: () => load(to()) }, text);
    const element = h("div", { class: "loader" }, h("label", { for: "row" }, "Load row"), box,
        step("‹", "Previous row", () => at - 1), step("›", "Next row", () => at + 1),
        step("?", "Random row", () => Math.floor(Math.random() * data.row.length)), note,
        data.row.length === data.rows ? null : h("span", { class: "note" }, `The page holds ${counted(data.row.length)} of ${counted(data.rows)} rows, evenly spaced; the nearest one is loaded.`));
    return {
        element, actual: () => (at < 0 ? NaN : data.y[state.output][at] ?? NaN),
        leave: () => {
            at = -1;
            box.value = "";
            note.textContent = "No row loaded: inputs are set manually";
        },
    };
}

/** A warning if the row is outside the training data. @param {State} state @returns {string} */
function warning(state) {
    const { file, model, x } = state, { inputs, unusual } = findOutside(file, model, x);
    if (unusual) return `Outside the support of the model: this combination of inputs does not occur in the training data; the most unusual input is ${model.inputs[inputs[0]].name}.`;
    const sentences = inputs.map((i) => {
        const { name, levels, low, high } = model.inputs[i], clamped = clampedValue(model, i, x[i]);
        if (levels) return `${name} has a level that does not occur in the training data.`;
        return `${name} is outside ${near(low, high - low)} to ${near(high, high - low)}, its range in the training data${clamped === null ? "" : `: it is clamped to ${near(clamped, high - low)}`}.`;
    });
    return sentences.length > 3 ? `Outside the range of the training data: ${listed(inputs.map((i) => model.inputs[i].name))}.` : sentences.join(" ");
}

/** @param {State} state */
export function viewerTitle(state) {
    return state.model.curves.length ? "What-if viewer" : "Rule viewer";
}

/** @param {State} state @param {any} section */
export function showViewer(state, section) {
    const result = h("output", { class: "result", id: "prediction", "aria-live": "polite" }), about = h("p", { class: "about" });
    const outside = h("p", { class: "outside", id: "outside", role: "status" });
    const meter = gauge(state), rules = state.model.rules ? rulesNow(state) : null, parts = state.model.curves.length ? contributionsList(state) : null;
    const loaded = loader(state, () => state.emit("row"));
    const edited = () => {
        loaded.leave();
        state.emit("row");
    };
    const controls = state.model.inputs.map((input, i) => (input.levels ? levelControl : numberControl)(state, i, edited));
    const heading = h("h3");
    const show = () => {
        const warned = warning(state); // before predict, which sets the firing levels shown below
        const y = predict(state.model, state.x)[state.output], band = state.edited ? null : intervalOf(state.file, state.model, state.output, LEVEL, y), actual = loaded.actual();
        const { name, scale } = state.model.targets[state.output];
        heading.replaceChildren(...breakable(name));
        put(heading, { title: name, class: name.length > 18 ? "long" : null });
        result.textContent = near(y, scale, 6);
        result.dataset.value = String(y);
        about.replaceChildren(...[
            band ? h("span", { id: "interval" }, `${percent(LEVEL)} prediction interval: ${near(band[0], band[1] - band[0])} to ${near(band[1], band[1] - band[0])}`) : null,
            Number.isFinite(actual) ? h("span", { id: "actual" }, `actual ${near(actual, scale, 6)}, error ${shown(Math.abs(actual - y), 3)}`) : null].filter(Boolean));
        outside.hidden = !warned;
        if (outside.textContent !== warned) outside.replaceChildren(...breakable(warned));
        meter.show(y, band, actual);
        parts?.show();
        rules?.show(y);
        for (const one of controls) one.show();
    };
    let asked = 0;
    const soon = () => { if (!asked) asked = requestAnimationFrame(() => { asked = 0; show(); }); };
    state.on("row", soon);
    state.on("output", soon);
    state.on("model", soon);
    new ResizeObserver(soon).observe(meter.element);
    show();
    const explained = parts ? "A bar to the right adds to the prediction, one to the left subtracts from it. " : "The firing level is the weight of a rule for this row; firing level times output is its contribution to the prediction. ";
    section.append(h("h2", { id: "viewer-title" }, viewerTitle(state)), h("p", { class: "note" }, `Change the inputs or load a row; the page evaluates the model. ${explained}An empty box, or ∅, is a missing value.`),
        loaded.element ?? "", h("div", { class: "bench" },
            h("div", { class: "card answer" }, heading, result, about, outside, meter.element),
            h("div", { class: `card controls${controls.length > 9 ? " many" : ""}`, role: "group", "aria-label": "Inputs" }, ...controls.map((one) => one.element)),
            h("div", { class: "card now" }, ...(parts ? [h("h3", {}, "Contributions"), parts.element] : []), ...(rules ? [h("h3", {}, "Firing rules"), rules.element] : []))));
    return true;
}
