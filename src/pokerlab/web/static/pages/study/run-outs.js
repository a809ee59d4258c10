// All next cards below the way here, coloured by a frequency or an EV at the same line after each of them.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { cardName } from "../../parts/cards.js";
import { usePreference } from "../../parts/preferences.js";
import { HeatMap, firstMeasure, measures, readEvents } from "../report.js";
import { actionWords } from "./sums.js";

/** `line` is that of the report, without the card; `chosen` the card that came in its place. */
export default function RunOuts({ id, line, chosen, units: spotUnits, onGo }) {
  const [report, setReport] = useState(null);
  const [problem, setProblem] = useState("");
  const [show, setShow] = usePreference("runOuts", "");
  useEffect(() => {
    const abort = new AbortController();
    setProblem("");
    let whole = { rows: [] };
    const grow = (part) => { whole = { ...part, line, rows: [...whole.rows, ...part.rows] }; setReport(whole); };
    // The cards of the line before stay until the first of this one are there.
    readEvents(`/api/solutions/${id}/report?line=${encodeURIComponent(line)}`, abort.signal, { rows: grow, done: (data) => setReport({ ...data, line, done: true }) })
      .catch((error) => abort.signal.aborted || (setReport(null), setProblem(error.message)));
    return () => abort.abort();
  }, [id, line]);
  const units = useMemo(() => (report ? spotUnits.of(report.pot) : spotUnits), [spotUnits, report?.pot]);
  if (problem) return html`<p class="error small" role="alert">${problem}</p>`;
  if (!report) return html`<p class="small quiet-text" role="status">The first cards are on their way…</p>`;
  const all = measures(report, units, Object.fromEntries(report.actions.map((action) => [action, units.words(actionWords(action))])));
  const shown = all.find((each) => each.key === show) ?? firstMeasure(report, all);
  const here = report.line === line;
  return html`<section class=${`run-outs${here ? "" : " late"}`} data-done=${String(Boolean(here && report.done))} aria-label="Next cards">
    <div class="row"><label class="row small"><span class="quiet-text">Colour</span><select id="run-outs-show" value=${shown.key} onChange=${(event) => setShow(event.target.value)}>
      ${all.map((each) => html`<option key=${each.key} value=${each.key}>${each.title}</option>`)}</select></label>
      <span class="small quiet-text">${report.player ? `${report.player.toUpperCase()} acts` : "Nobody acts"} after each card${chosen ? `; here it is the ${cardName(chosen)}` : ""}${report.done ? `; on average ${shown.write(shown.value(report.mean))}` : ""}</span></div>
    <${HeatMap} report=${report} measure=${shown} chosen=${chosen} onPick=${(row) => row?.line && onGo(row.line)} />
  </section>`;
}
