// format.js: formats numbers and lists for readers.

/**
 * A number with at most `digits` significant digits; with an exponent only if it is very large or very small.
 * @param {number} value
 * @param {number} [digits]
 */
export function shown(value, digits = 4) {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1e9 || size < 1e-5) return minus(Number(value.toPrecision(digits)).toExponential().replace("e+", "e"));
    const whole = Math.floor(Math.log10(size)) + 1;
    const text = value.toFixed(Math.min(12, Math.max(0, digits - whole)));
    return minus(grouped(text.includes(".") ? text.replace(/\.?0+$/, "") : text));
}

/** The decimal exponent of a number. @param {number} value */
function exponent(value) {
    return value ? Math.floor(Math.log10(Math.abs(value)) + 1e-12) : 0;
}

/** With the digits needed to distinguish values one step apart: 1 000 000.05. @param {number} value @param {number} step */
export function atStep(value, step) {
    return shown(Math.abs(value) < 1e-9 * step ? 0 : value, Math.min(15, Math.max(1, exponent(value) - exponent(step) + 1)));
}

/** With `digits` digits, or more if needed to distinguish values that differ by a hundredth of a spread. @param {number} value @param {number} spread @param {number} [digits] */
export function near(value, spread, digits = 4) {
    return shown(value, spread > 0 ? Math.min(15, Math.max(digits, exponent(value) - exponent(spread) + 3)) : digits);
}

/** With a sign. @param {number} value @param {number} [digits] */
export function signed(value, digits = 4) {
    const text = shown(value, digits);
    return value > 0 ? `+${text}` : text;
}

/**
 * With a sign and the decimals of a sum of a given size, so that the parts of the sum can be added by the reader.
 * @param {number} value @param {number} size @param {number} [spread]
 */
export function part(value, size, spread = 0) {
    const whole = size ? exponent(size) + 1 : 0, decimals = Math.min(12, Math.max(0, 4 - whole, spread > 0 ? 2 - exponent(spread) : 0));
    if (!Number.isFinite(value) || whole < -4 || whole > 9) return signed(value, 3);
    return `${value < 0 ? "\u2212" : "+"}${grouped(Math.abs(value).toFixed(decimals))}`;
}

/** Groups thousands from five digits on, so that years are not grouped. @param {string} text */
function grouped(text) {
    const [whole, part] = text.split(".");
    const apart = whole.replace("-", "").length < 5 ? whole : whole.replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
    return part ? `${apart}.${part}` : apart;
}

/** @param {string} text */
function minus(text) {
    return text.replace(/-/g, "\u2212");
}

/** An integer. @param {number} n */
export function counted(n) {
    return minus(grouped(String(n)));
}

/** "1 rule", "4 rules". @param {number} n @param {string} word */
export function plural(n, word) {
    return `${counted(n)} ${word}${n === 1 ? "" : "s"}`;
}

/** The number of decimals needed for a value below 100 not to be shown as 100. @param {number} of */
function nines(of) {
    let decimals = 1;
    while (decimals < 6 && of < 100 && Number(of.toFixed(decimals)) >= 100) decimals++;
    return decimals;
}

/** A fraction in percent; less than 1 is never shown as 100 %. @param {number} share */
export function percent(share) {
    const of = 100 * share;
    if (!Number.isFinite(of)) return "–";
    if (of > 0 && of < 0.1) return "< 0.1 %";
    const whole = (of >= 9.95 && of < 98.95) || of <= -9.95 || of === 100;
    return `${minus(whole ? of.toFixed(0) : of.toFixed(Math.abs(of - 100) < 1 ? nines(of) : 1))} %`;
}

/** R²; less than 1 is never shown as 1. @param {number} r2 */
export function fitOf(r2) {
    let digits = 3;
    while (digits < 9 && r2 < 1 && Number(r2.toFixed(digits)) >= 1) digits++;
    return Number.isFinite(r2) ? shown(Number(r2.toFixed(digits)), 12) : "–";
}

/** "a, b and c". @param {string[]} words */
export function listed(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

/** At most `most` characters; keeps the end, since long names often differ there. @param {string} text @param {number} most */
export function clipped(text, most) {
    const letters = [...text], end = Math.max(0, Math.floor(0.4 * (most - 1)));
    return letters.length <= most ? text : `${letters.slice(0, Math.max(0, most - 1 - end)).join("")}…${letters.slice(letters.length - end).join("")}`;
}

/** The part of a path after its last slash. @param {string} path */
export function lastName(path) {
    return path.slice(path.lastIndexOf("/") + 1);
}
