// pair_maps.js: the tables of pairs of inputs as heat maps.

import { tableAt, termPlaceOn } from "./additive.js";
import { chart, stroke } from "./chart.js";
import { axisOf, bySize, cellText, effectStep, effectText, pairSize, positions } from "./curve_shape.js";
import { breakable, h, s } from "./dom.js";
import { counted, plural, shown } from "./format.js";
import { divergingColour, divergingCss } from "./heat_colours.js";
import { extent, ticks } from "./scale.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./additive.js").Curve} Curve */
/** @typedef {import("./additive.js").Pair} Pair */

/** Maps shown initially; pixels along a side; points drawn. */
const MAPS = 6, SIDE = 120, MAP_DOTS = 500;
/** Cells along a side in which rows are counted, opacity where there are none. */
const COARSE_CELLS = 24, FAINT = 0.3;

/** @typedef {{ axis: import("./chart.js").Axis, values: number[], name: string }} Side values: the input at each pixel; a level index for a category */

/** One axis of a map. @param {State} state @param {Curve} curve @returns {Side} */
function sideOfMap(state, curve) {
    const { name } = state.model.inputs[curve.input];
    if (curve.category)
        return { axis: { low: 0, high: curve.cells, label: name, names: Array.from({ length: curve.cells }, (_, cell) => cellText(state, curve, cell)) }, values: Array.from({ length: SIDE }, (_, i) => Math.floor(((i + 0.5) / SIDE) * curve.cells)), name };
    const [from, to] = axisOf(state, curve, curve.termKnots).range;
    return { axis: { low: from, high: to, label: name }, values: Array.from({ length: SIDE }, (_, i) => from + ((i + 0.5) / SIDE) * (to - from)), name };
}

/** The rows of the page that a pair applies to: [first input, second input]. @param {State} state @param {Pair} pair @returns {[number, number][]} */
function rowsOfPair({ data }, { curves: [first, second] }) {
    const unlisted = (/** @type {Curve} */ curve, /** @type {number} */ x) => curve.category && !(x >= 0 && x < curve.cells);
    return (data?.sample ?? []).flatMap((i) => {
        const x = data?.x[first.input][i] ?? NaN, y = data?.x[second.input][i] ?? NaN;
        return Number.isNaN(x + y) || unlisted(first, x) || unlisted(second, y) ? [] : [/** @type {[number, number]} */ ([x, y])];
    });
}

/** How well rows cover each pixel, from 0 to 1: whether there are any in its coarse cell and the cells around it, smoothed. @param {[number, number][]} rows @param {Curve[]} curves @param {Side[]} sides */
function coverOf(rows, curves, sides) {
    const cellOf = (/** @type {number} */ k, /** @type {number} */ x) => {
        const { low, high } = sides[k].axis, part = ((curves[k].category ? x + 0.5 : x) - low) / (high - low);
        return part >= 0 && part <= 1 ? Math.min(COARSE_CELLS - 1, Math.floor(part * COARSE_CELLS)) : -1;
    };
    const reach = curves.map((curve) => (curve.category ? Math.ceil(COARSE_CELLS / curve.cells / 2) : 1)), covered = Array.from({ length: COARSE_CELLS }, () => new Float64Array(COARSE_CELLS));
    for (const [x, y] of rows) {
        const i = cellOf(0, x), j = cellOf(1, y);
        if (i < 0 || j < 0) continue;
        for (let u = Math.max(0, i - reach[0]); u <= Math.min(COARSE_CELLS - 1, i + reach[0]); u++) for (let v = Math.max(0, j - reach[1]); v <= Math.min(COARSE_CELLS - 1, j + reach[1]); v++) covered[u][v] = 1;
    }
    return (/** @type {number} */ i, /** @type {number} */ j) => {
        const [x, y] = [i, j].map((at) => Math.min(COARSE_CELLS - 1, Math.max(0, ((at + 0.5) * COARSE_CELLS) / SIDE - 0.5))), k = Math.min(COARSE_CELLS - 2, Math.floor(x)), l = Math.min(COARSE_CELLS - 2, Math.floor(y)), t = x - k, u = y - l;
        return (1 - u) * ((1 - t) * covered[k][l] + t * covered[k + 1][l]) + u * ((1 - t) * covered[k][l + 1] + t * covered[k + 1][l + 1]);
    };
}

/** The values of a pair as an image, faint where there are no rows. @param {State} state @param {Pair} pair @param {Side[]} sides @param {number} most */
function imageOf(state, pair, sides, most) {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d"), cover = state.data ? coverOf(rowsOfPair(state, pair), pair.curves, sides) : () => 1;
    canvas.width = canvas.height = SIDE;
    if (!context) return "";
    const image = context.createImageData(SIDE, SIDE), [first, second] = sides.map((side, k) => side.values.map((x) => termPlaceOn(pair.curves[k], x))), table = pair.then[state.output];
    for (let j = 0; j < SIDE; j++)
        for (let i = 0; i < SIDE; i++) {
            const opacity = FAINT + (1 - FAINT) * cover(i, SIDE - 1 - j);
            image.data.set([...divergingColour(tableAt(table, first[i], second[SIDE - 1 - j], pair.curves) / most), Math.round(255 * opacity)], 4 * (j * SIDE + i));
        }
    context.putImageData(image, 0, 0);
    return canvas.toDataURL();
}

