// Where B loses against A: what the best response to B takes, line by line.
import { html, useState } from "/static/vendor/preact-htm.js";
import { post } from "../parts/api.js";
import { setQuery } from "../parts/navigation.js";
import { TaskProgress, useTask } from "../parts/task.js";
import { Lines } from "./study/simple.js";

export default function Losses({ first, second, task: id, money, units, onGo }) {
  const [problem, setProblem] = useState(null);
  const task = useTask(id ?? null);
  const begin = async () => {
    try {
      const { id: begun } = await post("/api/tasks/losses", { first, second });
      setProblem(null);
      setQuery({ losses: begun }, { replace: true });
    } catch (error) {
      setProblem(error);
    }
  };
  const found = task.found?.pair?.join() === [first, second].join() ? task.found.result : null;
  const streets = ["flop", "turn", "river"].filter((street) => found?.rows.some((row) => row.street === street));
  return html`<div class="stack losses">
    <p class="small quiet-text">The best response to B takes more than it would against A: the parts of each decision add up exactly. B must be of the same spot, such as a simple form of A. Locks bind nobody here: a locked player's part is what their play gives away, the other's what exploiting it risks.</p>
    ${!found && html`<div><button type="button" id="find-losses" disabled=${task.view && !task.view.ended} onClick=${begin}>Find the losses</button></div>`}
    ${problem && html`<p class="error small" role="alert">${problem.message}</p>`}
    <${TaskProgress} task=${task} />
    ${found && html`<p>${Object.entries(found.losses).map(([player, chips]) => html`<span key=${player}><b>${player.toUpperCase()}</b> gives ${units.gap(chips)} </span>`)}</p>
      ${found.rows.length ? html`<${Lines} title="Given to the best response" rows=${found.rows} value="chips" once=${{ streets }} money=${money} onGo=${onGo} />` : html`<p class="nothing">No line gives anything.</p>`}`}
  </div>`;
}
