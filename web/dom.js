// dom.js: creates elements. Strings become text nodes and attributes, never markup, so that names in the data cannot inject any.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | Node | null | undefined} Child
 * @typedef {Record<string, any>} Attributes values; a function is a listener, such as `onclick`; `style` may be an object
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function put(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) element.removeAttribute(name);
        else if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else if (name === "style" && typeof value === "object")
            for (const [property, to] of Object.entries(value)) /** @type {HTMLElement} */ (element).style.setProperty(property, String(to));
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
    for (const child of children) if (child !== null && child !== undefined) element.append(typeof child === "number" ? String(child) : child);
}

/**
 * An HTML element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {any}
 */
export function h(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    put(element, attributes);
    append(element, children);
    return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {any}
 */
export function s(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    put(element, attributes);
    append(element, children);
    return element;
}

/** A text with possible line breaks after underscores and slashes. @param {string} text @returns {Node[]} */
export function breakable(text) {
    return (text.match(/[^_/]*[_/]+|[^_/]+/g) ?? []).flatMap((part, i) => (i ? [h("wbr"), document.createTextNode(part)] : [document.createTextNode(part)]));
}

/**
 * The element with an id; throws if there is none.
 * @param {string} id
 * @returns {any}
 */
export function byId(id) {
    const found = document.getElementById(id);
    if (!found) throw new Error(`the page has no element ${id}`);
    return found;
}
