// What several of the Hands pages show: big blinds that were won, and fewer columns on a phone.
import { html, useEffect, useMemo, useState } from "/static/vendor/preact-htm.js";

/** Big blinds that were won or lost; a dash where nobody knows. */
export function Won({ won }) {
  if (won === null || won === undefined) return "–";
  const look = won > 0.005 ? "won" : won < -0.005 ? "lost" : "";
  return html`<span class=${look}>${won > 0.005 ? "+" : won < -0.005 ? "−" : ""}${Math.abs(won).toFixed(Math.abs(won) >= 100 ? 0 : 1)}</span>`;
}

/** Whether the window is as narrow as a phone. */
export function useNarrow() {
  const rule = useMemo(() => matchMedia("(max-width: 760px)"), []);
  const [narrow, setNarrow] = useState(rule.matches);
  useEffect(() => {
    const look = () => setNarrow(rule.matches);
    rule.addEventListener("change", look);
    return () => rule.removeEventListener("change", look);
  }, []);
  return narrow;
}
