// Stacked bars of what is done on each flop, by classes of flops and sorted by a column.
import { html, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { HandText, splitCards, SYMBOLS } from "../../parts/cards.js";
import { background } from "../../parts/colours.js";
import { show } from "./rows.js";

const NAMED = 40;

export function Bars({ report, rows, groups, features, colours, column, share, onOpen }) {
  const [pointed, setPointed] = useState(null);
  const chart = useRef();
  const { ordered, parts } = useMemo(() => arrange(rows, groups, features, column), [rows, groups, features.join(), column]);
  const paths = useMemo(() => drawn(ordered, report.actions), [ordered, report]);
  const at = (event) => {
    const box = chart.current.getBoundingClientRect();
    const place = Math.floor(((event.clientX - box.left) / box.width) * ordered.length);
    return ordered[Math.max(0, Math.min(ordered.length - 1, place))];
  };
  const row = pointed && ordered.includes(pointed) ? pointed : null;
  return html`<div class="bars-picture">
    <p class="pointed small" aria-live="off">${row ? html`<${HandText} hand=${row.board} /> <span class="quiet-text">${row.texture}</span>
      ${report.actions.map((action, place) => html`<span class="nowrap" key=${action}><span class="swatch" style=${{ background: background(colours[place]) }} /> ${show(row[action], true)}</span>`)}
      ${!report.actions.includes(column) && html`<span class="nowrap quiet-text">${column.replace("_", " ")} ${show(row[column], share, report.units)}</span>`}`
      : html`<span class="quiet-text">Point at a bar; a click opens the board.</span>`}</p>
    <svg ref=${chart} class="bars-chart" viewBox=${`0 0 ${ordered.length} 100`} preserveAspectRatio="none" role="img"
      aria-label=${`Frequencies of ${report.words.join(", ")} on ${ordered.length} boards`}
      onMouseMove=${(event) => setPointed(at(event))} onMouseLeave=${() => setPointed(null)} onClick=${(event) => onOpen(at(event).board)}>
      ${paths.map((path, place) => html`<path key=${place} d=${path} style=${{ fill: `var(--action-${colours[place]})` }} />`)}
      ${parts.slice(1).map((part) => html`<path key=${part.start} class="divider" d=${`M${part.start} 0v100`} />`)}
      ${row && html`<rect class="pointer" x=${ordered.indexOf(row)} y="0" width="1" height="100" />`}
    </svg>
    ${parts.length > 1 ? html`<div class="bar-groups">${parts.map((part) => html`<span key=${part.name} style=${{ flexGrow: part.count }} title=${`${part.name}: ${part.count} boards`}>${part.name}</span>`)}</div>`
      : ordered.length <= NAMED && html`<div class="bar-names">${ordered.map((each) => html`<button type="button" class="quiet" key=${each.board} aria-label=${each.board} onClick=${() => onOpen(each.board)}>
        ${splitCards(each.board).map((card) => html`<span class=${`suit-${card[1]}`}>${card[0]}${SYMBOLS[card[1]]}</span>`)}</button>`)}</div>`}
  </div>`;
}

/** Rows by class of flops, in the order of the classes; inside of each by the column, the largest first. */
function arrange(rows, groups, features, column) {
  const place = new Map(groups.map((group) => [group.name, group.place]));
  const nameOf = (row) => features.map((feature) => row[feature]).join(" ");
  const value = (row) => row[column] ?? -Infinity;
  const ordered = [...rows].sort((a, b) => (place.get(nameOf(a)) ?? 0) - (place.get(nameOf(b)) ?? 0) || value(b) - value(a));
  const parts = [];
  if (groups.length) {
    ordered.forEach((row, start) => {
      const name = nameOf(row);
      if (parts.at(-1)?.name === name) parts.at(-1).count += 1;
      else parts.push({ name, start, count: 1 });
    });
  }
  return { ordered, parts };
}

/** For each action one path of all its parts of bars; the first action stands at the bottom. */
function drawn(rows, actions) {
  const paths = actions.map(() => []);
  const gap = rows.length <= 200 ? 0.12 : 0;
  rows.forEach((row, place) => {
    let below = 0;
    actions.forEach((action, number) => {
      const high = 100 * (row[action] ?? 0);
      if (high > 0.05) paths[number].push(`M${place} ${(100 - below - high).toFixed(1)}h${1 - gap}v${high.toFixed(1)}h-${1 - gap}z`);
      below += high;
    });
  });
  return paths.map((each) => each.join(""));
}
