// What a solve takes, always in sight: nodes, memory beside what is free, time, what to cut; and how to solve.
import { html } from "/static/vendor/preact-htm.js";
import { TARGET } from "../parts/targets.js";

const TARGETS = ["1%", "0.5%", "0.3%", "0.1%"];
const GROUPS = [["", "each hand on its own"], ["view", "view: what a hand sees"], ["strength", "strength"], ["rank", "rank"]];

export function Cost({ sizes, checked, stale, cuts, fitted, errors, options, setOptions, cut, solve, solving, problem }) {
  const cost = checked?.spot?.cost;
  const chosen = fitted?.groups && options.groups ? fitted.groups : cost?.memory;
  const own = chosen?.find((each) => each.bits === options.precision);
  const faults = Object.keys(errors).length;
  const change = (name) => (event) => setOptions({ ...options, [name]: event.target.value });
  return html`<aside class=${`panel cost${stale ? " stale" : ""}`} aria-label="What it takes">
    <div class="cost-body">
      <h2>What it takes</h2>
      ${cost ? html`
        <dl class="figures">
          <div><dt>Nodes</dt><dd class="big">${cost.nodes.total.toLocaleString("en")}</dd></div>
          <div><dt>Time to ${options.target || TARGET}</dt><dd class="big">${cost.time}</dd></div>
        </dl>
        <table class="nodes-table" aria-label="Nodes by street"><tbody>
          ${Object.entries(cost.streets).map(([street, counts]) => html`<tr key=${street}><th scope="row">${street}</th>
            <td>${counts.boards.toLocaleString("en")} board${counts.boards === 1 ? "" : "s"}</td><td class="number">${cost.nodes[street].toLocaleString("en")}</td></tr>`)}
        </tbody></table>
        ${chosen.map((each) => html`<${Memory} key=${each.bits} each=${each} free=${cost.free} chosen=${each.bits === options.precision} />`)}
        <p class="quiet-text small">Peak memory of the solve${options.groups ? (fitted?.groups ? " with groups" : ", groups not counted yet") : ""}; ${cost.free} are free. File: ${own?.file ?? ""}. Time on ${cost.threads} thread${cost.threads === 1 ? "" : "s"} that nobody else uses; a busy machine takes longer.
          ${cost.card && html` On a GPU: ${cost.card["32"]} in 32 bits, ${cost.card["16"]} in 16.`}</p>`
      : html`<p class="quiet-text">Counted when the spot has no faults.</p>`}
      ${errors.spot && html`<p class="error small" role="alert">${errors.spot}</p>`}
      ${fitted?.fit && html`<div class="fit"><p class="small">Does not fit as chosen. ${fitted.fit.reason}</p>
        ${fitted.fit.precision && html`<button type="button" onClick=${() => setOptions({ ...options, precision: fitted.fit.precision, groups: fitted.fit.groups ?? "" })}>Use that</button>`}</div>`}
      ${cost && html`<details class="cuts" open><summary>What to cut</summary>
        ${!cuts ? html`<p class="quiet-text small">…</p>` : !cuts.length && html`<p class="quiet-text small">Each menu has one size: narrow the ranges, or lower the cap on bets.</p>`}
        <ul>${cuts?.slice(0, 4).map((each) => html`<li key=${each.street + each.kind + each.size}>
          <span>${each.kind} ${each.size === "a" ? "all-in" : each.size} on the ${each.street}</span>
          <span class="quiet-text small">saves ${each.saves}</span>
          <button type="button" class="quiet tiny-button" aria-label=${`Cut the ${each.kind} ${each.size} on the ${each.street}`} onClick=${() => cut(each)}>Cut</button></li>`)}
      </ul></details>`}
      ${sizes}
    </div>
    <div class="solve-options">
      <label class="field"><span>Target, of the pot</span>
        <input list="targets" value=${options.target} aria-invalid=${Boolean(errors.target)} onInput=${change("target")} spellcheck=${false} />
        <datalist id="targets">${TARGETS.map((each) => html`<option value=${each} />`)}</datalist>
        ${errors.target && html`<span class="error">${errors.target}</span>`}</label>
      <div class="field"><span>Bits</span><div class="segments" role="group" aria-label="Bits of a stored number">
        ${[32, 16].map((bits) => html`<button type="button" aria-pressed=${options.precision === bits} onClick=${() => setOptions({ ...options, precision: bits })}>${bits}</button>`)}</div></div>
      <label class="field"><span>Device</span><select value=${options.device} onChange=${change("device")}>
        <option value="auto">auto</option><option value="cpu">processor</option><option value="gpu">GPU</option></select></label>
      <label class="field"><span>Hands in groups</span><select value=${options.groups} onChange=${change("groups")}>
        ${[...GROUPS, ...(GROUPS.some(([name]) => name === options.groups) ? [] : [[options.groups, options.groups]])].map(([name, text]) => html`<option value=${name}>${text}</option>`)}</select>
        ${errors.groups && html`<span class="error">${errors.groups}</span>`}</label>
    </div>
    <div class="solve-row">
      <span class="solve-summary">${cost ? html`<b>${own?.peak ?? ""}</b> of ${cost.free}, ${cost.time}` : ""}</span>
      <button type="button" class="primary" id="solve" disabled=${Boolean(faults) || !cost || solving || stale} onClick=${solve} title="Ctrl+Enter">Solve</button>
    </div>
    ${faults > 0 && html`<p class="small quiet-text" role="status">${faults === 1 ? "To be mended first: " : `${faults} things to be mended first: `}${Object.keys(errors).slice(0, 4).map(fieldWords).join(", ")}.</p>`}
    ${!faults && own && !own.fits && html`<p class="small error">This does not fit into the memory that is free.</p>`}
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}
  </aside>`;
}

const FIELDS = { oop: "the range out of position", ip: "the range in position", spot: "the spot as a whole", preflop: "the pre-flop story", ranges: "the file of ranges", big_blind: "the big blind" };

/** A field as people call it: `bet.flop.oop` is the flop's bet of OOP. */
function fieldWords(name) {
  const [field, ...rest] = name.split(".");
  const words = FIELDS[field] ?? `the ${field.replaceAll("_", " ")}`;
  return rest.length ? `${words} (${rest.join(", ")})` : words;
}

function Memory({ each, free, chosen }) {
  return html`<div class=${`memory${chosen ? " chosen" : ""}`} title=${`${each.tables} of tables; ${free} are free`}>
    <span>${each.bits} bits</span><span class=${`meter${each.fits ? "" : " over"}`}><span style=${{ width: `${Math.min(100, Math.max(1, 100 * each.share))}%` }} /></span><b>${each.peak}</b></div>`;
}
