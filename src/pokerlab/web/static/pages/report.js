// The report of all next cards: a heat map and a table that fill as cards are computed.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get } from "../parts/api.js";
import { Board, Card, RANKS, SUITS, cardName } from "../parts/cards.js";
import { heat } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { Table } from "../parts/table.js";
import { useUnits } from "../parts/units.js";
import { percent } from "./study/sums.js";

const PLAYERS = ["OOP", "IP"];

/** What may be shown: a name, how to get it from a row, and how to write it. */
export function measures(report, units) {
  const seat = report.seat ?? 0;
  const found = [];
  for (const each of [seat, 1 - seat]) {
    found.push({ key: `${PLAYERS[each].toLowerCase()}_ev`, title: `EV ${PLAYERS[each]}${units.heading}`, value: (row) => row.ev[each], write: units.write, brief: units.brief });
    found.push({ key: `${PLAYERS[each].toLowerCase()}_equity`, title: `Equity ${PLAYERS[each]}`, value: (row) => row.equity[each], write: percent });
    found.push({ key: `${PLAYERS[each].toLowerCase()}_realised`, title: `Realised ${PLAYERS[each]}`, value: (row) => row.realisation[each], write: (value) => percent(value, 0) });
  }
  const actions = report.actions.map((action) => ({ key: action, title: action, value: (row) => row.actions[action], write: percent }));
  return [...actions, ...found];
}

export default function Report({ params, query }) {
  const line = query.line ?? "";
  const [report, setReport] = useState(null);
  const [done, setDone] = useState(false);
  const [error, setError] = useState(null);
  const [once, setOnce] = useState(null);
  const url = `/api/solutions/${params.id}/report?line=${encodeURIComponent(line)}`;
  useEffect(() => {
    const abort = new AbortController();
    setReport(null);
    setDone(false);
    setError(null);
    const fail = (problem) => abort.signal.aborted || setError(problem);
    get(`/api/solutions/${params.id}`, { signal: abort.signal }).then(setOnce, fail);
    readEvents(url, abort.signal, {
      rows: (part) => setReport((before) => (before ? { ...before, rows: [...before.rows, ...part.rows] } : part)),
      done: (whole) => { setReport(whole); setDone(true); },
    }).catch(fail);
    return () => abort.abort();
  }, [url]);
  if (error) return html`<section class="narrow"><h1>No report</h1><p class="error">${error.message}</p>
    <p><${Link} href=${`/solution/${params.id}`}>To the first decision<//></p></section>`;
  if (!report || !once) return html`<p class="nothing" role="status">The first cards are on their way…</p>`;
  return html`<${Shown} id=${params.id} name=${once.name.replace(/\.safetensors$/, "")} money=${once.money} line=${line} report=${report} done=${done} show=${query.show} />`;
}

/** Read a stream of events that ends; what is wrong with the line is an answer in its place. */
export async function readEvents(url, signal, handlers) {
  const answer = await fetch(url, { headers: { Accept: "text/event-stream" }, signal });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { value, done } = await reader.read();
    if (done || signal.aborted) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    for (const event of events) {
      const [name, data] = event.split("\n").map((each) => each.slice(each.indexOf(": ") + 2));
      handlers[name]?.(JSON.parse(data));
    }
  }
}

