// The unit in which results are shown, chosen once for all pages: chips, big blinds, percent of the pot, or of the prizes.
import { useMemo } from "/static/vendor/preact-htm.js";
import { preference, usePreference } from "./preferences.js";

/** By name: what the switch shows, what follows a number, and what stands in a heading. */
export const UNITS = {
  chips: { title: "chips", after: "", heading: "", long: "chips" },
  bb: { title: "bb", after: " bb", heading: ", bb", long: "big blinds" },
  pot: { title: "% pot", after: "%", heading: ", % pot", long: "percent of the pot" },
  prizes: { title: "% prizes", after: "%", heading: ", % prizes", long: "percent of the prize pool" },
};

/** The unit that was chosen; what is kept may be another word. */
export function chosenUnit() {
  return Object.hasOwn(UNITS, preference("unit", "chips")) ? preference("unit", "chips") : "chips";
}

/**
 * How a page writes chips. `money` says what is known of the spot: `pot`, `big_blind`, and `prizes` with all chips in play.
 * A unit that means nothing there, such as prizes without payouts, gives way to chips; with `in_blinds`, where all amounts
 * are big blinds, chips give way to those.
 */
export function makeUnits(unit, money) {
  const { pot, big_blind: blind, prizes, in_blinds: inBlinds } = money ?? {};
  const factors = { chips: inBlinds ? 0 : 1, bb: blind ? 1 / blind : 0, pot: pot > 0 ? 100 / pot : 0, prizes: prizes ? 100 / prizes.chips : 0 };
  const used = factors[unit] ? unit : inBlinds ? "bb" : "chips";
  const factor = factors[used];
  const digits = (size) => (used === "prizes" ? (size >= 100 ? 1 : 2) : used === "pot" ? 1 : size >= 1000 ? 0 : size >= 100 ? 1 : 2);
  const unknown = (value) => value === null || value === undefined || Number.isNaN(value);
  const write = (value) => {
    if (unknown(value)) return "–";
    const own = value * factor;
    const rounded = own.toFixed(digits(Math.abs(own)));
    return Number(rounded) === 0 ? (0).toFixed(digits(0)) : rounded;
  };
  const blinds = used === "bb" || inBlinds;
  const amount = (value) => (unknown(value) || typeof value !== "number" ? value : blinds ? `${number(value * factors.bb)} bb` : number(value));
  return {
    unit: used, factor, heading: UNITS[used].heading, long: UNITS[used].long,
    missing: used === unit || (inBlinds && unit === "chips") ? "" : `${capital(UNITS[unit].long)}: not known here, so ${UNITS[used].long}`,
    /** A result such as an EV, with the unit behind it but for chips and in tables. */
    text: (value) => (unknown(value) ? "–" : `${write(value)}${UNITS[used].after}`),
    write,
    signed: (value) => (unknown(value) ? "–" : `${value >= 0 ? "+" : "−"}${write(Math.abs(value))}`),
    /** As few digits as fit into a cell. */
    brief: (value) => { const own = Math.abs(value * factor); return own.toFixed(own >= 10 ? 0 : used === "prizes" && own < 1 ? 2 : 1); },
    /** An exploitability, or a loss: three digits; a thousandth of a big blind is one mbb. */
    gap: (value) => (unknown(value) ? "–" : used === "bb" ? `${Number((1000 * value * factor).toPrecision(3))} mbb` : `${Number((value * factor).toPrecision(3))}${used === "chips" ? " chips" : `% of the ${used === "pot" ? "pot" : "prizes"}`}`),
    /** Chips that lie on the table: pots, stacks, bets. They are in chips where results are in percent. */
    amount,
    /** The same for the numbers in words of the server, such as “Bet 75”. */
    words: (text) => (blinds && text ? text.replaceAll(/\d[\d,]*(\.\d+)?/g, (found) => amount(Number(found.replaceAll(",", "")))) : text),
    /** For another pot: percentages are of that one. */
    of: (other) => makeUnits(unit, { ...money, pot: other }),
  };
}

const FORMAT = new Intl.NumberFormat("en", { maximumFractionDigits: 2 }); // made once: to make it is slow

function number(value) {
  return FORMAT.format(value);
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** The same for a component, which follows the switch. */
export function useUnits(money) {
  usePreference("unit", "chips");
  const unit = chosenUnit();
  return useMemo(() => makeUnits(unit, money), [unit, money?.pot, money?.big_blind, money?.prizes?.chips, money?.in_blinds]);
}
