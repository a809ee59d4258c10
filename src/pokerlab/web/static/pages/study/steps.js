// The way to a place: a card for each decision with its options, and the cards that came.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { Card, CardPicker, RANKS, SUITS } from "../../parts/cards.js";
import { actionColours, background } from "../../parts/colours.js";
import { Dialog } from "../../parts/dialog.js";
import { percent } from "./sums.js";

const BEFORE = 90; // pixels

/**
 * `node` is what the server says of the line; `onGo(line)` goes to another, `onPoint(line)` may soon; `changed(line)` says
 * whether a decision is locked on the page; children stand at the end.
 */
export function Steps({ units, node, start, onGo, onPoint = () => {}, changed = () => false, children }) {
  const strip = useRef();
  useEffect(() => {
    const last = strip.current?.lastElementChild;
    // What can be done here, with some of what was done before it, where not all fits.
    if (last) strip.current.scrollTo({ left: last.offsetLeft - strip.current.offsetLeft - BEFORE });
  }, [node.line]);
  return html`<div class="steps" ref=${strip} role="list" aria-label="The way here">
    <div class="step deal" role="listitem"><h3>${start.street}</h3>${start.board.length > 0 && html`<div class="step-board">${start.board.map((card) => html`<${Card} key=${card} card=${card} />`)}</div>`}
      <span class="quiet-text small">pot ${units.amount(start.pot)}</span></div>
    ${node.path.map((step, place) => (step.kind === "card"
      ? html`<${Dealt} key=${place} step=${step} line=${node.line} onGo=${onGo} />`
      : step.kind === "any" ? html`<${AnyCard} key=${place} step=${step} line=${node.line} onGo=${onGo} />`
      : html`<${Decision} units=${units} key=${place} step=${step} onGo=${onGo} onPoint=${onPoint} changed=${changed} />`))}
    ${node.kind === "decision" && html`<${Decision} units=${units} step=${node} current onGo=${onGo} onPoint=${onPoint} changed=${changed} />`}
    ${node.kind === "card" && html`<${Coming} units=${units} node=${node} onGo=${onGo} />`}
    ${node.kind === "end" && html`<div class="step end" role="listitem"><h3>End</h3><p>${units.words(node.text)}</p></div>`}
    ${children}
  </div>`;
}

/** What is locked at a decision: in the solution, in A or B, or on the page. */
function lockBadge(step, changed) {
  const said = (lock) => `${lock.hands < lock.of ? `${lock.hands} of ${lock.of} hands` : "all hands"}${lock.weight < 1 ? `, with weight ${lock.weight.toFixed(2)}` : ""}`;
  if (step.lock_sides) {
    const sides = step.lock_sides.map((lock, side) => lock && ["A", "B"][side]).filter(Boolean);
    const title = step.lock_sides.map((lock, side) => lock && `${["A", "B"][side]}: ${said(lock)}`).filter(Boolean).join("; ");
    return sides.length ? html`<span class="badge warn" title=${title}>locked in ${sides.join(" and ")}</span>` : null;
  }
  if (changed(step.line)) return html`<span class="badge warn" title="Locked on this page; solve again to see what it does">to lock</span>`;
  return step.lock ? html`<span class="badge warn" title=${said(step.lock)}>locked</span>` : null;
}

function Decision({ units, step, current = false, onGo, onPoint, changed }) {
  const colours = actionColours(step.options.map((option) => option.action));
  return html`<div class=${`step decision${current ? " current" : ""}`} role="listitem">
    <button type="button" class="step-head" aria-label=${`Back to this decision of ${step.player}`} aria-current=${current ? "step" : undefined} onClick=${() => onGo(step.line)}>
      <b>${step.player.toUpperCase()}</b>${lockBadge(step, changed)}<span>pot ${units.amount(step.pot)}</span></button>
    <div class="options">
      ${step.options.map((option, place) => html`<button type="button" key=${option.action}
          class=${`option${step.chosen === place ? " chosen" : ""}`} aria-pressed=${current ? undefined : step.chosen === place}
          title=${option.size ? `${Math.round(100 * option.size)}% of the pot` : undefined} onClick=${() => onGo(option.line)} onPointerEnter=${() => onPoint(option.line)} onFocus=${() => onPoint(option.line)}>
        <span class="option-bar" style=${{ width: `${100 * option.frequency}%`, background: background(colours[place]) }} />
        <span class="swatch" style=${{ background: background(colours[place]) }} />
        <span class="option-name">${units.words(option.name)}${option.size ? html` <small>${Math.round(100 * option.size)}%</small>` : ""}</span>
        <span class="option-share">${percent(option.frequency)}</span>
      </button>`)}
    </div>
    <div class="step-foot">stack ${units.amount(step.stack)}${step.to_call ? html` · to call ${units.amount(step.to_call)} · odds ${percent(step.pot_odds, 0)}` : ""}</div>
  </div>`;
}

