// Colours of actions. Two palettes, the second safe for colour-blind people, where sizes also have patterns.
//
// Folding is blue, checking and calling green, bets and raises from light to dark in the order of
// their size, all-in the darkest. The colours themselves are variables of style.css.

/** The name of the variable's part for each action of a decision, in their order. */
export function actionColours(actions) {
  const sizes = actions.filter(isAggressive);
  return actions.map((action) => {
    if (action === "f") return "fold";
    if (action === "x" || action === "c") return "call";
    const place = sizes.indexOf(action);
    if (action === "a" || place === sizes.length - 1 && sizes.length > 4) return "size-5";
    return `size-${1 + Math.min(3, Math.floor((4 * place) / Math.max(sizes.length, sizes.length > 3 ? 1 : 4)))}`;
  });
}

function isAggressive(action) {
  return action === "a" || /^[br]/.test(action);
}

/** The CSS background for one of these names. */
export function background(name) {
  return `var(--action-${name}-fill, var(--action-${name}))`;
}

/** The computed colour of a variable, for canvases. */
export function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** From 0 (low) to 1 (high) as a colour, for heat maps: blue over grey to orange. */
export function heat(share) {
  const part = Math.round(200 * Math.abs(Math.min(1, Math.max(0, share)) - 0.5));
  return `color-mix(in oklab, var(--heat-${share < 0.5 ? "low" : "high"}) ${part}%, var(--heat-middle))`;
}
