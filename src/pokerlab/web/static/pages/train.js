// Train: hands of a solution, played against it; each action is judged by what it loses.
import { html, useEffect, useRef } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board, HandText, splitCards } from "../parts/cards.js";
import { actionColours, background } from "../parts/colours.js";
import { Grade, MARKS } from "../parts/grade.js";
import { useKeys } from "../parts/keys.js";
import { Matrix } from "../parts/matrix.js";
import { Link, setQuery } from "../parts/navigation.js";
import { PokerTable, useTable } from "../parts/poker-table.js";
import { usePreference } from "../parts/preferences.js";
import { useUnits } from "../parts/units.js";

const SEATS = [["", "Both in turn"], ["oop", "Out of position"], ["ip", "In position"]];
const STREETS = { flop: "Flop", turn: "Turn", river: "River" };

export default function Train({ params, query }) {
  const id = query.table;
  const { table, error, busy, send } = useTable("/api/train/tables", id);
  // With ?seed=7 in the address the hands are the same each time.
  const start = (setup) => send(`/api/train/files/${params.id}`, query.seed ? { ...setup, seed: Number(query.seed) } : setup);
  if (id && table?.table === id) {
    return html`<${Table} table=${table} error=${error} busy=${busy} start=${start}
      act=${(action) => send(`/api/train/tables/${id}/act`, { action, line: table.hand.decision.line })}
      next=${() => send(`/api/train/tables/${id}/next`)} />`;
  }
  if (id && !error) return html`<p class="nothing">…</p>`;
  return html`<${Setup} id=${params.id} given=${query} error=${error} busy=${busy} start=${start} />`;
}

/** Seat, street and line; and what was done so far with this file. */
function Setup({ id, given, error, busy, start }) {
  const { data, error: failed } = useLatest(`/api/train/files/${id}`);
  const [kept, keep] = usePreference("train", { seat: "", street: "", line: "" });
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
    start({ seat: kept.seat, street: street === data.streets[0] ? "" : street, line: kept.line });
  };
  const wrong = (field) => error?.field === field && html`<span class="error" role="alert">${error.message}</span>`;
  return html`<section class="train-setup">
    <div class="page-head"><h1>Train</h1>
      <${Link} href=${`/${data.kind}/${id}`}>${data.file}<//>
      ${data.board && html`<${Board} board=${data.board} small />`}</div>
    <div class="columns">
      <form class="panel stack" onSubmit=${begin}>
        <p class="quiet-text">The solution sits in the other seat and plays its strategy with the hand that it is dealt. Hands come as often as they arrive.</p>
        <div class="field"><span>Your seat</span><${Segments} label="Your seat" value=${kept.seat} options=${SEATS} onChange=${(seat) => set({ seat })} />${wrong("seat")}</div>
        ${data.streets.length > 1 && html`<div class="field"><span>Hands begin on the</span>
          <${Segments} label="Street" value=${street} options=${data.streets.map((name) => [name, STREETS[name]])} onChange=${(name) => set({ street: name })} />${wrong("street")}</div>`}
        <label class="field"><span>… or after a line, for example x/b120/c; cards may be left out</span>
          <input value=${kept.line} placeholder="from the beginning" spellcheck=${false} aria-invalid=${error?.field === "line"} onInput=${(event) => set({ line: event.target.value })} />${wrong("line")}</label>
        ${data.note && html`<p class="small quiet-text">${data.note}.</p>`}
        ${error && !["seat", "street", "line"].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
        <div class="buttons">
          <button class="primary" id="start" disabled=${busy}>${busy ? "Dealing…" : "Deal"}</button>
          <button type="button" id="again" disabled=${busy || !data.mistakes} onClick=${() => start({ mistakes: true })}>
            Again only my mistakes${data.mistakes ? ` (${data.mistakes})` : ""}</button>
        </div>
      </form>
      <div class="panel stack">
        <h2>So far</h2>
        ${data.score.decisions ? html`<${ScoreView} units=${units} score=${data.score} file=${id} kind=${data.kind} />` : html`<p class="quiet-text">No hand yet. Results are kept in a file beside the solution.</p>`}
        <${Limits} grades=${data.grades} />
      </div>
    </div>
  </section>`;
}

