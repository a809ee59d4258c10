// A whole hand against nolimit, from before the flop on, when it is its turn in a session; judged when it is over.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { useTable } from "../../parts/poker-table.js";
import { useUnits } from "../../parts/units.js";
import { Events, PlayFelt } from "../play.js";
import { Why } from "../why.js";
import { Grade } from "../../parts/grade.js";
import { SessionScore } from "./table.js";

export default function Whole({ table, send, next, waiting, problem }) {
  const { whole } = table;
  const { table: played, error, busy, send: play } = useTable("/api/play/tables", whole.play);
  const address = `/api/train/tables/${table.table}`;
  const [why, setWhy] = useState(false);
  const asking = useRef(false);
  const over = played?.table === whole.play && played.result && !played.thinking;
  const units = useUnits(null);
  useEffect(() => {
    if (!over || whole.judged || asking.current) return;
    asking.current = true;
    send(`${address}/judge`).finally(() => { asking.current = false; });
  }, [over, whole.judged]);
  if (!played || played.table !== whole.play) return error ? html`<p class="error">${error.message}</p>` : html`<p class="nothing">…</p>`;
  const act = (answer) => play(`/api/play/tables/${whole.play}/act`, { answer, betting: played.betting, number: played.number });
  return html`<div class="train-columns play-page">
    <div class="train-table"><${PlayFelt} table=${played} act=${act} next=${next} error=${error ?? problem} busy=${busy || waiting || Boolean(over && !whole.judged)} /></div>
    <section class="panel judgement stack" aria-live="polite" aria-label="Your decisions">
      ${whole.judged ? html`<${JudgedWhole} judged=${whole.judged} />` : over ? html`<p class="quiet-text">Judging the hand…</p>`
        : html`<p class="small quiet-text">A whole hand, judged when it is over; it has no time limit, and all of its decisions are yours. nolimit solves each street as it comes, which takes seconds.</p><${Events} table=${played} />`}
      ${whole.judged && played.explains && html`<button type="button" class="small" id="why" aria-expanded=${why} onClick=${() => setWhy(!why)}>${why ? "Hide why" : "Why, and study it"}</button>`}
    </section>
    <${SessionScore} table=${table} units=${units} />
  </div>
  ${why && whole.judged && played.explains && html`<section class="panel whole-why"><${Why} table=${played} keep=${`${address}/keep`} /></section>`}`;
}

function JudgedWhole({ judged }) {
  const { decisions, unjudged, note, loss_bb: lost } = judged;
  return html`<div class="stack">
    <div class="row judged-head"><span class="judged-loss">${decisions.length ? html`This hand lost <b>${lost.toFixed(2)} bb</b>` : "Nothing to judge in this hand"}</span></div>
    ${decisions.length > 0 && html`<div class="table-box"><table class="judged" aria-label="Your decisions"><thead><tr><th>you</th><th>better</th><th class="number">lost</th><th>grade</th></tr></thead>
      <tbody>${decisions.map((each) => html`<tr key=${each.number}><td title=${each.line}>${each.action_words}</td><td>${each.loss > 0 ? each.best_words : "the same"}</td>
        <td class="number">${each.loss_bb.toFixed(2)} bb</td><td><${Grade} grade=${each.grade} /></td></tr>`)}</tbody></table></div>`}
    ${unjudged > 0 && html`<p class="small quiet-text">${unjudged} ${unjudged === 1 ? "decision does" : "decisions do"} not count: nothing says what ${unjudged === 1 ? "it was" : "they were"} worth.</p>`}
    ${note && html`<p class="small quiet-text">${note}.</p>`}
  </div>`;
}
