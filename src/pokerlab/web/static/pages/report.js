// The report of all next cards: a heat map and tables that fill as cards are computed, and the way on to other lines.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board, Card, RANKS, SUITS, cardName } from "../parts/cards.js";
import { actionColours, heatOf } from "../parts/colours.js";
import { HeatLegend } from "../parts/heat-legend.js";
import { useKeys } from "../parts/keys.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { PlayBar } from "../parts/play-bar.js";
import { Table } from "../parts/table.js";
import { useUnits } from "../parts/units.js";
import { Steps } from "./study/steps.js";
import { percent } from "./study/sums.js";

const PLAYERS = ["OOP", "IP"];

/** What may be shown: a name, how to get it from a row, and how to write it; `names` are those of the actions. */
export function measures(report, units, names = {}) {
  const seat = report.seat ?? 0;
  const found = [];
  for (const each of [seat, 1 - seat]) {
    found.push({ key: `${PLAYERS[each].toLowerCase()}_ev`, title: `EV ${PLAYERS[each]}${units.heading}`, value: (row) => row.ev[each], write: units.write, brief: units.brief });
    found.push({ key: `${PLAYERS[each].toLowerCase()}_equity`, title: `Equity ${PLAYERS[each]}`, value: (row) => row.equity[each], write: percent });
    found.push({ key: `${PLAYERS[each].toLowerCase()}_realised`, title: `Realised ${PLAYERS[each]}`, value: (row) => row.realisation[each], write: (value) => percent(value, 0) });
  }
  const actions = report.actions.map((action) => ({ key: action, title: names[action] ?? action, value: (row) => row.actions[action], write: percent }));
  return [...actions, ...found];
}

/** What is shown where nobody chose: how often the first action is taken, or the EV where there is one alone. */
export function firstMeasure(report, all) {
  return report.actions.length === 1 ? all[1] : all[0];
}

export default function Report({ params, query }) {
  const line = query.line ?? "";
  const base = `/api/solutions/${params.id}`;
  const once = useLatest(base);
  const steps = useLatest(`${base}/report/steps?line=${encodeURIComponent(line)}`);
  const wanted = steps.fresh && steps.data?.kind === "report" ? line : null;
  const { report, error } = useReport(base, wanted);
  const problem = once.error ?? steps.error ?? error;
  if (problem && !(once.data && steps.data)) return html`<section class="narrow"><h1>No report</h1><p class="error">${problem.message}</p>
    <p><${Link} href=${`/solution/${params.id}`}>To the first decision<//></p></section>`;
  if (!once.data || !steps.data) return html`<p class="nothing" role="status">The first cards are on their way…</p>`;
  return html`<${Shown} id=${params.id} once=${once.data} steps=${steps.data} report=${report} problem=${problem} query=${query} />`;
}

/** The report of a line as its cards come; that of the line before stays until the first of them is there. */
function useReport(base, line) {
  const [state, setState] = useState({ report: null, error: null });
  useEffect(() => {
    if (line === null) return undefined;
    const abort = new AbortController();
    let whole = { rows: [] };
    const grow = (part) => { whole = { ...part, at: line, rows: [...whole.rows, ...part.rows] }; setState({ report: whole, error: null }); };
    readEvents(`${base}/report?line=${encodeURIComponent(line)}`, abort.signal, { rows: grow, done: (data) => setState({ report: { ...data, at: line, done: true }, error: null }) })
      .catch((error) => abort.signal.aborted || setState({ report: null, error }));
    return () => abort.abort();
  }, [base, line]);
  return state;
}

