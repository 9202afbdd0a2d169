// contour.js: contour lines of a grid of values, by marching squares.

/**
 * The segments of the contour line at `level`: [x1, y1, x2, y2] each, in units of cells.
 * @param {Float64Array} values (rows, columns) @param {number} columns @param {number} rows @param {number} level
 * @returns {[number, number, number, number][]}
 */
export function contour(values, columns, rows, level) {
    /** @type {[number, number, number, number][]} */
    const pieces = [];
    for (let j = 0; j + 1 < rows; j++)
        for (let i = 0; i + 1 < columns; i++) {
            const at = j * columns + i, corner = [values[at], values[at + 1], values[at + columns + 1], values[at + columns]];
            const cuts = crossings(corner, level, i, j);
            if (cuts.length === 2) pieces.push([...cuts[0], ...cuts[1]]);
            if (cuts.length === 4) {
                // A saddle: the mean of the corners decides which of them are connected.
                const high = (corner[0] + corner[1] + corner[2] + corner[3]) / 4 >= level === corner[0] >= level;
                const [a, b, c, d] = cuts;
                pieces.push(high ? [...a, ...b] : [...a, ...d], high ? [...c, ...d] : [...b, ...c]);
            }
        }
    return pieces;
}

/** The points where the sides of a cell cross the level. @param {number[]} corner @param {number} level @param {number} i @param {number} j @returns {[number, number][]} */
function crossings(corner, level, i, j) {
    const places = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
    /** @type {[number, number][]} */
    const cuts = [];
    for (let k = 0; k < 4; k++) {
        const next = (k + 1) % 4, a = corner[k], b = corner[next];
        if (a >= level === b >= level) continue;
        const t = (level - a) / (b - a);
        cuts.push([places[k][0] + t * (places[next][0] - places[k][0]), places[k][1] + t * (places[next][1] - places[k][1])]);
    }
    return cuts;
}
