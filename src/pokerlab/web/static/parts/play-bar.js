// What is done, as one stacked bar in the colours of the actions.
import { html } from "/static/vendor/preact-htm.js";
import { background } from "./colours.js";

/** `shares` of 1 by action, which may be null; `names` and `colours` in the same order. */
export function PlayBar({ shares, names, colours }) {
  const words = shares.map((share, place) => share > 0 && `${names[place]} ${(100 * share).toFixed(0)}%`).filter(Boolean).join(", ");
  return html`<span class="play-bar" role="img" aria-label=${words || "not played"} title=${words}>${shares.map((share, place) => share > 0
    && html`<span key=${place} style=${{ flexGrow: share, background: background(colours[place]) }} />`)}</span>`;
}
