// The board of Study: type another one, and its solution opens from the batches of the same spot.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";
import { get } from "../../parts/api.js";
import { HandText, RANKS } from "../../parts/cards.js";
import { Dialog } from "../../parts/dialog.js";
import { Link, go, here } from "../../parts/navigation.js";

const MOST_SHOWN = 90;
const KEPT = ["show", "tab", "player", "filter"];

/** Where an offer leads: the same line and view, and which board it stands for. */
export function addressOf(offer) {
  const query = new URLSearchParams();
  if (offer.line) query.set("line", offer.line);
  if (offer.board !== offer.wanted) query.set("as", offer.wanted);
  const { query: now, path } = here();
  if (path.startsWith("/solution/")) for (const name of KEPT) if (now[name]) query.set(name, now[name]);
  const text = query.toString().replaceAll("%2F", "/");
  return `/solution/${offer.id}${text ? `?${text}` : ""}`;
}

export default function ChooseBoard({ id, line, shown, batches, onClose }) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState({ found: [] });
  useEffect(() => {
    const cards = text.replaceAll(/[\s,]/g, "");
    setAnswer({ found: [] });
    if (cards.length < 6 || cards.length % 2) return undefined;
    const abort = new AbortController();
    const asked = new URLSearchParams({ board: text, near: id, line, ...(shown ? { as: shown } : {}) });
    const timer = setTimeout(() => get(`/api/boards?${asked}`, { signal: abort.signal })
      .then((found) => setAnswer(found), (error) => abort.signal.aborted || setAnswer({ found: [], error })), 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  const solved = batches.reduce((sum, each) => sum + each.boards.length, 0);
  const near = useMemo(() => fitting(batches, text), [batches, text]);
  const open = (event) => {
    event.preventDefault();
    if (!answer.found.length) return;
    go(addressOf(answer.found[0]));
    onClose();
  };
  return html`<${Dialog} title="Another board" onClose=${onClose}>
    <form class="stack" onSubmit=${open}>
      <label class="field"><span>The same spot on the board</span>
        <input name="board" value=${text} autofocus spellcheck=${false} autocomplete="off" placeholder="Kh7d2c" aria-invalid=${Boolean(answer.error)} onInput=${(event) => setText(event.target.value)} /></label>
      ${answer.error && html`<p class="error small" role="alert">${answer.error.message}</p>`}
      ${answer.board && !answer.found.length && html`<p class="small" role="status">No batch of this spot has solved <${HandText} hand=${answer.board} />. ${batches.map((each) => html`<${Link} key=${each.id} href=${`/batch/${each.id}`}>Add it to ${each.name}<//> `)}</p>`}
      ${answer.found.map((offer) => html`<${Offer} key=${offer.id} offer=${offer} line=${line} onClose=${onClose} />`)}
      <p class="small quiet-text">${solved.toLocaleString()} solved in ${batches.map((each) => each.name).join(", ")}${near.length < solved ? "; these have the ranks that are typed" : ""}</p>
      <div class="board-list">${near.slice(0, MOST_SHOWN).map(({ batch, board }) => html`<button type="button" key=${batch + board} onClick=${() => setText(board)}><${HandText} hand=${board} /></button>`)}
        ${near.length > MOST_SHOWN && html`<span class="small quiet-text">… and ${(near.length - MOST_SHOWN).toLocaleString()} more</span>`}</div>
    </form>
  <//>`;
}

function Offer({ offer, line, onClose }) {
  return html`<p class="offer"><${Link} class="button primary" href=${addressOf(offer)} onClick=${() => setTimeout(onClose)}><span>Open <${HandText} hand=${offer.wanted} /> in ${offer.name}</span><//>
    <span class="small quiet-text">${offer.text && html`${offer.name} has it as <${HandText} hand=${offer.board} />: ${offer.text}. `}${!offer.whole_line && line ? html`The line goes as far as <b>${offer.line || "the first decision"}</b> there.` : ""}</span></p>`;
}

/** The solved boards whose ranks begin as those that are typed. */
function fitting(batches, text) {
  const typed = [...text.toUpperCase()].filter((letter) => RANKS.includes(letter)).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).slice(0, 3);
  const fits = (board) => {
    const left = [...board].filter((letter, place) => place % 2 === 0);
    return typed.every((rank) => left.includes(rank) && left.splice(left.indexOf(rank), 1));
  };
  return batches.flatMap((batch) => batch.boards.filter(fits).map((board) => ({ batch: batch.id, board })));
}

/** What is shown where another board was wanted: said plainly, as all cards of the page are those of the file. */
export function StandsFor({ id, wanted }) {
  const [offer, setOffer] = useState(null);
  useEffect(() => {
    const abort = new AbortController();
    get(`/api/boards?${new URLSearchParams({ board: wanted, near: id })}`, { signal: abort.signal })
      .then(({ found }) => setOffer(found.find((each) => each.id === id) ?? false), () => {});
    return () => abort.abort();
  }, [id, wanted]);
  if (!offer?.text) return null;
  return html`<p class="stands-for" role="status">This is <${HandText} hand=${offer.board} />, which stands for <${HandText} hand=${offer.wanted} />: ${offer.text}.</p>`;
}
