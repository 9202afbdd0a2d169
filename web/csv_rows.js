// csv_rows.js: reads rows from a CSV file that a person gives to the page.

import { counted } from "./format.js";

/** @typedef {import("./state.js").State} State */

/** Cells that mean a missing value: the default of --missing. */
const MISSING_WORDS = new Set(["", "na", "n/a", "nan", "?", "null", "none", "<null>"]);

/** The records of a CSV file: quotes as in RFC 4180, fields separated by commas, semicolons or tabs. @param {string} text @returns {string[][]} */
export function recordsOf(text) {
    const start = text.slice(0, text.search(/[\r\n]|$/)), separator = [",", ";", "\t"].reduce((best, one) => (start.split(one).length > start.split(best).length ? one : best));
    const records = [], field = new RegExp(`("(?:[^"]|"")*"|(?!")[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`, "y");
    for (let record = /** @type {string[]} */ ([]), at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
        field.lastIndex = at;
        const found = field.exec(text);
        if (!found) throw new Error(`line ${counted(records.length + 1)}: expected ${separator === "\t" ? "a tab" : `"${separator}"`} or the end of the line after a quoted field`);
        at = field.lastIndex;
        record.push(found[1].startsWith('"') ? found[1].slice(1, -1).replaceAll('""', '"') : found[1].trim());
        if (found[2] === separator) {
            if (at < text.length) continue;
            record.push("");
        }
        if (record.length > 1 || record[0] !== "") records.push(record);
        record = [];
    }
    return records;
}

/** A cell of an input: a number, a level index, or null if it is missing. @param {State} state @param {number} i @param {string} cell @param {number} line @returns {number | null} */
function inputCell({ model, file }, i, cell, line) {
    const { levels, name } = model.inputs[i];
    if (!levels) return numberCell(cell, name, line);
    const listed = levels.indexOf(cell);
    if (listed >= 0) return listed;
    if (MISSING_WORDS.has(cell.toLowerCase())) return null;
    const equal = levels.findIndex((level) => Number(level) === Number(cell));
    return equal >= 0 ? equal : file.inputs[i].others ? levels.length - 1 : levels.length;
}

/** @param {string} cell @param {string} name @param {number} line */
function numberCell(cell, name, line) {
    if (MISSING_WORDS.has(cell.toLowerCase())) return null;
    const value = Number(cell);
    if (!Number.isFinite(value)) throw new Error(`line ${counted(line)}, ${name}: "${cell.slice(0, 40)}" is not a number`);
    return value;
}

/**
 * The inputs and targets of a CSV file with a header; throws an Error that says what is wrong.
 * @param {State} state @param {string} text @returns {import("./curve_editor.js").Rows}
 */
export function rowsOfCsv(state, text) {
    const [header, ...records] = recordsOf(text), { inputs, targets } = state.model;
    const columnOf = (/** @type {string} */ name) => {
        const found = (header ?? []).indexOf(name.trim());
        if (found < 0) throw new Error(`the first line has no column "${name}"`);
        return found;
    };
    const wrong = records.findIndex((record) => record.length !== header.length);
    if (!records.length) throw new Error("there are no rows");
    if (wrong >= 0) throw new Error(`row ${counted(wrong + 1)} has ${records[wrong].length} cells, the first line has ${header.length}`);
    const x = inputs.map(({ name }, i) => { const c = columnOf(name); return records.map((record, n) => inputCell(state, i, record[c], n + 2)); });
    const y = targets.map(({ name }) => { const c = columnOf(name); return records.map((record, n) => numberCell(record[c], name, n + 2)); });
    return { x, y, count: records.length };
}
