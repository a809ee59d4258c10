// Choose the other solution of a comparison.
import { html } from "/static/vendor/preact-htm.js";
import { useLatest } from "../../parts/api.js";
import { Board } from "../../parts/cards.js";
import { Dialog } from "../../parts/dialog.js";

export function ChooseOther({ id, onChoose, onClose }) {
  const { data, error } = useLatest("/api/library");
  const others = data?.files.filter((file) => file.kind === "solution" && file.id !== id) ?? [];
  const board = data?.files.find((file) => file.id === id)?.board;
  others.sort((one, other) => (other.board === board) - (one.board === board));
  return html`<${Dialog} title="Compare with" onClose=${onClose}>
    ${error && html`<p class="error">${error.message}</p>`}
    ${data && !others.length && html`<p>There is no other solution in this folder. Lock a decision and solve again, or solve with other menus.</p>`}
    <div class="stack">${others.map((file) => html`<button type="button" key=${file.id} class="choice" onClick=${() => onChoose(file.id)}>
      ${file.board && html`<${Board} board=${file.board} small />`}<span>${file.name}</span></button>`)}</div>
  <//>`;
}
