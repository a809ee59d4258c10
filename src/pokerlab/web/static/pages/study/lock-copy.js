// The lock of a turn or river on all others: first what it will do, then do it.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";
import { onAnyCards } from "./lock-state.js";

const RUN_OUTS = "run-outs";

export function CopyLock({ id, once, node, locks, onLocks, held }) {
  const cards = node.path.filter((step) => step.kind === "card");
  const [to, setTo] = useState(null);
  const [by, setBy] = useState("hand");
  const [others, setOthers] = useState(false);
  const [found, setFound] = useState(null);
  const last = cards.at(-1);
  // Decisions that were locked after the same card, which may be copied with this one.
  const near = !last ? [] : Object.keys(locks).filter((line) => line !== node.line && locks[line].strategy && (line === last.line || line.startsWith(`${last.line}/`))
    && line.split("/").filter((token) => /^[2-9TJQKA][shdc]$/.test(token)).length === cards.length);
  const own = held.strategy ?? (held.entry?.removed ? null : node.locked.length ? held.base : null);
  useEffect(() => {
    setFound(null);
    if (!to || !own) return undefined;
    let gone = false;
    const asked = [[node.line, own], ...(others ? near.map((line) => [line, locks[line].strategy]) : [])];
    const timer = setTimeout(() => Promise.all(asked.map(([line, strategy]) => post(`/api/solutions/${id}/lock/copy`, { line, strategy, to, by }))).then(
      (made) => gone || setFound({ made, lines: asked.map(([line]) => line) }), (error) => gone || setFound({ error })), 60);
    return () => { gone = true; clearTimeout(timer); };
  }, [to, by, others, own, near.join()]);
  if (!last || (to === null && !own)) return null;
  const street = `${node.street}s`;
  const scopes = cards.length > 1 ? [street, RUN_OUTS] : [street];
  const apply = () => {
    onLocks((before) => {
      // The lock that was copied is part of the copy.
      const next = Object.fromEntries(Object.entries(before).filter(([line]) => !found.lines.includes(line)));
      found.made.forEach((made, place) => {
        for (const [line, lock] of Object.entries(made.locks)) next[line] = { strategy: null, lock, group: `${to} ${by} ${found.lines[place]}`, words: `${onAnyCards(found.lines[place])} on all ${to}` };
      });
      return next;
    });
    setTo(null);
  };
  const choose = (value) => { setTo(to === value ? null : value); if (value === RUN_OUTS) setBy("hand"); };
  return html`<section class="copy-lock"><h3>On other cards</h3>
    <div class="row"><div class="segments" role="group" aria-label="Lock on other cards">${scopes.map((scope) => html`<button type="button" key=${scope} disabled=${!own} aria-pressed=${to === scope} onClick=${() => choose(scope)}>All ${scope}</button>`)}</div>
      ${to && html`<div class="segments" role="group" aria-label="What is copied"><button type="button" aria-pressed=${by === "hand"} onClick=${() => setBy("hand")}>By hand</button>
        <button type="button" aria-pressed=${by === "made"} disabled=${to === RUN_OUTS} title=${to === RUN_OUTS ? "By made hand each river has a lock of its own: copy to all rivers of a turn" : "What top pair does here, top pair does there"} onClick=${() => setBy("made")}>By made hand</button></div>`}
      ${to && near.length > 0 && html`<label class="check small"><input type="checkbox" checked=${others} onChange=${() => setOthers(!others)} />with the ${near.length} other ${near.length === 1 ? "decision" : "decisions"} locked on this ${node.street}</label>`}</div>
    ${to && !found && own && html`<p class="small quiet-text" role="status">…</p>`}
    ${found?.error && html`<p class="error small" role="alert">${found.error.message}</p>`}
    ${found?.made && html`<p class="small" id="copy-words" role="status">${found.made.length > 1 ? `${found.made.length} decisions. ` : ""}${found.made[0].words}</p>
      <div class="buttons"><button type="button" id="copy-lock" onClick=${apply}>Lock on ${found.made[0].boards.toLocaleString("en")} ${to}${found.made.length > 1 ? `, ${found.made.length} decisions` : ""}</button></div>`}
  </section>`;
}
