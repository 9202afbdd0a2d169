// accuracy_charts.js: the accuracy of the model: predicted against actual values, residuals, and the learning curve.

import { bars, chart, dots, legend, line, stroke } from "./chart.js";
import { h } from "./dom.js";
import { clipped, counted, shown } from "./format.js";
import { errorAt } from "./prediction_intervals.js";
import { originOf } from "./held_out.js";
import { extent, histogram, padded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./chart.js").Plan} Plan */

const NAME = 42;

/** Pairs of prediction and target for the rows in charts that have a target. @param {State} state */
function pairs(state) {
    const predicted = state.data?.predicted[state.output] ?? [], actual = state.data?.y[state.output] ?? [];
    return (state.data?.sample ?? []).flatMap((i) => (actual[i] === null ? [] : [/** @type {[number, number]} */ ([predicted[i], actual[i]])]));
}

/** @param {State} state @returns {Plan} */
function againstActual(state) {
    const points = pairs(state), [low, high] = padded(extent(points.flat())), target = clipped(state.model.targets[state.output].name, NAME);
    const size = state.edited ? null : errorAt(state.file, state.output, 0.9);
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
function residuals(state) {
    const points = pairs(state).map(([p, y]) => /** @type {[number, number]} */ ([p, y - p])), size = state.edited ? null : errorAt(state.file, state.output, 0.9);
    const [low, high] = padded(extent(points.map(([p]) => p))), far = Math.max(...padded(extent(points.map(([, e]) => e))).map(Math.abs));
    return {
        title: "Residuals against predictions", height: 340, x: { low, high, label: `predicted ${clipped(state.model.targets[state.output].name, NAME)}` },
        y: { low: -far, high: far, label: "actual − predicted" },
        draw: (frame) => {
            if (size !== null) for (const side of [-size, size]) stroke(frame, [low, side], [high, side], "edge");
            stroke(frame, [low, 0], [high, 0], "ideal");
            dots(frame, points, points.length > 800 ? "faint" : "plain");
        },
    };
}

/** @param {State} state @returns {Plan} */
function errorHistogram(state) {
    const errors = pairs(state).map(([p, y]) => y - p), far = Math.max(...extent(errors).map(Math.abs)) || 1;
    const counts = histogram(errors, -far, far, 41), most = Math.max(1, ...counts);
    return {
        title: "Histogram of residuals", height: 250, x: { low: -far, high: far, label: "actual − predicted" }, y: { low: 0, high: most * 1.05, label: "rows" },
        draw: (frame) => {
            bars(frame, counts, -far, far, "plain");
            stroke(frame, [0, 0], [0, most * 1.05], "ideal");
        },
    };
}

/** @param {State} state @returns {{ plan: Plan, valid: boolean, words: string } | null} */
function learningCurve(state) {
    const training = state.file.training ?? {}, curve = /** @type {(number | null)[][]} */ (training.curve ?? []);
    const of = (/** @type {number} */ k) => curve.filter((point) => point[k] !== null).map((point) => /** @type {[number, number]} */ ([point[0], point[k]]));
    const train = of(1), valid = of(2), all = [...train, ...valid].map(([, y]) => y).filter((y) => y > 0);
    if (train.length + valid.length < 3 || !all.length) return null;
    const [low, high] = extent(all), log = high / low > 8, [, last] = extent(curve.map((point) => point[0]));
    const y = log ? { low: low / 1.15, high: high * 1.15, log, label: "RMSE, log scale" } : { low: padded([low, high])[0], high: padded([low, high])[1], label: "RMSE" };
    return {
        valid: valid.length > 1,
        words: [isDistilled(training) ? "This model was distilled from an ensemble: errors are relative to the predictions of the ensemble, not to the data." : "",
            state.model.outputs > 1 ? "Over all targets." : ""].filter(Boolean).join(" "),
        plan: {
            title: "RMSE during training", height: 250, x: { low: 0, high: last, label: "iteration" }, y,
            draw: (frame) => {
                line(frame, train, "second");
                line(frame, valid, "first");
            },
        },
    };
}

/** Whether the model was distilled. @param {any} training */
function isDistilled(training) {
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
    return at < 0 ? "" : `The largest error is ${shown(far, 3)}, in row ${counted(data.row[at])}.`;
}

/** @param {State} state @param {any} section */
export function showFit(state, section) {
    const learned = learningCurve(state), withRows = state.data && pairs(state).length > 0;
    if (!learned && !withRows) return false;
    const cards = [], band = () => (state.file.intervals ? legend([["edge", "90 % prediction interval"]]) : null);
    if (withRows) {
        const makers = [againstActual, residuals, errorHistogram], charts = makers.map((make) => chart(make(state))), note = h("p", { class: "note" }, worst(state));
        for (const event of /** @type {("output" | "model")[]} */ (["output", "model"])) state.on(event, () => {
            makers.forEach((make, i) => charts[i].again(make(state)));
            note.textContent = worst(state);
        });
        cards.push(figure("Predicted and actual values", charts[0].element, h("div", {}, h("p", { class: "note" }, "Each point is a row. On the line, prediction and actual value are equal."), band())),
            figure("Residuals", charts[1].element, h("div", {}, note, band())), figure("Histogram of residuals", charts[2].element, h("p", { class: "note" }, "Number of rows by size of the residual.")));
    }
    if (learned)
        cards.push(figure("Learning curve", chart(learned.plan).element, h("div", {},
            legend([["second", "training batch"], ...(learned.valid ? [/** @type {[string, string]} */ (["first", "validation rows"])] : [])]),
            learned.words ? h("p", { class: "note" }, learned.words) : null)));
    if (cards.length % 2) cards[cards.length - 1].classList.add("row-wide");
    section.append(h("h2", { id: "fit-title" }, "Accuracy"), withRows && originOf(state) ? h("p", { class: "note" }, originOf(state)) : "", h("div", { class: "cards" }, ...cards));
    return true;
}