function Shown({ id, once, steps, report, problem, query }) {
  const spotUnits = useUnits(once.money);
  const line = steps.line;
  const here = report?.at === line;
  // The means of the reports that were seen here are the frequencies of the decisions after the card.
  const seen = useRef(new Map());
  if (report?.done) seen.current.set(report.at, report.mean.actions);
  const node = useMemo(() => ({ ...(steps.here ?? {}), line, path: steps.path.map((step) => withMeans(step, seen.current)), kind: steps.here ? "decision" : "end", text: steps.text,
    ...(steps.here ? withMeans(steps.here, seen.current) : {}) }), [steps, report?.done]);
  const open = steps.path.find((step) => step.kind === "any");
  const before = steps.kind === "report" && open ? open.before : line;
  const goTo = (next) => setQuery({ line: next || null, texture: null });
  const parent = steps.path.findLast((step) => step.kind === "decision");
  useKeys({
    Backspace: [() => (parent ? goTo(parent.line) : go(`/solution/${id}`)), "one step back"],
    r: [() => go(`/solution/${id}?line=${before}`), "back to Study"],
    ...Object.fromEntries((node.options ?? []).slice(0, 9).map((option, place) => [String(place + 1), [() => goTo(option.line), "an action"]])),
  });
  return html`<div class=${`report study${here || steps.kind !== "report" ? "" : " late"}`} data-line=${line} data-done=${String(Boolean(here && report.done))}>
    <div class="page-head"><h1>${once.name.replace(/\.safetensors$/, "")}</h1><${Board} board=${once.board.join("")} small />
      <span class="quiet-text small">Next cards${line ? html` after <b>${line}</b>` : ""}${here ? `, pot ${spotUnits.amount(report.pot)}` : ""}</span>
      <span class="space" />${here && !report.done && html`<span class="badge" role="status">${report.rows.length} cards so far</span>`}
      <${Link} class="button" href=${`/solution/${id}?line=${before}`} title="R">Back to the line<//></div>
    <${Steps} units=${spotUnits} node=${node} start=${{ street: once.streets[0], board: once.board, pot: once.pot }} onGo=${goTo} />
    ${problem && html`<p class="error" role="alert">${problem.message}</p>`}
    ${steps.kind !== "report" && html`<${NoReport} steps=${steps} onGo=${goTo} />`}
    ${steps.kind === "report" && !report && !problem && html`<p class="nothing" role="status">The first cards are on their way…</p>`}
    ${steps.kind === "report" && report && html`<${Cards} id=${id} units=${spotUnits} steps=${steps} report=${report} query=${query} />`}
  </div>`;
}

/** A decision after the card has the frequencies of its report, once that was seen. */
function withMeans(step, seen) {
  const mean = seen.get(step.line);
  if (!mean || !step.options || step.options.some((option) => option.frequency !== null)) return step;
  return { ...step, options: step.options.map((option) => ({ ...option, frequency: mean[option.action] ?? null })) };
}

/** Why there is no report of a line yet, and what leads to one. */
function NoReport({ steps, onGo }) {
  const text = {
    decision: "No card comes here yet. Choose the next actions above: the report begins where a card comes.",
    cards: "Two cards are left out: choose the first of them above, and the report is of the second.",
    end: steps.text,
  }[steps.kind];
  return html`<section class="panel no-report"><p>${text}</p>
    ${steps.calm !== null && html`<p><button type="button" class="primary" id="calm" onClick=${() => onGo(steps.calm)}>On to the next card: ${steps.calm}</button></p>`}</section>`;
}

