// How hands are dealt: your seat, which decisions are asked, and the time for each. What was chosen last is kept in this browser.
import { html } from "/static/vendor/preact-htm.js";

export const SEATS = [["", "Both in turn"], ["oop", "Out of position"], ["ip", "In position"]];
export const DEFAULTS = { seat: "", street: "", line: "", asked: "all", close: 1, clear: 3, equal: false, seconds: "" };
const ASKED = [["all", "All"], ["close", "Close"], ["clear", "Clear"]];
const TIMES = [["", "Off"], [5, "5 s"], [10, "10 s"], [20, "20 s"], [30, "30 s"]];
const WHAT = {
  all: "Every decision of your seat.",
  close: "Where the second-best action loses little. The solution plays your seat at all others.",
  clear: "Where the second-best action loses much. The solution plays your seat at all others.",
};

/** What is chosen, as the server takes it. */
export function settingsOf(kept) {
  const { asked, close, clear, equal } = { ...DEFAULTS, ...kept };
  return {
    seat: kept.seat, seconds: kept.seconds ? Number(kept.seconds) : null,
    close: asked === "close" ? numberOf(close) : null,
    clear: asked === "clear" ? numberOf(clear) : asked === "close" && equal ? 0 : null,
  };
}

/** The same of a programme, as this browser keeps it. */
export function keptOf(setup) {
  const asked = setup.close !== null ? "close" : setup.clear !== null ? "clear" : "all";
  return {
    seat: setup.seat ?? "", seconds: setup.seconds ?? "", asked,
    ...(setup.close !== null ? { close: setup.close, equal: setup.clear === 0 } : asked === "clear" ? { clear: setup.clear } : {}),
  };
}

/** In words, such as "close decisions (up to 1% of the pot), 10 s". */
export function settingsText(setup) {
  const parts = [];
  if (setup.close !== null) parts.push(`close decisions (up to ${setup.close}% of the pot)`);
  else if (setup.clear !== null) parts.push(`clear decisions (from ${setup.clear}% of the pot)`);
  if (setup.seconds) parts.push(`${setup.seconds} s each`);
  if (setup.seat) parts.push(setup.seat === "oop" ? "out of position" : "in position");
  if (setup.due === "first") parts.push("due first");
  return parts.join(", ");
}

function numberOf(value) {
  return value === "" || Number.isNaN(Number(value)) ? value : Number(value);
}

export function Segments({ value, options, onChange, label }) {
  return html`<div class="segments" role="radiogroup" aria-label=${label}>${options.map(([name, text]) => html`<button type="button" role="radio" key=${name}
    aria-checked=${value === name} onClick=${() => onChange(name)}>${text}</button>`)}</div>`;
}

/** The fields that all drills share: `kept` and `set` of the preference, `error` of the last answer. */
export function Settings({ kept: given, set, error }) {
  const kept = { ...DEFAULTS, ...given };
  const wrong = (...fields) => fields.includes(error?.field) && html`<span class="error" role="alert">${error.message}</span>`;
  return html`
    <div class="field"><span>Your seat</span><${Segments} label="Your seat" value=${kept.seat} options=${SEATS} onChange=${(seat) => set({ seat })} />${wrong("seat")}</div>
    <div class="field"><span>Decisions</span>
      <div class="row asked-row"><${Segments} label="Decisions" value=${kept.asked} options=${ASKED} onChange=${(asked) => set({ asked })} />
        ${kept.asked !== "all" && html`<label class="row gap-field"><span class="small">${kept.asked === "close" ? "at most" : "at least"}</span>
          <input id="gap" type="number" min="0" max="100" step="any" value=${kept[kept.asked]} aria-label="Percent of the pot" aria-invalid=${["close", "clear"].includes(error?.field)} onInput=${(event) => set({ [kept.asked]: event.target.value })} /><span class="small">% of the pot</span></label>`}</div>
      <span class="small quiet-text">${WHAT[kept.asked]}</span>
      ${kept.asked === "close" && html`<label class="check small"><input id="equal" type="checkbox" checked=${kept.equal} onChange=${(event) => set({ equal: event.target.checked })} />also where two actions are as good, and only how often matters</label>`}
      ${wrong("close", "clear")}</div>
    <div class="field"><span>Time for each decision</span><${Segments} label="Time" value=${kept.seconds} options=${TIMES} onChange=${(seconds) => set({ seconds })} />${wrong("seconds")}
      ${kept.seconds !== "" && html`<span class="small quiet-text">When the time is over the hand ends, the decision counts as too slow, and it comes back.</span>`}</div>`;
}
