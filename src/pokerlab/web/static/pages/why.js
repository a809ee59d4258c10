// Why the last hand against nolimit went as it did: each decision with both ranges and what was worth what.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../parts/api.js";
import { HandText } from "../parts/cards.js";
import { actionColours, background } from "../parts/colours.js";
import { Matrix } from "../parts/matrix.js";
import { go } from "../parts/navigation.js";
import { useUnits } from "../parts/units.js";

const RARE = 0.005; // every hand stays possible for the bot; those that are this rare are not shown

/** `keep` is where a solve is asked to be kept, by default at the table of the Play page. */
export function Why({ table, keep = `/api/play/tables/${table.table}/keep` }) {
  const { data, error, reload } = useLatest(`/api/play/tables/${table.table}/why`);
  const [number, setNumber] = useState(1);
  const units = useUnits(data && { big_blind: data.big_blind, pot: data.decisions[0]?.pot });
  useEffect(() => {
    reload();
    setNumber(1);
  }, [table.hands]);
  if (error) return html`<p class="error">${error.message}</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const chosen = data.decisions.find((each) => each.number === number) ?? data.decisions[0];
  if (!chosen) return html`<p class="nothing">Nobody had anything to decide.</p>`;
  return html`<div class="stack why">
    <table class="data why-list"><caption class="small quiet-text">Hand ${data.number}. EVs are ${units.unit === "pot" ? "percent of the pot at the decision" : units.long}, from the decision on, with the hand that was held.</caption>
      <thead><tr><th>decision</th><th class="number">EV${units.heading}</th><th>best</th><th class="number">loss${units.unit === "chips" ? ", chips" : units.heading}</th></tr></thead>
      <tbody>${data.decisions.map((each) => html`<tr key=${each.number} class=${each === chosen ? "chosen" : ""}>
        <td><button type="button" class="link" aria-pressed=${each === chosen} onClick=${() => setNumber(each.number)}>${each.street}: ${units.words(each.words)}</button></td>
        <td class="number">${evText(each.options[each.chosen], units.of(each.pot))}</td>
        <td>${each.best === null ? "–" : each.best === each.chosen ? "the same" : units.words(each.options[each.best].words)}</td>
        <td class=${`number${each.loss_bb > 0.005 ? " down" : ""}`}>${each.loss_bb === null ? "–" : `${each.firm || !each.loss_bb ? "" : "≤ "}${units.of(each.pot).write(each.loss)}`}</td></tr>`)}</tbody></table>
    <${Decision} units=${units.of(chosen.pot)} key=${`${data.number} ${chosen.number}`} each=${chosen} keep=${keep} />
  </div>`;
}

function evText(option, units) {
  if (!option || option.ev === null) return "–";
  return `${option.firm ? "" : "≥ "}${units.unit === "chips" ? (Math.round(10 * option.ev) / 10).toLocaleString("en") : units.write(option.ev)}`;
}

const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.0995 ? 1 : 0)}%`;

function Decision({ units, each, keep }) {
  const colours = actionColours(each.options.map((option) => option.label));
  return html`<section class="stack" aria-label=${`Decision ${each.number}`}>
    <div><b>${units.words(each.words)}</b> <span class="quiet-text">with</span> <${HandText} hand=${each.hand} />
      ${each.board && html` <span class="quiet-text">on</span> <${HandText} hand=${each.board} />`} <span class="quiet-text">pot ${units.amount(each.pot)}</span></div>
    ${each.note && html`<p class="small quiet-text">${each.note}</p>`}
    ${each.options.length > 0 && html`<table class="data"><thead><tr><th>action</th><th class="number">range</th><th class="number">this hand</th><th class="number">EV${units.heading}</th></tr></thead>
      <tbody>${each.options.map((option, place) => html`<tr key=${option.label} class=${place === each.chosen ? "chosen" : ""}>
        <td><i class="why-key" style=${{ background: background(colours[place]) }} aria-hidden="true" />${units.words(option.words)}</td>
        <td class="number">${percent(option.frequency)}</td><td class="number">${percent(option.hand_frequency)}</td><td class="number">${evText(option, units)}</td></tr>`)}</tbody></table>`}
    <div class="why-ranges">${Object.entries(each.ranges).map(([name, range]) => html`<figure key=${name}>
      <figcaption class="small">${name === "you" ? "Your range" : `The range of ${name}`}</figcaption>
      <${Matrix} label=${name === "you" ? "Your range" : `The range of ${name}`} colours=${range.parts ? colours : undefined}
        cells=${range.weights.map((weight, place) => ({ weight: weight < RARE ? 0 : weight, parts: range.parts?.[place] }))} /></figure>`)}</div>
    ${each.solve && html`<${Study} each=${each} keep=${keep} />`}
  </section>`;
}

/** Keeps the solve as a solution of the folder, and opens it. */
function Study({ each, keep }) {
  const [state, setState] = useState({ busy: false, error: null });
  const study = async () => {
    setState({ busy: true, error: null });
    try {
      const kept = await post(keep, { decision: each.number });
      go(`/solution/${kept.id}${kept.line ? `?line=${encodeURIComponent(kept.line)}` : ""}`);
    } catch (error) {
      setState({ busy: false, error });
    }
  };
  const { solve } = each;
  return html`<div class="row"><button type="button" class="study-this" disabled=${state.busy} onClick=${study}>Study this</button>
    <span class="small quiet-text">Keeps the solve in the folder${solve.whole ? "" : ", this street alone"}; its suits are renamed: <${HandText} hand=${solve.hand} /> on <${HandText} hand=${solve.board} />.
      ${solve.iterations} iterations, ${solve.seconds.toFixed(1)} s, ε ${solve.percent.toFixed(2)}% of the pot.</span>
    ${state.error && html`<span class="error small" role="alert">${state.error.message}</span>`}</div>`;
}
