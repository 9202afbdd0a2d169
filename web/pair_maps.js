// pair_maps.js: the tables of pairs of inputs as heat maps.

import { tableAt, termPlaceOn } from "./additive.js";
import { chart, stroke } from "./chart.js";
import { bySize, cellText, effectStep, effectText, pairSize, positions } from "./curve_shape.js";
import { breakable, h, s } from "./dom.js";
import { counted, plural, shown } from "./format.js";
import { divergingColour, divergingCss } from "./heat_colours.js";
import { extent, ticks } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./additive.js").Curve} Curve */
/** @typedef {import("./additive.js").Pair} Pair */

/** Maps shown initially; pixels along a side; points drawn. */
const MAPS = 6, SIDE = 120, MAP_DOTS = 500;

/** @typedef {{ axis: import("./chart.js").Axis, values: number[], name: string }} Side values: the input at each pixel; a level index for a category */

/** One axis of a map. @param {State} state @param {Curve} curve @returns {Side} */
function sideOfMap(state, curve) {
    const { name, low, high } = state.model.inputs[curve.input];
    if (curve.category)
        return { axis: { low: 0, high: curve.cells, label: name, names: Array.from({ length: curve.cells }, (_, cell) => cellText(state, curve, cell)) }, values: Array.from({ length: SIDE }, (_, i) => Math.floor(((i + 0.5) / SIDE) * curve.cells)), name };
    const [from, to] = extent([low, high, ...curve.termKnots]);
    return { axis: { low: from, high: to, label: name }, values: Array.from({ length: SIDE }, (_, i) => from + ((i + 0.5) / SIDE) * (to - from)), name };
}

/** The values of a pair as an image, the first row at the bottom. @param {Pair} pair @param {number[][]} table @param {Side} across @param {Side} up @param {number} most */
function imageOf(pair, table, across, up, most) {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    canvas.width = canvas.height = SIDE;
    if (!context) return "";
    const image = context.createImageData(SIDE, SIDE), [first, second] = [across.values.map((x) => termPlaceOn(pair.curves[0], x)), up.values.map((x) => termPlaceOn(pair.curves[1], x))];
    for (let j = 0; j < SIDE; j++) for (let i = 0; i < SIDE; i++) image.data.set([...divergingColour(tableAt(table, first[i], second[SIDE - 1 - j]) / most), 255], 4 * (j * SIDE + i));
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
}

/** The number with the deepest colour: the largest of all tables of the selected output, unless all are negligible. @param {State} state */
function largest(state) {
    return Math.max(10 * effectStep(state), ...state.model.pairs.flatMap((pair) => pair.then[state.output].flat().map(Math.abs)));
}

/** A row as a point of a map; a category is spread over the width of its level. @param {Curve} curve @param {number} x @param {number} i */
function spot(curve, x, i) {
    return curve.category ? x + 0.15 + 0.7 * ((i * 0.6180339887498949) % 1) : x;
}

/** The numbers of a pair. @param {State} state @param {Pair} pair */
function tableOf(state, pair) {
    const names = pair.curves.map((curve) => (curve.category ? Array.from({ length: curve.cells }, (_, cell) => cellText(state, curve, cell)) : positions(curve.termKnots)));
    const [down, across] = pair.curves.map((curve) => state.model.inputs[curve.input].name);
    return h("details", { class: "small-print" }, h("summary", {}, "Numbers"), h("div", { class: "scroll" }, h("table", { class: "numbers" },
        h("caption", {}, ...breakable(`${down} ↓, ${across} →`)), h("thead", {}, h("tr", {}, h("td"), ...names[1].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...pair.then[state.output].map((row, i) => h("tr", {}, h("th", { scope: "row" }, names[0][i]), ...row.map((value) => h("td", {}, effectText(state, value)))))))));
}

/** @param {State} state @param {number} k */
function mapCard(state, k) {
    const pair = state.model.pairs[k], [across, up] = pair.curves.map((curve) => sideOfMap(state, curve)), table = pair.then[state.output], most = largest(state), href = imageOf(pair, table, across, up, most);
    const [first, second] = pair.curves, { data } = state, every = data ? Math.max(1, Math.ceil(data.sample.length / MAP_DOTS)) : 1;
    const drawn = chart({
        title: `What ${across.name} and ${up.name} add together`, height: 300, x: across.axis, y: up.axis,
        draw: (frame) => {
            frame.plot.append(s("image", { href, width: frame.width, height: frame.height, preserveAspectRatio: "none" }));
            let path = "";
            for (const [n, i] of (data?.sample ?? []).entries()) {
                const x = data?.x[first.input][i] ?? NaN, y = data?.x[second.input][i] ?? NaN;
                if (n % every === 0 && Number.isFinite(x + y)) path += `M${frame.x(spot(first, x, i)).toFixed(1)} ${frame.y(spot(second, y, 2 * i + 1)).toFixed(1)}h0`;
            }
            frame.plot.append(s("path", { class: "map-dots", d: path }));
            // Levels of a category are not neighbours.
            if (first.category) for (let c = 1; c < first.cells; c++) stroke(frame, [c, frame.y.low], [c, frame.y.high], "between");
            if (second.category) for (let c = 1; c < second.cells; c++) stroke(frame, [frame.x.low, c], [frame.x.high, c], "between");
        },
    });
    const range = extent(table.flat());
    return h("figure", { class: "card pair" }, h("figcaption", {}, h("h3", {}, ...breakable(`${across.name} and ${up.name}`)),
        h("p", { class: "note" }, `${effectText(state, range[0])} to ${effectText(state, range[1])}; typically ${shown(pairSize(state, k), 2)}`)), drawn.element, tableOf(state, pair));
}

/** The colours and their numbers. @param {State} state */
function mapLegend(state) {
    const most = largest(state), colours = Array.from({ length: 13 }, (_, i) => divergingCss((i - 6) / 6)).join(", ");
    return h("div", {}, h("p", { class: "ramp-title" }, ...breakable(`what a pair adds to ${state.model.targets[state.output].name}`)), h("div", { class: "ramp" },
        h("span", { class: "colours", style: { background: `linear-gradient(90deg, ${colours})` } }),
        ...ticks(-0.88 * most, 0.88 * most, 4).map((value) => h("span", { class: "at", style: { left: `${(50 + (50 * value) / most).toFixed(2)}%` } }, effectText(state, value)))));
}

/** @param {State} state @param {any} section */
export function showPairs(state, section) {
    const { pairs } = state.model;
    if (!pairs.length) return false;
    const grid = h("div", { class: "cards" }), key = h("div");
    let all = pairs.length <= MAPS + 2;
    const more = h("button", { type: "button", class: "quiet", onclick: () => { all = true; draw(); } }, `Show all ${plural(pairs.length, "pair")}`);
    const draw = () => {
        key.replaceChildren(mapLegend(state));
        grid.replaceChildren(...bySize(pairs.length, (k) => pairSize(state, k)).slice(0, all ? pairs.length : MAPS).map((k) => mapCard(state, k)));
        more.hidden = all;
    };
    state.on("output", draw);
    draw();
    section.append(h("h2", { id: "pairs-title" }, "Pairs of inputs"), h("p", { class: "note" },
        `What ${pairs.length === 1 ? "a pair" : `each of ${counted(pairs.length)} pairs`} adds to the two curves of its inputs, from −${shown(largest(state), 3)} (blue) over 0 (pale) to +${shown(largest(state), 3)} (red); ` +
        `all maps have the same colours.${state.data ? " Points are rows of the data: where there are none, a map says little." : ""} If either input is missing, the pair adds nothing.`), key, grid, more);
    return true;
}
