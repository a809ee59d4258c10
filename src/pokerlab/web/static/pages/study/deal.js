// The tree of one deal: both hands and the run-out are given, and every edge is an action with its share.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { useLatest } from "../../parts/api.js";
import { DealTree } from "../../parts/deal-tree.js";
import { setQuery } from "../../parts/navigation.js";
import { Copyable } from "./copy.js";

const SHARES = ["0", "1", "2", "5", "10", "20"];

/** What a player holds and the cards that come stand in the address; without them the server, asked at `source`, deals. */
export function DealTab({ units, source, players, start = "", node, query, onGo }) {
  // Without a choice, the server leaves out as little as can be read.
  const chosen = SHARES.includes(query.least) ? query.least : "";
  const asked = new URLSearchParams({ line: node.line, deal: query.deal ?? "", least: chosen, board: query.board ?? "", seed: query.seed ?? "0" });
  const ends = node.kind === "end";
  const { data, error, loading } = useLatest(ends ? null : `${source}/deal?${asked}`);
  const least = chosen || data?.least || "2";
  if (ends) return html`<p class="nothing">Nobody decides here.</p>`;
  return html`<div class="deal-tab">
    <${DealForm} players=${players} start=${start} given=${query.deal ?? data?.deal ?? ""} least=${least}
      onDeal=${(deal) => setQuery({ deal }, { replace: true })} onLeast=${(share) => setQuery({ least: share }, { replace: true })}
      onRandom=${() => setQuery({ deal: null, seed: Number(query.seed ?? 0) + 1 }, { replace: true })} />
    ${error ? html`<p class="error" role="alert">${error.message}</p>
        ${/nodes are played/.test(error.message) && Number(least) < 20 ? html`<div><button type="button" id="deal-fewer" onClick=${() => setQuery({ least: null }, { replace: true })}>Leave out more</button></div>` : ""}` : !data ? html`<p class="nothing" role="status">…</p>`
      : html`<div class=${loading ? "stale" : ""}><${DealTree} units=${units} tree=${data} onOpen=${onGo} /></div>
        <div class="row deal-foot"><${Copyable} text=${data.command} /></div>`}
  </div>`;
}

/** Fields for the hands and the cards after the board; `given` is all of them as one text. */
function DealForm({ players, start, given, least, onDeal, onLeast, onRandom }) {
  const words = given.split(/\s+/).filter(Boolean);
  const board = words.slice(players.length).join("");
  const fields = [...players.map((_, seat) => words[seat] ?? ""), board.startsWith(start) ? board.slice(start.length) : board];
  const [texts, setTexts] = useState(fields);
  useEffect(() => setTexts(fields), [given]);
  const change = (place) => (event) => setTexts(texts.map((text, each) => (each === place ? event.target.value : text)));
  const send = (event) => {
    event.preventDefault();
    onDeal(texts.map((text) => text.trim().replaceAll(/\s+/g, "")).join(" ").trim());
  };
  return html`<form class="row deal-form" onSubmit=${send}>
    ${[...players.map((player) => (player.length <= 3 ? player.toUpperCase() : player)), "Cards that come"].map((title, place) => html`<label class=${`field${place < players.length ? "" : " deal-board"}`} key=${title}><span>${title}</span>
      <input value=${texts[place]} spellcheck=${false} autocomplete="off" onInput=${change(place)} /></label>`)}
    <label class="field"><span>Leave out below</span><select value=${least} onChange=${(event) => onLeast(event.target.value)}>
      ${SHARES.map((share) => html`<option value=${share} key=${share}>${share}%</option>`)}</select></label>
    <button type="submit" class="primary">Draw</button>
    <button type="button" id="deal-random" onClick=${onRandom}>Deal</button>
  </form>`;
}
