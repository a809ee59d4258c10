// A part of a page whose module, and whose styles, are loaded when it is first shown.
import { html, useEffect, useState } from "/static/vendor/preact-htm.js";
import { loadStyle } from "./styles.js";

/** `load` imports the module, `sheet` is its style sheet; its `default` gets the other properties. */
export function Lazy({ load, sheet, ...rest }) {
  const [Part, setPart] = useState(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let gone = false;
    Promise.all([load(), sheet && loadStyle(sheet)]).then(([module]) => gone || setPart(() => module.default), () => gone || setFailed(true));
    return () => { gone = true; };
  }, []);
  if (failed) return html`<p class="error">This part could not be loaded.</p>`;
  return Part ? html`<${Part} ...${rest} />` : html`<p class="nothing">…</p>`;
}
