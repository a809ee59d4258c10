// Simple: few frequencies, or rules in words for one decision, and exactly what that loses.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";
import { Board } from "../../parts/cards.js";
import { prompted } from "../../parts/dialog.js";
import { Link, setQuery } from "../../parts/navigation.js";
import { usePreference } from "../../parts/preferences.js";
import { TaskProgress, useTask } from "../../parts/task.js";
import { actionWords } from "./sums.js";

const STEPS = [["100%", "100%: one action"], ["50%", "50%"], ["33%", "33%"], ["25%", "25%"], ["20%", "20%"], ["10%", "10%"], ["0", "no rounding"]];
const ACTIONS = [["", "any number"], ["1", "1"], ["2", "2"], ["3", "3"]];
const SETS = [["hand", "each hand"], ["class", "each starting hand (AKs)"], ["made", "each made hand with its best draw"]];
const BEGIN = { kind: "simplify", step: "25%", actions: "", by: "hand", player: "", street: "", lines: "", loss: "", nearest: false, rulesLoss: "0.5%", rulesStep: "25%", most: "8" };

export default function Simple({ id, once, node, query, money, onGo }) {
  const [kept, keep] = usePreference("simple", BEGIN);
  const form = { ...BEGIN, ...kept };
  const set = (changes) => keep({ ...form, ...changes });
  const [problem, setProblem] = useState(null);
  const task = useTask(query.task ?? null);
  useEffect(() => setProblem(null), [kept, node.line]);
  const rules = form.kind === "rules";
  const begin = async (event) => {
    event.preventDefault();
    const number = (text) => (text ? Number(text) : undefined);
    const body = rules
      ? { solution: id, line: node.line, step: form.rulesStep, loss: form.rulesLoss, most_rules: number(form.most) }
      : { solution: id, step: form.step, max_actions: number(form.actions), by: form.by, player: form.player || undefined, street: form.street || undefined,
        lines: form.lines.trim() === "" ? undefined : form.lines, loss: form.loss, nearest: form.nearest };
    try {
      const { id: begun } = await post(`/api/tasks/${form.kind}`, body);
      setQuery({ task: begun }, { replace: true });
    } catch (error) {
      setProblem(error);
    }
  };
  const choice = (name, label, options, help) => html`<label class="field"><span title=${help}>${label}</span>
    <select name=${name} value=${form[name]} onChange=${(event) => set({ [name]: event.target.value })}>${options.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>${fault(name)}</label>`;
  const text = (name, label, placeholder, help) => html`<label class="field"><span title=${help}>${label}</span>
    <input name=${name} value=${form[name]} placeholder=${placeholder} title=${help} spellcheck=${false} aria-invalid=${Boolean(at(name))} onInput=${(event) => set({ [name]: event.target.value })} />${fault(name)}</label>`;
  const fields = { actions: "max_actions", rulesLoss: "loss", rulesStep: "step", most: "most_rules" };
  const at = (name) => problem?.field === (fields[name] ?? name);
  const fault = (name) => at(name) && html`<span class="error" role="alert">${problem.message}</span>`;
  const shown = rules ? ["rulesStep", "rulesLoss", "most"] : ["step", "actions", "by", "player", "street", "lines", "loss"];
  const busy = task.view && !task.view.ended;
  return html`<div class="simple stack">
    <form class="stack" onSubmit=${begin}>
      <div class="segments" role="group" aria-label="What to make">
        <button type="button" aria-pressed=${!rules} onClick=${() => set({ kind: "simplify" })}>Few frequencies</button>
        <button type="button" aria-pressed=${rules} onClick=${() => set({ kind: "rules" })}>Rules in words</button></div>
      ${rules ? html`<p class="small quiet-text">A short list of rules for ${node.kind === "decision" ? html`this decision, <b>${node.line || "the first one"}</b>` : "a decision: go to one"}.</p>
        <div class="simple-fields">${choice("rulesStep", "A rule mixes in steps of", STEPS.filter(([step]) => step !== "0"))}
          ${text("rulesLoss", "It may lose", "0.5%", "Percent of the pot, or chips")}${choice("most", "Rules at most", ["2", "3", "4", "5", "6", "8", "10", "12"].map((each) => [each, each]))}</div>`
      : html`<p class="small quiet-text">Hands play in steps; an opponent who knows it plays the best response.</p>
        <div class="simple-fields">${choice("step", "Steps of", STEPS)}${choice("actions", "Actions a hand mixes", ACTIONS)}${choice("by", "The same for", SETS)}
          ${choice("player", "Whose decisions", [["", "both players"], ...once.players.map((name) => [name, name.toUpperCase()])])}
          ${choice("street", "On", [["", "all streets"], ...once.streets.map((name) => [name, `the ${name}`])])}
          ${text("lines", "Lines", "all", "Without cards: x, x/b75; x/* is all that follows a check")}
          ${text("loss", "Lose at most", "no bound", "0.5% of the pot, or chips: decisions stay as they are where that is needed")}</div>
        <label class="check small" title="Without this, rounding one hand up lets the next be rounded down, and the range bets nearly as often as before"><input type="checkbox" checked=${form.nearest} onChange=${(event) => set({ nearest: event.target.checked })} />Round each hand to the nearest by itself</label>`}
      ${problem && !shown.some(at) && html`<p class="error small" role="alert">${problem.message}</p>`}
      <div><button class="primary" id="simplify" disabled=${busy || (rules && node.kind !== "decision")}>${rules ? "Find rules" : "Simplify"}</button></div>
    </form>
    <${TaskProgress} task=${task} />
    ${task.found?.result && task.found.solution === id && html`<${Found} id=${id} once=${once} found=${task.found} money=${money} onGo=${onGo} onKept=${(solution) => task.change({ found: { ...task.found, kept: solution } })} />`}
  </div>`;
}

