// Push or fold: stacks, blinds and prizes of a table, and a chart for each decision. The address is the table.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get, post, useLatest } from "../parts/api.js";
import { background } from "../parts/colours.js";
import { useKeys } from "../parts/keys.js";
import { Matrix } from "../parts/matrix.js";
import { setQuery } from "../parts/navigation.js";
import { Table } from "../parts/table.js";
import { TaskProgress, useTask } from "../parts/task.js";
import { Copyable, quoted } from "./study/copy.js";

const FIELDS = [
  ["stacks", "Stacks, big blinds", "10, 8, 12", "Before anything is posted: the first to act first, the blinds last; two to six players"],
  ["payouts", "Payouts", "none: chips count", "What the first, the second, … of all players who are left win: 50, 30, 20"],
  ["others", "Stacks at other tables", "none", "With payouts: players who are left and sit elsewhere, in big blinds"],
  ["bounties", "Bounties", "none", "With payouts, on each head: 10, or one each (the players, then the others): 10, 20, 5"],
  ["ante", "Ante of each, big blinds", "0", "From 0 to 1"],
  ["small_blind", "Small blind, big blinds", "0.5", "From 0 to 1"],
  ["ahead", "Hands ahead", "0", "Hands that are played on, blinds moving, before chips are valued: 0 to 5, for two to four players"],
  ["target", "Stop when nobody gains more", "0.001", "Big blinds, or with payouts percent of the prizes"],
];
const NAMES = [...FIELDS.map(([name]) => name), "progressive"];
const WAITS = 250;

export default function PushFold({ query }) {
  const [form, setForm] = useState(() => Object.fromEntries(NAMES.map((name) => [name, query[name] ?? (name === "stacks" && !query.job ? "10, 10" : "")])));
  const [started, setStarted] = useState({});
  const [problem, setProblem] = useState(null);
  const asked = new URLSearchParams(Object.entries(form).map(([name, text]) => [name, text.trim()]).filter(([name, text]) => text && (name !== "progressive" || form.bounties.trim()))).toString();
  const settled = useSettled(asked);
  const look = useLatest(form.stacks.trim() && !query.job ? `/api/tasks/pushfold?${settled}` : null);
  const calm = settled === asked && look.fresh;
  const id = started[asked] ?? (calm ? look.data?.job : null) ?? null;
  const task = useTask(query.job ? null : id);
  const fault = problem?.of === asked ? problem.error : calm ? look.error : null;
  useEffect(() => { document.title = "Push or fold · pokerlab"; }, []);
  // The address of a task becomes that of its table.
  useEffect(() => {
    if (!query.job) return;
    get(`/api/tasks/${query.job}`).then(({ kind, asked: { rules, ahead, target } }) => {
      if (kind !== "pushfold") throw new Error("this is another task");
      const list = (numbers) => numbers.join(", ");
      const next = { stacks: list(rules.stacks), payouts: list(rules.payouts), others: list(rules.others), bounties: list(rules.bounties), progressive: rules.progressive ? "yes" : "",
        ahead: ahead ? String(ahead) : "", ante: rules.ante ? String(rules.ante) : "",
        small_blind: rules.small_blind === 0.5 ? "" : String(rules.small_blind), target: target === 0.001 ? "" : String(target) };
      setForm(next);
      setQuery({ ...next, job: null }, { replace: true });
    }).catch((error) => setProblem({ of: asked, error }));
  }, [query.job]);
  const solve = async (event) => {
    event.preventDefault();
    try {
      const { id: begun } = await post("/api/tasks/pushfold", Object.fromEntries(new URLSearchParams(asked)));
      setStarted({ ...started, [asked]: begun });
      setQuery(Object.fromEntries(NAMES.map((name) => [name, form[name].trim() || null])), { replace: true });
    } catch (error) {
      setProblem({ of: asked, error });
    }
  };
  const busy = task.view && !task.view.ended;
  return html`<div class="pushfold">
    <div class="page-head"><h1>Push or fold</h1><span class="quiet-text small">All-in or fold before the flop, for two to six players</span></div>
    <form class="panel pushfold-form" onSubmit=${solve} aria-label="The table">
      ${FIELDS.map(([name, label, placeholder, help]) => html`<label class="field" key=${name}><span title=${help}>${label}</span>
        <input name=${name} value=${form[name]} placeholder=${placeholder} title=${help} spellcheck=${false} autocomplete="off" aria-invalid=${fault?.field === name}
          onInput=${(event) => setForm({ ...form, [name]: event.target.value })} />
        ${fault?.field === name && html`<span class="error" role="alert">${fault.message}</span>`}</label>`)}
      ${form.bounties.trim() && html`<label class="check" title="One half of a bounty is paid, the other half goes on the winner's own head"><input type="checkbox" name="progressive" checked=${form.progressive === "yes"}
        onChange=${(event) => setForm({ ...form, progressive: event.target.checked ? "yes" : "" })} />Progressive bounties</label>`}
      <div class="pushfold-act"><button class="primary" disabled=${busy || Boolean(fault) || !form.stacks.trim()}>Solve</button>
        <span class="small quiet-text" id="positions">${calm && look.data ? seats(look.data.positions, form.stacks) : ""}</span></div>
      ${fault && !NAMES.includes(fault.field) && html`<p class="error small" role="alert">${fault.message}</p>`}
    </form>
    <${TaskProgress} task=${task} />
    ${task.found?.result ? html`<${Found} id=${task.found.id} result=${task.found.result} chart=${query.chart} command=${command(asked)} />`
      : !busy && !query.job && html`<p class="nothing">Two players take seconds; three and more a minute the first time, while all-ins of three are sampled.</p>`}
  </div>`;
}

