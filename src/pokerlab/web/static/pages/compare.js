// Compare: two solutions of a spot at a line; A, B, and what differs.
import { html, useMemo, useState } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board, HandText } from "../parts/cards.js";
import { actionColours, heat } from "../parts/colours.js";
import { HeatLegend } from "../parts/heat-legend.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { CLASSES, Matrix } from "../parts/matrix.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { Table } from "../parts/table.js";
import { Copyable } from "./study/copy.js";
import { Sentence } from "./study/gain.js";
import { Bar } from "./study/hands.js";
import { Steps } from "./study/steps.js";
import { useUnits } from "../parts/units.js";
import { percent, possible } from "./study/sums.js";

const points = (change) => (change === null || change === undefined ? "–" : Math.abs(change) < 0.0005 ? "0.0" : `${change > 0 ? "+" : "−"}${Math.abs(100 * change).toFixed(1)}`);

/** As few digits as fit into a cell. */
const brief = (change, units) => (Number(units.brief(change)) === 0 ? "0" : `${change >= 0 ? "+" : "−"}${units.brief(change)}`);
const short = (name) => name.replace(/\.safetensors$/, "");

export default function Compare({ params, query }) {
  const line = query.line ?? "";
  const { data, error, loading } = useLatest(`/api/compare/${params.first}/${params.second}?line=${encodeURIComponent(line)}`);
  if (error && !data) return html`<section class="narrow"><h1>No comparison</h1><p class="error">${error.message}</p>
    <div class="buttons">${line && html`<button type="button" onClick=${() => setQuery({ line: null })}>To the first decision</button>`}
    <${Link} class="button" href=${`/solution/${params.first}`}>To the solution<//></div></section>`;
  if (!data) return html`<p class="nothing" role="status">Comparing…</p>`;
  return html`<${Both} params=${params} data=${data} late=${loading} show=${query.show} losses=${query.losses} />`;
}

