// Colours of actions. Two palettes, the second safe for colour-blind people, where sizes also have patterns.
//
// Folding is blue, checking and calling green, bets and raises from light to dark in the order of
// their size, all-in the darkest. The colours themselves are variables of palette.css, which the
// server makes of pokerlab.views.pictures.palette.

/** The name of the variable's part for each action of a decision, in their order; as `action_slots` there. */
export function actionColours(actions) {
  const sizes = actions.filter((action) => !/^[fxca]/.test(action));
  const largest = sizes.length > 4 && !actions.includes("a") ? sizes.pop() : "a";
  return actions.map((action) => {
    const place = sizes.indexOf(action);
    if (place >= 0) return `size-${1 + (sizes.length <= 4 ? place : Math.floor((4 * place) / sizes.length))}`;
    if (action === largest || action.startsWith("a")) return "size-5";
    return action.startsWith("f") ? "fold" : "call";
  });
}

/** The CSS background for one of these names. */
export function background(name) {
  return `var(--action-${name}-fill, var(--action-${name}))`;
}

/** The computed colour of a variable, for canvases. */
export function colourOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colour of a number between two others; where all are one, the middle. */
export function heatOf(value, low, high) {
  return heat(high > low ? (value - low) / (high - low) : 0.5);
}

/** From 0 (low) to 1 (high) as a colour, for heat maps: red over grey to blue. */
export function heat(share) {
  const part = Math.round(200 * Math.abs(Math.min(1, Math.max(0, share)) - 0.5));
  return `color-mix(in oklab, var(--heat-${share < 0.5 ? "low" : "high"}) ${part}%, var(--heat-middle))`;
}
