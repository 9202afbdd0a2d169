// curve_editor.js: edits of the numbers of curves: their history, their effect on the error, and the edited model as a file.

import { placeOn, valueAt } from "./additive.js";
import { compile, predictUnclipped, within } from "./evaluate.js";
import { listed } from "./format.js";
import { cellText, isEdited } from "./curve_shape.js";

/** @typedef {import("./additive.js").Curve} Curve */
/** @typedef {import("./additive.js").Segment} Segment */
/** @typedef {import("./state.js").State} State */
/** @typedef {{ curve: number, output: number, cell: number, from: number, to: number }} Edit */

/**
 * @typedef {object} Editor
 * @property {(k: number, cell: number) => number} value of the selected output; the last cell is for missing values
 * @property {(k: number, cell: number) => [number, number]} limits the values that the reader of model files accepts
 * @property {(k: number, cell: number, value: number) => void} set changes a number; several calls in a row are one edit
 * @property {() => void} finish ends an edit
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} reset discards all edits
 * @property {() => Edit[]} edits that are in force
 * @property {() => boolean} canRedo
 * @property {() => { rows: number, before: number, after: number } | null} fit RMSE of the selected output; null without rows
 * @property {(rows: Rows | null) => void} use judges edits on other rows; null: on those of the page
 */

const LARGEST = 1e100;

/** @param {Curve} curve @param {number} output @param {number} cell */
function numberAt(curve, output, cell) {
    return cell < curve.cells ? curve.then[output][cell] : curve.missing[output];
}

/** @param {Curve} curve @param {number} output @param {number} cell @param {number} value */
function putNumber(curve, output, cell, value) {
    if (cell < curve.cells) curve.then[output][cell] = value;
    else curve.missing[output] = value;
}

/** The values between which a cell may be, because a monotone curve stays monotone. @param {Curve} curve @param {number} output @param {number} cell @returns {[number, number]} */
function limitsOf(curve, output, cell) {
    const then = curve.then[output];
    if (!curve.monotone || cell >= curve.cells) return [-LARGEST, LARGEST];
    const before = cell > 0 ? then[cell - 1] : -curve.monotone * LARGEST, after = cell + 1 < curve.cells ? then[cell + 1] : curve.monotone * LARGEST;
    return curve.monotone > 0 ? [before, after] : [after, before];
}

/** @typedef {{ x: (number | null)[][], y: (number | null)[][], count: number }} Rows inputs and targets by column */

/**
 * The RMSE of one output on rows, with the numbers of the file and with the current ones.
 * @param {State} state @param {import("./evaluate.js").Model} first the model of the file @param {Rows} rows @param {number} o
 */
function meter(state, first, rows, o) {
    const { model } = state, original = new Float64Array(rows.count), actual = rows.y[o];
    for (let i = 0; i < rows.count; i++) original[i] = predictUnclipped(first, rows.x.map((column) => column[i] ?? NaN))[o];
    /** @type {Map<number, (Segment | null)[]>} */
    const known = new Map();
    const placesOf = (/** @type {number} */ k) => {
        const curve = model.curves[k], places = known.get(k) ?? rows.x[curve.input].map((x) => (x === null || Number.isNaN(x) ? null : placeOn(curve, x)));
        known.set(k, places);
        return places;
    };
    const contribution = (/** @type {Curve} */ curve, /** @type {Segment | null} */ place) => (place ? valueAt(curve.then[o], place) : curve.missing[o]);
    const now = () => {
        const sums = Float64Array.from(original);
        for (const k of model.curves.keys()) {
            if (!isEdited(state, k)) continue;
            const places = placesOf(k);
            for (let i = 0; i < rows.count; i++) sums[i] += contribution(model.curves[k], places[i]) - contribution(first.curves[k], places[i]);
        }
        return sums.map((value) => within(model, o, value));
    };
    const rmse = (/** @type {ArrayLike<number>} */ predicted) => {
        let sum = 0;
        for (let i = 0; i < rows.count; i++) sum += actual[i] === null ? 0 : (predicted[i] - Number(actual[i])) ** 2;
        return Math.sqrt(sum / count);
    };
    const count = actual.filter((y) => y !== null).length, before = rmse(original.map((value) => within(model, o, value)));
    return { count, before, now, rmse };
}

