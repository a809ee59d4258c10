// The legend of a heat map: what the colours at both ends and in the middle mean.
import { html } from "/static/vendor/preact-htm.js";
import { heat } from "./colours.js";

export function HeatLegend({ low, high, write, title }) {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  return html`<div class="heat-legend small" role="img" aria-label=${`${title}: from ${write(low)} to ${write(high)}`}><span class="quiet-text">${title}</span><span>${write(low)}</span>
    <span class="ramp" style=${{ background: `linear-gradient(to right, ${heat(0)}, ${heat(0.5)}, ${heat(1)})` }} /><span>${write(high)}</span></div>`;
}
