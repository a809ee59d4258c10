// The players of the chosen hands: how they play, and models of them.
import { html, useState } from "/static/vendor/preact-htm.js";
import { post, useLatest } from "../../parts/api.js";
import { prompted } from "../../parts/dialog.js";
import { Link, setQuery } from "../../parts/navigation.js";
import { Table } from "../../parts/table.js";
import { TaskProgress, useTask } from "../../parts/task.js";
import { Won, useNarrow } from "./shown.js";

const share = (value) => (value === null || value === undefined ? "–" : `${(100 * value).toFixed(1)}%`);

export default function Players({ asked, data, task: id }) {
  const { data: found, error } = useLatest(`/api/hands/players?${new URLSearchParams(asked)}`);
  const [problem, setProblem] = useState("");
  const task = useTask(id);
  const narrow = useNarrow();
  const counted = Object.fromEntries(["files", "stakes", "seats", "pot"].filter((name) => asked[name]).map((name) => [name, asked[name]]));
  const write = (player) => prompted(player ? `A model of ${player}` : "A model of all players as one", "Name of the file", player ? player.replace(/[^\w ,()+=.-]/g, "").slice(0, 40) || "player" : "pool",
    (name) => post("/api/hands/model", { ...counted, player: player ?? "*", name }), { action: "Count" })
    .then((answer) => answer && setQuery({ model: answer.id, tab: "players" }), (failed) => setProblem(failed.message));
  if (error) return html`<p class="error hands-sums" role="alert">${error.message}</p>`;
  if (!found) return html`<p class="nothing">…</p>`;
  const columns = [
    { key: "player", title: "Player", cell: (row) => html`<button type="button" class="link" onClick=${() => setQuery({ player: row.player, tab: null })}>${row.player}</button>` },
    { key: "hands", title: "Hands", number: true, cell: (row) => row.hands.toLocaleString("en") },
    { key: "vpip", title: "VPIP", number: true, cell: (row) => share(row.vpip), help: "puts chips in before the flop of their own will" },
    { key: "pfr", title: "PFR", number: true,  cell: (row) => share(row.pfr), help: "raises before the flop" },
    { key: "aggression", title: "Aggression", number: true, wide: true, cell: (row) => (row.aggression === null ? "–" : row.aggression.toFixed(2)), help: "bets and raises for each call after the flop" },
    { key: "showdown", title: "Showdown", number: true, wide: true, cell: (row) => share(row.showdown), help: "part of the hands that they show" },
    { key: "won_there", title: "Won there", number: true, wide: true, cell: (row) => share(row.won_there), help: "part of the showdowns that they win" },
    { key: "per_hundred", title: "bb in 100", number: true, cell: (row) => html`<${Won} won=${row.per_hundred} />${!narrow && row.error !== null && html`<span class="quiet-text"> ± ${row.error.toFixed(row.error >= 100 ? 0 : 1)}</span>`}` },
    { key: "model", title: "", sortable: false, cell: (row) => html`<button type="button" class="small" aria-label=${`Model of ${row.player}`} onClick=${() => write(row.player)}>Model</button>` },
  ].filter((column) => !narrow || !column.wide);
  return html`<div class="hands-sums row"><span><b>${found.players.length.toLocaleString("en")}</b> ${found.players.length === 1 ? "player" : "players"} in ${found.hands.toLocaleString("en")} hands${found.players.length === 200 ? ", those with the most hands" : ""}</span>
      <span class="space" /><button type="button" id="model-pool" onClick=${() => write(null)}>Model of all as one</button></div>
    ${problem && html`<p class="error hands-sums" role="alert">${problem}</p>`}
    ${id && html`<div class="hands-sums"><${TaskProgress} task=${task} />${task.found?.result && html`<${Written} found=${task.found.result} />`}</div>`}
    <${Table} columns=${columns} rows=${found.players} rowKey=${(row) => row.player} sort=${["hands", true]} rowHeight=${38} label="Players" empty="No hand fits these filters." />
    <p class="small quiet-text hands-sums">The filters of the list hold here; a model counts hands by blinds, players and pot type, all lines after the flop between two players.</p>`;
}

function Written({ found }) {
  return html`<p class="small" role="status">The model of ${found.player} is in <b>${found.file}</b>: ${found.hands.toLocaleString("en")} hands, ${found.decisions.toLocaleString("en")} decisions after the flop.
    <code>pokerlab lock-from ${found.file}</code> makes locks of it. <${Link} href="/">Library<//></p>`;
}
