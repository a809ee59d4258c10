// What hands came to: grades, the score of a session or of a file, and ways to Study for what went wrong.
import { html } from "/static/vendor/preact-htm.js";
import { HandText, splitCards } from "../../parts/cards.js";
import { Grade } from "../../parts/grade.js";
import { Link } from "../../parts/navigation.js";

export function Limits({ grades }) {
  let before = 0;
  return html`<table class="limits"><caption class="visually-hidden">What a grade may lose</caption><tbody>
    ${Object.entries(grades).map(([name, most]) => {
      const text = most === null ? `over ${before}% of the pot` : `up to ${most}%`;
      before = most;
      return html`<tr key=${name}><td><${Grade} grade=${name} /></td><td class="quiet-text">${text}</td></tr>`;
    })}</tbody></table>`;
}

/** The solution that a decision was judged by, of a batch that of its board, of a whole hand its solve if that was kept; else null. */
export function studyAddress(judged) {
  const filter = classOf(judged.hand);
  const [file, line] = judged.kind === "nolimit" ? [judged.kept?.file, judged.kept?.line] : [judged.kind === "batch" ? `${judged.file}-${judged.board}` : judged.file, judged.line];
  return file ? `/solution/${file}?${new URLSearchParams({ line, filter }).toString().replaceAll("%2F", "/")}` : null;
}

/** Decisions that went wrong, each a way into Study; `dated` says when, `several` of which file. */
export function Worst({ units, rows, dated = false, several = false }) {
  const words = several ? (text) => text : units.words; // files differ in their big blinds
  return html`<div class="table-box"><table class="data worst" aria-label="Worst decisions"><thead><tr><th>worst</th>${several && html`<th>of</th>`}<th>after</th><th>you</th><th>better</th>${dated && html`<th>day</th>`}<th class="number">lost</th></tr></thead>
    <tbody>${rows.map((each, place) => html`<tr key=${place}><td><${StudyLink} judged=${each}><${HandText} hand=${each.hand} /><//></td>
      ${several && html`<td class="of" title=${each.source}>${shortName(each.source)}</td>`}<td class="mono line" title=${each.line}>${each.line || "–"}</td>
      <td>${words(each.action_words)}</td><td>${words(each.best_words)}</td>${dated && html`<td class="nowrap">${each.day ?? "–"}</td>`}<td class="number">${each.loss_percent.toFixed(1)}%</td></tr>`)}</tbody></table></div>`;
}

function StudyLink({ judged, children }) {
  const address = studyAddress(judged);
  return address ? html`<${Link} href=${address} title="Study this decision">${children}<//>` : html`<span title="Keep the solve of its hand to study it">${children}</span>`;
}

/** A file without what all have in common. */
export function shortName(name) {
  return (name ?? "").replace(/\.safetensors$/, "");
}

export function ScoreView({ units, score, several = false }) {
  const total = Math.max(score.decisions, 1);
  return html`<div class="stack">
    <div class="stats">
      <div class="stat"><b id="mean-loss">${score.decisions ? `${score.loss_percent.toFixed(2)}%` : "–"}</b><span>of the pot lost a decision</span></div>
      ${!several && html`<div class="stat"><b>${named(score.loss_hand, units)}</b><span>lost a hand</span></div>`}
      <div class="stat"><b id="hands-played">${score.hands}</b><span>${score.hands === 1 ? "hand" : "hands"}, ${score.decisions} ${score.decisions === 1 ? "decision" : "decisions"}</span></div>
      ${score.seconds !== null && html`<div class="stat"><b>${score.seconds.toFixed(1)} s</b><span>a decision${score.slow ? `; ${score.slow} too slow` : ""}</span></div>`}
      ${score.seconds === null && score.slow > 0 && html`<div class="stat"><b>${score.slow}</b><span>too slow</span></div>`}
      ${!several && html`<div class="stat"><b class=${score.won < 0 ? "down" : "up"}>${units.signed(score.won)}</b><span>${units.unit === "pot" ? "% of the first pot" : units.long}, luck included</span></div>`}
    </div>
    ${score.decisions > 0 && html`<div class="grade-bar" role="img" aria-label=${Object.entries(score.grades).map(([name, count]) => `${name} ${count}`).join(", ")}>
      ${Object.entries(score.grades).map(([name, count]) => count > 0 && html`<span key=${name} class=${`grade-${name}`} style=${{ flexGrow: count }} title=${`${name}: ${count}`}>${count}</span>`)}
    </div>
    <div class="grade-legend">${Object.entries(score.grades).map(([name, count]) => html`<span key=${name}><${Grade} grade=${name} /> ${Math.round((100 * count) / total)}%</span>`)}</div>`}
    ${Object.keys(score.streets).length > 1 && html`<p class="small quiet-text">${Object.entries(score.streets).map(([name, each]) => `${name} ${each.loss_percent.toFixed(2)}%`).join(" · ")}</p>`}
    ${score.worst.length > 0 && html`<${Worst} units=${units} rows=${score.worst} several=${several} />`}
  </div>`;
}

/** A loss with its unit. */
export function named(chips, units) {
  return `${units.text(chips)}${units.unit === "chips" ? " chips" : units.unit === "prizes" ? " of the prizes" : units.unit === "pot" ? " of the first pot" : ""}`;
}

/** The starting hand of two cards, as a filter has it. */
export function classOf(cards) {
  const order = "AKQJT98765432";
  const [first, second] = splitCards(cards).sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  return first[0] === second[0] ? first[0] + second[0] : `${first[0]}${second[0]}${first[1] === second[1] ? "s" : "o"}`;
}

