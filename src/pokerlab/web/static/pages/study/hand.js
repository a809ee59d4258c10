// A hand's panel: what its combos earn, what they beat, what they block; a second hand pinned beside it.
import { html, useMemo } from "/static/vendor/preact-htm.js";
import { useLatest } from "../../parts/api.js";
import { HandText, splitCards } from "../../parts/cards.js";
import { actionColours } from "../../parts/colours.js";
import { setQuery } from "../../parts/navigation.js";
import { Bar } from "./hands.js";
import { actionWords, percent } from "./sums.js";

const MOST_WHOLE = 16;

/** `player` is whose hands they are; the hand and the pinned one stand in the address. */
export default function HandPanel({ units, id, node, player, query, colours, onClose }) {
  const hand = query.hand ?? "", pinned = query.pin ?? "";
  if (node.kind !== "decision") return html`<p class="nothing">Nobody decides here.</p>`;
  if (!hand && !pinned) return html`<p class="nothing">Choose a hand: a click in the matrix, or Enter.</p>`;
  const shown = [...new Set([pinned, hand])].filter(Boolean);
  const common = { units, id, node, player, colours, pinned, filter: query.filter ?? "" };
  return html`<div class=${`hand-sheet of-${shown.length}`} role="region" aria-label="The hand's panel">
    <div class="row hand-sheet-head"><b>${player.toUpperCase()}</b><span class="quiet-text small">${node.board.length < 5 ? "What it beats is counted on the board as it lies." : ""}</span><span class="space" />
      <button type="button" class="quiet icon" aria-label="Close the hand" title="Esc" onClick=${onClose}>✕</button></div>
    <div class="hand-cards">${shown.map((each) => html`<${HandCard} key=${each} hand=${each} ...${common} />`)}</div>
  </div>`;
}

function HandCard({ units, id, node, player, hand, pinned, filter, colours }) {
  const { data, error, loading } = useLatest(`/api/solutions/${id}/hand?${new URLSearchParams({ line: node.line, player, hand })}`);
  const isPinned = hand === pinned;
  const pin = () => setQuery({ pin: isPinned ? null : hand }, { replace: true });
  const text = splitCards(hand).length === 2 ? html`<${HandText} hand=${hand} />` : hand;
  return html`<article class="hand-card" data-hand=${hand} data-state=${loading ? "late" : "here"} aria-label=${hand}>
    <div class="row"><h2>${text}</h2>
      <span class="quiet-text small">${data?.total ? `${data.total.weight.toFixed(2)} combos` : ""}</span><span class="space" />
      <button type="button" class="tiny-button" aria-pressed=${isPinned} title="Keep it here beside the next hand" onClick=${pin}>${isPinned ? "Pinned" : "Pin"}</button>
      <button type="button" class="tiny-button" aria-pressed=${filter === hand} title="Show this hand alone, in all views" onClick=${() => setQuery({ filter: filter === hand ? null : hand }, { replace: true })}>Alone</button></div>
    ${error && html`<p class="error small" role="alert">${error.message}</p>`}
    ${data && (data.total ? html`
      <${Combos} data=${data} units=${units} node=${node} colours=${colours} hand=${hand} />
      <${Beaten} data=${data} />
      ${data.responses.map((response) => html`<${Response} key=${response.line} response=${response} data=${data} units=${units} node=${node} />`)}
      <${Blocked} data=${data} />` : html`<p class="nothing">No combo of ${hand} arrives here.</p>`)}
  </article>`;
}

function Combos({ data, units, node, colours, hand }) {
  const options = data.actions.length ? node.options : [];
  const best = (row, place) => row.action_ev.length > 1 && row.action_ev.every((ev) => ev <= row.action_ev[place]);
  const cells = (row) => html`${options.length > 0 && html`<td><${Bar} shares=${row.strategy} colours=${colours} /></td>`}
    <td class="number hand-weight">${percent(row.weight)}</td>
    <td class="number">${units.write(row.ev)}</td><td class="number">${percent(row.equity)}</td>
    ${options.map((option, place) => html`<td key=${option.action} class="number" title=${`${units.words(option.name)} ${percent(row.strategy[place])}`}><span class=${best(row, place) ? "best" : ""}>${units.write(row.action_ev[place])}</span> <small>${percent(row.strategy[place], 0)}</small></td>`)}`;
  return html`<div class="table-box"><table class="data" aria-label=${`Combos of ${hand}`}>
    <thead><tr><th>Combo</th>${options.length > 0 && html`<th></th>`}<th class="number hand-weight">Weight</th>
      <th class="number" title=${units.missing || `In ${units.long}`}>EV${units.heading}</th><th class="number">Equity</th>
      ${options.map((option) => html`<th key=${option.action} class="number" title=${`EV of ${units.words(option.name)}, and how often it is taken`}>EV ${option.action}</th>`)}</tr></thead>
    <tbody>${data.combos.length > 1 && html`<tr class="hand-all"><td><b>All</b></td>${cells({ ...data.total, weight: data.total.weight / data.combos.length })}</tr>`}
      ${data.combos.map((row) => html`<tr key=${row.name}><td>${data.combos.length > 1
        ? html`<button type="button" class="part" title="This combo alone" onClick=${() => setQuery({ hand: row.name }, { replace: true })}><${HandText} hand=${row.name} /></button>`
        : html`<${HandText} hand=${row.name} />`}</td>${cells(row)}</tr>`)}</tbody></table></div>`;
}

