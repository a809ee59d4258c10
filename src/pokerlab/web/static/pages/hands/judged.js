// A night that was judged: what it lost where, the worst decisions first, each with a way into Study and Train.
import { html, useEffect } from "/static/vendor/preact-htm.js";
import { useLatest } from "../../parts/api.js";
import { Board, HandText } from "../../parts/cards.js";
import { Grade } from "../../parts/grade.js";
import { Link } from "../../parts/navigation.js";
import { Table } from "../../parts/table.js";
import { TaskProgress, useTask } from "../../parts/task.js";
import { useNarrow } from "./shown.js";

const LOOK_AGAIN = 3000;
const bb = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

export default function Judged({ params }) {
  const task = useTask(params.id);
  const { data, error, reload } = useLatest(`/api/hands/judged/${params.id}`);
  const running = task.view && !task.view.ended;
  useEffect(() => { document.title = "Hands judged · pokerlab"; }, []);
  useEffect(() => {
    if (!running) {
      reload();
      return undefined;
    }
    const timer = setInterval(reload, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [running]);
  if (error) return html`<section class="narrow"><h1>Hands judged</h1><p class="error" role="alert">${error.message}</p><p><${Link} href="/hands?tab=judge">Hands<//></p></section>`;
  if (!data) return html`<p class="nothing">…</p>`;
  const { asked } = data;
  return html`<div class="hands-page judged-page">
    <div class="page-head"><h1>${data.name}</h1><span class="quiet-text">${asked.player} · ${asked.street === "flop" ? `flops${asked.runouts ? `, ${asked.runouts} run-outs` : ""}` : `${asked.street}s`} to ${asked.target} · ${asked.ranges ?? "charts of two players, six-max at fuller tables"}</span>
      <span class="space" />${data.decisions > 0 && html`<a class="button" href=${`/api/hands/judged/${params.id}/decisions.csv`} download>CSV</a>`}<${Link} class="button" href="/hands">All hands<//></div>
    <${TaskProgress} task=${task} />
    ${data.judged > 0 ? html`<${Found} data=${data} />` : html`<p class="nothing">${running ? "The first hand is being solved." : "No decision was judged."}</p>`}
    <${Passed} data=${data} />
  </div>`;
}

function Found({ data }) {
  const narrow = useNarrow();
  const columns = [
    { key: "number", title: "Hand", value: (row) => row.number || row.place, cell: (row) => (row.file ? html`<${Link} href=${`/hands/of/${row.file}/${row.place}?player=${encodeURIComponent(data.asked.player)}${row.solution ? `&solution=${row.solution}` : ""}`}>${row.number || row.place}<//>` : row.number || row.place) },
    { key: "cards", title: "Cards", cell: (row) => html`<${HandText} hand=${row.cards} />` },
    { key: "board", title: "Board", wide: true, cell: (row) => html`<${Board} board=${row.board} small />` },
    { key: "kind", title: "Pot type", wide: true },
    { key: "street", title: "Street", wide: true },
    { key: "line", title: "Line", wide: true, cell: (row) => html`<code>${row.line || "first"}</code>` },
    { key: "action", title: "Did", cell: (row) => (row.size === null ? row.action_words : html`${row.action_words}${!narrow && html` <span class="quiet-text small">${Math.round(row.size)}%</span>`}`) },
    { key: "best", title: "Best", cell: (row) => row.best_words },
    { key: "loss_bb", title: "Lost, bb", number: true, cell: (row) => bb(row.loss_bb) },
    { key: "grade", title: "Grade", wide: true, cell: (row) => html`<${Grade} grade=${row.grade} />` },
    { key: "solution", title: "", sortable: false, cell: (row) => row.solution && html`<span class="row judged-links"><${Link} href=${`/solution/${row.solution}?line=${row.line}`}>Study<//>${!narrow && html`<${Link} href=${`/train/${row.solution}`}>Train<//>`}</span>` },
  ].filter((column) => !narrow || !column.wide);
  return html`<div class="stack">
    <div class="panel judged-sums">
      <dl class="stats">
        <div><dt>Hands judged</dt><dd>${data.judged.toLocaleString("en")}<span class="quiet-text small"> of ${data.total.toLocaleString("en")}</span></dd></div>
        <div><dt>Lost, bb</dt><dd>${bb(data.lost)}</dd></div>
        <div><dt>A hand</dt><dd>${bb(data.per_hand)}</dd></div>
        <div><dt>In 100 of these</dt><dd>${data.per_hundred.toFixed(1)}<span class="quiet-text small"> ± ${data.error.toFixed(1)}</span></dd></div></dl>
      <div class="grade-bar" role="img" aria-label=${Object.entries(data.grades).map(([grade, count]) => `${count} ${grade}`).join(", ")}>${Object.entries(data.grades).map(([grade, count]) => count > 0 && html`<span key=${grade} class=${`grade-${grade}`} style=${{ flexGrow: count }}>${count}</span>`)}</div>
      <div class="grade-legend">${Object.keys(data.grades).map((grade) => html`<${Grade} key=${grade} grade=${grade} />`)}</div>
    </div>
    <div class="columns"><${Part} title="By street" rows=${data.by_street} /><${Part} title="By pot type" rows=${data.by_kind} /></div>
    <div class="panel flush"><${Table} columns=${columns} rows=${data.worst} rowKey=${(row) => `${row.file}-${row.place}-${row.move}`} sort=${["loss_bb", true]} rowHeight=${38} label="Worst decisions" />
      <p class="small quiet-text hands-sums">Losses within the exactness of a solution count as none. In big blinds.</p></div>
  </div>`;
}

function Part({ title, rows }) {
  return html`<div class="panel"><h2>${title}</h2><${Table} label=${title} rows=${rows} rowKey=${(row) => row.name} columns=${[
    { key: "name", title: "", sortable: false }, { key: "decisions", title: "Decisions", number: true }, { key: "mistakes", title: "Mistakes", number: true },
    { key: "lost", title: "Lost, bb", number: true, cell: (row) => bb(row.lost) }]} /></div>`;
}

function Passed({ data }) {
  const all = { ...data.passed };
  for (const [reason, count] of Object.entries(data.not_judged)) all[reason] = (all[reason] ?? 0) + count;
  const rows = Object.entries(all);
  if (!rows.length) return null;
  return html`<details class="hands-left small"><summary>Not judged: ${rows.reduce((sum, [, count]) => sum + count, 0).toLocaleString("en")}</summary><ul>${rows.map(([reason, count]) => html`<li key=${reason}>${count}: ${reason}</li>`)}</ul></details>`;
}
