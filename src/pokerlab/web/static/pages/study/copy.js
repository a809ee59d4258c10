// A command of the command line that says what the page says, to be copied.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";

export function Copyable({ text }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => setCopied(false), [text]);
  return html`<span class="copyable"><code>${text}</code>
    <button type="button" class="quiet" onClick=${() => navigator.clipboard?.writeText(text).then(() => setCopied(true))}>${copied ? "Copied" : "Copy"}</button></span>`;
}

/** A text as a shell takes it. */
export function quoted(text) {
  return /^[\w%+.,/:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
