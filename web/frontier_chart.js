// frontier_chart.js: what the search found: the error of each model against its reading cost.

import { chart, line } from "./chart.js";
import { breakable, h, s } from "./dom.js";
import { counted, shown } from "./format.js";
import { extent, padded } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{ name: string, options: string, error: number, standard_error?: number, cost: number, rules: number, chosen?: boolean }} Point */

/** The cost on a logarithmic axis, which has no 0. @param {Point} point */
function costOf(point) {
    return Math.max(1, point.cost);
}

/** The points that no other point beats in both cost and error, in order of cost. @param {Point[]} points */
export function bestPoints(points) {
    const sorted = [...points].sort((a, b) => a.cost - b.cost || a.error - b.error);
    let least = Infinity;
    return sorted.filter((point) => point.error < least && ((least = point.error), true));
}

/** @param {Point[]} points @param {string} unit @returns {import("./chart.js").Plan} */
function planOfFrontier(points, unit) {
    const [low, high] = extent(points.map(costOf)), errors = points.flatMap(({ error, standard_error: e = 0 }) => [error - e, error + e]);
    const [least, most] = padded(extent(errors), 0.08);
    return {
        title: "Validation error against reading cost", height: 340,
        x: { low: low / 1.3, high: high * 1.3, log: true, label: "reading cost, log scale" }, y: { low: Math.max(0, least), high: most, label: `validation RMSE${unit}` },
        draw: (frame) => {
            line(frame, bestPoints(points).map((point) => /** @type {[number, number]} */ ([costOf(point), point.error])), "ideal");
            for (const point of points) {
                const { error, standard_error: e } = point, x = frame.x(costOf(point));
                if (e !== undefined) frame.plot.append(s("path", { class: "error-bar", d: `M${x.toFixed(1)} ${frame.y(error - e).toFixed(1)}V${frame.y(error + e).toFixed(1)}m-4 0h8M${(x - 4).toFixed(1)} ${frame.y(error - e).toFixed(1)}h8` }));
                const mark = s("circle", { class: point.chosen ? "frontier-point chosen" : "frontier-point", cx: x.toFixed(1), cy: frame.y(error).toFixed(1), r: point.chosen ? 7 : 5 }, s("title", {}, `${point.name}: ${shown(error)} at ${counted(point.cost)}`));
                frame.plot.append(mark);
                if (point.chosen) frame.plot.append(s("circle", { class: "chosen-ring", cx: x.toFixed(1), cy: frame.y(error).toFixed(1), r: 12 }));
            }
        },
    };
}

/** Whether the file says how to train the points. @param {Point[]} points */
function hasOptions(points) {
    return points.some((point) => point.options);
}

/** @param {Point[]} points */
function tableOfPoints(points) {
    const optional = hasOptions(points);
    const row = (/** @type {Point} */ point) => h("tr", { class: point.chosen ? "chosen" : null },
        h("th", { scope: "row" }, ...breakable(point.name), point.chosen ? h("b", { class: "mark-chosen" }, " chosen") : null),
        h("td", { "data-label": "error" }, `${shown(point.error)}${point.standard_error === undefined ? "" : ` ± ${shown(point.standard_error, 2)}`}`),
        h("td", { "data-label": "reading cost" }, counted(point.cost)), h("td", { "data-label": "rules" }, counted(point.rules)), optional ? h("td", { class: "options" }, h("code", {}, point.options)) : null);
    return h("div", { class: "card flush after" }, h("table", { class: "points" },
        h("thead", {}, h("tr", {}, ...["model", "error ± standard error", "reading cost", "rules", ...(optional ? ["options"] : [])].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...points.map(row))));
}

/** @param {State} state @param {any} section */
export function showFrontier(state, section) {
    const points = /** @type {Point[]} */ (state.file.frontier ?? []);
    if (!points.length) return false;
    const chosen = points.find((point) => point.chosen), best = points.reduce((a, b) => (b.error < a.error ? b : a));
    const words = [
        "Each point is a model that the search evaluated on held-out rows: the lower, the more accurate; the further left, the less there is to read. Vertical lines: ± one standard error. Dashed: the models that no other one beats in both.",
        chosen ? ` The chosen one is ${chosen.name}, with an error of ${shown(chosen.error)} at a reading cost of ${counted(chosen.cost)}${
            chosen === best ? ", the smallest error." : `; the smallest error is that of ${best.name}, ${shown(best.error)} at ${counted(best.cost)}.`}` : "",
        " Each condition of a rule, each term and each number that is not 0 counts 1.", hasOptions(points) ? " Train with the options of a point to get its model." : ""].join("");
    section.append(h("h2", { id: "frontier-title" }, "Accuracy and reading cost"), h("p", { class: "note" }, words),
        h("div", { class: "card" }, chart(planOfFrontier(points, state.model.outputs > 1 ? ", over all targets" : "")).element), tableOfPoints(points));
    return true;
}
