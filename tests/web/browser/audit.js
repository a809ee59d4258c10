// What `test_every_page.py` runs in a page. It finds what a person could not read, reach or hit, and
// says it in one line each; nothing is changed but the theme, which is put back.

/** A style that lets points find all elements, also those that take no clicks. */
function withAllElements(work) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { pointer-events: auto !important; transition: none !important; animation: none !important }");
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  try {
    return work();
  } finally {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
  }
}

function nameOf(element) {
  const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40);
  const parent = element.parentElement?.className?.baseVal ?? element.parentElement?.className ?? "";
  return `${element.tagName.toLowerCase()}.${element.className?.baseVal ?? element.className} in .${parent} “${text}”`;
}

const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
const read = new Map();

/** A colour in any notation as red, green, blue from 0 to 255 and alpha from 0 to 1. */
function colourOf(text) {
  if (!read.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    read.set(text, [red, green, blue, alpha / 255]);
  }
  return read.get(text);
}

function over(top, below, opacity = 1) {
  const alpha = top[3] * opacity;
  return [0, 1, 2].map((place) => top[place] * alpha + below[place] * (1 - alpha));
}

function luminance(colour) {
  const [red, green, blue] = colour.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const MOST_OF_A_KIND = 30;

/** Texts that are seen below an element, each with all elements under it, the lowest last. Of many of a kind some are taken. */
function shownTexts(root) {
  const found = [], kinds = new Map();
  const add = (element, rect, words, pseudo) => {
    const stack = document.elementsFromPoint(rect.x + rect.width / 2, rect.y + rect.height / 2);
    const place = stack.indexOf(element);
    if (place >= 0) found.push({ element, pseudo, words, stack: stack.slice(place) });
  };
  const range = document.createRange();
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script, noscript, option, textarea, :disabled, .visually-hidden, .skip")) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const kind = `${element.tagName} ${element.className} ${element.parentElement.className} ${element.parentElement.parentElement?.className}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), walker.currentNode]);
  }
  for (const nodes of kinds.values()) {
    const every = Math.ceil(nodes.length / MOST_OF_A_KIND);
    for (const node of nodes.filter((_, place) => place % every === 0)) {
      range.selectNodeContents(node);
      const rect = [...range.getClientRects()].find((each) => each.width > 1 && each.height > 1);
      if (rect) add(node.parentElement, rect, node.data.trim().slice(0, 30));
    }
  }
  for (const field of root.querySelectorAll("input:not([type=checkbox], [type=radio], [type=range], [type=file]):enabled, textarea:enabled, select:enabled")) {
    const rect = field.getBoundingClientRect();
    if (rect.width > 1) add(field, rect, field.value || field.placeholder || "", field.value ? null : "::placeholder");
  }
  return found;
}

/** Texts whose contrast is below the least, in each of some themes. */
function contrastFaults(themes, least, within = "body") {
  return withAllElements(() => {
    const texts = shownTexts(document.querySelector(within)), faults = new Set();
    const before = { ...document.documentElement.dataset };
    for (const [theme, palette] of themes) {
      globalThis.applyTheme({ theme, palette });
      const styles = new Map(), opacities = new Map();
      const styleOf = (element) => styles.get(element) ?? styles.set(element, getComputedStyle(element)).get(element);
      const opacityOf = (element) => {
        if (!element) return 1;
        if (!opacities.has(element)) opacities.set(element, Number(styleOf(element).opacity) * opacityOf(element.parentElement));
        return opacities.get(element);
      };
      for (const { element, pseudo, words, stack } of texts) {
        // Of gradients and stripes each colour is tried.
        let below = [[255, 255, 255]];
        for (const each of [...stack].reverse()) {
          const style = styleOf(each), opacity = opacityOf(each);
          const paints = each instanceof SVGGeometryElement ? [style.fill === "none" ? "transparent" : style.fill]
            : style.backgroundImage === "none" ? [style.backgroundColor]
            : [...new Set(style.backgroundImage.match(/(rgba?|color|oklab|oklch)\([^()]*\)/g) ?? [style.backgroundColor])];
          below = paints.flatMap((paint) => below.map((colour) => over(colourOf(paint), colour, opacity))).slice(0, 12);
        }
        const style = pseudo ? getComputedStyle(element, pseudo) : styleOf(element);
        const letters = colourOf(element instanceof SVGElement ? style.fill : style.color);
        const worst = Math.min(...below.map((colour) => contrast(over(letters, colour, opacityOf(element)), colour)));
        if (worst < least) faults.add(`${theme} ${palette}: contrast ${worst.toFixed(2)} of “${words}” in ${nameOf(element)}`);
      }
    }
    globalThis.applyTheme({ theme: before.theme, palette: before.palette });
    return { count: texts.length, faults: [...faults] };
  });
}

const CONTROLS = "a[href], button:enabled, input:enabled:not([type=file]), select:enabled, textarea:enabled, summary, [tabindex='0']";

function controls() {
  return [...document.querySelectorAll(CONTROLS)].filter((each) => each.checkVisibility({ visibilityProperty: true }) && each.getClientRects().length && !each.closest(".skip"));
}