function Both({ params, data, late, show, losses }) {
  const [open, setOpen] = useState(Boolean(losses));
  const spotUnits = useUnits(data.money);
  const units = useMemo(() => spotUnits.of(data.pot), [spotUnits, data.pot]);
  const goTo = (line) => setQuery({ line });
  const decides = data.kind === "decision";
  const colours = useMemo(() => actionColours(data.actions ?? []), [data]);
  const shown = decides && (data.actions.includes(show) || show === "ev") ? show : decides ? largest(data) : null;
  useKeys({
    Backspace: [() => goTo(data.line.split("/").slice(0, -1).join("/")), "one step back"],
    s: [() => go(`/compare/${params.second}/${params.first}?line=${data.line}`), "exchange A and B"],
    ...Object.fromEntries((data.options ?? []).slice(0, 9).map((option, place) => [String(place + 1), [() => goTo(option.line), "an action"]])),
  });
  return html`<div class=${`study compare${late ? " late" : ""}`} data-line=${data.line}>
    <div class="page-head study-head"><h1><${Link} href=${`/solution/${params.first}?line=${data.line}`}>${short(data.names[0])}<//> <span class="quiet-text">and</span> <${Link} href=${`/solution/${params.second}?line=${data.line}`}>${short(data.names[1])}<//></h1>
      <${Board} board=${data.board.join("")} small /><span class="space" />
      <button type="button" title="S" onClick=${() => go(`/compare/${params.second}/${params.first}?line=${data.line}`)}>Exchange</button></div>
    <${Steps} units=${spotUnits} node=${data} start=${data.start} onGo=${goTo} />
    ${data.gain && html`<div class="gain" role="note" aria-label="What the locks are worth"><span><${Sentence} parts=${data.gain.parts} units=${spotUnits} /></span></div>`}
    ${data.locked_lines.some((lines) => lines.length > 0) && html`<div class="locked-lines">${data.locked_lines.map((lines, side) => lines.length > 0 && html`<${LockedLines} key=${side} side=${"AB"[side]} lines=${lines} at=${data.line} onGo=${goTo} />`)}</div>`}
    ${decides && data.reached.includes(false) && html`<p class="never" role="status"><b>Never reached${data.reached.every((each) => !each) ? "" : ` in ${data.reached[0] ? "B" : "A"}`}.</b> There is no play to compare.</p>`}
    ${!decides ? html`<p class="nothing">${spotUnits.words(data.text) ?? "Choose the card that comes."}</p>` : html`
      <div class="three">
        <section><h2>A <small class="quiet-text">ε ${spotUnits.gap(data.epsilon[0])}</small></h2><${Matrix} label="Hands of A" cells=${sideCells(data, 0, units)} colours=${colours} /></section>
        <section><h2>B <small class="quiet-text">ε ${spotUnits.gap(data.epsilon[1])}</small></h2><${Matrix} label="Hands of B" cells=${sideCells(data, 1, units)} colours=${colours} /></section>
        <section><div class="row"><h2>B − A</h2><div class="segments" role="group" aria-label="What the difference is of">${[...data.actions, "ev"].map((each) => html`<button type="button"
            key=${each} aria-pressed=${shown === each} onClick=${() => setQuery({ show: each }, { replace: true })}>${each === "ev" ? "EV" : each}</button>`)}</div></div>
          <${Matrix} look="heated" label="Difference" cells=${differenceCells(data, shown, units)} />
          <${HeatLegend} low=${-most(data, shown)} high=${most(data, shown)} title=${shown === "ev" ? `EV, ${units.long}` : "percentage points"} write=${shown === "ev" ? units.signed : points} /></section>
      </div>
      ${data.locked.some((classes) => classes.length > 0) && html`<p class="small quiet-text corner-legend"><span class="corner-sample" aria-hidden="true" /> in A or B: a hand that is locked, in whole or in part${shown === "ev" ? "; in B − A: the change of EV exceeds both ε" : ""}</p>`}
      <${Totals} units=${units} data=${data} colours=${colours} />
      <section class="panel flush"><${Changes} units=${units} data=${data} colours=${colours} /></section>`}
    <details class="panel" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Where B loses against A</summary>
      ${open && html`<${Lazy} load=${() => import("./compare-losses.js")} sheet="/static/pages/study/simple.css" first=${params.first} second=${params.second} task=${losses}
        money=${data.money} units=${spotUnits} onGo=${goTo} />`}</details>
    <footer class="study-foot"><span>Both ε together: ${spotUnits.gap(data.epsilon[0] + data.epsilon[1])}; changes of EV that are larger are marked: <span class="badge warn">!</span> or a corner</span>
      <span class="space" /><${Copyable} text=${data.command} /></footer>
  </div>`;
}

const FEW_LINES = 6;

/** The locks of a solution, each a way to its decision. */
function LockedLines({ side, lines, at, onGo }) {
  const [all, setAll] = useState(false);
  return html`<p class="small"><span class="badge warn">locked in ${side}</span> ${(all ? lines : lines.slice(0, FEW_LINES)).map((lock) => html`<button type="button" key=${lock.line} class="part" aria-current=${lock.look === at ? "true" : undefined}
      title=${lock.weight < 1 ? `With weight ${lock.weight.toFixed(2)}` : undefined} onClick=${() => onGo(lock.look)}><b>${lock.player.toUpperCase()}</b> ${lock.words}</button>`)}
    ${lines.length > FEW_LINES && !all && html`<button type="button" class="part" onClick=${() => setAll(true)}>and ${lines.length - FEW_LINES} more</button>`}</p>`;
}

/** The action whose frequency changed most. */
function largest(data) {
  const sizes = data.total.changes.map(Math.abs);
  return data.actions[sizes.indexOf(Math.max(...sizes))];
}

function sideCells(data, side, units) {
  const combos = possible(data.board, CLASSES);
  const shares = CLASSES.map((name, place) => (data.classes[name]?.weights[side] ?? 0) / Math.max(combos[place], 1));
  const highest = Math.max(...shares, 1e-9);
  return CLASSES.map((name, place) => {
    const part = data.classes[name];
    if (!part || !(part.weights[side] > 0)) return null;
    return { weight: shares[place] / highest, parts: part.frequencies[side], corner: data.locked[side].includes(name),
      title: `${name}: ${data.actions.map((action, place) => `${action} ${percent(part.frequencies[side][place])}`).join(", ")}; EV ${units.text(part.evs[side])}${data.locked[side].includes(name) ? "; locked" : ""}` };
  });
}

