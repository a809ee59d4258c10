// Study: a solution, decision by decision. The address is the file, the line and the view.
import { html, useEffect, useMemo, useRef, useState } from "/static/vendor/preact-htm.js";
import { prefetch, useLatest } from "../parts/api.js";
import { BottomBar } from "../parts/bottom-bar.js";
import { Board, HandText } from "../parts/cards.js";
import { actionColours, heatOf } from "../parts/colours.js";
import { HeatLegend } from "../parts/heat-legend.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { Matrix } from "../parts/matrix.js";
import { NARROW, useMedia } from "../parts/media.js";
import { Link, go, setQuery } from "../parts/navigation.js";
import { usePreference } from "../parts/preferences.js";
import { useUnits } from "../parts/units.js";
import { Breakdown } from "./study/breakdown.js";
import { ChooseOther } from "./study/choose.js";
import { Copyable, quoted } from "./study/copy.js";
import { Graphs } from "./study/graphs.js";
import { Bar, Hands } from "./study/hands.js";
import { Gain } from "./study/gain.js";
import { Lock } from "./study/lock.js";
import { keepStrategy, lineAmong, useHeld, useLocks, withShare } from "./study/lock-state.js";
import { Ranges } from "./study/ranges.js";
import { DealTab } from "./study/deal.js";
import { Steps, nextCard, withCard } from "./study/steps.js";
import { byClass, handsOf, localFilter, onlyHere, percent, possible, sumHands } from "./study/sums.js";

const SHOWS = { strategy: "Strategy", ev: "+ EV", equity: "+ Equity", realised: "+ Realised", second: "+ EV lost", oop: "OOP weights", ip: "IP weights" };
/** Why something is not offered for the state of a solve under way. */
const LATER = "A solve under way is only to look at: stop it and keep it first.";
/** How cells are drawn: bars as high as the weight, bars of full height, or one colour for the number. */
const CELLS = { weight: ["Weight", "Bars as high as the weight with which the hand arrives"], full: ["Full", "Bars of full height"], heat: ["Heat", "One colour for the number of each hand"] };
const TABS = { hands: "Hands", hand: "Hand", breakdown: "Breakdown", graphs: "Graphs", ranges: "Ranges", tree: "Tree", lock: "Lock", simple: "Simple" };
/** On a telephone one view is shown at a time; the matrix and the way here are views of their own. */
const PHONE_TABS = { matrix: "Matrix", hands: "Hands", breakdown: "Breakdown", line: "Line" };
const PHONE_MORE = Object.fromEntries(Object.entries(TABS).filter(([key]) => key !== "hand" && !(key in PHONE_TABS)));

/** `live` is there for a state of a solve under way: its `bar`, `run` (its page), and `onGone` for a state that is there no more. */
export default function Study({ params, query, live = null }) {
  const line = query.line ?? "";
  const base = `/api/solutions/${params.id}`;
  const once = useLatest(base);
  const node = useLatest(nodeAddress(params.id, line));
  // EVs are asked for once the strategy is there, so that nothing delays it.
  const decides = node.fresh && node.data?.kind === "decision";
  const values = useLatest(decides ? `${base}/values?line=${encodeURIComponent(line)}` : null);
  const gone = live !== null && [once, node, values].some(({ error }) => error?.status === 404);
  useEffect(() => { if (gone) live.onGone(); }, [gone, params.id]);
  if (gone && (!once.data || !node.data)) return html`<p class="nothing" role="status">Opening…</p>`;
  if (once.error && !once.data) return html`<section class="narrow"><h1>There is no such solution</h1><p class="error">${once.error.message}</p><p><${Link} href="/">To the Library<//></p></section>`;
  if (node.error && !node.data) return html`<${BadLine} error=${node.error} line=${line} />`;
  if (!once.data || !node.data) return html`<p class="nothing" role="status">Opening…</p>`;
  return html`<${View} id=${params.id} query=${query} once=${once.data} node=${node.data} late=${node.loading} live=${live}
    values=${values.data?.line === node.data.line && solutionOf(values) === solutionOf(node) ? values.data : null} problem=${gone ? null : node.error ?? values.error} />`;
}

