// The prizes of a tournament: payouts, the other stacks, bounties, and what each stack is worth.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";

const FIELDS = [
  ["payouts", "Payouts", "none: chips count", "What the first, the second, … of all players who are left win, in percent or in money: 50, 30, 20"],
  ["others", "Stacks of the others", "nobody else", "The stacks of the players who are not in the pot: 20, 12"],
  ["bounty", "Bounties", "none", "On each head, in the money of the payouts: 10, or one each (OOP, IP, the others): 10, 20, 5"],
];

export function Prizes({ form, errors, set, prizes, stale }) {
  const faults = [...FIELDS.map(([name]) => name), "progressive"].some((name) => errors[name]);
  const used = faults || FIELDS.some(([name]) => form[name].trim()) || form.progressive;
  // It opens by itself where something is given, and stays open while a field is emptied.
  const [open, setOpen] = useState(used);
  useEffect(() => { if (used) setOpen(true); }, [used]);
  return html`<details class="panel prizes" open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)} aria-label="Prizes">
    <summary><h2>Prizes</h2><span class="quiet-text small">${prizes ? `${prizes.pool.toLocaleString("en", { maximumFractionDigits: 2 })} in all${prizes.linear ? "; one prize is left, so chips count" : ""}` : "In a tournament, results can be counted in prize money"}</span></summary>
    <div class="prizes-body">
      <div class="prize-fields">
        ${FIELDS.map(([name, label, placeholder, help]) => html`<label class="field" key=${name}><span title=${help}>${label}</span>
          <input id=${name} value=${form[name]} placeholder=${placeholder} title=${help} spellcheck=${false} autocomplete="off" aria-invalid=${Boolean(errors[name])} aria-describedby=${`${name}-error`}
            onInput=${(event) => set({ [name]: event.target.value })} />
          ${errors[name] && html`<span class="error" id=${`${name}-error`} role="alert">${errors[name]}</span>`}</label>`)}
        <label class="check" title="One half of a bounty is paid, the other half goes on the winner's own head"><input type="checkbox" id="progressive" checked=${form.progressive} onChange=${(event) => set({ progressive: event.target.checked })} />Progressive bounties</label>
        ${errors.progressive && html`<p class="error small" role="alert">${errors.progressive}</p>`}
        ${prizes && html`<p class="small quiet-text">Two stacks behind both count: who has more chips is not out after an all-in. EVs are in chips that are worth the same.</p>`}
      </div>
      ${prizes?.rows.length > 0 && html`<${Worths} prizes=${prizes} stale=${stale} />`}
    </div>
  </details>`;
}

const NAMES = { oop: "OOP", ip: "IP" };
const share = (value) => (value === undefined ? "" : `${(100 * value).toFixed(2)}%`);

/** What the independent chip model gives each stack before the hand, and both players after it. */
function Worths({ prizes, stale }) {
  return html`<div class=${`table-box${stale ? " stale" : ""}`}><table class="data" id="worths" aria-label="What stacks are worth">
    <thead><tr><th>Player</th><th class="number">Stack</th><th class="number" title="Of the prize pool, with half the pot, by the independent chip model">Worth</th>
      <th class="number hide-narrow" title="The same in the money of the payouts">Money</th><th class="number" title="After taking the pot as it is">Wins it</th><th class="number" title="After giving up the pot as it is">Gives up</th></tr></thead>
    <tbody>${prizes.rows.map((row) => html`<tr key=${row.player}><td class="nowrap">${NAMES[row.player] ?? `Other ${row.player}`}</td><td class="number">${row.stack.toLocaleString("en")}</td>
      <td class="number"><b>${share(row.worth)}</b></td><td class="number hide-narrow">${row.money.toLocaleString("en", { maximumFractionDigits: 2 })}</td>
      <td class="number">${share(row.wins)}</td><td class="number">${share(row.gives_up)}</td></tr>`)}</tbody></table>
    ${prizes.left_out > 0 && html`<p class="small quiet-text">and ${prizes.left_out} more</p>`}</div>`;
}