/** The largest difference that the colours show: all points, or the largest change of EV. */
function most(data, shown) {
  return shown === "ev" ? Math.max(...Object.values(data.classes).map((part) => Math.abs(part.ev_change ?? 0)), 1e-9) : 1;
}

function differenceCells(data, shown, units) {
  const place = data.actions.indexOf(shown);
  const change = (part) => (shown === "ev" ? part.ev_change : part.changes[place]);
  const end = most(data, shown);
  return CLASSES.map((name) => {
    const part = data.reached.includes(false) ? null : data.classes[name];
    const moved = part ? change(part) : null;
    if (moved === null || moved === undefined) return null;
    return { weight: 1, parts: [1], fills: [heat(0.5 + moved / end / 2)],
      text: shown === "ev" ? brief(moved, units) : Math.abs(moved) < 0.005 ? "" : `${moved > 0 ? "+" : "−"}${Math.abs(100 * moved).toFixed(0)}`, corner: shown === "ev" && part.exceeds,
      title: `${name}: ${shown === "ev" ? units.signed(moved) : `${points(moved)} points`}` };
  });
}

function Totals({ units, data, colours }) {
  return html`<section class="panel"><table class="data" aria-label="The whole range"><thead><tr><th>${data.player.toUpperCase()}</th><th />
      ${data.actions.map((action) => html`<th class="number">${action}</th>`)}<th class="number">EV${units.heading}</th></tr></thead>
    <tbody>${["A", "B"].map((side, place) => html`<tr key=${side}><td><b>${side}</b> ${short(data.names[place])}</td><td><${Bar} shares=${data.total.frequencies[place]} colours=${colours} /></td>
      ${data.total.frequencies[place].map((share, action) => html`<td class="number">${!data.reached[place] ? "–" : data.missing[place].includes(data.actions[action]) ? "no such action" : percent(share)}</td>`)}
      <td class="number">${units.write(data.total.evs[place])}</td></tr>`)}
      ${!data.reached.includes(false) && html`<tr class="change"><td><b>Change</b></td><td />${data.total.changes.map((change) => html`<td class="number">${points(change)}</td>`)}
        <td class="number">${units.signed(data.total.ev_change)} ${data.total.exceeds ? html`<span class="badge warn" title="More than both ε together">exceeds both ε</span>` : html`<span class="badge">within ε</span>`}</td></tr>`}
    </tbody></table></section>`;
}

function Changes({ units, data, colours }) {
  const columns = [
    { key: "hand", title: "Hand", value: (row) => row.hand, cell: (row) => html`<${HandText} hand=${row.hand} />` },
    { key: "a", title: "A", sortable: false, cell: (row) => html`<${Bar} shares=${row.strategies[0]} colours=${colours} />` },
    { key: "b", title: "B", sortable: false, cell: (row) => html`<${Bar} shares=${row.strategies[1]} colours=${colours} />` },
    { key: "moved", title: "Plays otherwise", number: true, value: (row) => row.moved, cell: (row) => percent(row.moved) },
    ...data.actions.map((action, place) => ({ key: action, title: action, number: true, help: "Change in percentage points", value: (row) => row.strategies[1][place] - row.strategies[0][place], cell: (row) => points(row.strategies[1][place] - row.strategies[0][place]) })),
    { key: "ev a", title: `EV A${units.heading}`, number: true, value: (row) => row.evs[0], cell: (row) => units.write(row.evs[0]) },
    { key: "ev b", title: `EV B${units.heading}`, number: true, value: (row) => row.evs[1], cell: (row) => units.write(row.evs[1]) },
    { key: "change", title: "Change", number: true, value: (row) => row.ev_change, cell: (row) => html`${units.signed(row.ev_change)} ${row.exceeds ? html`<span class="badge warn" title="More than both ε together">!</span>` : ""}` },
  ];
  return html`<${Table} label="Changes" columns=${columns} rows=${data.hands} rowKey=${(row) => row.hand} empty="Nothing differs here." />`;
}
