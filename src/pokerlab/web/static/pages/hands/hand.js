// A hand that was played: the table step by step, its spot for the Editor, and its decisions judged.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { Board, HandText } from "../../parts/cards.js";
import { Grade } from "../../parts/grade.js";
import { useKeys } from "../../parts/keys.js";
import { Link, go, setQuery } from "../../parts/navigation.js";
import { PokerTable } from "../../parts/poker-table.js";
import { usePreference } from "../../parts/preferences.js";
import { useUnits } from "../../parts/units.js";

const PACE = 900;

export default function Hand({ params, query }) {
  const [kept, keep] = usePreference("handRanges", "");
  const { data, error } = useLatest(`/api/hands/of/${params.file}/${params.place}${kept ? `?ranges=${encodeURIComponent(kept)}` : ""}`);
  useEffect(() => { document.title = "Hand · pokerlab"; }, []);
  useEffect(() => { if (error?.field === "ranges") keep(""); }, [error]);
  if (error && error.field !== "ranges") return html`<section class="narrow"><h1>This hand cannot be shown</h1><p class="error" role="alert">${error.message}</p><p><${Link} href="/hands">All hands<//></p></section>`;
  if (!data) return html`<p class="nothing">…</p>`;
  return html`<${Replay} key=${`${data.file}-${data.place}`} data=${data} query=${query} ranges=${kept} setRanges=${keep} />`;
}

function Replay({ data, query, ranges, setRanges }) {
  const units = useUnits({ pot: data.pot, big_blind: data.big_blind });
  const last = data.steps.length - 1;
  const asked = Number(query.step ?? 0);
  const at = Math.min(Math.max(Number.isInteger(asked) ? asked : 0, 0), last);
  const [playing, setPlaying] = useState(false);
  const go_to = (place) => setQuery({ step: Math.min(Math.max(place, 0), last) || null }, { replace: true });
  const by = (count) => { setPlaying(false); go_to(at + count); };
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) { setPlaying(false); return undefined; }
    const timer = setTimeout(() => go_to(at + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, at]);
  useKeys({
    ArrowRight: [() => by(1), "next step"], ArrowLeft: [() => by(-1), "step back"],
    Home: [() => by(-last), "the beginning"], End: [() => by(last), "the end"],
    " ": [(event) => (event.target.closest("button, a, summary") ? false : setPlaying(!playing)), "play, or stop"],
  });
  const step = data.steps[at];
  const own = Math.max(data.players.findIndex((player) => player.name === query.player), 0);
  const order = data.players.map((_, place) => (own + place) % data.players.length);
  const over = at === last;
  const seats = order.map((seat) => {
    const player = data.players[seat];
    return {
      name: player.name, cards: player.cards, hidden: 2, stack: step.stacks[seat], bet: step.bets[seat], folded: step.folded[seat],
      active: step.seat === seat, dealer: seat === data.players.length - 1, won: over && player.won > 0,
      note: over && player.won !== null && Math.abs(player.won) > 1e-9 ? `${player.position} ${units.signed(player.won)}` : player.position,
    };
  });
  return html`<div class="hand-page">
    <div class="page-head"><h1>Hand ${data.number || data.place}</h1><span class="quiet-text">${data.name.replace(/^hands\//, "")} · blinds ${data.blinds}${data.limit ? " · limit" : ""}</span>
      <span class="space" />
      <${Link} class="button" href=${`/hands?files=${data.file}`}>All hands<//></div>
    <div class="hand-columns">
      <div class="stack hand-table">
        <${PokerTable} write=${units.amount} seats=${seats} board=${step.board} pot=${step.pot} label="table" message=${over ? data.outcome : ""} />
        <div class="hand-steps row" role="group" aria-label="Steps">
          <button type="button" aria-label="To the beginning" disabled=${at === 0} onClick=${() => by(-last)}>«</button>
          <button type="button" id="back" aria-label="Step back" disabled=${at === 0} onClick=${() => by(-1)}>◀</button>
          <button type="button" id="play" aria-pressed=${playing} onClick=${() => (over ? (go_to(0), setPlaying(true)) : setPlaying(!playing))}>${playing ? "Stop" : "Play"}</button>
          <button type="button" id="next" aria-label="Next step" disabled=${over} onClick=${() => by(1)}>▶</button>
          <button type="button" aria-label="To the end" disabled=${over} onClick=${() => by(last)}>»</button>
          <span class="quiet-text small" role="status">${step.words}</span></div>
        <${Steps} data=${data} at=${at} choose=${(place) => { setPlaying(false); go_to(place); }} />
      </div>
      <div class="stack hand-side">
        <${Spot} data=${data} ranges=${ranges} setRanges=${setRanges} />
        <${Judge} data=${data} query=${query} choose=${(move) => go_to(data.steps.findIndex((each) => each.move === move))} />
      </div>
    </div>
  </div>`;
}