const PARTS = { beats: "Beats", ties: "Ties", loses: "Loses to" };

function Beaten({ data }) {
  if (!(data.combos_met > 0)) return html`<p class="quiet-text small">It meets no hand of ${data.opponent.toUpperCase()}.</p>`;
  const bar = (row) => html`<span class="beaten-bar" aria-hidden="true">${Object.keys(PARTS).map((name) => row[name] > 0 && html`<span key=${name} class=${name} style=${{ flexGrow: row[name] }} />`)}</span>`;
  return html`<section><h3>Against the range of ${data.opponent.toUpperCase()}</h3>
    <div class="row beaten-sums">${Object.entries(PARTS).map(([name, words]) => html`<span key=${name} class="small"><i class=${`beaten-key ${name}`} aria-hidden="true" />${words} <b>${percent(data.showdown[name])}</b></span>`)}</div>
    ${bar(data.showdown)}
    <details><summary class="small">By made hand</summary>
    <div class="table-box"><table class="data" aria-label=${`What ${data.hand} beats`}><thead><tr><th>Made hand</th>${Object.values(PARTS).map((words) => html`<th class="number" key=${words}>${words}</th>`)}</tr></thead>
      <tbody>${data.made.map((row) => html`<tr key=${row.name}><td>${row.name.replaceAll("-", " ")}</td>${Object.keys(PARTS).map((name) => html`<td class="number" key=${name}>${row[name] > 0 ? percent(row[name]) : ""}</td>`)}</tr>`)}</tbody></table></div></details></section>`;
}

function Response({ response, data, units, node }) {
  const colours = useMemo(() => actionColours(response.actions.map((each) => each.action)), [response]);
  const option = node.options.find((each) => each.action === response.after);
  const other = response.player.toUpperCase();
  const moved = (row) => (row.against === null ? null : row.against - row.frequency);
  return html`<section><h3>${response.after ? `${other} after ${units.words(option.name)}` : `${other} here`}</h3>
    <div class="table-box"><table class="data" aria-label=${`${other} after ${response.after ?? "nothing"}, against ${data.hand}`}>
      <thead><tr><th>Action</th><th class="number" title="Against all hands that are here">All</th><th class="number" title="Against this hand, whose cards they cannot have">Against it</th>
        <th class="number" title="Percentage points">Change</th><th class="number" title="The part of the hands with this action that these cards take away">Blocked</th></tr></thead>
      <tbody>${response.actions.map((row, place) => html`<tr key=${row.action}><td><${Bar} shares=${[1]} colours=${[colours[place]]} /> ${units.words(actionWords(row.action))}</td>
        <td class="number">${percent(row.frequency)}</td><td class="number">${percent(row.against)}</td><td class="number">${signed(moved(row))}</td><td class="number">${percent(row.blocked)}</td></tr>`)}</tbody></table></div></section>`;
}

function signed(share) {
  if (share === null) return "–";
  const points = (100 * share).toFixed(1);
  return Number(points) > 0 ? `+${points}` : points.replace("-", "−").replace(/^−0\.0$/, "0.0");
}

function Blocked({ data }) {
  const { combos_met: met, combos_opposing: whole, blocked, unblocked } = data;
  if (!(whole > 0)) return null;
  const more = unblocked.length - MOST_WHOLE;
  return html`<section><h3>Blocks ${percent((whole - met) / whole)} of the range</h3>
    <p class="small blocked-list">${blocked.map((row) => html`<span key=${row.name} title=${`${row.combos.toFixed(2)} combos, ${row.left.toFixed(2)} left`}>${row.name} −${percent((row.combos - row.left) / row.combos, 0)}</span> `)}</p>
    ${unblocked.length > 0 && html`<p class="small quiet-text">Leaves whole: ${unblocked.slice(0, MOST_WHOLE).join(", ")}${more > 0 ? ` and ${more} more` : ""}</p>`}</section>`;
}
