// A model of a player as locks: which decisions it knows, how well, and how the player plays there.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { Table } from "../../parts/table.js";
import { percent } from "./sums.js";

export default function FromPlayer({ id, once, node, onLocks, onGo }) {
  const { data, error } = useLatest("/api/library");
  const models = data?.files.filter((file) => file.kind === "model") ?? [];
  const good = models.filter((file) => !file.error);
  const [form, setForm] = useState({ model: null, player: node.player, streets: [once.streets[0]], uniform: false });
  const [found, setFound] = useState(null);
  const model = form.model ?? good[0]?.id ?? null;
  const set = (changes) => setForm({ ...form, ...changes });
  const { player, streets, uniform } = form;
  useEffect(() => {
    setFound(null);
    if (!model) return undefined;
    let gone = false;
    post(`/api/solutions/${id}/lock/model`, { model, player, streets, uniform }).then((answer) => gone || setFound(answer), (problem) => gone || setFound({ error: problem }));
    return () => { gone = true; };
  }, [id, model, player, streets.join(), uniform]);
  if (error) return html`<p class="error small" role="alert">${error.message}</p>`;
  if (!data) return html`<p class="small quiet-text" role="status">…</p>`;
  if (!good.length) return html`<p class="small" id="no-models">No model of a player is in this folder. <code>pokerlab model HANDS --player NAME -o FILE.toml</code> makes one of hands of no-limit hold'em; add the file to the Library.</p>`;
  const turn = (street) => set({ streets: streets.includes(street) ? streets.filter((each) => each !== street) : once.streets.filter((each) => each === street || streets.includes(each)) });
  const apply = () => onLocks((before) => {
    const group = `model ${model} ${player} ${streets.join()}`;
    const words = `${found.player} as ${player.toUpperCase()}, ${streets.join(" and ")}`;
    const next = { ...before };
    for (const [line, lock] of Object.entries(found.locks)) next[line] = { strategy: null, lock, group, words };
    return next;
  });
  const columns = [
    { key: "line", title: "Line", value: (row) => row.line, cell: (row) => html`<button type="button" class="part" onClick=${() => onGo(row.look)}>${row.line || "first decision"}</button>` },
    ...(streets.length > 1 ? [{ key: "street", title: "Street", value: (row) => row.street }] : []),
    { key: "observations", title: "Seen", number: true, help: "How often the player was seen there", value: (row) => row.observations, cell: (row) => row.observations.toLocaleString("en") },
    { key: "weight", title: "Weight", number: true, help: "n / (n + 10) with n observations: how much of the play is the lock", value: (row) => row.weight, cell: (row) => row.weight.toFixed(2) },
    { key: "locked", title: "The player", sortable: false, cell: (row) => shares(row.actions, row.frequencies) },
    ...(found?.rows?.some((row) => row.before) ? [{ key: "before", title: "Solution", sortable: false, cell: (row) => (row.before ? shares(row.actions, row.before) : "every hand as often") }] : []),
  ];
  return html`<section class="from-model"><h3>From a player</h3>
    <div class="row">
      <label class="small">Model <select id="model" value=${model} onChange=${(event) => set({ model: event.target.value })}>${good.map((file) => html`<option key=${file.id} value=${file.id}>${file.player}, ${file.hands.toLocaleString("en")} hands (${file.name})</option>`)}</select></label>
      <div class="segments" role="group" aria-label="Seat of the player">${once.players.map((each) => html`<button type="button" key=${each} aria-pressed=${player === each} onClick=${() => set({ player: each })}>${each.toUpperCase()}</button>`)}</div>
      ${once.streets.length > 1 && html`<div class="row" role="group" aria-label="Streets">${once.streets.map((street) => html`<label class="check small" key=${street}><input type="checkbox" checked=${streets.includes(street)} disabled=${streets.length === 1 && streets.includes(street)} onChange=${() => turn(street)} />${street}</label>`)}</div>`}
      <label class="check small" title="Without the order of hands of the solution: the nuts fold as often as nothing"><input type="checkbox" checked=${uniform} onChange=${() => set({ uniform: !uniform })} />every hand as often</label></div>
    ${models.length > good.length && html`<p class="error small">${models.filter((file) => file.error).map((file) => `${file.name}: ${file.error}`).join("; ")}</p>`}
    ${!found && html`<p class="small quiet-text" role="status">…</p>`}
    ${found?.error && html`<p class="small" role="alert" id="model-error">${found.error.message}</p>`}
    ${found?.rows && html`<div class="row"><button type="button" id="use-model" onClick=${apply}>Lock ${found.rows.length} ${found.rows.length === 1 ? "decision" : "decisions"} of ${player.toUpperCase()}</button>
        <span class="small quiet-text">${streets.some((street) => street !== once.streets[0]) && !uniform ? `On the ${once.streets[0]} hands keep their order; later every hand does it as often. ` : ""}What the weight leaves is whatever is best for the player.</span></div>
      <${Table} label="Decisions of the player" columns=${columns} rows=${found.rows} rowKey=${(row) => row.line} />`}
  </section>`;
}

function shares(actions, frequencies) {
  return actions.map((action, place) => `${action} ${percent(frequencies[place], 0)}`).join("  ");
}
