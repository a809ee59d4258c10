// Play: any game of the catalogue, or a spot of the folder, against bots.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board, HandText } from "../parts/cards.js";
import { Chart } from "../parts/chart.js";
import { actionColours, background } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { setQuery } from "../parts/navigation.js";
import { chips, PokerTable, signed, useTable } from "../parts/poker-table.js";
import { usePreference } from "../parts/preferences.js";
import { Why } from "./why.js";

const STACKS = [25, 50, 100, 200];

export default function Play({ query }) {
  const id = query.table;
  const { table, error, busy, send } = useTable("/api/play/tables", id);
  if (id && table?.table === id) {
    return html`<${Table} table=${table} error=${error} busy=${busy}
      act=${(answer) => send(`/api/play/tables/${id}/act`, { answer, betting: table.betting, number: table.number })}
      next=${() => send(`/api/play/tables/${id}/next`)} />`;
  }
  if (id && !error) return html`<p class="nothing">…</p>`;
  return html`<${Setup} error=${error} busy=${busy} start=${(asked) => send("/api/play", query.seed ? { ...asked, seed: Number(query.seed) } : asked)} />`;
}

function Setup({ error, busy, start }) {
  const { data, error: failed } = useLatest("/api/play");
  const [kept, keep] = usePreference("play", { game: "holdem.nolimit.2p", bots: [], seat: "", stack: "", blinds: "" });
  const known = data ? [...data.games, ...data.files].some((game) => game.name === kept.game) : true;
  const game = known ? kept.game : "holdem.nolimit.2p";
  const { data: who, fresh } = useLatest(data ? `/api/play/bots?game=${encodeURIComponent(game)}` : null);
  if (failed) return html`<p class="error">${failed.message}</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const chosen = data.games.find((each) => each.name === game) ?? data.files.find((each) => each.name === game);
  const others = who ? Array.from({ length: who.players - 1 }, (_, place) =>
    who.bots.includes(kept.bots[place]) ? kept.bots[place] : who.bots.includes("solution") ? "solution" : who.bots.includes("fair") ? "fair" : who.bots[0]) : [];
  const deep = game.startsWith("holdem.nolimit");
  const set = (changes) => keep({ ...kept, ...changes });
  const setBot = (place, name) => set({ bots: others.map((bot, other) => (other === place ? name : bot)) });
  const begin = (event) => {
    event.preventDefault();
    start({ game, bots: others, stack: deep && kept.stack ? Number(kept.stack) : null, blinds: deep ? (kept.blinds ?? "").trim() : "", seat: kept.seat === "" || kept.seat >= who.players ? null : kept.seat });
  };
  const groups = [["Hold'em", (name) => name.startsWith("holdem")], ["Other games", (name) => !name.startsWith("holdem")]];
  const wrong = (field) => error?.field === field && html`<span class="error" role="alert">${error.message}</span>`;
  return html`<section class="play-setup">
    <div class="page-head"><h1>Play</h1><span class="quiet-text">Sit down with bots.</span></div>
    <form class="panel stack" onSubmit=${begin}>
      <label class="field"><span>Game</span>
        <select id="game" value=${game} onChange=${(event) => set({ game: event.target.value })}>
          ${groups.map(([label, fits]) => html`<optgroup label=${label} key=${label}>${data.games.filter((each) => fits(each.name)).map((each) => html`<option value=${each.name} key=${each.name}>${each.name}</option>`)}</optgroup>`)}
          ${data.files.length > 0 && html`<optgroup label="Spots and solutions of the folder">${data.files.map((each) => html`<option value=${each.name} key=${each.name}>${each.words}</option>`)}</optgroup>`}
        </select>${wrong("game")}</label>
      <div class="small quiet-text">${chosen?.board ? html`<${Board} board=${chosen.board} small />` : chosen?.words}</div>
      ${others.map((bot, place) => html`<label class="field" key=${place}><span>${others.length > 1 ? `Opponent ${place + 1}` : "Opponent"}</span>
        <select class="opponent" value=${bot} onChange=${(event) => setBot(place, event.target.value)}>
          ${who.bots.map((name) => html`<option value=${name} key=${name}>${name}</option>`)}</select>
        <span class="small quiet-text">${bot === "solution" ? "the solution itself" : data.bots[bot]}</span></label>`)}
      ${wrong("bots")}
      ${who && html`<div class="field"><span>Your seat</span><div class="segments" role="radiogroup" aria-label="Your seat">
        ${[["", "In turn"], ...Array.from({ length: who.players }, (_, seat) => [seat, seatName(seat, who.players, game)])].map(([value, text]) => html`<button type="button" role="radio" key=${value}
          aria-checked=${kept.seat === value} onClick=${() => set({ seat: value })}>${text}</button>`)}</div>${wrong("seat")}</div>`}
      ${deep && html`<div class="field"><span>Stacks in big blinds</span><div class="row">
        <div class="segments" role="radiogroup" aria-label="Stacks">${STACKS.map((stack) => html`<button type="button" role="radio" key=${stack}
          aria-checked=${(Number(kept.stack) || 200) === stack} onClick=${() => set({ stack })}>${stack}</button>`)}</div>
        <input id="stack" type="number" min="5" max="250" step="any" aria-label="another stack" placeholder="200" value=${kept.stack ?? ""} onInput=${(event) => set({ stack: event.target.value })} /></div>${wrong("stack")}</div>
        <label class="field"><span>Blinds</span>
          <input id="blinds" maxlength="40" placeholder="50/100" spellcheck="false" value=${kept.blinds ?? ""} onInput=${(event) => set({ blinds: event.target.value })} />
          <span class="small quiet-text">small and big in chips; a third number is an ante: 50/100/10</span>${wrong("blinds")}</label>`}
      ${error && !["game", "bots", "seat", "stack", "blinds"].includes(error.field) && html`<p class="error" role="alert">${error.message}</p>`}
      <div class="buttons"><button class="primary" id="start" disabled=${busy || !fresh}>${busy ? "Dealing…" : "Sit down"}</button></div>
    </form>
  </section>`;
}

function seatName(seat, players, game) {
  if (!game.startsWith("holdem")) return `Seat ${seat + 1}`;
  if (players === 2) return ["Big blind", "Small blind"][seat];
  return ["Small blind", "Big blind", "Button"][seat] ?? `Seat ${seat + 1}`;
}

function Table({ table, act, next, error, busy }) {
  const [tab, setTab] = usePreference("play-tab", "hand");
  const shown = tab === "why" && !table.explains ? "hand" : tab;
  const score = table.scores.you;
  return html`<div class="play-page">
    <div class="page-head"><h1 title=${table.description}>${table.game === "spot" ? "Spot" : table.game}</h1>
      <span class="quiet-text">hand ${table.number}</span>
      ${table.hands > 0 && html`<span class=${`badge ${score > 0 ? "good" : score < 0 ? "bad" : ""}`}>${signed(score)} after ${table.hands} hand${table.hands === 1 ? "" : "s"}</span>`}
      <span class="space" />
      ${table.hands > 0 && html`<a class="button" id="log" href=${`/api/play/tables/${table.table}/log`} download>Download the hands</a>`}
      <button type="button" class="quiet" onClick=${() => setQuery({ table: null })}>Another table…</button>
    </div>
    <div class="play-columns">
      <${PlayFelt} table=${table} act=${act} next=${next} error=${error} busy=${busy} />
      <section class="panel flush play-side">
        <div class="tabs" role="tablist">${[["hand", "This hand"], ...(table.explains ? [["why", "Why"]] : []), ["hands", "Hands"], ["statistics", "Statistics"]].map(([name, text]) => html`<button type="button" role="tab" key=${name}
          aria-selected=${shown === name} onClick=${() => setTab(name)}>${text}</button>`)}</div>
        <div class="play-tab" role="tabpanel">
          ${shown === "hand" ? html`<${Events} table=${table} />` : shown === "why" ? html`<${Why} table=${table} />` : shown === "hands" ? html`<${Hands} table=${table} />` : html`<${Statistics} table=${table} />`}
        </div>
      </section>
    </div>
  </div>`;
}

/** The table of a hand with what can be done at it; `next` deals another one, and `nextText` says so. */
export function PlayFelt({ table, act, next, nextText = "Next hand", error, busy: sending }) {
  const { result, thinking } = table;
  const decision = thinking ? null : table.decision;
  const busy = sending || thinking;
  const bot = table.seats.find((seat) => seat.name !== "you")?.name;
  const [picked, setPicked] = useState([]);
  const bar = useRef();
  useEffect(() => {
    setPicked([]);
    if (document.activeElement === document.body) bar.current?.querySelector("button")?.focus({ preventScroll: true });
  }, [table.betting, table.number]);
  const own = table.seats[0];
  const ownCards = own.cards.match(/../g) ?? [];
  const toggle = (card) => setPicked((before) => (before.includes(card) ? before.filter((each) => each !== card)
    : before.length < decision.most ? [...before, card] : before));
  const drawing = Boolean(decision?.drawing);
  const exchange = () => act(picked.length ? picked.join(" ") : "0");
  const choices = drawing ? [] : decision?.choices ?? [];
  const numbers = drawing
    ? Object.fromEntries(ownCards.map((card, place) => [String(place + 1), [() => toggle(card), "pick a card to exchange"]]))
    : Object.fromEntries(choices.slice(0, 9).map((choice, place) => [String(place + 1), [() => act(choice.answer), "choose an action"]]));
  useKeys({
    ...numbers,
    ...(drawing ? { d: [exchange, "exchange the cards that are picked"] } : {}),
    n: [() => result && !busy && next(), "next hand"],
  });
  const colours = actionColours(choices.map((choice, place) => (choice.kind === "r" ? `r${place}` : choice.kind)));
  return html`<div class="stack">
      <${PokerTable} label="The table" seats=${table.seats.map((seat) => seatOf(seat, table))} board=${table.board} cards=${table.board_cards} pot=${table.pot}
        message=${thinking ? `${bot} thinks…` : result?.words ?? ""} picked=${picked} onPick=${drawing ? toggle : undefined} />
      <div class="action-bar" ref=${bar} role="group" aria-label="Your actions">
        ${result && html`<button type="button" class="primary go" id="next" disabled=${busy} onClick=${next}><kbd>N</kbd> ${nextText}</button>`}
        ${drawing && html`<button type="button" class="primary go" id="exchange" disabled=${busy} onClick=${exchange}><kbd>D</kbd> ${picked.length === 0 ? "Keep all cards" : `Exchange ${picked.length} card${picked.length === 1 ? "" : "s"}`}</button>`}
        ${choices.map((choice, place) => html`<button type="button" class="act" key=${choice.answer} disabled=${busy} style=${{ "--act": background(colours[place]) }}
          onClick=${() => act(choice.answer)}><kbd>${place + 1}</kbd>${choice.words}<small>${choice.help ?? " "}</small></button>`)}
      </div>
      ${decision?.sizes && html`<${Size} key=${`${table.number} ${table.betting}`} sizes=${decision.sizes} busy=${busy} act=${act} error=${error?.field === "answer" ? error.message : ""} />`}
      ${drawing && html`<p class="small quiet-text">Click the cards to exchange (up to ${decision.most}), or press their numbers.</p>`}
      ${error && !(decision?.sizes && error.field === "answer") && html`<p class="error" role="alert">${error.message}</p>`}
      ${result?.faults.map((fault) => html`<p class="small quiet-text" key=${fault}>${fault}</p>`)}
    </div>`;
}

function seatOf(seat, table) {
  const last = table.events.findLast((event) => event.who === seat.name);
  return { ...seat, name: seat.name === "you" ? "You" : seat.name, note: seat.worth || (table.result && !seat.folded ? "" : last?.words ?? "") };
}

/** Any size between the bounds. */
function Size({ sizes, act, busy, error }) {
  const [amount, setAmount] = useState(sizes.low);
  const send = (event) => {
    event.preventDefault();
    act(String(amount));
  };
  // The slider goes in powers: small sizes matter more than large ones.
  const part = sizes.high > sizes.low ? Math.log(Math.max(amount, sizes.low) / sizes.low) / Math.log(sizes.high / sizes.low) : 0;
  const slide = (event) => {
    const exact = sizes.low * (sizes.high / sizes.low) ** Number(event.target.value);
    setAmount(Math.min(sizes.high, Math.max(sizes.low, Math.round(exact / sizes.step) * sizes.step)));
  };
  if (sizes.low >= sizes.high) return null;
  return html`<form class="row size-form" onSubmit=${send}>
    <input type="range" min="0" max="1" step="0.001" value=${part} aria-label="size" onInput=${slide} />
    <input type="number" min=${sizes.low} max=${sizes.high} step=${sizes.step} value=${amount} aria-label="size in chips" aria-invalid=${Boolean(error)} onInput=${(event) => setAmount(event.target.value)} />
    <button disabled=${busy}>${sizes.what} ${chips(Number(amount))}</button>
    ${error && html`<span class="error small" role="alert">${error}</span>`}
  </form>`;
}

export function Events({ table }) {
  return html`<ol class="events">${table.events.map((event, place) => html`<li key=${place} class=${event.who === "board" ? "board-event" : event.who === "you" ? "you" : ""}>
    ${event.who === "board" ? html`<span class="quiet-text">${event.words}</span> <${Board} board=${event.text} small />` : html`<b>${event.who}</b> ${event.words}`}</li>`)}
    ${!table.events.length && html`<li class="quiet-text">You act first.</li>`}
    ${table.result && html`<li class="outcome-line">${table.result.words}</li>`}</ol>`;
}

function Hands({ table }) {
  if (!table.last_hands.length) return html`<p class="nothing">No hand is over yet.</p>`;
  return html`<div class="hands-list">${table.last_hands.map((hand) => html`<div class="played-hand" key=${hand.number}>
    <span class="quiet-text">${hand.number}</span>
    <div class="held">${Object.entries(hand.cards).sort(([name]) => (name === "you" ? -1 : 1)).map(([name, cards]) => html`<span key=${name} class=${hand.folded.includes(name) ? "gone" : ""}>${name} <${HandText} hand=${cards} /></span>`)}
      ${hand.board && html`<span class="quiet-text">board <${HandText} hand=${hand.board} /></span>`}</div>
    <b class=${hand.won > 0 ? "up" : hand.won < 0 ? "down" : ""}>${signed(hand.won)}</b>
  </div>`)}</div>`;
}

const COLUMNS = [["vpip", "VPIP", "puts in chips before the flop"], ["pfr", "PFR", "raises before the flop"], ["aggression", "aggr.", "bets and raises for each call"], ["showdowns", "shown", "hands that came to a showdown"], ["showdowns_won", "won", "of those, won"]];

function Statistics({ table }) {
  const { data, error, reload } = useLatest(table.hands ? `/api/play/tables/${table.table}/statistics` : null);
  useEffect(reload, [table.hands]);
  if (error) return html`<p class="error">${error.message}</p>`;
  if (!table.hands) return html`<p class="nothing">No hand is over yet.</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const percent = (value, key) => (value === null ? "–" : key === "aggression" ? value.toFixed(1) : `${Math.round(100 * value)}%`);
  const players = Object.entries(data.players).sort(([name]) => (name === "you" ? -1 : 1));
  return html`<div class="stack statistics">
    <table class="data"><thead><tr><th>player</th><th class="number" title=${data.unit === "mbb" ? "thousandths of a big blind (or of the ante) a hand" : "the spot names no big blind"}>${data.unit}/hand</th>${COLUMNS.map(([key, title, help]) => html`<th key=${key} class="number" title=${help}>${title}</th>`)}</tr></thead>
      <tbody>${players.map(([name, each]) => html`<tr key=${name}><td>${name}</td><td class="number">${signed(data.unit === "mbb" ? Math.round(each.a_hand) : Math.round(100 * each.a_hand) / 100)}</td>${COLUMNS.map(([key]) => html`<td key=${key} class="number">${percent(each[key], key)}</td>`)}</tr>`)}</tbody></table>
    <${Chart} label="What you have won" data=${[[0, ...data.curve.map(([hand]) => hand)], [0, ...data.curve.map(([, won]) => won)]]} series=${[{ label: "you, in chips", colour: "--line-1" }]} xLabel="hands" yLabel="chips" height=${220} />
  </div>`;
}
