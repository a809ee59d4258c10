// Lock: change what the player does here, fix it, solve the rest again, and compare.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { post, useEvents } from "../../parts/api.js";
import { background } from "../../parts/colours.js";
import { Link } from "../../parts/navigation.js";
import { percent } from "./sums.js";

/**
 * What was changed of a solution, by line: `{strategy, lock}`, or `{removed: true}` for a lock of the solution that is taken
 * away; kept until the tab is closed. `keep` takes a function.
 */
export function useLocks(id) {
  const name = `pokerlab-locks-${id}`;
  const [locks, setLocks] = useState(() => {
    try {
      return JSON.parse(sessionStorage.getItem(name)) ?? {};
    } catch {
      return {};
    }
  });
  // Several cells may be painted before the page is drawn again: each adds to what the last one made.
  const current = useRef(locks);
  const keep = (make) => {
    const next = make(current.current);
    current.current = next;
    setLocks(next);
    try {
      sessionStorage.setItem(name, JSON.stringify(next));
    } catch {
      // Full: it holds until the page is left.
    }
  };
  return [locks, keep];
}

/** The strategy of the hands of the player who acts as changed here: shares by action and hand, null where free. */
export function freeStrategy(node) {
  return node.strategy.map((row) => row.map(() => null));
}

/** Give hands so much of an action; their other actions keep their proportions. */
export function withShare(strategy, node, numbers, action, share) {
  const next = strategy.map((row) => row.slice());
  for (const number of numbers) {
    const now = next.map((row, place) => row[number] ?? node.strategy[place][number] ?? 0);
    const rest = now.reduce((sum, each, place) => (place === action ? sum : sum + each), 0);
    const others = next.length - 1;
    next.forEach((row, place) => {
      const part = place === action ? share : rest > 1e-9 ? ((1 - share) * now[place]) / rest : (1 - share) / others;
      row[number] = Math.round(10000 * part) / 10000;
    });
  }
  return next;
}

/** How often each action is taken, with the changes; weighed as the card of the decision is. */
function frequencies(node, strategy) {
  const weights = node.met;
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return node.strategy.map((row, action) => row.reduce((sum, share, hand) => sum + weights[hand] * (strategy?.[action][hand] ?? share ?? 0), 0) / total);
}

export function Lock({ units, id, once, node, chosen, filter, colours, locks, onLocks, brush, onBrush }) {
  const strategy = locks[node.line]?.strategy ?? null;
  const [error, setError] = useState(null);
  const arriving = useMemo(() => chosen.filter((hand) => hand.weight > 0), [chosen]);
  const now = useMemo(() => frequencies(node, strategy), [node, strategy]);
  const [wanted, setWanted] = useState(null);
  const timer = useRef();
  useEffect(() => setWanted(null), [node.line]);
  const change = (next) => onLocks((before) => ({ ...before, [node.line]: { strategy: next, lock: null } }));
  const setShare = (action, share) => change(withShare(strategy ?? freeStrategy(node), node, arriving.map((hand) => hand.number), action, share));
  const aim = (action, share) => {
    const next = { [node.actions[action]]: share };
    setWanted(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      try {
        const made = await post(`/api/solutions/${id}/lock`, { line: node.line, wanted: next });
        setError(null);
        onLocks((before) => ({ ...before, [made.line]: { strategy: made.strategy, lock: made.lock } }));
      } catch (problem) {
        setError(problem.message);
      }
    }, 120);
  };
  const drop = (line) => onLocks(({ [line]: _, ...rest }) => rest);
  const remove = (line) => onLocks((before) => ({ ...before, [line]: { removed: true } }));
  const before = node.line in once.locks;
  const removed = locks[node.line]?.removed;
  const changed = strategy ? strategy[0].filter((share) => share !== null).length : 0;
  const own = meanOf(arriving, node, strategy);
  return html`<div class="lock stack">
    <section><h3>Paint</h3><p class="small quiet-text">Drag over the matrix: each hand takes this action so often.</p>
      <div class="row"><div class="segments" role="group" aria-label="Action to paint">${node.options.map((option, place) => html`<button type="button" key=${option.action}
        aria-pressed=${brush.action === place} onClick=${() => onBrush({ ...brush, action: place })}><span class="swatch" style=${{ background: background(colours[place]) }} />${units.words(option.name)}</button>`)}</div>
        <label class="row share">${percent(brush.share, 0)}<input type="range" min="0" max="100" step="5" value=${100 * brush.share} aria-label="How often" onInput=${(event) => onBrush({ ...brush, share: event.target.value / 100 })} /></label></div></section>
    <section><h3>${filter ? `Each of the hands “${filter}”` : "Each hand of the range"} <small class="quiet-text">${arriving.length} hands</small></h3>
      ${node.options.map((option, place) => html`<${Slider} key=${option.action} name=${units.words(option.name)} colour=${colours[place]} value=${own[place]} onInput=${(share) => setShare(place, share)} />`)}</section>
    <section><h3>How often the whole range does it</h3><p class="small quiet-text">All hands move together until the mean is as wanted.</p>
      ${node.options.map((option, place) => html`<${Slider} key=${option.action} name=${units.words(option.name)} colour=${colours[place]} value=${wanted?.[option.action] ?? now[place]} onInput=${(share) => aim(place, share)} />`)}</section>
    <div class="buttons">
      <button type="button" onClick=${() => change(node.strategy.map((row, action) => row.map((share, hand) => (node.weights[node.seat][hand] > 0 ? share : null))))}>Copy from the solution</button>
      <button type="button" disabled=${before ? removed : !strategy} onClick=${() => (before ? remove : drop)(node.line)}>Set all free</button>
      <span class="small quiet-text" id="lock-count">${changed ? `${changed} hands are locked here` : node.locked.length && !removed ? `${node.locked.length} hands are locked in this solution` : "No hand is locked here"}</span></div>
    ${error && html`<p class="error small" role="alert">${error}</p>`}
    <${SolveAgain} id=${id} once=${once} locks=${locks} onDrop=${drop} onRemove=${remove} line=${node.line} />
  </div>`;
}