/** @param {State} state @returns {Editor} */
export function editorOf(state) {
    const { model, data } = state, all = /** @type {Edit[]} */ ([]), meters = /** @type {Map<number, ReturnType<typeof meter>>} */ (new Map()), first = compile(state.file);
    const embedded = data ? { x: data.x, y: data.y, count: data.row.length } : null, original = data?.predicted;
    let done = 0, open = /** @type {Edit | null} */ (null), rows = /** @type {Rows | null} */ (embedded);
    const meterNow = () => {
        const found = meters.get(state.output) ?? (rows ? meter(state, first, rows, state.output) : null);
        if (found) meters.set(state.output, found);
        return found;
    };
    /** Tells the other sections, whose charts show the predictions of the edited model. */
    const announce = () => {
        state.edited = done > 0;
        const now = rows === embedded && done > 0 ? meterNow()?.now() : undefined;
        if (data && original) data.predicted = original.map((column, o) => (now && o === state.output ? Array.from(now) : column));
        state.emit("model");
    };
    const apply = (/** @type {Edit} */ edit, /** @type {number} */ value) => putNumber(model.curves[edit.curve], edit.output, edit.cell, value);
    const finish = () => {
        const edit = open;
        open = null;
        if (!edit || edit.from === edit.to) return;
        all.splice(done++, all.length, edit);
        announce();
    };
    const step = (/** @type {boolean} */ back) => {
        finish();
        if (back ? done === 0 : done === all.length) return;
        const edit = all[back ? --done : done++];
        apply(edit, back ? edit.from : edit.to);
        announce();
    };
    return {
        value: (k, cell) => numberAt(model.curves[k], state.output, cell),
        limits: (k, cell) => limitsOf(model.curves[k], state.output, cell),
        set: (k, cell, value) => {
            if (open && (open.curve !== k || open.cell !== cell || open.output !== state.output)) finish();
            const curve = model.curves[k], [low, high] = limitsOf(curve, state.output, cell), to = Math.min(high, Math.max(low, value));
            if (!Number.isFinite(to)) return;
            open = open ?? { curve: k, output: state.output, cell, from: numberAt(curve, state.output, cell), to };
            open.to = to;
            apply(open, to);
        },
        finish, undo: () => step(true), redo: () => step(false),
        reset: () => {
            finish();
            while (done > 0) apply(all[--done], all[done].from);
            all.length = 0;
            announce();
        },
        edits: () => [...all.slice(0, done), ...(open && open.from !== open.to ? [open] : [])],
        canRedo: () => done < all.length,
        fit: () => {
            const found = meterNow();
            return found?.count ? { rows: found.count, before: found.before, after: found.rmse(found.now()) } : null;
        },
        use: (next) => {
            rows = next ?? embedded;
            meters.clear();
        },
    };
}

/** "age at 7 and 28; wood is oak", for the training record. @param {State} state @param {Edit[]} edits */
export function describeEdits(state, edits) {
    const cells = /** @type {Map<number, Set<number>>} */ (new Map());
    for (const { curve, cell } of edits) cells.set(curve, (cells.get(curve) ?? new Set()).add(cell));
    return [...cells].map(([k, set]) => {
        const curve = state.model.curves[k], at = listed([...set].sort((a, b) => a - b).map((cell) => cellText(state, curve, cell).replace(/ \(.*\)$/, "")));
        return `${state.model.inputs[curve.input].name} at ${at}${state.model.outputs > 1 ? ` (${listed([...new Set(edits.filter((edit) => edit.curve === k).map((edit) => state.model.targets[edit.output].name))])})` : ""}`;
    }).join("; ");
}

/**
 * The edited model as the contents of a model file. What is no longer true of it is left out: its error on held-out rows, its intervals, and the
 * bands of edited curves.
 * @param {State} state @param {Edit[]} edits @param {string} day
 */
export function editedFile(state, edits, day) {
    const { file, model } = state, { valid_rmse, valid_rmse_standard_error, ...training } = file.training ?? {}, { intervals, ...rest } = file, changed = new Set(edits.map((edit) => edit.curve));
    const curves = file.curves.map((/** @type {any} */ curve, /** @type {number} */ k) => {
        if (!changed.has(k)) return curve;
        const { band, share, deviation, ...kept } = curve;
        return { ...kept, then: model.curves[k].then, missing: model.curves[k].missing };
    });
    const edited = `${training.edited ? `${training.edited}; ` : ""}in the report on ${day}: ${describeEdits(state, edits)}`;
    return {
        ...rest, curves,
        ...(file.frontier ? { frontier: file.frontier.map((/** @type {any} */ { chosen, ...point }) => point) } : {}),
        training: { ...training, ...(valid_rmse === undefined ? {} : { valid_rmse_before_edit: valid_rmse }), edited },
    };
}

/** JSON with one member of the model, and one object of a list, per line. @param {any} value @param {string} [indent] @returns {string} */
export function modelText(value, indent = "") {
    const inner = `${indent}  `;
    if (Array.isArray(value) && value.some((item) => item && typeof item === "object" && !Array.isArray(item)))
        return `[\n${value.map((item) => inner + modelText(item, inner)).join(",\n")}\n${indent}]`;
    if (!value || typeof value !== "object" || Array.isArray(value)) return JSON.stringify(value);
    const members = Object.entries(value).filter(([, item]) => item !== undefined).map(([name, item]) => `${JSON.stringify(name)}: ${modelText(item, inner)}`);
    return indent ? `{${members.join(", ")}}` : `{\n${members.map((text) => inner + text).join(",\n")}\n}\n`;
}