/** One of each kind: rows of a list have the same faults. */
function oneOfEach(elements) {
  const kinds = new Map();
  for (const each of elements) kinds.set(`${each.tagName}|${each.className}|${each.parentElement?.className}|${each.closest("table")?.ariaLabel}`, each);
  return [...kinds.values()];
}

/** Controls that a finger misses: less than `least` pixels of height react around their middle. */
function smallTargets(least) {
  const faults = [];
  for (const each of oneOfEach(controls())) {
    if (each.closest("p, li, td") && each.tagName === "A" && !each.matches(".button")) continue; // a link within a text
    if (each.matches("main, .table-box, .cell, [role=region]")) continue; // scrolled, or zoomed before it is hit
    each.scrollIntoView({ block: "center", inline: "center" });
    const box = each.getBoundingClientRect();
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const hit = (dy) => {
      const found = document.elementFromPoint(x, y + dy);
      return found && (each.contains(found) || [...(each.labels ?? [])].some((label) => label.contains(found)));
    };
    // What reacts is counted, as a part of a card may stand for all of it.
    const reach = (sign) => { let far = 0; while (far < least && hit(sign * (far + 2))) far += 2; return far; };
    const half = least / 2 - 1;
    if (hit(0) && !(hit(half) && hit(-half)) && reach(1) + reach(-1) < least - 4) faults.push(`${Math.round(box.height)} px high: ${nameOf(each)}`);
  }
  scrollTo(0, 0);
  return faults;
}

/** Controls whose focus is not seen: no ring, cut away, or below a bar that stays in its place. */
function focusFaults() {
  const faults = [];
  for (const each of oneOfEach(controls())) {
    if (each.matches("main, .felt")) continue;
    each.focus();
    if (document.activeElement !== each) continue;
    const style = getComputedStyle(each), width = parseFloat(style.outlineWidth);
    if (!each.matches(":focus-visible") || style.outlineStyle === "none" || width < 2) {
      faults.push(`no ring: ${nameOf(each)}`);
      continue;
    }
    const box = each.getBoundingClientRect(), ring = parseFloat(style.outlineOffset) + width;
    const sides = { left: box.left - ring, right: box.right + ring, top: box.top - ring, bottom: box.bottom + ring };
    const seen = { left: true, right: true, top: true, bottom: true };
    for (let outer = each.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
      const clip = getComputedStyle(outer), frame = outer.getBoundingClientRect();
      if (clip.overflowX !== "visible") { seen.left &&= sides.left >= frame.left - 1; seen.right &&= sides.right <= frame.right + 1; }
      if (clip.overflowY !== "visible") { seen.top &&= sides.top >= frame.top - 1; seen.bottom &&= sides.bottom <= frame.bottom + 1; }
    }
    if (Object.values(seen).filter(Boolean).length < 2) faults.push(`ring cut away: ${nameOf(each)}`);
    const top = document.elementFromPoint(box.x + Math.min(box.width, innerWidth) / 2, Math.min(box.y + box.height / 2, innerHeight - 1));
    const held = top && !each.contains(top) && !top.contains(each) && [top, ...parents(top)].find((outer) => ["fixed", "sticky"].includes(getComputedStyle(outer).position));
    if (held) faults.push(`below ${nameOf(held)}: ${nameOf(each)}`);
  }
  document.activeElement.blur();
  scrollTo(0, 0);
  return faults;
}

function parents(element) {
  return element.parentElement ? [element.parentElement, ...parents(element.parentElement)] : [];
}

/** What a page must have once: a title, a language, one heading; and pictures with a size. */
function formFaults() {
  const faults = [];
  const heads = [...document.querySelectorAll("h1")].filter((each) => each.checkVisibility());
  if (heads.length !== 1) faults.push(`${heads.length} first headings`);
  if (document.documentElement.lang !== "en") faults.push("no language");
  if (!/^.+ · pokerlab$/.test(document.title)) faults.push(`the title is ${document.title}`);
  for (const each of document.querySelectorAll("img")) if (!each.getAttribute("width") || !each.getAttribute("height")) faults.push(`no size: ${nameOf(each)}`);
  const foreign = performance.getEntriesByType("resource").filter((each) => !each.name.startsWith(`${location.origin}/`));
  faults.push(...foreign.map((each) => `another host is asked: ${each.name}`));
  return faults;
}

/** How far things moved by themselves since the page was opened, and what moved most. */
async function layoutShift() {
  const entries = await new Promise((resolve) => {
    const found = [];
    new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(found), 60);
  });
  const own = entries.filter((each) => !each.hadRecentInput);
  return [own.reduce((sum, each) => sum + each.value, 0), own.flatMap((each) => each.sources.map((source) => source.node && nameOf(source.node.nodeType === 1 ? source.node : source.node.parentElement)))];
}

/** What is wider than the window. */
function tooWide() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const outside = [...document.querySelectorAll("main *, header *")].filter((each) => each.getBoundingClientRect().right > width + 1 && !parents(each).some((outer) => getComputedStyle(outer).overflowX !== "visible"));
  return [`${document.documentElement.scrollWidth} px wide: ${outside.slice(0, 3).map(nameOf).join("; ")}`];
}
