// A map of all flops: a panel for each high card, a field for each flop.
import { html, useMemo, useState } from "/static/vendor/preact-htm.js";
import { HandText, RANKS } from "../../parts/cards.js";
import { heat } from "../../parts/colours.js";
import { show } from "./rows.js";

const CELL = 4;
const FIELD = 5.2; // pixels of a field

export function FlopMap({ report, rows, column, share, title, onOpen }) {
  const [pointed, setPointed] = useState(null);
  const { panels, low, high } = useMemo(() => arrange(rows, column), [rows, column]);
  return html`<div class="flop-map">
    <p class="pointed small">${pointed ? html`<${HandText} hand=${pointed.board} /> <b>${show(pointed[column], share, report.units)}</b> <span class="quiet-text">${pointed.texture}</span>`
      : html`<span class="quiet-text">A panel for each high card; in it the middle card across and the low card down; in a cell rainbow on top, two-tone, monotone below.</span>`}</p>
    <div class="panels">${panels.map(({ rank, fields }) => {
      const size = CELL * (rank + 1) - 1;
      const names = [...RANKS].slice(12 - rank);
      return html`<figure key=${rank}><figcaption>${names[0]} high</figcaption>
        <svg viewBox=${`-3 -3 ${size + 3} ${size + 3}`} width=${FIELD * (size + 3)} height=${FIELD * (size + 3)} role="img" aria-label=${`${title}, flops with ${names[0]} as the high card`}
          onMouseOver=${(event) => setPointed(fields[event.target.dataset.place] ?? null)} onMouseLeave=${() => setPointed(null)}
          onClick=${(event) => fields[event.target.dataset.place] && onOpen(fields[event.target.dataset.place].board)}>
          ${names.map((name, place) => html`<text x=${CELL * place + 1.5} y="-0.8" text-anchor="middle">${name}</text><text x="-1.6" y=${CELL * place + 2.3} text-anchor="middle">${name}</text>`)}
          ${fields.map((row, place) => html`<rect key=${row.board} data-place=${place} x=${row.place[2]} y=${row.place[1]} width=${row.place[3]} height="1"
            style=${{ fill: row[column] === null ? "var(--matrix-empty)" : heat(high > low ? (row[column] - low) / (high - low) : 0.5) }} />`)}
        </svg></figure>`;
    })}</div>
    <div class="heat-legend small"><span>${show(low, share, report.units)}</span><span class="ramp" style=${{ background: `linear-gradient(to right, ${heat(0)}, ${heat(0.5)}, ${heat(1)})` }} /><span>${show(high, share, report.units)}</span></div>
  </div>`;
}

/** The flops of each high card, aces first, and the range of the numbers without the outermost hundredths. */
function arrange(rows, column) {
  const known = rows.map((row) => row[column]).filter((value) => value !== null).sort((a, b) => a - b);
  const at = (share) => known[Math.round(share * (known.length - 1))] ?? 0;
  const panels = [];
  for (let rank = 12; rank >= 0; rank -= 1) {
    const fields = rows.filter((row) => row.place?.[0] === rank);
    if (fields.length) panels.push({ rank, fields });
  }
  const cut = known.length > 200 ? 0.005 : 0;
  return { panels, low: at(cut), high: at(1 - cut) };
}
