// rules.js: the table of rules, which can be sorted by each of its columns.

import { breakable, h } from "./dom.js";
import { ruleName } from "./evaluate.js";
import { counted, near, percent, shown } from "./format.js";
import { atMeans } from "./units.js";
import { conditionsOf, formula, telling } from "./words.js";

/** @typedef {import("./state.js").State} State */

/** Rows of the table at a time, letters of a rule's conditions at first, about. */
const ROWS = 20, TOLD = 200;

/** @typedef {{ key: "number" | "share" | "says", title: string, hint: string, value: (r: number) => number, down: boolean }} Column */

/** @param {State} state @param {number} r */
function details(state, r) {
    const { model, told } = state, there = told.rules.get(r)?.there ?? [];
    return h("div", { class: "whole" },
        h("h4", {}, "If"), h("ul", {}, ...conditionsOf(told, r).map((text) => h("li", {}, ...breakable(text)))),
        h("h4", {}, "then"), ...model.targets.map((target, o) => h("p", { class: "formula" }, h("b", {}, ...breakable(target.name)), ...breakable(` = ${formula(model, r, o)}`))),
        ...(there.length > 1 ? there.map((text) => h("p", {}, ...breakable(`There${text}`))) : []));
}

/** Lines break between conditions, if they can. @param {string} text @param {number} i */
function pieceOf(text, i) {
    return h("span", { class: "piece" }, i ? "and\u00a0" : "", ...breakable(`${text} `));
}

/** What there is to say of rules besides their formula. @param {State} state @returns {{ title: string, hint: string, note: string, value: (r: number) => number }} */
function answersOf(state) {
    const { model, file } = state, rules = file.blocks[0].rules;
    if (model.blocks.length > 1)
        return { title: "Adds", hint: "where every input is at its mean", note: "Adds: what it adds to the prediction where every input is at its mean.", value: (r) => atMeans(model, r, state.output) };
    if (rules.every((/** @type {any} */ rule) => rule.about))
        return { title: "There", hint: "what is predicted of the rows that it governs", note: "There: what is predicted of the rows that it governs, on average.", value: (r) => rules[r].about[state.output] };
    return { title: "Says", hint: "where every input is at its mean", note: "Says: its own answer where every input is at its mean.", value: (r) => atMeans(model, r, state.output) };
}

/** @param {State} state @param {number} r @param {number} most largest share @param {ReturnType<typeof answersOf>} answers */
function row(state, r, most, answers) {
    const { model, told, shares } = state, { some, more } = telling(model, told, r, TOLD);
    const there = told.rules.get(r)?.there[state.output];
    const fill = shares ? h("span", { class: "fill", style: { width: `${most ? (100 * shares[r]) / most : 0}%` } }) : null;
    const share = shares ? h("td", { class: "share", "data-label": "share" }, h("span", { class: "track" }, fill), h("span", {}, percent(shares[r]))) : null;
    const open = h("details", { ontoggle: () => { if (open.open && open.children.length === 1) open.append(details(state, r)); } },
        h("summary", {}, ...some.map(pieceOf), more ? h("span", { class: "more" }, ` and ${more} more`) : null));
    return h("tr", {}, h("th", { scope: "row" }, ruleName(model, r)), share, h("td", { class: "if" }, open, there ? h("p", { class: "there" }, ...breakable(`There${there}`)) : null),
        h("td", { class: "number", "data-label": answers.title.toLowerCase() }, model.blocks.length > 1 ? shown(answers.value(r), 3) : near(answers.value(r), model.targets[state.output].scale)));
}

/** @param {State} state @param {any} section */
export function showRules(state, section) {
    const { model, shares } = state, most = shares ? Math.max(...shares) : 0, answers = answersOf(state), order = Array.from({ length: model.rules }, (_, r) => r);
    /** @type {Column[]} */
    const columns = [
        { key: "number", title: "Rule", hint: "", value: (r) => r, down: false },
        { key: "share", title: "Share", hint: "of the rows' weight that falls to it", value: (r) => (shares ? shares[r] : 0), down: true },
        { key: "says", title: answers.title, hint: answers.hint, value: answers.value, down: true },
    ];
    const used = columns.filter((column) => column.key !== "share" || shares);
    let by = used.find((column) => column.key === "share") ?? used[0], down = by.down, count = ROWS;
    const body = h("tbody"), note = h("p", { class: "note", "aria-live": "polite" });
    const more = h("button", { type: "button", class: "quiet", onclick: () => { count += 4 * ROWS; draw(); } }, "Show more rules");
    const heads = used.map((column) => {
        const button = h("button", { type: "button", "data-sort": column.key, title: column.hint, onclick: () => {
            down = by === column ? !down : column.down;
            by = column;
            draw();
        } }, column.title, h("span", { class: "arrow", "aria-hidden": "true" }));
        return { column, button, cell: h("th", { scope: "col", class: column.key }, button) };
    });
    const draw = () => {
        const value = new Float64Array(model.rules);
        for (let r = 0; r < model.rules; r++) value[r] = by.value(r);
        order.sort((a, b) => (down ? value[b] - value[a] : value[a] - value[b]) || a - b);
        body.replaceChildren(...order.slice(0, count).map((r) => row(state, r, most, answers)));
        for (const head of heads) head.cell.setAttribute("aria-sort", head.column === by ? (down ? "descending" : "ascending") : "none");
        more.hidden = model.rules <= count;
        note.textContent = model.rules > count ? `${counted(count)} of ${counted(model.rules)} rules are listed.` : "";
    };
    state.on("output", draw);
    draw();
    const cells = heads.map((head) => head.cell);
    cells.splice(cells.length - 1, 0, h("th", { scope: "col", class: "if" }, "If"));
    const about = [shares ? "Share: how much of the rows' weight falls to a rule." : "",
        answers.note,
        "Open a rule for all of its conditions and its formula."];
    section.append(h("h2", { id: "rules-title" }, "Rules"), h("p", { class: "note" }, about.filter(Boolean).join(" ")),
        h("div", { class: "card flush" }, h("table", { class: "rules" }, h("thead", {}, h("tr", {}, ...cells)), body)), note, more);
    return true;
}