/** All steps, street by street; a click goes there. */
function Steps({ data, at, choose }) {
  const list = useRef();
  const current = useRef();
  useEffect(() => { // the list alone is scrolled, not the page
    const [box, item] = [list.current, current.current];
    if (item.offsetTop < box.scrollTop) box.scrollTop = item.offsetTop - 6;
    else if (item.offsetTop + item.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = item.offsetTop + item.offsetHeight - box.clientHeight + 6;
  }, [at]);
  return html`<ol class="panel hand-list" ref=${list} aria-label="All steps">${data.steps.map((step, place) => html`<li key=${place} class=${step.seat === null ? "street" : ""} ref=${place === at ? current : undefined}>
    <button type="button" class="quiet" aria-current=${place === at ? "step" : undefined} onClick=${() => choose(place)}>${step.words}${step.seat === null && step.board && html` <${Board} board=${step.board} small />`}</button></li>`)}</ol>`;
}

function Spot({ data, ranges, setRanges }) {
  const address = `/spot/new?${new URLSearchParams({ history: data.file, hand: data.place, ...(ranges ? { ranges } : {}) })}`;
  const many = data.players.length > 2;
  return html`<section class="panel stack" aria-label="Spot">
    <h2>The spot of this hand</h2>
    ${data.two && html`<label class="field"><span>Ranges before the flop</span><select id="hand-ranges" value=${ranges} onChange=${(event) => setRanges(event.target.value)}>
      <option value="">${many ? "six-max, if they have the line" : "the charts of two players"}</option>${data.ranges.map((file) => html`<option key=${file} value=${file}>${file}</option>`)}</select></label>`}
    ${data.no_spot ? html`<p class="quiet-text">There is none: ${data.no_spot}.</p>`
      : html`<p class="small quiet-text">${capital(data.note)}. The pot, the stacks and the bet sizes are those of the hand.</p>
        <div class="buttons"><${Link} class="button primary" id="make-spot" href=${address}>Make a spot of this hand<//></div>`}
  </section>`;
}

/** The decisions beside a solution of the folder with this board and this pot. */
function Judge({ data, query, choose }) {
  const known = data.solutions.some((each) => each.id === query.solution);
  const solution = known ? query.solution : data.solutions[0]?.id ?? query.solution ?? "";
  const [found, setFound] = useState({ solution: null, answer: null, error: null });
  const [stored, setStored] = useState(false);
  const ask = (keep_mistakes) => post(`/api/hands/of/${data.file}/${data.place}/judge`, { solution, keep_mistakes })
    .then((answer) => setFound({ solution, answer, error: null }), (error) => setFound({ solution, answer: null, error }));
  useEffect(() => {
    setStored(false);
    if (solution) ask(false);
  }, [solution]);
  const units = useUnits(found.answer?.money);
  if (!data.two) return null;
  const { answer, error } = found;
  return html`<section class="panel stack" aria-label="Decisions">
    <h2>The decisions, judged</h2>
    ${!solution ? html`<p class="quiet-text">No solution of the folder has this board and about this stack-to-pot ratio: make a spot of the hand and solve it, or <${Link} href=${`/hands?files=${data.file}&tab=judge`}>judge the whole night<//>.</p>` : html`
      <div class="row">${data.solutions.length > 0 && html`<label class="field"><span>Solution</span><select id="hand-solution" value=${solution} onChange=${(event) => setQuery({ solution: event.target.value }, { replace: true })}>${data.solutions.map((each) => html`<option key=${each.id} value=${each.id}>${each.name.replace(/\.safetensors$/, "")}</option>`)}</select></label>`}
        <${Link} class="button" href=${`/solution/${solution}`}>Study<//><${Link} class="button" href=${`/train/${solution}`}>Train<//></div>
      ${error && html`<p class="error" role="alert">${error.message}</p>`}
      ${answer && !answer.decisions.length && html`<p class="quiet-text">No decision of a player whose cards are known.</p>`}
      ${answer?.decisions.map((each) => html`<${Decision} key=${each.move} each=${each} units=${units} solution=${solution} choose=${choose} />`)}
      ${answer?.reason && html`<p class="small quiet-text">Not all is judged: ${answer.reason}.</p>`}
      ${answer?.decisions.length > 0 && html`<div class="buttons"><button type="button" id="keep-mistakes" disabled=${stored} onClick=${() => ask(true).then(() => setStored(true))}>${stored ? "Kept for practice" : "Keep the mistakes for practice"}</button></div>`}`}
  </section>`;
}

function Decision({ each, units, solution, choose }) {
  return html`<article class="decision">
    <header class="row"><button type="button" class="link" onClick=${() => choose(each.move)}>${each.player}</button><${HandText} hand=${each.hand} /><${Grade} grade=${each.grade} />
      <span class="space" /><span class="small">${each.grade === "best" ? "nothing lost" : `lost ${units.of(each.pot).text(each.loss)}`}</span>
      <${Link} class="small" href=${`/solution/${solution}?line=${each.line}`}>Study<//></header>
    <table class="judged"><thead><tr><th>Action</th><th class="number">How often</th><th class="number">EV${units.heading}</th></tr></thead><tbody>
      ${each.actions.map((action, place) => html`<tr key=${action} class=${action === each.action ? "your-action" : ""}><td>${each.words[place]}${action === each.action && each.size !== null ? html` <span class="quiet-text small">for ${Math.round(each.size)}%</span>` : ""}</td>
        <td class="number">${(100 * each.strategy[place]).toFixed(1)}%</td><td class="number">${units.of(each.pot).write(each.ev[place])}</td></tr>`)}</tbody></table>
    ${!each.arrives && html`<p class="small quiet-text">The solution itself never comes here with this hand: its EVs are less exact.</p>`}
  </article>`;
}

function capital(text) {
  return text ? text[0].toUpperCase() + text.slice(1) : "";
}
