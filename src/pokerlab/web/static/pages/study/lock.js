// Lock: change what the player does here, fix it, solve the rest again, and compare.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { post, useEvents } from "../../parts/api.js";
import { background } from "../../parts/colours.js";
import { Lazy } from "../../parts/lazy.js";
import { Link } from "../../parts/navigation.js";
import { CopyLock } from "./lock-copy.js";
import { keepStrategy, lineAmong, withShare } from "./lock-state.js";
import { percent } from "./sums.js";

/** How often each action is taken, with the changes; weighed as the card of the decision is. */
function frequencies(node, strategy) {
  const weights = node.met;
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return node.strategy.map((row, action) => row.reduce((sum, share, hand) => sum + weights[hand] * (strategy?.[action][hand] ?? share ?? 0), 0) / total);
}

export function Lock({ units, id, once, node, chosen, filter, colours, locks, onLocks, onUndo, held, brush, onBrush, onGo }) {
  const { strategy, base } = held;
  const [error, setError] = useState(null);
  const [model, setModel] = useState(false);
  const arriving = useMemo(() => chosen.filter((hand) => hand.weight > 0), [chosen]);
  const now = useMemo(() => frequencies(node, strategy), [node, strategy]);
  const [wanted, setWanted] = useState(null);
  const timer = useRef();
  useEffect(() => setWanted(null), [node.line]);
  const change = (next, group) => onLocks((before) => keepStrategy(before, once, node.line, next), group);
  const setShare = (action, share) => change(withShare(base, node, arriving.map((hand) => hand.number), action, share), `share ${node.line} ${action}`);
  const aim = (action, share) => {
    const next = { [node.actions[action]]: share };
    setWanted(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      try {
        const made = await post(`/api/solutions/${id}/lock`, { line: node.line, wanted: next });
        setError(null);
        onLocks((before) => ({ ...before, [made.line]: { strategy: made.strategy, lock: made.lock } }), `aim ${node.line} ${action}`);
      } catch (problem) {
        setError(problem.message);
      }
    }, 120);
  };
  const drop = (lines) => onLocks((before) => Object.fromEntries(Object.entries(before).filter(([line]) => !lines.includes(line))));
  const remove = (line) => onLocks((before) => ({ ...before, [line]: { removed: true } }));
  const before = lineAmong(once.locks, node.line);
  const removed = before !== null && locks[before]?.removed;
  const free = () => (held.entry && !held.entry.removed && !(held.line in once.locks) ? drop([held.line]) : remove(before));
  const changed = strategy ? node.weights[node.seat].filter((weight, hand) => weight > 0 && strategy[0][hand] !== null).length : 0;
  const own = meanOf(arriving, node, strategy);
  return html`<div class="lock stack">
    <div class="buttons lock-tools">
      <button type="button" onClick=${() => change(node.strategy.map((row, action) => row.map((share, hand) => (node.weights[node.seat][hand] > 0 ? share : null))))}>Copy from the solution</button>
      <button type="button" disabled=${before !== null && !held.entry ? false : before !== null ? removed : !strategy} onClick=${free}>Set all free</button>
      <button type="button" disabled=${!onUndo} title="Ctrl+Z" onClick=${() => onUndo()}>Undo</button>
      <button type="button" id="from-player" aria-expanded=${model} onClick=${() => setModel(!model)}>From a player…</button>
      <span class="small quiet-text" id="lock-count">${changed ? `${changed} hands are locked here` : node.locked.length && !removed ? `${node.locked.length} hands are locked in this solution` : "No hand is locked here"}</span></div>
    ${error && html`<p class="error small" role="alert">${error}</p>`}
    ${model && html`<${Lazy} load=${() => import("./lock-model.js")} units=${units} id=${id} once=${once} node=${node} onLocks=${onLocks} onGo=${onGo} />`}
    <${CopyLock} key=${node.line} id=${id} once=${once} node=${node} locks=${locks} onLocks=${onLocks} held=${held} />
    <section><h3>Paint</h3><p class="small quiet-text">Drag over the matrix: hands take this action as often as the slider says.</p>
      <div class="row"><div class="segments" role="group" aria-label="Action to paint">${node.options.map((option, place) => html`<button type="button" key=${option.action}
        aria-pressed=${brush.action === place} onClick=${() => onBrush({ ...brush, action: place })}><span class="swatch" style=${{ background: background(colours[place]) }} />${units.words(option.name)}</button>`)}</div>
        <label class="row share">${percent(brush.share, 0)}<input type="range" min="0" max="100" step="5" value=${100 * brush.share} aria-label="How often" onInput=${(event) => onBrush({ ...brush, share: event.target.value / 100 })} /></label></div></section>
    <section><h3>${filter ? `Each of the hands “${filter}”` : "Each hand of the range"} <small class="quiet-text">${arriving.length} hands</small></h3>
      ${node.options.map((option, place) => html`<${Slider} key=${option.action} name=${units.words(option.name)} colour=${colours[place]} value=${own[place]} onInput=${(share) => setShare(place, share)} />`)}</section>
    <section><h3>How often the whole range does it</h3><p class="small quiet-text">All hands move together until the mean is as wanted. A hand counts as often as it meets an opposing one, as in the step above.</p>
      ${node.options.map((option, place) => html`<${Slider} key=${option.action} name=${units.words(option.name)} colour=${colours[place]} value=${wanted?.[option.action] ?? now[place]} onInput=${(share) => aim(place, share)} />`)}</section>
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
  const single = lines.filter((each) => !locks[each].group);
  const groups = [...new Set(lines.map((each) => locks[each].group).filter(Boolean))];
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
    ${before.length + lines.length > 0 && html`<ul class="lock-list" tabindex=${stay.length + lines.length > 8 ? 0 : undefined} aria-label="Locks">
      ${stay.map((each) => html`<${Listed} key=${each} line=${each} words="locked before" act="Remove the lock" mark="✕" onAct=${() => onRemove(each)} />`)}
      ${unlocked.map((each) => html`<${Listed} key=${each} line=${each} words="free from now on" act="Keep the lock" mark="↶" onAct=${() => onDrop([each])} />`)}
      ${groups.map((group) => {
        const own = lines.filter((each) => locks[each].group === group);
        const { words } = locks[own[0]];
        return html`<li key=${group}><span class="small">${words}</span>${own.length > 1 && html`<span class="small quiet-text">${own.length} locks</span>`}
          <button type="button" class="quiet" aria-label=${`Remove the locks ${words}`} onClick=${() => onDrop(own)}>✕</button></li>`;
      })}
      ${single.map((each) => html`<${Listed} key=${each} line=${each} words=${before.includes(each) ? "locked anew" : "locked here"} act="Remove the lock" mark="✕" onAct=${() => (before.includes(each) ? onRemove(each) : onDrop([each]))} />`)}</ul>`}
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
