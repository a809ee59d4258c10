// Beside the matrices: how often each action is taken, a hand, and how exact the chart is.
import { html } from "/static/vendor/preact-htm.js";
import { background } from "../../parts/colours.js";
import { percent } from "../study/sums.js";

/** The actions of the decision, and what both ranges win. */
export function Totals({ units, once, node, colours, onGo }) {
  return html`<section class="panel"><table class="data totals" aria-label="Actions"><thead><tr><th>Action</th><th class="number">Taken</th><th class="number">Combos</th></tr></thead>
    <tbody>${node.options.map((option, place) => html`<tr key=${option.action}><td><button type="button" class="part" onClick=${() => onGo(option.line)}><span class="swatch" style=${{ background: background(colours[place]) }} /> ${units.words(option.name)}</button></td>
      <td class="number">${percent(option.frequency)}</td><td class="number">${option.frequency === null ? "–" : (option.frequency * node.combos[node.seat]).toFixed(1)}</td></tr>`)}</tbody></table>
    <table class="data totals" aria-label="Both ranges"><thead><tr><th>Range</th><th class="number">Combos</th><th class="number" title=${units.missing || "From the beginning of the hand"}>EV${units.heading}</th></tr></thead>
    <tbody>${once.players.map((player, seat) => html`<tr key=${player} class=${seat === node.seat ? "chosen" : ""}><td>${player}${seat === node.seat ? " · to act" : ""}</td>
      <td class="number">${node.combos[seat].toFixed(1)}</td><td class="number">${units.write(node.totals[seat])}</td></tr>`)}</tbody></table></section>`;
}

/** A hand that is pointed at, or was chosen: what both players do with it, and win. */
export function Hand({ units, once, node, name, colours }) {
  const place = once.classes.indexOf(name);
  const decides = node.kind === "decision";
  if (place < 0) return html`<section class=${`panel${decides ? " chart-hand" : ""}`}><p class="small quiet-text">Point at a hand to see ${decides ? "its EVs" : "how often it arrives"}; a click keeps it.</p></section>`;
  return html`<section class=${`panel${decides ? " chart-hand" : ""}`} aria-label="Hand"><h2>${name} <span class="quiet-text small">${once.players.map((player, seat) => `${player} ${percent(node.reach[seat][place])}`).join(" · ")}</span></h2>
    ${decides && html`<table class="data totals"><thead><tr><th>${once.players[node.seat]}</th><th class="number">Taken</th><th class="number" title="From the beginning of the hand">EV${units.heading}</th></tr></thead>
      <tbody>${node.options.map((option, action) => html`<tr key=${option.action}><td><span class="swatch" style=${{ background: background(colours[action]) }} /> ${units.words(option.name)}</td>
        <td class="number">${percent(node.strategy[action][place])}</td><td class="number">${units.write(node.action_ev[action][place])}</td></tr>`)}</tbody></table>`}</section>`;
}

/** What an exact solution leaves is rounding. */
export function gapOf(units, bb) {
  return bb < 1e-6 ? "below 0.001 mbb" : units.gap(bb);
}

/** ε in its parts, and how the chart was solved. */
export function Exactness({ units, once }) {
  return html`<section class="panel exactness"><h2>Exploitability</h2>
    <table class="data totals" aria-label="Exploitability"><tbody><tr><td><b>ε</b>${once.parts.length ? ", inside the subset" : ""}</td><td class="number"><b>${gapOf(units, once.exploitability)}</b></td></tr>
      ${once.parts.map((part) => html`<tr key=${part.name} title=${part.help}><td>${part.name}</td><td class="number">${units.gap(part.bb)}</td></tr>`)}</tbody></table>
    <details><summary class="small">How it was solved</summary><dl class="chart-solve small">${once.solve.map(([name, words]) => html`<dt key=${name}>${name}</dt><dd>${words}</dd>`)}</dl></details></section>`;
}
