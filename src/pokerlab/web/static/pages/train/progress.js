// Progress: how much a decision lost by day, by street, by what it answers and by file; grades over time; a streak; what went wrong lately.
import { html } from "/static/vendor/preact-htm.js";
import { useLatest } from "../../parts/api.js";
import { Chart } from "../../parts/chart.js";
import { Table } from "../../parts/table.js";
import { useUnits } from "../../parts/units.js";
import { Grade } from "../../parts/grade.js";
import { Worst, shortName } from "./score.js";

const MOST_DAYS = 60;
const DAY = 86_400_000;
const GROUPS = [["streets", "Street"], ["kinds", "Decision"], ["sources", "File"]];

export default function ProgressView() {
  const { data, error } = useLatest("/api/train/progress");
  const units = useUnits(null);
  if (error) return html`<p class="error">${error.message}</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const { total, days, undated } = data;
  if (!total.decisions && !total.slow) return html`<div class="panel progress-view"><h2>Progress</h2><p class="quiet-text">What you play shows here, day by day.</p></div>`;
  const today = days.find((each) => each.day === data.today)?.decisions ?? 0;
  return html`<div class="progress-view stack">
    <div class="panel stack">
      <div class="row"><h2>Progress</h2></div>
      <div class="stats">
        <div class="stat"><b id="streak">${data.streak}</b><span>${data.streak === 1 ? "day" : "days"} in a row</span></div>
        <div class="stat"><b>${today}</b><span>decisions today</span></div>
        <div class="stat"><b>${total.decisions}</b><span>in all</span></div>
        <div class="stat"><b>${total.loss_percent.toFixed(2)}%</b><span>of the pot lost a decision</span></div>
        <div class="stat"><b>${Math.round(100 * total.well)}%</b><span>best or good</span></div>
        ${total.slow > 0 && html`<div class="stat"><b>${total.slow}</b><span>too slow</span></div>`}
      </div>
      ${days.length > 0 && html`<div class="progress-charts">
        <figure><figcaption class="small quiet-text">Mean loss of a decision, % of the pot</figcaption><${LossChart} days=${days} /></figure>
        <figure><figcaption class="small quiet-text">Decisions a day, by grade</figcaption><${GradeColumns} days=${days.slice(-MOST_DAYS)} grades=${data.grades} /></figure></div>`}
      ${undated.decisions > 0 && html`<p class="small quiet-text">${undated.decisions} decision${undated.decisions === 1 ? "" : "s"} of an earlier version ${undated.decisions === 1 ? "has" : "have"} no date: ${undated.loss_percent.toFixed(2)}% lost.</p>`}
    </div>
    <div class="progress-tables">
      ${GROUPS.map(([name, title]) => html`<div class="panel" key=${name}><${Table} label=${`By ${title.toLowerCase()}`} columns=${columns(title)} rows=${Object.entries(data[name]).map(([id, each]) => ({ id, ...each }))} /></div>`)}
    </div>
    ${data.worst.length > 0 && html`<div class="panel stack"><h2>Worst lately</h2><${Worst} units=${units} rows=${data.worst} dated several /></div>`}
  </div>`;
}

function columns(title) {
  return [
    { key: "id", title, value: (row) => shortName(row.id), cell: (row) => html`<span class="group-name" title=${row.id}>${shortName(row.id)}</span>` },
    { key: "decisions", title: "Made", number: true, help: "How many decisions" },
    { key: "loss_percent", title: "Lost", number: true, help: "The mean loss of a decision, in percent of the pot", cell: (row) => (row.decisions ? `${row.loss_percent.toFixed(2)}%` : "–") },
    { key: "well", title: "Well", number: true, help: "The share that was best or good", cell: (row) => (row.decisions ? `${Math.round(100 * row.well)}%` : "–") },
    { key: "seconds", title: "Time", number: true, help: "The mean time of a decision", cell: (row) => (row.seconds === null ? "–" : `${row.seconds.toFixed(1)} s`) },
  ];
}

const ordinal = (day) => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY);
const dayText = (number) => new Date(number * DAY).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" });

function LossChart({ days }) {
  const xs = days.map((each) => ordinal(each.day));
  const most = Math.max(...days.map((each) => each.loss_percent), 0.1);
  const text = days.slice(-7).map((each) => `${each.day} ${each.loss_percent.toFixed(2)}%`).join(", ");
  return html`<${Chart} label=${`Mean loss of a decision by day: ${text}`} data=${[xs, days.map((each) => each.loss_percent)]}
    series=${[{ label: "lost, % of the pot", colour: "--line-1", points: true, format: (value) => `${value.toFixed(2)}%` }]} height=${200}
    xRange=${[xs[0] - 1, xs.at(-1) + 1]} yRange=${[0, 1.15 * most]} xFormat=${(number) => (Number.isInteger(number) ? dayText(number) : "")} yFormat=${(value) => `${value}%`} />`;
}

/** A column for each day, as high as it has decisions. */
function GradeColumns({ days, grades }) {
  const most = Math.max(...days.map((each) => each.decisions), 1);
  return html`<div class="grade-columns" role="img" aria-label=${days.map((each) => `${each.day}: ${Object.entries(each.grades).map(([name, count]) => `${name} ${count}`).join(", ")}`).join("; ")}>
    ${days.map((each) => html`<div class="grade-day" key=${each.day} title=${`${each.day}: ${each.decisions} decisions, ${each.loss_percent.toFixed(2)}% lost`}>
      <span class="grade-stack" style=${{ height: `${(100 * each.decisions) / most}%` }}>${grades.toReversed().map((name) => each.grades[name] > 0 && html`<span key=${name} class=${`grade-${name}`} style=${{ flexGrow: each.grades[name] }} />`)}</span>
      <span class="grade-count">${days.length <= 14 ? each.decisions : ""}</span></div>`)}</div>
    <div class="row small quiet-text day-ends"><span>${dayText(ordinal(days[0].day))}</span><span class="space" /><span>${days.length > 1 ? dayText(ordinal(days.at(-1).day)) : ""}</span></div>
    <div class="grade-legend">${grades.map((name) => html`<${Grade} key=${name} grade=${name} />`)}</div>`;
}