function meanOf(hands, node, strategy) {
  const total = hands.reduce((sum, hand) => sum + node.met[hand.number], 0) || 1;
  return node.strategy.map((row, action) => hands.reduce((sum, hand) => sum + node.met[hand.number] * (strategy?.[action][hand.number] ?? row[hand.number] ?? 0), 0) / total);
}

function Slider({ name, colour, value, onInput }) {
  return html`<label class="slider"><span class="swatch" style=${{ background: background(colour) }} /><span>${name}</span>
    <input type="range" min="0" max="100" step="1" value=${Math.round(100 * value)} aria-label=${name} onInput=${(event) => onInput(event.target.value / 100)} /><b>${percent(value)}</b></label>`;
}

/** The locks of the solution that stay, what was changed here, and a solve with all of it. */
function SolveAgain({ id, once, locks, onDrop, onRemove, line }) {
  const changes = Object.keys(locks);
  const lines = changes.filter((each) => !locks[each].removed);
  const unlocked = changes.filter((each) => locks[each].removed);
  const before = Object.keys(once.locks);
  const stay = before.filter((each) => !(each in locks));
  const [target, setTarget] = useState(`${Math.max(0.1, Number(once.exploitability.percent.toPrecision(2)))}%`);
  const [error, setError] = useState(null);
  const [job, setJob] = useState(null);
  const solve = async () => {
    setError(null);
    try {
      const texts = {};
      for (const each of lines) {
        const kept = locks[each];
        texts[each] = kept.lock ?? (await post(`/api/solutions/${id}/lock`, { line: each, strategy: kept.strategy })).lock;
      }
      const name = `${once.name.replace(/\.safetensors$/, "")}-${lines.length + stay.length ? "locked" : "free"}`;
      const { id: number } = await post("/api/jobs", { solution: id, locks: texts, unlocked, target, name });
      setJob({ id: number, phase: "waiting", ended: false });
    } catch (problem) {
      setError(problem);
    }
  };
  useEvents(job && !job.ended ? `/api/jobs/${job.id}/events` : null, {
    job: (view, source) => { setJob(view); if (view.ended) source.close(); },
    gone: (_, source) => { source.close(); setJob(null); },
  });
  return html`<section class="again"><h3>Solve again</h3>
    ${before.length + lines.length > 0 && html`<ul class="lock-list">
      ${stay.map((each) => html`<${Listed} key=${each} line=${each} words="locked before" act="Remove the lock" mark="✕" onAct=${() => onRemove(each)} />`)}
      ${unlocked.map((each) => html`<${Listed} key=${each} line=${each} words="free from now on" act="Keep the lock" mark="↶" onAct=${() => onDrop(each)} />`)}
      ${lines.map((each) => html`<${Listed} key=${each} line=${each} words=${before.includes(each) ? "locked anew" : "locked here"} act="Remove the lock" mark="✕" onAct=${() => (before.includes(each) ? onRemove : onDrop)(each)} />`)}</ul>`}
    <div class="row"><label class="row target">to <input value=${target} aria-label="Target" spellcheck=${false} aria-invalid=${error?.field === "target"} onInput=${(event) => setTarget(event.target.value)} /></label>
      <button type="button" class="primary" id="solve-again" disabled=${!changes.length || (job && !job.ended)} onClick=${solve}>${solveWords(changes.length, lines.length + stay.length)}</button></div>
    ${error && html`<p class="error small" role="alert">${error.message}</p>`}
    ${job && html`<p class="row" role="status" id="lock-job"><${Link} href=${`/job/${job.id}`}>${job.phase}<//>${job.reached_text ? html`<span class="quiet-text">ε ${job.reached_text}</span>` : ""}
      ${job.solution && html`<${Link} class="button primary" href=${`/compare/${id}/${job.solution}?line=${line}`}>Compare<//>`}</p>`}
  </section>`;
}

function solveWords(changes, locks) {
  if (!changes) return "Lock something first";
  if (!locks) return "Solve without locks";
  return `Solve with ${locks === 1 ? "this lock" : `${locks} locks`}`;
}

function Listed({ line, words, act, mark, onAct }) {
  return html`<li><code>${line || "first decision"}</code> <span class="small quiet-text">${words}</span>
    <button type="button" class="quiet" aria-label=${`${act} of ${line || "the first decision"}`} onClick=${onAct}>${mark}</button></li>`;
}