const percent = (value) => `${value.toPrecision(3)}%`;

function Found({ id, once, found, money, onGo, onKept }) {
  const { result } = found;
  const sheet = found.kind === "rules";
  const stem = once.name.replace(/\.safetensors$/, "").split("/").at(-1);
  const save = () => prompted("Save in the Library", "Name", `${stem} ${sheet ? "rules" : `simple ${found.asked.settings.step.replace("%", "")}`}`, async (name) => {
    const made = await post(`/api/tasks/${found.id}/keep`, { name });
    onKept(made.id);
    return made;
  });
  return html`<div class="stack simple-found">
    ${sheet ? html`<${Sheet} name=${stem} result=${result} />`
      : html`<p id="simple-count"><b>${result.simple === result.decisions ? `All ${result.decisions}` : `${result.simple} of ${result.decisions}`} decisions</b> are simple.</p>`}
    <${Losses} result=${result} money=${money} />
    <div class="buttons">
      ${found.kept ? html`<${Link} class="button primary" href=${`/solution/${found.kept}`}>Study it<//>
        <${Link} class="button" href=${`/compare/${id}/${found.kept}${result.line ? `?line=${result.line}` : ""}`}>Compare<//>
        <${Link} class="button" href=${`/train/${found.kept}${result.line === undefined ? "" : `?${new URLSearchParams({ line: result.line, seat: result.player })}`}`}>Drill it<//>`
      : html`<button type="button" class="primary" id="keep-simple" onClick=${save}>Save in the Library…</button>`}
      ${sheet && html`<button type="button" onClick=${() => print()}>Print</button>`}</div>
    ${!sheet && html`<${Lines} title="What the opponent's best response takes, by line" rows=${result.lines.filter((each) => each.simple && each.given !== null)} value="given" once=${once} money=${money} onGo=${onGo} />
      <${Lines} title="Left as they were" rows=${result.lines.filter((each) => !each.simple)} value="alone" once=${once} money=${money} onGo=${onGo} />`}
  </div>`;
}

/** What each player loses, in all units that mean something. */
function Losses({ result, money }) {
  const { loss } = result;
  const factor = loss.chips ? loss.percent / loss.chips : 100 / money.pot;
  const mbb = money.big_blind ? 1000 / money.big_blind : null;
  const prizes = money.prizes ? 100 / money.prizes.chips : null;
  return html`<table class="data" aria-label="What it loses"><thead><tr><th /><th class="number">Chips</th><th class="number">Of the pot</th>${mbb && html`<th class="number">mbb</th>`}${prizes && html`<th class="number">Of the prizes</th>`}</tr></thead>
    <tbody>${[["OOP", loss.oop], ["IP", loss.ip], ["Both", loss.chips]].map(([name, chips]) => html`<tr key=${name}><td>${name === "Both" ? html`<b>Both</b>` : `${name} loses`}</td>
      <td class="number">${small(chips)}</td><td class="number">${percent(chips * factor)}</td>${mbb && html`<td class="number">${small(chips * mbb)}</td>`}${prizes && html`<td class="number">${percent(chips * prizes)}</td>`}</tr>`)}</tbody></table>
    <p class="small quiet-text">Exploitability ${percent(result.before.percent)} of the pot before, ${percent(result.exploitability.percent)} now.</p>`;
}

const small = (value) => (Math.abs(value) < 1e-9 ? "0" : String(Number(value.toPrecision(3))));

const SHOWN = 12;

export function Lines({ title, rows, value, once, money, onGo }) {
  const [all, setAll] = useState(false);
  if (!rows.length) return null;
  const listed = all ? rows : rows.slice(0, SHOWN);
  return html`<div class="table-box"><table class="data" aria-label=${title}><caption class="small">${title}</caption>
    <thead><tr><th>Line</th><th>Player</th>${once.streets.length > 1 && html`<th>Street</th>`}<th class="number">Chips</th><th class="number">Of the pot</th></tr></thead>
    <tbody>${listed.map((row) => html`<tr key=${row.line}><td>${row.street === once.streets[0] ? html`<button type="button" class="part" onClick=${() => onGo(row.line)}>${row.line || "first"}</button>` : row.line}</td>
      <td>${row.player.toUpperCase()}</td>${once.streets.length > 1 && html`<td>${row.street}</td>`}<td class="number">${row[value] === null ? "–" : small(row[value])}</td>
      <td class="number">${row[value] === null ? "–" : `${(((100 * row[value]) / money.pot).toFixed(3)).replace(/^-(0\.000)$/, "$1")}%`}</td></tr>`)}</tbody></table>
    ${rows.length > SHOWN && !all && html`<button type="button" class="quiet tiny-button" onClick=${() => setAll(true)}>${rows.length - SHOWN} more</button>`}</div>`;
}

/** The rules as a sheet, which is all that a printer gets. */
function Sheet({ name, result }) {
  return html`<section class="rule-sheet" aria-label="Rules">
    <h2>${name}</h2><div class="row"><${Board} board=${result.board} small /><span>after <b>${result.line || "nothing"}</b>: ${result.player.toUpperCase()} chooses ${result.actions.map((each) => actionWords(each).toLowerCase()).join(", ")}</span></div>
    <ol>${result.rules.map((rule) => html`<li key=${rule.text}>${rule.text} <span class="quiet-text small">(${Math.round(100 * rule.share)}% of hands)</span></li>`)}</ol>
    <p class="small">Loses ${percent(result.loss.percent)} of the pot against the best response.${result.within ? "" : " No list of this length was found that keeps within the bound; of those tried, this one loses least."}</p>
  </section>`;
}
