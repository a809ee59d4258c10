// A task of the server: begun by a page, followed while it waits and runs, and what it found.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { get, post, useEvents, useLatest } from "./api.js";

/** Follow a task: `{view, found, error, act}`; `found` is there once it is done. */
export function useTask(id) {
  const [state, setState] = useState({ id: null, view: null, found: null, error: null });
  const [round, setRound] = useState(0);
  const own = state.id === id ? state : { id, view: null, found: null, error: null };
  const first = useLatest(id ? `/api/jobs/${id}` : null);
  const change = (changes) => setState((before) => ({ ...(before.id === id ? before : { id, view: null, found: null, error: null }), ...changes }));
  useEffect(() => { if (first.fresh && first.data) change({ view: first.data }); }, [first.data]);
  useEvents(own.view && !own.view.ended ? `/api/jobs/${id}/events?round=${round}` : null, {
    job: (view, source) => {
      change({ view });
      if (view.ended) source.close();
    },
    gone: (_, source) => source.close(),
    back: () => setRound((count) => count + 1),
  }, { onlyVisible: true });
  const done = own.view?.status === "done";
  useEffect(() => {
    if (!done) return undefined;
    let gone = false;
    get(`/api/tasks/${id}`).then((found) => gone || change({ found }), (error) => gone || change({ error }));
    return () => { gone = true; };
  }, [id, done]);
  const act = async (action) => {
    try {
      const view = await post(`/api/jobs/${id}/${action}`);
      change(view.status === "forgotten" ? { view: null, error: null } : { view, error: null });
      setRound((count) => count + 1);
    } catch (error) {
      change({ error });
    }
  };
  const error = own.error ?? (first.fresh || !first.error ? null : first.error);
  return { view: own.view, found: own.found, error, act, change };
}

/** How far it is, and what can be done about it; nothing once it is done. */
export function TaskProgress({ task }) {
  const { view, error, act } = task;
  if (error) return html`<p class="error small" role="alert">${error.message}</p>`;
  if (!view || view.status === "done") return null;
  return html`<div class="task-progress">
    <p class="row small" role="status">${view.status === "running" && html`<span class="pulse" />`}<b>${view.phase}</b>
      ${view.left_text && html`<span class="quiet-text">${view.left_text} left in this step</span>`}</p>
    ${!view.ended && html`<div class="progress" role="progressbar" aria-label="Progress" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(100 * (view.share ?? 0))}><span style=${{ width: `${100 * (view.share ?? 0)}%` }} /></div>`}
    ${view.error && html`<p class="error small" role="alert">${view.error}</p>`}
    <div class="buttons">
      ${view.can.includes("cancel") && html`<button type="button" onClick=${() => act("cancel")}>Cancel</button>`}
      ${view.can.includes("go-on") && html`<button type="button" onClick=${() => act("go-on")}>Go on</button>`}</div>
  </div>`;
}
