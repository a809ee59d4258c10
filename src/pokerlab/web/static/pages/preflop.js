// Before the flop: the charts of the package and of the folder, decision by decision. The address is the chart and the line.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get, prefetch, useLatest } from "../parts/api.js";
import { actionColours } from "../parts/colours.js";
import { HeatLegend } from "../parts/heat-legend.js";
import { useKeys } from "../parts/keys.js";
import { Lazy } from "../parts/lazy.js";
import { Matrix } from "../parts/matrix.js";
import { Link, setQuery } from "../parts/navigation.js";
import { usePreference } from "../parts/preferences.js";
import { makeUnits, useUnits } from "../parts/units.js";
import { classCells, measureOf } from "./preflop/cells.js";
import { Exactness, Hand, Totals, gapOf } from "./preflop/tables.js";
import { Copyable } from "./study/copy.js";
import { Steps } from "./study/steps.js";
import { percent } from "./study/sums.js";

const FIRST = "100bb";
const SHOWS = { strategy: "Strategy", ev: "+ EV", second: "+ EV lost" };
const CELLS = { weight: ["Weight", "Bars as high as the part of the hand that arrives"], full: ["Full", "Bars of full height"], heat: ["Heat", "One colour for the number of each hand"] };

const nodeAddress = (id, line) => `/api/charts/${encodeURIComponent(id)}/node?line=${encodeURIComponent(line)}`;

export default function Preflop({ query }) {
  const id = query.chart ?? FIRST, line = query.line ?? "";
  const list = useLatest("/api/charts");
  const once = useLatest(`/api/charts/${encodeURIComponent(id)}`);
  const node = useLatest(nodeAddress(id, line));
  useEffect(() => { document.title = "Before the flop · pokerlab"; }, []);
  if (once.error && !once.data) return html`<section class="narrow"><h1>This chart cannot be opened</h1><p class="error" role="alert">${once.error.message}</p><p><${Link} href="/preflop">To the charts of the package<//></p></section>`;
  if (node.error && !node.data) return html`<section class="narrow"><h1>There is no such line</h1><p class="error" role="alert">${node.error.message}</p>
    <div class="buttons"><button type="button" class="primary" onClick=${() => setQuery({ line: null })}>To the first decision</button></div></section>`;
  if (!once.data || !node.data || !list.data) return html`<p class="nothing" role="status">${list.error ? list.error.message : "Opening…"}</p>`;
  return html`<${View} query=${query} list=${list.data} once=${once.data} node=${node.data} late=${node.loading || once.loading} problem=${node.error ?? once.error} />`;
}

