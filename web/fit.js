// fit.js: how well it does: predicted against actual, what is left over, and how it learned.

import { bars, chart, dots, legend, line, stroke } from "./chart.js";
import { h } from "./dom.js";
import { clipped, counted, shown } from "./format.js";
import { errorAt } from "./intervals.js";
import { extent, histogram, padded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./chart.js").Plan} Plan */

const NAME = 42;

/** Predictions and targets of the rows that have both, of those that are drawn. @param {State} state */
function pairs(state) {
    const predicted = state.data?.predicted[state.output] ?? [], actual = state.data?.y[state.output] ?? [];
    return (state.data?.sample ?? []).flatMap((i) => (actual[i] === null ? [] : [/** @type {[number, number]} */ ([predicted[i], actual[i]])]));
}

/** @param {State} state @returns {Plan} */
function againstActual(state) {
    const points = pairs(state), [low, high] = padded(extent(points.flat())), target = clipped(state.model.targets[state.output].name, NAME);
    const size = errorAt(state.file, state.output, 0.9);
    return {
        title: `Predicted against actual ${target}`, height: 340, x: { low, high, label: `predicted ${target}` }, y: { low, high, label: "actual" },
        draw: (frame) => {
            if (size !== null) for (const side of [-size, size]) stroke(frame, [low, low + side], [high, high + side], "edge");
            stroke(frame, [low, low], [high, high], "ideal");
            dots(frame, points, points.length > 800 ? "faint" : "plain");
        },
    };
}

/** @param {State} state @returns {Plan} */
function leftOver(state) {
    const points = pairs(state).map(([p, y]) => /** @type {[number, number]} */ ([p, y - p])), size = errorAt(state.file, state.output, 0.9);
    const [low, high] = padded(extent(points.map(([p]) => p))), far = Math.max(...padded(extent(points.map(([, e]) => e))).map(Math.abs));
    return {
        title: "What is left over, against the prediction", height: 340, x: { low, high, label: `predicted ${clipped(state.model.targets[state.output].name, NAME)}` },
        y: { low: -far, high: far, label: "actual − predicted" },
        draw: (frame) => {
            if (size !== null) for (const side of [-size, size]) stroke(frame, [low, side], [high, side], "edge");
            stroke(frame, [low, 0], [high, 0], "ideal");
            dots(frame, points, points.length > 800 ? "faint" : "plain");
        },
    };
}

/** @param {State} state @returns {Plan} */
function sizes(state) {
    const errors = pairs(state).map(([p, y]) => y - p), far = Math.max(...extent(errors).map(Math.abs)) || 1;
    const counts = histogram(errors, -far, far, 41), most = Math.max(1, ...counts);
    return {
        title: "How often errors of each size come up", height: 250, x: { low: -far, high: far, label: "actual − predicted" }, y: { low: 0, high: most * 1.05, label: "rows" },
        draw: (frame) => {
            bars(frame, counts, -far, far, "plain");
            stroke(frame, [0, 0], [0, most * 1.05], "ideal");
        },
    };
}

/** @param {State} state @returns {{ plan: Plan, valid: boolean, words: string } | null} */
function learning(state) {
    const training = state.file.training ?? {}, curve = /** @type {(number | null)[][]} */ (training.curve ?? []);
    const of = (/** @type {number} */ k) => curve.filter((point) => point[k] !== null).map((point) => /** @type {[number, number]} */ ([point[0], point[k]]));
    const train = of(1), valid = of(2), all = [...train, ...valid].map(([, y]) => y).filter((y) => y > 0);
    if (train.length + valid.length < 3 || !all.length) return null;
    const [low, high] = extent(all), log = high / low > 8, [, last] = extent(curve.map((point) => point[0]));
    const y = log ? { low: low / 1.15, high: high * 1.15, log, label: "RMSE, log scale" } : { low: padded([low, high])[0], high: padded([low, high])[1], label: "RMSE" };
    return {
        valid: valid.length > 1,
        words: [wasTaught(training) ? "A committee of larger systems taught this one: errors are against what the committee says, not against the data." : "",
            state.model.outputs > 1 ? "Of all targets together." : ""].filter(Boolean).join(" "),
        plan: {
            title: "RMSE while it learned", height: 250, x: { low: 0, high: last, label: "iteration" }, y,
            draw: (frame) => {
                line(frame, train, "second");
                line(frame, valid, "first");
            },
        },
    };
}

/** Whether what was trained last learned from predictions. @param {any} training */
function wasTaught(training) {
    return /\bstudent\b/.test(String(training.chosen ?? ""));
}

/** @param {string} title @param {any} picture @param {any} [more] */
function figure(title, picture, more) {
    return h("figure", { class: "card" }, h("figcaption", {}, h("h3", {}, title), more ?? null), picture);
}

/** @param {State} state */
function worst(state) {
    const { data, output } = state;
    if (!data) return "";
    let at = -1, far = -1;
    data.predicted[output].forEach((p, i) => {
        const y = data.y[output][i];
        if (y !== null && Math.abs(y - p) > far) [at, far] = [i, Math.abs(y - p)];
    });
    return at < 0 ? "" : `The largest error here is ${shown(far, 3)}, in row ${counted(data.row[at])}.`;
}

/** @param {State} state @param {any} section */
export function showFit(state, section) {
    const learned = learning(state), withRows = state.data && pairs(state).length > 0;
    if (!learned && !withRows) return false;
    const cards = [], band = () => (state.file.intervals ? legend([["edge", "nine in ten new rows lie between these lines"]]) : null);
    if (withRows) {
        const makers = [againstActual, leftOver, sizes], charts = makers.map((make) => chart(make(state))), note = h("p", { class: "note" }, worst(state));
        state.on("output", () => {
            makers.forEach((make, i) => charts[i].again(make(state)));
            note.textContent = worst(state);
        });
        cards.push(figure("Predicted and actual", charts[0].element, h("div", {}, h("p", { class: "note" }, "Each point is a row; on the line a prediction is exact."), band())),
            figure("What is left over", charts[1].element, h("div", {}, note, band())), figure("Errors", charts[2].element, h("p", { class: "note" }, "How many rows have an error of that size.")));
    }
    if (learned)
        cards.push(figure("Learning", chart(learned.plan).element, h("div", {},
            legend([["second", "on the batch of each step"], ...(learned.valid ? [/** @type {[string, string]} */ (["first", "on rows set aside"])] : [])]),
            learned.words ? h("p", { class: "note" }, learned.words) : null)));
    if (cards.length % 2) cards[cards.length - 1].classList.add("row-wide");
    section.append(h("h2", { id: "fit-title" }, "How well it does"), h("div", { class: "cards" }, ...cards));
    return true;
}
