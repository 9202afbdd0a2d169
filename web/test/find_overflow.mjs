// find_overflow.mjs: finds elements that overflow the page or their card, and overlapping text. Runs in the page.

/** @returns {string[]} */
export function findOverflow() {
    const wide = document.documentElement.clientWidth, found = [];
    const name = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 30)}"`;
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${wide}`);
    for (const element of document.querySelectorAll("main *, footer *")) {
        if (element.closest("clipPath, .skip, [hidden], .scroll > *") || element.closest("[clip-path]") || element.tagName === "g") continue;
        const box = element.getBoundingClientRect(), card = element.closest(".card, .tile")?.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const right = card ? card.right : wide, left = card ? card.left : 0;
        if (box.right > right + 1 || box.left < left - 1) found.push(`${name(element)} from ${Math.round(box.left)} to ${Math.round(box.right)} in ${Math.round(left)} to ${Math.round(right)}`);
    }
    // Overlapping text in a chart.
    for (const svg of document.querySelectorAll("svg.chart")) {
        const boxes = [...svg.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
            if (a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 3 && b.box.top < a.box.bottom - 3) found.push(`"${a.text}" and "${b.text}" overlap`);
        }));
    }
    for (const card of document.querySelectorAll(".card, .tile")) found.push(...overlapping(card));
    return found;

    /** The visible part of a box, clipped by its ancestors. */
    function seen(box, element, card) {
        let { left, right, top, bottom } = box;
        for (let at = element; at && at !== card.parentElement; at = at.parentElement) {
            if (getComputedStyle(at).overflowX === "visible") continue;
            const clip = at.getBoundingClientRect();
            [left, right, top, bottom] = [Math.max(left, clip.left), Math.min(right, clip.right), Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
        }
        return { left, right, top, bottom };
    }

    /** Text of a card, outside charts, that overlaps or overflows. */
    function overlapping(card) {
        const pieces = [], wrong = [], walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT), range = document.createRange(), edge = card.getBoundingClientRect();
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const element = node.parentElement;
            if (!node.textContent.trim() || element.closest("svg, [hidden], option")) continue;
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) {
                const part = seen(box, element, card);
                if (part.right - part.left > 1 && part.bottom - part.top > 1) pieces.push({ text: node.textContent.trim().slice(0, 30), ...part });
            }
        }
        pieces.sort((a, b) => a.top - b.top);
        pieces.forEach((a, i) => {
            if (a.right > edge.right + 1 || a.left < edge.left - 1) wrong.push(`"${a.text}" overflows its card`);
            for (let k = i + 1; k < pieces.length && pieces[k].top < a.bottom - 3; k++) {
                const b = pieces[k];
                if (a.left < b.right - 1 && b.left < a.right - 1) wrong.push(`"${a.text}" and "${b.text}" overlap`);
            }
        });
        return wrong;
    }
}
