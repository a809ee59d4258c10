// The grade of a decision: its mark and its word.
import { html } from "/static/vendor/preact-htm.js";

const MARKS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??", "too slow": "…" };

export function Grade({ grade }) {
  return html`<span class=${`grade grade-${grade.replace(" ", "-")}`}><i aria-hidden="true">${MARKS[grade]}</i>${grade === "too slow" ? "Too slow" : grade}</span>`;
}
