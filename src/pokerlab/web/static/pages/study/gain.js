// What locks are worth, in one sentence.
import { html, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { Link, go } from "../../parts/navigation.js";

/** A sentence of words and of amounts of chips, in the unit of the page. */
export function Sentence({ parts, units }) {
  return html`${parts.map((part) => (typeof part === "string" ? part : part.aside ? (units.unit === "pot" ? "" : part.aside) : html`<b>${units.gap(part.chips)}</b>`))}`;
}

/** The sentence of a solution with locks; without a solution to compare it with, how to get one. */
export function Gain({ id, once, units, line }) {
  const { data } = useLatest(`/api/solutions/${id}/gain`);
  const [error, setError] = useState(null);
  if (!data) return html`<p class="gain small quiet-text" role="status">…</p>`;
  const solve = async () => {
    try {
      const name = `${once.name.replace(/\.safetensors$/, "").split("/").at(-1).replace(/-locked(-\d+)?$/, "")}-free`;
      const { id: number } = await post("/api/jobs", { solution: id, unlocked: Object.keys(once.locks), target: `${Math.max(0.1, Number(once.exploitability.percent.toPrecision(2)))}%`, name });
      go(`/job/${number}`);
    } catch (problem) {
      setError(problem.message);
    }
  };
  return html`<div class="gain" role="note" aria-label="What the locks are worth">
    ${data.gain ? html`<span><${Sentence} parts=${data.gain.parts} units=${units} /></span>
        <${Link} href=${`/compare/${data.free.id}/${id}?line=${line}`}>Compare with ${data.free.name.replace(/\.safetensors$/, "")}<//>`
      : html`<span>What these locks are worth is known beside a solution without them; none of this spot is in the folder.</span>
        <button type="button" onClick=${solve}>Solve without locks</button>`}
    ${error && html`<span class="error small" role="alert">${error}</span>`}</div>`;
}
