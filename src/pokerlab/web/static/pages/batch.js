// A batch: one line on all of its boards, as bars, a map of flops, and tables. The address says which.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { post, useEvents, useLatest } from "../parts/api.js";
import { HandText } from "../parts/cards.js";
import { actionColours, background } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { PlayBar } from "../parts/play-bar.js";
import { Table } from "../parts/table.js";
import { useUnits } from "../parts/units.js";
import { Bars } from "./batch/bars.js";
import { NewBatch } from "./batch/form.js";
import { FlopMap } from "./batch/map.js";
import { groupRows, means, rowsOf, show } from "./batch/rows.js";

const GROUPS = { high: "High card", pairing: "Pairs", suits: "Suits", connectedness: "Connected", broadways: "Broadways", turn: "Turn card", river: "River card" };
/** The most boards that a link to Train names one by one; more are given by their texture. */
const MOST_NAMED = 150;
const FILTERS = ["hands", "flops", "where"];

export default function BatchPage({ params, query }) {
  return params.id === "new" ? html`<${NewBatch} spot=${query.spot} />` : html`<${Batch} id=${params.id} query=${query} />`;
}

function Batch({ id, query }) {
  const info = useLatest(`/api/batches/${id}`);
  const asked = new URLSearchParams(["line", "group", ...FILTERS].flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const nothing = info.data && !info.data.solved;
  const report = useLatest(info.data && !nothing ? `/api/batches/${id}/report?${asked}` : null);
  const computing = report.data?.computing;
  // What is shown stays until the new report is there.
  const kept = useRef(null);
  if (report.data && !computing) kept.current = report.data;
  useEffect(() => {
    if (!computing) return undefined;
    const timer = setTimeout(report.reload, 500);
    return () => clearTimeout(timer);
  }, [report.data]);
  const units = useUnits(info.data?.money).of(kept.current?.pot ?? info.data?.money.pot);
  const shown = useMemo(() => kept.current && {
    ...kept.current, units, words: kept.current.words.map(units.words),
    steps: kept.current.steps.map((step) => ({ ...step, words: /^[fxcbra]/.test(step.text) ? units.words(step.words) : step.words })),
  }, [kept.current, units.unit, units.factor]);
  const job = useJob(info, report);
  useEffect(() => { document.title = `${info.data?.name ?? "Batch"} · pokerlab`; }, [info.data?.name]);
  if (info.error && !info.data) return html`<section class="narrow"><h1>There is no such batch</h1><p class="error">${info.error.message}</p><p><${Link} href="/">To the Library<//></p></section>`;
  if (!info.data) return html`<p class="nothing" role="status">Opening…</p>`;
  return html`<div class="batch" data-ready=${report.fresh && !computing && Boolean(kept.current)}>
    <${Head} units=${units} info=${info.data} job=${job} onChange=${info.reload} asked=${asked} practice=${shown && practise(id, shown, query, shown.columns.board)} />
    ${job && !job.ended && html`<${Progress} job=${job} />`}
    ${job?.error && html`<p class="error" role="alert">${job.error}</p>`}
    ${nothing && html`<p class="panel nothing">${job && !job.ended ? "The first board is being solved…" : "No board is solved yet."}</p>`}
    ${computing && html`<div class="panel computing" role="status"><span>Opening the solutions: ${computing.done.toLocaleString()} of ${computing.total.toLocaleString()} boards</span>
      <div class="progress"><span style=${{ width: `${(100 * computing.done) / Math.max(1, computing.total)}%` }} /></div></div>`}
    ${report.error && html`<p class="error" role="alert">${report.error.message} ${query.line && html`<button type="button" onClick=${() => setQuery({ line: null })}>First decision</button>`}</p>`}
    ${!nothing && html`<div class=${`stack${report.loading || computing ? " late" : ""}`}>
      ${shown && html`<${Line} report=${shown} />`}
      <${Filters} info=${info.data} report=${kept.current} query=${query} error=${report.error} />
      ${shown && html`<${Report} id=${id} info=${info.data} report=${shown} query=${query} />`}
    </div>`}
  </div>`;
}

/** The job that works on the batch, as it changes; the report follows, but not with every board. */
function useJob(info, report) {
  const [job, setJob] = useState(null);
  const given = info.data?.job ?? null;
  const current = job && given && job.id === given.id ? job : given;
  const seen = useRef({ done: null, at: 0 });
  useEvents(current && !current.ended ? `/api/jobs/${current.id}/events` : null, {
    job: (view) => {
      setJob(view);
      const now = Date.now(), pause = (report.data?.all ?? 0) > 300 ? 10_000 : 1500;
      if (view.ended || (view.done !== seen.current.done && now - seen.current.at > pause)) {
        seen.current = { done: view.done, at: now };
        info.reload();
        report.reload();
      }
    },
    gone: () => info.reload(),
  }, { onlyVisible: true });
  return current;
}

function Head({ units, info, job, onChange, asked, practice }) {
  const [error, setError] = useState(null);
  const [adding, setAdding] = useState(false);
  const act = (url, data) => post(url, data).then(() => setError(null), setError).then(onChange);
  const runs = job && !job.ended;
  const missing = info.solved < info.boards;
  const more = info.up_to_suits && info.boards < 1755 ? [25, 49, 85, 184].filter((size) => size > info.boards) : null;
  return html`<div class="page-head">
    <h1>${info.name}</h1>
    <span class=${`badge ${missing ? "warn" : "good"}`} id="solved">${info.solved.toLocaleString()} of ${info.boards.toLocaleString()} ${info.noun}</span>
    <span class="quiet-text small">pot ${units.amount(info.pot)}, stack ${[info.stack].flat().map(units.amount).join(" and ")}, ${info.how}</span>
    <span class="space" />
    ${runs ? html`<button type="button" id="stop" disabled=${job.phase.startsWith("stopping")} onClick=${() => act(`/api/jobs/${job.id}/pause`)}>Stop after this board</button>`
      : missing && html`<button type="button" class="primary" id="go-on" onClick=${() => act(`/api/batches/${info.id}/go-on`)}>Solve the rest</button>`}
    ${more && html`<label class="field more-flops"><select aria-label="More flops" value="" onChange=${(event) => {
      const flops = event.target.value;
      event.target.value = "";
      if (flops) act(`/api/batches/${info.id}/go-on`, { flops });
    }}><option value="">More flops…</option>
      ${more.map((size) => html`<option value=${size}>${size} flops</option>`)}<option value="all">All 1,755</option></select></label>`}
    <button type="button" id="add-boards" onClick=${() => setAdding(true)}>Add ${info.up_to_suits ? "flops" : "boards"}…</button>
    ${practice && html`<${Link} class="button" id="practise" href=${practice} title="Hands on the boards that are shown">Practise<//>`}
    ${practice && html`<a class="button" id="csv" href=${`/api/batches/${info.id}/csv?${new URLSearchParams([...asked, ...(units.unit === "chips" ? [] : [["unit", units.unit]])])}`} download>CSV</a>`}
    ${error && html`<span class="error small" role="alert">${error.message}</span>`}
    ${adding && html`<${Lazy} load=${() => import("./batch/add.js")} info=${info} runs=${runs} onAdded=${onChange} onClose=${() => setAdding(false)} />`}
  </div>`;
}

function Progress({ job }) {
  const share = job.total ? (100 * (job.done ?? 0)) / job.total : 0;
  const words = [job.phase, job.rate_text, job.left_text && `${job.left_text} left`].filter(Boolean).join(" · ");
  return html`<div class="panel batch-progress" role="status">
    <span>${(job.done ?? 0).toLocaleString()} of ${(job.total ?? 0).toLocaleString()}</span>
    <div class="progress" role="progressbar" aria-valuenow=${Math.round(share)} aria-valuemin="0" aria-valuemax="100"><span style=${{ width: `${share}%` }} /></div>
    <span class="quiet-text small">${words}</span>
  </div>`;
}

/** Where in the tree the report is, what is done there on average, and the way on. */
function Line({ report }) {
  const colours = useMemo(() => actionColours(report.actions), [report]);
  const up = () => setQuery({ line: report.steps.at(-2)?.line ?? null });
  useKeys({
    Backspace: [() => (report.line ? up() : false), "one action back"],
    ...Object.fromEntries(report.next.slice(0, 9).map((each, place) => [String(place + 1), [() => (each.goes_on ? setQuery({ line: each.line }) : false), "action"]])),
  });
  return html`<div class="panel batch-line">
    <div class="where"><nav aria-label="Line" class="crumbs">
      <button type="button" class="quiet" onClick=${() => setQuery({ line: null })} aria-current=${report.line ? undefined : "step"}>First decision</button>
      ${report.steps.map((step, place) => html`<span class="quiet-text" key=${place}>›</span><button type="button" class="quiet" key=${step.line}
        aria-current=${place === report.steps.length - 1 ? "step" : undefined} onClick=${() => setQuery({ line: step.line })}>${step.words}</button>`)}
    </nav>
    <span class="quiet-text small">${report.player.toUpperCase()} acts, pot ${report.units.amount(report.pot)}${report.units.unit === "chips" ? "" : `; EVs in ${report.units.long}`}</span></div>
    <div class="actions">${report.actions.map((action, place) => {
      const next = report.next.find((each) => each.action === action);
      return html`<button type="button" key=${action} class="action" disabled=${!next?.goes_on} title=${next?.goes_on ? `To the answer (${place + 1})` : "No decision of this street follows"}
        onClick=${() => setQuery({ line: next.line })}>
        <span class="swatch" style=${{ background: background(colours[place]) }} /><span>${report.words[place]}</span><b>${show(report.mean.actions[action], true)}</b>
        <span class="quiet-text">EV ${show(report.mean.action_ev[action], false, report.units)}</span></button>`;
    })}</div>
    <table class="means" aria-label="Means"><tbody>${[0, 1].map((seat) => html`<tr key=${seat}><th scope="row">${["OOP", "IP"][seat]}</th>
      <td>EV ${show(report.mean.ev[seat], false, report.units)}</td><td>${show(report.mean.equity[seat], true)} equity</td><td>${show(report.mean.realisation[seat], true)} realised</td></tr>`)}</tbody></table>
  </div>`;
}

/** Which hands and boards count, and how boards are put together. */
function Filters({ info, report, query, error }) {
  const field = useRef();
  useKeys({ "/": [() => field.current?.focus(), "filter"] });
  const features = chosenFeatures(query);
  const toggle = (name) => setQuery({ pick: null, group: (features.includes(name) ? features.filter((each) => each !== name) : [...features, name]).join(",") });
  const rows = report?.columns.board.length ?? 0;
  return html`<form class="row batch-filters" onSubmit=${(event) => event.preventDefault()}>
    <${Filter} name="hands" label="Hands" hint="set, top-pair & flush-draw" query=${query} error=${error} />
    <${Filter} name="flops" label=${info.flops ? "Flops" : "Texture"} hint=${info.features.turn ? "two-tone flush-turn, A-high" : "A-high paired, monotone"} query=${query} error=${error} field=${field} />
    <${Filter} name="where" label="Where" hint=${report ? `${firstBet(report)} > 50% and ev < ${Math.round(report.pot / 2)}` : ""} query=${query} error=${error} />
    <div class="field"><span>Group by</span><div class="segments" role="group" aria-label="Group by">${Object.entries(GROUPS).filter(([name]) => info.features[name]).map(([name, title]) => html`<button type="button" key=${name}
      aria-pressed=${features.includes(name)} onClick=${() => toggle(name)}>${title}</button>`)}</div></div>
    <span class="space" />
    ${report && html`<span class="quiet-text small" id="count">${rows.toLocaleString()}${rows < report.all ? ` of ${report.all.toLocaleString()}` : ""} ${info.noun}</span>`}
  </form>`;
}

function chosenFeatures(query) {
  return (query.group ?? "").split(",").filter((name) => name in GROUPS);
}

/** What is looked at where nobody chose: how often the first bet is made, or the EV. */
function firstBet(report) {
  return report.actions.find((action) => !/^[fxc]/.test(action)) ?? `${report.player}_ev`;
}

function Report({ id, info, report, query }) {
  const colours = useMemo(() => actionColours(report.actions), [report]);
  const rows = useMemo(() => rowsOf(report), [report]);
  const groups = useMemo(() => groupRows(report), [report]);
  const column = report.numbers.includes(query.show) ? query.show : firstBet(report);
  const drawn = query.view === "map" && report.places.length ? "map" : "bars";
  const features = chosenFeatures(query);
  const groupOf = (row) => features.map((feature) => row[feature]).join(" ");
  const picked = groups.find((group) => group.name === query.pick) ?? null;
  const listed = useMemo(() => (picked ? rows.filter((row) => groupOf(row) === picked.name) : rows), [rows, picked]);
  const pick = (name) => setQuery({ pick: name === query.pick ? null : name }, { replace: true });
  const open = (board) => go(`/solution/${id}-${board}${report.line ? `?line=${report.line}` : ""}`);
  useKeys({ b: [() => setQuery({ view: null }), "bars"], m: [() => setQuery({ view: "map" }), "map of flops"] });
  const columns = useMemo(() => boardColumns(report, colours), [report, colours]);
  const groupColumns = useMemo(() => [
    { key: "flops", title: "Texture", value: (row) => row.place, cell: (row) => html`<button type="button" class="link nowrap" title="List its boards" aria-pressed=${row.name === query.pick} onClick=${() => pick(row.name)}>${row.name}</button>` },
    { key: "train", title: "", cell: (row) => (row.mean ? "" : html`<${Link} class="practise" href=${practise(id, report, query, boardsOf(rows.filter((each) => groupOf(each) === row.name)), row.name)} aria-label=${`Practise ${row.name}`}>Practise<//>`) },
    { key: "boards", title: "Boards", number: true, cell: (row) => row.boards.toLocaleString() },
    ...numberColumns(report, colours),
  ], [report, colours, query.pick, query.flops, query.where]);
  const shares = new Set(report.shares);
  return html`
    <div class="panel batch-picture">
      <div class="row">
        <div class="segments" role="group" aria-label="Picture">
          <button type="button" aria-pressed=${drawn === "bars"} onClick=${() => setQuery({ view: null })}>Bars</button>
          <button type="button" aria-pressed=${drawn === "map"} disabled=${!report.places.length} onClick=${() => setQuery({ view: "map" })}>Map</button>
        </div>
        <label class="field inline"><span>${drawn === "map" ? "Colour" : "Sorted by"}</span><select id="show" value=${column} onChange=${(event) => setQuery({ show: event.target.value })}>
          ${report.numbers.map((name) => html`<option value=${name}>${columnTitle(name, report)}</option>`)}</select></label>
        <${Legend} report=${report} colours=${colours} hidden=${drawn === "map"} />
      </div>
      ${drawn === "map" ? html`<${FlopMap} report=${report} rows=${rows} column=${column} share=${shares.has(column)} title=${columnTitle(column, report)} onOpen=${open} />`
        : html`<${Bars} report=${report} rows=${rows} groups=${groups} features=${features} colours=${colours} column=${column} share=${shares.has(column)} onOpen=${open} />`}
    </div>
    ${groups.length > 0 && html`<section class="panel flush"><${Table} label="Classes of boards" columns=${groupColumns} rows=${groups} rowKey=${(row) => row.name} rowClass=${(row) => (row === picked ? "chosen" : "")} footer=${means(report, "all")} /></section>`}
    <section class="panel flush">
      ${picked && html`<p class="row picked small" id="picked"><b>${listed.length.toLocaleString()} ${listed.length === 1 ? "board" : info.noun}</b> <span>${picked.name}</span>
        <${Link} class="button" href=${practise(id, report, query, boardsOf(listed), picked.name)}>Practise this group<//>
        <button type="button" class="quiet" onClick=${() => pick(picked.name)}>All ${info.noun}</button></p>`}
      <${Table} label="Boards" columns=${columns} rows=${listed} rowKey=${(row) => row.board} rowHeight=${30} sort=${["weight", true]}
      onRow=${(row) => open(row.board)} rowClass=${() => "clickable"} footer=${picked ? { ...picked, board: "mean", texture: "", mean: true, name: "mean" } : means(report, "mean")} /></section>
    <p class="copyable mono small" id="command">${report.command}</p>
    ${report.left_out.length > 0 && html`<p class="quiet-text small">${report.left_out.length} boards have no such line: ${report.left_out.slice(0, 6).join(", ")}${report.left_out.length > 6 ? ", …" : ""}</p>`}`;
}

