// More boards for a batch, also while it is solved: they come to the end of its boards.
import { html, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";
import { Dialog } from "../../parts/dialog.js";

export default function AddBoards({ info, runs, onAdded, onClose }) {
  const [text, setText] = useState("");
  const [told, setTold] = useState(null);
  const [busy, setBusy] = useState(false);
  const add = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const { added } = await post(`/api/batches/${info.id}/go-on`, info.up_to_suits ? { flops: text } : { boards: text });
      onAdded();
      if (added) onClose();
      else setTold({ message: "All of these boards are in the batch already." });
    } catch (error) {
      setTold({ message: error.message, bad: true });
    }
    setBusy(false);
  };
  return html`<${Dialog} title=${`Add ${info.up_to_suits ? "flops" : "boards"} to ${info.name}`} onClose=${onClose}>
    <form class="stack" onSubmit=${add}>
      <label class="field"><span>${info.up_to_suits ? "Flops up to suits, with commas between" : "Boards of three to five cards, with commas, blanks or new lines between"}</span>
        <textarea name="more" rows="3" autofocus spellcheck=${false} value=${text} aria-invalid=${Boolean(told?.bad)} placeholder=${info.up_to_suits ? "Kh7d2c, 987tt, monotone" : "QhJh2c4d, QhJh2cTs:2"}
          onInput=${(event) => { setText(event.target.value); setTold(null); }} /></label>
      <p class="small quiet-text">${runs ? "They are solved after those that wait; nothing that is solved is solved again." : "They are solved at once, with all that are missing."}
        ${info.up_to_suits ? " A flop counts as often as it is dealt, another weight follows a colon." : " A board counts once, another weight follows a colon."}</p>
      ${told && html`<p class=${told.bad ? "error" : "quiet-text"} role="alert">${told.message}</p>`}
      <div class="buttons end"><button type="button" onClick=${onClose}>Cancel</button><button class="primary" id="add" disabled=${busy || !text.trim()}>Add</button></div>
    </form>
  <//>`;
}
