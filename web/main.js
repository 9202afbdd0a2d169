// main.js: builds the page from its sections.

import { byId, h } from "./dom.js";
import { predict } from "./evaluate.js";
import { showFrontier } from "./frontier_chart.js";
import { showFit } from "./accuracy_charts.js";
import { showCurves } from "./curve_charts.js";
import { showImportance } from "./importance.js";
import { showInputs } from "./membership_charts.js";
import { showPairs } from "./pair_maps.js";
import { showRules } from "./rule_table.js";
import { rowOf, stateOf } from "./state.js";
import { showSummary } from "./summary.js";
import { showSurface } from "./response_surface.js";
import { showViewer, viewerTitle } from "./rule_viewer.js";

/** @typedef {import("./state.js").State} State */

/** @type {[string, string | ((state: State) => string), (state: State, section: any) => boolean][]} */
const PARTS = [
    ["frontier", "Frontier", showFrontier],
    ["fit", "Accuracy", showFit],
    ["curves", "Curves", showCurves],
    ["pairs", "Pairs", showPairs],
    ["importance", "Importance", showImportance],
    ["viewer", viewerTitle, showViewer],
    ["surface", "Response surface", showSurface],
    ["inputs", "Inputs", showInputs],
    ["rules", "Rules", showRules],
];

/** Switches between the system's colour scheme, light and dark. */
function watchTheme() {
    const button = byId("theme"), order = ["auto", "light", "dark"], signs = ["◐", "☀", "☾"], words = ["system default", "light", "dark"];
    let at = 0;
    button.addEventListener("click", () => {
        at = (at + 1) % order.length;
        if (at) document.documentElement.dataset.theme = order[at];
        else delete document.documentElement.dataset.theme;
        button.textContent = signs[at];
        button.setAttribute("aria-label", `Colours: ${words[at]}`);
        button.title = `Colours: ${words[at]}`;
    });
}

/** Compares predictions of this page with those of the library. @param {State} state */
function agreement(state) {
    const { data, model } = state;
    if (!data) return "";
    const some = Math.min(20, data.row.length), start = Date.now();
    let most = 0, looked = 0;
    for (let k = 0; k < some && Date.now() - start < 200; k++, looked++) {
        const i = Math.floor((k * data.row.length) / some), y = predict(model, rowOf(data, i));
        y.forEach((value, o) => { most = Math.max(most, Math.abs(value - data.predicted[o][i]) / Math.max(Math.abs(value), model.targets[o].scale)); });
    }
    document.documentElement.dataset.agreement = String(most);
    return ` On ${looked} rows, its predictions differ from those of the library by at most ${most === 0 ? "0" : most.toExponential(0)} (relative).`;
}

function start() {
    const [file, words, data] = ["model", "words", "data"].map((id) => JSON.parse(byId(id).textContent));
    const state = stateOf(file, words, data), nav = byId("nav");
    watchTheme();
    showSummary(state, byId("summary"));
    nav.append(h("a", { href: "#summary" }, "Summary"));
    for (const [id, title, show] of PARTS) {
        const section = byId(id);
        section.hidden = false;
        if (show(state, section)) nav.append(h("a", { href: `#${id}` }, typeof title === "string" ? title : title(state)));
        else section.hidden = true;
    }
    const version = file.training?.version ? ` ${file.training.version}` : "";
    byId("footer").append(h("p", {}, `Created by sugeno${version}. This page works offline and evaluates the model in the browser.${agreement(state)}`));
    document.documentElement.dataset.ready = "yes";
}

start();