const boardsOf = (rows) => rows.map((row) => row.board);

/** A link into Train with the boards of a group, or with those that are shown: by their texture, or one by one. */
function practise(id, report, query, shown, group = null) {
  const parts = (query.flops ?? "").split(",").map((part) => part.trim()).filter(Boolean);
  const texture = group === null ? parts.join(", ") : parts.length ? parts.map((part) => `${part} ${group}`).join(", ") : group;
  const boards = query.where && shown.length <= MOST_NAMED ? shown.join(" ") : texture;
  return `/train/${id}${boards ? `~${encodeURIComponent(boards)}` : ""}${report.line ? `?line=${report.line}` : ""}`;
}

function Legend({ report, colours, hidden }) {
  if (hidden) return null;
  return html`<div class="row legend">${report.actions.map((action, place) => html`<span class="small" key=${action}><span class="swatch" style=${{ background: background(colours[place]) }} /> ${report.words[place]}</span>`)}</div>`;
}

/** A filter is tried when the field is left or Enter is pressed; what is wrong with it stands above. */
function Filter({ name, label, hint, query, error, field }) {
  const [text, setText] = useState(query[name] ?? "");
  useEffect(() => setText(query[name] ?? ""), [query[name]]);
  const apply = () => text !== (query[name] ?? "") && setQuery({ [name]: text.trim() || null });
  const wrong = error && (error.field === name || (!error.field && name === "hands" && query.hands && !query.flops && !query.where));
  return html`<label class="field filter"><span>${label}</span><input ref=${field} name=${name} value=${text} placeholder=${hint} spellcheck=${false} autocomplete="off" aria-invalid=${Boolean(wrong)}
    onInput=${(event) => setText(event.target.value)} onBlur=${apply} onKeyDown=${(event) => event.key === "Enter" && apply()} /></label>`;
}

