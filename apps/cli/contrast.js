// Measures the contrast of each text of a page with what lies behind it, as WCAG defines contrast.
//
//   for each text that is seen: its colour, and what lies behind its first letter, from the top down:
//     backgrounds of HTML and fills of SVG, until one of them is not transparent
//     a pattern or a gradient is all of its colours, of which the worst counts
//   data-contrast is the lowest, data-texts the number of texts, data-low names those below 4.5
{
  const numbers = (text) => (text?.startsWith("rgb") ? text.match(/[\d.]+/g).map(Number) : null);
  const colour = (text) => { const [r, g, b, alpha = 1] = numbers(text) ?? [0, 0, 0, 0]; return { rgb: [r, g, b], alpha }; };
  const over = (top, below) => top.rgb.map((part, k) => part * top.alpha + below[k] * (1 - top.alpha));
  const luminance = (rgb) => rgb.map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, k) => sum + part * [0.2126, 0.7152, 0.0722][k], 0);
  const opacity = (element) => (element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1);

  // The colours of which an element may have one at a place.
  function paints(element) {
    const style = getComputedStyle(element);
    if (!(element instanceof SVGElement)) {
      const gradient = style.backgroundImage.match(/rgba?\([^)]*\)/g) ?? [];
      return (gradient.length ? gradient : [style.backgroundColor]).map(colour);
    }
    if (!["rect", "path", "circle"].includes(element.tagName) || style.fill === "none") return [];
    const named = style.fill.match(/url\("?#([^")]*)/);
    if (!named) return [style.fill].map(colour);
    return [...document.getElementById(named[1]).children].map((part) => colour(
      part.tagName === "stop" ? getComputedStyle(part).stopColor : getComputedStyle(part).fill));
  }

  function behind(stack) {
    for (const [k, element] of stack.entries()) {
      const found = paints(element).map((paint) => ({ ...paint, alpha: paint.alpha * opacity(element) })).filter((paint) => paint.alpha > 0);
      if (!found.length) continue;
      const below = found.every((paint) => paint.alpha === 1) ? [[255, 255, 255]] : behind(stack.slice(k + 1));
      return found.flatMap((paint) => below.map((one) => over(paint, one)));
    }
    return [matchMedia("(prefers-color-scheme: dark)").matches ? [18, 18, 18] : [255, 255, 255]];
  }

  let worst = Infinity, texts = 0;
  const low = [], modal = document.querySelector("dialog[open]");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("script, style, title, desc") || (modal && !modal.contains(node))) continue;
    const range = document.createRange();
    range.setStart(node, node.textContent.search(/\S/));
    range.setEnd(node, range.startOffset + 1);
    if (!range.getClientRects().length) continue;
    // Into the window, and into the part of the page that scrolls by itself.
    parent.scrollIntoView({ block: "center", inline: "center" });
    const box = range.getClientRects()[0];
    // What takes no clicks is not found at a point.
    const above = [];
    for (let one = parent; one instanceof HTMLElement && getComputedStyle(one).pointerEvents === "none"; one = one.parentElement) above.push(one);
    const stack = [...above, ...document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)];
    const style = getComputedStyle(parent), ink = colour(parent instanceof SVGElement ? style.fill : style.color);
    ink.alpha *= opacity(parent);
    texts += 1;
    for (const ground of behind(stack)) {
      const [dark, light] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => a - b);
      const contrast = (light + 0.05) / (dark + 0.05);
      worst = Math.min(worst, contrast);
      if (contrast < 4.5) low.push(`${contrast.toFixed(2)} ${node.textContent.trim().slice(0, 30).replace(/\s+/g, " ")}`);
    }
  }
  Object.assign(document.documentElement.dataset, { contrast: worst.toFixed(2), texts, low: [...new Set(low)].slice(0, 8).join("; ") });
}
