// The grade of a decision: its mark and its word.
import { html } from "/static/vendor/preact-htm.js";

export const MARKS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??" };

export function Grade({ grade }) {
  return html`<span class=${`grade grade-${grade}`}><i aria-hidden="true">${MARKS[grade]}</i>${grade}</span>`;
}