function columnTitle(name, report) {
  const place = report.actions.indexOf(name);
  if (place >= 0) return `${report.words[place]}, %`;
  if (name.endsWith("_ev") && report.actions.includes(name.slice(0, -3))) return `EV of ${report.words[report.actions.indexOf(name.slice(0, -3))]}`;
  const [who, what] = name.split("_");
  return { weight: "how often", ev: `EV${report.units.heading}`, equity: "equity", realisation: "realised" }[what ?? who].replace(/^/, what ? `${who.toUpperCase()} ` : "");
}

function boardColumns(report, colours) {
  return [
    { key: "board", title: "Board", value: (row) => row.order, cell: (row) => html`<${Link} href=${`/solution/${row.solution}${report.line ? `?line=${report.line}` : ""}`} class="board-link"
      onClick=${(event) => event.stopPropagation()}><${HandText} hand=${row.board} /><//>` },
    { key: "texture", title: "Texture", value: (row) => row.texture, cell: (row) => html`<span class="quiet-text small nowrap">${row.texture}</span>` },
    ...numberColumns(report, colours),
  ];
}

function numberColumns(report, colours) {
  const number = (key, title, share, help) => ({ key, title, number: true, help, value: (row) => row[key], cell: (row) => show(row[key], share, report.units) });
  return [
    number("weight", "Often", true, "Share of all deals that reach the line"),
    { key: "play", title: "Play", sortable: false, cell: (row) => html`<${PlayBar} shares=${report.actions.map((action) => row[action])} names=${report.words} colours=${colours} />` },
    ...report.actions.map((action, place) => number(action, report.words[place], true)),
    number("oop_ev", `OOP EV${report.units.heading}`, false), number("ip_ev", `IP EV${report.units.heading}`, false),
    number("oop_equity", "OOP eq", true), number("ip_equity", "IP eq", true),
    number("oop_realisation", "OOP real.", true, "EV over the equity's part of the pot"), number("ip_realisation", "IP real.", true, "EV over the equity's part of the pot"),
    ...report.actions.map((action, place) => number(`${action}_ev`, `EV ${report.words[place]}`, false)),
  ];
}
