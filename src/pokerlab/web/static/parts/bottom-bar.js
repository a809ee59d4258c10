// Tabs at the bottom of a telephone: the views that are used most, and More for the others. phone.css shows it.
import { html, useState } from "/static/vendor/preact-htm.js";
import { Dialog } from "./dialog.js";

/** `tabs` and `more` are maps from keys to words; `onPick(key)` opens one. */
export function BottomBar({ tabs, more = {}, current, onPick, label = "Views" }) {
  const [open, setOpen] = useState(false);
  const pick = (key) => {
    setOpen(false);
    onPick(key);
    scrollTo(0, 0);
  };
  const button = ([key, words]) => html`<button type="button" key=${key} aria-current=${current === key ? "true" : undefined} onClick=${() => pick(key)}>${words}</button>`;
  return html`<nav class="bottom-bar" aria-label=${label}>
    ${Object.entries(tabs).map(button)}
    ${Object.keys(more).length > 0 && html`<button type="button" aria-haspopup="dialog" aria-current=${current in more ? "true" : undefined} onClick=${() => setOpen(true)}>${more[current] ?? "More"}</button>`}
    ${open && html`<${Dialog} title=${label} sheet onClose=${() => setOpen(false)}><div class="sheet-list">${Object.entries(more).map(button)}</div><//>`}
  </nav>`;
}