function Shown({ id, name, money, line, report, done, show }) {
  const spotUnits = useUnits(money);
  const units = useMemo(() => spotUnits.of(report.pot), [spotUnits, report.pot]);
  const all = useMemo(() => measures(report, units), [report.seat, report.actions.join(), units]);
  const shown = all.find((each) => each.key === show) ?? all[0];
  const deal = (row) => row?.line && go(`/solution/${id}?line=${row.line}`);
  // A line may go on after the card that it leaves out: back is where the card comes.
  const first = report.rows[0];
  const before = first?.line ? first.line.split(`/${first.card}`)[0] : line;
  const back = () => go(`/solution/${id}?line=${before}`);
  useKeys({ Backspace: [back, "back to the line"], e: [() => setQuery({ show: all[(all.indexOf(shown) + 1) % all.length].key }, { replace: true }), "what the map shows"] });
  const columns = [
    { key: "card", title: "Card", value: (row) => -order(row.card), cell: (row) => html`<button type="button" class="plain" disabled=${!row.line} aria-label=${`Deal the ${cardName(row.card)}`} onClick=${() => deal(row)}><${Card} card=${row.card} small /></button>` },
    { key: "weight", title: "Share", number: true, help: "How often it comes, of all times that the line is played", value: (row) => row.weight, cell: (row) => (done ? percent(row.weight, 2) : "…") },
    ...all.map((each) => ({ ...each, number: true, cell: (row) => each.write(each.value(row)) })),
    { key: "completes", title: "Does", value: (row) => row.completes.join(", "), cell: (row) => html`<span class="small quiet-text">${row.completes.join(", ")}</span>` },
  ];
  return html`<div class="report study" data-done=${String(done)}>
    <div class="page-head"><h1>${name}</h1><${Board} board=${report.board} small /><span>after <b>${line}</b>, ${report.player ? `${report.player.toUpperCase()} acts` : "nobody acts"}, pot ${units.amount(report.pot)}</span>
      <span class="space" />${!done && html`<span class="badge" role="status">${report.rows.length} cards so far</span>`}
      <${Link} class="button" href=${`/solution/${id}?line=${before}`}>Back to the line<//></div>
    <section class="panel stack">
      <div class="row tools"><span class="small quiet-text">The map shows</span>
        <div class="segments" role="group" aria-label="What the map shows">${all.map((each) => html`<button type="button" key=${each.key} aria-pressed=${each === shown}
          onClick=${() => setQuery({ show: each.key }, { replace: true })}>${each.title}</button>`)}</div></div>
      <${HeatMap} report=${report} measure=${shown} onPick=${deal} />
      ${done && html`<p class="small quiet-text">On average: ${all.map((each) => `${each.title} ${each.write(each.value(report.mean))}`).join(" · ")}</p>`}
    </section>
    <section class="panel flush"><${Table} label="Cards" columns=${columns} rows=${report.rows} rowKey=${(row) => row.card} sort=${["card", false]} /></section>
  </div>`;
}

function order(card) {
  return 4 * (12 - RANKS.indexOf(card[0])) + (3 - SUITS.indexOf(card[1]));
}

/** As few digits as fit into a cell of a telephone. */
function brief(value, measure) {
  return measure.brief ? (value < 0 ? "−" : "") + measure.brief(value).replace(/\.0$/, "") : String(Math.round(100 * value));
}

/** 4 × 13 cards: the lowest number in one colour, the highest in the other; `chosen` is a card that came. */
export function HeatMap({ report, measure, onPick, chosen = null }) {
  const rows = new Map(report.rows.map((row) => [row.card, row]));
  const numbers = report.rows.map(measure.value).filter((value) => value !== null && value !== undefined);
  const low = Math.min(...numbers), high = Math.max(...numbers);
  const move = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    if (!step) return;
    event.preventDefault();
    const cells = [...event.currentTarget.querySelectorAll("button")];
    let place = cells.indexOf(event.target) + step;
    while (cells[place]?.disabled) place += step;
    cells[place]?.focus();
  };
  return html`<div class="heat-map" role="group" aria-label=${measure.title} onKeyDown=${move}>
    ${[...SUITS].map((suit) => [...RANKS].map((rank) => {
      const card = rank + suit, row = rows.get(card), value = row ? measure.value(row) : null;
      const known = value !== null && value !== undefined;
      return html`<button type="button" key=${card} class=${`heat${row ? "" : " missing"}${card === chosen ? " chosen" : ""}`} aria-current=${card === chosen ? "true" : undefined} disabled=${!row?.line}
        style=${known ? { background: heat(high > low ? (value - low) / (high - low) : 0.5) } : undefined}
        aria-label=${`${cardName(card)}: ${known ? measure.write(value) : "not there"}`} onClick=${() => onPick(row)}>
        <${Card} card=${card} small /><span class="long">${known ? measure.write(value) : ""}</span><span class="brief">${known ? brief(value, measure) : ""}</span></button>`;
    }))}
  </div>`;
}
