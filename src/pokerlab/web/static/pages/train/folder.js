// Train: what can be practised in the folder, mixed in one session; programmes that were saved; what is due; progress.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { Board } from "../../parts/cards.js";
import { confirmed, prompted } from "../../parts/dialog.js";
import { Lazy } from "../../parts/lazy.js";
import { Link, setQuery } from "../../parts/navigation.js";
import { useTable } from "../../parts/poker-table.js";
import { usePreference } from "../../parts/preferences.js";
import { shortName } from "./score.js";
import { DEFAULTS, Settings, keptOf, settingsOf, settingsText } from "./settings.js";
import { TrainTable } from "./table.js";

const NOLIMIT = { chosen: false, weight: 1, stack: "", blinds: "", quick: true };
const STACKS = [["", "200 bb"], [100, "100 bb"], [50, "50 bb"], [25, "25 bb"]];
const FIELDS = ["seat", "close", "clear", "seconds"];
const FILE_FIELDS = ["sources", "whole", "weight", "stack", "blinds"];
const MANY = 8;

export default function TrainFolder({ query }) {
  const id = query.table;
  const { table, error, busy, send } = useTable("/api/train/tables", id);
  const start = (body) => send("/api/train/folder", query.seed ? { ...body, seed: Number(query.seed) } : body);
  if (id && table?.table === id) {
    const again = ({ seat, close, clear, seconds, mistakes = false }) => start({
      seat, close, clear, seconds, mistakes,
      sources: table.sources.filter((each) => each.file).map((each) => ({ id: each.file, weight: each.weight })),
    });
    return html`<${TrainTable} table=${table} send=${send} again=${again} error=${error} busy=${busy} leave=${() => setQuery({ table: null })} leaveText="What to practise…" />`;
  }
  if (id && !error) return html`<p class="nothing">…</p>`;
  return html`<${Choose} start=${start} error=${error} busy=${busy} />`;
}

