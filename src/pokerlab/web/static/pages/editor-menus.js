// Menus by street and player, with what they come to in chips.
import { html } from "/static/vendor/preact-htm.js";
import { streetsFrom } from "./editor-form.js";

const COLUMNS = [
  ["oop", "bet", "OOP bets"],
  ["oop", "raise", "OOP raises"],
  ["oop", "donk", "OOP donk bets"],
  ["ip", "bet", "IP bets"],
  ["ip", "raise", "IP raises"],
];
const HELP = {
  bet: "33% (of the pot), 120c (chips), 2.5bb, e or 2e (geometric), a (all-in); several with commas; nothing for no bets",
  raise: "60% (of the pot after calling), 2.5x (of the bet), 120c, e, a (all-in); nothing for no raises",
  donk: "bets into the player who bet last on the street before; nothing: as OOP bets; none: no donk bets",
};

export function Menus({ form, cards, checked, errors, set }) {
  const streets = streetsFrom(cards);
  const value = (street, player, kind) => (kind === "donk" ? form.donk[street] : form[kind][street]?.[player]) ?? "";
  const write = (street, player, kind, text) => {
    if (kind === "donk") set({ donk: { ...form.donk, [street]: text } });
    else set({ [kind]: { ...form[kind], [street]: { oop: "", ip: "", ...form[kind][street], [player]: text } } });
  };
  const copyToIp = (street) => set(Object.fromEntries(["bet", "raise"].map((kind) =>
    [kind, { ...form[kind], [street]: { ...form[kind][street], ip: value(street, "oop", kind) } }])));
  const copyDown = (street) => {
    const later = streets.slice(streets.indexOf(street) + 1);
    set(Object.fromEntries(["bet", "raise"].map((kind) =>
      [kind, { ...form[kind], ...Object.fromEntries(later.map((each) => [each, { ...form[kind][street] }])) }])));
  };
  const sizes = checked?.spot?.sizes;
  return html`<section class="panel" id="menus" aria-label="Bet menus">
    <div class="row spread"><h2>Bet menus</h2>
      <span class="quiet-text small">Sizes such as <code>33%, 75%, a</code>; below them the chips, for pots that occur.</span></div>
    ${["bet", "raise", "donk"].map((kind) => errors[kind] && html`<p class="error small" role="alert">${kind}: ${errors[kind]}</p>`)}
    <div class="menus">
      ${streets.map((street, place) => html`<fieldset class="menu-street" key=${street}>
        <legend>${street}
          <button type="button" class="quiet tiny-button" title="IP as OOP" onClick=${() => copyToIp(street)}>IP = OOP</button>
          ${place < streets.length - 1 && html`<button type="button" class="quiet tiny-button" title=${`The same on ${streets.slice(place + 1).join(" and ")}`} onClick=${() => copyDown(street)}>↓ later streets</button>`}
        </legend>
        <div class="menu-cells">
          ${COLUMNS.map(([player, kind, title]) => {
            const error = errors[`${kind}.${street}.${player}`] ?? errors[`${kind}.${street}`];
            return html`<label class="field menu-cell" key=${player + kind}><span title=${HELP[kind]}>${title}</span>
              <input value=${value(street, player, kind)} placeholder=${kind === "donk" ? "as bets" : kind === "bet" ? "no bets" : "no raises"} spellcheck=${false} autocomplete="off" title=${HELP[kind]}
                aria-label=${`${street}: ${title}`} aria-invalid=${Boolean(error)} data-menu=${`${kind}.${street}.${player}`} onInput=${(event) => write(street, player, kind, event.target.value)} />
              ${error ? html`<span class="error" role="alert">${error}</span>` : html`<${Preview} pots=${sizes?.[street]} player=${player} kind=${kind} donk=${Boolean(form.donk[street]?.trim())} />`}
            </label>`;
          })}
        </div>
      </fieldset>`)}
    </div>
  </section>`;
}

/** The chips in some pots; donk bets in theirs, where they have a menu of their own. */
function Preview({ pots, player, kind, donk }) {
  const shown = pots?.filter((pot) => {
    if (kind === "donk") return pot.donk && donk;
    if (!pot.donk) return true;
    return pots.length === 1 ? kind !== "bet" || player !== "oop" || !donk : false;
  }) ?? [];
  return html`<span class="preview">${shown.map((pot) => {
    const sizes = pot[kind === "donk" ? "bet" : kind][player];
    return html`<span key=${pot.pot} title=${`pot ${pot.pot}, ${pot.behind} behind, after ${pot.line || "nothing"}`}><i>${pot.pot}</i> ${sizes.length
      ? sizes.map((size) => html`<b class=${size.action === "all-in" ? "all-in" : ""}>${size.chips}</b>`) : "–"}</span>`;
  })}</span>`;
}