function View({ query, list, once, node, late, problem }) {
  const units = useUnits({ pot: node.pot, big_blind: 1, in_blinds: true });
  const blinds = useMemo(() => makeUnits("bb", { big_blind: 1 }), []);
  const [drawing, setDrawing] = usePreference("cells", "weight");
  const [hovered, setHovered] = useState(null);
  const id = once.id, decides = node.kind === "decision";
  const show = query.show in SHOWS ? query.show : "strategy";
  const look = drawing in CELLS ? drawing : "weight";
  const measure = useMemo(() => measureOf(show, units), [show, units]);
  const heated = look === "heat" && decides && measure !== null;
  const drawn = look === "heat" && !heated ? "full" : look;
  const goTo = (line) => {
    prefetch(nodeAddress(id, line));
    setQuery({ line, flop: null });
  };
  const others = list.files.filter((each) => !each.error);
  const ids = [...list.shipped, ...others].map((each) => each.id);
  // Another stack is shown at the line that is nearest to this one.
  const open = async (next) => {
    const near = await get(`/api/charts/${encodeURIComponent(next)}/near?line=${encodeURIComponent(node.line)}`).catch(() => ({ line: "" }));
    setQuery({ chart: next, line: near.line, flop: null, hand: null });
  };
  const turn = (by) => void open(ids[(ids.indexOf(id) + by + ids.length) % ids.length]);
  useKeys(chartKeys({ node, show, goTo, turn }));
  const seats = decides ? [node.seat, 1 - node.seat] : node.order ?? [0, 1];
  const colours = useMemo(() => (decides ? actionColours(node.actions) : ["call"]), [node]);
  const drawnCells = useMemo(() => seats.map((seat, place) => classCells(once, node, seat, { acts: decides && place === 0, measure, look: drawn, units })), [once, node, measure, drawn, units]);
  const name = hovered ?? (once.classes.includes(query.hand) ? query.hand : null);
  const pick = (hand) => setQuery({ hand: query.hand === hand ? null : hand }, { replace: true });
  const matrix = (place) => html`<section class="chart-range">
    <h2>${once.players[seats[place]]}${once.players[seats[place]] === "SB" ? ", the button" : ""}${decides && place === 0 ? " · to act" : ""} <span class="quiet-text small">${combos(node.combos[seats[place]])}</span></h2>
    <${Matrix} look=${heated ? "heated" : ""} label=${`Hands of ${once.players[seats[place]]}`} cells=${drawnCells[place].cells} colours=${decides && place === 0 ? colours : ["call"]}
      chosen=${query.hand ?? null} onPick=${pick} onHover=${setHovered} />
    ${heated && html`<${HeatLegend} low=${drawnCells[place].low} high=${drawnCells[place].high} write=${drawnCells[place].write} title=${measure.title} />`}
  </section>`;
  return html`<div class=${`study preflop${late ? " late" : ""}`} data-line=${node.line} data-chart=${id}>
    <div class="page-head study-head">
      <h1>Before the flop</h1>
      <div class="segments" role="group" aria-label="Stack, big blinds" title="[ and ]">${list.shipped.map((each) => html`<button type="button" key=${each.id} aria-pressed=${id === each.id} onClick=${() => open(each.id)}>${each.stack} bb</button>`)}</div>
      ${list.files.length > 0 && html`<label><span class="visually-hidden">Charts of the folder</span><select id="chart-file" value=${once.shipped ? "" : id} onChange=${(event) => event.target.value && open(event.target.value)}>
        <option value="">Charts of the folder…</option>${list.files.map((each) => html`<option key=${each.id} value=${each.id} disabled=${Boolean(each.error)}>${each.name.replace(/\.safetensors$/, "")}${each.error ? ", damaged" : ""}</option>`)}</select></label>`}
      ${!once.shipped && html`<span class="quiet-text small">${once.stack} big blinds${once.ante ? `, ante ${once.ante}` : ""}</span>`}
      <span class="space" />
      <span class="small" title="What the small blind wins a hand on average, and the exploitability">SB ${blinds.signed(once.value)} bb a hand · <b>ε</b> ${gapOf(blinds, once.exploitability)}</span>
    </div>
    ${list.files.some((each) => each.error) && html`<p class="small error">${list.files.filter((each) => each.error).map((each) => `${each.name}: ${each.error}`).join("; ")}</p>`}
    <${Steps} units=${units} node=${node} start=${{ street: "Blinds", board: [], pot: once.small_blind + 1 + 2 * once.ante }} onGo=${goTo} onPoint=${(next) => next !== node.line && prefetch(nodeAddress(id, next))}>
      ${node.kind === "flop" && html`<div class="step end current" role="listitem"><h3>Flop</h3><p>${node.problem ?? `pot ${units.amount(node.pot)} · behind ${units.amount(node.behind)}`}</p>
        <p class="small quiet-text">${percent(node.share)} of all hands</p></div>`}
    <//>
    ${problem && html`<p class="error" role="alert">${problem.message}</p>`}
    ${node.kind === "flop" && !node.problem && html`<${Lazy} load=${() => import("./preflop/flop.js")} id=${id} node=${node} flops=${list.flops} flop=${query.flop ?? ""} />`}
    ${decides && html`<div class="row tools">
      <div class="segments" role="group" aria-label="What the matrices show">${Object.entries(SHOWS).map(([key, words]) => html`<button type="button" key=${key}
        aria-pressed=${show === key} onClick=${() => setQuery({ show: key === "strategy" ? null : key }, { replace: true })}>${words}</button>`)}</div>
      <div class="segments" role="group" aria-label="How cells are drawn">${Object.entries(CELLS).map(([key, [words, help]]) => html`<button type="button" key=${key}
        title=${help} aria-pressed=${look === key} onClick=${() => setDrawing(key)}>${words}</button>`)}</div>
      ${look === "heat" && !heated && html`<span class="small quiet-text">Choose a number for the colours: EV or EV lost.</span>`}
      ${units.missing && html`<span class="small quiet-text">${units.missing}</span>`}
    </div>`}
    <div class="chart-body">
      ${matrix(0)}${matrix(1)}
      <div class="chart-side stack">
        ${decides && html`<${Totals} units=${units} once=${once} node=${node} colours=${colours} onGo=${goTo} />`}
        <${Hand} units=${units} once=${once} node=${node} name=${name} colours=${colours} />
        <${Exactness} units=${blinds} once=${once} />
      </div>
    </div>
    <footer class="study-foot"><span class="quiet-text small hide-narrow">${once.shipped ? "A chart of the package" : once.name}</span><span class="space" /><${Copyable} text=${node.command} /></footer>
  </div>`;
}

function combos(number) {
  return `${number.toFixed(1)} combos, ${percent(number / 1326)}`;
}

function chartKeys({ node, show, goTo, turn }) {
  const last = node.path.at(-1), names = Object.keys(SHOWS);
  const sibling = (by) => last && goTo(last.options[(last.chosen + by + last.options.length) % last.options.length].line);
  const keys = {
    Backspace: [() => goTo(node.line.split("/").slice(0, -1).join("/")), "one step back"],
    ArrowLeft: [() => sibling(-1), "the action before"],
    ArrowRight: [() => sibling(1), "the next action"],
    "[": [() => turn(-1), "the chart before"],
    "]": [() => turn(1), "the next chart"],
    e: [() => setQuery({ show: names[(names.indexOf(show) + 1) % names.length] }, { replace: true }), "what the matrices show"],
  };
  (node.options ?? []).slice(0, 9).forEach((option, place) => {
    keys[String(place + 1)] = [() => goTo(option.line), "an action"];
  });
  return keys;
}
