// The 13 × 13 matrix of hand classes, as bars of actions whose height is the weight.
import { html, useRef, useState } from "/static/vendor/preact-htm.js";
import { RANKS } from "./cards.js";
import { background } from "./colours.js";
import { NARROW, useMedia } from "./media.js";

/** The hand classes row by row: pairs on the diagonal, suited above it. */
export const CLASSES = [...RANKS].flatMap((high, row) =>
  [...RANKS].map((low, column) => (row === column ? high + low : row < column ? `${high}${low}s` : `${low}${high}o`)));

/**
 * `cells` is a list of 169, row by row, or a map by class: `{weight, parts, text, title}` with
 * `weight` from 0 to 1, `parts` the share of each action, `text` a number for the corner. A cell
 * that is missing or whose weight is 0 is grey. `colours` are the names of `actionColours`. With
 * `hands`, a list of the same for each combo, the suits stand apart in the cell; `corner` marks it.
 * `look` is a class of its own, as `heated` for cells in one colour with a larger number.
 * `onPick(class, event)` is called for a click or Enter, `onHover(class or null)` while pointed at.
 */
export function Matrix({ cells, colours = ["size-2"], chosen = null, onPick, onHover, label = "Hands", look = "" }) {
  const grid = useRef();
  const byPlace = Array.isArray(cells);
  const move = (event) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const all = [...grid.current.querySelectorAll(".cell")];
    const place = all.indexOf(event.target);
    const row = Math.floor(place / 13) + step[0], column = (place % 13) + step[1];
    event.preventDefault();
    event.stopPropagation();
    if (place < 0 || row < 0 || row > 12 || column < 0 || column > 12) return;
    all[13 * row + column].focus();
  };
  return html`<${Zoomable} label=${label}><div class=${`matrix ${look}`} role="grid" aria-label=${label} ref=${grid} onKeyDown=${move} onMouseLeave=${() => onHover?.(null)}>
    ${[...RANKS].map((_, row) => html`<div role="row" class="matrix-row">
      ${[...RANKS].map((_, column) => {
        const place = 13 * row + column, name = CLASSES[place];
        const cell = byPlace ? cells[place] : cells[name];
        return html`<${Cell} key=${name} name=${name} cell=${cell} colours=${colours} chosen=${chosen === name}
          first=${chosen ? chosen === name : place === 0} onPick=${onPick} onHover=${onHover} />`;
      })}</div>`)}
  </div><//>`;
}

/** On a telephone a matrix can be made so large that its hands are read and hit; elsewhere it stays as it is. */
export function Zoomable({ label, children }) {
  const narrow = useMedia(NARROW);
  const [large, setLarge] = useState(false);
  if (!narrow) return children;
  return html`<div class=${`matrix-box${large ? " large" : ""}`}>
    <button type="button" class="zoom" aria-pressed=${large} aria-label=${`Zoom: ${label}`} onClick=${() => setLarge(!large)}>Zoom</button>
    <div class="matrix-scroll">${children}</div></div>`;
}

function Cell({ name, cell, colours, chosen, first, onPick, onHover }) {
  const weight = cell?.weight ?? 0;
  const empty = !(weight > 0);
  return html`<button type="button" role="gridcell" tabindex=${first ? 0 : -1} class=${`cell${empty ? " empty" : ""}${chosen ? " chosen" : ""}${cell?.corner ? " marked" : ""}`}
    aria-selected=${chosen} aria-label=${cell?.title ?? (empty ? `${name}: no hand` : `${name}: ${Math.round(100 * weight)}%`)}
    title=${cell?.title} onClick=${(event) => onPick?.(name, event)} onMouseEnter=${() => onHover?.(name)} onFocus=${() => onHover?.(name)}>
    ${!empty && cell.hands && html`<span class=${`cell-hands of-${cell.hands.length}`}>
      ${cell.hands.map((hand) => html`<span class="cell-hand" key=${hand.name}><${Bars} cell=${hand} colours=${colours} /></span>`)}</span>`}
    ${!empty && !cell.hands && html`<${Bars} cell=${cell} colours=${colours} />`}
    <span class="cell-name">${name}</span>
    ${cell?.text !== undefined && cell?.text !== null && html`<span class="cell-text">${cell.text}</span>`}
  </button>`;
}

function Bars({ cell, colours }) {
  if (!(cell.weight > 0)) return null;
  return html`<span class="bars" style=${{ height: `${Math.max(4, 100 * Math.min(1, cell.weight))}%` }}>
      ${(cell.parts ?? [1]).map((share, action) => share > 0 && html`<span class="bar" key=${action}
        style=${{ flexGrow: share, background: cell.fills?.[action] ?? background(colours[action]) }} />`)}
  </span>`;
}

/** A range in miniature: 169 digits from 0 to 9, drawn as one picture. */
export function Miniature({ levels, label }) {
  const size = 3;
  const paths = {};
  [...levels].forEach((level, place) => {
    if (level === "0") return;
    const x = size * (place % 13), y = size * Math.floor(place / 13);
    paths[level] = (paths[level] ?? "") + `M${x} ${y}h${size}v${size}h-${size}z`;
  });
  return html`<svg class="miniature" viewBox="0 0 39 39" role="img" aria-label=${label}>
    ${Object.entries(paths).map(([level, path]) => html`<path key=${level} d=${path} style=${{ opacity: 0.15 + (0.85 * level) / 9 }} />`)}
  </svg>`;
}