/** A text, once it has not changed for a moment. */
function useSettled(text) {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAITS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function seats(positions, stacks) {
  const each = stacks.split(/[\s,]+/).filter(Boolean);
  return positions.map((name, place) => `${name} ${each[place]}`).join(" · ");
}

function command(asked) {
  const options = [...new URLSearchParams(asked)].map(([name, text]) => `--${name.replaceAll("_", "-")}${name === "progressive" ? "" : ` ${quoted(text.replaceAll(/\s*,\s*/g, ","))}`}`);
  return ["pokerlab pushfold", ...options].join(" ");
}

const nameOf = (each) => (each.after.length ? `${each.position} : ${each.after.join(" + ")}` : each.position);
const idOf = (each) => [each.position, ...each.after].join("-");
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}%`;

/** A decision in words. */
function words(each) {
  return each.after.length ? `${each.position} after ${each.after.join(" and ")} ${each.after.length > 1 ? "are" : "is"} all-in` : `${each.position} first in`;
}

function Found({ id, result, chart, command }) {
  const { decisions } = result;
  const chosen = decisions.find((each) => idOf(each) === chart) ?? decisions[0];
  const place = decisions.indexOf(chosen);
  const choose = (each) => setQuery({ chart: each === decisions[0] ? null : idOf(each) }, { replace: true });
  const step = (by) => choose(decisions[(place + by + decisions.length) % decisions.length]);
  useKeys({ "[": [() => step(-1), "the decision before"], "]": [() => step(1), "the next decision"] });
  const cells = useMemo(() => chartCells(result.classes, chosen), [result, chosen]);
  const columns = useMemo(() => [
    { key: "name", title: "Decision", sortable: false, cell: (each) => html`<button type="button" class="part" aria-pressed=${each === chosen} title=${words(each)} onClick=${() => choose(each)}>${nameOf(each)}</button>` },
    { key: "act", title: "", sortable: false, cell: (each) => (each.after.length ? "calls" : "pushes") },
    { key: "share", title: "Hands", number: true, cell: (each) => (each.share === null ? "–" : percent(each.share)) },
    { key: "reach", title: "Met", help: "How often the decision comes", number: true, cell: (each) => percent(each.reach, each.reach < 0.01 ? 2 : 1) },
  ], [result, chosen]);
  return html`<div class="pushfold-found">
    <section class="panel stack" aria-label="Chart">
      <div class="row nowrap-row"><h2>${words(chosen)}</h2><span class="space" />
        <button type="button" class="quiet icon" aria-label="The decision before" title="[" onClick=${() => step(-1)}>◂</button><button type="button" class="quiet icon" aria-label="The next decision" title="]" onClick=${() => step(1)}>▸</button></div>
      <div class="row small chart-key" aria-hidden="true"><span class="swatch" style=${{ background: background("size-5") }} />all-in <span class="swatch" style=${{ background: background("fold") }} />fold <span class="quiet-text">numbers: percent all-in</span></div>
      <${Matrix} label=${`Chart: ${words(chosen)}`} cells=${cells} colours=${["size-5", "fold"]} />
      <p class="small pushfold-range">${chosen.share === null ? "Play never comes here." : html`<b>${chosen.after.length ? "Calls" : "Pushes"} ${percent(chosen.share)}</b> of hands; mostly ${chosen.range}`}</p>
    </section>
    <div class="stack">
      <section class="panel flush"><${Players} result=${result} /></section>
      <section class="panel flush"><${Table} label="Decisions" columns=${columns} rows=${decisions} rowKey=${idOf} rowClass=${(each) => (each === chosen ? "chosen" : "")} /></section>
      <div class="row"><a class="button" href=${`/api/tasks/${id}/charts.csv`} download>CSV</a><${Copyable} text=${command} /></div>
      <p class="small quiet-text">${result.iterations.toLocaleString("en")} iterations.${result.capped === null ? "" : ` ${percent(result.capped, 2)} of hands have a third all-in with players behind it, who fold here.`}
        ${result.players.length > 2 ? " With three players and more an equilibrium is not unique." : ""}</p>
    </div>
  </div>`;
}

function Players({ result }) {
  const unit = result.prizes ? "% of the prizes" : "bb";
  const digits = result.prizes ? 2 : 3;
  const change = (each) => each.value - each.worth;
  return html`<div class="table-box"><table class="data" aria-label="Players"><thead><tr><th>Position</th><th class="number">Stack</th>
      ${result.prizes && html`<th class="number" title="By the independent chip model">Worth before, %</th>`}
      <th class="number">${result.prizes ? "With the hand, %" : "Takes, bb"}</th>${result.prizes && html`<th class="number">Change</th>`}<th class="number" title=${`What a best response would add, ${unit}`}>Gains at most</th></tr></thead>
    <tbody>${result.players.map((each) => html`<tr key=${each.position}><td><b>${each.position}</b></td><td class="number">${each.stack}</td>
      ${result.prizes && html`<td class="number">${each.worth.toFixed(2)}</td><td class="number">${each.value.toFixed(2)}</td>`}
      <td class="number">${signed(change(each), digits)}</td><td class="number">${each.gain.toPrecision(2)}</td></tr>`)}</tbody></table></div>`;
}

function signed(value, digits) {
  return `${value < -0.5 * 10 ** -digits ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}

function chartCells(classes, chosen) {
  const verb = chosen.after.length ? "call" : "push";
  if (chosen.share === null) return Object.fromEntries(classes.map((name) => [name, { weight: 0, parts: [], text: null, title: `${name}: play never comes here` }]));
  return Object.fromEntries(classes.map((name, place) => {
    const share = chosen.shares[place];
    const mixed = share > 0.005 && share < 0.995;
    return [name, { weight: 1, parts: [share, 1 - share], text: mixed ? Math.round(100 * share) : null, title: `${name}: ${verb} ${percent(share)}, fold ${percent(1 - share)}` }];
  }));
}
