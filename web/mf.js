// mf.js: the kinds of membership functions, as defined in docs/model-file.md.

/** The log membership outside a triangle or trapezoid. */
const FLOOR = -700;

/**
 * @typedef {object} Kind
 * @property {string[]} parameters
 * @property {string} roles of each parameter: l location, w width, i inverse width, s shape
 * @property {(x: number, p: ArrayLike<number>, at: number) => number} log of the membership of x, for the parameters from p[at] on
 * @property {(p: number[]) => number} place
 * @property {(p: number[]) => number} width
 */

/** @param {number} mu */
function floored(mu) {
    return mu > 0 ? Math.max(Math.log(mu), FLOOR) : FLOOR;
}

/** @type {Record<string, Kind>} */
export const KINDS = {
    gauss: {
        parameters: ["c", "sigma"],
        roles: "lw",
        log: (x, p, at) => {
            const d = (x - p[at]) / p[at + 1];
            return -0.5 * d * d;
        },
        place: (p) => p[0],
        width: (p) => p[1],
    },
    "gauss-a": {
        parameters: ["c", "a"],
        roles: "li",
        log: (x, p, at) => {
            const d = p[at + 1] * (x - p[at]);
            return -0.5 * d * d;
        },
        place: (p) => p[0],
        width: (p) => 1 / p[1],
    },
    gauss2: {
        parameters: ["c1", "a1", "c2", "a2"],
        roles: "lili",
        log: (x, p, at) => {
            const below = p[at + 1] * Math.min(x - p[at], 0), above = p[at + 3] * Math.max(x - p[at + 2], 0);
            return -0.5 * below * below - 0.5 * above * above;
        },
        place: (p) => (p[0] + p[2]) / 2,
        width: (p) => Math.max(0, p[2] - p[0]) / 2 + (1 / p[1] + 1 / p[3]) / 2,
    },
    gbell: {
        parameters: ["a", "b", "c"],
        roles: "wsl",
        log: (x, p, at) => {
            if (x === p[at + 2]) return 0;
            const t = 2 * p[at + 1] * (Math.log(Math.abs(x - p[at + 2])) - Math.log(p[at]));
            return t > 0 ? -t - Math.log1p(Math.exp(-t)) : -Math.log1p(Math.exp(t));
        },
        place: (p) => p[2],
        width: (p) => p[0],
    },
    tri: {
        parameters: ["a", "b", "c"],
        roles: "lll",
        log: (x, p, at) => floored(x <= p[at + 1] ? (x - p[at]) / (p[at + 1] - p[at]) : (p[at + 2] - x) / (p[at + 2] - p[at + 1])),
        place: (p) => p[1],
        width: (p) => (p[2] - p[0]) / 2,
    },
    trap: {
        parameters: ["a", "b", "c", "d"],
        roles: "llll",
        log: (x, p, at) => {
            if (x >= p[at + 1] && x <= p[at + 2]) return 0;
            return floored(x < p[at + 1] ? (x - p[at]) / (p[at + 1] - p[at]) : (p[at + 3] - x) / (p[at + 3] - p[at + 2]));
        },
        place: (p) => (p[0] + p[1] + p[2] + p[3]) / 4,
        width: (p) => (p[2] + p[3] - p[0] - p[1]) / 2,
    },
};

/** The parameter that low-rank terms use as the centre. */
export const CENTRE = /** @type {Record<string, number>} */ ({ gauss: 0, "gauss-a": 0, gauss2: 0, gbell: 2, tri: 1, trap: 0 });