/** The solution, or the state of a solve, that data belong to. */
function solutionOf({ from }) {
  return from?.split("/")[3];
}

function nodeAddress(id, line) {
  return `/api/solutions/${id}/node?line=${encodeURIComponent(line)}`;
}

function BadLine({ error, line }) {
  return html`<section class="narrow"><h1>There is no such line</h1><p class="error">${error.message}</p>
    <div class="buttons"><button type="button" class="primary" onClick=${() => setQuery({ line: null })}>To the first decision</button>
    ${line && html`<button type="button" onClick=${() => setQuery({ line: parentOf(line) })}>One step back</button>`}</div></section>`;
}

function parentOf(line) {
  return line.split("/").slice(0, -1).join("/");
}

function View({ id, query, once, node, values, late, live, problem }) {
  const spotUnits = useUnits(once.money);
  const units = useMemo(() => spotUnits.of(node.pot), [spotUnits, node.pot]);
  const [suits, setSuits] = usePreference("suits", "together");
  const [drawing, setDrawing] = usePreference("cells", "weight");
  const look = drawing in CELLS ? drawing : "weight";
  const [sort, setSort] = usePreference("handOrder", ["name", true]);
  const [pinned, setPinned] = useState([]);
  const [hovered, setHovered] = useState(null);
  const [comparing, setComparing] = useState(false);
  const [choosing, setChoosing] = useState(false);
  // The batches that solve this spot on other boards; asked for once the first strategy is there.
  const batches = useLatest(live ? null : `/api/boards?near=${id}`).data?.batches ?? [];
  const [locks, setLocks, undo] = useLocks(id);
  const held = useHeld(id, node, locks);
  const [brush, setBrush] = useState({ action: 0, share: 1 });
  const painting = useRef(false);
  const strokes = useRef(0);
  const show = query.show in SHOWS ? query.show : "strategy";
  const narrow = useMedia(NARROW);
  const tab = query.tab in TABS ? query.tab : narrow ? "" : "hands";
  const view = tab || (query.tab === "line" ? "line" : "matrix");
  const filter = query.filter ?? "";
  const seat = query.player ? Number(query.player === "ip") : node.seat ?? 0;
  const acts = node.kind === "decision" && node.seat === seat;
  const colours = useMemo(() => (node.actions ? actionColours(node.actions) : ["call"]), [node]);
  const ahead = (next) => next !== node.line && prefetch(nodeAddress(id, next));
  const goTo = (next) => {
    ahead(next);
    setQuery({ line: next });
  };
  const all = useMemo(() => [0, 1].map((each) => handsOf(once, node, values, each)), [once, node, values]);
  const passing = useFilter(id, once, node, filter);
  const chosen = useMemo(() => all.map((hands, each) => (passing.test ? hands.filter((hand) => passing.test(hand, each)) : hands)), [all, passing.test]);
  const locking = tab === "lock" && node.kind === "decision" && !live;
  const changed = locking || (tab === "breakdown" && node.kind === "decision" && !live) ? held.entry && held.base : null;
  const drawn = useMemo(() => (changed ? chosen.map((hands, each) => (each === node.seat ? hands.map((hand) => withLock(hand, changed)) : hands)) : chosen), [chosen, changed]);
  const listed = useMemo(() => chosen[seat].filter((hand) => hand.weight > 0), [chosen, seat]);
  const measure = useMemo(() => {
    const found = measureOf(show, units);
    return found && narrow ? { ...found, text: found.brief } : found; // whole numbers fit into small cells
  }, [show, units, narrow]);
  const heated = look === "heat" && measure !== null && (node.kind === "decision" || show === "oop" || show === "ip");
  // Without a number to colour, as for the strategy, bars are of full height.
  const { cells, low, high } = useMemo(() => matrixCells({ once, node, show, suits, units, measure, look: look === "heat" && !heated ? "full" : look }, drawn), [once, node, drawn, show, suits, units, measure, heated, look]);
  const ranges = tab === "ranges";
  const weightCells = useMemo(() => (ranges ? [0, 1].map((each) => seatCells({ once, node, units }, all[each]).cells) : null), [once, node, all, units, ranges]);
  const shownSeat = show === "oop" ? 0 : show === "ip" ? 1 : node.seat ?? 0;
  const filterField = useRef();
  const [runOuts, setRunOuts] = usePreference("runOutsOpen", false);
  // The report is of the card to come, or of the last one that came.
  const dealt = node.kind === "card" ? null : node.path.findLast((step) => step.kind === "card")?.card ?? null;
  const deals = node.kind === "card" || dealt !== null;
  const open = (name, player = once.players[seat]) => setQuery({ tab: "hand", hand: name, player: player === once.players[node.seat ?? 0] ? null : player }, { replace: tab === "hand" });
  const close = () => setQuery({ tab: null, hand: null, pin: null }, { replace: true });
  const ofHand = tab !== "hand" ? null : classOf(query.hand ?? "", once);
  useKeys(studyKeys({ id, query, node, show, seat, goTo, filterField, undo: tab === "lock" || tab === "breakdown" ? undo : null, close: tab === "hand" ? close : null, compare: live ? null : () => setComparing(true), board: batches.length ? () => setChoosing(true) : null }));
  const paint = (name) => {
    const numbers = all[node.seat].filter((hand) => hand.weight > 0 && once.class_names[hand.class] === name).map((hand) => hand.number);
    const action = Math.min(brush.action, node.actions.length - 1);
    if (!numbers.length) return;
    setLocks((before) => keepStrategy(before, once, node.line, withShare(before[node.line]?.strategy ?? held.base, node, numbers, action, brush.share)), `stroke ${strokes.current}`);
  };
  const pick = (name) => (locking ? paint(name) : ofHand === name && query.hand === name ? close() : open(name, once.players[shownSeat]));
  const point = (name) => {
    setHovered(name);
    if (painting.current && locking && name) paint(name);
  };
  useEffect(() => {
    const lift = () => { painting.current = false; };
    addEventListener("pointerup", lift);
    return () => removeEventListener("pointerup", lift);
  }, []);
  // The same element as long as nothing in it changes, so that pointing at hands draws no cell anew.
  const handlers = useRef();
  handlers.current = { pick, point };
  const matrix = useMemo(() => html`<${Matrix} look=${heated ? "heated" : ""} label=${`Hands of ${once.players[shownSeat]}`} cells=${cells} colours=${show === "oop" || show === "ip" ? ["call"] : colours}
    chosen=${ofHand ?? (once.class_names.includes(filter) ? filter : null)} onPick=${(name) => handlers.current.pick(name)} onHover=${(name) => handlers.current.point(name)} />`,
  [cells, colours, filter, ofHand, shownSeat, show, heated]);
  const detail = hovered === null ? null : drawn[shownSeat].filter((hand) => hand.weight > 0 && once.class_names[hand.class] === hovered);
  return html`<div class=${`study${late ? " late" : ""}`} data-line=${node.line} data-values=${values ? "here" : "none"} data-view=${view}>
    <div class="page-head study-head">
      <h1>${once.name.replace(/\.safetensors$/, "")}</h1><${Board} board=${node.board.join("")} small />
      <span class="quiet-text small">${node.stack_to_pot === null ? "" : `stack to pot ${node.stack_to_pot.toFixed(1)}`}</span>
      <span class="space" />
      ${batches.length > 0 && html`<button type="button" id="choose-board" title="Another board of the batch (B)" onClick=${() => setChoosing(true)}>Board…</button>`}
      ${node.report !== null && html`<${Link} class="button" href=${`/solution/${id}/report?line=${node.report}`} title="R">Next cards<//>`}
      <button type="button" title=${live ? LATER : "C"} disabled=${live} onClick=${() => setComparing(true)}>Compare</button>
      ${live ? html`<button type="button" disabled title=${LATER}>Train</button>` : html`<${Link} class="button" href=${`/train/${id}`}>Train<//>`}
    </div>
    ${live?.bar(once)}
    ${query.as && html`<${Lazy} key=${`${id} ${query.as}`} load=${() => import("./study/stands-for.js")} sheet="/static/pages/study/board.css" id=${id} wanted=${query.as} />`}
    <${Steps} units=${spotUnits} node=${node} start=${{ street: once.streets[0], board: once.board, pot: once.pot }} onGo=${goTo} onPoint=${ahead} changed=${(at) => { const own = lineAmong(locks, at); return own !== null && !locks[own].removed; }} />
    ${Object.keys(once.locks).length > 0 && !live && html`<${Gain} id=${id} once=${once} units=${spotUnits} line=${node.line} />`}
    ${node.report !== null && deals && html`<details class="run-outs-box" open=${runOuts} onToggle=${(event) => setRunOuts(event.currentTarget.open)}><summary class="small">Next cards, by frequency or EV</summary>
      ${runOuts && html`<${Lazy} load=${() => import("./study/run-outs.js")} sheet="/static/pages/report.css" id=${id} line=${node.report} chosen=${dealt} units=${spotUnits} onGo=${goTo} />`}</details>`}
    ${late && once.kept < once.streets.length && html`<p class="small quiet-text" role="status">This street is not in the file: it is being solved again…</p>`}
    ${problem && html`<p class="error" role="alert">${problem.message}</p>`}
    ${node.reached === false && html`<p class="never" role="status"><b>Never reached.</b> ${whyNever(once, node)}, so there is no play to show.</p>`}
    ${view === "line" && html`<section class="line-view"><h2>The way here</h2><${Steps} units=${spotUnits} node=${node} start=${{ street: once.streets[0], board: once.board, pot: once.pot }} onGo=${goTo} /></section>`}
    <div class="study-body">
      <section class="study-left">
        <div class="row tools">
          <div class="segments" role="group" aria-label="What the matrix shows">${Object.entries(SHOWS).map(([key, words]) => html`<button type="button" key=${key}
            aria-pressed=${show === key} onClick=${() => setQuery({ show: key === "strategy" ? null : key }, { replace: true })}>${words}</button>`)}</div>
          <div class="segments" role="group" aria-label="How cells are drawn">${Object.entries(CELLS).map(([key, [words, help]]) => html`<button type="button" key=${key}
            title=${help} aria-pressed=${look === key} onClick=${() => setDrawing(key)}>${words}</button>`)}</div>
          <button type="button" aria-pressed=${suits === "apart"} title="Each suit by itself in a cell" onClick=${() => setSuits(suits === "apart" ? "together" : "apart")}>Suits</button>
        </div>
        <div class=${locking ? "painted" : ""} onPointerDown=${(event) => {
          painting.current = true;
          strokes.current += 1;
          const name = event.target.closest(".cell")?.querySelector(".cell-name").textContent;
          if (locking && name) paint(name);
        }}>${matrix}</div>
        ${heated && html`<${HeatLegend} low=${low} high=${high} write=${measure.write} title=${measure.title} />`}
        ${look === "heat" && !heated && html`<p class="small quiet-text">Choose a number for the colours: EV, equity, realised or EV lost.</p>`}
        ${cells.some((cell) => cell?.corner) && html`<p class="small quiet-text corner-legend"><span class="corner-sample" aria-hidden="true" /> a hand that is locked, in whole or in part</p>`}
        <${Detail} units=${units} name=${hovered} hands=${detail} colours=${colours} hint=${locking ? "Drag over hands to paint them." : "Point at a hand to see its suits; a click opens its panel."} />
      </section>
      <section class="study-right panel">
        <${Totals} units=${units} once=${once} node=${node} values=${values} seat=${seat} />
        <div class="row filter">
          <label class="visually-hidden" for="hand-filter">Filter</label>
          <${FilterField} field=${filterField} filter=${filter} wrong=${Boolean(passing.error)} />
          ${filter && html`<button type="button" class="quiet" onClick=${() => setQuery({ filter: null }, { replace: true })}>Clear</button>`}
        </div>
        ${passing.error && html`<p class="error small" role="alert">${passing.error}</p>`}
        <div class="tabs" role="tablist" aria-label="Views">${Object.entries(TABS).map(([key, words]) => html`<button type="button" role="tab" key=${key} id=${`tab-${key}`}
          aria-selected=${tab === key} aria-controls="study-tab" onClick=${() => setQuery({ tab: key === "hands" ? null : key }, { replace: true })}>${words}</button>`)}</div>
        ${tab && html`<div class="tab-body" id="study-tab" role="tabpanel" aria-labelledby=${`tab-${tab}`}>
          ${tab === "hands" && html`<${Hands} units=${units} id=${id} node=${node} hands=${listed} colours=${colours} acts=${acts} player=${once.players[seat]} filter=${filter}
            sort=${sort} onSort=${setSort} onOpen=${open} pinned=${pinned} onPin=${(name) => setPinned(pinned.includes(name) ? pinned.filter((each) => each !== name) : [...pinned, name])} />`}
          ${tab === "hand" && html`<${Lazy} load=${() => import("./study/hand.js")} sheet="/static/pages/study/hand.css" units=${units} id=${id} node=${node} player=${once.players[seat]}
            query=${query} colours=${colours} onClose=${close} />`}
          ${tab === "breakdown" && (node.kind === "decision" ? html`<${Breakdown} units=${units} once=${once} node=${node} hands=${acts && changed ? all[seat].map((hand) => withLock(hand, changed)) : all[seat]} colours=${colours} acts=${acts} filter=${filter}
            onFilter=${(text) => setQuery({ filter: text }, { replace: true })} locking=${live ? null : { held, onLocks: setLocks, onUndo: undo, count: Object.keys(locks).length, onOpen: () => setQuery({ tab: "lock", filter: null }) }} />` : html`<p class="nothing">Nobody decides here.</p>`)}
          ${tab === "graphs" && (node.kind === "decision" ? html`<${Graphs} units=${units} values=${values} />` : html`<p class="nothing">Nobody decides here.</p>`)}
          ${live && (tab === "lock" || tab === "simple") && html`<p class="nothing">${LATER}</p>
            <p class="row centred"><${Link} class="button" href=${live.run}>To the solve<//></p>`}
          ${tab === "lock" && !live && (locking ? html`<${Lock} units=${spotUnits} id=${id} once=${once} node=${node} chosen=${chosen[node.seat]} filter=${filter} colours=${colours}
            locks=${locks} onLocks=${setLocks} onUndo=${undo} held=${held} brush=${brush} onBrush=${setBrush} onGo=${goTo} />` : html`<p class="nothing">Nobody decides here.</p>`)}
          ${tab === "simple" && !live && html`<${Lazy} load=${() => import("./study/simple.js")} sheet="/static/pages/study/simple.css" id=${id} once=${once} node=${node} query=${query}
            money=${once.money} onGo=${goTo} />`}
          ${tab === "tree" && html`<${DealTab} units=${spotUnits} source=${`/api/solutions/${id}`} players=${once.players} start=${once.board.join("")} node=${node} query=${query} onGo=${goTo} />`}
          ${tab === "ranges" && html`<${Ranges} units=${units} id=${id} once=${once} node=${node} values=${values} cells=${weightCells} />`}
        </div>`}
      </section>
    </div>
    ${narrow && html`<${BottomBar} tabs=${PHONE_TABS} more=${PHONE_MORE} current=${tab === "hand" ? "matrix" : view} onPick=${(key) => setQuery({ tab: key === "matrix" ? null : key, hand: null, pin: null }, { replace: true })} />`}
    <${Footer} units=${spotUnits} once=${once} node=${node} command=${commandOf(node, tab, filter, acts)} />
    ${choosing && html`<${Lazy} load=${() => import("./study/board.js")} sheet="/static/pages/study/board.css" id=${id} line=${node.line} shown=${query.as} batches=${batches} onClose=${() => setChoosing(false)} />`}
    ${comparing && html`<${ChooseOther} id=${id} onClose=${() => setComparing(false)} onChoose=${(other) => go(`/compare/${id}/${other}?line=${node.line}`)} />`}
  </div>`;
}

/** The class of a hand, which may be a class already; null for other texts. */
function classOf(hand, once) {
  if (once.class_names.includes(hand)) return hand;
  for (const [seat, names] of once.hands.entries()) {
    const number = names.indexOf(hand);
    if (number >= 0) return once.class_names[once.classes[seat][number]];
  }
  return null;
}

/** Why nobody arrives at a decision. */
function whyNever(once, node) {
  const absent = once.players.filter((_, seat) => !(node.combos[seat] > 0));
  return absent.length ? `No hand of ${absent[0].toUpperCase()} arrives here` : "No two hands can meet here";
}

const FILTER_WAITS = 150;

/** The filter holds while it is typed; a sign at its end waits for what follows it. */
function FilterField({ field, filter, wrong }) {
  const [text, setText] = useState(filter);
  const sent = useRef(filter);
  const timer = useRef();
  useEffect(() => {
    if (filter !== sent.current) setText(filter);
    sent.current = filter;
  }, [filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const apply = (typed) => {
    clearTimeout(timer.current);
    sent.current = typed.trim().replace(/[\s,;&!]+$/, "");
    setQuery({ filter: sent.current }, { replace: true });
  };
  const type = (typed) => {
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => apply(typed), FILTER_WAITS);
  };
  return html`<input id="hand-filter" ref=${field} type="search" value=${text} placeholder="Filter: top-pair & flush-draw, AK, 76s  ( / )" spellcheck=${false}
    aria-invalid=${wrong} onInput=${(event) => type(event.target.value)} onKeyDown=${(event) => event.key === "Enter" && apply(event.target.value)} />`;
}

/** Which hands pass the filter: by names that the page knows, or by what the server reads. */
function useFilter(id, once, node, filter) {
  const local = useMemo(() => (filter ? localFilter(filter, once) : null), [filter, once]);
  const asked = filter && !local ? `/api/solutions/${id}/filter?${new URLSearchParams({ line: node.line, hands: filter })}` : null;
  const answer = useLatest(asked);
  return useMemo(() => {
    if (!filter) return { test: null };
    if (local) return { test: local };
    if (answer.error) return { test: null, error: answer.error.message };
    if (!answer.data) return { test: null };
    const sets = answer.data.hands.map((numbers) => new Set(numbers));
    return { test: (hand, seat) => sets[seat].has(hand.number) };
  }, [filter, local, answer.data, answer.error]);
}

/** The number in a cell: how to get it from hands or a sum, how a cell and the legend write it; null for none. */
function measureOf(show, units) {
  const part = (title, value, digits = 0) => ({ title, value, brief: (number) => String(Math.round(100 * number)), text: (number) => percent(number, digits), write: (number) => percent(number, 0) });
  const worth = (title, value) => ({ title: `${title}, ${units.long}`, value, brief: (number) => `${number < 0 ? "−" : ""}${units.brief(number)}`, text: units.write, write: units.text });
  return {
    ev: worth("EV", (sum) => sum.ev), second: worth("EV that the second-best action loses", (sum) => sum.second),
    equity: part("Equity", (sum) => sum.equity), realised: part("Equity realised", (sum) => sum.realised),
    oop: part("Weight", (sum) => sum.share ?? sum.weight), ip: part("Weight", (sum) => sum.share ?? sum.weight),
  }[show] ?? null;
}

function matrixCells(view, hands) {
  const { node, show } = view;
  if (show === "oop" || show === "ip") return seatCells(view, hands[show === "ip" ? 1 : 0]);
  if (node.kind !== "decision") return seatCells({ ...view, measure: null }, hands[0]);
  return seatCells({ ...view, options: node.options }, hands[node.seat]);
}

/** A cell for each class: its weight, what it does, and a number; and the lowest and the highest number. */
function seatCells({ once, node, units, suits = "together", measure = null, look = "weight", options = [] }, hands) {
  const highest = hands.reduce((most, hand) => Math.max(most, hand.weight), 0) || 1;
  const combos = possible(node.board, once.class_names);
  const classes = byClass(hands);
  const sums = classes.map((own, place) => {
    const sum = sumHands(own, options.length, node.pot);
    return sum.weight > 0 ? { ...sum, share: sum.weight / Math.max(combos[place], 1) } : null;
  });
  const numbers = measure ? sums.map((sum) => sum && measure.value(sum)).filter((number) => number !== null) : [];
  const low = Math.min(...numbers), high = Math.max(...numbers);
  const bars = (thing, weight, parts) => {
    const number = look === "heat" ? measure.value(thing) : null;
    if (look === "heat") return number === null ? { weight: 0 } : { weight: 1, parts: [1], fills: [heatOf(Math.min(high, Math.max(low, number)), low, high)] };
    return { weight: look === "full" && weight > 0 ? 1 : weight, parts };
  };
  const names = options.map((option) => units.words(option.name));
  const cells = classes.map((own, place) => {
    const sum = sums[place];
    if (!sum) return null;
    const number = measure ? measure.value(sum) : null;
    const plays = options.length ? `: ${names.map((name, action) => `${name} ${percent(sum.strategy[action])}`).join(", ")}` : "";
    return {
      ...bars(sum, sum.share / highest, options.length ? sum.strategy : [1]), text: number === null ? null : (look === "heat" ? measure.brief : measure.text)(number),
      title: `${once.class_names[place]}${plays}; weight ${percent(sum.share)}${sum.ev === null ? "" : `, EV ${units.text(sum.ev)}, equity ${percent(sum.equity)}`}${sum.second === null ? "" : `, the second-best action loses ${units.text(sum.second)}`}${own.some((hand) => hand.locked) ? "; locked" : ""}`,
      corner: own.some((hand) => hand.locked),
      hands: suits === "apart" ? own.map((hand) => ({ name: hand.name, ...(hand.weight > 0 ? bars(hand, hand.weight / highest, hand.strategy ?? [1]) : { weight: 0 }) })) : null,
    };
  });
  return { cells, low, high };
}

/** A hand with what it is made to do. */
function withLock(hand, strategy) {
  if (strategy[0][hand.number] === null) return hand.locked ? { ...hand, locked: false } : hand;
  return { ...hand, strategy: strategy.map((row) => row[hand.number]), locked: true };
}

/** The hands of the class that is pointed at. */
function Detail({ units, name, hands, colours, hint }) {
  if (!name || !hands) return html`<p class="detail quiet-text small">${hint}</p>`;
  if (!hands.length) return html`<p class="detail quiet-text small">${name}: no hand arrives.</p>`;
  const acts = hands[0].strategy;
  return html`<div class="detail" aria-live="off"><b>${name}</b>
    <div class="detail-hands">${hands.map((hand) => html`<span class="detail-hand" key=${hand.name}><${HandText} hand=${hand.name} />
      ${acts && html`<${Bar} shares=${hand.strategy} colours=${colours} />`}<small>${hand.ev === null ? percent(hand.weight) : units.text(hand.ev)}</small></span>`)}</div></div>`;
}

function Totals({ units, once, node, values, seat }) {
  return html`<table class="data totals" aria-label="Both ranges"><thead><tr><th>Range</th><th class="number">Combos</th><th class="number">Equity</th><th class="number" title=${units.missing}>EV${units.heading}</th><th class="number">Realised</th></tr></thead>
    <tbody>${once.players.map((player, each) => html`<tr key=${player} class=${seat === each ? "chosen" : ""}>
      <td><button type="button" class="part" aria-pressed=${seat === each} title="P" onClick=${() => setQuery({ player }, { replace: true })}>${player.toUpperCase()}${node.kind === "decision" && node.seat === each ? " · to act" : ""}</button></td>
      <td class="number">${node.combos ? node.combos[each].toFixed(1) : "–"}</td>
      <td class="number">${percent(values?.totals[each].equity ?? node.equities?.[each])}</td><td class="number">${units.write(values?.totals[each].ev)}</td>
      <td class="number">${percent(values?.totals[each].realisation, 0)}</td></tr>`)}</tbody></table>`;
}

function Footer({ units, once, node, command }) {
  const { chips: taken, percent: share } = once.exploitability;
  const shares = once.money.prizes?.shares;
  return html`<footer class="study-foot">
    <span title=${once.certificate}><b>ε</b> ${units.gap(taken)}${units.unit === "pot" ? "" : ` · ${share.toPrecision(3)}% of the pot`}</span>
    ${shares && html`<span title="What each player has of the prize pool on average">of the prizes ${once.players.map((player, seat) => `${player.toUpperCase()} ${percent(shares[seat], 2)}`).join(", ")}</span>`}
    ${units.missing && html`<span class="quiet-text">${units.missing}</span>`}
    <span class=${`badge ${once.certified ? "good" : "warn"}`} title=${once.certificate}>${once.certified ? "certified" : "not certified"}</span>
    ${once.locks && Object.keys(once.locks).length > 0 && html`<span class="badge warn" title=${Object.keys(once.locks).map((each) => each || "first decision").join(", ")}>${Object.keys(once.locks).length} locked</span>`}
    ${once.groups && html`<span class="badge">groups ${once.groups}</span>`}
    <span class="quiet-text small hide-narrow">${once.iterations} iterations, ${once.rule}</span>
    <span class="space" />
    <${Copyable} text=${command} />
  </footer>`;
}

/** The command that prints this view. */
function commandOf(node, tab, filter, acts) {
  if (node.kind !== "decision" || !acts) return node.command;
  const hands = filter && !onlyHere(filter) ? ` --hands ${quoted(filter)}` : "";
  return node.command + hands + (tab === "breakdown" ? " --by made" : "");
}

function studyKeys({ id, query, node, show, seat, goTo, filterField, undo, close, compare, board }) {
  const last = node.path.at(-1);
  const dealt = [...node.path].reverse().find((step) => step.kind === "card");
  const turn = (ranks, suits) => dealt && goTo(withCard(node.line, dealt, nextCard(dealt, node.line, ranks, suits)));
  const sibling = (step) => {
    if (!last) return;
    if (last.kind === "card") turn(step, 0);
    else goTo(last.options[(last.chosen + step + last.options.length) % last.options.length].line);
  };
  const names = Object.keys(SHOWS);
  const keys = {
    Backspace: [() => goTo(parentOf(node.line)), "one step back"],
    ArrowLeft: [() => sibling(-1), "the action, or the rank, before"],
    ArrowRight: [() => sibling(1), "the next action, or rank"],
    ArrowUp: [() => turn(0, -1), "another suit of the dealt card"],
    ArrowDown: [() => turn(0, 1), "another suit of the dealt card"],
    p: [() => setQuery({ player: seat ? "oop" : "ip" }, { replace: true }), "the other player"],
    e: [() => setQuery({ show: names[(names.indexOf(show) + 1) % names.length] }, { replace: true }), "what the matrix shows"],
    "/": [() => filterField.current?.focus(), "filter"],
    r: [() => node.report !== null && go(`/solution/${id}/report?line=${node.report}`), "report of all next cards"],
    ...(compare ? { c: [compare, "compare with another solution"] } : {}),
    t: [() => setQuery({ tab: query.tab === "tree" ? null : "tree" }, { replace: true }), "tree of one deal"],
    s: [() => setQuery({ tab: query.tab === "simple" ? null : "simple" }, { replace: true }), "simple strategies and rules"],
    ...(undo ? { "Ctrl+z": [undo, "undo a change of locks"] } : {}),
    ...(board ? { b: [board, "another board of the batch"] } : {}),
    ...(close ? { Escape: [close, "close the hand's panel"] } : {}),
    l: [() => setQuery({ tab: query.tab === "lock" ? null : "lock" }, { replace: true }), "lock"],
  };
  (node.options ?? []).slice(0, 9).forEach((option, place) => {
    keys[String(place + 1)] = [() => goTo(option.line), "an action"];
  });
  return keys;
}
