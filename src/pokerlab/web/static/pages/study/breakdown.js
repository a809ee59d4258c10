// The range broken down: made hands, draws, tenths of equity; a click filters everything, or locks.
import { html, useState } from "/static/vendor/preact-htm.js";
import { usePreference } from "../../parts/preferences.js";
import { Bar } from "./hands.js";
import { keepStrategy, withFree, withNever, withShare } from "./lock-state.js";
import { BUCKETS, bucketOf, percent, sumHands } from "./sums.js";

const WEIGHING = "Hands count by their weight here, in the step above also by how many opposing hands they meet";

/** `hands` do what they do with the locks of the page; `locking` has these, how to keep them, and where to solve; null where nothing may be locked. */
export function Breakdown({ units, once, node, hands, colours, acts, filter, onFilter, locking }) {
  const [rules, setRules] = usePreference("lockRows", false);
  const [said, setSaid] = useState("");
  const actions = acts ? node.actions.length : 0;
  const arriving = hands.filter((hand) => hand.weight > 0);
  const total = arriving.reduce((sum, hand) => sum + hand.weight, 0);
  const parts = (names, test) => names
    .map((name, number) => {
      const own = arriving.filter((hand) => test(hand, number));
      return { name, hands: own, ...sumHands(own, actions, node.pot) };
    })
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
  const open = locking && acts && rules && node.reached;
  const held = locking?.held;
  const keep = (strategy) => locking.onLocks((before) => keepStrategy(before, once, node.line, strategy));
  const wordsOf = (row) => row.name.replaceAll("-", " ");
  const always = (row, action) => {
    keep(withShare(held.base, node, row.hands.map((hand) => hand.number), action, 1));
    setSaid(`${wordsOf(row)}: always ${node.actions[action]}.`);
  };
  const never = (row, action) => {
    const { strategy, alone } = withNever(held.base, node, row.hands, action);
    keep(strategy);
    const rest = alone ? ` ${alone === 1 ? "1 hand does" : `${alone} hands do`} nothing else: nothing is left to scale, so ${row.hands.some((hand) => hand.actionEv) ? "the best other action by EV takes its place" : "the others take its place equally"}.` : "";
    setSaid(`${wordsOf(row)}: never ${node.actions[action]}.${rest}`);
  };
  const free = (row) => {
    keep(withFree(held.base, row.hands.map((hand) => hand.number)));
    setSaid(`${wordsOf(row)}: free again.`);
  };
  const isAll = (row, action, share) => row.hands.every((hand) => hand.locked) && Math.abs(row.strategy[action] - share) < 1e-6;
  return html`<div class="breakdown"><div class="row rule-tools"><p class="small quiet-text">A click shows these hands alone, everywhere; with Ctrl or Shift, those that are both.</p>
      ${locking && acts && node.reached && html`<button type="button" id="lock-rows" aria-pressed=${rules} title="Always and never, for each row" onClick=${() => setRules(!rules)}>Lock rows</button>`}</div>
    ${open && html`<div class="row rule-tools"><button type="button" disabled=${!locking.onUndo} title="Ctrl+Z" onClick=${() => { locking.onUndo(); setSaid(""); }}>Undo</button>
        <button type="button" id="to-lock" class=${locking.count ? "primary" : ""} disabled=${!locking.count} onClick=${locking.onOpen}>Solve with ${locking.count > 1 ? `${locking.count} locks` : locking.count ? "the lock" : "locks"}…</button>
        <span class="small quiet-text" role="status" id="rule-words">${said}</span></div>`}
    ${groups.map(([title, rows]) => rows.length > 0 && html`<table class=${`data${open ? " with-rules" : ""}`} key=${title} aria-label=${title}>
      <thead><tr><th>${title}</th><th class="number" title=${WEIGHING}>Share</th>${acts && html`<th class="bar-column" />`}
        ${acts && node.options.map((option) => html`<th class="number" title=${`${units.words(option.name)}. ${WEIGHING}`}>${option.action}</th>`)}
        <th class="number">EV${units.heading}</th><th class="number">Equity</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${row.name} class=${chosen.includes(row.name) ? "chosen" : ""}>
        <td><button type="button" class="part" aria-pressed=${chosen.includes(row.name)} onClick=${(event) => choose(row.name, event)}>${row.name.replaceAll("-", title === "Equity" ? "–" : " ")}</button>
          ${open && row.hands.some((hand) => hand.locked) && html`<button type="button" class="row-rule free" aria-label=${`${wordsOf(row)}: free again`} onClick=${() => free(row)}>free again</button>`}</td>
        <td class="number">${percent(row.weight / total)}</td>
        ${acts && html`<td><${Bar} shares=${row.strategy} colours=${colours} /></td>`}
        ${acts && row.strategy.map((share, action) => html`<td class="number">${percent(share)}${open && html`<span class="row-rules">
          <button type="button" class="row-rule" aria-pressed=${isAll(row, action, 1)} aria-label=${`${wordsOf(row)}: always ${units.words(node.options[action].name)}`} onClick=${() => always(row, action)}>always</button>
          <button type="button" class="row-rule" aria-pressed=${isAll(row, action, 0)} aria-label=${`${wordsOf(row)}: never ${units.words(node.options[action].name)}`} onClick=${() => never(row, action)}>never</button></span>`}</td>`)}
        <td class="number">${units.write(row.ev)}</td><td class="number">${percent(row.equity)}</td></tr>`)}
      </tbody></table>`)}
  </div>`;
}