function Cards({ id, units: spotUnits, steps, report, query }) {
  const done = Boolean(report.done);
  const units = useMemo(() => spotUnits.of(report.pot), [spotUnits, report.pot]);
  const options = report.at === steps.line ? steps.here?.options : null;
  const names = useMemo(() => Object.fromEntries((options ?? []).map((option) => [option.action, units.words(option.name)])), [options, units]);
  const all = useMemo(() => measures(report, units, names), [report.seat, report.actions.join(), units, names]);
  const colours = useMemo(() => actionColours(report.actions), [report.actions.join()]);
  const shown = all.find((each) => each.key === query.show) ?? firstMeasure(report, all);
  const group = done && report.groups.some((each) => each.texture === query.texture) ? query.texture : null;
  const rows = group ? report.rows.filter((row) => row.texture === group) : report.rows;
  const deal = (row) => row?.line && go(`/solution/${id}?line=${row.line}`);
  const choose = (word) => setQuery({ texture: word === group ? null : word }, { replace: true });
  useKeys({ e: [() => setQuery({ show: all[(all.indexOf(shown) + 1) % all.length].key }, { replace: true }), "what the map shows"] });
  const numbers = [
    { key: "weight", title: "Share", number: true, help: "How often it comes, of all times that the line is played", value: (row) => row.weight, cell: (row) => (done ? percent(row.weight, 2) : "…") },
    ...(report.actions.length ? [{ key: "play", title: "Play", sortable: false, cell: (row) => html`<${PlayBar} shares=${report.actions.map((action) => row.actions[action])} names=${report.actions.map((action) => names[action] ?? action)} colours=${colours} />` }] : []),
    ...all.map((each) => ({ ...each, number: true, cell: (row) => each.write(each.value(row)) })),
  ];
  const columns = [
    { key: "card", title: "Card", value: (row) => -order(row.card), cell: (row) => html`<button type="button" class="plain" disabled=${!row.line} aria-label=${`Deal the ${cardName(row.card)}`} onClick=${() => deal(row)}><${Card} card=${row.card} small /></button>` },
    ...numbers,
    { key: "texture", title: "Does", value: (row) => words.indexOf(row.texture), cell: (row) => html`<span class="small quiet-text nowrap">${steps.textures[row.texture] ?? ""}</span>` },
  ];
  const words = Object.keys(steps.textures);
  const groupColumns = [
    { key: "group", title: "What the card does", value: (row) => words.indexOf(row.texture), cell: (row) => html`<button type="button" class="link" aria-pressed=${row.texture === group} onClick=${() => choose(row.texture)}>${row.card}</button>` },
    { key: "cards", title: "Cards", number: true, value: (row) => row.cards, cell: (row) => row.cards },
    ...numbers,
  ];
  return html`<section class="panel stack">
      <div class="row tools"><span class="small quiet-text">${report.player ? `${report.player.toUpperCase()} acts` : "Nobody acts"} after each card. The map shows</span>
        <div class="segments" role="group" aria-label="What the map shows">${all.map((each) => html`<button type="button" key=${each.key} aria-pressed=${each === shown}
          onClick=${() => setQuery({ show: each.key }, { replace: true })}>${each.title}</button>`)}</div></div>
      <${HeatMap} report=${report} measure=${shown} only=${group} onPick=${deal} />
    </section>
    ${done && html`<section class="panel flush"><${Table} label="By texture" columns=${groupColumns} rows=${report.groups} rowKey=${(row) => row.texture} sort=${["group", false]}
      rowClass=${(row) => (row.texture === group ? "chosen" : "")} footer=${{ ...report.mean, name: "all" }} /></section>`}
    <section class="panel flush">
      ${group && html`<p class="only small"><b>${rows.length} ${rows.length === 1 ? "card" : "cards"}:</b> ${steps.textures[group]} <button type="button" class="quiet" onClick=${() => choose(group)}>All cards</button></p>`}
      <${Table} label="Cards" columns=${columns} rows=${rows} rowKey=${(row) => row.card} sort=${["card", false]} footer=${done && !group ? { ...report.mean, name: "all" } : undefined} /></section>`;
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

function order(card) {
  return 4 * (12 - RANKS.indexOf(card[0])) + (3 - SUITS.indexOf(card[1]));
}

/** As few digits as fit into a cell of a telephone. */
function brief(value, measure) {
  return measure.brief ? (value < 0 ? "−" : "") + measure.brief(value).replace(/\.0$/, "") : String(Math.round(100 * value));
}

/** 4 × 13 cards: the lowest number in one colour, the highest in the other; `chosen` is a card that came, `only` a texture. */
export function HeatMap({ report, measure, onPick, chosen = null, only = null }) {
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
      const other = row && only && row.texture !== only;
      return html`<button type="button" key=${card} class=${`heat${row ? "" : " missing"}${card === chosen ? " chosen" : ""}${other ? " other" : ""}`} aria-current=${card === chosen ? "true" : undefined} disabled=${!row?.line}
        style=${known && !other ? { background: heatOf(value, low, high) } : undefined}
        aria-label=${`${cardName(card)}: ${known ? measure.write(value) : "not there"}`} onClick=${() => onPick(row)}>
        <${Card} card=${card} small /><span class="long">${known ? measure.write(value) : ""}</span><span class="brief">${known ? brief(value, measure) : ""}</span></button>`;
    }))}
  </div><${HeatLegend} low=${low} high=${high} write=${measure.write} title=${measure.title} />`;
}
