// Curves of both ranges: their hands from the weakest to the strongest.
import { html } from "/static/vendor/preact-htm.js";
import { Chart } from "../../parts/chart.js";
import { usePreference } from "../../parts/preferences.js";

const CURVES = {
  equity: ["Equity", (value) => `${Math.round(100 * value)}%`],
  ev: ["EV", (value) => String(Math.round(10 * value) / 10)],
  realisation: ["Equity realised", (value) => `${Math.round(100 * value)}%`],
};

export function Graphs({ units, values }) {
  const [name, setName] = usePreference("curve", "equity");
  if (!values) return html`<p class="nothing">EVs are on their way…</p>`;
  const [words, format] = CURVES[name];
  const title = name === "ev" ? `EV in ${units.long}` : words;
  const curves = name === "ev" ? values.curves.ev.map((curve) => ({ ...curve, values: curve.values.map((value) => (value === null ? null : value * units.factor)) })) : values.curves[name];
  const shares = curves.find((curve) => curve.shares.length)?.shares;
  return html`<div class="graphs">
    <div class="segments" role="group" aria-label="What the curves show">${Object.entries(CURVES).map(([key, [words]]) => html`<button type="button"
      key=${key} aria-pressed=${name === key} onClick=${() => setName(key)}>${words}</button>`)}</div>
    ${!shares ? html`<p class="nothing">No hand arrives here.</p>` : html`<${Chart} key=${name} label=${`${title} of both ranges`} height=${380}
      data=${[shares, ...curves.map((curve) => (curve.values.length ? curve.values : shares.map(() => null)))]}
      series=${[{ label: "OOP", colour: "--line-1" }, { label: "IP", colour: "--line-2" }]}
      xLabel="Part of the range" yLabel=${title} xFormat=${(value) => `${Math.round(100 * value)}%`} yFormat=${format} />`}
    <p class="small quiet-text">From left to right the hands of a range, the weakest first: where a curve lies above the other, that player's hands are stronger there.</p>
  </div>`;
}
