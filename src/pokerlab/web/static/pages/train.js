// Train: hands of one solution or batch, played against it; each action is judged by what it loses.
import { html, useEffect } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board } from "../parts/cards.js";
import { Link, setQuery } from "../parts/navigation.js";
import { useTable } from "../parts/poker-table.js";
import { usePreference } from "../parts/preferences.js";
import { useUnits } from "../parts/units.js";
import { Limits, ScoreView } from "./train/score.js";
import { DEFAULTS, Segments, Settings, settingsOf } from "./train/settings.js";
import { TrainTable } from "./train/table.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" };

export default function Train({ params, query }) {
  const id = query.table;
  const { table, error, busy, send } = useTable("/api/train/tables", id);
  // With ?seed=7 in the address the hands are the same each time.
  const start = (setup) => send(`/api/train/files/${params.id}`, query.seed ? { ...setup, seed: Number(query.seed) } : setup);
  if (id && table?.table === id) {
    return html`<${TrainTable} table=${table} send=${send} again=${start} error=${error} busy=${busy}
      leave=${() => setQuery({ table: null })} leaveText="Seat and street…" />`;
  }
  if (id && !error) return html`<p class="nothing">…</p>`;
  return html`<${Setup} id=${params.id} given=${query} error=${error} busy=${busy} start=${start} />`;
}

/** Seat, street and line; and what was done so far with this file. */
function Setup({ id, given, error, busy, start }) {
  const { data, error: failed } = useLatest(`/api/train/files/${id}`);
  const [kept, keep] = usePreference("train", DEFAULTS);
  const units = useUnits(data?.money);
  // A link may say where hands begin.
  useEffect(() => {
    if (given.line === undefined && given.seat === undefined) return;
    keep({ ...kept, street: "", line: given.line ?? "", seat: given.seat ?? "" });
    setQuery({ line: null, seat: null }, { replace: true });
  }, [given.line, given.seat]);
  if (failed) return html`<section class="narrow"><h1>Train</h1><p class="error">${failed.message}</p></section>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const street = data.streets.includes(kept.street) ? kept.street : data.streets[0];
  const set = (changes) => keep({ ...kept, ...changes });
  const begin = (event) => {
    event.preventDefault();
    start({ ...settingsOf(kept), street: street === data.streets[0] ? "" : street, line: kept.line ?? "" });
  };
  const wrong = (field) => error?.field === field && html`<span class="error" role="alert">${error.message}</span>`;
  return html`<section class="train-setup">
    <div class="page-head"><h1>Train</h1>
      <${Link} href=${`/${data.kind}/${id}`}>${data.file}<//>
      ${data.board && html`<${Board} board=${data.board} small />`}<span class="space" />
      <${Link} href="/train" class="button">Several files…<//></div>
    <div class="columns">
      <form class="panel stack" onSubmit=${begin}>
        <p class="quiet-text">The solution sits in the other seat and plays its strategy with the hand that it is dealt. Hands come as often as they arrive.</p>
        <${Settings} kept=${kept} set=${set} error=${error} />
        ${data.streets.length > 1 && html`<div class="field"><span>Hands begin on the</span>
          <${Segments} label="Street" value=${street} options=${data.streets.map((name) => [name, STREETS[name]])} onChange=${(name) => set({ street: name })} />${wrong("street")}</div>`}
        <label class="field"><span>… or after a line, for example x/b120/c; cards may be left out</span>
          <input value=${kept.line ?? ""} placeholder="from the beginning" spellcheck=${false} aria-invalid=${error?.field === "line"} onInput=${(event) => set({ line: event.target.value })} />${wrong("line")}</label>
        ${data.note && html`<p class="small quiet-text">${data.note}.</p>`}
        ${error && !["seat", "street", "line", "close", "clear", "seconds"].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
        <div class="buttons">
          <button class="primary" id="start" disabled=${busy}>${busy ? "Dealing…" : "Deal"}</button>
          <button type="button" id="again" disabled=${busy || !data.mistakes} onClick=${() => start({ mistakes: true })}>
            Again only my mistakes${data.mistakes ? ` (${data.mistakes})` : ""}</button>
          ${data.due > 0 && html`<button type="button" id="due" disabled=${busy} onClick=${() => start({ due: "only", seconds: settingsOf(kept).seconds })}>Only what is due today (${data.due})</button>`}
        </div>
      </form>
      <div class="panel stack">
        <h2>So far</h2>
        ${data.score.decisions || data.score.slow ? html`<${ScoreView} units=${units} score=${data.score} />` : html`<p class="quiet-text">No hand yet. Results are kept in a file beside the solution.</p>`}
        <${Limits} grades=${data.grades} />
      </div>
    </div>
  </section>`;
}

