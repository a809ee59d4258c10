// Sizes: how few bet sizes are enough, what each menu loses, and what it costs to answer a size that is not in the menu.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";
import { setQuery } from "../../parts/navigation.js";
import { usePreference } from "../../parts/preferences.js";
import { TaskProgress, useTask } from "../../parts/task.js";

const BEGIN = { kind: "sizes", candidates: "20%, 33%, 50%, 75%, 100%, 150%, 200%, a", most: "2", streets: "", player: "", loss: "0.1%", size: "67%", target: "0.1%" };

export default function Sizes({ file, name, spot, good, task: id, form, set }) {
  const [kept, keep] = usePreference("sizes", BEGIN);
  const wish = { ...BEGIN, ...kept };
  const [problem, setProblem] = useState(null);
  const task = useTask(id ?? null);
  useEffect(() => setProblem(null), [kept]);
  const choosing = wish.kind === "sizes";
  const begin = async () => {
    const common = { spot: spot.question, id: file.id ?? undefined, name, streets: wish.streets.trim(), player: wish.player, target: wish.target.trim() };
    try {
      const body = choosing ? { ...common, candidates: wish.candidates, most: Number(wish.most), loss: wish.loss.trim() || "0.1%" } : { ...common, size: wish.size };
      const { id: begun } = await post(`/api/tasks/${wish.kind}`, body);
      setQuery({ sizes: begun }, { replace: true });
    } catch (error) {
      setProblem(error);
    }
  };
  const fault = (field) => problem?.field === field && html`<span class="error" role="alert">${problem.message}</span>`;
  const text = (field, label, help) => html`<label class="field"><span title=${help}>${label}</span>
    <input name=${`sizes-${field}`} value=${wish[field]} title=${help} spellcheck=${false} aria-invalid=${problem?.field === field} onInput=${(event) => keep({ ...wish, [field]: event.target.value })} />${fault(field)}</label>`;
  const fields = choosing ? ["candidates", "most", "streets", "loss", "target"] : ["size", "streets", "target"];
  const use = (cells) => set({ bet: { ...form.bet, ...cells } }, true);
  return html`<div class="sizes stack">
    <div class="segments" role="group" aria-label="What to ask about sizes">
      <button type="button" aria-pressed=${choosing} onClick=${() => keep({ ...wish, kind: "sizes" })}>Which few</button>
      <button type="button" aria-pressed=${!choosing} onClick=${() => keep({ ...wish, kind: "against" })}>Against a size</button></div>
    ${choosing ? html`${text("candidates", "Candidates", "Bet sizes to choose from")}
        <div class="sizes-pair"><label class="field"><span>Sizes at most</span><select name="sizes-most" value=${wish.most} onChange=${(event) => keep({ ...wish, most: event.target.value })}>
          ${["1", "2", "3", "4"].map((count) => html`<option key=${count} value=${count}>${count}</option>`)}</select></label>
          ${text("loss", "Enough at a loss of", "No size is added where the loss is at most this: 0.1% of the pot, or chips")}</div>`
      : text("size", "A size that the menus do not have", "67%, or 120c in chips")}
    <div class="sizes-pair">
      <label class="field"><span>On</span><select name="sizes-streets" value=${wish.streets} onChange=${(event) => keep({ ...wish, streets: event.target.value })}>
        <option value="">all streets</option>${["flop", "turn", "river"].map((street) => html`<option key=${street} value=${street}>the ${street}</option>`)}</select>${fault("streets")}</label>
      <label class="field"><span>${choosing ? "Whose" : "Who answers"}</span><select name="sizes-player" value=${wish.player} onChange=${(event) => keep({ ...wish, player: event.target.value })}>
        <option value="">both</option><option value="oop">OOP</option><option value="ip">IP</option></select></label></div>
    ${text("target", "Each solve to", "Bounds are about twice as wide: 0.1% of the pot")}
    ${problem && !fields.includes(problem.field) && html`<p class="error small" role="alert">${problem.message}</p>`}
    <div><button type="button" id="ask-sizes" disabled=${!good || (task.view && !task.view.ended)} onClick=${begin}>${choosing ? "Find sizes" : "Price it"}</button></div>
    <${TaskProgress} task=${task} />
    ${task.found?.result && (task.found.kind === "sizes" ? html`<${Few} result=${task.found.result} use=${use} />` : task.found.kind === "against" && html`<${Answers} result=${task.found.result} />`)}
  </div>`;
}

const share = (chips, pot) => `${((100 * chips) / pot).toFixed(2)}%`;
const bounds = (each, pot) => `at least ${share(each.bounds[0], pot)}, at most ${share(each.bounds[1], pot)}`;

function Few({ result, use }) {
  const rows = result.rounds.flatMap((round) => ["oop", "ip"].flatMap((player) => Object.entries(round.menus[player]).map(([street, menu]) => ({ most: round.most, player, street, menu, loss: round.losses[player][street] }))));
  const players = Object.entries(result.players).filter(([, loss]) => loss);
  return html`<div class="stack sizes-found">
    ${players.map(([player, loss]) => html`<p key=${player} title=${bounds(loss, result.pot)}><b>${Object.entries(result.menus[player]).map(([street, menu]) => (Object.keys(result.menus[player]).length > 1 ? `${street} ${menu}` : menu)).join("; ")}</b> for ${player.toUpperCase()} loses <b>${share(loss.chips, result.pot)}</b> of the pot <span class="quiet-text small">(${share(loss.bounds[0], result.pot)} to ${share(loss.bounds[1], result.pot)})</span></p>`)}
    <table class="data" aria-label="Menus"><thead><tr><th>Sizes</th><th /><th>Menu</th><th class="number">Loss</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr key=${`${row.most} ${row.player} ${row.street}`}><td>${row.most}</td><td>${row.player.toUpperCase()} ${row.street}</td><td>${row.menu}</td><td class="number" title=${bounds(row.loss, result.pot)}>${share(row.loss.chips, result.pot)}</td></tr>`)}</tbody></table>
    <p class="small quiet-text">Against all of ${result.candidates}; ${result.solves} spots were solved.</p>
    <div><button type="button" class="primary" id="use-sizes" onClick=${() => use(result.cells)}>Put these menus into the form</button></div>
  </div>`;
}

function Answers({ result }) {
  return html`<table class="data sizes-found" aria-label="Answers"><caption class="small">Who answers ${result.against} loses, of the pot</caption>
    <thead><tr><th /><th>Answer</th><th class="number">Loss</th></tr></thead>
    <tbody>${result.losses.map((each) => html`<tr key=${each.player + each.answer}><td>${each.player.toUpperCase()}</td><td>${each.answer}</td><td class="number" title=${bounds(each, result.pot)}>${share(each.chips, result.pot)}</td></tr>`)}</tbody></table>`;
}
