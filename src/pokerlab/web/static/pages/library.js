// The Library: the spots, solutions and batches of the folder.
import { html } from "/static/vendor/preact-htm.js";
import { useLatest } from "../parts/api.js";
import { Board } from "../parts/cards.js";
import { Miniature } from "../parts/matrix.js";
import { Link } from "../parts/navigation.js";

export default function Library() {
  const { data, error } = useLatest("/api/library");
  if (error) return html`<p class="error">${error.message}</p>`;
  if (!data) return html`<p class="nothing">…</p>`;
  return html`<div class="page-head"><h1>Library</h1><span class="quiet-text">${data.folder}</span></div>
    <div class="stack">${data.files.map((file) => html`<div class="panel row library-file" key=${file.id}>
      ${file.ranges?.map((levels) => html`<${Miniature} levels=${levels} label="range" />`)}
      ${file.board && html`<${Board} board=${file.board} />`}
      <${Link} href=${`/${file.kind}/${file.id}`}>${file.name}<//>
      ${file.error && html`<span class="error">${file.error}</span>`}
    </div>`)}</div>`;
}
