// A poker table: who sits there, what lies there, and what was put in; and the table of the server that a page plays at.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, post } from "./api.js";
import { Card, splitCards } from "./cards.js";
import { setQuery } from "./navigation.js";

/**
 * The table that the address of a page names, below `address` on the server: `{table, error, busy, send}`. What `send(url, data)`
 * is answered is the table from then on; while one is under way, others are dropped. A table with `thinking` is asked for until it is over.
 */
export function useTable(address, id) {
  const [table, setTable] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const sending = useRef(false); // at once, where a state waits for the next drawing
  useEffect(() => {
    if (!id) setTable(null);
    else if (table?.table !== id) {
      get(`${address}/${id}`).then(setTable, (problem) => {
        setError(problem);
        if (problem.status === 404) setQuery({ table: null }, { replace: true });
      });
    }
  }, [id]);
  useEffect(() => {
    // A bot that thinks is asked again and again; the page stays alive meanwhile.
    if (!table?.thinking || table.table !== id) return undefined;
    const timer = setTimeout(() => get(`${address}/${id}`).then(setTable, setError), 400);
    return () => clearTimeout(timer);
  }, [table, id]);
  const send = async (url, data) => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    setError(null);
    try {
      const answer = await post(url, data);
      setTable(answer);
      if (answer.table !== id) setQuery({ table: answer.table });
    } catch (problem) {
      setError(problem);
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };
  return { table, error, busy, send };
}

/** An amount of chips as people write it. */
export function chips(amount) {
  if (amount === null || amount === undefined) return "–";
  return amount.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** The same with its sign. */
export function signed(amount) {
  return `${amount > 0 ? "+" : amount < 0 ? "−" : ""}${chips(Math.abs(amount))}`;
}

function Bet({ amount, write }) {
  return html`<span class=${`table-bet${amount > 0 ? "" : " none"}`} aria-label=${amount > 0 ? `${write(amount)} put in` : undefined}>
    ${amount > 0 && html`<i class="poker-chip" aria-hidden="true" />${write(amount)}`}</span>`;
}

/** Cards of a seat: `cards` is a text; `hidden` is how many lie face down. `picked` are raised; `onPick(card)` chooses. */
export function Hole({ cards, hidden = 0, picked = [], onPick }) {
  const known = splitCards(cards ?? "");
  return html`<span class="hole">
    ${known.map((card) => onPick
      ? html`<button type="button" key=${card} class=${`pick${picked.includes(card) ? " picked" : ""}`} aria-pressed=${picked.includes(card)}
          aria-label=${`exchange ${card}`} onClick=${() => onPick(card)}><${Card} card=${card} /></button>`
      : html`<${Card} key=${card} card=${card} />`)}
    ${!known.length && Array.from({ length: hidden }, (_, place) => html`<span class="card back" key=${place} aria-hidden="true" />`)}
  </span>`;
}

/**
 * A seat: `{name, cards, hidden, stack, bet, folded, active, dealer, note}`; `note` is a word or two,
 * such as the last action or the hand at the showdown.
 */
function Seat({ write, seat, own = false, picked, onPick }) {
  const classes = `table-seat${own ? " own" : ""}${seat.active ? " active" : ""}${seat.folded ? " folded" : ""}${seat.won ? " won" : ""}`;
  return html`<div class=${classes}>
    ${own && html`<${Bet} write=${write} amount=${seat.bet} />`}
    <${Hole} cards=${seat.cards} hidden=${seat.hidden} picked=${picked} onPick=${onPick} />
    <div class="plate">
      <span class="plate-name">${seat.dealer && html`<i class="dealer" title="dealer">D</i>`}${seat.name}</span>
      <span class="plate-stack">${seat.stack === null || seat.stack === undefined ? "" : write(seat.stack)}</span>
      <span class="plate-note">${seat.note ?? ""}</span>
    </div>
    ${!own && html`<${Bet} write=${write} amount=${seat.bet} />`}
  </div>`;
}

/** `seats[0]` is one's own, at the bottom; `cards` is how many the board can have, `write` writes chips. */
export function PokerTable({ write = chips, seats, board, cards = 5, pot, label, message = "", picked, onPick }) {
  const lying = splitCards(board);
  const empty = Math.max(0, cards - lying.length);
  return html`<section class="felt" aria-label=${label}>
    <div class="others">${seats.slice(1).map((seat) => html`<${Seat} write=${write} key=${seat.name} seat=${seat} />`)}</div>
    <div class="middle">
      ${cards > 0 && html`<span class="board-large" aria-label="board">
        ${lying.map((card) => html`<${Card} key=${card} card=${card} />`)}
        ${Array.from({ length: empty }, (_, place) => html`<span class="card gap" key=${place} aria-hidden="true" />`)}
      </span>`}
      <span class="pot"><span class="quiet-text">pot</span> <b>${write(pot)}</b>${message && html`<span class="outcome" role="status">${message}</span>`}</span>
    </div>
    <${Seat} write=${write} seat=${seats[0]} own picked=${picked} onPick=${onPick} />
  </section>`;
}
