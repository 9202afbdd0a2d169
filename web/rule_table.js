// rule_table.js: the table of rules, sortable by each column.

import { breakable, h } from "./dom.js";
import { ruleName } from "./evaluate.js";
import { counted, near, percent, shown } from "./format.js";
import { atMeans } from "./original_units.js";
import { conditionsOf, formula, selectConditions } from "./rule_text.js";

/** @typedef {import("./state.js").State} State */

/** Rows added at a time; approximate length of the conditions shown before a rule is opened. */
const ROWS = 20, MAX_LETTERS = 200;

/** @typedef {{ key: "number" | "share" | "says", title: string, hint: string, value: (r: number) => number, down: boolean }} Column */

/** @param {State} state @param {number} r */
function details(state, r) {
    const { model, ruleText } = state, there = ruleText.rules.get(r)?.there ?? [];
    return h("div", { class: "whole" },
        h("h4", {}, "If"), h("ul", {}, ...conditionsOf(ruleText, r).map((text) => h("li", {}, ...breakable(text)))),
        h("h4", {}, "then"), ...model.targets.map((target, o) => h("p", { class: "formula" }, h("b", {}, ...breakable(target.name)), ...breakable(` = ${formula(model, r, o)}`))),
        ...(there.length > 1 ? there.map((text) => h("p", {}, ...breakable(`On these rows${text}`))) : []));
}

/** A condition, kept on one line if possible. @param {string} text @param {number} i */
function pieceOf(text, i) {
    return h("span", { class: "piece" }, i ? "and\u00a0" : "", ...breakable(`${text} `));
}

/** The last column: a number that summarises the consequent. @param {State} state @returns {{ title: string, hint: string, note: string, value: (r: number) => number }} */
function answersOf(state) {
    const { model, file } = state, rules = file.blocks[0].rules;
    if (model.blocks.length > 1)
        return { title: "Output", hint: "with all inputs at their means", note: "Output: what the rule adds, if it fires fully, with all inputs at their means.", value: (r) => atMeans(model, r, state.output) };
    if (rules.every((/** @type {any} */ rule) => rule.about))
        return { title: "Mean", hint: "mean prediction on the rows that the rule covers", note: "Mean: the mean prediction on the rows that the rule covers.", value: (r) => rules[r].about[state.output] };
    return { title: "Output", hint: "with all inputs at their means", note: "Output: the consequent with all inputs at their means.", value: (r) => atMeans(model, r, state.output) };
}

/** @param {State} state @param {number} r @param {number} most largest coverage @param {ReturnType<typeof answersOf>} answers */
function row(state, r, most, answers) {
    const { model, ruleText, coverage } = state, { some, more } = selectConditions(model, ruleText, r, MAX_LETTERS);
    const there = ruleText.rules.get(r)?.there[state.output];
    const fill = coverage ? h("span", { class: "fill", style: { width: `${most ? (100 * coverage[r]) / most : 0}%` } }) : null;
    const share = coverage ? h("td", { class: "share", "data-label": "coverage" }, h("span", { class: "track" }, fill), h("span", {}, percent(coverage[r]))) : null;
    const open = h("details", { ontoggle: () => { if (open.open && open.children.length === 1) open.append(details(state, r)); } },
        h("summary", {}, ...some.map(pieceOf), more ? h("span", { class: "more" }, ` and ${more} more`) : null));
    return h("tr", {}, h("th", { scope: "row" }, ruleName(model, r)), share, h("td", { class: "if" }, open, there ? h("p", { class: "there" }, ...breakable(`On these rows${there}`)) : null),
        h("td", { class: "number", "data-label": answers.title.toLowerCase() }, model.blocks.length > 1 ? shown(answers.value(r), 3) : near(answers.value(r), model.targets[state.output].scale)));
}

/** @param {State} state @param {any} section */
export function showRules(state, section) {
    if (state.model.rules === 0) return false;
    const { model, coverage } = state, most = coverage ? Math.max(...coverage) : 0, answers = answersOf(state), order = Array.from({ length: model.rules }, (_, r) => r);
    /** @type {Column[]} */
    const columns = [
        { key: "number", title: "Rule", hint: "", value: (r) => r, down: false },
        { key: "share", title: "Coverage", hint: "mean firing level over the rows", value: (r) => (coverage ? coverage[r] : 0), down: true },
        { key: "says", title: answers.title, hint: answers.hint, value: answers.value, down: true },
    ];
    const used = columns.filter((column) => column.key !== "share" || coverage);
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
        note.textContent = model.rules > count ? `${counted(count)} of ${counted(model.rules)} rules shown.` : "";
    };
    state.on("output", draw);
    draw();
    const cells = heads.map((head) => head.cell);
    cells.splice(cells.length - 1, 0, h("th", { scope: "col", class: "if" }, "If"));
    const about = [coverage ? "Coverage: the mean firing level of a rule over the rows." : "",
        answers.note,
        "Open a rule to see all conditions and its formula."];
    section.append(h("h2", { id: "rules-title" }, "Rules"), h("p", { class: "note" }, about.filter(Boolean).join(" ")),
        h("div", { class: "card flush" }, h("table", { class: "rules" }, h("thead", {}, h("tr", {}, ...cells)), body)), note, more);
    return true;
}
