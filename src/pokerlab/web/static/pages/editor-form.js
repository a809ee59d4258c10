// The form of a spot: texts as they are typed, and the fields that are sent.

export const STREETS = ["flop", "turn", "river"];
const NUMBERS = ["add_allin", "force_allin", "merge", "max_bets", "rake", "big_blind", "smallest_chip"];

/** A number if the text is one, otherwise the text: the server says what is wrong with it. */
function numberOr(text) {
  const trimmed = String(text).trim();
  return trimmed !== "" && Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
}

function isPlain(text) {
  return /^\s*[0-9]*\.?[0-9]+\s*$/.test(text);
}

export const PRIZES = ["payouts", "others", "bounty"];
const KNOWN = [...PRIZES, "progressive", "board", "oop", "ip", "pot", "stack", "aggressor", "preflop", "ranges", "rake_cap", "runouts", "bet", "raise", "donk", "added", "removed", "locks", ...NUMBERS];

function some(fields, wanted) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => wanted(name)));
}

/** What the inputs show for the fields of a file. */
export function toForm(fields) {
  const amounts = [fields.pot, ...(Array.isArray(fields.stack) ? fields.stack : [fields.stack])];
  const inBlinds = amounts.some((amount) => typeof amount === "string" && amount.trim().endsWith("bb"));
  const amount = (value) => (value === undefined || value === null ? "" : String(value).replace(/\s*bb\s*$/, ""));
  const list = (value) => (value === undefined || value === null ? "" : Array.isArray(value) ? value.join(", ") : String(value));
  const form = {
    board: fields.board ?? "",
    oop: fields.oop ?? "",
    ip: fields.ip ?? "",
    told: fields.preflop !== undefined || fields.ranges !== undefined,
    preflop: fields.preflop ?? "",
    ranges: fields.ranges ?? "",
    unit: inBlinds ? "bb" : "chips",
    pot: amount(fields.pot),
    stack: Array.isArray(fields.stack) ? [...new Set(fields.stack.map(amount))].join(", ") : amount(fields.stack),
    aggressor: fields.aggressor ?? "",
    rake_cap: fields.rake_cap === undefined ? "" : String(fields.rake_cap),
    runouts: fields.runouts ?? "",
    bet: fields.bet ?? {},
    raise: fields.raise ?? {},
    donk: Object.fromEntries(Object.entries(fields.donk ?? {}).map(([street, text]) => [street, text === "" ? "none" : text])),
    added: fields.added ?? [],
    removed: fields.removed ?? [],
    locks: fields.locks,
    progressive: fields.progressive ?? false,
    // What the file says beside a story, and what no spot has.
    instead: some(fields, (name) => ["oop", "ip", "pot", "stack", "aggressor"].includes(name)),
    unknown: some(fields, (name) => !KNOWN.includes(name)),
  };
  for (const name of PRIZES) form[name] = list(fields[name]);
  for (const name of NUMBERS) form[name] = fields[name] === undefined ? "" : String(fields[name]);
  return form;
}

/** The fields that a file would have; what is empty is left out, and the server says that it is missing. */
export function toFields(form) {
  const given = (text) => (text.trim() ? text : undefined);
  const amount = (text) => (form.unit === "bb" && isPlain(text) ? `${text.trim()}bb` : numberOr(text));
  const fields = { board: given(form.board), ...form.unknown };
  if (form.told) {
    Object.assign(fields, { preflop: form.preflop, ranges: given(form.ranges) }, form.instead);
  } else {
    fields.oop = given(form.oop);
    fields.ip = given(form.ip);
    fields.pot = given(form.pot) && amount(form.pot);
    const stacks = form.stack.split(",");
    fields.stack = stacks.length > 1 ? stacks.map(amount) : given(form.stack) && amount(form.stack);
    if (form.aggressor) fields.aggressor = form.aggressor;
  }
  fields.bet = form.bet;
  fields.raise = form.raise;
  const donk = Object.entries(form.donk).filter(([, text]) => text.trim());
  if (donk.length) fields.donk = Object.fromEntries(donk.map(([street, text]) => [street, /^\s*none\s*$/i.test(text) ? "" : text]));
  for (const name of NUMBERS) if (form[name].trim()) fields[name] = numberOr(form[name]);
  if (form.rake_cap.trim()) fields.rake_cap = numberOr(form.rake_cap);
  if (form.runouts.trim()) fields.runouts = form.runouts.trim();
  for (const name of PRIZES) if (form[name].trim()) fields[name] = form[name].trim();
  if (form.progressive) fields.progressive = form.progressive;
  if (form.added.length) fields.added = form.added;
  if (form.removed.length) fields.removed = form.removed;
  if (form.locks && Object.keys(form.locks).length) fields.locks = form.locks;
  return fields;
}

/** The same amounts in the other unit. */
export function inUnit(form, unit) {
  const blind = Number(form.big_blind) || 1;
  const factor = unit === form.unit ? 1 : unit === "bb" ? 1 / blind : blind;
  const convert = (text) => (isPlain(text) ? String(Number((Number(text) * factor).toFixed(3))) : text.trim());
  return { ...form, unit, pot: convert(form.pot), stack: form.stack.split(",").map(convert).join(", ") };
}

/** The streets that are played: from that of the board on. */
export function streetsFrom(cards) {
  return STREETS.slice(Math.max(0, Math.min(2, cards.length - 3)));
}
