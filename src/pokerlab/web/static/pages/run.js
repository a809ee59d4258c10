// Run: one solve, live. It survives a reload, and goes on when nobody looks.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get, post, useEvents, useLatest } from "../parts/api.js";
import { Board } from "../parts/cards.js";
import { Chart } from "../parts/chart.js";
import { confirmed } from "../parts/dialog.js";
import { useKeys } from "../parts/keys.js";
import { Miniature } from "../parts/matrix.js";
import { Link, go } from "../parts/navigation.js";
import { usePreference } from "../parts/preferences.js";
import { Badge } from "./library.js";

export default function Run({ params }) {
  const first = useLatest(`/api/jobs/${params.id}`);
  const [live, setLive] = useState(null);
  const [round, setRound] = useState(0);
  const [error, setError] = useState(null);
  const [target, setTarget] = useState("");
  const job = live ?? first.data;
  const follow = job && !job.ended;
  useEffect(() => { if (first.data) setLive(first.data); }, [first.data]);
  const elsewhere = job?.batch ? `/batch/${job.batch}` : job?.address; // a batch and a task have pages of their own
  useEffect(() => { if (elsewhere) go(elsewhere, { replace: true }); }, [elsewhere]);
  useEvents(follow ? `/api/jobs/${params.id}/events?round=${round}` : null, {
    job: (view, source) => {
      setLive(view);
      if (view.ended) source.close();
    },
    gone: (_, source) => source.close(),
    back: () => setRound((count) => count + 1),
  }, { onlyVisible: true });
  const act = async (action, data = {}) => {
    setError(null);
    try {
      const view = await post(`/api/jobs/${params.id}/${action}`, data);
      if (view.status === "forgotten") {
        go("/");
        return true;
      }
      setLive(view);
      setRound((count) => count + 1);
      return true;
    } catch (problem) {
      setError(problem);
    }
    return false;
  };
  const can = (what) => job?.can.includes(what);
  // One button goes on; what is in the field counts for it.
  const goOn = async () => {
    if (!target.trim() && !can("go-on")) return;
    if (await act("go-on", target.trim() ? { target: target.trim() } : {})) setTarget("");
  };
  const cancel = async () => {
    if (await confirmed("Cancel", "Throw away what this solve has reached?", { action: "Throw away", danger: true })) act("cancel");
  };
  useKeys({
    s: [() => can("stop") && act("stop"), "stop and keep"],
    p: [() => (can("pause") ? act("pause") : can("go-on") && goOn()), "pause, go on"],
    o: [() => (job?.solution ? go(`/solution/${job.solution}`) : job?.look?.open && go(`/solution/live-${params.id}`)), "study the solution, or what is reached"],
  });
  useEffect(() => {
    if (job) document.title = `${job.reached_text && !job.ended ? `ε ${job.reached_text} · ` : ""}${job.name} · ${job.status} · pokerlab`;
  }, [job?.status, job?.reached_text]);
  if (!job) return first.error ? html`<section class="narrow"><h1>There is no such solve</h1><p>${first.error.message}</p><p><${Link} href="/">To the Library<//></p></section>` : html`<p class="nothing">…</p>`;
  return html`
    <div class="page-head"><h1>${job.name}</h1><${Badge} job=${job} />
      <div class="run-spot">${job.summary.board && html`<${Board} board=${job.summary.board} small />`}
        ${job.summary.ranges?.map((levels, seat) => html`<${Miniature} key=${seat} levels=${levels} label=${seat ? "range in position" : "range out of position"} />`)}</div>
    </div>
    <div class="run-grid">
      <section class="panel stack" aria-label="Progress">
        <div class="run-phase" role="status">${job.status === "running" && html`<span class="pulse" />`}<b id="phase">${job.phase}</b></div>
        ${job.error && html`<p class="error">${job.error}</p>`}
        ${job.status === "interrupted" && html`<p class="quiet-text">${job.checkpoint ? "It goes on from its last checkpoint, or keeps what that holds." : "It had saved nothing yet, and begins again."}</p>`}
        ${job.warnings.map((warning) => html`<p class="badge warn">${warning}</p>`)}
        <div class="run-facts">
          <${Fact} name="exploitability, of the pot" value=${job.reached_text ?? "–"} id="reached" />
          <${Fact} name="target, of the pot" value=${job.target_text ?? (job.iterations ? `${job.iterations} iterations` : "–")} />
          <${Fact} name="iteration" value=${job.iteration?.toLocaleString("en") ?? "–"} id="iteration" />
          <${Fact} name=${job.ended ? "time" : "time so far"} value=${job.elapsed_text ?? "–"} />
          ${!job.ended && html`<${Fact} name="time left" value=${job.left_text ?? "–"} />`}
          <${Fact} name="memory" value=${`about ${job.bytes_text}`} />
        </div>
        <${Curve} job=${job} />
      </section>
      <div class="stack">
        <section class="panel stack" aria-label="Actions">
          <div class="run-actions">
            ${job.solution && html`<${Link} class="button primary" href=${`/solution/${job.solution}`}>Study<//>`}
            ${job.look?.open && html`<${Link} class="button" id="study-now" href=${`/solution/live-${job.id}`}>Study now<//>`}
            ${can("stop") && html`<button type="button" class=${job.status === "running" ? "primary" : ""} onClick=${() => act("stop")}>Stop and keep</button>`}
            ${can("pause") && html`<button type="button" onClick=${() => act("pause")}>Pause</button>`}
            ${can("cancel") && html`<button type="button" class="danger" onClick=${cancel}>Cancel</button>`}
            ${can("forget") && html`<button type="button" onClick=${() => act("cancel")}>Remove from the list</button>`}
          </div>
          ${(can("target") || can("go-on")) && html`<${Target} job=${job} text=${target} setText=${setTarget} goOn=${goOn} />`}
          ${error && html`<p class="error" role="alert">${error.message}</p>`}
          <p class="small quiet-text">${job.solution ? html`Written to <b>${job.output}</b>.` : job.can.includes("go-on") ? html`It will be written to <b>${job.output}</b>.` : !job.ended && "It goes on when this page is closed, and when the server ends."}</p>
          ${job.spot && html`<p class="small"><${Link} href=${`/spot/${job.spot}`}>The spot<//></p>`}
        </section>
        <${Queue} id=${job.id} status=${job.status} />
      </div>
    </div>`;
}

function Fact({ name, value, id }) {
  return html`<div class="stat"><b id=${id}>${value}</b><span>${name}</span></div>`;
}

/** Go on, to another target if one is given: while it runs, or once it has ended. */
function Target({ job, text, setText, goOn }) {
  const submit = (event) => {
    event.preventDefault();
    goOn();
  };
  return html`<form class="row run-target" onSubmit=${submit}>
    <label class="field"><span>${job.ended ? "Go on to the target" : "Another target"}</span><input name="target" placeholder=${job.target_text ?? "0.1%"} value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <button class=${job.ended && !job.solution ? "primary" : ""} disabled=${!text.trim() && !job.can.includes("go-on")}>${job.ended ? "Go on" : "Set"}</button></form>`;
}

/** Exploitability on a logarithmic axis, against iterations or seconds, with the target. */
function Curve({ job }) {
  const [against, setAgainst] = usePreference("curve", "iterations");
  const data = useMemo(() => {
    const points = job.points.filter((point) => point[2] > 0);
    const xs = points.map((point) => point[against === "seconds" ? 1 : 0]);
    const target = job.target?.percent > 0 ? xs.map(() => job.target.percent) : xs.map(() => null);
    return [xs, points.map((point) => point[2]), target];
  }, [job.points.length, job.points.at(-1)?.[0], job.target?.percent, against]);
  if (data[0].length < 2) return html`<p class="nothing small">The curve begins with the second measurement.</p>`;
  return html`<div>
    <div class="row"><h2>Exploitability, % of the pot</h2><span class="space" /><div class="segments" role="group" aria-label="Against">
      ${["iterations", "seconds"].map((name) => html`<button type="button" key=${name} aria-pressed=${against === name} onClick=${() => setAgainst(name)}>${name}</button>`)}</div></div>
    <${Chart} data=${data} log xLabel=${against} height=${300} label="exploitability in percent of the pot"
      yFormat=${(value) => `${Number(value.toPrecision(2))}%`} xFormat=${(value) => Number(value.toPrecision(4)).toLocaleString("en")}
      series=${[{ label: "exploitability", colour: "--line-1", points: true }, { label: "target", colour: "--line-2", dashed: true }]} />
  </div>`;
}

/** The other solves. */
function Queue({ id, status }) {
  const [jobs, setJobs] = useState([]);
  useEffect(() => { get("/api/jobs").then((found) => setJobs(found.jobs), () => {}); }, [id, status]);
  const others = jobs.filter((job) => job.id !== id);
  if (!others.length) return null;
  return html`<section class="panel run-queue" aria-label="Other solves"><h2>Other solves</h2>
    ${others.map((job) => html`<${Link} key=${job.id} href=${`/job/${job.id}`}><b>${job.name}</b><span class="row"><span class="small quiet-text">${job.reached_text ?? ""}</span><${Badge} job=${job} /></span><//>`)}
  </section>`;
}
