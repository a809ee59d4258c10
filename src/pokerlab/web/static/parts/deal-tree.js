// A tree of actions along one deal: nested lists that open and close, by pointer and by keys.
import { html } from "/static/vendor/preact-htm.js";
import { HandText } from "./cards.js";
import { actionColours, background } from "./colours.js";

const DEEP = 6; // what lies deeper is closed at first

const PLAIN = { amount: number, words: (text) => text };

/** `tree` is what the server says of a deal; `onOpen` is called with the line of a node, `units` write chips. */
export function DealTree({ units = PLAIN, tree, onOpen }) {
  const below = tree.nodes.map(() => []);
  tree.nodes.forEach((node, place) => node.parent >= 0 && below[node.parent].push(place));
  const first = tree.nodes[0];
  const ends = tree.nodes.filter((node) => node.player === null).length;
  return html`<div class="deal-tree" onKeyDown=${move}>
    <p class="small deal-title">${tree.seats.map((seat, place) => html`<span key=${seat}><b>${name(seat)}</b> <${HandText} hand=${tree.hands[place]} /></span>`)}
      ${tree.board && html`<span><b>Board</b> <${HandText} hand=${tree.board} /></span>`}</p>
    <p class="small quiet-text">${first.line ? `After ${first.line}` : "First decision"}: ${first.player === null ? first.end : `${name(tree.seats[first.player])} acts`}, pot ${units.amount(first.pot)}</p>
    <ul aria-label="Lines of this deal">${below[0].map((place) => html`<${Branch} units=${units} key=${tree.nodes[place].line} tree=${tree} below=${below} place=${place} onOpen=${onOpen} />`)}
      ${first.seldom && html`<li class="seldom small">${first.seldom}</li>`}</ul>
    <p class="small quiet-text">${ends} ${ends === 1 ? "line" : "lines"}; the last number is how often a line is played. ${tree.left_out} ${tree.left_out === 1 ? "action is" : "actions are"} left out.</p>
  </div>`;
}

function Branch({ units, tree, below, place, onOpen }) {
  const node = tree.nodes[place];
  const inner = below[place];
  const actions = tree.nodes[node.parent].actions;
  const colour = actionColours(actions.map((action) => (/^c/.test(action) ? "c" : action)))[actions.indexOf(node.action)];
  const words = html`<span class="deal-seat">${name(tree.seats[node.actor])}</span>
    <span class="deal-action"><span class="deal-bar" style=${{ width: `${100 * node.probability}%`, background: background(colour) }} /><span>${units.words(node.words.split(",")[0])}</span></span>
    <b class="deal-share">${node.share}</b>${node.cards && html`<span class="deal-cards"><${HandText} hand=${node.cards} /></span>`}`;
  if (!inner.length) {
    return html`<li><button type="button" class="plain deal-row" disabled=${node.player === null && node.outcome !== "left out"} onClick=${() => onOpen?.(node.line)}>${words}
      <span class="deal-end">${[node.end === "fold" ? "" : node.end, units.words(node.result)].filter(Boolean).join(": ")}</span><span class="deal-reach">${node.reached}</span></button></li>`;
  }
  return html`<li><details open=${node.depth < DEEP}><summary class="deal-row">${words}
      ${onOpen && html`<button type="button" class="plain deal-open" title=${`To ${node.line}`} aria-label=${`To ${node.line}`} onClick=${(event) => { event.preventDefault(); onOpen(node.line); }}>↗</button>`}</summary>
    <ul>${inner.map((each) => html`<${Branch} units=${units} key=${tree.nodes[each].line} tree=${tree} below=${below} place=${each} onOpen=${onOpen} />`)}
      ${node.seldom && html`<li class="seldom small">${node.seldom}</li>`}</ul></details></li>`;
}

function name(seat) {
  return seat.length <= 3 ? seat.toUpperCase() : seat;
}

function number(pot) {
  return pot.toLocaleString("en", { maximumFractionDigits: 2 });
}

/** Up and down go from row to row, left and right close and open. */
function move(event) {
  const rows = [...event.currentTarget.querySelectorAll("summary, .deal-row:not(summary):enabled")].filter((row) => row.offsetParent !== null);
  const place = rows.indexOf(event.target);
  if (place < 0) return;
  const details = event.target.tagName === "SUMMARY" ? event.target.parentElement : null;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") rows[place + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  else if (event.key === "ArrowRight" && details) details.open = true;
  else if (event.key === "ArrowLeft" && details?.open) details.open = false;
  else if (event.key === "ArrowLeft") event.target.closest("ul")?.closest("details")?.querySelector("summary")?.focus();
  else return;
  event.preventDefault();
}
