// The list of hands: what each does and earns, sorted, pinned, as CSV or as a range text.
import { html, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get } from "../../parts/api.js";
import { HandText, RANKS } from "../../parts/cards.js";
import { background } from "../../parts/colours.js";
import { Table } from "../../parts/table.js";
import { onlyHere, percent } from "./sums.js";

/** `hands` are those that arrive and pass the filter; `acts` says whether they have a strategy. */
export function Hands({ units, id, node, hands, colours, acts, player, filter, sort, onSort, pinned, onPin, onOpen }) {
  const options = acts ? node.options : [];
  const columns = useMemo(() => [
    { key: "pin", title: "", sortable: false, width: "26px", cell: (hand) => html`<button type="button" class="pin" aria-pressed=${pinned.includes(hand.name)}
        aria-label=${`Pin ${hand.name}`} title="Keep on top" onClick=${() => onPin(hand.name)}>${pinned.includes(hand.name) ? "★" : "☆"}</button>` },
    { key: "name", title: "Hand", value: handOrder, cell: (hand) => html`<button type="button" class="part" title="Open its panel" onClick=${() => onOpen(hand.name)}><${HandText} hand=${hand.name} /></button>` },
    ...(acts ? [{ key: "bar", title: "", sortable: false, cell: (hand) => html`<${Bar} shares=${hand.strategy} colours=${colours} />` }] : []),
    { key: "weight", title: "Weight", number: true, value: (hand) => hand.weight, cell: (hand) => percent(hand.weight) },
    ...options.map((option, place) => ({ key: option.action, title: option.action, help: units.words(option.name), number: true, value: (hand) => hand.strategy[place], cell: (hand) => percent(hand.strategy[place]) })),
    { key: "ev", title: `EV${units.heading}`, help: units.missing || `In ${units.long}`, number: true, value: (hand) => hand.ev, cell: (hand) => units.write(hand.ev) },
    { key: "equity", title: "Equity", number: true, value: (hand) => hand.equity, cell: (hand) => percent(hand.equity) },
    { key: "realised", title: "Real.", help: "Realised: EV divided by equity times pot", number: true, value: (hand) => hand.realised, cell: (hand) => percent(hand.realised, 0) },
    ...options.map((option, place) => ({ key: `ev ${option.action}`, title: `EV ${option.action}`, help: `EV of ${units.words(option.name)}`, number: true,
      value: (hand) => hand.actionEv?.[place] ?? null, cell: (hand) => html`<span class=${isBest(hand, place) ? "best" : ""}>${units.write(hand.actionEv?.[place])}</span>` })),
  ], [node, acts, colours, pinned, units]);
  const first = hands.filter((hand) => pinned.includes(hand.name));
  const rest = hands.filter((hand) => !pinned.includes(hand.name));
  const query = new URLSearchParams({ line: node.line, player, ...(filter && !onlyHere(filter) ? { hands: filter } : {}) });
  const table = new URLSearchParams([...query, ...(units.unit === "chips" ? [] : [["unit", units.unit]])]);
  return html`<div class="hands-tab">
    <div class="row tools"><span class="quiet-text small" id="hand-count">${hands.length} ${hands.length === 1 ? "hand" : "hands"} · ${hands.reduce((sum, hand) => sum + hand.weight, 0).toFixed(1)} combos</span>
      <span class="space" />
      <${CopyRange} id=${id} query=${query} />
      <a class="button" href=${`/api/solutions/${id}/hands.csv?${table}`} download>CSV</a></div>
    ${first.length > 0 && html`<${Table} label="Pinned hands" columns=${columns} rows=${first} rowKey=${(hand) => hand.name} sort=${sort} onSort=${onSort} />`}
    <${Table} label="Hands" columns=${columns} rows=${rest} rowKey=${(hand) => hand.name} sort=${sort} onSort=${onSort} empty="No hand arrives here." />
  </div>`;
}

/** Higher for higher ranks, then for the hand that comes first; the suits of the high card do not part AK from AQ. */
function handOrder({ name, number }) {
  return -(2000 * (13 * RANKS.indexOf(name[0]) + RANKS.indexOf(name[2])) + number);
}

function isBest(hand, place) {
  const evs = hand.actionEv;
  return evs && evs[place] !== null && evs.every((ev) => ev <= evs[place]);
}

export function Bar({ shares, colours }) {
  return html`<span class="hand-bar" aria-hidden="true">${shares.map((share, place) => share > 0.001 && html`<span key=${place} style=${{ flexGrow: share, background: background(colours[place]) }} />`)}</span>`;
}

/** A button that copies what a range is as text; without a clipboard the text is shown. */
export function CopyRange({ id, query, label = "Copy as range" }) {
  const [state, setState] = useState(null);
  const copy = async () => {
    try {
      const { range, combos } = await get(`/api/solutions/${id}/range?${query}`);
      try {
        await navigator.clipboard.writeText(range);
        setState({ text: `Copied ${combos.toFixed(1)} combos`, range });
      } catch {
        setState({ text: range, range, failed: true });
      }
    } catch (error) {
      setState({ text: error.message, error: true });
    }
  };
  return html`${state && html`<span class=${`small copied ${state.error ? "error" : "quiet-text"}`} role="status" data-range=${state.range}>${state.text}</span>`}
    <button type="button" onClick=${copy}>${label}</button>`;
}
