// A table of the server at which hands are practised: the hand, what the last action was worth, the score.
import { html, useEffect, useRef } from "/static/vendor/preact-htm.js";
import { Board, HandText } from "../../parts/cards.js";
import { actionColours, background } from "../../parts/colours.js";
import { useKeys } from "../../parts/keys.js";
import { Lazy } from "../../parts/lazy.js";
import { Matrix } from "../../parts/matrix.js";
import { Link } from "../../parts/navigation.js";
import { PokerTable } from "../../parts/poker-table.js";
import { usePreference } from "../../parts/preferences.js";
import { useUnits } from "../../parts/units.js";
import { Grade } from "../../parts/grade.js";
import { ScoreView, classOf, named, shortName } from "./score.js";
import { settingsText } from "./settings.js";
import { Timer, useStopwatch } from "./timer.js";

/**
 * A table of the server: its hand, what was judged, the score. `send(url, data)` as `useTable` gives it; `again(setup)` sits down anew
 * with the same files, `leave` shows what to choose, and `leaveText` says what that is.
 */
export function TrainTable({ table, send, again, leave, leaveText, error, busy }) {
  const { hand } = table;
  const units = useUnits(table.money);
  const address = `/api/train/tables/${table.table}`;
  const decided = `${table.number} ${hand?.line}`;
  const spent = useStopwatch(decided);
  const act = (action) => send(`${address}/act`, { action, line: hand.decision.line, seconds: spent() });
  const next = () => send(`${address}/next`);
  const [matrix, setMatrix] = usePreference("train-matrix", true);
  const choices = hand?.decision?.choices ?? [];
  const finished = !table.whole && (!hand || hand.result !== null);
  const over = finished && table.over;
  const bar = useRef();
  useEffect(() => {
    // The focus follows the game, unless it is elsewhere.
    if (document.activeElement === document.body) bar.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [hand?.line, table.number]);
  const deal = () => finished && !over && next();
  useKeys({
    ...Object.fromEntries(choices.slice(0, 9).map((choice, place) => [String(place + 1), [() => act(choice.action), "choose an action"]])),
    ...(table.whole ? {} : { n: [deal, "next hand"] }),
    m: [() => setMatrix(!matrix), "show or hide the range"],
  });
  const colours = actionColours(choices.map((choice) => choice.action));
  const judged = hand?.judgements.at(-1);
  const asked = settingsText({ ...table.setup, seconds: null, seat: "", due: "" });
  return html`<div class="train-page">
    <div class="page-head"><h1>Train</h1>
      ${table.kind === "nolimit" ? html`<span>nolimit</span>` : html`<${Link} href=${`/${table.kind}/${table.file}${hand?.result ? `?line=${studied(hand)}` : ""}`}>${shortName(table.source)}<//>`}
      <span class="quiet-text">hand ${table.number}${hand ? `, you are ${hand.seat_words}` : ""}</span>
      ${table.setup.mistakes && html`<span class="badge warn">${table.left} to play again</span>`}
      ${table.setup.due && table.left > 0 && html`<span class="badge warn">${table.left} due</span>`}
      ${asked && html`<span class="badge">${asked}</span>`}
      <span class="space" />
      <button type="button" class="quiet" onClick=${leave}>${leaveText}</button>
    </div>
    ${table.note && html`<p class="small quiet-text">${table.note}.</p>`}
    ${table.whole ? html`<${Lazy} key=${`${table.whole.play} ${table.number}`} load=${() => import("./whole.js")} table=${table} send=${send} next=${next} waiting=${busy} problem=${error} />` : html`<div class="train-columns">
      <div class="stack train-table">
        ${table.setup.seconds && html`<div class="timer-place">${hand?.decision && html`<${Timer} seconds=${table.setup.seconds} decision=${decided} over=${() => send(`${address}/late`, { line: hand.decision.line })} />`}</div>`}
        ${hand && html`<${PokerTable} label="The table" write=${units.amount} seats=${seatsOf(hand, units)} board=${hand.board} pot=${hand.pot} message=${hand.result ? (hand.result.late ? "Too slow" : outcome(hand.result.won, units)) : ""} />`}
        <div class="action-bar" ref=${bar} role="group" aria-label="Your actions">
          ${over && html`<p class="all-well">${capital(table.end)}.</p>`}
          ${finished && !over && html`<button type="button" class="primary go" id="next" disabled=${busy} onClick=${deal}><kbd>N</kbd> Next hand</button>`}
          ${over && html`<button type="button" class="primary go" onClick=${() => again({ ...table.setup, seed: undefined, mistakes: false, due: "" })}>New hands</button>`}
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
        <${SessionScore} table=${table} units=${units} again=${finished && !table.setup.mistakes && !table.setup.due ? again : null} />
    </div>`}
  </div>`;
}

/** The score of the session so far, and over which files it goes. */
export function SessionScore({ table, units, again = null }) {
  const { score, sources } = table;
  return html`<section class="panel stack train-score" aria-label="Score">
    <div class="row"><h2>Session</h2><span class="space" />
      ${again && table.mistakes > 0 && html`<button type="button" class="small" onClick=${() => again({ mistakes: true })}>Again only my mistakes (${table.mistakes})</button>`}</div>
    ${score.decisions || score.slow ? html`<${ScoreView} units=${units} score=${score} several=${sources.length > 1} />` : html`<p class="quiet-text">No decision yet.</p>`}
    ${sources.length > 1 && html`<p class="small quiet-text">${sources.map((each) => `${shortName(each.name)} ${each.hands}`).join(" · ")}</p>`}
  </section>`;
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
    ${hand.result && html`<span class=${`event result ${hand.result.won > 0 ? "up" : hand.result.won < 0 ? "down" : ""}`}>${hand.result.late ? "time over" : units.signed(hand.result.won)}</span>`}
  </div>`;
}

function Judged({ units: all, judged }) {
  const units = all.of(judged.pot);
  const colours = actionColours(judged.actions);
  const most = Math.max(...judged.losses_percent, 1);
  return html`<div class="stack">
    <div class="row judged-head"><${Grade} grade=${judged.grade} />
      <span class="judged-loss">${judged.action === "" ? html`<b>nothing was done in time</b>` : judged.loss_percent >= 0.005 ? html`<b>−${named(judged.loss, all)}</b> · ${judged.loss_percent.toFixed(2)}% of the pot` : html`<b>nothing lost</b>`}</span>
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

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function round(number) {
  const rounded = Math.round(number * 100) / 100;
  return rounded === 0 ? 0 : rounded; // no −0
}
