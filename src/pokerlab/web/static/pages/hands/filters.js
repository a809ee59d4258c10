// The filters of hands: each is a part of the address, so that back and links work.
import { html, useEffect, useRef, useState } from "/static/vendor/preact-htm.js";
import { setQuery } from "../../parts/navigation.js";
import { useNarrow } from "./shown.js";

export const FILTERS = ["player", "position", "cards", "result", "pot", "stakes", "seats", "flop", "two", "reached", "least", "most", "text"];
const REACHED = ["before the flop", "flop", "turn", "river", "showdown"];
const PAUSE = 350;

export function Filters({ data, query, error, search }) {
  const set = (name) => (value) => setQuery({ [name]: value, ...(name === "player" && value === "*" ? { position: null, cards: null, result: null } : {}) }, { replace: true });
  const used = FILTERS.filter((name) => query[name] && name !== "player");
  const own = Boolean(data.player);
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const fault = (name) => error?.field === name && html`<span class="error" role="alert">${error.message.replace(/^\w+: /, "")}</span>`;
  const choose = (name, label, options, otherwise = "any") => html`<label class="field"><span>${label}</span>
    <select id=${`filter-${name}`} value=${query[name] ?? ""} onChange=${(event) => set(name)(event.target.value)}>
      <option value="">${otherwise}</option>${options.map((option) => html`<option key=${option} value=${option}>${option}</option>`)}</select>${fault(name)}</label>`;
  return html`<form class="panel hands-filters" aria-label="Filters" onSubmit=${(event) => event.preventDefault()}>
    <label class="field"><span>Player</span><select id="filter-player" value=${data.player || "*"} onChange=${(event) => set("player")(event.target.value)}>
      <option value="*">everybody</option>
      ${data.player && !data.players.includes(data.player) && html`<option value=${data.player}>${data.player}</option>`}
      ${data.players.map((name) => html`<option key=${name} value=${name}>${name}</option>`)}</select>${fault("player")}</label>
    ${narrow && html`<button type="button" id="more-filters" aria-expanded=${open} onClick=${() => setOpen(!open)}>Filters${used.length ? ` (${used.length})` : ""}</button>`}
    ${(!narrow || open) && html`${own && choose("position", "Position", data.positions)}
    ${own && html`<${Text} name="cards" label="Cards" placeholder="TT+, AQs+" value=${query.cards} set=${set("cards")} fault=${fault("cards")} />`}
    ${own && choose("result", "Result", ["won", "lost", "even"])}
    ${choose("pot", "Pot type", data.pots)}
    ${choose("stakes", "Blinds", data.stakes)}
    <${Text} name="seats" label="Players" placeholder="2-6" value=${query.seats} set=${set("seats")} fault=${fault("seats")} narrow />
    ${choose("reached", "Ended", REACHED)}
    <${Text} name="least" label="Pot from, bb" placeholder="0" value=${query.least} set=${set("least")} fault=${fault("least")} narrow />
    <${Text} name="most" label="to" placeholder="any" value=${query.most} set=${set("most")} fault=${fault("most")} narrow />
    <${Text} name="text" label="Number or date" placeholder="2024-01-02" value=${query.text} set=${set("text")} fault=${fault("text")} field=${search} />
    <div class="hands-checks">
      <label class="check"><input type="checkbox" id="filter-flop" checked=${query.flop === "1"} onChange=${(event) => set("flop")(event.target.checked ? "1" : null)} />saw the flop</label>
      <label class="check" title="Hands that make a spot"><input type="checkbox" id="filter-two" checked=${query.two === "1"} onChange=${(event) => set("two")(event.target.checked ? "1" : null)} />two on the flop</label>
      ${used.length > 0 && html`<button type="button" class="quiet" id="no-filters" onClick=${() => setQuery(Object.fromEntries(used.map((name) => [name, null])), { replace: true })}>Clear</button>`}</div>`}
  </form>`;
}

/** A text that counts shortly after it was typed. */
function Text({ name, label, placeholder, value = "", set, fault, field, narrow = false }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef(null);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setTyped(value); // changed elsewhere, as by Back
    sent.current = value;
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (event) => {
    const text = event.target.value;
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      set(text.trim());
    }, PAUSE);
  };
  return html`<label class=${`field${narrow ? " short" : ""}`}><span>${label}</span><input id=${`filter-${name}`} ref=${field} value=${typed} placeholder=${placeholder} spellcheck=${false} autocomplete="off" aria-invalid=${Boolean(fault)} onInput=${change} />${fault}</label>`;
}
