// The cells of a matrix of 169 classes: what a player does with each, how much of it arrives, and a number.
import { heatOf } from "../../parts/colours.js";
import { percent } from "../study/sums.js";

/** The number in a cell: where it is, and how a cell and the legend write it; null for none. */
export function measureOf(show, units) {
  const worth = (title, key) => ({ title: `${title}, ${units.long}`, key, brief: (number) => brief(number, units), write: units.text });
  return { ev: worth("EV", "ev"), second: worth("EV that the second-best action loses", "second") }[show] ?? null;
}

/** As few digits as fit: hundredths below one, where most EVs are. */
function brief(number, units) {
  const own = number * units.factor;
  const text = Math.abs(own) >= 0.995 ? units.brief(number) : Math.abs(own).toFixed(2).replace(/^0/, "");
  return Number(text) === 0 ? "0" : `${own < 0 ? "−" : ""}${text}`;
}

/** The part of the classes whose numbers the colours tell apart; a few pairs win much more than all others. */
const TOLD = 0.92;

/** A cell for each class of a player, and the numbers at both ends of the colours. */
export function classCells(once, node, seat, { acts, measure, look, units }) {
  const reach = node.reach[seat];
  const highest = Math.max(...reach) || 1;
  // What the second-best action loses is of the player to act.
  const numbers = !measure || node.kind !== "decision" ? null : measure.key === "ev" ? node.ev[seat] : acts ? node.second : null;
  const known = (numbers ?? []).filter((number, place) => number !== null && reach[place] > 0).sort((one, other) => one - other);
  const low = known[0] ?? null, high = known[Math.floor(TOLD * (known.length - 1))] ?? null;
  const write = (number) => `${measure.write(number)}${number === high && high < known.at(-1) ? " and more" : ""}`;
  const cells = once.classes.map((name, place) => {
    const weight = reach[place];
    if (!(weight > 0)) return null;
    const number = numbers ? numbers[place] : null;
    const shares = acts ? node.strategy.map((row) => row[place]) : [1];
    const plays = acts ? `: ${node.options.map((option, action) => `${units.words(option.name)} ${percent(shares[action])}`).join(", ")}` : "";
    const worth = node.kind === "decision" && node.ev[seat][place] !== null ? `, EV ${units.text(node.ev[seat][place])}` : "";
    const heated = look === "heat" && number !== null;
    return {
      weight: heated || look !== "weight" ? 1 : weight / highest,
      parts: heated ? [1] : shares, fills: heated ? [heatOf(Math.min(number, high), low, high)] : undefined,
      text: number === null ? null : measure.brief(number),
      title: `${name}${plays}; arrives ${percent(weight)}${worth}`,
    };
  });
  return { cells, low, high, write };
}