function Limits({ grades }) {
  let before = 0;
  return html`<table class="limits"><caption class="visually-hidden">What a grade may lose</caption><tbody>
    ${Object.entries(grades).map(([name, most]) => {
      const text = most === null ? `over ${before}% of the pot` : `up to ${most}%`;
      before = most;
      return html`<tr key=${name}><td><${Grade} grade=${name} /></td><td class="quiet-text">${text}</td></tr>`;
    })}</tbody></table>`;
}

function Segments({ value, options, onChange, label }) {
  return html`<div class="segments" role="radiogroup" aria-label=${label}>${options.map(([name, text]) => html`<button type="button" role="radio" key=${name}
    aria-checked=${value === name} onClick=${() => onChange(name)}>${text}</button>`)}</div>`;
}

function Table({ table, act, next, start, error, busy }) {
  const { hand, score } = table;
  const units = useUnits(table.money);
  const [kept] = usePreference("train", { seat: "", street: "", line: "" });
  const [matrix, setMatrix] = usePreference("train-matrix", true);
  const choices = hand?.decision?.choices ?? [];
  const finished = !hand || hand.result !== null;
  const over = finished && table.over;
  const bar = useRef();
  useEffect(() => {
    // The focus follows the game, unless it is elsewhere.
    if (document.activeElement === document.body) bar.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [hand?.line, table.number]);
  const deal = () => finished && !over && next();
  useKeys({
    ...Object.fromEntries(choices.slice(0, 9).map((choice, place) => [String(place + 1), [() => act(choice.action), "choose an action"]])),
    n: [deal, "next hand"],
    m: [() => setMatrix(!matrix), "show or hide the range"],
  });
  const colours = actionColours(choices.map((choice) => choice.action));
  const judged = hand?.judgements.at(-1);
  const leave = () => setQuery({ table: null });
  return html`<div class="train-page">
    <div class="page-head"><h1>Train</h1>
      <${Link} href=${`/${table.kind}/${table.file}${hand?.result ? `?line=${studied(hand)}` : ""}`}>${table.source}<//>
      <span class="quiet-text">hand ${table.number}${hand ? `, you are ${hand.seat_words}` : ""}</span>
      ${table.setup.mistakes && html`<span class="badge warn">${table.left} to play again</span>`}
      <span class="space" />
      <button type="button" class="quiet" onClick=${leave}>Seat and street…</button>
    </div>
    <div class="train-columns">
      <div class="stack train-table">
        ${hand && html`<${PokerTable} label="The table" write=${units.amount} seats=${seatsOf(hand, units)} board=${hand.board} pot=${hand.pot} message=${hand.result ? outcome(hand.result.won, units) : ""} />`}
        <div class="action-bar" ref=${bar} role="group" aria-label="Your actions">
          ${over && html`<p class="all-well">All mistakes have been played well.</p>`}
          ${finished && !over && html`<button type="button" class="primary go" id="next" disabled=${busy} onClick=${deal}><kbd>N</kbd> Next hand</button>`}
          ${over && html`<button type="button" class="primary go" onClick=${() => start({ seat: kept.seat, street: kept.street, line: kept.line })}>New hands</button>`}
          ${choices.map((choice, place) => html`<button type="button" class="act" key=${choice.action} disabled=${busy} style=${{ "--act": background(colours[place]) }}
            onClick=${() => act(choice.action)}><kbd>${place + 1}</kbd>${capital(units.words(choice.words))}${potShare(choice)}</button>`)}
        </div>
        ${error && html`<p class="error" role="alert">${error.message}</p>`}
        ${hand && html`<${History} units=${units} hand=${hand} />`}
      </div>
        <section class="panel judgement" aria-live="polite" aria-label="Your last action">
          ${judged ? html`<${Judged} units=${units} judged=${judged} />` : html`<p class="quiet-text empty-judgement">What your action was worth comes here.</p>`}
          ${judged && hand.matrix && html`<div class="row range-head"><span class="small quiet-text">${hand.seat === "oop" ? "Out of position" : "In position"} after ${hand.matrix.line || "the beginning"}</span><span class="space" />
            <button type="button" class="quiet small" aria-expanded=${matrix} onClick=${() => setMatrix(!matrix)}>${matrix ? "Hide the range" : "Show the range"}</button></div>
            ${matrix && html`<${Matrix} cells=${hand.matrix.cells} colours=${actionColours(hand.matrix.actions)} chosen=${classOf(hand.cards)} label="What your range does" />`}`}
        </section>
        <section class="panel stack train-score" aria-label="Score">
          <div class="row"><h2>Session</h2><span class="space" />
            ${table.mistakes > 0 && !table.setup.mistakes && finished && html`<button type="button" class="small" onClick=${() => start({ mistakes: true })}>Again only my mistakes (${table.mistakes})</button>`}</div>
          ${score.decisions ? html`<${ScoreView} units=${units} score=${score} file=${table.file} kind=${table.kind} />` : html`<p class="quiet-text">No decision yet.</p>`}
        </section>
    </div>
  </div>`;
}

function seatsOf(hand, units) {
  const { result } = hand;
  const yours = hand.events.findLast((event) => event.who === "you");
  const theirs = hand.events.findLast((event) => event.who === "solution");
  const won = result ? result.won : 0;
  return [
    {
      name: "You", cards: hand.cards, stack: hand.stacks[0], bet: hand.bets[0], active: !result, dealer: hand.seat === "ip",
      folded: Boolean(result && !result.shown && yours?.text === "f"), won: won > 0,
      note: result ? (result.shown ? result.names[0] : yours?.text === "f" ? "fold" : "") : "",
    },
    {
      name: "Solution", cards: result?.opponent, hidden: 2, stack: hand.stacks[1], bet: hand.bets[1], dealer: hand.seat === "oop",
      folded: Boolean(result && !result.shown && theirs?.text === "f"), won: Boolean(result && (result.shown ? won < 0 : yours?.text === "f")),
      note: result?.shown ? result.names[1] : units.words(theirs?.words) ?? "",
    },
  ];
}

/** The last decision that was judged: a page that studies it begins there. */
function studied(hand) {
  return hand.judgements.at(-1)?.line ?? "";
}

function outcome(won, units) {
  return won > 0 ? `You win ${units.text(won)}` : won < 0 ? `You lose ${units.text(-won)}` : "Nothing won or lost";
}

function potShare(choice) {
  return html`<small>${choice.percent === null ? " " : `${Math.round(choice.percent)}% of the pot`}</small>`;
}

function History({ units, hand }) {
  return html`<div class="history-list" aria-label="What happened">
    ${hand.events.map((event, place) => html`<span key=${place} class=${`event ${event.who}${event.before ? " before" : ""}`}>
      ${event.who === "board" ? html`<${Board} board=${event.text} small />` : `${event.who === "you" ? "you" : "solution"} ${units.words(event.words)}`}</span>`)}
    ${hand.result && html`<span class=${`event result ${hand.result.won > 0 ? "up" : hand.result.won < 0 ? "down" : ""}`}>${units.signed(hand.result.won)}</span>`}
  </div>`;
}

function Judged({ units: all, judged }) {
  const units = all.of(judged.pot);
  const colours = actionColours(judged.actions);
  const most = Math.max(...judged.losses_percent, 1);
  return html`<div class="stack">
    <div class="row judged-head"><${Grade} grade=${judged.grade} />
      <span class="judged-loss">${judged.loss_percent >= 0.005 ? html`<b>−${named(judged.loss, all)}</b> · ${judged.loss_percent.toFixed(2)}% of the pot` : html`<b>nothing lost</b>`}</span>
      <span class="space" /><${HandText} hand=${judged.hand} /></div>
    ${!judged.arrives && html`<p class="small quiet-text">The solution does not come here with this hand: its numbers are less exact.</p>`}
    <div class="table-box"><table class="judged" aria-label="What each action is worth"><thead><tr><th>action</th><th>solution plays</th><th class="number">EV${units.heading}</th><th class="number">loses</th></tr></thead><tbody>
      ${judged.actions.map((action, place) => html`<tr key=${action} class=${`${action === judged.action ? "your-action" : ""}${action === judged.best ? " best-action" : ""}`}>
        <td>${action === judged.action ? "▸ " : ""}${capital(units.words(judged.words[place]))}</td>
        <td><span class="frequency"><span style=${{ width: `${100 * judged.strategy[place]}%`, background: background(colours[place]) }} /></span> <span class="percent">${(100 * judged.strategy[place]).toFixed(1)}%</span></td>
        <td class="number">${units.unit === "chips" ? units.amount(round(judged.ev[place])) : units.write(judged.ev[place])}</td>
        <td class="number"><span class="loss" style=${{ "--share": judged.losses_percent[place] / most }}>${action === judged.best ? "best" : `${judged.losses_percent[place].toFixed(2)}%`}</span></td>
      </tr>`)}</tbody></table></div>
  </div>`;
}

/** The solution that a decision was judged by; in a batch, that of its board. */
function studyAddress(judged, file, kind) {
  return `/solution/${kind === "batch" ? `${file}-${judged.board}` : file}?${new URLSearchParams({ line: judged.line, filter: classOf(judged.hand) }).toString().replaceAll("%2F", "/")}`;
}

function ScoreView({ units, score, file, kind }) {
  const total = Math.max(score.decisions, 1);
  return html`<div class="stack">
    <div class="stats">
      <div class="stat"><b id="mean-loss">${score.loss_percent.toFixed(2)}%</b><span>of the pot lost a decision</span></div>
      <div class="stat"><b>${named(score.loss_hand, units)}</b><span>lost a hand</span></div>
      <div class="stat"><b id="hands-played">${score.hands}</b><span>${score.hands === 1 ? "hand" : "hands"}, ${score.decisions} ${score.decisions === 1 ? "decision" : "decisions"}</span></div>
      <div class="stat"><b class=${score.won < 0 ? "down" : "up"}>${units.signed(score.won)}</b><span>${units.unit === "pot" ? "% of the first pot" : units.long}, luck included</span></div>
    </div>
    <div class="grade-bar" role="img" aria-label=${Object.entries(score.grades).map(([name, count]) => `${name} ${count}`).join(", ")}>
      ${Object.entries(score.grades).map(([name, count]) => count > 0 && html`<span key=${name} class=${`grade-${name}`} style=${{ flexGrow: count }} title=${`${name}: ${count}`}>${count}</span>`)}
    </div>
    <div class="grade-legend">${Object.entries(score.grades).map(([name, count]) => html`<span key=${name}><${Grade} grade=${name} /> ${Math.round((100 * count) / total)}%</span>`)}</div>
    ${Object.keys(score.streets).length > 1 && html`<p class="small quiet-text">${Object.entries(score.streets).map(([name, each]) => `${name} ${each.loss_percent.toFixed(2)}%`).join(" · ")}</p>`}
    ${score.worst.length > 0 && html`<div class="table-box"><table class="data worst" aria-label="Worst decisions"><thead><tr><th>worst</th><th>after</th><th>you</th><th>better</th><th class="number">lost</th></tr></thead>
      <tbody>${score.worst.map((each, place) => html`<tr key=${place}><td><${Link} href=${studyAddress(each, file, kind)} title="Study this decision"><${HandText} hand=${each.hand} /><//></td><td class="mono line">${each.line || "–"}</td><td>${units.words(each.action_words)}</td><td>${units.words(each.best_words)}</td><td class="number">${each.loss_percent.toFixed(1)}%</td></tr>`)}</tbody></table></div>`}
  </div>`;
}

/** A loss with its unit. */
function named(chips, units) {
  return `${units.text(chips)}${units.unit === "chips" ? " chips" : units.unit === "prizes" ? " of the prizes" : units.unit === "pot" ? " of the first pot" : ""}`;
}

function classOf(cards) {
  const order = "AKQJT98765432";
  const [first, second] = splitCards(cards).sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  return first[0] === second[0] ? first[0] + second[0] : `${first[0]}${second[0]}${first[1] === second[1] ? "s" : "o"}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function round(number) {
  const rounded = Math.round(number * 100) / 100;
  return rounded === 0 ? 0 : rounded; // no −0
}
