// overflow.mjs: what sticks out of the page, or of the card it is in; runs in the page.

/** @returns {string[]} */
export function stickingOut() {
    const wide = document.documentElement.clientWidth, found = [];
    const name = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 30)}"`;
    if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${wide}`);
    for (const element of document.querySelectorAll("main *, footer *")) {
        if (element.closest("clipPath, .skip, [hidden]") || element.closest("[clip-path]")) continue;
        const box = element.getBoundingClientRect(), card = element.closest(".card, .tile")?.getBoundingClientRect();
        if (!box.width || !box.height) continue;
        const right = card ? card.right : wide, left = card ? card.left : 0;
        if (box.right > right + 1 || box.left < left - 1) found.push(`${name(element)} from ${Math.round(box.left)} to ${Math.round(box.right)} in ${Math.round(left)} to ${Math.round(right)}`);
    }
    // Texts of one chart that lie on each other.
    for (const svg of document.querySelectorAll("svg.chart")) {
        const boxes = [...svg.querySelectorAll("text")].map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
            if (a.box.left < b.box.right - 1 && b.box.left < a.box.right - 1 && a.box.top < b.box.bottom - 3 && b.box.top < a.box.bottom - 3) found.push(`"${a.text}" and "${b.text}" overlap`);
        }));
    }
    return found;
}
