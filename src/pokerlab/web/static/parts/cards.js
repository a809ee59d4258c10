// Cards: suits in four colours, each with its symbol.
import { html } from "/static/vendor/preact-htm.js";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
export const SYMBOLS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const SUIT_NAMES = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

/** `QhJh2c` as `["Qh", "Jh", "2c"]`. */
export function splitCards(text) {
  return text.match(/[2-9TJQKA][shdc]/g) ?? [];
}

export function cardName(card) {
  return `${RANK_NAMES[card[0]] ?? card[0]} of ${SUIT_NAMES[card[1]]}`;
}

/** A card as it lies on the table. */
export function Card({ card, small = false }) {
  return html`<span class=${`card suit-${card[1]}${small ? " small" : ""}`} role="img" aria-label=${cardName(card)}>
    <b>${card[0]}</b><i>${SYMBOLS[card[1]]}</i></span>`;
}

export function Board({ board, small = false }) {
  return html`<span class="board">${splitCards(board).map((card) => html`<${Card} key=${card} card=${card} small=${small} />`)}</span>`;
}

/** A hand such as `AhKd` in coloured text. */
export function HandText({ hand }) {
  return html`<span class="hand">${splitCards(hand).map((card) => html`<span class=${`suit-${card[1]}`}>${card[0]}${SYMBOLS[card[1]]}</span>`)}</span>`;
}

/**
 * All 52 cards, 4 × 13. `chosen` and `dead` are lists of cards; `onPick` is called with one.
 * Arrow keys move between cards.
 */
export function CardPicker({ chosen = [], dead = [], onPick, label = "Cards" }) {
  const move = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
    if (!step) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    let place = buttons.indexOf(event.target) + step;
    while (buttons[place]?.disabled) place += step;
    buttons[place]?.focus();
  };
  return html`<div class="card-picker" role="group" aria-label=${label} onKeyDown=${move}>
    ${[...SUITS].map((suit) => [...RANKS].map((rank) => {
      const card = rank + suit;
      const picked = chosen.includes(card);
      return html`<button type="button" key=${card} class=${`card suit-${suit}${picked ? " chosen" : ""}`}
        aria-pressed=${picked} aria-label=${cardName(card)} disabled=${!picked && dead.includes(card)}
        onClick=${() => onPick(card)}><b>${rank}</b><i>${SYMBOLS[suit]}</i></button>`;
    }))}
  </div>`;
}
