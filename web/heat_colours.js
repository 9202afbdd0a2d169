// heat_colours.js: the colours of the heat map, from deep blue over teal to pale yellow, in even steps of lightness, so that they are also
// distinguishable in greyscale.

/** Stops of the colour ramp: lightness, chroma and hue in OKLCH. */
const STOPS = [[0.28, 0.1, 275], [0.45, 0.12, 245], [0.62, 0.11, 200], [0.79, 0.13, 150], [0.94, 0.12, 105]];

/** @param {number} l @param {number} c @param {number} hue @returns {[number, number, number]} */
function fromOklch(l, c, hue) {
    const a = c * Math.cos((hue * Math.PI) / 180), b = c * Math.sin((hue * Math.PI) / 180);
    const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const linear = [
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
    ];
    const byte = (/** @type {number} */ x) => {
        const v = Math.min(1, Math.max(0, x));
        return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
    };
    return [byte(linear[0]), byte(linear[1]), byte(linear[2])];
}

/** @type {[number, number, number][]} */
const RAMP = Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (STOPS.length - 1), k = Math.min(STOPS.length - 2, Math.floor(at)), t = at - k;
    const [l, c, hue] = STOPS[k].map((value, j) => value + t * (STOPS[k + 1][j] - value));
    return fromOklch(l, c, hue);
});

/** The colour of a fraction of the range: red, green, blue. @param {number} share @returns {[number, number, number]} */
export function heat(share) {
    return RAMP[Math.round(255 * Math.min(1, Math.max(0, share || 0)))];
}

/** The same as a CSS colour. @param {number} share */
export function heatCss(share) {
    return `rgb(${heat(share).join(" ")})`;
}

/** Ends and middle of the diverging ramp: lightness, chroma and hue in OKLCH. */
const COLD = [0.42, 0.13, 255], NEUTRAL = [0.955, 0.008, 95], WARM = [0.48, 0.16, 32];

/** The colour of a number from −1 (blue) over 0 (pale) to 1 (red). @param {number} value @returns {[number, number, number]} */
export function divergingColour(value) {
    const t = Math.min(1, Math.abs(value || 0)) ** 0.8, [l, c, hue] = value < 0 ? COLD : WARM;
    return fromOklch(NEUTRAL[0] + t * (l - NEUTRAL[0]), NEUTRAL[1] + t * (c - NEUTRAL[1]), t > 0 ? hue : NEUTRAL[2]);
}

/** The same as a CSS colour. @param {number} value */
export function divergingCss(value) {
    return `rgb(${divergingColour(value).join(" ")})`;
}