/** The number with the deepest colour: the largest that any pair adds to a row of the page or, without rows, of all tables; more if all are negligible. @param {State} state */
function largest(state) {
    const added = state.model.pairs.flatMap((pair) => {
        const table = pair.then[state.output], rows = rowsOfPair(state, pair);
        return rows.length ? rows.map(([x, y]) => tableAt(table, termPlaceOn(pair.curves[0], x), termPlaceOn(pair.curves[1], y), pair.curves)) : table.flat();
    });
    return added.reduce((most, value) => Math.max(most, Math.abs(value)), 10 * effectStep(state));
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

/** @param {State} state @param {number} k @param {number} most the number with the deepest colour */
function mapCard(state, k, most) {
    const pair = state.model.pairs[k], sides = pair.curves.map((curve) => sideOfMap(state, curve)), [across, up] = sides, href = imageOf(state, pair, sides, most);
    const [first, second] = pair.curves, rows = rowsOfPair(state, pair), every = Math.max(1, Math.ceil(rows.length / MAP_DOTS));
    const drawn = chart({
        title: `What ${across.name} and ${up.name} add together`, height: 300, x: across.axis, y: up.axis,
        draw: (frame) => {
            frame.plot.append(s("image", { href, width: frame.width, height: frame.height, preserveAspectRatio: "none" }));
            let path = "";
            for (const [i, [x, y]] of rows.entries()) if (i % every === 0) path += `M${frame.x(spot(first, x, i)).toFixed(1)} ${frame.y(spot(second, y, 2 * i + 1)).toFixed(1)}h0`;
            frame.plot.append(s("path", { class: "map-dots", d: path }));
            // Levels of a category are not neighbours.
            if (first.category) for (let c = 1; c < first.cells; c++) stroke(frame, [c, frame.y.low], [c, frame.y.high], "between");
            if (second.category) for (let c = 1; c < second.cells; c++) stroke(frame, [frame.x.low, c], [frame.x.high, c], "between");
        },
    });
    const range = extent(pair.then[state.output].flat());
    return h("figure", { class: "card pair" }, h("figcaption", {}, h("h3", {}, ...breakable(`${across.name} and ${up.name}`)),
        h("p", { class: "note" }, `${effectText(state, range[0])} to ${effectText(state, range[1])}; typically ${shown(pairSize(state, k), 2)}`)), drawn.element, tableOf(state, pair));
}

/** The colours and their numbers. @param {State} state @param {number} most */
function mapLegend(state, most) {
    const colours = Array.from({ length: 13 }, (_, i) => divergingCss((i - 6) / 6)).join(", ");
    return h("div", {}, h("p", { class: "ramp-title" }, ...breakable(`what a pair adds to ${state.model.targets[state.output].name}`)), h("div", { class: "ramp" },
        h("span", { class: "colours", style: { background: `linear-gradient(90deg, ${colours})` } }),
        ...ticks(-0.88 * most, 0.88 * most, 4).map((value) => h("span", { class: "at", style: { left: `${(50 + (50 * value) / most).toFixed(2)}%` } }, effectText(state, value)))));
}

/** @param {State} state @param {any} section */
export function showPairs(state, section) {
    const { pairs } = state.model;
    if (!pairs.length) return false;
    const grid = h("div", { class: "cards" }), key = h("div"), note = h("p", { class: "note" });
    let all = pairs.length <= MAPS + 2;
    const more = h("button", { type: "button", class: "quiet", onclick: () => { all = true; draw(); } }, `Show all ${plural(pairs.length, "pair")}`);
    const draw = () => {
        const most = largest(state);
        note.textContent = `What ${pairs.length === 1 ? "a pair" : `each of ${counted(pairs.length)} pairs`} adds to the two curves of its inputs, from −${shown(most, 3)} or less (blue) over 0 (pale) to +${shown(most, 3)} or more (red)` +
            `${state.data ? ", the largest number added to a row of this page" : ""}. All maps have the same colours.${state.data ? " Points are rows; where there are none, the map is faint and says little." : ""} If either input is missing, the pair adds nothing.`;
        key.replaceChildren(mapLegend(state, most));
        grid.replaceChildren(...bySize(pairs.length, (k) => pairSize(state, k)).slice(0, all ? pairs.length : MAPS).map((k) => mapCard(state, k, most)));
        more.hidden = all;
    };
    state.on("output", draw);
    draw();
    section.append(h("h2", { id: "pairs-title" }, "Pairs of inputs"), note, key, grid, more);
    return true;
}
