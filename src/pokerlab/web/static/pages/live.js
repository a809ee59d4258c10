// Live: a solve that has not ended, in Study. The address names the solve; the page knows which of its states it shows.
import { html, useCallback, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { get, post, useEvents, useLatest } from "../parts/api.js";
import { Link, go } from "../parts/navigation.js";
import { usePreference } from "../parts/preferences.js";
import Study from "./study.js";

/** Following asks for the next state after this time; the solver takes longer where a state costs it more. */
const FOLLOWS_AFTER = 3000;
const LOOKS_AGAIN = 400, LOOKS_IDLE = 3000;

export default function Live({ params, query }) {
  const { id } = params;
  const first = useLatest(`/api/jobs/${id}`);
  const [job, setJob] = useState(null);
  const [round, setRound] = useState(0);
  const [shown, setShown] = useState(params.at ? Number(params.at) : null);
  const [problem, setProblem] = useState("");
  const [removed, setRemoved] = useState(false);
  const [follow, setFollow] = usePreference("followSolve", false);
  const sending = useRef(false), asked = useRef(false);
  const next = useRef(0);
  useEffect(() => { if (first.data) setJob(first.data); }, [first.data]);
  useEvents(job && !job.ended && !removed ? `/api/jobs/${id}/events?round=${round}` : null, {
    job: (view, source) => {
      setJob(view);
      if (view.ended) source.close();
    },
    gone: (_, source) => {
      source.close();
      setRemoved(true);
    },
    back: () => setRound((count) => count + 1),
  }, { onlyVisible: true });
  const ask = async () => {
    if (sending.current) return;
    sending.current = true;
    setProblem("");
    try {
      const view = await post(`/api/jobs/${id}/look`);
      asked.current = true;
      setJob(view);
    } catch (error) {
      setProblem(error.message);
      if (error.status === 404) setRemoved(true);
      else if (shown === null) setShown(job?.look?.iteration ?? null);
    } finally {
      sending.current = false;
    }
  };
  const state = job?.look ?? null;
  const runs = job?.status === "running";
  // The first state is asked for, later ones by a click, or again and again.
  useEffect(() => {
    if (!state || asked.current) return;
    if (shown === null ? state.open && !problem : follow && runs && state.newer && job.points.at(-1)?.[0] > shown && Date.now() > next.current) ask();
  }, [job]);
  useEffect(() => {
    if (!state || state.busy || !asked.current) return;
    next.current = Date.now() + FOLLOWS_AFTER;
    asked.current = false;
    if (state.iteration !== null) setShown(state.iteration);
    setProblem(state.error ?? (state.iteration === null ? "no state could be read" : ""));
  }, [job]);
  // A solve that does not run sends no events: its checkpoint is being read, or somebody lets it go on elsewhere.
  useEffect(() => {
    if (!job?.ended || removed || job.solution || !(state?.open || state?.busy)) return undefined;
    const timer = setTimeout(() => get(`/api/jobs/${id}`).then(setJob, (error) => (error.status === 404 ? setRemoved(true) : setJob({ ...job }))), state.busy ? LOOKS_AGAIN : LOOKS_IDLE);
    return () => clearTimeout(timer);
  }, [job]);
  const finished = job?.solution ? `/solution/${job.solution}${location.search}` : null;
  useEffect(() => { if (shown === null && finished) go(finished, { replace: true }); }, [shown, finished]);
  // The state that is shown has gone: there is a newer one, or the solution.
  const onGone = useCallback(async () => {
    try {
      const view = await get(`/api/jobs/${id}`);
      setJob(view);
      if (view.solution) go(`/solution/${view.solution}${location.search}`, { replace: true });
      else setShown(view.look.iteration === shown ? null : view.look.iteration);
    } catch {
      setRemoved(true);
    }
  }, [id, shown]);
  useEffect(() => {
    if (job) document.title = `${job.name} · under way · pokerlab`;
    return () => { document.title = "pokerlab"; };
  }, [job?.name]);
  if (first.error && !job) return html`<section class="narrow"><h1>There is no such solve</h1><p class="error">${first.error.message}</p><p><${Link} href="/">To the Library<//></p></section>`;
  if (!job) return html`<p class="nothing" role="status">Opening…</p>`;
  const run = `/job/${id}`;
  if (shown === null) return html`<${Waiting} job=${job} run=${run} removed=${removed} problem=${problem} onAsk=${ask} />`;
  const bar = (once) => html`<${Bar} job=${job} once=${once} run=${run} finished=${finished} removed=${removed} problem=${problem} follow=${follow} onFollow=${setFollow} onAsk=${ask} />`;
  return html`<${Study} params=${{ id: `live-${id}-${shown}` }} query=${query} live=${{ bar, onGone, run }} />`;
}

/** Before there is anything to see. */
function Waiting({ job, run, removed, problem, onAsk }) {
  const ended = removed || !job.look || (job.ended && !job.look.open);
  const words = removed ? "This solve was removed." : ended ? `There is nothing to study: ${job.phase}.` : job.look.busy || !job.look.open ? "The first state is on its way…" : "Opening…";
  return html`<section class="narrow stack"><h1>${job.name}</h1>
    <p class=${ended ? "" : "row"} role="status">${!ended && !problem && html`<span class="pulse" />`}${problem && !ended ? "" : words}</p>
    ${problem && html`<p class="error" role="alert">${problem}</p>`}
    <div class="buttons">${problem && job.look?.open && html`<button type="button" class="primary" onClick=${onAsk}>Try again</button>`}
      ${removed ? html`<${Link} class="button" href="/">To the Library<//>` : html`<${Link} class="button" href=${run}>To the solve<//>`}</div></section>`;
}

/** Which state is shown, how good it is, and what has come since. */
function Bar({ job, once, run, finished, removed, problem, follow, onFollow, onAsk }) {
  const runs = job.status === "running" && !removed, look = job.look;
  const words = removed ? "This solve was removed" : finished ? "The solve has ended" : runs ? "Solving" : `${job.phase[0].toUpperCase()}${job.phase.slice(1)}`;
  const trend = runs && job.trend ? `, ${job.trend}` : "";
  const now = runs && job.reached_text && job.iteration > once.iterations ? `now ε ${job.reached_text} at iteration ${job.iteration.toLocaleString("en")}` : "";
  return html`<section class="live-bar" aria-label="The solve" data-state=${once.iterations}>
    <div class="live-state" role="status">${runs && html`<span class="pulse" />`}<b>${words}</b>
      <span id="live-epsilon">${finished ? "shown here: " : ""}${once.state ?? ""}${trend}</span><span class="badge warn" title=${once.certificate}>measured, not certified</span>
      ${now && html`<span class="small quiet-text">${now}</span>`}</div>
    <div class="row live-acts">
      ${finished && html`<${Link} class="button primary" href=${finished}>Study the finished solution<//>`}
      ${!finished && !removed && (look.busy ? html`<span class="small quiet-text">a newer state is on its way…</span>`
        : look.newer && html`<button type="button" id="show-newer" onClick=${onAsk}>Show the newer state</button>`)}
      ${runs && html`<label class="check small" title="Show newer states by themselves; line, filter and tab stay"><input type="checkbox" id="follow" checked=${follow} onChange=${(event) => onFollow(event.target.checked)} />Follow</label>`}
      ${removed ? html`<${Link} class="button" href="/">Library<//>` : html`<${Link} class="button" href=${run}>To the solve<//>`}</div>
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}
  </section>`;
}
