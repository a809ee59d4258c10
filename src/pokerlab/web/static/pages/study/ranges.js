// Both ranges at a place, and what they are worth.
import { html } from "/static/vendor/preact-htm.js";
import { Matrix } from "../../parts/matrix.js";
import { CopyRange } from "./hands.js";
import { percent } from "./sums.js";

export function Ranges({ units, id, once, node, values, cells }) {
  return html`<div class="ranges columns">
    ${once.players.map((player, seat) => {
      const total = values?.totals[seat];
      return html`<section key=${player}>
        <h2>${player.toUpperCase()} <small class="quiet-text">${node.combos ? `${node.combos[seat].toFixed(1)} combos` : ""}</small></h2>
        <${Matrix} label=${`The range of ${player}`} cells=${cells[seat]} colours=${["call"]} />
        <dl class="facts"><dt>Equity</dt><dd>${percent(total?.equity)}</dd><dt>EV</dt><dd>${units.text(total?.ev)}</dd><dt>Realised</dt><dd>${percent(total?.realisation, 0)}</dd></dl>
        ${node.kind === "decision" && html`<div class="row copies"><span class="small quiet-text">Copy as range</span><${CopyRange} id=${id} label="All" query=${new URLSearchParams({ line: node.line, player })} />
          ${node.seat === seat && node.options.map((option) => html`<${CopyRange} key=${option.action} id=${id} label=${units.words(option.name)}
            query=${new URLSearchParams({ line: node.line, player, action: option.action })} />`)}</div>`}
      </section>`;
    })}
  </div>`;
}