function Choose({ start, error, busy }) {
  const { data, error: failed, reload } = useLatest("/api/train/folder");
  const [kept, keep] = usePreference("train", DEFAULTS);
  const [chosen, setChosen] = usePreference("train-files", {});
  const [whole, setWhole] = usePreference("train-nolimit", NOLIMIT);
  const [first, setFirst] = usePreference("train-due-first", true);
  const [search, setSearch] = useState("");
  const [saved, setSaved] = useState("");
  useEffect(reload, []);
  if (failed) return html`<section class="narrow"><h1>Train</h1><p class="error">${failed.message}</p></section>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const usable = data.sources.filter((each) => !each.error);
  const picked = usable.filter((each) => chosen[each.id]);
  const sources = picked.map((each) => ({ id: each.id, weight: Number(chosen[each.id]) }));
  const nolimit = whole.chosen ? { weight: Number(whole.weight), bot: whole.quick ? "nolimit:seconds=2" : "nolimit", stack: whole.stack === "" ? null : Number(whole.stack), blinds: whole.blinds ?? "" } : null;
  const body = { ...settingsOf(kept), sources, whole: nolimit, due: first ? "first" : "" };
  const begin = (event) => {
    event.preventDefault();
    start(body);
  };
  const playDue = () => start({ sources: usable.filter((each) => each.due).map((each) => ({ id: each.id, weight: 1 })), due: "only", seconds: settingsOf(kept).seconds });
  const save = () => prompted("Save this programme", "Name", "", async (name) => {
    await post("/api/train/programmes", { name, ...body });
    setSaved(name);
    reload();
  });
  const shown = data.sources.filter((each) => each.name.toLowerCase().includes(search.toLowerCase()));
  const all = shown.filter((each) => !each.error);
  const toggleAll = (event) => setChosen({ ...chosen, ...Object.fromEntries(all.map((each) => [each.id, event.target.checked ? chosen[each.id] || 1 : 0])) });
  const set = (changes) => keep({ ...kept, ...changes });
  const hands = picked.length + (whole.chosen ? 1 : 0);
  return html`<section class="train-setup train-folder">
    <div class="page-head"><h1>Train</h1>
      <span class="quiet-text">Hands of several files in turn, each judged by its own solution.</span><span class="space" />
      <button type="button" class=${data.due ? "primary" : ""} id="play-due" disabled=${!data.due || busy} onClick=${playDue}>${data.due ? `${data.due} due today` : "Nothing due today"}</button></div>
    ${data.programmes.length > 0 && html`<${Programmes} programmes=${data.programmes} busy=${busy} reload=${reload}
      begin=${(each) => start({ ...each.setup, sources: each.sources, whole: each.whole })}
      load=${(each) => {
        keep({ ...kept, ...keptOf(each.setup) });
        setFirst(each.setup.due === "first");
        setChosen(Object.fromEntries(each.sources.map((own) => [own.id, own.weight])));
        setWhole({ ...whole, ...(each.whole ? { chosen: true, weight: each.whole.weight, stack: each.whole.stack ?? "", blinds: each.whole.blinds, quick: each.whole.bot !== "nolimit" } : { chosen: false }) });
      }} />`}
    <form class="folder-columns" onSubmit=${begin}>
      <div class="panel stack sources-panel">
        <div class="row"><h2>What to practise</h2><span class="space" />
          ${data.sources.length > MANY && html`<input type="search" placeholder="Search" aria-label="Search" value=${search} onInput=${(event) => setSearch(event.target.value)} />`}
          ${all.length > 1 && html`<label class="check small"><input id="all-sources" type="checkbox" checked=${all.every((each) => chosen[each.id])} onChange=${toggleAll} />all</label>`}</div>
        ${!data.sources.length && html`<p class="quiet-text">No solution is here yet: solve a spot in the <${Link} href="/">Library<//>, or play whole hands.</p>`}
        <div class="source-list" role="group" aria-label="Files">
          ${shown.map((each) => html`<${Source} key=${each.id} row=${each} weight=${chosen[each.id] || 0} choose=${(weight) => setChosen({ ...chosen, [each.id]: weight })} />`)}
          <${Nolimit} whole=${whole} set=${(changes) => setWhole({ ...whole, ...changes })} row=${data.nolimit} />
        </div>
        ${FILE_FIELDS.includes(error?.field) && html`<p class="error" role="alert">${error.message}</p>`}
      </div>
      <div class="panel stack">
        <h2>How</h2>
        <${Settings} kept=${kept} set=${set} error=${error} />
        <label class="check"><input id="due-first" type="checkbox" checked=${first} onChange=${(event) => setFirst(event.target.checked)} />What is due comes first</label>
        ${error && ![...FIELDS, ...FILE_FIELDS].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
        <div class="buttons"><button class="primary" id="start" disabled=${busy || !hands}>${busy ? "Dealing…" : hands > 1 ? `Deal from ${hands}` : "Deal"}</button>
          <button type="button" id="save" disabled=${!hands} onClick=${save}>Save as a programme…</button></div>
        ${saved && html`<p class="small quiet-text" role="status">Saved as ${saved}; it begins with one click above.</p>`}
      </div>
    </form>
    <${Lazy} load=${() => import("./progress.js")} />
  </section>`;
}

function Source({ row, weight, choose }) {
  const boards = row.kind === "batch" ? `${row.boards} board${row.boards === 1 ? "" : "s"}` : "";
  return html`<div class=${`source${weight ? " chosen" : ""}`}>
    <label class="check"><input type="checkbox" checked=${weight > 0} disabled=${Boolean(row.error)} onChange=${(event) => choose(event.target.checked ? 1 : 0)} />
      <span class="source-name">${shortName(row.name)}</span></label>
    <span class="source-about small quiet-text">${row.board ? html`<${Board} board=${row.board} small />` : boards && html`<span>${boards}</span>`}
      ${row.simple && html`<span class="badge">simple</span>`}
      ${row.due > 0 && html`<span class="badge warn">${row.due} due</span>`}
      ${row.error ? html`<span class="error">${row.error}</span>` : row.decisions ? `${row.decisions} decision${row.decisions === 1 ? "" : "s"}, ${row.loss_percent.toFixed(2)}% lost` : "new"}</span>
    ${weight > 0 && html`<${Weight} name=${shortName(row.name)} weight=${weight} set=${choose} />`}
    <${Link} class="small" href=${`/train/${row.id}`} title="This file alone, with its streets and lines">alone<//>
  </div>`;
}

function Weight({ name, weight, set }) {
  return html`<label class="weight small" title="How many of its hands come, beside those of the others">×<input type="number" min="1" max="100" step="1" value=${weight} aria-label=${`Weight of ${name}`}
    onChange=${(event) => set(Math.min(100, Math.max(1, Math.round(Number(event.target.value)) || 1)))} /></label>`;
}

/** Whole hands against the bot, with the stacks and the blinds. */
function Nolimit({ whole, set, row }) {
  return html`<div class=${`source${whole.chosen ? " chosen" : ""}`}>
    <label class="check"><input id="nolimit" type="checkbox" checked=${whole.chosen} onChange=${(event) => set({ chosen: event.target.checked })} /><span class="source-name">nolimit</span></label>
    <span class="source-about small quiet-text">whole hands, solved as they come${row.decisions ? `; ${row.decisions} decisions, ${row.loss_percent.toFixed(2)}% lost` : ""}${row.error && html`<span class="error">${row.error}</span>`}</span>
    ${whole.chosen && html`<${Weight} name="nolimit" weight=${whole.weight} set=${(weight) => set({ weight })} />
      <span class="row nolimit-row small"><select aria-label="Stacks" value=${whole.stack} onChange=${(event) => set({ stack: event.target.value })}>${STACKS.map(([value, text]) => html`<option key=${text} value=${value}>${text}</option>`)}</select>
        <input aria-label="Blinds" placeholder="blinds 50/100" maxlength="40" value=${whole.blinds} onInput=${(event) => set({ blinds: event.target.value })} />
        <label class="check"><input type="checkbox" checked=${whole.quick} onChange=${(event) => set({ quick: event.target.checked })} />quick: 2 s a flop</label></span>`}
  </div>`;
}

/** Each begins with a click. */
function Programmes({ programmes, begin, load, reload, busy }) {
  const remove = async (each) => {
    if (!(await confirmed("Delete this programme?", `${each.name} is removed; all results stay.`, { action: "Delete", danger: true }))) return;
    await post("/api/train/programmes/delete", { name: each.name });
    reload();
  };
  return html`<div class="programmes" role="group" aria-label="Programmes">${programmes.map((each) => html`<div class="panel programme" key=${each.name}>
    <div class="programme-text"><b>${each.name}</b>
      <span class="small quiet-text">${each.error ? html`<span class="error">${each.error}</span>` : programmeText(each)}</span></div>
    <div class="row">${!each.error && html`<button type="button" class="primary" disabled=${busy || !(each.sources.length || each.whole)} onClick=${() => begin(each)} aria-label=${`Begin ${each.name}`}>Begin</button>
      <button type="button" class="quiet" onClick=${() => load(each)} aria-label=${`Change ${each.name}`}>Change</button>`}
      <button type="button" class="quiet icon" aria-label=${`Delete ${each.name}`} title="Delete" onClick=${() => remove(each)}>✕</button></div></div>`)}</div>`;
}

function programmeText({ sources, missing, whole, setup }) {
  const files = `${sources.length} file${sources.length === 1 ? "" : "s"}${whole ? " and nolimit" : ""}`;
  const gone = missing.length ? `not there: ${missing.map(shortName).join(", ")}` : "";
  return [files, settingsText(setup), gone].filter(Boolean).join(" · ");
}