/** The line with another card in the place of one that came. */
export function withCard(line, step, card) {
  return `${step.before}/${card}${line.slice(step.line.length)}`;
}

/** The next card of the same suit, or of the same rank, that may come. */
export function nextCard(step, line, ranks, suits) {
  const later = line.slice(step.line.length);
  let rank = RANKS.indexOf(step.card[0]), suit = SUITS.indexOf(step.card[1]);
  for (let tries = 0; tries < 13; tries += 1) {
    rank = (rank + ranks + 13) % 13;
    suit = (suit + suits + 4) % 4;
    const card = RANKS[rank] + SUITS[suit];
    if (step.cards.includes(card) && !later.includes(card)) return card;
  }
  return step.card;
}

function Dealt({ step, line, onGo }) {
  const [open, setOpen] = useState(false);
  const turn = (ranks, suits) => onGo(withCard(line, step, nextCard(step, line, ranks, suits)));
  return html`<div class="step deal" role="listitem">
    <h3>${step.street}</h3>
    <div class="dealt">
      <button type="button" class="quiet icon" aria-label="The next suit" onClick=${() => turn(0, -1)}>▴</button>
      <div class="row nowrap-row">
        <button type="button" class="quiet icon" aria-label="A higher card" onClick=${() => turn(-1, 0)}>◂</button>
        <button type="button" class="plain" aria-label="Choose the card" onClick=${() => setOpen(true)}><${Card} card=${step.card} /></button>
        <button type="button" class="quiet icon" aria-label="A lower card" onClick=${() => turn(1, 0)}>▸</button>
      </div>
      <button type="button" class="quiet icon" aria-label="The suit before" onClick=${() => turn(0, 1)}>▾</button>
    </div>
    ${open && html`<${PickCard} title=${`The ${step.street}`} cards=${step.cards} chosen=${[step.card]} onClose=${() => setOpen(false)}
      onPick=${(card) => { setOpen(false); onGo(withCard(line, step, card)); }} />`}
  </div>`;
}

/** A card that the line leaves out, as in a report: all of them are meant, and one may be chosen. */
function AnyCard({ step, line, onGo }) {
  const [open, setOpen] = useState(false);
  return html`<div class="step deal any-card" role="listitem"><h3>${step.street}</h3>
    <button type="button" class="plain" onClick=${() => setOpen(true)} title="Choose one card">any card</button>
    ${open && html`<${PickCard} title=${`The ${step.street}`} cards=${step.cards} chosen=${[]} onClose=${() => setOpen(false)}
      onPick=${(card) => { setOpen(false); onGo(`${step.before}/${card}${line.slice(step.before.length)}`); }} />`}
  </div>`;
}

function PickCard({ title, cards, chosen, onPick, onClose }) {
  return html`<${Dialog} title=${title} wide onClose=${onClose}><${Cards} cards=${cards} chosen=${chosen} onPick=${onPick} /><//>`;
}

function Cards({ cards, chosen = [], onPick }) {
  const all = [...SUITS].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
  return html`<${CardPicker} chosen=${chosen} dead=${all.filter((card) => !cards.includes(card))} onPick=${onPick} label="The next card" />`;
}

function Coming({ units, node, onGo }) {
  return html`<div class="step coming current" role="listitem"><h3>Choose the ${node.street} · pot ${units.amount(node.pot)}</h3>
    <${Cards} cards=${node.cards} onPick=${(card) => onGo(`${node.line}/${card}`)} /></div>`;
}
