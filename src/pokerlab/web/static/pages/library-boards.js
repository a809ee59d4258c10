// A board that is typed into the search: its solution in each batch.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { get } from "../parts/api.js";
import { HandText } from "../parts/cards.js";
import { Link } from "../parts/navigation.js";
import { addressOf } from "./study/board.js";

export default function SolvedBoards({ board }) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => get(`/api/boards?board=${encodeURIComponent(board)}`, { signal: abort.signal })
      .then(setAnswer, (error) => abort.signal.aborted || setAnswer({ error })), 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [board]);
  if (!answer || answer.error) return answer && html`<p class="quiet-text small" role="status">${answer.error.message}</p>`;
  if (!answer.found.length) return html`<p class="quiet-text small" role="status">No batch has solved <${HandText} hand=${answer.board} />.</p>`;
  return html`<div class="panel stack solved-boards" role="list" aria-label="Solved boards">${answer.found.map((offer) => html`<p class="row" role="listitem" key=${offer.id}>
    <${Link} href=${addressOf(offer)}><${HandText} hand=${offer.wanted} /> in ${offer.name}<//>
    ${offer.text && html`<span class="small quiet-text">as <${HandText} hand=${offer.board} />: ${offer.text}</span>`}</p>`)}</div>`;
}
