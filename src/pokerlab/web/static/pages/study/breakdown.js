// The range broken down: made hands, draws, tenths of equity; a click filters everything.
import { html } from "/static/vendor/preact-htm.js";
import { Bar } from "./hands.js";
import { BUCKETS, bucketOf, percent, sumHands } from "./sums.js";

export function Breakdown({ units, once, node, hands, colours, acts, filter, onFilter }) {
  const actions = acts ? node.actions.length : 0;
  const arriving = hands.filter((hand) => hand.weight > 0);
  const total = arriving.reduce((sum, hand) => sum + hand.weight, 0);
  const parts = (names, test) => names
    .map((name, number) => ({ name, ...sumHands(arriving.filter((hand) => test(hand, number)), actions, node.pot) }))
    .filter((part) => part.weight > 0);
  const groups = [
    ["Made hands", parts(once.made_names, (hand, number) => hand.made === number)],
    ["Draws", parts(once.draw_names, (hand, number) => (hand.draws >> number) & 1)],
    ["Equity", parts(BUCKETS, (hand, number) => bucketOf(hand.equity) === number)],
  ];
  const chosen = filter.split("&").map((part) => part.trim());
  const choose = (name, event) => {
    if (chosen.includes(name)) onFilter(chosen.filter((each) => each !== name).join(" & "));
    else onFilter((event.ctrlKey || event.metaKey || event.shiftKey) && filter ? `${filter} & ${name}` : name);
  };
  return html`<div class="breakdown"><p class="small quiet-text">A click shows these hands alone, everywhere; with Ctrl or Shift, those that are both.</p>
    ${groups.map(([title, rows]) => rows.length > 0 && html`<table class="data" key=${title} aria-label=${title}>
      <thead><tr><th>${title}</th><th class="number">Share</th>${acts && html`<th class="bar-column" />`}
        ${acts && node.options.map((option) => html`<th class="number" title=${units.words(option.name)}>${option.action}</th>`)}
        <th class="number">EV${units.heading}</th><th class="number">Equity</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row.name} class=${chosen.includes(row.name) ? "chosen" : ""}>
        <td><button type="button" class="part" aria-pressed=${chosen.includes(row.name)} onClick=${(event) => choose(row.name, event)}>${row.name.replaceAll("-", title === "Equity" ? "–" : " ")}</button></td>
        <td class="number">${percent(row.weight / total)}</td>
        ${acts && html`<td><${Bar} shares=${row.strategy} colours=${colours} /></td>`}
        ${acts && row.strategy.map((share) => html`<td class="number">${percent(share)}</td>`)}
        <td class="number">${units.write(row.ev)}</td><td class="number">${percent(row.equity)}</td></tr>`)}
      </tbody></table>`)}
  </div>`;
}
